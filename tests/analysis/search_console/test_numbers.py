from __future__ import annotations

import math

import pandas as pd
import pytest

from analysis.search_console.numbers import is_number, read_numbers


def values(*cells: object, whole: bool = False) -> list[float]:
    return read_numbers(pd.Series(cells, dtype=object), whole=whole).value.tolist()


@pytest.mark.parametrize(
    ("cells", "whole", "expected"),
    [
        (("9,99", "0,75"), False, [9.99, 0.75]),
        (("1.234", "12"), True, [1234, 12]),
        (("1,234", "12"), True, [1234, 12]),
        (("1,234", "5,678"), False, [1.234, 5.678]),
        (("1.234,5", "12,25"), False, [1234.5, 12.25]),
        (("1,234.5", "12.25"), False, [1234.5, 12.25]),
        (("1.234.567", "1.234"), True, [1234567, 1234]),
        (("12,34,567",), True, [1234567]),
        (("1\u00a0234", "1\u202f234", "1 234", "1'234", "1’234"), True, [1234] * 5),
        (("12.0", "7.0"), True, [12, 7]),
        (("-0.02", "+3", "−4"), False, [-0.02, 3, -4]),
        (("٣٫٥", "١٢"), False, [3.5, 12]),
        (("3.50", "2,5"), False, [3.5, 2.5]),
        ((3, 2.5, None), False, [3, 2.5, math.nan]),
    ],
)
def test_a_column_decides_what_its_marks_mean(cells: tuple[object, ...], whole: bool, expected: list[float]) -> None:
    assert values(*cells, whole=whole) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("cell", ["2,35 %", "2.35%", "%2,35", "2,35\u00a0%", "２.35％"])
def test_percent_signs_of_all_kinds(cell: str) -> None:
    found = read_numbers(pd.Series([cell], dtype=object), whole=False)
    assert found.value.tolist() == pytest.approx([0.0235])
    assert found.percent


@pytest.mark.parametrize(
    ("cell", "most"), [("<10", 10), ("< 10", 10), ("≤10", 10), ("<1.000", 1000), ("~", math.inf), ("-", math.inf), ("", math.inf)]
)
def test_what_is_hidden_stays_unknown(cell: str, most: float) -> None:
    found = read_numbers(pd.Series([cell, "3"], dtype=object), whole=True)
    assert math.isnan(found.value[0])
    assert found.most.tolist() == [most, 3]
    assert found.unread == ()


@pytest.mark.parametrize("cell", ["many", "12 of 30", "2026-01-02", "1.2K"])
def test_what_is_no_number_is_kept_as_an_example(cell: str) -> None:
    found = read_numbers(pd.Series([cell], dtype=object), whole=True)
    assert math.isnan(found.value[0])
    assert found.unread == (cell,)
    assert not is_number(cell)
