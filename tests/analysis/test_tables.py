"""CSV files: harmless in a spreadsheet, and read back as they were written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.outputs.tables import neutral, original, read_table, write_table


@pytest.mark.parametrize(
    "text", ["=1+1", "+7 900 000", "@home", "\t=1+1", "\r=1", " =1+1", "\u00a0=1+1", "＝1+1", "-2+3", "=HYPERLINK(1)"]
)
def test_a_formula_gets_an_apostrophe(text: str) -> None:
    assert neutral(text) == "'" + text


@pytest.mark.parametrize("text", ["-0.02", "-", "+5", "12", "plain", "a=b", "", "it's"])
def test_what_is_no_formula_stays(text: str) -> None:
    assert neutral(text) == text


@given(st.text())
def test_the_guard_can_be_taken_off_again(text: str) -> None:
    assert original(neutral(text)) == text


def test_numbers_are_untouched_and_all_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_table(path, ["a", "b"], [["=x", -0.02], ["Привет, «мир»", 3]], bom=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbfa,b\n")
    assert read_table(path).to_numpy().tolist() == [["=x", "-0.02"], ["Привет, «мир»", "3"]]


def test_a_file_that_a_spreadsheet_saved_again_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("\ufeffa;b\r\n'=x;1,5\r\n".encode())
    assert read_table(path).to_numpy().tolist() == [["=x", "1,5"]]
