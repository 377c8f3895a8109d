// Cannibalization groups and skipped addresses.

const ADVICE = {
  merge: "Merge into one article",
  differentiate: "Tell them apart",
  canonical: "Point one at the other with rel=canonical",
};

class GroupsView {
  constructor(competitors) {
    const groups = d3.groups(competitors, (page) => page.group);
    const shown = el("div", { class: "groups" });
    const more = el("button", { type: "button", text: "Show more" });
    let next = 0;
    const show = () => {
      shown.append(...groups.slice(next, next + PAGE_SIZE).map(([name, pages]) => this.draw(name, pages)));
      next += PAGE_SIZE;
      more.hidden = next >= groups.length;
    };
    more.addEventListener("click", show);
    show();
    if (!groups.length) shown.append(el("p", { class: "nothing", text: "None: no two articles say the same, and none are known to share their main queries." }));
    byId("groups").replaceChildren(shown, more);
  }

  draw(name, pages) {
    const closest = d3.max(pages, (page) => page.closeness);
    const title = `Group ${name}: ${plural(pages.length, "article")}`;
    return el(
      "article",
      { class: "group" },
      el("h3", { text: title }),
      el("p", { class: "why" }, [
        el("span", { class: "level", text: ADVICE[pages[0].advice] ?? pages[0].advice }),
        closest === undefined ? null : el("span", { text: `closeness ${closest.toFixed(2)}` }),
        pages[0].reason ? el("span", { dir: "auto", text: pages[0].reason }) : null,
        pages[0].shared_queries && !pages[0].reason ? el("span", { dir: "auto", text: `shared queries: ${pages[0].shared_queries}` }) : null,
      ]),
      el(
        "ul",
        { class: "side-by-side" },
        pages.map((page) =>
          el(
            "li",
            {},
            pageLink(page, { class: "to" }),
            el("p", { class: "address", text: page.url }),
            page.difference ? el("p", { class: "fine" }, "Only here: ", el("span", { dir: "auto", text: page.difference })) : null,
          ),
        ),
      ),
    );
  }
}

class SkippedView {
  constructor(rows, reasons) {
    this.rows = rows;
    this.reason = null;
    this.pager = new Pager(byId("skipped-table"), {
      caption: "Addresses that were not used",
      css: "skipped",
      columns: [{ name: "Address" }, { name: "Reason" }, { name: "Detail" }],
      draw: (row) =>
        el(
          "tr",
          {},
          el("td", { class: "main" }, pageLink({ url: row.url, title: "", language: "" })),
          el("td", { text: row.reason }),
          el("td", { class: "fine", dir: "auto", text: row.detail }),
        ),
      empty: "None of those listed here.",
    });
    byId("skipped-reasons").replaceChildren(...bars(reasons, (name, button) => this.choose(name, button)));
    this.pager.show(rows);
  }

  choose(reason, button) {
    this.reason = this.reason === reason ? null : reason;
    for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button && this.reason !== null));
    const shown = this.reason === null ? this.rows : this.rows.filter((row) => row.reason === this.reason);
    this.pager.show(shown);
    say(plural(shown.length, "address", "addresses"));
  }
}
