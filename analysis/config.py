"""The settings of a plan: one frozen dataclass, checked as a whole before any work begins."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

METHODS = ("semantic", "learned")
EMBEDDERS = ("bundled", "sentence-transformers", "api")
INDEXES = ("local", "pgvector", "pinecone")
API_TEXT_CHARS = 6500  # of an article; with its title a text then stays below what hosted models read (the guide's)


class ConfigError(ValueError):
    """A setting has a value that cannot be used; the message names every such setting, one a line."""


@dataclass(frozen=True, slots=True)
class PlanConfig:
    """What the plan may be told; each field is the Scrapy setting ``INTERLINK_<FIELD>``.

    Thresholds given as cosines are those of the bundled model; for another model they are translated (see calibration).
    """

    method: str = "learned"
    embedder: str = "bundled"
    model: str = ""  # sentence-transformers: name or folder; api: name; "" = the embedder's own default
    api_base: str = "https://api.mistral.ai/v1"  # of an OpenAI-compatible service; its key is in the environment only
    api_max_tokens: int = 10_000_000  # tokens that one run may spend there
    chat_model: str = ""  # of the same service: what `scrapy weave` asks; "" = off
    links_per_page: int = 4  # new links proposed a page
    max_links: int = 4  # links an article may have in all; rows beyond are marked
    links_to_page: int = 100  # new links proposed to one page
    min_similarity: float = 0.35  # page cosine below which two pages are no relatives (the guide's)
    min_sentence_similarity: float = 0.5  # sentence to title; what the guide's 0.72 is in the bundled model's scale
    text_chars: int = 1500  # characters of the article that are embedded (the guide's)
    workers: int = 0  # processes that embed, rank and place; 0 = one a core
    index: str = "local"  # where `scrapy index` puts article vectors: local, pgvector, pinecone
    index_host: str = ""  # of the Pinecone index
    languages: tuple[str, ...] = ()  # plan only these; () = all
    backtest: bool = False  # after each plan, hide the site's own links and see how many a plan finds again
    csv_bom: bool = False  # begin CSV files with a byte order mark, for a spreadsheet that guesses the encoding

    def __post_init__(self) -> None:
        """:raises ConfigError: if any value is out of its range."""
        errors = []
        if self.method not in METHODS:
            errors.append(_problem("METHOD", self.method, "one of " + ", ".join(METHODS)))
        if self.embedder not in EMBEDDERS:
            errors.append(_problem("EMBEDDER", self.embedder, "one of " + ", ".join(EMBEDDERS)))
        if self.index not in INDEXES:
            errors.append(_problem("INDEX", self.index, "one of " + ", ".join(INDEXES)))
        ranges = {
            "links_per_page": (1, 100),
            "max_links": (0, 1000),
            "links_to_page": (1, 100_000),
            "min_similarity": (-1.0, 1.0),
            "min_sentence_similarity": (-1.0, 1.0),
            "text_chars": (100, 1_000_000),
            "workers": (0, 256),
            "api_max_tokens": (1, 10**12),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not low <= value <= high:
                errors.append(_problem(name.upper(), value, f"a number from {low} to {high}"))
        if self.embedder == "api" and self.text_chars > API_TEXT_CHARS:
            errors.append(_problem("TEXT_CHARS", self.text_chars, f"up to {API_TEXT_CHARS} with INTERLINK_EMBEDDER=api"))
        if errors:
            raise ConfigError("\n".join(errors))

    @classmethod
    def from_settings(cls, settings: Any) -> PlanConfig:
        """Read ``INTERLINK_*`` from a mapping with ``get`` (Scrapy's settings are one).

        :raises ConfigError: naming every setting that has a wrong type or is out of range.
        """
        values: dict[str, Any] = {}
        errors = []
        if settings.get("INTERLINK_API_KEY") is not None:  # settings stand in logs and in process lists
            errors.append("INTERLINK_API_KEY is no setting: put the key into the environment variable of that name.")
        for f in fields(cls):
            raw = settings.get("INTERLINK_" + f.name.upper())
            if raw is None:
                continue
            try:
                values[f.name] = _convert(str(f.type), raw)
            except (KeyError, TypeError, ValueError):
                errors.append(_problem(f.name.upper(), raw, _WANTED[str(f.type)]))
        if errors:
            raise ConfigError("\n".join(errors))
        return cls(**values)


_BOOLS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_WANTED = {
    "bool": "True or False",
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "tuple[str, ...]": "a comma-separated list",
}


def _problem(name: str, value: object, allowed: str) -> str:
    return f"INTERLINK_{name} is {value!r}; allowed is {allowed}."


def _convert(kind: str, raw: Any) -> Any:
    if kind == "int":
        if isinstance(raw, bool) or (isinstance(raw, float) and not raw.is_integer()):
            raise ValueError
        return int(raw)
    if kind == "float":
        return float(raw)
    if kind == "bool":
        return _BOOLS[str(raw).strip().lower()]
    if kind == "tuple[str, ...]":
        parts = raw.split(",") if isinstance(raw, str) else raw
        return tuple(str(part).strip() for part in parts if str(part).strip())
    return str(raw)


def output_folder(base: str, host: str) -> Path:
    """``<base>/<host>``, absolute; the default place of a crawl's store and outputs."""
    return (Path(base) / host.replace(":", "_")).resolve()
