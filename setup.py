"""Builds the egg that Scrapyd runs: both packages with their data files, and no tests."""

from setuptools import find_packages, setup

setup(
    name="interlink",
    version="1.0.0",
    packages=find_packages(include=["interlink_spider", "interlink_spider.*", "analysis", "analysis.*"]),
    package_data={"analysis": ["data/*", "outputs/report/templates/*", "outputs/report/assets/*"]},
    python_requires=">=3.11",
    # An egg stays one zip file, so data is read with importlib.resources, never by path.
    zip_safe=False,
    entry_points={"scrapy": ["settings = interlink_spider.settings"]},
)
