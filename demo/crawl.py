"""``make crawl`` without a SITEMAP: serve the demo blog on loopback, crawl it, and leave the plan below ``output``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from demo.serve import serve

PORT = 8765  # a fixed one, so that each run finds the store of the last one


def main() -> int:
    """Run the real command against the demo blog; further arguments go to ``scrapy crawl``."""
    scrapy = Path(sys.executable).with_name("scrapy")
    with serve(port=PORT) as origin:
        # The blog is on this machine, so nobody needs to be spared.
        hurry = ["-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False"]
        command = [str(scrapy), "crawl", "interlink", "-a", f"sitemap={origin}/robots.txt", *hurry, *sys.argv[1:]]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
