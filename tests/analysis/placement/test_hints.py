from __future__ import annotations

import pytest

from analysis.placement.hints import nearest_sentence, subject
from analysis.placement.names import SiteNames
from analysis.placement.places import SourceText
from tests.analysis.small_site import write_page

TARGET = write_page(1, "Winter tyres", "Studs grip the ice, and soft rubber grips the snow.\nStuds are worn down on dry roads.")
NAMES = SiteNames({"en": 50}, {"en": {"the": 50, "road": 20}}, {})


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("Nothing to see in this line at all.\nIn the winter months she takes the tram.", "winter"),
        ("Nothing to see in this line at all.\nOn the ice he rides with studs in the rubber.", "studs"),
    ],
    ids=["title words", "what the target is about"],
)
def test_the_sentence_that_shares_most_is_the_hint(text: str, nearest: str) -> None:
    found = nearest_sentence(SourceText(write_page(0, "Source", text)), NAMES.target(TARGET.head), subject(TARGET, NAMES))
    assert found is not None
    assert nearest in found.text


def test_a_text_on_something_else_has_no_hint() -> None:
    source = SourceText(write_page(0, "Source", "Bread is baked before dawn and sold by noon."))
    assert nearest_sentence(source, NAMES.target(TARGET.head), subject(TARGET, NAMES)) is None
