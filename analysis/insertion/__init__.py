"""Putting a link into an HTML or Markdown source safely, and taking it out again.

The bytes become characters (source_bytes), these become blocks that know their place in the source (html_source, on html_tokens,
open_elements and html_nesting; markdown_source, on markdown_inline and markdown_emphasis; both give source_blocks). In a block a
phrase is found as whole words (graphemes, matching), outside of what a template engine reads (template_syntax). source_page holds
all rules about where a link may stand, splice puts it there; refusal says why not.
"""

from analysis.insertion.link_markup import Markup
from analysis.insertion.refusal import Refusal
from analysis.insertion.source_bytes import UnsafeEncodingError
from analysis.insertion.source_page import LinkRequest, SourcePage, Spot
from analysis.insertion.splice import Inserted, InsertionRules, insert_link, insert_links, remove_link

__all__ = [
    "Inserted",
    "InsertionRules",
    "LinkRequest",
    "Markup",
    "Refusal",
    "SourcePage",
    "Spot",
    "UnsafeEncodingError",
    "insert_link",
    "insert_links",
    "remove_link",
]
