"""Reads Markdown source into blocks whose every character knows its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.link_markup import Markup
    from analysis.source_blocks import SourceDocument


def read_markdown(text: str, markup: Markup) -> SourceDocument:
    """The blocks and links of a Markdown document."""
    raise NotImplementedError
