// The map of topics: a dot an article, a colour a language.

class TopicsView {
  constructor(points, lines, choose) {
    this.points = points;
    this.choose = choose;
    this.targets = d3.group(lines, (line) => line.from.url);
    this.byUrl = new Map(points.map((point) => [point.url, point]));
    this.languages = d3.rollups(points, (rows) => rows.length, (point) => point.language).sort((a, b) => b[1] - a[1]);
    this.hue = new Map(this.languages.map(([code], i) => [code, i]));
    this.hidden = new Set();
    this.transform = d3.zoomIdentity;
    this.hovered = null;
    this.matches = null;
    this.canvas = el("canvas", { role: "img", "aria-label": `Map of ${plural(points.length, "article")} in ${plural(this.languages.length, "language")}` });
    this.search = el("input", { type: "search", placeholder: "Light up articles by title", "aria-label": "Light up articles by title", on: { input: () => this.find() } });
    this.told = el("p", { class: "fine" });
    byId("topic-map").replaceChildren(
      el("div", { class: "tool-row" }, this.search, el("div", { class: "legend" }, this.languages.map((entry) => this.legend(entry)))),
      el("div", { class: "chart map" }, this.canvas),
      this.told,
    );
    this.tell();
    const zoom = d3.zoom().scaleExtent([1, 40]).filter(wanted).on("zoom", ({ transform }) => { this.transform = transform; this.draw(); });
    d3.select(this.canvas).call(zoom).on("dblclick.zoom", null);
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.leave(event); });
    this.canvas.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  legend([code, n]) {
    const button = el("button", { type: "button", class: `chip hue-${this.hue.get(code) % 8}`, "aria-pressed": "true" }, `${languageName(code)} ${count.format(n)}`);
    button.addEventListener("click", () => {
      if (!this.hidden.delete(code)) this.hidden.add(code);
      button.setAttribute("aria-pressed", String(!this.hidden.has(code)));
      this.draw();
    });
    return button;
  }

  tell() {
    const lit = this.matches ? `${plural(this.matches.size, "article")} lit up. ` : "";
    this.told.textContent = `${lit}Point at a dot to see its article and where the plan would link it; Ctrl and the wheel, or two fingers, zoom.`;
  }

  find() {
    const words = fold(this.search.value).split(/\s+/).filter(Boolean);
    this.matches = words.length ? new Set(this.points.filter(({ title }) => words.every((word) => fold(title).includes(word)))) : null;
    this.tell();
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.x = d3.scaleLinear(d3.extent(this.points, ({ x }) => x), [24, width - 24]);
    this.y = d3.scaleLinear(d3.extent(this.points, ({ y }) => y), [height - 24, 24]);
    this.tree = d3.quadtree(this.points, (point) => this.x(point.x), (point) => this.y(point.y));
    this.draw();
  }

  at(point) {
    return this.transform.apply([this.x(point.x), this.y(point.y)]);
  }

  hover(event) {
    const [x, y] = this.transform.invert(d3.pointer(event, this.canvas));
    const found = this.tree?.find(x, y, 14 / this.transform.k) ?? null;
    this.hovered = found && !this.hidden.has(found.language) ? found : null;
    if (this.hovered) tip(event, this.hovered.title || this.hovered.url, languageName(this.hovered.language), ...this.goals().map((line) => `→ ${line.to.title}`));
    else tip(event);
    this.canvas.style.cursor = this.hovered ? "pointer" : "";
    this.draw();
  }

  leave(event) {
    this.hovered = null;
    tip(event);
    this.draw();
  }

  /** A click on the dot that is pointed at shows its page; a finger has to tap once to point and once more to click. */
  clicked(event) {
    const pointedAt = this.hovered;
    this.hover(event);
    if (this.hovered && this.hovered === pointedAt) this.choose?.(this.hovered);
  }

  goals() {
    return this.hovered ? (this.targets.get(this.hovered.url) ?? []).filter((line) => line.decided !== "rejected") : [];
  }

  draw() {
    if (!this.tree) return;
    const style = getComputedStyle(this.canvas);
    const hues = d3.range(8).map((i) => style.getPropertyValue(`--hue-${i}`).trim());
    const ratio = window.devicePixelRatio || 1;
    const pen = this.canvas.getContext("2d");
    pen.resetTransform();
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.scale(ratio, ratio);
    const size = Math.max(2, Math.min(5, 90 / Math.sqrt(this.points.length))) * Math.sqrt(Math.min(3, this.transform.k));
    for (const point of this.points) {
      if (this.hidden.has(point.language)) continue;
      const [x, y] = this.at(point);
      pen.globalAlpha = this.matches && !this.matches.has(point) ? 0.12 : 0.72;
      pen.fillStyle = hues[this.hue.get(point.language) % 8];
      pen.beginPath();
      pen.arc(x, y, size, 0, 2 * Math.PI);
      pen.fill();
    }
    this.drawHovered(pen, size, style);
  }

  drawHovered(pen, size, style) {
    if (!this.hovered) return;
    pen.globalAlpha = 1;
    pen.lineWidth = 1.5;
    pen.strokeStyle = style.getPropertyValue("--accent");
    const [x, y] = this.at(this.hovered);
    for (const line of this.goals()) {
      const goal = this.byUrl.get(line.to.url);
      if (!goal) continue;
      const [toX, toY] = this.at(goal);
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(toX, toY);
      pen.stroke();
      pen.beginPath();
      pen.arc(toX, toY, size + 2, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.strokeStyle = style.color;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x, y, size + 3, 0, 2 * Math.PI);
    pen.stroke();
  }
}
