from __future__ import annotations

import http.client
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from demo.serve import SITE, serve
from tests.server import LocalServer, page, redirect, sitemap, sitemap_index, slow, too_busy

ROOT = Path(__file__).parents[1]


def fetch(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body, redirects not followed, no exception for 4xx and 5xx."""
    parts = urlsplit(url)
    assert parts.hostname and parts.port
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    try:
        target = parts.path + ("?" + parts.query if parts.query else "")
        connection.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, dict(response.headers), response.read()
    finally:
        connection.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "index.html").write_text(
        '<a href="https://demo.example/en/">a</a> http:\\/\\/www.demo.example\\/x', "utf-8"
    )
    (tmp_path / "notes.pdf").write_bytes(b"%PDF-1.4 https://demo.example/")
    (tmp_path / "чай.txt").write_text("tea", "utf-8")
    return tmp_path


def test_a_directory_answers_with_its_index_and_the_published_address_becomes_the_local_one(folder: Path) -> None:
    with serve(folder) as origin:
        status, headers, body = fetch(origin + "/en/")
        local = origin.removeprefix("http:").replace("/", "\\/")
        assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert body.decode() == f'<a href="{origin}/en/">a</a> http:{local}\\/x'


def test_a_directory_named_without_its_slash_is_redirected(folder: Path) -> None:
    with serve(folder) as origin:
        status, headers, _ = fetch(origin + "/en")
        assert (status, headers["Location"]) == (301, "/en/")


def test_binary_files_are_sent_untouched(folder: Path) -> None:
    with serve(folder) as origin:
        status, headers, body = fetch(origin + "/notes.pdf")
        assert (status, headers["Content-Type"], body) == (200, "application/pdf", b"%PDF-1.4 https://demo.example/")


def test_percent_encoded_paths_are_decoded(folder: Path) -> None:
    with serve(folder) as origin:
        assert fetch(origin + "/%D1%87%D0%B0%D0%B9.txt")[2] == b"tea"


@pytest.mark.parametrize("path", ["/nothing", "/en/nothing/", "/notes.pdf/", "/..%2f..%2fetc/passwd", "/%00", "/" + "a" * 5000])
def test_a_path_without_a_file_is_404(folder: Path, path: str) -> None:
    with serve(folder) as origin:
        assert fetch(origin + path)[0] == 404


def test_a_file_outside_the_folder_is_never_served(folder: Path) -> None:
    with serve(folder / "en") as origin:
        assert fetch(origin + "/../notes.pdf")[0] == 404


def test_the_site_s_own_page_stands_for_404(folder: Path) -> None:
    (folder / "404.html").write_text("Lost", "utf-8")
    with serve(folder) as origin:
        status, _, body = fetch(origin + "/nothing")
        assert (status, body) == (404, b"Lost")


def test_an_unchanged_file_is_304_and_a_changed_one_200(folder: Path) -> None:
    with serve(folder) as origin:
        tag = fetch(origin + "/en/")[1]["ETag"]
        status, headers, body = fetch(origin + "/en/", If_None_Match=f'"other", W/{tag}')
        assert (status, headers["ETag"], body) == (304, tag, b"")
        (folder / "en" / "index.html").write_text("new", "utf-8")
        assert fetch(origin + "/en/", If_None_Match=tag)[0] == 200


def test_head_has_the_length_and_no_body(folder: Path) -> None:
    with serve(folder) as origin, urlopen(Request(origin + "/notes.pdf", method="HEAD")) as response:
        assert (response.headers["Content-Length"], response.read()) == ("30", b"")


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"), serve(tmp_path / "nowhere"):
        pass


def test_the_command_prints_its_address_first_and_stops_on_sigterm() -> None:
    command = [sys.executable, "-m", "demo.serve", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        origin = process.stdout.readline().strip()
        body = fetch(origin + "/robots.txt")[2].decode()
        process.terminate()
        assert f"Sitemap: {origin}/" in body
        assert process.wait(timeout=5) == 0
        assert process.stderr.read() == ""


def test_the_command_says_in_one_line_why_it_cannot_serve() -> None:
    with serve(SITE) as origin:
        command = [sys.executable, "-m", "demo.serve", "--port", origin.rpartition(":")[2]]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("Cannot serve")
    assert done.stderr.count("\n") == 1


def test_routes_of_every_form_and_the_log_of_their_use() -> None:
    routes = {
        "/text": "<p>Hé",
        "/bytes": b"\xff",
        "/page": page("{}", "application/json", X_Robots_Tag="noindex"),
        "/old": redirect("/text"),
        "/made": lambda request: f"{request.path} {request.origin}",
        "/made?b": "exact",
    }
    with LocalServer(routes) as server:
        assert fetch(server.url("/text"), User_Agent="robot")[2] == "<p>Hé".encode()
        assert fetch(server.url("/bytes"))[2] == b"\xff"
        assert fetch(server.url("/page"))[1]["X-Robots-Tag"] == "noindex"
        status, headers, _ = fetch(server.url("/old"))
        assert (status, headers["Location"]) == (301, "/text")
        assert fetch(server.url("/made?a"))[2].decode() == f"/made {server.origin}"
        assert fetch(server.url("/made?b"))[2] == b"exact"
        assert fetch(server.url("/none"))[0] == 404
    assert server.paths() == ["/text", "/bytes", "/page", "/old", "/made?a", "/made?b", "/none"]
    assert server.paths(status=404) == ["/none"]
    assert server.log[0].user_agent == "robot"
    assert [access.time for access in server.log] == sorted(access.time for access in server.log)


def test_a_list_is_answered_in_turn_and_its_last_answer_stays() -> None:
    with LocalServer({"/busy": [too_busy(), too_busy(429, "2"), "ready"]}) as server:
        answers = [fetch(server.url("/busy")) for _ in range(4)]
    assert [status for status, _, _ in answers] == [503, 429, 200, 200]
    assert [headers.get("Retry-After") for _, headers, _ in answers] == ["1", "2", None, None]


def test_a_route_with_an_etag_answers_304_and_the_log_says_so() -> None:
    with LocalServer({"/a": page("a", ETag='"1"')}) as server:
        assert fetch(server.url("/a"), If_None_Match='"1"')[0] == 304
        assert fetch(server.url("/a"), If_None_Match='"2"')[0] == 200
    assert [(access.status, access.if_none_match) for access in server.log] == [(304, '"1"'), (200, '"2"')]


def test_routes_go_before_the_folder(folder: Path) -> None:
    with LocalServer({"/en/": "route"}, folder) as server:
        assert fetch(server.url("/en/"))[2] == b"route"
        assert fetch(server.url("/notes.pdf"))[0] == 200


def test_sitemaps_name_the_server_s_own_address() -> None:
    routes = {"/index.xml": sitemap_index("/pages.xml"), "/pages.xml": sitemap("/a?x=1&y=2", "https://elsewhere.test/")}
    with LocalServer(routes) as server:
        assert f"<loc>{server.url('/pages.xml')}</loc>" in fetch(server.url("/index.xml"))[2].decode()
        pages = fetch(server.url("/pages.xml"))[2].decode()
        assert f"<loc>{server.url('/a?x=1&amp;y=2')}</loc>" in pages
        assert "<loc>https://elsewhere.test/</loc>" in pages


def test_a_slow_answer_takes_its_time_and_holds_up_nobody_else() -> None:
    with LocalServer({"/slow": slow("late", 0.2), "/fast": "now"}) as server:
        started = time.monotonic()
        waiting = threading.Thread(target=fetch, args=(server.url("/slow"),))
        waiting.start()
        assert fetch(server.url("/fast"))[2] == b"now"
        assert time.monotonic() - started < 0.2
        waiting.join()
        assert time.monotonic() - started >= 0.2


def test_stopping_waits_for_no_open_connection_and_no_slow_answer() -> None:
    before = threading.active_count()
    with LocalServer({"/": "hello", "/slow": slow("never", 60)}) as server:
        host, port = "127.0.0.1", int(server.origin.rpartition(":")[2])
        idle, waiting = http.client.HTTPConnection(host, port), http.client.HTTPConnection(host, port)
        idle.request("GET", "/")
        assert idle.getresponse().read() == b"hello"
        waiting.request("GET", "/slow")
        while not server.paths().count("/slow"):
            time.sleep(0.005)
        started = time.monotonic()
    assert time.monotonic() - started < 2
    assert threading.active_count() == before
    idle.close()
    waiting.close()
    with pytest.raises(ConnectionError):
        fetch(server.url("/"))
