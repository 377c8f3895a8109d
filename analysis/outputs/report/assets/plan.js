// The plan: filter, sort, search, and decide, with the pointer or the keyboard.

const ORDERS = {
  rank: { name: "rank", of: (line) => line.rank },
  from: { name: "article", of: (line) => line.from.title || line.from.url },
  to: { name: "target", of: (line) => line.to.title || line.to.url },
  confidence: { name: "confidence", of: (line) => line.confidence, down: true },
  closeness: { name: "closeness", of: (line) => line.closeness, down: true },
  links: { name: "links in the article", of: (line) => line.links_now },
  clicks: { name: "clicks of the target", of: (line) => line.to.clicks, down: true },
};
const DECISIONS = [
  { status: "accepted", name: "Accept", key: "a" },
  { status: "rejected", name: "Reject", key: "r" },
  { status: "done", name: "Done", key: "d" },
];
const STATUS_NAMES = { new: "To decide", accepted: "Accepted", rejected: "Rejected", done: "Done" };
const PLACEMENTS = { wrap: "In a sentence", weave: "In a new sentence", none: "Without a sentence" };
const collator = new Intl.Collator(undefined, { numeric: true });

class PlanView {
  constructor(lines, decisions) {
    this.lines = lines;
    this.decisions = decisions;
    this.order = "rank";
    this.descending = false;
    this.current = null;
    this.about = null; // one page: only what leads from it or to it
    this.ordered = lines;
    this.tools();
    const hasConfidence = lines.some((line) => line.confidence !== null);
    this.pager = new Pager(byId("plan-table"), {
      caption: "Proposed links",
      css: "plan",
      columns: [
        { name: "#", sort: "rank", css: "rank" },
        { name: "Article → target, and the sentence", sort: "from", css: "link" },
        ...(hasConfidence ? [{ name: "Confidence", sort: "confidence", css: "score" }] : []),
        { name: "Closeness", sort: "closeness", css: "score" },
        { name: "Decision", css: "decide" },
      ],
      draw: (line) => this.draw(line, hasConfidence),
      empty: "No proposal fits these filters.",
      sorted: (key) => this.sortBy(key, key === this.order ? !this.descending : Boolean(ORDERS[key].down)),
    });
    this.pager.body.addEventListener("click", (event) => this.clicked(event));
    this.pager.body.addEventListener("focusin", (event) => this.makeCurrent(this.lineAt(event.target), false));
    decisions.listeners.push((changed) => this.decided(changed));
    const tools = byId("plan-tools");
    new ResizeObserver(() => byId("plan").style.setProperty("--tools", `${tools.offsetHeight}px`)).observe(tools);
    this.pager.showOrder(this.order, this.descending);
    this.refresh();
  }

  tools() {
    const refresh = () => this.refresh();
    this.search = el("input", { type: "search", placeholder: "Search titles, sentences, addresses", "aria-label": "Search the plan", on: { input: refresh } });
    this.filters = [
      this.filter("status", "Any status", (line) => line.decided, (value) => STATUS_NAMES[value], STATUSES),
      this.filter("language", "All languages", (line) => line.language, languageName),
      this.filter("level", "Any level", (line) => line.level, (value) => value || "no level"),
      this.filter("placement", "Any placement", (line) => line.placement, (value) => PLACEMENTS[value] ?? value),
      this.filter("limit", "Any limit", (line) => (line.beyond_limit ? "beyond" : "within"), (value) => `${value === "within" ? "Within" : "Beyond"} the limit`),
    ].filter(Boolean);
    const orders = Object.entries(ORDERS).filter(([, { of }]) => this.lines.some((line) => of(line) !== null && of(line) !== undefined));
    this.sorter = el(
      "select",
      { "aria-label": "Sort by", on: { change: () => this.sortBy(this.sorter.value, Boolean(ORDERS[this.sorter.value].down)) } },
      orders.map(([key, { name }]) => el("option", { value: key, text: `By ${name}` })),
    );
    this.about_chip = el("button", { type: "button", class: "chip", hidden: true, on: { click: () => this.showAbout(null) } });
    this.shown = el("p", { class: "shown" });
    this.all = DECISIONS.slice(0, 2).map(({ status, name }) =>
      el("button", { type: "button", class: "quiet", text: `${name} all shown`, on: { click: () => this.decideAll(status) } }),
    );
    this.undo = el("button", { type: "button", class: "quiet", text: "Undo", disabled: true, on: { click: () => this.undoLast() } });
    const help = el("button", { type: "button", class: "quiet", text: "Keyboard", on: { click: () => byId("help").showModal() } });
    byId("plan-tools").replaceChildren(
      el(
        "div",
        { class: "tool-row" },
        this.search,
        this.filters.map(({ select }) => select),
      ),
      el("div", { class: "tool-row" }, this.shown, this.sorter, this.about_chip, el("span", { class: "spring" }), this.all, this.undo, help),
    );
  }

  /** A select over the values that occur; none where there is nothing to choose. */
  filter(key, all, of, shown, always = null) {
    const values = always ?? [...new Set(this.lines.map(of))].sort();
    if (values.length < 2) return null;
    const select = el(
      "select",
      { "aria-label": `Filter by ${key}`, "data-filter": key, on: { change: () => this.refresh() } },
      el("option", { value: "", text: all }),
      values.map((value) => el("option", { value: `=${value}`, text: shown(value) })),
    );
    return { of, select };
  }

  fits(line) {
    if (this.about && line.from !== this.about && line.to !== this.about) return false;
    for (const { of, select } of this.filters) if (select.value && select.value !== `=${of(line)}`) return false;
    return this.words.every((word) => searchable(line).includes(word));
  }

  refresh(page = 0) {
    this.words = fold(this.search.value).split(/\s+/).filter(Boolean);
    this.show(this.ordered.filter((line) => this.fits(line)), page);
  }

  show(lines, page) {
    this.unmark();
    this.pager.show(lines, page);
    this.tellShown();
    for (const line of this.pager.drawn.keys()) this.showStatus(line);
    this.makeCurrent(this.rowOf(this.current) ? this.current : (this.pager.drawn.keys().next().value ?? null), false);
  }

  tellShown() {
    const { length } = this.pager.rows;
    this.shown.textContent = length === this.lines.length ? plural(length, "proposal") : `${count.format(length)} of ${plural(this.lines.length, "proposal")}`;
    for (const button of this.all) button.disabled = !length;
  }

  sortBy(key, descending) {
    this.order = key;
    this.descending = descending;
    this.sorter.value = key;
    this.ordered = sorted(this.lines, ORDERS[key].of, descending);
    this.pager.showOrder(key, descending);
    this.refresh();
  }

  showAbout(page) {
    this.about = page;
    this.about_chip.hidden = !page;
    this.about_chip.textContent = page ? `Only: ${page.title || page.url} ✕` : "";
    this.refresh();
  }

  draw(line, hasConfidence) {
    const row = el(
      "tr",
      { tabindex: "-1", "data-status": line.decided },
      el("td", { class: "rank", text: line.rank }),
      el("td", { class: "link" }, drawPair(line), drawSentence(line), drawWhy(line)),
      hasConfidence ? scoreCell("Confidence", line.confidence, true) : null,
      scoreCell("Closeness", line.closeness, false),
      el(
        "td",
        { class: "decide" },
        el(
          "div",
          { role: "group", "aria-label": `Decision about row ${line.rank}` },
          DECISIONS.map(({ status, name }) =>
            el("button", { type: "button", "data-decide": status, "aria-pressed": String(line.decided === status), text: name }),
          ),
        ),
      ),
    );
    return row;
  }

  rowOf(line) {
    return this.pager.drawn.get(line);
  }

  lineAt(element) {
    return element.closest("tr")?.row ?? null;
  }

  clicked(event) {
    const line = this.lineAt(event.target);
    if (!line) return;
    const wanted = event.target.closest("[data-decide]")?.dataset.decide;
    this.makeCurrent(line, false);
    if (wanted) this.decisions.set([line], line.decided === wanted ? "new" : wanted);
  }

  unmark() {
    const row = this.rowOf(this.current);
    if (!row) return;
    row.removeAttribute("aria-current");
    row.tabIndex = -1;
  }

  makeCurrent(line, focus = true) {
    this.unmark();
    this.current = line;
    const row = this.rowOf(line);
    if (!row) return;
    row.setAttribute("aria-current", "true");
    row.tabIndex = 0;
    if (focus) row.focus();
  }

  move(by) {
    const { rows } = this.pager;
    const next = rows[rows.indexOf(this.current) + by];
    if (next) this.goTo(next);
  }

  /** Decide about the current row and go on to the next. */
  decide(status) {
    const line = this.current;
    if (!line) return;
    const { rows } = this.pager;
    const next = rows[rows.indexOf(line) + 1] ?? rows[rows.indexOf(line) - 1] ?? null;
    this.decisions.set([line], status);
    say(`${STATUS_NAMES[status]}: ${line.from.title} to ${line.to.title}`);
    if (!this.pager.rows.includes(line)) this.goTo(next);
    else if (status !== "new") this.move(1);
  }

  decideAll(status) {
    const lines = [...this.pager.rows];
    this.decisions.set(lines, status);
    tell(`${STATUS_NAMES[status]}: ${plural(lines.length, "proposal")}. Undo takes it back.`);
  }

  undoLast() {
    const lines = this.decisions.undo();
    if (!lines) return;
    tell(`Undone: ${plural(lines.length, "decision")}`);
    if (this.pager.rows.includes(lines[0])) this.goTo(lines[0]);
  }

  goTo(line) {
    if (!line) return;
    const page = Math.floor(this.pager.rows.indexOf(line) / PAGE_SIZE);
    if (page !== this.pager.page) this.show(this.pager.rows, page);
    this.makeCurrent(line);
  }

  /** Bring the table up to date with decisions; null: any of them may have changed. */
  decided(changed) {
    this.undo.disabled = !this.decisions.past.length;
    const listed = new Set(this.pager.rows);
    if (!changed || changed.some((line) => listed.has(line) !== this.fits(line))) this.refresh(this.pager.page);
    else for (const line of changed) this.showStatus(line);
  }

  showStatus(line) {
    const row = this.rowOf(line);
    if (!row || row.dataset.status === line.decided) return;
    row.dataset.status = line.decided;
    for (const button of row.querySelectorAll("[data-decide]")) {
      button.setAttribute("aria-pressed", String(button.dataset.decide === line.decided));
    }
  }

  key(key) {
    const decision = DECISIONS.find((one) => one.key === key);
    if (decision) this.decide(decision.status);
    else if (key === "n") this.decide("new");
    else if (key === "j") this.move(1);
    else if (key === "k") this.move(-1);
    else if (key === "u") this.undoLast();
    else if (key === "/") this.search.focus();
    else if (key === "o") this.rowOf(this.current)?.querySelector("a")?.click();
    else return false;
    return true;
  }
}

function drawPair(line) {
  return el("p", { class: "pair" }, pageLink(line.from, { class: "from" }), el("span", { class: "arrow", text: "→", "aria-label": "to" }), pageLink(line.to, { class: "to" }));
}

function drawSentence(line) {
  const words = [line.before, line.anchor ? el("mark", { text: line.anchor }) : null, line.after];
  if (line.placement === "wrap") return el("p", { class: "sentence", dir: "auto", lang: line.language || null }, words);
  const hint = line.hint ? [" Possible words: ", el("q", { dir: "auto", text: line.hint })] : [];
  const told = el("p", { class: "unplaced" }, line.obstacle ? `Not placed: ${line.obstacle}.` : "Not placed in a sentence.", hint);
  if (!line.before && !line.anchor) return told;
  return [told, el("p", { class: "sentence nearest", dir: "auto", lang: line.language || null }, el("span", { class: "near", text: "Nearest: " }), words)];
}

function drawWhy(line) {
  const facts = [
    line.level ? el("span", { class: `level ${line.level}`, text: line.level }) : null,
    line.beyond_limit ? el("span", { class: "level beyond", text: "beyond the limit" }) : null,
    line.reason ? el("span", { text: line.reason }) : null,
    el("span", { text: line.links_now ? `${plural(line.links_now, "link")} in the article now` : "no links in the article yet" }),
    line.queries ? el("span", { text: `both rank for: ${line.queries}` }) : null,
    line.to.clicks !== null ? el("span", { text: `target: ${plural(line.to.clicks, "click")}` }) : null,
  ];
  return el("p", { class: "why" }, facts);
}

function scoreCell(name, value, percent) {
  if (value === null) return el("td", { class: "score" }, el("span", { class: "away", text: `${name} unknown` }));
  const bar = el("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--part", Math.max(0, Math.min(1, value)));
  return el("td", { class: "score", "data-name": name }, el("span", { class: "value", text: percent ? `${Math.round(value * 100)}%` : value.toFixed(2) }), bar);
}

/** What a search looks through, worked out when a line is first searched. */
function searchable(line) {
  line.text ??= fold([line.from.title, line.to.title, line.from.url, line.to.url, line.before, line.anchor, line.after, line.hint].join("\n"));
  return line.text;
}

/** Text as it is compared in a search: case and accents do not count. */
function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** A sorted copy; what has no value comes last either way, ties stay in their order. */
function sorted(rows, of, descending) {
  const way = descending ? -1 : 1;
  const none = (value) => value === null || value === undefined || value === "";
  return [...rows].sort((a, b) => {
    const [x, y] = [of(a), of(b)];
    if (none(x) || none(y)) return none(x) - none(y);
    return way * (typeof x === "string" ? collator.compare(x, y) : x - y);
  });
}
