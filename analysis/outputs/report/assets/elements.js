// Making elements. Text from pages enters the document here, as text, and nowhere as markup.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; `on` holds listeners, `text` its text, false and null attributes are left out. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (key === "text") element.textContent = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** A link to a page of the site; an address that is no web address stays text. */
function pageLink(page, attributes = {}) {
  const text = page.title || page.url;
  const shown = { dir: "auto", lang: page.language || null, title: page.url, ...attributes };
  if (!/^https?:\/\//i.test(page.url)) return el("span", { ...shown, text });
  return el("a", { href: page.url, target: "_blank", rel: "noopener noreferrer", ...shown, text });
}

/** Rows as objects from {columns, rows}. */
function unpack({ columns, rows }) {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
}

const count = new Intl.NumberFormat("en");
const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });

function languageName(code) {
  if (!code || code === "und") return "Unknown";
  try {
    return languageNames.of(code);
  } catch {
    return code;
  }
}

function plural(n, one, many = one + "s") {
  return `${count.format(n)} ${n === 1 ? one : many}`;
}

/** Tell a screen reader what has happened. */
function say(text) {
  byId("status").textContent = text;
}

let toastTimer = 0;

/** Tell everybody what has happened: say it, and show it for a while. */
function tell(text) {
  const box = byId("status");
  say(text);
  box.classList.add("toast");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.classList.remove("toast"), 4_000);
}

/** Horizontal bars with their names and counts: [[name, count], …]; `choose` makes each a button. */
function bars(entries, choose = null) {
  const most = Math.max(1, ...entries.map(([, n]) => n));
  return entries.map(([name, n]) => {
    const bar = el("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--part", n / most);
    const inside = [el("span", { class: "bar-name", text: name }), el("span", { class: "bar-count", text: count.format(n) }), bar];
    return choose
      ? el("button", { type: "button", class: "bar-row", "aria-pressed": "false", on: { click: (event) => choose(name, event.currentTarget) } }, inside)
      : el("div", { class: "bar-row" }, inside);
  });
}

/** Shows a small box beside the pointer. */
function tip(event, ...lines) {
  const box = byId("tip");
  box.hidden = lines.length === 0;
  if (box.hidden) return;
  box.replaceChildren(...lines.map((line) => (line instanceof Node ? line : el("p", { dir: "auto", text: line }))));
  const { clientWidth, clientHeight } = document.documentElement;
  box.style.left = Math.max(8, Math.min(event.clientX + 14, clientWidth - box.offsetWidth - 8)) + "px";
  box.style.top = Math.max(8, Math.min(event.clientY + 14, clientHeight - box.offsetHeight - 8)) + "px";
}
