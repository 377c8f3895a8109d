"""Where the two pages stand: in the site's tree of addresses, in time, and how much text they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.site import SiteIndex

FEATURES: Final = {
    "same_section": "1 if the first parts of both addresses are the same",
    "shared_path": "share of the source's address that both have in common, 0 to 1",
    "siblings": "1 if both stand in one folder",
    "target_above": "1 if the source stands below the target",
    "target_below": "1 if the target stands below the source",
    "target_length": "log(1 + words of the target)",
    "source_length": "log(1 + words of the source)",
    "older": "1 if the target was published before the source, -1 if after, 0 if unknown",
    "apart": "log(1 + days between the two), 0 to about 9; 4 if unknown",
}

_UNKNOWN_DAYS: Final = 4.0


def measure(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    """See :data:`FEATURES`."""
    own, depth = site.paths[source], site.depths
    common = (site.paths[targets] == own) & (own >= 0)
    shared = np.cumprod(common, axis=1).sum(axis=1)
    lengths = site.terms.lengths
    days = site.days[source] - site.days[targets]
    known = (site.days[source] > 0) & (site.days[targets] > 0)
    return {
        "same_section": (shared > 0).astype(np.float32),
        "shared_path": (shared / max(int(depth[source]), 1)).astype(np.float32),
        "siblings": (shared >= max(int(depth[source]) - 1, 1)) & (depth[targets] == depth[source]),
        "target_above": (shared == depth[targets]) & (depth[targets] < depth[source]),
        "target_below": (shared == depth[source]) & (depth[targets] > depth[source]),
        "target_length": np.log1p(lengths[targets]),
        "source_length": np.full(len(targets), np.log1p(lengths[source])),
        "older": np.where(known, np.sign(days), 0),
        "apart": np.where(known, np.log1p(np.abs(days)), _UNKNOWN_DAYS),
    }
