"""Any model of the sentence-transformers library, by name or from a local folder.

Reimers & Gurevych, "Sentence-BERT", EMNLP 2019. Texts longer than the model reads at once are cut into windows, and the mean of
the windows is taken: nothing is dropped in silence. The library (and torch, seconds to import) is loaded by the first text only,
so a run that finds all its vectors in the cache never pays for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.embedding.batching import encode_windows, readable
from analysis.embedding.protocol import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.embedding.batching import Tokens

DEFAULT_MODEL = "paraphrase-multilingual-MiniLM-L12-v2"
_INSTALL = "pip install sentence-transformers==6.2.0 torch==2.13.0"
# Whatever else a repository carries (ONNX, OpenVINO, other frameworks' weights), these alone decide a vector here.
_DECISIVE = ("*.json", "*.txt", "*.model", "*.safetensors", "*.bin")


class SentenceTransformerEmbedder:
    """A sentence-transformers model on the CPU, one torch thread: see :class:`analysis.embedding.protocol.Embedder`."""

    truncates_after = None  # longer texts are read in windows

    def __init__(self, model: str = "") -> None:
        """``model``: a name on the Hugging Face hub or a folder; "" is the default model.

        :raises EmbedderError: if the library is missing, or the model is neither on this disk nor to be had from the hub.
        """
        if find_spec("sentence_transformers") is None or find_spec("torch") is None:
            raise EmbedderError(f"The embedder sentence-transformers needs its packages; install them: {_INSTALL}")
        self.name = model or DEFAULT_MODEL
        self.folder = _model_folder(self.name)
        self.model_id = f"{Path(self.name).name}@{_content_hash(self.folder)}"

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "folder": self.folder, "model_id": self.model_id}

    @cached_property
    def dimension(self) -> int:
        """Floats a vector."""
        return _stated_dimension(self.folder) or int(self._model.get_embedding_dimension())

    @cached_property
    def languages(self) -> frozenset[str] | None:
        """What the model's card states; None when it states nothing."""
        from huggingface_hub import metadata_load  # noqa: PLC0415

        stated: Any = None
        with contextlib.suppress(Exception):  # no card, or one that is no YAML, states nothing
            stated = (metadata_load(self.folder / "README.md") or {}).get("language")
        codes = [stated] if isinstance(stated, str) else stated or []
        return frozenset(str(code).split("-")[0].lower() for code in codes if code != "multilingual") or None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows, float32, shape (len(texts), dimension); zeros for a blank text."""
        import torch  # noqa: PLC0415

        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            windows = [self._windows(text) if text else [] for text in map(readable, texts)]
            return encode_windows(windows, self._forward, self.dimension)
        finally:
            torch.set_num_threads(threads)

    def _windows(self, text: str) -> list[Tokens]:
        model = self._model
        prompt = model.prompts.get(model.default_prompt_name or "", "")
        size = model.max_seq_length or 512
        cut = model.tokenizer(prompt + text, truncation=True, max_length=size, return_overflowing_tokens=True, stride=0)
        windows: list[Tokens] = cut["input_ids"]
        return windows

    def _forward(self, windows: list[Tokens]) -> NDArray[np.float32]:
        import torch  # noqa: PLC0415

        ids = torch.tensor(windows)
        with torch.inference_mode():
            rows = self._model.forward({"input_ids": ids, "attention_mask": torch.ones_like(ids)})["sentence_embedding"]
        vectors: NDArray[np.float32] = rows.to(torch.float32).numpy()
        lengths: NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / lengths

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils import logging  # noqa: PLC0415

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # of loading the weights; the bar of the embedding is the caller's
        try:
            return SentenceTransformer(str(self.folder), device="cpu", local_files_only=True).eval()
        except Exception as error:  # the libraries below raise whatever they like for a folder that holds no model
            raise EmbedderError(
                f"The folder {self.folder} holds no sentence-transformers model ({_first_line(error)})."
            ) from error


def _model_folder(name: str) -> Path:
    """The folder of a model: the one that was named, or the hub's local copy, downloaded if there is none yet."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder.resolve()
    if folder.is_absolute() or name.startswith(("./", "../", "~")):
        raise EmbedderError(f"The model folder {name} does not exist.")

    from huggingface_hub import HfApi, snapshot_download  # noqa: PLC0415

    repository = name if "/" in name else f"sentence-transformers/{name}"
    with contextlib.suppress(Exception):  # not on this disk, or no valid name: the hub's answer below says which
        copy = Path(snapshot_download(repository, local_files_only=True))
        if (copy / "modules.json").exists() and any((*copy.glob("*.safetensors"), *copy.glob("*.bin"))):
            return copy  # else a download was cut short
    try:
        # Asked first because a download retries for over a minute where there is no network.
        stored = {sibling.rfilename for sibling in HfApi().model_info(repository, timeout=10).siblings or []}
        wanted = [*_DECISIVE, "README.md"]
        twice = ["*.bin"] if any(file.endswith(".safetensors") for file in stored) else []
        return Path(snapshot_download(repository, allow_patterns=wanted, ignore_patterns=[*twice, "onnx/*", "openvino/*"]))
    except Exception as error:
        raise EmbedderError(
            f"The model {name} is not on this disk and could not be fetched ({_first_line(error)}); "
            "name a folder that holds it, or run once with access to huggingface.co."
        ) from error


def _stated_dimension(folder: Path) -> int | None:
    """The output size of the last module that states one, read without loading the model."""
    with contextlib.suppress(OSError, ValueError, LookupError):
        for module in reversed(json.loads((folder / "modules.json").read_text("utf-8"))):
            config = folder / module["path"] / "config.json"
            stated = json.loads(config.read_text("utf-8")) if module["path"] and config.is_file() else {}
            for key in ("out_features", "embedding_dimension", "word_embedding_dimension"):
                if isinstance(stated.get(key), int):
                    return int(stated[key])
    return None


def _content_hash(folder: Path) -> str:
    """12 hex digits over the files that decide a vector: a model trained further under the same name is another model."""
    digest = hashlib.sha256()
    decisive = {path for pattern in _DECISIVE for path in folder.rglob(pattern) if path.is_file()}
    for path in sorted(decisive):
        digest.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
