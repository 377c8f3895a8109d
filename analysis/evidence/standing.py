"""How a target stands among the other candidates of its page: its rank by each of the strong signals.

Values differ from site to site and from model to model; ranks do not, so what they teach on one site holds on another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

# The rank's name -> the column that is ranked. None of these columns depends on the links of the source page, or the judged link
# would be seen in what it does to its rivals.
RANKED: Final = {
    "csls_rank": "csls",
    "article_title_rank": "article_title",
    "shared_terms_rank": "shared_terms",
    "title_share_rank": "plain_share",
    "title_mass_rank": "plain_mass",
    "mention_in_context_rank": "plain_fit",
    "cued_share_rank": "plain_cued",
    "anchor_rank": "anchor",
    "name_rank": "name",
    "key_terms_rank": "key_terms",
    "neighbour_vote_rank": "neighbour_vote",
}

FEATURES: Final = {rank: f"log(1 + candidates with a higher {column}), 0 to about 6" for rank, column in RANKED.items()}


def measure(columns: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """The ranks of the columns of :data:`RANKED`; equal values share the worst rank, so "none at all" is never good."""
    ranks = {}
    for rank, column in RANKED.items():
        values = columns[column]
        higher = len(values) - np.searchsorted(np.sort(values), values, side="left") - 1
        ranks[rank] = np.log1p(higher).astype(np.float32)
    return ranks
