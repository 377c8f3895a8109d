"""A real Scrapyd on loopback: the egg is built and deployed, jobs are scheduled, and their plans are read."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
import requests

from analysis.outputs.tables import read_rows
from analysis.store import CrawlStore, UrlState
from demo.serve import SITE, Folder, Request, Response
from tests.command import HURRY, ROOT
from tests.server import LocalServer

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent
AUTH = ("planner", "s3cret")
SETTINGS = {**HURRY, "INTERLINK_WORKERS": "1"}


@dataclass(frozen=True)
class Daemon:
    url: str
    folder: Path

    def get(self, service: str, **query: str) -> dict:
        return requests.get(f"{self.url}/{service}", params=query, auth=AUTH, timeout=10).json()

    def post(self, service: str, data: list[tuple[str, str]]) -> dict:
        answer = requests.post(f"{self.url}/{service}", data=data, auth=AUTH, timeout=30).json()
        assert answer["status"] == "ok", answer
        return answer

    def schedule(self, sitemap: str, **settings: str) -> str:
        chosen = {**SETTINGS, "INTERLINK_OUTPUT_DIR": str(self.folder / "output"), **settings}
        pairs = [("project", "interlink"), ("spider", "interlink"), ("sitemap", sitemap)]
        return self.post("schedule.json", pairs + [("setting", f"{k}={v}") for k, v in chosen.items()])["jobid"]

    def cancel(self, job: str) -> None:
        self.post("cancel.json", [("project", "interlink"), ("job", job)])

    def state(self, job: str) -> str:
        jobs = self.get("listjobs.json", project="interlink")
        return next(state for state in ("pending", "running", "finished") if any(j["id"] == job for j in jobs[state]))

    def wait(self, job: str) -> str:
        """Wait until a job has ended, and return its log."""
        wait_until(lambda: self.state(job) == "finished")
        return (self.folder / "logs" / "interlink" / "interlink" / f"{job}.log").read_text(encoding="utf-8")

    def site_folder(self, server: LocalServer) -> Path:
        return self.folder / "output" / server.origin.removeprefix("http://").replace(":", "_")


def wait_until(is_true, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=5).status_code == 401
    except requests.ConnectionError:
        return False


class Gate:
    """A blog whose articles, but for the first few that are asked for, are held back until the gate is opened."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self._folder = Folder(SITE)
        self._passed = itertools.count()
        articles = [path.parent.relative_to(SITE).as_posix() for path in SITE.glob("*/*/index.html")]
        self.server = LocalServer({quote(f"/{article}/"): self._answer for article in articles}, folder=SITE)

    def _answer(self, request: Request) -> Response:
        if next(self._passed) >= 6:
            self.open.wait(100)
        return self._folder(request)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scrapyd")
    port = free_port()
    config = f"[scrapyd]\nhttp_port = {port}\nusername = {AUTH[0]}\npassword = {AUTH[1]}\nmax_proc = 3\npoll_interval = 0.2\n"
    (folder / "scrapyd.conf").write_text(config + "jobs_to_keep = 100\n")
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SCRAPY_SETTINGS_MODULE")}
    log = (folder / "daemon.log").open("wb")
    process = subprocess.Popen([BIN / "scrapyd", "--pidfile="], cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(f"{url}/daemonstatus.json"), 30)
        deploy(folder / "checkout", url)
        yield Daemon(url, folder)
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def deploy(checkout: Path, url: str) -> None:
    """Build the egg from a copy (setuptools leaves its own folders beside it) and send it, as docs/scrapyd.md says."""
    for package in ("analysis", "interlink_spider"):
        shutil.copytree(ROOT / package, checkout / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "setup.py", checkout)
    target = f"[deploy]\nurl = {url}/\nproject = interlink\nusername = {AUTH[0]}\npassword = {AUTH[1]}\n"
    (checkout / "scrapy.cfg").write_text(f"[settings]\ndefault = interlink_spider.settings\n\n{target}")
    done = subprocess.run([BIN / "scrapyd-deploy"], cwd=checkout, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"status": "ok"' in done.stdout and '"spiders": 1' in done.stdout, done.stdout


def test_a_job_leaves_its_plan_where_the_setting_says(daemon):
    with LocalServer(folder=SITE) as server:
        job = daemon.schedule(server.url("/robots.txt"))
        log = daemon.wait(job)
    kept = daemon.site_folder(server) / "jobs" / "interlink" / job
    assert str(kept) in log and "36 articles" in log
    summary = json.loads((kept / "summary.json").read_text(encoding="utf-8"))
    assert summary["pages"] == 36 and summary["complete"]
    plan = read_rows(kept / "interlink_plan.csv")
    assert len(plan) == summary["links_proposed"] and any(row["placement"] == "wrap" for row in plan)
    assert (daemon.site_folder(server) / "interlink_plan.csv").read_bytes() == (kept / "interlink_plan.csv").read_bytes()


def test_without_the_password_nothing_is_scheduled(daemon):
    assert requests.post(f"{daemon.url}/schedule.json", data={"project": "interlink"}, timeout=10).status_code == 401


def test_the_zipped_egg_writes_the_report_too(daemon):
    """Its templates and scripts are data files inside the zip."""
    (egg,) = (daemon.folder / "eggs" / "interlink").glob("*.egg")
    (site,) = {path.parents[2] for path in (daemon.folder / "output").glob("*/jobs/interlink/*")}
    code = "import sys; sys.path.insert(0, sys.argv[1])\nfrom analysis.outputs.report import write_report\nfrom pathlib import Path\n"
    code += "import analysis; assert '.egg' in analysis.__file__\nprint(write_report(Path(sys.argv[2])))"
    done = subprocess.run(
        [sys.executable, "-c", code, egg, site], cwd=daemon.folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert (site / "report.html").stat().st_size > 10_000


def test_two_sites_side_by_side_and_one_site_one_job_at_a_time(daemon):
    gates = Gate(), Gate()
    with gates[0].server as first, gates[1].server as second:
        jobs = [daemon.schedule(server.url("/robots.txt")) for server in (first, second)]
        wait_until(lambda: len(first.log) > 3 and len(second.log) > 3)
        assert [daemon.state(job) for job in jobs] == ["running", "running"]

        asked = len(second.log)
        refused = daemon.wait(daemon.schedule(first.url("/robots.txt")))
        assert "Another crawl of this site is running" in refused
        assert len(second.log) >= asked and [daemon.state(job) for job in jobs] == ["running", "running"]

        for job in jobs:
            daemon.cancel(job)
        for gate in gates:
            gate.open.set()  # a cancelled job waits for the answers that are under way
        for job, server in zip(jobs, (first, second), strict=True):
            daemon.wait(job)
            with CrawlStore.open(daemon.site_folder(server)) as store:
                assert store.last_run()[0] == "shutdown"
                assert any(store.urls.in_states(UrlState.PENDING))

        before = first.paths(200)
        log = daemon.wait(daemon.schedule(first.url("/robots.txt")))
        assert "Going on with the crawl" in log
        pages = [path for path in first.paths(200) if path.startswith(("/en/", "/ru/"))]
        twice = len(pages) - len(set(pages))
        assert len(before) > 3 and twice <= 4, "more than what was in flight was fetched again"
    summary = json.loads((daemon.site_folder(first) / "summary.json").read_text(encoding="utf-8"))
    assert summary["pages"] == 36 and summary["complete"]
