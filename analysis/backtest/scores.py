"""From tried pages to figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.backtest.metrics import CurvePoint, calibration_error, ndcg, point_of_precision, precision_recall

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.backtest.trial import TriedPage

ALL: Final = "all"  # languages together
FEW: Final = 30  # links or proposals; fewer tell nothing about a site


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares from 0 to 1; None where there is nothing to take a share of."""

    pages: int  # articles that lost a link, once for each time
    links: int  # hidden links
    proposed: int
    found: int  # proposals that are hidden links
    recall: float | None  # of what could be found: at most ``top`` a page
    precision: float | None  # a floor: a good new link counts as wrong
    ndcg: float | None  # mean over pages
    placed: float | None  # of the found links that have a sentence: those in a paragraph where the editors had the link
    anchor_f1: float | None  # of the links placed there: word F1 with the editors' words, mean
    exact: float | None  # found and placed there, of what could be found
    insertable: float | None  # these without the rows whose words are there and cannot be linked
    coverage: float | None  # of the pages: those with a proposal
    named: float | None  # of the hidden links: those for which words stand in the text
    recall_named: float | None  # of these
    recall_unnamed: float | None  # of the others


@dataclass(frozen=True, slots=True)
class LevelScore:
    """How much a level's mark can be trusted."""

    proposed: int
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class MethodScores:
    """All figures of one method."""

    method: str
    by_language: dict[str, Scores]  # ``ALL`` first, then the languages of most hidden links
    levels: dict[str, LevelScore]
    calibration_error: float | None  # None where the score is no probability
    curve: tuple[CurvePoint, ...]

    @property
    def total(self) -> Scores:
        """Over all languages."""
        return self.by_language[ALL]

    @property
    def score_name(self) -> str:
        """What the curve's scores are."""
        return "closeness" if self.calibration_error is None else "confidence"

    def point_of(self, precision: float) -> CurvePoint | None:
        """The score from which on so many of the proposals are the editors' own, with :data:`FEW` proposals at least."""
        return point_of_precision(self.curve, precision, FEW)


@dataclass(frozen=True, slots=True)
class Result:
    """A backtest of one site."""

    pages: int  # articles of the site
    links: int  # that stand in their texts
    rounds: int  # in which links were hidden
    share: float  # of all links that was hidden in each
    top: int  # proposals a page
    model: str
    precision: float  # the wished one
    methods: tuple[MethodScores, ...]


def score_method(method: str, pages: Sequence[TriedPage], top: int) -> MethodScores:
    """Count what one method did on all pages of all trials."""
    languages = Counter[str]()
    for page in pages:
        languages[page.language] += page.hidden
    ranked = sorted(languages, key=lambda language: (-languages[language], language))
    by_language = {language: score_pages([page for page in pages if page.language == language], top) for language in ranked}
    guesses = [guess for page in pages for guess in page.guesses]
    known = [guess for guess in guesses if guess.is_confidence]
    within_reach = _within_reach(pages, top)
    return MethodScores(
        method,
        {ALL: score_pages(pages, top), **by_language},
        {level: _score_level(level, pages, within_reach) for level in sorted({g.level for g in guesses if g.level})},
        calibration_error([guess.score for guess in known], [guess.is_found for guess in known]),
        tuple(precision_recall([guess.score for guess in guesses], [guess.is_found for guess in guesses], within_reach)),
    )


def score_pages(pages: Sequence[TriedPage], top: int) -> Scores:
    """Count over some pages."""
    hits = [guess for page in pages for guess in page.guesses if guess.is_found]
    f1s = [hit.anchor_f1 for hit in hits if hit.anchor_f1 is not None]
    links, named = sum(page.hidden for page in pages), sum(page.hidden_named for page in pages)
    proposed, within_reach = sum(len(page.guesses) for page in pages), _within_reach(pages, top)
    hits_named = sum(hit.is_named for hit in hits)
    return Scores(
        pages=len(pages),
        links=links,
        proposed=proposed,
        found=len(hits),
        recall=_share(len(hits), within_reach),
        precision=_share(len(hits), proposed),
        ndcg=_share(sum(ndcg([guess.is_found for guess in page.guesses], page.hidden, top) for page in pages), len(pages)),
        placed=_share(len(f1s), sum(hit.has_sentence for hit in hits)),
        anchor_f1=_share(sum(f1s), len(f1s)),
        exact=_share(len(f1s), within_reach),
        insertable=_share(sum(hit.is_insertable and hit.anchor_f1 is not None for hit in hits), within_reach),
        coverage=_share(sum(bool(page.guesses) for page in pages), len(pages)),
        named=_share(named, links),
        recall_named=_share(hits_named, named),
        recall_unnamed=_share(len(hits) - hits_named, links - named),
    )


def _within_reach(pages: Iterable[TriedPage], top: int) -> int:
    return sum(min(top, page.hidden) for page in pages)


def _score_level(level: str, pages: Iterable[TriedPage], within_reach: int) -> LevelScore:
    found = [guess.is_found for page in pages for guess in page.guesses if guess.level == level]
    return LevelScore(len(found), sum(found) / len(found), sum(found) / within_reach)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
