"""``scrapy weave`` and ``scrapy apply`` on the demo blog, with a double of a chat service that behaves as it is told."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from analysis.outputs.tables import read_rows
from demo.serve import SITE
from tests.analysis.openai_double import OpenAiDouble, busy
from tests.command import crawl, scrapy
from tests.server import LocalServer

pytestmark = pytest.mark.slow

KEY = "sk-canary-weave-51cc"


def helpful(messages: list) -> str:
    """Keeps to the prompt: one of the forms at the end, on words of the title."""
    data = json.loads(messages[1]["content"])
    words = re.findall(r"[^\W\d_]+", data["related_article"])
    anchor = " ".join(words[-3:] if len(words) > 2 else words)
    form = next(form for form in data["forms"] if form[0].isupper())
    return json.dumps({"anchor": anchor, "paragraph": f"{data['paragraph']} {form.replace('…', anchor)}"})


def seduced(messages: list) -> str:
    """Writes what it likes."""
    answer = json.loads(helpful(messages))
    answer["paragraph"] += " Visit https://evil.example today."
    return json.dumps(answer)


@pytest.fixture
def blog(tmp_path, monkeypatch):
    monkeypatch.setenv("INTERLINK_API_KEY", KEY)
    with LocalServer(folder=SITE) as server:
        yield crawl(tmp_path / "output", server.url("/robots.txt")).folder


def weave(folder, service, *flags):
    settings = {"INTERLINK_API_BASE": service.base, "INTERLINK_CHAT_MODEL": "double", "LOG_LEVEL": "DEBUG"}
    return scrapy("weave", str(folder), *(part for name, value in settings.items() for part in ("-s", f"{name}={value}")), *flags)


def test_from_the_plan_to_the_source_and_back(blog, tmp_path):
    sources = tmp_path / "site"
    shutil.copytree(SITE, sources)
    before = {path: path.read_bytes() for path in sources.rglob("*.html")}
    with OpenAiDouble(key=KEY, chat=helpful) as service:
        service.faults = [busy(429, **{"Retry-After": "1"})]
        done = weave(blog, service, "--limit", "12")
        assert done.returncode == 0, done.stderr
        rows = read_rows(blog / "weave.csv")
        woven = [row for row in rows if row["after"]]
        assert len(rows) == 12 and len(woven) >= 4, done.stdout
        assert all(bool(row["after"]) != bool(row["refused"]) and row["status"] == "new" for row in rows)
        assert all(row["anchor"] in row["after"] and row["anchor"] not in row["before"] for row in woven)
        assert {path: path.read_bytes() for path in before} == before, "the source is never touched"

        asked = len(service.asked)
        assert weave(blog, service, "--limit", "12").returncode == 0
        assert len(service.asked) == asked, "an answer is not paid for twice"

    nothing = scrapy("apply", str(blog), "--sources", str(sources), "--status", "rejected", "--write")
    assert "0 of 0 links" in nothing.stdout and {path: path.read_bytes() for path in before} == before, "nobody accepted them"

    table = (blog / "weave.csv").read_text(encoding="utf-8")
    (blog / "weave.csv").write_text(re.sub(r",new$", ",accepted", table, flags=re.MULTILINE), encoding="utf-8")
    shown = scrapy("apply", str(blog), "--sources", str(sources), "--status", "rejected")
    assert "rewritten paragraphs would be inserted" in shown.stdout and {path: path.read_bytes() for path in before} == before
    applied = scrapy("apply", str(blog), "--sources", str(sources), "--status", "rejected", "--write")
    assert applied.returncode == 0, applied.stderr
    changed = [path for path in before if path.read_bytes() != before[path]]
    assert changed, applied.stdout
    undone = scrapy("undo", str(blog), "--write")
    assert undone.returncode == 0, undone.stdout + undone.stderr
    assert {path: path.read_bytes() for path in before} == before

    outputs = "".join((done.stdout, done.stderr, applied.stdout, applied.stderr, undone.stdout))
    assert KEY not in outputs
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("chat", "reason"),
    [
        (seduced, "markup or an address in the answer"),
        (lambda messages: "Sure! Here is your paragraph.", "the model gave no answer in the form that was asked for"),
        (lambda messages: '{"anchor": "", "paragraph": ""}', "the model says that nothing fits"),
    ],
)
def test_a_bad_answer_leaves_the_paragraph_alone_and_says_why(blog, chat, reason):
    with OpenAiDouble(chat=chat) as service:
        done = weave(blog, service, "--limit", "3")
    assert done.returncode == 0, done.stderr
    rows = read_rows(blog / "weave.csv")
    assert all(row["refused"] for row in rows) and not any(row["after"] or row["anchor"] for row in rows)
    assert reason in {row["refused"] for row in rows} and f"× {reason}" in done.stdout


def test_the_cap_the_switch_and_a_refusing_service(blog, monkeypatch):
    off = scrapy("weave", str(blog))
    assert off.returncode == 1 and "INTERLINK_CHAT_MODEL" in off.stderr
    with OpenAiDouble(chat=helpful) as service:
        done = weave(blog, service, "--limit", "5", "-s", "INTERLINK_API_MAX_TOKENS=2000")
        assert done.returncode == 0, done.stderr
        refused = [row["refused"] for row in read_rows(blog / "weave.csv")]
        assert refused[-1] == "the cap of 2,000 tokens (INTERLINK_API_MAX_TOKENS) is reached" and len(service.asked) < 5
    kept = (blog / "weave.csv").read_bytes()
    with OpenAiDouble(key="another", chat=helpful) as service:
        done = weave(blog, service, "--limit", "5")
    assert done.returncode == 1 and "refuses the key" in done.stderr and KEY not in done.stderr and "Traceback" not in done.stderr
    assert (blog / "weave.csv").read_bytes() == kept
