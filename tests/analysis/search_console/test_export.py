from __future__ import annotations

import gzip
import io
import json
import math
import zipfile
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from analysis.search_console import Export, ExportError, read_export

if TYPE_CHECKING:
    from pathlib import Path

KEYS = ("a.test/1", "a.test/2", "a.test/g")


def read(folder: Path, name: str, content: bytes | str, keys: tuple[str, ...] = KEYS) -> Export:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_export(path, keys)


def archive(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zipped:
        for name, text in files.items():
            zipped.writestr(f"{name}.csv", text)
    return buffer.getvalue()


def page(export: Export, key: str) -> dict[str, float]:
    rows = export.pages[export.pages["key"] == key]
    assert len(rows) == 1
    return dict(rows.iloc[0])


# -- the same figures in every shape and language

ROWS = [  # address, query, clicks, impressions, position
    ("https://a.test/1", "red shoes", 1_234, 20_000, 3.25),
    ("https://a.test/1", "buy, shoes", 6, 900, 12.0),
    ("https://a.test/2", "blue “shoes”", 0, 41, 55.5),
]
EXPECTED = [
    (0, "buy, shoes", 6, 900, 6 / 900, 12.0),
    (0, "red shoes", 1_234, 20_000, 1_234 / 20_000, 3.25),
    (1, "blue “shoes”", 0, 41, 0.0, 55.5),
]


def delimited(header: str, delimiter: str, decimal: str, thousands: str, percent: str) -> str:
    def whole(number: int) -> str:
        return f"{number:,}".replace(",", thousands)

    def fraction(number: float, digits: int = 2) -> str:
        return f"{number:.{digits}f}".replace(".", decimal)

    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if delimiter in cell or '"' in cell else cell

    lines = [header]
    for url, query, clicks, impressions, position in ROWS:
        ctr = percent.format(fraction(100 * clicks / impressions))
        lines.append(delimiter.join(map(quoted, [url, query, whole(clicks), whole(impressions), ctr, fraction(position)])))
    return "\r\n".join(lines) + "\r\n"


def workbook() -> bytes:
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer, engine="openpyxl") as writer:
        pd.DataFrame({"Filter": ["Search type"], "Value": ["Web"]}).to_excel(writer, sheet_name="Filters", index=False)
        table = pd.DataFrame(ROWS, columns=["Page", "Query", "Clicks", "Impressions", "Position"])
        table.insert(4, "CTR", table["Clicks"] / table["Impressions"])
        table.to_excel(writer, sheet_name="Table", index=False)
    return buffer.getvalue()


def api_rows() -> list[dict[str, object]]:
    return [{"keys": [q, u], "clicks": c, "impressions": i, "ctr": c / i, "position": p} for u, q, c, i, p in ROWS]


def big_query() -> str:
    lines = ["data_date,site_url,url,query,is_anonymized_query,country,search_type,device,impressions,clicks,sum_position"]
    for url, query, clicks, impressions, position in ROWS:  # in two days; positions are counted from zero and added up
        for day, share in ((1, 0.75), (2, 0.25)):
            total = (position - 1) * impressions * share
            figures = f"{impressions * share},{clicks * share},{total}"
            lines.append(f'2026-01-0{day},sc-domain:a.test,{url},"{query}",false,deu,WEB,MOBILE,{figures}')
    return "\n".join(lines)


SHAPES: dict[str, bytes | str] = {
    "english.csv": delimited("Page,Query,Clicks,Impressions,CTR,Position", ",", ".", ",", "{}%"),
    "german.csv": "\ufeff" + delimited("Seite;Suchanfrage;Klicks;Impressionen;CTR;Position", ";", ",", ".", "{}\u00a0%"),
    "french.csv": delimited("Page;Requête;Clics;Impressions;CTR;Position", ";", ",", "\u202f", "{} %").encode("utf-16"),
    "russian.tsv": delimited("Страница\tЗапрос\tКлики\tПоказы\tCTR\tПозиция", "\t", ",", "\u00a0", "{} %").encode("utf-16-le"),
    "turkish.csv": delimited("Sayfa;Sorgu;Tıklamalar;Gösterimler;TO;Konum", ";", ",", ".", "%{}"),
    "japanese.csv": delimited("ページ,クエリ,クリック数,表示回数,CTR,掲載順位", ",", ".", ",", "{}%"),
    "cp1251.csv": delimited("Страница;Запрос;Клики;Показы;CTR;Позиция", ";", ",", " ", "{}%").encode("cp1251"),
    "unheard_of.csv": delimited("Xa,Xb,Xc,Xd,Xe,Xf", ",", ".", ",", "{}%"),
    "no_header.csv": delimited("", ",", ".", ",", "{}%"),
    "arabic.csv": delimited("صفحة;طلب البحث;النقرات;مرات الظهور;CTR;الموضع", ";", "٫", "٬", "{}٪"),
    "sep.csv": "sep=;\r\n" + delimited("Page;Query;Clicks;Impressions;CTR;Position", ";", ".", ",", "{}%"),
    "looker.csv": delimited("Landing Page,Query,Url Clicks,Impressions,URL CTR,Average Position", ",", ".", ",", "{}%"),
    "compared.csv": delimited("Page,Query,Last 28 days Clicks,Last 28 days Impressions,Last 28 days CTR,Last 28 days Position",
                              ",", ".", ",", "{}%"),
    "book.xlsx": workbook(),
    "api.json": json.dumps({"rows": api_rows(), "responseAggregationType": "byPage"}),
    "answers.json": json.dumps([{"rows": api_rows()[:2]}, {"rows": api_rows()[2:]}, {"responseAggregationType": "byPage"}]),
    "api.jsonl": "\n".join(json.dumps(row) for row in api_rows()),
    "bigquery.csv.gz": gzip.compress(big_query().encode()),
    "table.zip": archive(Tabelle=delimited("Seite;Suchanfrage;Klicks;Impressionen;CTR;Position", ";", ",", ".", "{} %")),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_and_language_reads_to_the_same_figures(name: str, tmp_path: Path) -> None:
    export = read(tmp_path, name, SHAPES[name])
    columns = ["page", "query", "clicks", "impressions", "ctr", "position"]
    found = export.queries[columns].values.tolist()
    expected = [list(row) for row in EXPECTED]
    assert len(found) == 3
    for row, wanted in zip(found, expected, strict=True):
        assert row[:2] == wanted[:2]
        assert row[2:] == pytest.approx(wanted[2:], abs=1e-9)
    assert page(export, "a.test/1")["clicks"] == 1_240
    assert page(export, "a.test/1")["position"] == pytest.approx((3.25 * 20_000 + 12 * 900) / 20_900)


# -- inputs that broke others

INTERFACE = {
    "Consultas": "Consultas principales,Clics,Impresiones,CTR,Posición\nzapatos,1,2,50%,3\n",
    "Páginas": "Páginas principales,Clics,Impresiones,CTR,Posición\nhttps://a.test/1,30,600,5%,4.5\nhttps://a.test/2,1,10,10%,9\n",
    "Gráfico": "Fecha,Clics,Impresiones,CTR,Posición\n2026-01-01,1,2,50%,3\n",
    "Filtros": "Filtro,Valor\nTipo de búsqueda,Web\n",
    "Metadatos": "Propiedad,Valor\n",
}


def test_the_archive_of_the_interface_is_read_by_content(tmp_path: Path) -> None:
    export = read(tmp_path, "a.test-Performance.zip", archive(**INTERFACE))
    assert export.read == ("Páginas.csv",)
    assert {part.name for part in export.skipped} == {"Consultas.csv", "Gráfico.csv", "Filtros.csv", "Metadatos.csv"}
    assert next(part.reason for part in export.skipped if part.name == "Consultas.csv") == "queries without pages"
    assert page(export, "a.test/1")["clicks"] == 30
    assert export.queries.empty
    assert any("pairs cannot be checked" in warning for warning in export.warnings)


def test_the_archive_filtered_to_one_page_gives_its_queries(tmp_path: Path) -> None:
    pages = (
        "Páginas principales,Clics,Impresiones,CTR,Posición\nhttps://a.test/1,30,600,5%,4.5\nhttps://a.test/1#precio,0,5,0%,9\n"
    )
    export = read(tmp_path, "one.zip", archive(**{**INTERFACE, "Páginas": pages}))
    assert export.queries[["page", "query", "clicks"]].values.tolist() == [[0, "zapatos", 1.0]]
    assert any("Consultas.csv: taken for the queries of a.test/1" in warning for warning in export.warnings)


def test_a_header_alone_is_no_rows_and_a_warning(tmp_path: Path) -> None:
    export = read(tmp_path, "links.csv", "Página con enlaces,Último rastreo\r\n")
    assert export.pages.empty
    assert any("a header and no rows" in warning for warning in export.warnings)


def test_decimal_commas_are_decided_column_by_column(tmp_path: Path) -> None:
    export = read(
        tmp_path, "e3.csv", '"Seite";"CTR";"Position"\nhttps://a.test/1;"2,35 %";"9,9"\nhttps://a.test/2;"0,75 %";"12"\n'
    )
    assert page(export, "a.test/1")["ctr"] == pytest.approx(0.0235)
    assert page(export, "a.test/1")["position"] == 9.9
    assert page(export, "a.test/2")["ctr"] == pytest.approx(0.0075)
    mixed = read(tmp_path, "mixed.csv", "Page;Impressions;Position\nhttps://a.test/1;1.234;9,9\nhttps://a.test/2;12;1,234\n")
    assert mixed.pages["impressions"].tolist() == [1_234, 12]
    assert mixed.pages["position"].tolist() == [9.9, 1.234]


def test_a_byte_order_mark_belongs_to_no_header(tmp_path: Path) -> None:
    assert page(read(tmp_path, "a.csv", "\ufeffPage,Clicks\nhttps://a.test/1,3\n"), "a.test/1")["clicks"] == 3
    assert page(read(tmp_path, "b.csv", '\ufeff"Page","Clicks"\n"https://a.test/1","3"\n'), "a.test/1")["clicks"] == 3
    wide = b"\xff\xfe" + "Page\tClicks\nhttps://a.test/1\t10".encode("utf-16-le")
    assert page(read(tmp_path, "c.csv", wide), "a.test/1")["clicks"] == 10


def test_a_comma_in_an_address_is_no_delimiter(tmp_path: Path) -> None:
    export = read(tmp_path, "a.csv", "Page;Clicks\nhttps://a.test/?a=1,2;3\nhttps://a.test/?a=3,4;5\n", ("a.test/?a=1,2",))
    assert export.pages[["page", "clicks"]].values.tolist() == [[-1, 5.0], [0, 3.0]]


def test_fragments_join_their_page_and_their_impressions_stand_apart(tmp_path: Path) -> None:
    text = "Page,Clicks,Impressions,Position\nhttps://a.test/g,3,30,4\nhttps://a.test/g#part-2,1,10,5\nhttps://a.test/g#:~:text=red,0,4,7\n"
    found = page(read(tmp_path, "a.csv", text), "a.test/g")
    assert (found["clicks"], found["impressions"], found["position"]) == (4, 30, 4)
    assert (found["fragment_clicks"], found["fragment_impressions"]) == (1, 14)
    assert found["ctr"] == pytest.approx(0.1)
    alone = page(read(tmp_path, "b.csv", "Page,Clicks,Impressions,Position\nhttps://a.test/g#part-2,1,10,5\n"), "a.test/g")
    assert (alone["clicks"], alone["impressions"], alone["fragment_impressions"]) == (1, 10, 10)


def test_spellings_of_an_address_are_one_page(tmp_path: Path) -> None:
    text = "Page,Clicks,Impressions,Position\nhttps://a.test/1,3,30,4\nhttp://www.a.test/1/?utm_source=x,1,10,8\nhttps://a.test/old,2,5,1\n"
    path = tmp_path / "a.csv"
    path.write_text(text)
    found = page(read_export(path, KEYS, {"a.test/old": "a.test/1"}), "a.test/1")
    assert (found["clicks"], found["impressions"]) == (6, 45)
    assert found["position"] == pytest.approx((30 * 4 + 10 * 8 + 5) / 45)


def test_comments_and_totals_are_no_rows(tmp_path: Path) -> None:
    text = "# ----\n# Report,of January\n\nPage,Clicks\n,120\nhttps://a.test/1,100\nGrand total,120\n"
    export = read(tmp_path, "a.csv", text)
    assert export.pages["clicks"].tolist() == [100]
    assert any("2 rows without an address" in warning for warning in export.warnings)
    total = read(tmp_path, "b.csv", "Page,Clicks,Grand total\nhttps://a.test/1,100,700\n")
    assert total.pages["clicks"].tolist() == [100]


def test_hidden_figures_stay_unknown_with_what_they_are_at_most(tmp_path: Path) -> None:
    rows = ["1,<10,50,5", "2,~,40,5", "g,7,90,2", "g/,< 10,<10,2"]
    text = "Page,Clicks,Impressions,Position\n" + "".join(f"https://a.test/{row}\n" for row in rows)
    export = read(tmp_path, "a.csv", text)
    first, second, third = (page(export, key) for key in KEYS)
    assert math.isnan(first["clicks"])
    assert first["clicks_most"] == 10
    assert math.isnan(second["clicks"])
    assert second["clicks_most"] == 40  # nobody clicks more often than they look
    assert (third["clicks"], third["clicks_most"]) == (7, 17)
    assert (third["impressions"], third["impressions_most"]) == (90, 100)


def test_cells_that_are_no_numbers_are_named(tmp_path: Path) -> None:
    export = read(tmp_path, "a.csv", "Page,Clicks\nhttps://a.test/1,many\nhttps://a.test/2,4\n")
    assert math.isnan(page(export, "a.test/1")["clicks"])
    assert any("“many”" in warning for warning in export.warnings)


@pytest.mark.parametrize(("rows", "said"), [(999, False), (1_000, True), (1_001, False), (25_000, True)])
def test_a_cap_is_said_out_loud(rows: int, said: bool, tmp_path: Path) -> None:
    text = "Page,Clicks\n,5\n" + "".join(f"https://a.test/{n},1\n" for n in range(rows))
    assert any("exactly" in warning for warning in read(tmp_path, "a.csv", text).warnings) is said


def test_only_the_web_search_counts(tmp_path: Path) -> None:
    text = "url,query,search_type,clicks,impressions,sum_position\nhttps://a.test/1,x,WEB,1,10,20\nhttps://a.test/1,x,IMAGE,5,900,9000\n"
    export = read(tmp_path, "a.csv", text)
    assert export.queries[["clicks", "impressions", "position"]].values.tolist() == [[1, 10, 3]]
    assert any("1 rows of other searches" in warning for warning in export.warnings)


def test_anonymous_queries_count_for_the_page_alone(tmp_path: Path) -> None:
    text = "url,query,clicks,impressions\nhttps://a.test/1,x,1,10\nhttps://a.test/1,,4,90\n"
    export = read(tmp_path, "a.csv", text)
    assert export.queries["query"].tolist() == ["x"]
    assert page(export, "a.test/1")["impressions"] == 100


def test_a_comparison_reads_the_first_period_and_says_so(tmp_path: Path) -> None:
    header = "Top pages,Last 28 days Clicks,Previous 28 days Clicks,Last 28 days Position,Previous 28 days Position"
    export = read(tmp_path, "a.csv", f"{header}\nhttps://a.test/1,3,1,8.5,9.5\n")
    assert (page(export, "a.test/1")["clicks"], page(export, "a.test/1")["position"]) == (3, 8.5)
    assert any("Previous 28 days Clicks" in warning for warning in export.warnings)


def test_a_table_of_pages_beside_one_of_queries_gives_the_totals(tmp_path: Path) -> None:
    both = archive(
        pages="Page,Clicks,Impressions\nhttps://a.test/1,50,900\n",
        both="Page,Query,Clicks,Impressions\nhttps://a.test/1,x,20,300\nhttps://a.test/1,y,10,100\n",
    )
    export = read(tmp_path, "a.zip", both)
    assert page(export, "a.test/1")["clicks"] == 50
    assert export.queries["clicks"].tolist() == [20, 10]


def test_parts_of_one_table_are_put_together_and_others_are_not(tmp_path: Path) -> None:
    parts = archive(
        part0="url,query,clicks,impressions\nhttps://a.test/1,x,20,300\nhttps://a.test/2,x,2,30\n",
        part1="url,query,clicks,impressions\nhttps://a.test/1,x,1,3\n",
        other="page,keyword,clicks\nhttps://a.test/1,x,999\n",
    )
    export = read(tmp_path, "a.zip", parts)
    assert export.queries["clicks"].tolist() == [21, 2]
    assert [part.name for part in export.skipped] == ["other.csv"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("queries.csv", "Top queries,Clicks,Impressions\nred shoes,1,2\n", ["queries without pages", "export the pages too"]),
        ("other.csv", "Page,Clicks\nhttps://b.test/1,3\n", ["other.csv", "a.test"]),
        ("empty.csv", "", ["empty"]),
        ("broken.zip", b"PK\x03\x04 but nothing more", ["damaged"]),
        ("broken.xlsx", archive(**{"mimetype": "x"}).replace(b"mimetype.csv", b"mimetype\0\0\0\0"), ["broken.xlsx"]),
        ("broken.csv.gz", b"\x1f\x8b nonsense", ["damaged"]),
        ("broken.json", '{"rows": [', ["JSON"]),
        ("nothing.zip", archive(), ["empty"]),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(name: str, content: bytes | str, words: list[str], tmp_path: Path) -> None:
    with pytest.raises(ExportError) as caught:
        read(tmp_path, name, content)
    assert all(word in str(caught.value) for word in words)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"cannot be read"):
        read_export(tmp_path / "none.csv", KEYS)


def test_rows_with_too_many_cells_are_counted(tmp_path: Path) -> None:
    export = read(tmp_path, "a.csv", "Page,Clicks\nhttps://a.test/1,3\nhttps://a.test/2?x=1,2,4\n")
    assert export.pages["key"].tolist() == ["a.test/1"]
    assert any("1 rows have more cells" in warning for warning in export.warnings)


def test_pages_beyond_the_crawl_are_kept_and_counted(tmp_path: Path) -> None:
    export = read(tmp_path, "a.csv", "Page,Clicks\nhttps://a.test/1,3\nhttps://a.test/new,9\nhttps://b.test/,1\n")
    assert export.unknown == 1
    assert any("b.test" in warning for warning in export.warnings)
    assert any("2 of 3 pages of the crawl" in warning for warning in export.warnings)


@pytest.mark.slow
def test_two_hundred_thousand_rows(tmp_path: Path) -> None:
    lines = ["Landing Page;Query;Url Clicks;Impressions;URL CTR;Average Position"]
    for n in range(200_000):
        impressions = 1 + n * 7919 % 9_999
        clicks = n * 31 % (impressions + 1)
        ctr, position = f"{100 * clicks / impressions:.2f} %".replace(".", ","), f"{1 + n % 5_900 / 100:.2f}".replace(".", ",")
        lines.append(f"https://a.test/blog/{n % 20_000};query {n // 3};{clicks};{impressions};{ctr};{position}")
    keys = tuple(f"a.test/blog/{n}" for n in range(20_000))
    export = read(tmp_path, "large.csv", "\n".join(lines), keys)
    assert len(export.queries) == 200_000
    assert export.pages["impressions"].sum() == sum(1 + n * 7919 % 9_999 for n in range(200_000))
