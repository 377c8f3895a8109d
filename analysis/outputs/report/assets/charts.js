// The charts that are drawn as SVG: similarity, backtest, and PageRank before and after.

/** Draws now, and again when the width changes; `draw(width)` gives an element. */
function responsive(place, draw) {
  let width = 0;
  const box = el("div", { class: "chart" });
  place.append(box);
  new ResizeObserver(() => {
    if (box.clientWidth === width || !box.clientWidth) return;
    width = box.clientWidth;
    box.replaceChildren(draw(width));
  }).observe(box);
}

/** The figures of a chart as a table, folded away. */
function figuresTable(columns, rows) {
  return el(
    "details",
    {},
    el("summary", { text: "The figures" }),
    el(
      "table",
      { class: "small" },
      el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col", text: name })))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", { text: cell }))))),
    ),
  );
}

function axes(svg, x, y, { width, height, margin, xName, yFormat, xFormat = null }) {
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
    .call(d3.axisBottom(x).ticks(Math.max(3, width / 90), xFormat).tickSizeOuter(0));
  svg.append("g").attr("class", "axis grid").attr("transform", `translate(${margin.left},0)`)
    .call(d3.axisLeft(y).ticks(4, yFormat).tickSize(-(width - margin.left - margin.right)).tickSizeOuter(0))
    .call((axis) => axis.select(".domain").remove());
  svg.append("text").attr("class", "axis-name").attr("x", width - margin.right).attr("y", height - 4).attr("text-anchor", "end").text(xName);
}

function newSvg(width, height, label) {
  return d3.create("svg").attr("viewBox", [0, 0, width, height]).attr("width", width).attr("height", height)
    .attr("role", "img").attr("aria-label", label);
}

class SimilarityView {
  constructor({ edges, nearest, background, thresholds }) {
    const place = byId("similarity-chart");
    const legend = el(
      "p",
      { class: "legend" },
      el("span", { class: "key nearest", text: "nearest neighbour of each article" }),
      background.length ? el("span", { class: "key background", text: "any two articles (same scale of shares)" }) : null,
    );
    place.replaceChildren(legend);
    responsive(place, (width) => this.draw(width, edges, nearest, background, thresholds));
    const bins = nearest.map((n, i) => [`${edges[i].toFixed(2)} to ${edges[i + 1].toFixed(2)}`, count.format(n), ...(background.length ? [count.format(background[i])] : [])]);
    place.append(figuresTable(["Cosine", "Articles", ...(background.length ? ["Any two"] : [])], bins));
  }

  draw(width, edges, nearest, background, thresholds) {
    const height = 340;
    const margin = { top: 20 + 18 * thresholds.length, right: 12, bottom: 40, left: 48 };
    const shares = (counts) => { const all = d3.sum(counts) || 1; return counts.map((n) => n / all); };
    const [near, any] = [shares(nearest), shares(background)];
    const x = d3.scaleLinear([Math.min(edges[0], ...thresholds.map(([, v]) => v)), Math.max(edges.at(-1), ...thresholds.map(([, v]) => v))], [margin.left, width - margin.right]);
    const y = d3.scaleLinear([0, d3.max([...near, ...any]) || 1], [height - margin.bottom, margin.top]).nice();
    const told = thresholds.map(([name, value]) => `${name} at ${value}`).join(", ");
    const svg = newSvg(width, height, `Histogram of cosine similarity. Thresholds: ${told || "none"}.`);
    axes(svg, x, y, { width, height, margin, xName: "cosine similarity", yFormat: "%" });
    svg.append("g").attr("class", "nearest").selectAll("rect").data(near).join("rect")
      .attr("x", (_, i) => x(edges[i]) + 0.5).attr("width", (_, i) => Math.max(0.5, x(edges[i + 1]) - x(edges[i]) - 1))
      .attr("y", (share) => y(share)).attr("height", (share) => y(0) - y(share)).attr("rx", 1.5);
    if (any.length) {
      const line = d3.line((_, i) => (x(edges[i]) + x(edges[i + 1])) / 2, (share) => y(share)).curve(d3.curveMonotoneX);
      svg.append("path").attr("class", "background").attr("d", line(any));
    }
    const marks = svg.append("g").attr("class", "threshold").selectAll("g").data(thresholds).join("g");
    marks.append("line").attr("x1", ([, v]) => x(v)).attr("x2", ([, v]) => x(v)).attr("y1", (_, i) => 14 + 18 * i).attr("y2", y(0));
    marks.append("text").attr("x", ([, v]) => x(v) + (x(v) > width * 0.6 ? -5 : 5)).attr("y", (_, i) => 18 + 18 * i)
      .attr("text-anchor", ([, v]) => (x(v) > width * 0.6 ? "end" : "start")).text(([name, v]) => `${name} ${v.toFixed(2)}`);
    return svg.node();
  }
}

class BacktestView {
  constructor(backtest) {
    const place = byId("backtest-chart");
    place.replaceChildren();
    responsive(place, (width) => this.draw(width, backtest));
    const rows = backtest.series.flatMap(({ name, points }) => points.map((point) => [name, ...point.map(d3.format(".1%"))]));
    place.append(figuresTable(["Method", backtest.x, backtest.y], rows));
  }

  draw(width, backtest) {
    const height = 340;
    const margin = { top: 20, right: Math.min(170, width * 0.3), bottom: 40, left: 48 };
    const points = backtest.series.flatMap((line) => line.points);
    const x = d3.scaleLinear(d3.extent(points, ([v]) => v), [margin.left, width - margin.right]);
    const y = d3.scaleLinear([0, Math.min(1, d3.max(points, ([, v]) => v) * 1.1 || 1)], [height - margin.bottom, margin.top]);
    const told = backtest.series.map(({ name, points: [...all] }) => `${name} ends at ${((all.at(-1)?.[1] ?? 0) * 100).toFixed(0)}%`).join(", ");
    const svg = newSvg(width, height, `${backtest.y} by ${backtest.x}: ${told}.`);
    axes(svg, x, y, { width, height, margin, xName: backtest.x, yFormat: "%", xFormat: "%" });
    svg.append("text").attr("class", "axis-name").attr("x", margin.left).attr("y", 10).text(backtest.y);
    const lines = svg.selectAll("g.series").data(backtest.series).join("g").attr("class", (_, i) => `series hue-${i % 8}`);
    lines.append("path").attr("d", ({ points: all }) => d3.line(([v]) => x(v), ([, v]) => y(v))(all));
    lines.selectAll("circle").data(({ points: all }) => all).join("circle").attr("cx", ([v]) => x(v)).attr("cy", ([, v]) => y(v)).attr("r", 3);
    lines.append("text").attr("x", width - margin.right + 10).attr("y", ({ points: all }) => y(all.at(-1)?.[1] ?? 0) + 4).text(({ name }) => name);
    return svg.node();
  }
}

class PageRankView {
  constructor({ pages, pagesTotal }) {
    const change = (page) => page.rank_after - page.rank_before;
    const ranked = sorted(pages, change, true);
    const gain = ranked.filter((page) => change(page) > 0).slice(0, 15);
    const lose = ranked.filter((page) => change(page) < 0).slice(-15).reverse();
    const shown = [...gain, ...lose];
    const most = d3.max(shown, (page) => Math.max(page.rank_before, page.rank_after)) || 1;
    this.place = d3.scaleSqrt([0, most], [0, 1]);
    const list = (title, rows, css) =>
      rows.length
        ? el("section", { class: `movers ${css}` }, el("h3", { text: title }), el("ol", {}, rows.map((page) => this.draw(page, pagesTotal))))
        : el("section", { class: "movers" }, el("h3", { text: title }), el("p", { class: "nothing", text: "None." }));
    byId("pagerank-chart").replaceChildren(
      el("p", { class: "legend" }, el("span", { class: "key dot-before", text: "now" }), el("span", { class: "key dot-after", text: "with the plan" })),
      el("div", { class: "columns" }, list("Gain most", gain, "gain"), list("Lose most", lose, "lose")),
    );
  }

  draw(page, total) {
    const [before, after] = [page.rank_before, page.rank_after];
    const times = (rank) => `${d3.format(rank * total < 10 ? ".2f" : ",.0f")(rank * total)}×`;
    const track = el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "run" }), el("span", { class: "dot dot-before" }), el("span", { class: "dot dot-after" }));
    track.style.setProperty("--before", this.place(before));
    track.style.setProperty("--after", this.place(after));
    track.style.setProperty("--from", this.place(Math.min(before, after)));
    track.style.setProperty("--size", Math.abs(this.place(after) - this.place(before)));
    return el("li", {}, pageLink(page, { class: "to" }), el("span", { class: "times", text: `${times(before)} → ${times(after)}` }), track);
  }
}
