"""Insert links all over real pages and let an independent HTML5 parser (html5lib) judge every one of them.

    python -m benchmarks.insertion_corpus CORPUS.jsonl.gz SITE.tar.xz FOLDER ... [--requests 12] [--pages 0] [--seed 1]

Phrases are cut at random from anywhere in a page's text, also from where no link may stand. For each page are checked: without
the tags the bytes are the old ones; the tree that html5lib builds is the old one but for the new links; each of these holds
its words, stands in a block that may hold a sentence, and in nothing that may not hold a link. Exits with 1 at any failure.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import tarfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import html5lib  # type: ignore[import-untyped]

from analysis.insertion import Inserted, InsertionRules, LinkRequest, Refusal, insert_links, remove_link
from analysis.insertion.graphemes import fold_phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Written down here once more, so that a mistake in the project's own lists is found.
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
CODE = frozenset({"code", "kbd", "pre", "samp"})
CONTROLS = frozenset({"button", "form", "label", "legend", "option", "select", "summary", "textarea"})
FURNITURE = frozenset({"aside", "footer", "header", "nav"})
OTHERS = frozenset({"a", "blockquote", "caption", "dt", "figcaption", "head", "iframe", "math", "noscript", "svg", "th", "title"})
FORBIDDEN = HEADINGS | CODE | CONTROLS | FURNITURE | OTHERS | {"script", "style", "template"}
SENTENCE_BLOCKS = frozenset({"article", "body", "center", "dd", "details", "div", "li", "main", "p", "section", "td"})
BLOCKS = SENTENCE_BLOCKS | FORBIDDEN | {"address", "dl", "figure", "html", "ol", "table", "tbody", "tr", "ul"}
UNSEEN = frozenset({"script", "style", "template", "noscript", "title"})
TARGET = "https://insertion.test/target-"
RULES = InsertionRules(max_total=None, max_new=None, run_id="corpus", link_unspaced=True)
WORD = re.compile(r"\w+")


class SourceFile(NamedTuple):
    """A page to try: where it comes from, its address, its bytes."""

    name: str
    url: str
    body: bytes


def read_pages(path: Path) -> Iterator[SourceFile]:
    """The pages of a corpus (one JSON object a line), a tar archive of a site, or a folder of HTML files."""
    if path.is_dir():
        for file in sorted(path.rglob("*.htm*")):
            yield SourceFile(str(file), f"https://site.test/{file.relative_to(path)}", file.read_bytes())
    elif ".tar" in path.name:
        with tarfile.open(path) as archive:
            for member in archive:
                data = archive.extractfile(member) if member.name.endswith((".html", ".htm")) else None
                if data:
                    yield SourceFile(f"{path.name}:{member.name}", f"https://site.test/{member.name}", data.read())
    else:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                yield SourceFile(page["url"], "https://site.test" + page["url"], page["html"].encode())


def phrases(tree: Any, count: int, chance: random.Random) -> list[str]:
    """Random windows of one to four words from the text of random elements, scripts and headings included."""
    elements = [element for element in tree.iter() if isinstance(element.tag, str)]
    found: list[str] = []
    for _ in range(count * 20):
        element = chance.choice(elements)
        text = "".join(element.itertext()) if chance.random() < 0.5 else (element.text or element.tail or "")
        words = list(WORD.finditer(text[:20_000]))
        size = min(len(words), chance.randint(1, 4))
        if words:
            first = chance.randrange(len(words) - size + 1)
            phrase = " ".join(text[words[first].start() : words[first + size - 1].end()].split())
            if 2 < len(phrase) < 80 and phrase not in found:
                found.append(phrase)
        if len(found) == count:
            break
    return found


def parse(source: bytes) -> Any:
    """The tree of html5lib, with scripting on as in a browser."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    return parser.parse(source.decode("utf-8", "replace"), scripting=True)


def events(tree: Any) -> list[str]:
    """A tree as a flat list of tags and texts, without our links and comments; texts beside each other joined."""
    found: list[str] = []
    texts: list[str] = []

    def flush() -> None:
        if texts:
            found.append("".join(texts))
            texts.clear()

    todo: list[tuple[str, Any]] = [("node", tree)]
    while todo:
        kind, node = todo.pop()
        if kind == "text":
            texts.append(node)
        elif kind == "tag":
            flush()
            found.append(node)
        else:
            ours = not isinstance(node.tag, str) or node.get("href", "").startswith(TARGET)
            closing = [] if ours else [("tag", f"</{node.tag}>")]
            children = [entry for child in node for entry in (("node", child), ("text", child.tail or ""))]
            text = [] if not isinstance(node.tag, str) else [("text", node.text or "")]
            opening = [] if ours else [("tag", f"<{node.tag} {sorted(node.attrib.items())}>")]
            todo.extend(reversed([*opening, *text, *children, *closing]))
    flush()
    return [event for event in found if event]


def judge_links(tree: Any, requests: Sequence[LinkRequest], results: Sequence[Inserted | Refusal]) -> Iterator[str]:
    """What is wrong with the new links of a tree."""
    parents = {child: parent for parent in tree.iter() for child in parent}
    links: dict[str, list[Any]] = {}
    for element in tree.iter("a"):
        links.setdefault(element.get("href", ""), []).append(element)
    for request, result in zip(requests, results, strict=True):
        found = links.get(request.target_url, [])
        if isinstance(result, Refusal):
            if found:
                yield f"refused and yet inserted: {request.anchor!r}"
            continue
        if len(found) != 1:
            yield f"{len(found)} links for {request.anchor!r}"
            continue
        around = []
        element = found[0]
        while (element := parents.get(element)) is not None:
            around.append(element.tag)
        if bad := FORBIDDEN.intersection(around):
            yield f"{request.anchor!r} stands in {sorted(bad)}"
        if next((tag for tag in around if tag in BLOCKS), "body") not in SENTENCE_BLOCKS:
            yield f"{request.anchor!r} stands in a {around[0]}"
        if fold_phrase("".join(found[0].itertext())) != fold_phrase(request.anchor):
            yield f"{request.anchor!r} became {''.join(found[0].itertext())!r}"


def visible_text(tree: Any) -> str:
    """All text but that of scripts and the like."""
    return "".join(event for event in events(tree) if not event.startswith("<"))


def try_page(page: SourceFile, count: int, seed: str, counts: Counter[str]) -> Iterator[str]:
    """Insert into one page; what went wrong."""
    before = parse(page.body)
    anchors = phrases(before, count, random.Random(seed + page.name))
    requests = [LinkRequest(f"{TARGET}{number}", anchor) for number, anchor in enumerate(anchors)]
    results = insert_links(page.body, requests, page_url=page.url, rules=RULES, encoding="utf-8")
    counts.update(result.name if isinstance(result, Refusal) else "inserted" for result in results)
    inserted = [result for result in results if isinstance(result, Inserted)]
    if not inserted:
        return
    source: bytes | Refusal = inserted[0].source
    after = parse(inserted[0].source)
    yield from judge_links(after, requests, results)
    if events(before) != events(after):
        yield "the tree has changed"
    if visible_text(before) != visible_text(after):
        yield "the visible text has changed"
    for link in sorted(inserted, key=lambda link: -link.offset):
        source = (
            remove_link(source, link.offset, link.tag_open, link.anchor, link.tag_close) if isinstance(source, bytes) else source
        )
    if source != page.body:
        yield "undo does not give the original bytes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--requests", type=int, default=12, help="phrases tried a page")
    parser.add_argument("--pages", type=int, default=0, help="at most so many pages of each path (0 = all)")
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    failures = pages = 0
    began = time.perf_counter()
    for path in arguments.paths:
        for number, page in enumerate(read_pages(path)):
            if arguments.pages and number >= arguments.pages:
                break
            pages += 1
            for problem in try_page(page, arguments.requests, arguments.seed, counts):
                failures += 1
                print(f"FAILED {page.name}: {problem}")
        print(f"{path.name}: {pages} pages, {counts['inserted']} links inserted, {failures} failures so far", flush=True)
    print(f"\n{pages} pages, {counts.total()} phrases tried in {time.perf_counter() - began:.0f} s")
    for name, count in counts.most_common():
        print(f"{count:8}  {name:20} {'' if name == 'inserted' else Refusal[name].value}")
    print(f"{failures:8}  failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
