"""The language model: any OpenAI-compatible chat endpoint, within the spending cap; its answers are kept and not paid for twice.

The request: https://platform.openai.com/docs/api-reference/chat.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from analysis.hosted import Endpoint, HostedError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

_TABLE: Final = "CREATE TABLE IF NOT EXISTS chat_answer (digest BLOB PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID"
_BYTES_A_TOKEN: Final = 3
_ANSWER_TOKENS: Final = 1000  # at most; a paragraph and its anchor


class CapReachedError(HostedError):
    """The next call would pass the spending cap."""


class Chat:
    """One model at one endpoint; ``spent`` counts tokens as the service does."""

    def __init__(self, endpoint: Endpoint, model: str, max_tokens: int, connection: sqlite3.Connection) -> None:
        self._endpoint = endpoint
        self._model = model
        self._max_tokens = max_tokens
        self._connection = connection
        self._connection.execute(_TABLE)
        self.spent = 0

    def ask(self, messages: Sequence[dict[str, str]]) -> str:
        """The model's answer.

        :raises CapReachedError: before a call that the cap does not allow.
        :raises HostedError: if the service fails.
        """
        question = {"model": self._model, "messages": list(messages), "temperature": 0, "max_tokens": _ANSWER_TOKENS}
        written = json.dumps(question, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace")
        digest = hashlib.sha256(self._endpoint.base.encode() + b"\0" + written).digest()
        kept = self._connection.execute("SELECT answer FROM chat_answer WHERE digest = ?", (digest,)).fetchone()
        if kept:
            return str(kept[0])
        expected = len(written) // _BYTES_A_TOKEN + _ANSWER_TOKENS
        if self.spent + expected > self._max_tokens:
            raise CapReachedError(f"the cap of {self._max_tokens:,} tokens (INTERLINK_API_MAX_TOKENS) is reached")
        answer = self._endpoint.post("/chat/completions", question)
        usage = answer.get("usage")
        used = usage.get("total_tokens") if isinstance(usage, dict) else None
        self.spent += used if isinstance(used, int) else expected
        text = _content(answer)
        self._connection.execute("INSERT OR REPLACE INTO chat_answer VALUES (?, ?)", (digest, text))
        self._connection.commit()
        return text


def _content(answer: dict[str, Any]) -> str:
    """The text of the first choice; "" where there is none, or it was cut off."""
    try:
        choice = answer["choices"][0]
        return str(choice["message"]["content"] or "") if choice.get("finish_reason") in (None, "stop") else ""
    except (KeyError, IndexError, TypeError):
        return ""
