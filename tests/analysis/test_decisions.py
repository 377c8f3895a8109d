"""What users decide about a pair stays decided: rejected pairs never come back, live ones are done."""

from __future__ import annotations

from pathlib import Path

from analysis.corpus import Corpus, read_corpus
from analysis.decisions import note_live_links, rejected_targets, remember_decisions, with_decisions
from analysis.graph import LinkGraph, read_graph
from analysis.records import Block, BlockKind, FoundLink, PlanRow, Proposal
from analysis.store import CrawlStore, NewUrl, StoredPage, UrlKind

TEXT = "This article about {} has enough words to count as one, and it says so in more than one sentence. Here is another one."


def crawl(folder: Path) -> CrawlStore:
    """Three pages; b links to c."""
    store = CrawlStore.create(folder)
    for name in "abc":
        text = TEXT.format(name * 5) * 2
        links = (FoundLink("https://a.test/c", 0, 5, 12),) if name == "b" else ()
        page = StoredPage(
            f"a.test/{name}", f"https://a.test/{name}", name, name, "en", None, (), (Block(BlockKind.PARAGRAPH, text),), links
        )
        store.urls.add([NewUrl(UrlKind.PAGE, page.key, page.url)])
        row = store.urls.find(UrlKind.PAGE, page.key)
        assert row is not None
        store.pages.put(page, row.id, 1)
    return store


def read(store: CrawlStore) -> tuple[Corpus, LinkGraph]:
    corpus = read_corpus(store)
    return corpus, read_graph(corpus.pages(), len(corpus))


def row(source: int, target: int) -> PlanRow:
    return PlanRow(Proposal(source, target, 0.5), None, 0, False)


def test_a_rejected_pair_never_comes_back_and_an_accepted_one_stays_so(tmp_path: Path) -> None:
    with crawl(tmp_path) as store:
        corpus, _ = read(store)
        decided = (
            "url_from,url_to,status\nhttps://a.test/a,https://a.test/b,Rejected\nhttps://a.test/a/,http://www.a.test/c,accepted\n"
        )
        (tmp_path / "decisions.csv").write_text(decided)
        remember_decisions(store)
        (tmp_path / "decisions.csv").unlink()
        assert rejected_targets(store, corpus) == {0: {1}}
        rows = with_decisions([row(0, 1), row(0, 2), row(1, 0)], store, corpus)
        assert [(r.proposal.source, r.proposal.target, r.status) for r in rows] == [(0, 2, "accepted"), (1, 0, "new")]


def test_a_proposed_pair_that_is_linked_by_now_is_done_and_counted_once(tmp_path: Path) -> None:
    with crawl(tmp_path) as store:
        corpus, graph = read(store)
        (tmp_path / "interlink_plan.csv").write_text("url_from,url_to,status\nhttps://a.test/b,https://a.test/c,new\n")
        remember_decisions(store)
        assert len(note_live_links(store, corpus, graph)) == 1
        assert note_live_links(store, corpus, graph) == []
        assert with_decisions([row(1, 2)], store, corpus) == []
