from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.insertion.source_bytes import UnsafeEncodingError, read_source


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec="gb18030"), max_size=600), st.sampled_from(["utf-8", "utf-16-le", "utf-32-be", "gb18030"]))
def test_offsets_are_those_of_the_encoder(text, codec):
    source = read_source(text.encode(codec), codec)
    if text.startswith("\ufeff"):
        return
    assert source.text == text
    for index in {0, len(text) // 2, len(text)}:
        assert source.offset(index) == len(text[:index].encode(codec))


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_no_text_and_wins(codec):
    body = "яa".encode(codec)
    source = read_source(body, "cp1251")
    assert source.text == "яa"
    assert source.offset(2) == len(body)
    assert source.offset(0) == len(body) - len("яa".encode(source.codec))


def test_broken_bytes():
    source = read_source(b"\xe4a\xffb", "utf-8")
    assert source.text == "\ufffda\ufffdb"
    assert source.offset(2) == 2
    assert source.offset(1) is None  # the decoder gives up on the first byte when it sees the second


def test_text_that_the_encoding_does_not_hold():
    assert read_source(b"x", "cp1251").encode("ä") == b"&#228;"


@pytest.mark.parametrize("codec", ["iso-2022-jp", "utf-7", "hz", "nonsense"])
def test_unsafe_encodings(codec):
    with pytest.raises(UnsafeEncodingError):
        read_source(b"x", codec)
