"""What speaks for a link from one page to another: a row of numbers for each pair.

No number may see the link that it judges: a page's own links are left out of everything that is counted over pages, and the
words of the judged link count as plain text. So a pair that is linked today looks as it would look without its link, and what is
learned from linked pairs holds for pairs whose link is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.evidence import meaning, mention, naming, neighbourhood, place, standing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.index.site import SiteIndex

MODULES: Final = (meaning, mention, naming, neighbourhood, place, standing)

FEATURES: Final = tuple(name for module in MODULES for name in module.FEATURES)


def measure(site: SiteIndex, source: int, targets: NDArray[np.int32]) -> NDArray[np.float32]:
    """The evidence for links from ``source`` to each of ``targets``: shape (len(targets), len(FEATURES))."""
    if not len(targets):
        return np.zeros((0, len(FEATURES)), dtype=np.float32)
    columns: dict[str, NDArray[np.float32]] = {}
    for module in (meaning, mention, naming, neighbourhood, place):
        columns.update(module.measure(site, source, targets))
    columns.update(standing.measure(columns))
    return np.stack([columns[name].astype(np.float32, copy=False) for name in FEATURES], axis=1)
