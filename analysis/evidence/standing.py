"""How a target stands among the other candidates of its page: its rank by each of the strong signals.

Values differ from site to site and from model to model; ranks do not, so what they teach on one site holds on another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

RANKED: Final = (
    "csls",
    "article_title",
    "shared_terms",
    "title_share",
    "title_mass",
    "mention_in_context",
    "cued_share",
    "anchor",
    "name",
    "key_terms",
    "neighbour_vote",
    "co_linking",
)

FEATURES: Final = {f"{name}_rank": f"log(1 + candidates with a higher {name}), 0 to about 6" for name in RANKED}


def measure(columns: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """The ranks of each column of :data:`RANKED`; equal values share the worst rank, so "none at all" is never good."""
    ranks = {}
    for name in RANKED:
        values = columns[name]
        higher = len(values) - np.searchsorted(np.sort(values), values, side="left") - 1
        ranks[f"{name}_rank"] = np.log1p(higher).astype(np.float32)
    return ranks
