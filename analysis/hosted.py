"""A hosted model behind an OpenAI-compatible HTTP API: one POST at a time, patient with a busy service, silent about its key.

The API: https://platform.openai.com/docs/api-reference; Mistral, and most servers that one runs oneself, speak the same. The
client is requests with urllib3's Retry, both of which Scrapy brings along already.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3.util import Retry

if TYPE_CHECKING:
    from requests import PreparedRequest

# A service's own variable is read for its own host only: a key must never reach a host that it was not issued by.
_KEYS: Final = {"openai.com": "OPENAI_API_KEY", "mistral.ai": "MISTRAL_API_KEY"}
OWN_KEY: Final = "INTERLINK_API_KEY"
_LOOPBACK: Final = re.compile(r"^(localhost|127(\.\d+){3}|::1)$")

_TIMEOUT: Final = (10, 120)  # seconds to connect, and between two bytes of the answer
_PASSING: Final = (408, 409, 425, 429, 500, 502, 503, 504, 529)
_TRIES: Final = 6  # waits of 1, 2, 4 … s between them, or what Retry-After says
_LONGEST_WAIT: Final = 300  # seconds; of a Retry-After


class HostedError(RuntimeError):
    """The service cannot be used; the message is one sentence for the user, and holds no key."""


@dataclass(frozen=True)
class Endpoint:
    """``base`` is the address that ``/embeddings`` and ``/chat/completions`` are appended to; it is checked when it is made."""

    base: str

    def __post_init__(self) -> None:
        """:raises HostedError: if the address cannot be used, or its service wants a key and there is none."""
        try:
            parts = urlsplit(self.base)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            usable = False
        if not usable:
            raise HostedError("INTERLINK_API_BASE is no http(s) address; an example: https://api.mistral.ai/v1")
        if parts.username or parts.password or parts.query:
            raise HostedError(f"INTERLINK_API_BASE must hold no key; put it into the environment variable {OWN_KEY}.")
        if self.key and parts.scheme == "http" and not _LOOPBACK.match(self.host):
            raise HostedError(f"A key is not sent over plain http to {self.host}; use https.")
        if not self.key and self._service:
            raise HostedError(f"{self.host} wants a key, in the environment variable {_KEYS[self._service]} or {OWN_KEY}.")

    @property
    def host(self) -> str:
        """The host alone, which messages may name."""
        return urlsplit(self.base).hostname or ""

    @property
    def key(self) -> str:
        """Read from the environment each time, so that no object, dump or pickle holds it; "" where there is none."""
        key = os.environ.get(OWN_KEY, "") or (os.environ.get(_KEYS[self._service], "") if self._service else "")
        return key.strip()

    @property
    def _service(self) -> str:
        return next((name for name in _KEYS if self.host == name or self.host.endswith("." + name)), "")

    def post(self, path: str, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question; a busy or failing service is asked again, as long and as late as it asks for.

        :raises HostedError: if no answer can be had.
        """
        try:
            # A redirect would carry the texts to a host that nobody named.
            answer = self._session.post(
                self.base.rstrip("/") + path, json=question, auth=_Bearer(self), timeout=_TIMEOUT, allow_redirects=False
            )
        except requests.RequestException as error:
            raise HostedError(f"{self.host} cannot be reached ({self._without_key(_cause(error))}).") from None
        if answer.status_code in (401, 403):
            raise HostedError(f"{self.host} refuses the key or its rights (HTTP {answer.status_code}): {self._said(answer)}")
        if answer.status_code != requests.codes.ok:
            raise HostedError(f"{self.host} answers HTTP {answer.status_code}: {self._said(answer)}")
        try:
            content = answer.json()
        except ValueError:
            content = None
        if not isinstance(content, dict):
            raise HostedError(f"{self.host} answers {path} with something that is no JSON object; is INTERLINK_API_BASE right?")
        return content

    @cached_property
    def _session(self) -> requests.Session:
        session = requests.Session()
        retry = Retry(
            total=_TRIES,
            connect=2,
            backoff_factor=1,
            backoff_jitter=0.5,
            status_forcelist=_PASSING,
            allowed_methods=None,  # POST too: to embed or to ask twice changes nothing
            raise_on_status=False,
            retry_after_max=_LONGEST_WAIT,
        )
        for scheme in ("https://", "http://"):
            session.mount(scheme, HTTPAdapter(max_retries=retry))
        return session

    def __getstate__(self) -> dict[str, Any]:
        return {"base": self.base}

    def _said(self, answer: requests.Response) -> str:
        try:
            error = answer.json()
            error = error.get("error", error)
            said = str(error.get("message") or error.get("detail") or error) if isinstance(error, dict) else str(error)
        except (ValueError, AttributeError):
            said = answer.text
        return self._without_key(" ".join(said.split()))[:300] or "nothing"

    def _without_key(self, text: str) -> str:
        return text.replace(self.key, "***") if self.key else text


class _Bearer(AuthBase):
    """Sets the header; that there is such an object also keeps requests from looking for a password in ~/.netrc."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        if self._endpoint.key:
            request.headers["Authorization"] = f"Bearer {self._endpoint.key}"
        return request


def _cause(error: BaseException) -> str:
    """What lies at the bottom of a chain of wrapped errors, in words."""
    while True:
        inner = getattr(error, "reason", None) or next((arg for arg in error.args if isinstance(arg, BaseException)), None)
        if not isinstance(inner, BaseException):
            return str(error).rpartition(": ")[2] or type(error).__name__
        error = inner
