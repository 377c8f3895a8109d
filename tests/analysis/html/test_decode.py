"""Which codec a page is in, when the header, the meta element and the bytes disagree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.html.decode import decode_html

RUSSIAN = "Продажа окон и дверей в Москве"
BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("body", "content_type", "text", "codec"),
    [
        pytest.param(b'<meta charset="iso-8859-1"><p>M\xf6\xf6se</p>', "", "Möös", "cp1252", id="B1-true-meta-no-detector"),
        pytest.param(
            b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>',
            "text/html; charset=utf-8",
            "Привет",
            "cp1251",
            id="B2-header-does-not-fit-meta-does",
        ),
        pytest.param(BOM + "<p>Мир</p>".encode(), "text/html; charset=cp1251", "<p>Мир", "utf-8", id="B3-bom-wins"),
        pytest.param("<p>ПРОДАЖА ОКОН".encode("cp1251"), "", "ПРОДАЖА ОКОН", "cp1251", id="B5-undeclared-capitals"),
        pytest.param("<p>продажа окон".encode("cp1251"), "", "продажа окон", "cp1251", id="B5-undeclared-small-letters"),
        pytest.param(b"<p>one\x00</p><p>two</p>", "text/html", "<p>one</p><p>two</p>", "utf-8", id="B6-nul"),
        pytest.param(f"<p>{RUSSIAN}".encode("koi8-r"), "", RUSSIAN, "koi8-u", id="undeclared-koi8"),
        pytest.param("<p>Київ, їжак і ґанок. Дуже гарна мова".encode("cp1251"), "", "їжак і ґанок", "cp1251", id="undeclared-uk"),
        pytest.param("<p>Größe und Übung für Männer".encode("cp1252"), "", "Größe und Übung", "cp1252", id="undeclared-german"),
        pytest.param(
            "<p>这是一个中文的页面，测试一下编码。".encode("gbk"), "", "这是一个中文", "gb18030", id="undeclared-chinese"
        ),
        pytest.param(
            f"<p>{RUSSIAN}".encode(), "text/html; charset=windows-1251", RUSSIAN, "utf-8", id="utf8-whatever-is-declared"
        ),
        pytest.param(f"<p>{RUSSIAN}".encode("cp1251"), "text/html; charset=utf-8", RUSSIAN, "cp1251", id="false-header-no-meta"),
        pytest.param(
            f"<p>{RUSSIAN}".encode() + b" \xff" + f"{RUSSIAN}".encode(),
            "text/html; charset=utf-8",
            RUSSIAN + " \ufffd",
            "utf-8",
            id="one-bad-byte-is-a-slip",
        ),
        pytest.param(b'<meta charset="utf-16"><p>plain', "", "plain", "utf-8", id="utf16-in-ascii-is-impossible"),
        pytest.param("<p>юг".encode("utf-16-le"), "text/html; charset=utf-16le", "<p>юг", "utf-16-le", id="utf16-without-bom"),
        pytest.param(b"<p>x", 'text/html; charset="no-such-codec"', "<p>x", "utf-8", id="unknown-label"),
        pytest.param(b"", "", "", "utf-8", id="empty"),
    ],
)
def test_decode(body: bytes, content_type: str, text: str, codec: str) -> None:
    decoded, used = decode_html(body, content_type)
    assert text in decoded
    assert used == codec


def test_meta_after_long_head_is_found() -> None:
    body = b"<head>" + b'<link rel="x" href="y">' * 60 + b'<meta charset="windows-1251">' + "<p>Мир".encode("cp1251")
    assert decode_html(body)[0].endswith("Мир")


@given(st.binary(max_size=300), st.text(max_size=40))
def test_never_raises_nor_keeps_nul(body: bytes, content_type: str) -> None:
    text, codec = decode_html(body, content_type)
    assert "\0" not in text
    b"".decode(codec)
