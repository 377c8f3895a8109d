// What the reader decided: kept in the browser under the site's name, one entry a pair (both addresses, a line each), and exported as decisions.csv.
//
// An entry is "<status in the file>><status decided>". When a later plan has another status for the pair, the file has moved on
// (it read these decisions, or somebody else's), and the entry no longer counts.

const STATUSES = ["new", "accepted", "rejected", "done"];
const FORMULA = /^'*(?:[\s\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;
const GUARDED = /^'+(?:[\s\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

const pairKey = (from, to) => `${from}\n${to}`;

class Decisions {
  constructor(site, lines) {
    this.prefix = `interlink:${site}:`;
    this.lines = lines;
    this.listeners = [];
    this.past = [];
    this.memory = new Map(); // what this page knows, also where the browser keeps nothing
    this.kept = true;
    this.load();
    window.addEventListener("storage", (event) => {
      if (event.key !== null && !event.key.startsWith(this.prefix)) return;
      this.load();
      this.tell(null);
    });
  }

  load() {
    this.memory.clear();
    try {
      for (let i = 0; i < localStorage.length; i += 1) {
        const key = localStorage.key(i);
        if (key.startsWith(this.prefix)) this.memory.set(key.slice(this.prefix.length), localStorage.getItem(key));
      }
      localStorage.setItem("interlink", "1");
    } catch {
      this.kept = false;
    }
    for (const line of this.lines) line.decided = this.statusOf(line);
  }

  statusOf(line) {
    const entry = this.memory.get(line.key);
    if (entry === undefined) return line.status;
    const [base, status] = entry.split(">");
    return base === line.status && STATUSES.includes(status) ? status : line.status;
  }

  /** Decide the same for some lines; one step for undo. */
  set(lines, status) {
    const step = lines.filter((line) => line.decided !== status).map((line) => [line, line.decided]);
    if (!step.length) return;
    this.past.push(step);
    for (const [line] of step) this.write(line, status);
    this.tell(step.map(([line]) => line));
  }

  undo() {
    const step = this.past.pop();
    if (!step) return null;
    for (const [line, before] of step) this.write(line, before);
    const lines = step.map(([line]) => line);
    this.tell(lines);
    return lines;
  }

  write(line, status) {
    line.decided = status;
    const entry = status === line.status ? null : `${line.status}>${status}`;
    if (entry === null) this.memory.delete(line.key);
    else this.memory.set(line.key, entry);
    try {
      if (entry === null) localStorage.removeItem(this.prefix + line.key);
      else localStorage.setItem(this.prefix + line.key, entry);
    } catch {
      this.kept = false;
    }
  }

  tell(lines) {
    for (const listener of this.listeners) listener(lines);
  }

  /** Lines by status. */
  counts() {
    const counts = Object.fromEntries(STATUSES.map((status) => [status, 0]));
    for (const line of this.lines) counts[line.decided] += 1;
    return counts;
  }

  /** The table that `scrapy plan` and `scrapy apply` read: also what was decided about pairs that this plan has no more. */
  csv() {
    const rows = [];
    const here = new Set(this.lines.map((line) => line.key));
    for (const line of this.lines) {
      if (line.decided !== "new" || line.status !== "new") rows.push([line.from.url, line.to.url, line.decided]);
    }
    for (const [key, entry] of this.memory) {
      if (!here.has(key)) rows.push([...key.split("\n"), entry.split(">")[1]]);
    }
    return [["url_from", "url_to", "status"], ...rows].map((row) => row.map(csvCell).join(",") + "\n").join("");
  }

  /** Take over a table of decisions; the number of lines that it changed. */
  take(text) {
    const [header = [], ...rows] = parseCsv(text);
    const [from, to, status] = ["url_from", "url_to", "status"].map((name) => header.indexOf(name));
    if (Math.min(from, to, status) < 0) return null;
    const known = new Map(this.lines.map((line) => [line.key, line]));
    let changed = 0;
    for (const wanted of STATUSES) {
      const lines = rows
        .filter((row) => row[status] === wanted)
        .map((row) => known.get(pairKey(row[from], row[to])))
        .filter((line) => line && line.decided !== wanted);
      changed += lines.length;
      this.set(lines, wanted);
    }
    return changed;
  }
}

/** A cell that no spreadsheet runs as a formula. */
function csvCell(text) {
  const safe = FORMULA.test(text) ? "'" + text : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of a CSV text, whichever of , ; and tab its header uses. */
function parseCsv(text) {
  const body = text.replace(/^\ufeff/, "");
  const header = body.slice(0, body.indexOf("\n"));
  const delimiter = [",", ";", "\t"].sort((a, b) => header.split(b).length - header.split(a).length)[0];
  return d3.dsvFormat(delimiter).parseRows(body, (row) => row.map((cell) => (GUARDED.test(cell) ? cell.slice(1) : cell)));
}

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
