"""Why a link cannot stand where it was wanted: one sentence each, for outputs and command lines."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """A reason not to insert a link; the value is the sentence a user reads, the name its stable code."""

    # the request
    BAD_TARGET = "the target is no http(s) address"
    BAD_ANCHOR = "the anchor is empty or a single character"
    SELF_LINK = "the target is the page itself"
    ALREADY_LINKED = "the article already links to the target"
    TOO_MANY_LINKS = "the article has as many links as it may have"
    TOO_MANY_NEW_LINKS = "this run has given the page as many links as it may"
    ALREADY_RUN = "this run has been over the page before"
    # the source
    BAD_ENCODING = "the bytes cannot be changed safely in this encoding"
    BLOCK_NOT_FOUND = "the paragraph is not in the source, or has changed"
    ANCHOR_NOT_FOUND = "the words are not in the text"
    NO_WORD_BOUNDARY = "no word boundary: the words stand only inside other words"
    LONGER_PHRASE = "the words are part of a longer phrase that is linked in this run"
    # the place
    IN_LINK = "the words stand in an existing link"
    TANGLED_LINK = "the words stand in or next to a nested or unclosed link"
    IN_HEADING = "the words stand in a heading"
    IN_CODE = "the words stand in code"
    IN_CONTROL = "the words stand in a form control or a button"
    IN_LABEL = "the words stand in a caption, label or title"
    IN_QUOTE = "the words stand in a quotation of somebody else"
    IN_FURNITURE = "the words stand in a header, footer, menu or sidebar"
    IN_TABLE = "the words stand in a table cell that holds no paragraph"
    IN_TEMPLATE = "the words stand in template or shortcode syntax, or too near to it to be sure"
    NOT_PROSE = "the words are not visible text of the article"
    CROSSES_MARKUP = "the words cross the boundary of an element"
    UNSAFE_MARKUP = "the source around the words is ambiguous"
    # undo
    CHANGED = "the source has changed in this place since the link was inserted"
