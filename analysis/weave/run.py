"""``scrapy weave``: for related pairs without a place, ask for a pointer in one paragraph, check it, and write weave.csv."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.corpus import read_corpus
from analysis.decisions import Status
from analysis.embedding.factory import make_pool
from analysis.embedding.protocol import EmbedderError
from analysis.graph import read_graph
from analysis.hosted import Endpoint, HostedError
from analysis.insertion import SourcePage, UnsafeEncodingError
from analysis.lexicon import base_language
from analysis.outputs.plan_table import NAME as PLAN_NAME
from analysis.outputs.tables import read_rows, write_table
from analysis.plan import PlanError
from analysis.records import BlockKind, block_digest
from analysis.site import Site
from analysis.store import CrawlStore, StoreError
from analysis.thresholds import page_threshold
from analysis.urls import page_key
from analysis.weave.chat import CapReachedError, Chat
from analysis.weave.checks import MEANING, failed_check
from analysis.weave.meaning import MIN_MEANING, meaning_kept
from analysis.weave.prompt import SYSTEM, messages, read_answer
from analysis.weave.rewrite import Rewrite, known_languages
from analysis.weave.splice import fixed_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from analysis.config import PlanConfig
    from analysis.corpus import Corpus
    from analysis.insertion.source_blocks import SourceDocument

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

logger = logging.getLogger(__name__)

NAME: Final = "weave.csv"
COLUMNS: Final = ("url_from", "url_to", "title_from", "title_to", "language", "anchor", "before", "after", "refused", "status")
_SHORTEST: Final = 140  # characters of a paragraph that may grow by a pointer within the 30 %
_A_PAGE: Final = 3  # paragraphs, the ceiling of new links a run

NO_PARAGRAPH: Final = "no paragraph is long enough, or stands in the source as it was crawled"
NO_ANSWER: Final = "the model gave no answer in the form that was asked for"
NOTHING_FITS: Final = "the model says that nothing fits"


@dataclass(frozen=True, slots=True)
class WovenRow:
    """A row of weave.csv; ``after`` and ``anchor`` are empty where the paragraph is left alone, ``refused`` says why."""

    url_from: str
    url_to: str
    title_from: str
    title_to: str
    language: str
    before: str = ""
    anchor: str = ""
    after: str = ""
    refused: str = ""
    status: str = Status.NEW


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run brought: ``refused`` counts the reasons."""

    rows: int
    woven: int
    refused: Mapping[str, int]
    spent: int
    path: Path

    def text(self) -> str:
        """What a terminal shows."""
        lines = [f"{self.woven} of {self.rows} paragraphs were rewritten, {self.spent:,} tokens spent: {self.path}"]
        return "\n".join([*lines, *(f"  {n} × {reason}" for reason, n in self.refused.items())])


def run(folder: Path, config: PlanConfig, limit: int) -> Summary:
    """Ask for the best ``limit`` rows of the plan that have no place.

    :raises PlanError: if there is no plan, no crawl, or no chat model; an older weave.csv stays as it is.
    """
    if not config.chat_model:
        raise PlanError("scrapy weave is off: name a chat model, -s INTERLINK_CHAT_MODEL=…, and its service (docs/hosted.md).")
    if not (folder / PLAN_NAME).is_file():
        raise PlanError(f"There is no {PLAN_NAME} in {folder}; run `scrapy plan {folder}` first.")
    try:
        with CrawlStore.open(folder) as store, make_pool(config) as pool:
            chat = Chat(Endpoint(config.api_base), config.chat_model, config.api_max_tokens, store.connection)
            corpus = read_corpus(store, config.languages)
            site = Site(corpus, read_graph(corpus.pages(), len(corpus)), pool, store.connection)
            vectors = site.page_vectors(config.text_chars)
            weaver = _Weaver(corpus, site.encode, chat, page_threshold(MIN_MEANING, site, vectors, config.text_chars))
            rows = weaver.weave(_wanted(folder, limit))
    except (StoreError, EmbedderError, HostedError) as error:
        raise PlanError(str(error)) from error
    kept = {(row["url_from"], row["url_to"], row["after"]): row["status"] for row in _old(folder)}
    rows = [replace(row, status=kept.get((row.url_from, row.url_to, row.after), row.status)) for row in rows]
    write_table(folder / NAME, COLUMNS, ([getattr(row, name) for name in COLUMNS] for row in rows), bom=config.csv_bom)
    reasons = Counter(row.refused for row in rows if row.refused)
    return Summary(len(rows), len(rows) - reasons.total(), dict(reasons.most_common()), chat.spent, folder / NAME)


def _wanted(folder: Path, limit: int) -> list[dict[str, str]]:
    open_rows = (Status.NEW, Status.ACCEPTED)
    rows = [row for row in read_rows(folder / PLAN_NAME) if row["placement"] == "none" and row["status"] in open_rows]
    return rows[:limit]


def _old(folder: Path) -> list[dict[str, str]]:
    return read_rows(folder / NAME) if (folder / NAME).is_file() else []


class _Weaver:
    """Goes through the rows; a paragraph is rewritten once, and a page in a few paragraphs at most."""

    def __init__(self, corpus: Corpus, encode: Encode, chat: Chat, floor: float) -> None:
        self._corpus = corpus
        self._encode = encode
        self._chat = chat
        self._floor = floor
        self._used: set[tuple[int, str]] = set()
        self._count: Counter[int] = Counter()

    def weave(self, wanted: Sequence[Mapping[str, str]]) -> list[WovenRow]:
        """One row for each that was wanted, in their order; when the cap is reached the rest says so."""
        rows: list[WovenRow] = []
        stopped = ""
        for plan_row in wanted:
            row = WovenRow(*(plan_row[name] for name in ("url_from", "url_to", "title_from", "title_to", "language")))
            if stopped:
                rows.append(replace(row, refused=stopped))
                continue
            try:
                rows.append(self._rewritten(row, plan_row["anchor_hint"]))
            except _LeftAloneError as reason:
                rows.append(replace(row, before=reason.paragraph, refused=str(reason)))
            except CapReachedError as error:
                stopped = str(error)
                rows.append(replace(row, refused=stopped))
        return rows

    def _rewritten(self, row: WovenRow, heading: str) -> WovenRow:
        source, target = (self._corpus.index_of(page_key(url)) for url in (row.url_from, row.url_to))
        if source is None or target is None:
            raise _LeftAloneError("a page of the plan is no longer in the crawl")
        if base_language(row.language) not in known_languages():
            raise _LeftAloneError("no word lists for this language")
        if self._count[source] == _A_PAGE:
            raise _LeftAloneError("the page has as many rewritten paragraphs as a run may give it")
        before, fixed = self._paragraph(source, row.title_to)
        answer = read_answer(self._chat.ask(messages(before, row.title_to, heading, row.language)))
        if answer is None or answer == ("", ""):
            raise _LeftAloneError(NOTHING_FITS if answer else NO_ANSWER, before)
        anchor, after = answer
        reason = failed_check(Rewrite(before, after, anchor, f"{row.title_to}\n{heading}", row.language, fixed, SYSTEM))
        if not reason and not meaning_kept(before, after, self._encode, self._floor):
            reason = MEANING
        if reason:
            raise _LeftAloneError(reason, before)
        self._used.add((source, block_digest(before)))
        self._count[source] += 1
        return replace(row, before=before, anchor=anchor, after=after)

    def _paragraph(self, source: int, title: str) -> tuple[str, tuple[str, ...]]:
        """The paragraph nearest in meaning to the target's title, and what is fixed in it; proved to stand in the source.

        :raises _LeftAloneError: if there is none.
        """
        html, codec = self._corpus.html(source)
        page = self._corpus.page(source)
        texts = [
            block.text
            for block in page.blocks
            if block.kind is BlockKind.PARAGRAPH and len(block.text) >= _SHORTEST and (source, block.digest) not in self._used
        ]
        document = _document(html, page.head.url, codec) if texts else None
        if document is None:
            raise _LeftAloneError(NO_PARAGRAPH)
        vectors = self._encode([title, *texts])
        for at in np.argsort(-(vectors[1:] @ vectors[0]), kind="stable"):
            blocks = document.by_digest.get(block_digest(texts[at]), [])
            if len(blocks) == 1 and blocks[0].barrier is None and blocks[0].text == texts[at]:
                fixed = fixed_words(blocks[0])
                if fixed != (texts[at],):  # else all of it stands in a quotation, a table, a template
                    return texts[at], fixed
        raise _LeftAloneError(NO_PARAGRAPH)


class _LeftAloneError(Exception):
    """The paragraph is left alone; the message is the reason."""

    def __init__(self, reason: str, paragraph: str = "") -> None:
        super().__init__(reason)
        self.paragraph = paragraph


def _document(html: bytes, url: str, codec: str) -> SourceDocument | None:
    try:
        return SourcePage(html, url, encoding=codec).document if html else None
    except UnsafeEncodingError:
        return None
