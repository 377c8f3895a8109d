from __future__ import annotations

import pytest

from analysis.insertion.refusal import Refusal
from analysis.insertion.template_syntax import EditorBlocks, shortcode_bodies, template_spans


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        ("plain (text), 5 < 6 > 4", []),
        ("a {{ b }} c", ["{{ b }}"]),
        ("a {{{ b }}} c", ["{{{ b }}}"]),
        ("{% if a %}b{% endif %}", ["{% if a %}", "{% endif %}"]),
        ("a <% b > c %> d", ["<% b > c %>"]),
        (r"a \(x\) b \[y\]", [r"\(x\)", r"\[y\]"]),
        ("costs $5 and $$ x $$", ["$$ x $$"]),
        ("hello {name}", ["{name}"]),
        ("a [gallery ids='1'] b [[c]] d[1]", ["[gallery ids='1']", "[[c]]", "[1]"]),
        ('[box c="a [new] b" /]', ['[box c="a [new] b" /]']),
        ("in [0, 1) there", []),
        ("a {} {{}} b", ["{}", "{{}}"]),
        ("`x` ```y``` z", ["`x`", "```y```"]),
        ("%%title%% is 100%", ["%%title%%"]),
        ("see <Box a=1/> and <b>", []),
        (r"\begin{x} y \end{x}", [r"\begin{x} y \end{"]),
    ],
)
def test_spans(text, protected):
    spans = template_spans(text)
    assert spans is not None
    assert sorted(text[start:end] for start, end in spans) == sorted(protected)


@pytest.mark.parametrize("text", ["a {{ b", "b }} c", "{% if a", "a %>", "[box a", "[[a]", '[a b="]" c', r"\( x", "<?php x"])
def test_unsure(text):
    assert template_spans(text) is None


def bodies(*texts: str) -> dict[int, list[str]]:
    return {number: [texts[number][a:b] for a, b in spans] for number, spans in shortcode_bodies(texts).items()}


def test_bodies_of_shortcodes():
    assert bodies("a [x]b[/x]", "c") == {0: ["[x]b[/x"]}
    assert bodies("a [x y=1] b", "c", "d [/x] e") == {0: ["[x y=1] b"], 1: ["c"], 2: ["d [/x"]}
    assert bodies("a [x] b") == {}
    assert bodies("a", "b [/x] c") == {1: ["b [/x] c"]}
    assert bodies("{{< code >}}", "x", "{{< /code >}}")[1] == ["x"]
    assert bodies("{% raw %}", "x", "{% endraw %}")[1] == ["x"]
    assert bodies("{% if a %}", "x", "{% endif %}") == {}
    assert bodies("a [x] b [x] c [/x] d [/x] e") == {0: ["[x] b [x] c [/x] d [/x"]}


def test_tags_that_run_over_several_blocks():
    assert bodies("a", "b {{< x", "c", "d >}} e", "f") == {1: ["b {{< x"], 2: ["c"], 3: ["d >}} e"]}
    assert bodies("{{ a", *["b"] * 10, "c }}") == {}
    assert bodies("{{ a }}", "b", "}}") == {}


def test_blocks_of_the_editor():
    editor = EditorBlocks()
    for comment in ("<!-- wp:group -->", '<!-- wp:paragraph {"a":1} -->', "<!-- wp:spacer /-->", "<!-- note -->"):
        editor.read_comment(comment)
        assert editor.barrier is None
    editor.read_comment("<!-- wp:html -->")
    assert editor.barrier is Refusal.IN_TEMPLATE
    editor.read_comment("<!-- /wp:html -->")
    assert editor.barrier is None
