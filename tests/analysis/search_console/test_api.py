from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from analysis.search_console import read_export
from analysis.search_console.api import INSTALL, ROWS_AT_ONCE, ApiError, download
from tests.analysis.search_console.api_double import ApiDouble

ROWS = [
    ("https://a.test/1", "red shoes", 30, 400, 3.0),
    ("https://a.test/1", "blue shoes", 2, 100, 8.0),
    ("https://a.test/2", "hats", 5, 50, 1.5),
]
PERIOD = (date(2026, 1, 1), date(2026, 3, 31))


@pytest.fixture(scope="module")
def private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(encoding, form, serialization.NoEncryption()).decode()


def key_file(folder: Path, private_key: str, double: ApiDouble) -> Path:
    account = {
        "type": "service_account", "client_email": "reader@project.test", "private_key_id": "1", "private_key": private_key,
        "token_uri": double.url + "/token",
    }  # fmt: skip
    path = folder / "key.json"
    path.write_text(json.dumps(account))
    return path


def test_what_is_fetched_reads_as_an_export(tmp_path: Path, private_key: str) -> None:
    told: list[tuple[str, int]] = []
    with ApiDouble(ROWS) as double:
        path = tmp_path / "export.zip"
        key = key_file(tmp_path, private_key, double)
        found = download(
            "sc-domain:a.test", *PERIOD, key, path, endpoint=double.url, progress=lambda table, rows: told.append((table, rows))
        )
    assert found.rows == {"pages": 2, "queries": 3}
    assert told == [("pages", 2), ("queries", 3)]
    assert any("never named" in note for note in found.notes)
    export = read_export(path, ["a.test/1", "a.test/2"])
    assert export.pages[["clicks", "impressions", "position"]].values.tolist() == [[32, 500, 4], [5, 50, 1.5]]
    assert export.queries["query"].tolist() == ["blue shoes", "red shoes", "hats"]
    site, question = double.asked[0]
    assert site == "sc-domain:a.test"
    assert (question["startDate"], question["endDate"], question["type"]) == ("2026-01-01", "2026-03-31", "web")
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_pages_of_rows_are_asked_for_until_none_is_left(tmp_path: Path, private_key: str) -> None:
    many = [(f"https://a.test/{n}", "x", 1, 2, 1.0) for n in range(ROWS_AT_ONCE * 2 + 1)]
    with ApiDouble(many) as double:
        key = key_file(tmp_path, private_key, double)
        found = download("sc-domain:a.test", *PERIOD, key, tmp_path / "e.zip", endpoint=double.url)
    assert found.rows == {"pages": 50_001, "queries": 50_001}
    assert [question["startRow"] for _, question in double.asked[:4]] == [0, 25_000, 50_000, 50_001]
    assert any("50,001 rows of pages" in note and "50,000 a day" in note for note in found.notes)


def test_a_passing_fault_is_outlived(tmp_path: Path, private_key: str) -> None:
    with ApiDouble(ROWS, faults=2) as double:
        key = key_file(tmp_path, private_key, double)
        assert download("sc-domain:a.test", *PERIOD, key, tmp_path / "e.zip", endpoint=double.url).rows["queries"] == 3


@pytest.mark.parametrize(
    ("site", "refuse", "words"),
    [
        ("sc-domain:a.test", True, ["reader@project.test", "add it as a user"]),
        ("https://b.test/", False, ["404", "not a verified site"]),
    ],
)
def test_a_refusal_is_told_in_a_sentence(site: str, refuse: bool, words: list[str], tmp_path: Path, private_key: str) -> None:
    with ApiDouble(ROWS, refuse=refuse) as double:
        key = key_file(tmp_path, private_key, double)
        with pytest.raises(ApiError) as caught:
            download(site, *PERIOD, key, tmp_path / "e.zip", endpoint=double.url)
    assert all(word in str(caught.value) for word in words)
    assert not (tmp_path / "e.zip").exists()


@pytest.mark.parametrize("content", ["no JSON", '{"type": "authorized_user"}'])
def test_what_is_no_key_is_refused(content: str, tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    key.write_text(content)
    with pytest.raises(ApiError, match=r"no key of a service account"):
        download("sc-domain:a.test", *PERIOD, key, tmp_path / "e.zip")


def test_a_missing_library_names_the_line_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.oauth2.service_account", None)
    with pytest.raises(ApiError) as caught:
        download("sc-domain:a.test", *PERIOD, tmp_path / "key.json", tmp_path / "e.zip")
    assert INSTALL in str(caught.value)
