"""A full disk, for real: one clear sentence, the store intact, and going on after space is made."""

from __future__ import annotations

import base64
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.store import CrawlStore, UrlKind, UrlState
from tests.command import crawl, scrapy
from tests.interlink_spider.test_crawl import article
from tests.server import LocalServer, sitemap

pytestmark = pytest.mark.slow

PAGES = 40


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1M", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield disk
    subprocess.run(["umount", disk], check=True)


def large_page(name: str) -> str:
    """Some 40 KB that do not get smaller when they are compressed."""
    noise = base64.b64encode(random.Random(name).randbytes(30_000)).decode()
    return article(f"Article {name}").replace("<nav>", f"<script>'{noise}'</script><nav>")


def test_a_full_disk_stops_the_crawl_in_one_sentence_and_costs_nothing(small_disk: Path) -> None:
    names = [f"/{number}" for number in range(PAGES)]
    with LocalServer({"/sitemap.xml": sitemap(*names), **{name: large_page(name) for name in names}}) as server:
        full = crawl(small_disk, server.url("/sitemap.xml"))
        with CrawlStore.open(full.folder) as store:
            rows = [row for row in store.urls.in_states(*UrlState) if row.kind is UrlKind.PAGE]
            stored = {page.key for page in store.pages.read()}
        done = {row.key for row in rows if row.state is UrlState.DONE}
        asked = len(server.log)
        subprocess.run(["mount", "-o", "remount,size=64M", small_disk], check=True)
        finished = crawl(small_disk, server.url("/sitemap.xml"))
        again = {server.origin.partition("//")[2] + access.path for access in server.log[asked:]}
    assert full.code == 1
    assert full.output.count("The crawl store cannot be written (database or disk is full") == 1, full.output
    assert "Traceback" not in full.output
    assert len(rows) == PAGES and {row.state for row in rows} == {UrlState.DONE, UrlState.PENDING}
    assert done == stored and done, "a page that is called done is there"
    assert finished.code == 0 and finished.summary()["pages"] == PAGES and finished.summary()["complete"], finished.output
    assert not done & again, "what was stored is not fetched again"


def test_a_plan_that_finds_no_space_says_so_and_can_be_made_again(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=8M", small_disk], check=True)
    names = [f"/{number}" for number in range(6)]
    with LocalServer({"/sitemap.xml": sitemap(*names), **{name: article(f"Article {name}") for name in names}}) as server:
        done = crawl(small_disk, server.url("/sitemap.xml"))
    plan = (done.folder / "interlink_plan.csv").read_bytes()
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    full = scrapy("plan", str(done.folder))
    assert full.returncode == 1
    assert "No space left on device" in full.stderr or "is there space on the disk?" in full.stderr, full.stderr
    assert "Traceback" not in full.stderr
    assert (done.folder / "interlink_plan.csv").read_bytes() == plan
    assert not list(done.folder.glob("*.part"))
    filler.unlink()
    assert scrapy("plan", str(done.folder)).returncode == 0
    assert (done.folder / "interlink_plan.csv").read_bytes() == plan
