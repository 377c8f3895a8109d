// The report as a whole: its data, one section at a time, progress, export and the keyboard.

function readData() {
  const raw = JSON.parse(byId("data").textContent);
  const pages = unpack(raw.pages);
  const plan = unpack(raw.plan).map((row) => {
    const line = { ...row, from: pages[row.source], to: pages[row.target] };
    line.key = pairKey(line.from.url, line.to.url);
    return line;
  });
  return { ...raw, pages, plan, orphans: unpack(raw.orphans), skipped: unpack(raw.skipped), topics: unpack(raw.topics), competitors: unpack(raw.competitors) };
}

const data = readData();
const decisions = new Decisions(data.site, data.plan);
const plan = new PlanView(data.plan, decisions);

// Each is made when its section is first shown.
let network = null;
let pageLinks = null;
const theNetwork = () => (network ??= new LinkNetwork({ ...data.graph, pages: unpack(data.graph.pages) }, data.plan));
const thePageLinks = () => (pageLinks ??= new PageLinksView(theNetwork()));
const makers = {
  orphans: () => new OrphansView(data.orphans, data, plan),
  links: () => {
    thePageLinks();
    new SiteGraphView(theNetwork(), showPage);
  },
  pagerank: () => new PageRankView({ pages: unpack(data.graph.pages), pagesTotal: data.graph.pagesTotal }),
  topics: () => new TopicsView(data.topics, data.plan, data.graph ? (point) => showPage(theNetwork().node(point)) : null),
  similarity: () => new SimilarityView(data.similarity),
  cannibalization: () => new GroupsView(data.competitors),
  skipped: () => new SkippedView(data.skipped, data.reasons),
  backtest: () => new BacktestView(data.backtest),
};

function showPage(node) {
  thePageLinks().show(node);
  if (location.hash === "#links") byId("links").scrollIntoView();
  else location.hash = "links";
}

function route() {
  const id = location.hash.slice(1);
  const sections = [...document.querySelectorAll("section.view")];
  const shown = sections.find((section) => section.id === id);
  if (!shown && sections.some((section) => !section.hidden)) return; // the skip link, or an address of nothing
  const section = shown ?? byId("overview");
  for (const other of sections) other.hidden = other !== section;
  for (const link of document.querySelectorAll("nav a[href^='#']")) {
    if (link.hash === `#${section.id}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  makers[section.id]?.();
  delete makers[section.id];
  tip({});
  if (!shown) return;
  section.querySelector("h1, h2").focus({ preventScroll: true });
  section.scrollIntoView();
  document.querySelector("nav [aria-current]").scrollIntoView({ block: "nearest", inline: "center" });
}

function showProgress() {
  const counts = decisions.counts();
  const decided = data.plan.length - counts.new;
  const parts = ["accepted", "rejected", "done"].filter((status) => counts[status]).map((status) => `${count.format(counts[status])} ${status}`);
  byId("progress-text").textContent = `${count.format(decided)} of ${count.format(data.plan.length)} decided${parts.length ? `: ${parts.join(", ")}` : ""}`;
  byId("progress-bar").value = data.plan.length ? decided / data.plan.length : 0;
  byId("storage-warning").hidden = decisions.kept;
}

function fillOverview() {
  byId("start").replaceChildren(...data.plan.slice(0, 5).map((line) => el("li", {}, drawPair(line), drawSentence(line))));
  byId("languages")?.replaceChildren(...bars(data.languages.slice(0, 8).map(([code, n]) => [languageName(code), n])));
  const made = new Date(document.lastModified);
  if (!Number.isNaN(made.valueOf())) byId("made").textContent = ` of ${made.toLocaleDateString("en", { dateStyle: "long" })}`;
}

function exportDecisions() {
  download("decisions.csv", decisions.csv());
  tell("decisions.csv was saved; put it into the plan’s folder.");
}

async function importDecisions(event) {
  const [file] = event.target.files;
  if (!file) return;
  const changed = decisions.take(await file.text());
  event.target.value = "";
  tell(changed === null ? "This file has no columns url_from, url_to and status." : `${plural(changed, "decision")} taken over.`);
}

function typing(target) {
  return target instanceof Element && target.closest("input, select, textarea, dialog, [contenteditable]");
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !byId("shortcuts").checked) return;
  if (typing(event.target)) {
    if (event.key === "Escape" && event.target.type === "search") event.target.blur();
    return;
  }
  const inPlan = !byId("plan").hidden;
  if (event.key === "?") byId("help").showModal();
  else if (event.key === "e") exportDecisions();
  else if (!inPlan || !plan.key(event.key)) return;
  event.preventDefault();
}

decisions.listeners.push(showProgress);
byId("export").addEventListener("click", exportDecisions);
byId("import").addEventListener("click", () => byId("import-file").click());
byId("import-file").addEventListener("change", importDecisions);
document.addEventListener("keydown", pressed);
window.addEventListener("hashchange", route);
fillOverview();
showProgress();
route();
