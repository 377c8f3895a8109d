// A table that shows one page of its rows at a time: light at any length, and plain for a screen reader.

const PAGE_SIZE = 50;

class Pager {
  /** `draw(row)` gives the <tr> of a row; `columns` are [{name, sort?, class?}]; `sorted(name)` is called by a header's button. */
  constructor(place, { caption, columns, draw, empty, css = "", sorted = null }) {
    this.draw = draw;
    this.rows = [];
    this.drawn = new Map(); // row -> its <tr>, of the page that is shown
    this.page = 0;
    this.sorted = sorted;
    this.headers = columns.map((column) => this.header(column));
    this.body = el("tbody");
    this.table = el(
      "table",
      { class: css },
      el("caption", { class: "away", text: caption }),
      el("thead", {}, el("tr", {}, this.headers)),
      this.body,
    );
    this.empty = el("p", { class: "nothing", text: empty, hidden: true });
    this.where = el("span", { class: "where" });
    this.back = el("button", { type: "button", text: "Previous", on: { click: () => this.turn(-1) } });
    this.on = el("button", { type: "button", text: "Next", on: { click: () => this.turn(1) } });
    this.foot = el("nav", { class: "pages", "aria-label": `Pages: ${caption}` }, this.back, this.where, this.on);
    place.replaceChildren(this.table, this.empty, this.foot);
  }

  header({ name, sort, css }) {
    const cell = el("th", { scope: "col", class: css });
    if (!sort) cell.append(name);
    else {
      cell.dataset.sort = sort;
      cell.append(el("button", { type: "button", text: name, on: { click: () => this.sorted(sort) } }));
    }
    return cell;
  }

  showOrder(key, descending) {
    for (const header of this.headers) {
      if (header.dataset.sort === key) header.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    }
  }

  get pages() {
    return Math.max(1, Math.ceil(this.rows.length / PAGE_SIZE));
  }

  show(rows, page = 0) {
    this.rows = rows;
    this.page = Math.min(Math.max(page, 0), this.pages - 1);
    const start = this.page * PAGE_SIZE;
    const shown = rows.slice(start, start + PAGE_SIZE);
    this.fill(shown);
    this.table.hidden = !rows.length;
    this.empty.hidden = rows.length > 0;
    this.foot.hidden = this.pages === 1;
    this.back.disabled = this.page === 0;
    this.on.disabled = this.page === this.pages - 1;
    this.where.textContent = `${count.format(start + 1)}–${count.format(start + shown.length)} of ${count.format(rows.length)}`;
  }

  /** Put these rows on the page; those that stand there already stay, and keep the focus. */
  fill(shown) {
    const before = this.drawn;
    this.drawn = new Map(shown.map((row) => [row, before.get(row) ?? this.make(row)]));
    for (const [row, element] of before) if (!this.drawn.has(row)) element.remove();
    let next = this.body.firstChild;
    for (const element of this.drawn.values()) {
      if (element === next) next = next.nextSibling;
      else this.body.insertBefore(element, next);
    }
  }

  make(row) {
    const element = this.draw(row);
    element.row = row;
    return element;
  }

  turn(by) {
    this.show(this.rows, this.page + by);
    this.table.closest("section").scrollIntoView();
    say(this.where.textContent);
  }
}
