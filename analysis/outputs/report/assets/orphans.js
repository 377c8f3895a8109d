// Orphans and what would end each of them.

class OrphansView {
  constructor(orphans, data, plan) {
    const rescue = new Map();
    const cost = (line) => 2 * Number(line.beyond_limit) + Number(line.placement !== "wrap");
    for (const line of sorted(data.plan, cost, false)) if (!rescue.has(line.to)) rescue.set(line.to, line);
    const pager = new Pager(byId("orphans-table"), {
      caption: "Orphan pages",
      css: "orphans",
      columns: [{ name: "Orphan page" }, { name: "Rescue" }, { name: "Links out", css: "number" }, { name: "Proposals", css: "number" }],
      draw: (orphan) => this.draw(orphan, data, rescue.get(data.pages[orphan.page]), plan),
      empty: "No orphan pages: every article is linked from another one’s text.",
    });
    const open = orphans.filter((orphan) => !orphan.proposals);
    pager.show([...open, ...orphans.filter((orphan) => orphan.proposals)]);
  }

  draw(orphan, data, line, plan) {
    const page = data.pages[orphan.page];
    const show = el("button", {
      type: "button",
      class: "quiet",
      text: "Show in the plan",
      on: { click: () => { plan.showAbout(page); location.hash = "plan"; } },
    });
    const why = orphan.reason ? el("p", { class: "unplaced", text: orphan.reason }) : null;
    const rescue = line
      ? [el("p", {}, "from ", pageLink(line.from)), drawSentence(line), line.placement === "wrap" ? why : null, show]
      : orphan.best_source !== null
        ? [el("p", {}, "from ", pageLink(data.pages[orphan.best_source])), why]
        : [el("p", { class: "unplaced", text: orphan.reason || "No proposal leads here: no article of its language is close enough." })];
    return el(
      "tr",
      {},
      el("td", { class: "main" }, pageLink(page, { class: "to" }), el("p", { class: "why" }, el("span", { text: languageName(page.language) }))),
      el("td", {}, rescue),
      el("td", { class: "number", "data-name": "Links out", text: count.format(orphan.links_out) }),
      el("td", { class: "number", "data-name": "Proposals", text: count.format(orphan.proposals) }),
    );
  }
}
