// The graph of links: one page with its neighbours, and the site as a whole. Existing and proposed links are told apart everywhere.

const NEIGHBOURS = 12; // shown a list, before "more"
const OVERVIEW = 220; // pages drawn at once

/** All pages that are linked or proposed, by address, each with its neighbours. */
class LinkNetwork {
  constructor(graph, lines) {
    this.nodes = new Map();
    const ranked = graph.pages.map((page) => this.node(page, page.rank_after));
    for (const [source, target] of graph.links) {
      ranked[source].out.push(ranked[target]);
      ranked[target].in.push(ranked[source]);
    }
    for (const line of lines) {
      this.node(line.from).proposals.push(line);
      this.node(line.to).invitations.push(line);
    }
    this.list = [...this.nodes.values()].sort((a, b) => b.weight - a.weight);
  }

  node(page, weight = 0) {
    if (!this.nodes.has(page.url)) {
      this.nodes.set(page.url, { page, weight, out: [], in: [], proposals: [], invitations: [], text: fold(`${page.title} ${page.url}`) });
    }
    return this.nodes.get(page.url);
  }
}

class PageLinksView {
  constructor(network) {
    this.network = network;
    this.found = el("ul", { class: "found", hidden: true });
    this.search = el("input", {
      type: "search",
      placeholder: "Find a page by its title or address",
      "aria-label": "Find a page",
      on: { input: () => this.find() },
    });
    this.grid = el("div", { class: "ego" });
    byId("page-links").replaceChildren(
      el("div", { class: "finder" }, this.search, this.found),
      el("p", { class: "legend" }, el("span", { class: "key existing", text: "existing link" }), el("span", { class: "key proposed", text: "proposed link" })),
      this.grid,
    );
    new ResizeObserver(() => this.connect()).observe(this.grid);
    const { list } = network;
    this.show(list.find((node) => node.invitations.length && node.in.length) ?? list[0]);
  }

  find() {
    const words = fold(this.search.value).split(/\s+/).filter(Boolean);
    const nodes = words.length ? this.network.list.filter((node) => words.every((word) => node.text.includes(word))).slice(0, 8) : [];
    this.found.hidden = !words.length;
    this.found.replaceChildren(
      ...nodes.map((node) => el("li", {}, el("button", { type: "button", dir: "auto", text: node.page.title || node.page.url, on: { click: () => this.choose(node) } }))),
    );
    if (words.length && !nodes.length) this.found.append(el("li", { class: "nothing", text: "No page has that." }));
    say(plural(nodes.length, "page"));
  }

  choose(node) {
    this.search.value = "";
    this.found.hidden = true;
    this.show(node);
  }

  show(node) {
    this.node = node;
    if (!node) return;
    const open = (lines) => lines.filter((line) => line.decided !== "rejected");
    this.wires = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.wires.setAttribute("aria-hidden", "true");
    this.left = this.column("Links to it", node.in, open(node.invitations).map((line) => line.from));
    this.right = this.column("It links to", node.out, open(node.proposals).map((line) => line.to));
    this.centre = el(
      "div",
      { class: "centre" },
      pageLink(node.page, { class: "to" }),
      el("p", { class: "address", text: node.page.url }),
      el("p", { class: "fine", text: node.weight ? `${node.in.length} in, ${node.out.length} out` : "" }),
    );
    this.grid.replaceChildren(this.wires, this.left, this.centre, this.right);
    this.connect();
    say(`${node.page.title || node.page.url}: ${plural(node.in.length, "link")} in, ${plural(node.out.length, "link")} out`);
  }

  column(title, existing, proposedPages) {
    const proposed = proposedPages.map((page) => this.network.node(page));
    const items = [...proposed.map((node) => [node, "proposed"]), ...existing.map((node) => [node, "existing"])];
    const list = el("ul", {}, items.slice(0, NEIGHBOURS).map(([node, kind]) => this.item(node, kind)));
    const rest = items.slice(NEIGHBOURS);
    if (rest.length) {
      const more = el("button", {
        type: "button",
        class: "quiet",
        text: `${count.format(rest.length)} more`,
        on: {
          click: () => {
            more.parentElement.replaceWith(...rest.map(([node, kind]) => this.item(node, kind)));
            this.connect();
          },
        },
      });
      list.append(el("li", { class: "nothing" }, more));
    }
    if (!items.length) list.append(el("li", { class: "nothing", text: "Nothing." }));
    return el("div", { class: "neighbours" }, el("h4", { text: title }), list);
  }

  item(node, kind) {
    return el(
      "li",
      { class: kind },
      el("button", { type: "button", on: { click: () => this.show(node) } }, el("span", { dir: "auto", text: node.page.title || node.page.url }), el("span", { class: "away", text: `, ${kind} link` })),
    );
  }

  /** Curves from the neighbours to the page in the middle, where they stand side by side. */
  connect() {
    if (!this.wires) return;
    const frame = this.grid.getBoundingClientRect();
    const middle = this.centre.getBoundingClientRect();
    const at = (x, y) => [x - frame.left, y - frame.top];
    this.wires.replaceChildren();
    if (this.left.getBoundingClientRect().right > middle.left) return;
    this.wires.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    for (const item of this.grid.querySelectorAll("li.proposed, li.existing")) {
      const box = item.getBoundingClientRect();
      const comes = this.left.contains(item);
      const ends = [at(comes ? box.right : middle.right, comes ? box.top + box.height / 2 : middle.top + middle.height / 2), at(comes ? middle.left : box.left, comes ? middle.top + middle.height / 2 : box.top + box.height / 2)];
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("d", d3.linkHorizontal()({ source: ends[0], target: ends[1] }));
      path.setAttribute("class", item.className);
      this.wires.append(path);
    }
  }
}

class SiteGraphView {
  constructor(network, choose) {
    const place = byId("site-graph");
    const chosen = this.choose(network);
    const links = [...this.between(chosen)];
    const told = `${plural(chosen.length, "page")}, ${plural(links.filter((link) => !link.proposed).length, "existing link")}, ${plural(links.filter((link) => link.proposed).length, "proposed link")}`;
    const which = chosen.length < network.list.length ? `The ${count.format(chosen.length)} pages of most weight and best proposals, of ${count.format(network.list.length)}. ` : "";
    const keys = [["existing", "existing link"], ["proposed", "proposed link"], ["orphan", "orphan page"]];
    place.replaceChildren(
      el("p", { class: "fine", text: `${which}${told}. Choose a dot to see its page above.` }),
      el("p", { class: "legend" }, keys.map(([css, text]) => el("span", { class: `key ${css}`, text }))),
    );
    let svg = null;
    const box = el("div", { class: "chart site" });
    place.append(box);
    new ResizeObserver(() => {
      if (svg || !box.clientWidth) return;
      svg = this.draw(chosen, links, told, choose);
      box.append(svg);
    }).observe(box);
  }

  /** The pages of most weight, and those of the best proposals. */
  choose({ list }) {
    if (list.length <= OVERVIEW) return list;
    const best = new Set(list.slice(0, OVERVIEW / 2));
    const proposals = list.flatMap((node) => node.proposals).sort((a, b) => a.rank - b.rank);
    const byUrl = new Map(list.map((node) => [node.page.url, node]));
    for (const line of proposals) {
      if (best.size >= OVERVIEW) break;
      best.add(byUrl.get(line.from.url)).add(byUrl.get(line.to.url));
    }
    return [...best];
  }

  *between(nodes) {
    const byUrl = new Map(nodes.map((node) => [node.page.url, node]));
    for (const node of nodes) {
      for (const target of node.out) if (byUrl.has(target.page.url)) yield { source: node, target, proposed: false };
      for (const line of node.proposals) {
        if (line.decided !== "rejected" && byUrl.has(line.to.url)) yield { source: node, target: byUrl.get(line.to.url), proposed: true };
      }
    }
  }

  draw(chosen, links, told, choose) {
    const [width, height] = [1000, 640];
    const most = d3.max(chosen, (node) => node.weight) || 1;
    const radius = (node) => 3 + 9 * Math.sqrt(node.weight / most);
    const simulation = d3.forceSimulation(chosen)
      .force("link", d3.forceLink(links).distance(46).strength(0.25))
      .force("charge", d3.forceManyBody().strength(-70).distanceMax(320))
      .force("collide", d3.forceCollide((node) => radius(node) + 2))
      .force("x", d3.forceX().strength(0.05)).force("y", d3.forceY().strength(0.08))
      .stop();
    simulation.tick(180);
    const svg = newSvg(width, height, `Graph of the site: ${told}.`).attr("height", null).attr("width", null);
    const scene = svg.append("g");
    const [[left, right], [top, bottom]] = [d3.extent(chosen, ({ x }) => x), d3.extent(chosen, ({ y }) => y)];
    const scale = Math.min(width / (right - left + 60), height / (bottom - top + 60), 2);
    const start = d3.zoomIdentity.translate(width / 2, height / 2).scale(scale).translate(-(left + right) / 2, -(top + bottom) / 2);
    const lines = scene.append("g").selectAll("line").data(links).join("line")
      .attr("class", ({ proposed }) => (proposed ? "proposed" : "existing"))
      .attr("x1", ({ source }) => source.x).attr("y1", ({ source }) => source.y)
      .attr("x2", ({ target }) => target.x).attr("y2", ({ target }) => target.y);
    lines.filter(({ proposed }) => proposed).raise();
    const dots = scene.append("g").selectAll("circle").data(chosen).join("circle")
      .attr("class", (node) => (node.in.length ? "node" : "node orphan"))
      .attr("cx", ({ x }) => x).attr("cy", ({ y }) => y).attr("r", radius)
      .on("click", (_, node) => choose(node))
      .on("pointermove", (event, node) => {
        tip(event, node.page.title || node.page.url, `${node.in.length} in, ${node.out.length} out, ${node.invitations.length} proposed in`);
        lines.classed("faded", ({ source, target }) => source !== node && target !== node);
        dots.classed("faded", (other) => other !== node && !links.some(({ source, target }) => (source === node && target === other) || (target === node && source === other)));
      })
      .on("pointerleave", (event) => { tip(event); lines.classed("faded", false); dots.classed("faded", false); });
    const zoom = d3.zoom().scaleExtent([scale * 0.7, scale * 8]).filter(wanted).on("zoom", ({ transform }) => scene.attr("transform", transform));
    svg.call(zoom).call(zoom.transform, start);
    return svg.node();
  }
}

/** Zoom with the wheel only together with Ctrl or ⌘, so that the page still scrolls; dragging and pinching as ever. */
function wanted(event) {
  if (event.type === "wheel") return event.ctrlKey || event.metaKey;
  return !event.button && !(event.touches && event.touches.length < 2 && event.type === "touchstart");
}
