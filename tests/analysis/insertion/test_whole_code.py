"""Where the plan names the exact place, a link may go round a whole inline code element; never into one, nor into a listing."""

from __future__ import annotations

import pytest

from analysis.insertion import Inserted, LinkRequest, Refusal, insert_link
from analysis.insertion.html_source import read_html


def insert(source: str, anchor: str) -> str | Refusal:
    block = next(block for block in read_html(source).blocks if anchor in block.text)
    request = LinkRequest("/target/", anchor, block.digest, block.text.index(anchor))
    result = insert_link(source.encode(), request, page_url="https://a.test/")
    return result.source.decode() if isinstance(result, Inserted) else result


@pytest.mark.parametrize(
    ("source", "anchor", "linked"),
    [
        ("<p>Use <code>flex-wrap</code> here.", "flex-wrap", '<p>Use <a href="/target/"><code>flex-wrap</code></a> here.'),
        ("<p>A <code>&lt;ul&gt;</code> here.", "<ul>", '<p>A <a href="/target/"><code>&lt;ul&gt;</code></a> here.'),
        ("<p>The <code>label</code> element.", "label element", '<p>The <a href="/target/"><code>label</code> element</a>.'),
        (
            "<p>A <code>&lt;input type=file&gt;</code>.",
            "<input type=file>",
            '<p>A <a href="/target/"><code>&lt;input type=file&gt;</code></a>.',
        ),
        ("<p>Press <b><kbd>Escape</kbd></b> now.", "Escape", '<p>Press <b><a href="/target/"><kbd>Escape</kbd></a></b> now.'),
    ],
)
def test_a_whole_element_is_linked_from_outside(source: str, anchor: str, linked: str) -> None:
    assert insert(source, anchor) == linked


@pytest.mark.parametrize(
    "source",
    [
        "<p>Use <code>display: flex-wrap</code> here.",
        "<p>Use <code>flex-wrap: wrap</code> here.",
        "<pre><code>flex-wrap</code></pre>",
        "<pre>a <code>flex-wrap</code></pre>",
        "<p>Use <code>flex-wrap here.",
        "<p>See <code>x flex-wrap</code>.",
    ],
)
def test_no_link_goes_into_code(source: str) -> None:
    assert isinstance(insert(source, "flex-wrap"), Refusal)


def test_without_an_exact_place_code_is_passed_over() -> None:
    source = b"<p><code>flex-wrap</code> is what flex-wrap does."
    result = insert_link(source, LinkRequest("/target/", "flex-wrap"), page_url="https://a.test/")
    assert isinstance(result, Inserted) and b'<a href="/target/">flex-wrap</a> does' in result.source
