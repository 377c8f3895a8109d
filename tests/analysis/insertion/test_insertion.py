from __future__ import annotations

import pytest

from analysis.insertion import (
    Inserted,
    InsertionRules,
    LinkRequest,
    Markup,
    Refusal,
    SourcePage,
    insert_link,
    insert_links,
    remove_link,
)
from analysis.records import block_digest

PAGE = "https://a.test/page"


def link(source: str, *anchors: str, **rules) -> str | list[Refusal]:
    """The source with each anchor linked to /t0, /t1, ...; the refusals if there are any."""
    requests = [LinkRequest(f"/t{number}", anchor) for number, anchor in enumerate(anchors)]
    results = insert_links(source.encode(), requests, page_url=PAGE, rules=InsertionRules(**rules))
    refused = [result for result in results if isinstance(result, Refusal)]
    if refused:
        return refused
    assert isinstance(results[0], Inserted)
    return results[0].source.decode()


def a(words: str, number: int = 0) -> str:
    return f'<a href="/t{number}">{words}</a>'


# --- in tags, attributes and scripts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "before",
    [
        '<p><img alt="red > blue shoes" src="x">',
        "<p><img alt='red shoes > blue' src=x>",
        '<p data-x="<red shoes&gt;">',
        "<p title=red&#32;shoes data-y='\"red shoes\"'>",
        '<p><img alt="red shoes"/>',
        '<script type="application/ld+json">{"name":"red shoes","x":"a<b"}</script><p>',
        "<style>p::after{content:'red shoes</p>'}</style><p>",
        "<textarea><p>red shoes</p></textarea><p>",
        "<title>red shoes</title><p>",
        "<script><!-- <script>red shoes</script> red shoes --></script><p>",
        "<!-- red shoes --><p>",
        "<!-- a > b <p>red shoes</p> --!><p>",
        "<!--><p>",
        "<?php echo 'red shoes' ?><p>",
        "<?php echo $red->shoes . ' red shoes' ?><p>",
        "<% if red > shoes %><p>",
        "<![CDATA[ red > red shoes ]]><p>",
        "<svg><title>red shoes</title><style><![CDATA[a>b{} red shoes]]></style></svg><p>",
        "<math><mi>red shoes</mi></math><p>",
        "<noscript><p>red shoes</p></noscript><p>",
        "<template><p>red shoes</p></template><p>",
        '<x-card><template shadowrootmode="open"><p>red shoes</p></template></x-card><p>',
        "<iframe>red shoes</iframe><p>",
        "<video>red shoes</video><p>",
        "<select><option>red shoes</select><p>",
        "<pre>aa &gt; bb &lt; red shoes</pre><p>",
        "<h2>About <em>red shoes</em></h2><p>",
        "<p><a href=/x>red shoes</a> ",
        "<p><button>red shoes</button> ",
        "<p><label>red shoes</label> ",
        "<p><code>red shoes</code> <kbd>red shoes</kbd> <samp>red shoes</samp> ",
        "<p><del>red shoes</del> ",
        "<p><span hidden>red shoes</span> ",
        "<p><span style='display: none'>red shoes</span> ",
        "<nav><p>red shoes</nav><aside>red shoes</aside><footer>red shoes</footer><form>red shoes</form><p>",
        "<div role=navigation>red shoes</div><p>",
        "<blockquote><p>red shoes</blockquote><p>",
        "<table><tr><th>red shoes<td>red shoes</table><p>",
        "<table><caption>red shoes</caption></table><p>",
        "<figure>red shoes<figcaption title='red shoes'>red shoes</figcaption></figure><p>",
        "<dl><dt>red shoes</dl><p>",
        "<details><summary>red shoes</summary></details><p>",
        "<!-- wp:html --><p>red shoes</p><!-- /wp:html --><p>",
    ],
)
def test_the_first_occurrence_that_may_hold_a_link_is_taken(before):
    assert link(f"{before}red shoes</p>\r\n", "red shoes") == f"{before}{a('red shoes')}</p>\r\n"
    assert isinstance(link(before, "red shoes"), list)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            '<figure><img src="x" alt="buy red shoes"><figcaption title="red shoes">Photo</figcaption></figure>',
            "ANCHOR_NOT_FOUND",
        ),
        ("<h1>red shoes</h1>", "IN_HEADING"),
        ("<p><a href=/x>red shoes</a>", "IN_LINK"),
        ("<p><a href=/x>red shoes<div>red shoes", "TANGLED_LINK"),
        ("<p><a href=/x>x <a href=/y>Body</a></a> red shoes</p>", "TANGLED_LINK"),
        ("<p>red shoes <a href=/x>open</p><p>next", "TANGLED_LINK"),
        ("<p><a href=/x>open<p>next</a> red shoes</p>", "TANGLED_LINK"),
        ("<pre>red shoes</pre>", "IN_CODE"),
        ("<code><p>red shoes</p></code>", "IN_CODE"),
        ("<p><code>x</p><p>red shoes</p>", "IN_CODE"),  # a browser opens the <code> anew in the next paragraph
        ("<kbd><div>x</kbd> red shoes</div>", "IN_CODE"),  # a browser ignores this end tag
        ("<button><p>red shoes</p></button>", "IN_CONTROL"),
        ("<nav><ul><li>red shoes</ul></nav>", "IN_FURNITURE"),
        ("<table><tr><td>red shoes</table>", "IN_TABLE"),
        ("<table>red shoes<tr><td>x</table>", "IN_TABLE"),
        ("<q>red shoes</q>", "IN_QUOTE"),
        ("<p>{{video red shoes}} and {% include red shoes %} [[red shoes]]</p>", "IN_TEMPLATE"),
        ("<p>{{ a }} red shoes {{ b</p>", "IN_TEMPLATE"),
        ("<p>[gallery title='red shoes']</p>", "IN_TEMPLATE"),
        ("<p>[caption] red shoes</p><p>red shoes [/caption]</p>", "IN_TEMPLATE"),
        ("<p>[code]</p><p>red shoes</p><p>[/code]</p>", "IN_TEMPLATE"),
        ("<p>{% highlight sh %}</p><p>red shoes</p><p>{% endhighlight %}</p>", "IN_TEMPLATE"),
        ('[box type="ok" content="see red shoes [new] now" /] [gallery ids="1,2"] [q if="a<b"]red shoes[/q]', "IN_TEMPLATE"),
        ('<p>[box content="see ] red shoes" /]</p>', "IN_TEMPLATE"),
        ('[sourcecode language="bash"]cd red-shoes # red shoes[/sourcecode]', "IN_TEMPLATE"),
        (r"<p>\( red shoes \) $$ red shoes $$</p>", "IN_TEMPLATE"),
        ("<!-- wp:code --><p>red shoes</p><!-- /wp:code -->", "IN_TEMPLATE"),
        ("<div><p>red</p><p>shoes</p></div><ul><li>red</li><li>shoes</li></ul>", "ANCHOR_NOT_FOUND"),
        ("<div><p>red sh</p><p>oes</p></div>", "ANCHOR_NOT_FOUND"),
        ("<p>red<br><br>shoes</p>", "ANCHOR_NOT_FOUND"),
        ("<p>red<br>shoes</p>", "CROSSES_MARKUP"),
        ("<p>red <img src=x> shoes</p>", "CROSSES_MARKUP"),
        ("<p>the <em>big red</em> shoes</p>", "CROSSES_MARKUP"),
        ("<p><b>red <i>shoes</b> x</i></p>", "CROSSES_MARKUP"),
        ("<p>red <a name=x></a>shoes</p>", "IN_LINK"),
        ("<p>red <code>shoes</code></p>", "IN_CODE"),
        ("<p>inferred shoes</p>", "NO_WORD_BOUNDARY"),
        ("<p>red shoes-shop</p>", "NO_WORD_BOUNDARY"),
        ("<plaintext><p>red shoes", "IN_CODE"),
        ("<p>`red shoes` and ```red shoes```", "IN_TEMPLATE"),
        ("<p>%%red shoes%%", "IN_TEMPLATE"),
        (r"<p>\begin{align} red shoes \end{align}", "IN_TEMPLATE"),
        (r"<p>\begin{align} red shoes", "IN_TEMPLATE"),
        ("<p>&#123;&#123; red shoes &rcub;}", "IN_TEMPLATE"),
        ("<p>{{ x</p><p>red shoes</p><p>y }}", "IN_TEMPLATE"),  # a tag over several paragraphs
        ("<?php if (1 > 0) { ?><p><?php echo 1 > 0 . 'red shoes'", "IN_TEMPLATE"),  # PHP to the end of the file
        ("<p>see <router-link to=/x>red shoes</router-link>", "IN_LINK"),
        ("<nuxtlink to=/x><p>red shoes</nuxtlink>", "IN_LINK"),
        ("<x-code><p>red shoes</x-code>", "IN_CODE"),
        ("<p><sl-button>red shoes</sl-button>", "IN_CONTROL"),
        ("<page-title>red shoes</page-title>", "IN_HEADING"),
        ("<p><span class='x SR-only'>red shoes</span>", "NOT_PROSE"),
        ("<p class=visually-hidden>red shoes", "NOT_PROSE"),
        ("<p style='Visibility : collapse'>red shoes", "NOT_PROSE"),
        ("<div inert><p>red shoes</div>", "NOT_PROSE"),
        ("<div contenteditable><p>red shoes</div>", "IN_CONTROL"),
        ("<p><!--[if IE]>red shoes<![endif]--></p>", "ANCHOR_NOT_FOUND"),
        ("<p data-html='<p>red shoes</p>' data-x=\"<a href='red shoes'>\">blue", "ANCHOR_NOT_FOUND"),
        ("<a href=/x><div><p>red shoes</div></a>", "TANGLED_LINK"),
        ("<p>red shoes<b>\u0301</b>", "ANCHOR_NOT_FOUND"),
        ("<p>red shoes\u200d\U0001f469", "ANCHOR_NOT_FOUND"),
        ("<p>text <a red shoes", "ANCHOR_NOT_FOUND"),
    ],
)
def test_refused_with_the_reason(source, reason):
    assert link(source, "red shoes") == [Refusal[reason]]


@pytest.mark.parametrize(
    "inside",
    [
        "<p>{}</p>",
        "<li>{}</li>",
        "<div>{}</div>",
        "{}",
        "<dd>{}",
        "<table><tr><td><p>{}</table>",
        "<p><strong>{}</strong> are",
        "<p><x-note>{}</x-note>",
        "<p><kbd>x</kbd> {}",
        "<p><kbd>x<div>y</kbd> {}</div>",  # the <div> ends the paragraph and with it the <kbd>
        "<a href=/x>x</a> {}",
        "<table><tr><td><code>x</table><p>{}</p>",
        "<svg><g></div><p>{}</p>",
        "<form><p>x</form><p>{}</p>",
        "<!-- wp:group --><!-- wp:paragraph --><p>{}</p><!-- /wp:paragraph --><!-- /wp:group -->",
        "<p>{{{{ x }}}} [1] {}, see [sic]</p>",
        "<p>{{% if x %}}{}{{% endif %}}</p>",
        "<p>{}</p><script>var s = '{{'</script>",
        "<p>{{{{ a<p>b<p>c<p>d<p>e<p>f<p>g<p>h<p>i<p>j<p>k<p>{}<p>l }}}}",  # two examples in a text about templates
        "<?xml version='1.0'><p>{}</p>",
        "<!--[if !IE]><!--><p>{}</p><!--<![endif]-->",
        "<![if !IE]><p>{}</p><![endif]>",
        "<p contenteditable=false>{}</p>",
        "<p data-tpl='{{{{ red shoes }}}}' onclick=\"x('red > shoes')\">{}",
        "<p><bdo dir=rtl>\u202e{}\u202c</bdo> \u05e9\u05dc\u05d5\u05dd",
    ],
)
def test_running_text_is_linked(inside):
    assert link(inside.format("red shoes"), "red shoes") == inside.format(a("red shoes"))


def test_the_text_of_a_long_table_cell_is_a_paragraph():
    cell = (
        "<table><tr><td>{} are what this page is about, and a table was the way to put a paragraph next to a menu in those days"
    )
    assert link(cell.format("red shoes"), "red shoes") == cell.format(a("red shoes"))


# --- bytes ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>It&rsquo;s ", " &rarr; more&nbsp;&amp; less</p>"),
        ("<ul><li><A HREF='/x' Class=a>ö</A></li></ul><svg><style><![CDATA[a>b{}]]></style></svg><p>", "<br/></p>"),
        ("<p>❤️你好 красные ", "</p>"),
        ("<P>\r\n\t", "\r</P>\n<p>\x00 &bogus; &#xD; < & </i>"),
        ("\ufeff<p>", "</p>"),
    ],
)
def test_all_else_stays_as_it_is(before, after):
    assert link(f"{before}red shoes{after}", "red shoes") == f"{before}{a('red shoes')}{after}"


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-16", "utf-16-be", "utf-32", "cp1251", "koi8-r", "shift_jis", "gb18030", "cp1252"]
)
def test_any_encoding(codec):
    letters = {"cp1251": "Привет", "koi8-r": "Привет", "shift_jis": "表ソ能", "gb18030": "你好", "cp1252": "é"}.get(codec, "я表❤️")
    source = f"<p>{letters} red shoes {letters}</p>".encode(codec)
    result = insert_link(source, LinkRequest("/цель", "red shoes"), page_url=PAGE, encoding=codec)
    assert isinstance(result, Inserted)
    assert result.source.decode(codec) == f'<p>{letters} <a href="/%D1%86%D0%B5%D0%BB%D1%8C">red shoes</a> {letters}</p>'


def test_bytes_that_are_no_text_stay_as_they_are():
    source = b"<p>\xff\xfe\x80 caf\xe9 red shoes \xf0\x9f</p>\xed\xa0\x80"
    result = insert_link(source, LinkRequest("/t0", "red shoes"), page_url=PAGE, encoding="utf-8")
    assert isinstance(result, Inserted)
    assert result.source == source.replace(b"red shoes", a("red shoes").encode())


def test_the_declared_encoding_is_found():
    source = '<meta charset="windows-1251"><p>Красные туфли'.encode("cp1251")
    result = insert_link(source, LinkRequest("/t0", "красные туфли"), page_url=PAGE)
    assert isinstance(result, Inserted)
    assert result.source.decode("cp1251").endswith(f"<p>{a('Красные туфли')}")


@pytest.mark.parametrize("codec", ["iso-2022-jp", "utf-7", "no-such-codec"])
def test_encodings_in_which_nothing_is_safe(codec):
    assert insert_link(b"<p>red shoes", LinkRequest("/t0", "red shoes"), page_url=PAGE, encoding=codec) is Refusal.BAD_ENCODING


# --- the phrase -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "anchor", "linked"),
    [
        ("<p>First <strong>red shoes</strong> then blue hats and <strong>more</strong>", "blue hats", "blue hats"),
        ("<p><b>inter</b>nal links", "internal links", "<b>inter</b>nal links"),
        ("<p><em>red</em> shoes", "red shoes", "<em>red</em> shoes"),
        ("<p>red <b><i>shoes</i></b>", "red shoes", "red <b><i>shoes</i></b>"),
        ("<p>red <b>or</b> blue shoes", "red or blue shoes", "red <b>or</b> blue shoes"),
        ("<p>red<!-- x --> shoes", "red shoes", "red<!-- x --> shoes"),
        ("<p>Gesamt&shy;kon&shy;zept ist", "Gesamtkonzept", "Gesamt&shy;kon&shy;zept"),
        ("<p>Ge\u200bsamtkonzept ist", "Gesamtkonzept", "Ge\u200bsamtkonzept"),
        ("<p>Gesamt<wbr>konzept ist", "Gesamtkonzept", "Gesamt<wbr>konzept"),
        ("<p>red&nbsp;\n shoes", "red shoes", "red&nbsp;\n shoes"),
        ("<p>AT&amp;T phones", "AT&T phones", "AT&amp;T phones"),
        ("<p>AT&T phones", "at&t phones", "AT&T phones"),
        ("<p>r&#101;d sho&#x65;s", "red shoes", "r&#101;d sho&#x65;s"),
        ("<p>cafe\u0301 bar", "caf\u00e9", "cafe\u0301"),
        ("<p>caf\u00e9 bar", "cafe\u0301", "caf\u00e9"),
        ("<p>STRASSE und", "Straße", "STRASSE"),
        ("<p>подокна, Окна", "окна", "Окна"),
        ("<p>שָׁלוֹם עולם", "שָׁלוֹם", "שָׁלוֹם"),
        ("<p>سَلام عليكم", "سَلام", "سَلام"),
        ("<p>नमस्ते दुनिया", "दुनिया", "दुनिया"),
        ("<p>使用Flink进行", "Flink", "Flink"),
        ("<p>The site's red shoes' box", "red shoes", "red shoes"),
        ("<p>Google's search", "Google", "Google"),
        ("<p>le prix de l'eau", "eau", "eau"),
        ("<p>(red shoes)", "red shoes", "red shoes"),
        ("<p>x\r\nred\r\n\tshoes\r\n", "red shoes", "red\r\n\tshoes"),
        ("<p>\U0001f469\u200d\U0001f467 red shoes\U0001f469\u200d\U0001f467", "red shoes", "red shoes"),
        ("<p>red&#8203; shoes", "red shoes", "red&#8203; shoes"),
    ],
)
def test_words_are_found_as_they_are_written(source, anchor, linked):
    assert link(source, anchor) == source.replace(linked, a(linked), 1)


@pytest.mark.parametrize(
    ("text", "anchor", "reason"),
    [
        ("sala\u0328", "sala", "ANCHOR_NOT_FOUND"),
        ("мои\u0306", "мои", "ANCHOR_NOT_FOUND"),
        ("окнами подокна", "окна", "NO_WORD_BOUNDARY"),
        ("это C++ и C#", "C", "BAD_ANCHOR"),
        ("这是一段测试内容", "测试", "NO_WORD_BOUNDARY"),
        ("创建新文件", "件", "BAD_ANCHOR"),
        ("ฉันชอบกินข้าวเช้าทุกวัน", "ข้าว", "NO_WORD_BOUNDARY"),
        ("don't", "don", "NO_WORD_BOUNDARY"),
        ("use node.js now", "node", "NO_WORD_BOUNDARY"),
        ("about 1,000 of", "000", "NO_WORD_BOUNDARY"),
        ("a #shoes tag", "shoes", "NO_WORD_BOUNDARY"),
        ("x", "", "BAD_ANCHOR"),
        ("x", " \u00ad\u200b ", "BAD_ANCHOR"),
    ],
)
def test_words_that_are_not_there(text, anchor, reason):
    assert link(f"<p>{text}", anchor) == [Refusal[reason]]


def test_chinese_and_japanese_are_searched_only_when_asked_for():
    assert link("<p>这是一段测试内容", "测试", link_unspaced=True) == f"<p>这是一段{a('测试')}内容"
    assert link("<p>创建新文件", "件", link_unspaced=True) == [Refusal.BAD_ANCHOR]
    assert link("<p>ฉันชอบกินข้าวเช้า", "ข้าว", link_unspaced=True) == [Refusal.NO_WORD_BOUNDARY]
    assert link("<p>データー処理", "データ", link_unspaced=True) == [Refusal.NO_WORD_BOUNDARY]


def test_whoever_gives_the_place_may_cut_a_script_without_spaces_between_clusters():
    text = "ฉันชอบกินข้าวเช้าทุกวัน"
    start = text.index("ข้าว")
    wanted = LinkRequest("/t0", "ข้าว", block_digest(text), start)
    result = insert_link(f"<p>{text}".encode(), wanted, page_url=PAGE)
    assert isinstance(result, Inserted)
    assert result.source.decode() == f"<p>{text.replace('ข้าว', a('ข้าว'))}"
    cut = LinkRequest("/t0", "ข้", block_digest(text), start)
    assert insert_link(f"<p>{text}".encode(), cut, page_url=PAGE) is Refusal.BAD_ANCHOR
    cut = LinkRequest("/t0", "กินข", block_digest(text), text.index("กินข"))
    assert insert_link(f"<p>{text}".encode(), cut, page_url=PAGE) is Refusal.ANCHOR_NOT_FOUND


def test_a_character_reference_is_never_cut():
    assert link("<p>fj &fjlig;ord", "fj") == f"<p>{a('fj')} &fjlig;ord"
    assert link("<p>x &fjlig; y", "x f") == [Refusal.NO_WORD_BOUNDARY]


# --- which paragraph --------------------------------------------------------------------------------------------------------


def test_the_block_that_was_asked_for():
    source = b"<p>red shoes one</p><p>red shoes two and <b>red</b> shoes</p>"
    text = "red shoes two and red shoes"
    second = insert_link(source, LinkRequest("/t0", "red shoes", block_digest(text)), page_url=PAGE)
    assert isinstance(second, Inserted)
    assert second.source == source.replace(b"red shoes two", a("red shoes").encode() + b" two")
    exact = insert_link(source, LinkRequest("/t0", "red shoes", block_digest(text), 18), page_url=PAGE)
    assert isinstance(exact, Inserted)
    assert exact.anchor == b"<b>red</b> shoes"
    gone = insert_link(source, LinkRequest("/t0", "red shoes", block_digest("red shoes three")), page_url=PAGE)
    assert gone is Refusal.BLOCK_NOT_FOUND


def test_without_a_block_only_the_article_is_searched():
    page = "<p>red shoes</p><main><h1>x</h1><p>Buy red shoes</p></main>"
    assert link(page, "red shoes") == f"<p>red shoes</p><main><h1>x</h1><p>Buy {a('red shoes')}</p></main>"


# --- links of the page ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["/page/", "https://www.a.test/page?utm_source=x#top", "http://a.test/page", "", "#top"])
def test_no_link_to_the_page_itself(target):
    result = insert_link(b"<p>red shoes", LinkRequest(target, "red shoes"), page_url=PAGE)
    assert result is Refusal.SELF_LINK


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "mailto:x@a.test", "data:text/html,x", "ftp://a.test/x", "http://[::1"]
)
def test_no_link_to_what_is_no_page(target):
    assert insert_link(b"<p>red shoes", LinkRequest(target, "red shoes"), page_url=PAGE) is Refusal.BAD_TARGET


@pytest.mark.parametrize("href", ["/t0", "https://www.a.test/t0/#x", "t0?utm_source=mail", "/t0&#47;", " /t0\n"])
def test_no_second_link_to_a_target(href):
    assert link(f'<p>see <a href="{href}">this</a>, red shoes', "red shoes") == [Refusal.ALREADY_LINKED]


def test_links_of_menus_do_not_count():
    menu = '<nav><p>see <a href="/t0">x</a> and</nav><ul><li><a href="/t0">y</a><li><a href=/t9>z</a></ul><p>'
    assert link(f"{menu}red shoes", "red shoes", max_total=1) == f"{menu}{a('red shoes')}"


def test_a_base_address_counts():
    head = '<base href="/sub/"><p>see <a href="t0">this</a>, '
    assert link(f"{head}red shoes", "red shoes") == f"{head}{a('red shoes')}"


def test_ceilings():
    page = '<p>see <a href="/x">x</a>, <a href="#here">here</a>, <a href="https://b.test/">b</a>: one two, red shoes, blue hats'
    words = ["one two", "red shoes", "blue hats"]
    assert link(page, *words, max_total=3) == [Refusal.TOO_MANY_LINKS]
    assert link(page, *words, max_total=None, max_new=2) == [Refusal.TOO_MANY_NEW_LINKS]
    assert link(page, *words) == page.replace("one two, red shoes, blue hats", ", ".join(map(a, words, range(3))))
    assert link(page, *words, "see", max_total=None) == [Refusal.TOO_MANY_NEW_LINKS]
    assert link(page, *words, max_total=0) == [Refusal.TOO_MANY_LINKS] * 3


def test_two_links_in_one_block_in_any_order():
    page = "<p>blue hats then red shoes</p>"
    assert link(page, "blue hats", "red shoes") == f"<p>{a('blue hats')} then {a('red shoes', 1)}</p>"
    assert link(page, "red shoes", "blue hats") == f"<p>{a('blue hats', 1)} then {a('red shoes')}</p>"


def test_the_longest_phrase_wins():
    requests = [LinkRequest("/t0", "car"), LinkRequest("/t1", "car bumper")]
    short, long = insert_links(b"<p>A car bumper.</p>", requests, page_url=PAGE)
    assert short is Refusal.LONGER_PHRASE
    assert isinstance(long, Inserted)
    assert long.source == b'<p>A <a href="/t1">car bumper</a>.</p>'
    short, long = insert_links(b"<p>A car bumper of a car.</p>", requests, page_url=PAGE)
    assert isinstance(short, Inserted)
    assert short.source == b'<p>A <a href="/t1">car bumper</a> of a <a href="/t0">car</a>.</p>'


def test_two_requests_for_one_target_or_the_same_words():
    page = b"<p>red shoes, blue hats</p>"
    twice = insert_links(page, [LinkRequest("/t0", "red shoes"), LinkRequest("/t0/", "blue hats")], page_url=PAGE)
    assert twice[1] is Refusal.ALREADY_LINKED
    same = insert_links(page, [LinkRequest("/t0", "red shoes"), LinkRequest("/t1", "red shoes")], page_url=PAGE)
    assert same[1] is Refusal.IN_LINK


# --- marker, attributes, undo -----------------------------------------------------------------------------------------------


def test_the_marker_is_written_once_and_a_second_run_does_nothing():
    page = "<p>blue hats then red shoes</p>"
    once = link(page, "red shoes", "blue hats", run_id="2024-1")
    assert once == f"<p>{a('blue hats', 1)}<!-- interlink:run=2024-1 --> then {a('red shoes')}</p>"
    assert link(once, "then", run_id="2024-1") == [Refusal.ALREADY_RUN]
    assert link(once, "red shoes", "blue hats", run_id="2024-2") == [Refusal.ALREADY_LINKED] * 2
    assert link(once, "red shoes", "blue hats") == [Refusal.ALREADY_LINKED] * 2


@pytest.mark.parametrize("run_id", ["a--b", "x -->", "a>", "-a"])
def test_a_run_id_must_fit_into_a_comment(run_id):
    with pytest.raises(ValueError, match="run id"):
        link("<p>red shoes", "red shoes", run_id=run_id)


def test_attributes_and_addresses_are_escaped():
    rules = InsertionRules(attributes={"rel": 'a "b" & c', "data-x": "<>"})
    result = insert_link(b"<p>red shoes", LinkRequest('/x?a=1&b="2" 3', "red shoes"), page_url=PAGE, rules=rules)
    assert isinstance(result, Inserted)
    assert result.tag_open == (b'<a href="/x?a=1&amp;b=&quot;2&quot;%203" rel="a &quot;b&quot; &amp; c" data-x="&lt;&gt;">')
    with pytest.raises(ValueError, match="attribute"):
        insert_link(b"<p>red shoes", LinkRequest("/x", "red shoes"), page_url=PAGE, rules=InsertionRules(attributes={"x y": ""}))


def test_links_can_be_taken_out_one_by_one_and_after_changes_elsewhere():
    page = "<p>Привет: blue hats then red shoes</p>".encode()
    requests = [LinkRequest("/t0", "red shoes"), LinkRequest("/t1", "blue hats")]
    red, blue = insert_links(page, requests, page_url=PAGE, rules=InsertionRules(run_id="r1"))
    assert isinstance(red, Inserted)
    assert isinstance(blue, Inserted)
    without_blue = remove_link(red.source, blue.offset, blue.tag_open, blue.anchor, blue.tag_close)
    assert isinstance(without_blue, bytes)
    edited = b"<h1>new</h1>" + without_blue
    restored = remove_link(edited, red.offset, red.tag_open, red.anchor, red.tag_close)
    assert restored == b"<h1>new</h1>" + page


def test_undo_refuses_where_the_source_has_changed():
    result = insert_link(b"<p>red shoes", LinkRequest("/t0", "red shoes"), page_url=PAGE)
    assert isinstance(result, Inserted)
    changed = result.source.replace(b"red", b"blue")
    assert remove_link(changed, result.offset, result.tag_open, result.anchor, result.tag_close) is Refusal.CHANGED
    twice = b" " + result.source + result.source
    assert remove_link(twice, result.offset, result.tag_open, result.anchor, result.tag_close) is Refusal.CHANGED


# --- one page, many requests ------------------------------------------------------------------------------------------------


def test_a_page_answers_many_dry_runs_without_ceilings():
    page = SourcePage(b"<p>see <a href=/a>1</a> <a href=/b>2</a> <a href=/c>3</a> <a href=/d>4</a> red shoes", PAGE)
    spot = page.try_insert(LinkRequest("/t0", "red shoes"))
    assert not isinstance(spot, Refusal)
    assert page.bytes.body[spot.first_byte : spot.last_byte] == b"red shoes"
    assert page.try_insert(LinkRequest("/a", "red shoes")) is Refusal.ALREADY_LINKED
    assert page.link_count == 4


@pytest.mark.slow
@pytest.mark.parametrize("markup", [Markup.HTML, Markup.MARKDOWN])
def test_a_page_of_two_megabytes(markup):
    tag, end = ("<p>", "</p>\n") if markup is Markup.HTML else ("", "\n\n")
    paragraph = f"{tag}Sentence after sentence of plain prose, with a few <b>bold</b> words, goes on and on here.{end}"
    body = paragraph * (2_000_000 // len(paragraph)) + f"{tag}red shoes{end}"
    result = insert_link(body.encode(), LinkRequest("/t0", "red shoes"), page_url=PAGE, markup=markup)
    assert isinstance(result, Inserted)
    linked = a("red shoes") if markup is Markup.HTML else "[red shoes](/t0)"
    assert result.source == body.replace("red shoes", linked).encode()
    assert remove_link(result.source, result.offset, result.tag_open, result.anchor, result.tag_close) == body.encode()


@pytest.mark.parametrize("tag", ["div", "span", "b", "ul><li", "section", "x-y"])
def test_a_deeply_nested_page(tag):
    ends = "".join(f"</{name}>" for name in reversed(tag.split("><")))
    source = f"<{tag}>" * 300 + "<p>red shoes</p>" + ends * 300
    assert link(source, "red shoes") == source.replace("red shoes", a("red shoes"))


def test_a_page_too_deep_to_be_sure():
    assert link("<div>" * 3000 + "<p>red shoes", "red shoes") == [Refusal.UNSAFE_MARKUP]
