"""How long one link takes in large and in deep pages. The goal: under a second of one core for each.

    python -m benchmarks.insertion_speed [--megabytes 2]

Whole pages as they occur, then pages of nothing but one construct, to see that none takes more than linear time.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from analysis.insertion import Inserted, InsertionRules, LinkRequest, Markup, insert_link

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = InsertionRules(max_total=None, max_new=None)
ANCHOR = "red shoes"
HTML = "<p>Sentence after sentence of plain prose, with a few <b>bold</b> words, goes on and on here.</p>\n"
MARKDOWN = "Sentence after sentence of plain prose, with a few **bold** words, goes on\nand on here.\n\n"
# Constructs by the dozen: what would take quadratic time if a search began anew at each of them.
MARKS = {
    Markup.HTML: ["{{ ", "[x] ", "`", "<?php > ", "<b>x", "<code>red shoes</code> ", "<a href=/x>red shoes</a> ", "<li>x"],
    Markup.MARKDOWN: ["{{ ", "[x] ", "[a](", "`a ``b ", "~~a ", "*a ", "<a ", "- x\n", "$a "],
}


def pages(size: int) -> Iterator[tuple[str, Markup, str]]:
    """Name, markup and source of each page."""
    yield "large page", Markup.HTML, _fill(HTML, size) + f"<p>{ANCHOR}</p>"
    yield "one paragraph", Markup.HTML, "<p>" + _fill("Sentence after sentence of plain prose. ", size) + f"{ANCHOR}</p>"
    yield "300 nested elements", Markup.HTML, "<div>" * 300 + f"<p>{ANCHOR}</p>" + "</div>" * 300
    yield "large page, 300 deep", Markup.HTML, "<div>" * 300 + _fill(HTML, size) + f"<p>{ANCHOR}</p>" + "</div>" * 300
    yield "large page", Markup.MARKDOWN, _fill(MARKDOWN, size) + ANCHOR
    yield "large page", Markup.MDX, _fill(MARKDOWN, size) + ANCHOR
    for markup, marks in MARKS.items():
        for mark in marks:
            for share in (20, 10):
                yield f"{mark!r} × {size // share // len(mark)}", markup, "x " + _fill(mark, size // share) + f"\n\n{ANCHOR}"


def _fill(text: str, size: int) -> str:
    return text * (size // len(text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=2)
    size = int(parser.parse_args().megabytes * 1_000_000)
    for name, markup, source in pages(size):
        body = source.encode()
        began = time.process_time()
        result = insert_link(body, LinkRequest("/target", ANCHOR), page_url="https://a.test/", rules=RULES, markup=markup)
        took = time.process_time() - began
        told = "inserted" if isinstance(result, Inserted) else result.name
        print(f"{took:7.3f} s  {len(body) / 1e6:5.2f} MB  {markup:8}  {name:40} {told}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
