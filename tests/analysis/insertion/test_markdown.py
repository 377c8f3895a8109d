"""Where a link may stand in Markdown and MDX, construct by construct; what all renderers agree on, and what is given up."""

from __future__ import annotations

import time

import pytest

from analysis.insertion import Inserted, InsertionRules, LinkRequest, Markup, Refusal, insert_link

RULES = InsertionRules(max_total=None, max_new=None)


def link(source: str, markup: Markup = Markup.MARKDOWN) -> str | Refusal:
    result = insert_link(
        source.encode(), LinkRequest("/t", "red shoes"), page_url="https://a.test/page", rules=RULES, markup=markup
    )
    return result.source.decode() if isinstance(result, Inserted) else result


@pytest.mark.parametrize(
    "source",
    [
        "---\ntitle: red shoes\n---\n{}",
        "---\r\ntitle: red shoes\r\n---\r\n{}\r\n",
        "\ufeff---\ntitle: red shoes\n---\n{}",
        "+++\ntitle='red shoes'\n+++\n{}",
        '{{\n"t": "red shoes"\n}}\n\n{}',
        "---\ntitle: red shoes\n\n{}",  # front matter that never ends
        "---\n{}",
        "[red shoes]: /x\n\nsee {}",
        "*[red shoes]: abbreviation\n\n{}",
        "[//]: # (red shoes)\n\n{}",
        "x[^red shoes] {}",
        "{} {{#id}}",
        "{}\n{{: .class}}",
        "# red shoes\n{}",
        "red shoes\n===\n{}",
        "> red shoes\n\n{}",
        "    red shoes\n\n{}",
        "- red `red shoes`\n\n    {}",
        "1. {}",
        "- [x] {}",
        "- - {}",
        "```\nred shoes\n```\n{}",
        "````\n```\nred shoes\n````\n{}",
        "- ```\n  red shoes\n  ```\n- {}",
        "`red shoes` {}",
        "`` ` red shoes ` `` {}",
        "`{}",  # opens nothing
        "<!-- red shoes\n\nred shoes -->\n{}",
        "<div>red shoes</div>\n\n{}",
        "<div>\n\n{}\n\n</div>",
        "<pre>\n\nred shoes\n</pre>\n\n{}",
        "<script>\nred shoes\n\n</script>\n{}",
        "<details><summary>red shoes</summary>\n\n{}\n</details>",
        "<span title='red > red shoes'>{}</span>",
        "![red shoes](x.png 'red shoes') {}",
        "[![red shoes](x)](y) {}",
        '[x](y "red shoes") {}',
        "[red shoes](x(y)z) {}",
        "<https://a.test/red> {}",
        "red@shoes.test {}",
        '{{{{< ref "red shoes" >}}}} {}',
        "| red shoes | x |\n|---|---|\n\n{}",
        "::: tip red shoes\n{}\n:::",
        "$red shoes$ {}",
        "costs $5 or $6: {}",
        "**{}**",
        "*{}*, x",
        "a<br>{}",
        "x\r\r{}\r",
        "# red shoes\r{}\r",
        "👩\u200d👧 {}👩\u200d👧",
        "\u05e9\u05dc\u05d5\u05dd {}",
        "see {} here\n\n[red shoes]: /x",
    ],
)
def test_the_first_place_that_may_hold_a_link_is_taken(source):
    plain = source.format("red shoes")
    assert link(plain) == source.format("[red shoes](/t)")


@pytest.mark.parametrize(
    ("source", "linked"),
    [
        ("**red** shoes", "**red** shoes"),
        ("***red** shoes*", "**red** shoes"),
        ("red  \nshoes", "red  \nshoes"),
        ("> x\n\nred&nbsp;shoes", "red&nbsp;shoes"),
        ("- x\n  red\n  shoes", "red\n  shoes"),
    ],
)
def test_whole_elements_are_linked(source, linked):
    assert link(source) == source.replace(linked, f"[{linked}](/t)")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("---\nred shoes\n---\n", "ANCHOR_NOT_FOUND"),
        ("[red shoes][]\n\n[red shoes]: /x", "IN_LINK"),
        ("see [red shoes] here\n\n[Red  Shoes]: /x 'red shoes'", "IN_LINK"),
        ("[red\nshoes](/x)", "IN_LINK"),
        ("[a [red shoes](y) b](x)", "IN_LINK"),
        ("[![a](b) red shoes](x)", "IN_LINK"),
        ("[*red shoes*]\n\n[*red shoes*]: /x", "IN_LINK"),
        ("[red](/x) shoes", "IN_LINK"),
        ("<a href=/x>\n\nred shoes\n\n</a>", "IN_LINK"),
        ("[red shoes](x y)", "UNSAFE_MARKUP"),
        ("[red shoes] [t]\n\n[t]: /x", "IN_TEMPLATE"),
        ("x[^1]\n\n[^1]: red shoes", "NOT_PROSE"),
        ("x ^[red shoes]", "IN_TEMPLATE"),
        ("a | b\n-|-\nred shoes | x", "IN_TABLE"),
        ("<table><tr><td>\n\nred shoes\n\n</td></tr></table>", "IN_TABLE"),
        ("red shoes\n---", "IN_HEADING"),
        ("red shoes\r\n---\r\n", "IN_HEADING"),
        ("red shoes\r===\r", "IN_HEADING"),
        ("- # red shoes", "IN_HEADING"),
        ("<h2>\n\nred shoes\n\n</h2>", "IN_HEADING"),
        ("> x\nred shoes", "IN_QUOTE"),
        ("- > red shoes", "IN_QUOTE"),
        ("\tred shoes", "IN_CODE"),
        ("```\rred shoes\r```", "IN_CODE"),
        ("```\nx\n``\nred shoes", "IN_CODE"),
        ("a `x\nred shoes` b", "IN_CODE"),
        ("<kbd>red shoes</kbd>", "IN_CODE"),
        ("term\n: red shoes", "IN_LABEL"),
        ("<figcaption>\n\nred shoes\n\n</figcaption>", "IN_LABEL"),
        ("~~red shoes~~", "NOT_PROSE"),
        ("<nav>\n\nred shoes\n\n</nav>", "IN_FURNITURE"),
        ("<div hidden>\n\nred shoes\n\n</div>", "NOT_PROSE"),
        ("<router-link to=/x>red shoes</router-link>", "IN_LINK"),
        ("<b>red shoes", "UNSAFE_MARKUP"),
        ("<b>red shoes</i>", "UNSAFE_MARKUP"),
        ("red\\\nshoes", "CROSSES_MARKUP"),
        ("!red shoes", "UNSAFE_MARKUP"),
        ("red shoes[x]", "UNSAFE_MARKUP"),
        ("red shoes{: .x}", "UNSAFE_MARKUP"),
        ("x**red shoes**", "NO_WORD_BOUNDARY"),
        ("<div class='x'\n\nred shoes\n\n>x</div>", "IN_TEMPLATE"),  # the tag is not over yet
        ('{{< fig\n  src="x"\n\n  alt="red shoes"\n>}}', "IN_TEMPLATE"),
        ("{%\n\nred shoes\n\n%}", "IN_TEMPLATE"),
        ("{{< highlight go >}}\n\nred shoes\n\n{{< /highlight >}}", "IN_TEMPLATE"),
        ("{{% notice %}}\nred shoes\n{{% /notice %}}", "IN_TEMPLATE"),
        ("{%- raw -%}\n\nred shoes\n\n{%- endraw -%}", "IN_TEMPLATE"),
        ("{% comment %}\nred shoes\n{% endcomment %}", "IN_TEMPLATE"),
        ("{{\n red shoes\n}}", "IN_TEMPLATE"),
        ("![[red shoes]]", "IN_TEMPLATE"),
        ("%%red shoes%%", "IN_TEMPLATE"),
        ("$$\nred shoes\n$$", "IN_TEMPLATE"),
        (r"\(red shoes\)", "IN_TEMPLATE"),
        ("\\begin{x}\nred shoes\n\\end{x}", "IN_TEMPLATE"),
    ],
)
def test_refused_with_the_reason(source, reason):
    assert link(source) == Refusal[reason]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("export const x = `\n\nred shoes\n\n`\n", "NOT_PROSE"),
        ("export const x = 'red shoes'", "NOT_PROSE"),
        ("export default function F() {\n\n  return <p>red shoes</p>\n\n}\n\nx", "IN_TEMPLATE"),
        ("<Foo\n  a='x'\n\n  b='red shoes'\n/>", "IN_TEMPLATE"),
        ("<Foo a={`\n\nred shoes\n\n`} />", "IN_TEMPLATE"),
        ("{/*\n\nred shoes\n\n*/}", "IN_TEMPLATE"),
        ("a {x} red shoes", "IN_TEMPLATE"),
        ("see <Link to='/x'>red shoes</Link>", "IN_LINK"),
        ("<Link to='/x'>\n\nred shoes\n\n</Link>", "IN_LINK"),
        ("see <Link href='/t'>x</Link> red shoes", "ALREADY_LINKED"),
        ("see <NavLink to='/t'>x</NavLink> red shoes", "ALREADY_LINKED"),
        ("<CodeBlock>\n\nred shoes\n\n</CodeBlock>", "IN_CODE"),
        ("see <Button>red shoes</Button>", "IN_CONTROL"),
        ("<Foo>\nred shoes\n</Foo>", "NOT_PROSE"),
    ],
)
def test_refused_in_mdx(source, reason):
    assert link(source, Markup.MDX) == Refusal[reason]


@pytest.mark.parametrize(
    "source",
    [
        "import {{a}} from 'b'\n\n{}",
        "export const x = `\n\nred shoes {{\n\n`\n\n{}",
        "<Tabs>\n  <Tab label='red shoes'>\n\n  {}\n\n  </Tab>\n</Tabs>",
        "<>\n\n{}\n\n</>",
        "see <Link to='/x'/> {}",
        "see <Foo a='red shoes'/> {}",
    ],
)
def test_running_text_of_mdx(source):
    assert link(source.format("red shoes"), Markup.MDX) == source.format("[red shoes](/t)")


@pytest.mark.parametrize(
    "source",
    [
        "x " + "[" * 2000 + "red shoes" + "](y)" * 2000,
        "[a](" + "{{x}}" * 100 + " x) red shoes",
        "- " * 3000 + "red shoes",
        "> " * 3000 + "red shoes",
        "*" * 3000 + "red shoes" + "*" * 3000,
        "<b>" * 3000 + "red shoes" + "</b>" * 3000,
        "x " + "~~a " * 20_000 + "red shoes",
        "x " + "{{ " * 20_000 + "red shoes",
        "x " + "`a ``b ```c " * 10_000 + "red shoes",
        "x " + "[ " * 30_000 + "red shoes",
        "x " + "![a](" * 20_000 + "red shoes",
        "x " + "$$ $a " * 10_000 + "red shoes",
        "<a \n" * 20_000 + "\n\nred shoes",
        "<div \n\n" * 20_000 + "red shoes",
    ],
    ids=lambda source: source[:12],
)
def test_nothing_but_marks_takes_no_longer_than_text(source):
    began = time.process_time()
    link(source)
    link(source, Markup.MDX)
    assert time.process_time() - began < 5  # in quadratic time it would be minutes
