"""Which part of a page is the article, and what is thrown out of it."""

from __future__ import annotations

import pytest

from analysis.html.article import find_article
from analysis.html.blocks import read_blocks
from analysis.html.parse import parse_html

PROSE = "This sentence is long enough to count as the text of an article, and it says so itself."


def texts(html: str) -> list[str]:
    blocks, _ = read_blocks(find_article(parse_html(html)), "https://a.test/")
    return [block.text for block in blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param('<p>Before <span class="ad"></span>after <b>bold</b> end</p>', ["Before after bold end"], id="B9-inline"),
        pytest.param("<p>Before <script>x()</script>after</p>", ["Before after"], id="B9-script"),
        pytest.param("<div><nav><a href=/>menu</a></nav> last words</div>", ["last words"], id="B9-tail-of-a-block"),
        pytest.param("<div>one<aside>x</aside>two</div>", ["one", "two"], id="B9-a-removed-block-still-parts"),
        pytest.param(
            "<body><article><h1>T</h1><p>First text.</p><p>Second text.</p></article></body>",
            ["T", "First text.", "Second text."],
            id="B15-once",
        ),
        pytest.param("<p>Text</p><noscript><img src=x.jpg alt=Text></noscript>", ["Text"], id="B30-duplicate"),
        pytest.param(f"<div id=app></div><noscript><p>{PROSE}</p><p>{PROSE}</p></noscript>", [PROSE, PROSE], id="B30-only-text"),
        pytest.param(
            "<div id=app>Loading…</div><noscript>You need to enable JavaScript to run this app.</noscript>",
            ["Loading…"],
            id="B30-a-notice-is-no-text",
        ),
        pytest.param(
            '<x-card><template shadowrootmode="open"><p>Shown</p></template></x-card><template><p>Hidden</p></template>',
            ["Shown"],
            id="B31",
        ),
    ],
)
def test_cases(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav><p>X</p></nav>",
        "<footer><p>X</p></footer>",
        "<form><p>X</p></form>",
        "<svg><text>X</text></svg>",
        "<aside><a href=/1>X one</a> <a href=/2>X two</a></aside>",
        '<div role="navigation"><p>X</p></div>',
        '<div role="search">X</div>',
        '<div class="share-buttons"><p>X</p></div>',
        '<div class="post-author-box"><p>X</p></div>',
        '<section class="related-posts"><p>X</p></section>',
        '<div class="RelatedArticles"><p>X</p></div>',
        '<ol class="breadcrumb p-0"><li>X</ol>',
        '<div id="comments"><h2>3 comments</h2><p>X</p></div>',
        '<div class="table-of-contents"><p>X</p></div>',
        '<div id="cookie-banner"><p>X</p></div>',
        '<div class="newsletter-signup-form"><p>X</p></div>',
        '<div class="article__share"><p>X</p></div>',
        '<nav-bar class="toc"><p>X</p></nav-bar>',
        "<share-buttons><p>X</p></share-buttons>",
        "<div hidden><p>X</p></div>",
        '<div aria-hidden="true"><p>X</p></div>',
        "<header><nav><a href=/>X</a></nav></header>",
    ],
)
@pytest.mark.parametrize("around", ["<main>{}</main>", "<article>{}</article>", "<body>{}</body>", "<div>{}</div>"])
def test_furniture_is_dropped_and_the_article_stays(furniture: str, around: str) -> None:
    page = around.format(f"<h1>Title</h1><p>{PROSE}</p>{furniture}<p>{PROSE}</p>")
    assert texts(page) == ["Title", PROSE, PROSE]


@pytest.mark.parametrize(
    "content",
    [
        '<section id="pagination"><h2>Pagination</h2><p>X</p></section>',
        '<div class="section" id="menu"><h2>Menu</h2><p>X</p></div>',
        '<h2 class="related" id="comments">X</h2>',
        '<p>A <span class="author">X</span></p>',
        '<div class="has-sidebar"><p>X</p></div>',
        '<div class="navigation-guide-content"><p>X</p></div>',
        '<div role="tabpanel" hidden><p>X</p></div>',
        '<div hidden="until-found"><p>X</p></div>',
        "<details><summary>More</summary><p>X</p></details>",
        '<aside class="admonition tip"><p>X</p></aside>',
        '<aside role="note"><a href=/x>X</a></aside>',
        "<article><aside><p>A remark of the author. X</p></aside></article>",
        '<div class="section-header"><h2>X</h2></div>',
    ],
)
def test_content_that_looks_like_furniture_stays(content: str) -> None:
    assert any("X" in text for text in texts(f"<main><p>{PROSE}</p>{content}<p>{PROSE}</p></main>"))


def test_header_with_the_h1_is_the_articles() -> None:
    site = "<header><h1>Site</h1><nav><a href=/>Home</a></nav></header>"
    assert texts(f"{site}<article><header><h1>Title</h1><p>Lead.</p></header><p>{PROSE}</article>") == ["Title", "Lead.", PROSE]


def test_header_without_sectioning_elements() -> None:
    assert texts(f"<header><h1>Title</h1><p>12 May</p></header><p>{PROSE}</p>") == ["Title", "12 May", PROSE]
    assert texts(f"<header><p>Logo and claim</p></header><p>{PROSE}</p>") == [PROSE]


@pytest.mark.parametrize("wrapper", ["<form id=aspnetForm>{}</form>", '<div class="sidebar">{}</div>', "<div hidden>{}</div>"])
def test_what_holds_the_whole_page_is_no_furniture(wrapper: str) -> None:
    assert texts(wrapper.format(f"<p>{PROSE}</p><p>{PROSE}</p>")) == [PROSE, PROSE]


def test_header_that_is_never_closed_keeps_the_page() -> None:
    assert texts(f"<header><div>Logo</div><main><p>{PROSE}</p></main>") == [PROSE]


def test_footer_of_a_page_without_text_is_still_a_footer() -> None:
    assert texts("<main><h1>Title</h1></main><footer><p>All rights reserved. A long sentence about them.</p></footer>") == [
        "Title"
    ]


def test_main_of_little_prose_is_not_the_main_part() -> None:
    assert texts(f"<main><p>Hero.</p></main><div><p>{PROSE}</p><p>{PROSE}</p></div>") == ["Hero.", PROSE, PROSE]


def test_one_article_among_teasers() -> None:
    teasers = "".join(f"<article><h3><a href=/{n}>Teaser {n}</a></h3></article>" for n in range(6))
    assert texts(f"<main><article><h1>T</h1><p>{PROSE}</p><p>{PROSE}</p></article>{teasers}</main>") == ["T", PROSE, PROSE]


def test_page_of_several_articles() -> None:
    article = f"<article><h2>T</h2><p>{PROSE}</p></article>"
    assert texts(f"<body><p>Welcome.</p>{article * 3}</body>") == ["T", PROSE] * 3


def test_comments_in_article_elements_are_no_articles() -> None:
    comment = f"<article class=comment-body><p>{PROSE}</p></article>"
    assert texts(f"<article><p>{PROSE}</p></article><div id=comments>{comment * 9}</div>") == [PROSE]


def test_page_in_a_layout_table() -> None:
    page = f'<table><tr><td><a href="/">Home</a><td><h1>T</h1><p>{PROSE}</p></table>'
    assert texts(page) == ["Home", "T", PROSE]


def test_never_empty() -> None:
    assert len(find_article(parse_html(""))) == 1
