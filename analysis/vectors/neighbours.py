"""The nearest vectors of every vector within its group: exact up to some 200,000 a group, approximate above.

faiss finds candidates by blocked matrix products; what is returned are their cosines computed again, pair by pair, rounded, and
ordered by (cosine, index). So neither the block size nor the number of threads reaches the result. Nothing of size N x N exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import faiss
import numpy as np
from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Rows = NDArray[np.int64]

EXACT_LIMIT = 200_000  # vectors a group: some four minutes on two cores; the time grows with the square
DECIMALS = 6  # of a cosine; float32 says nothing beyond
_NOISE = 1e-5  # more than a blocked float32 product of unit vectors and the rounded one ever differ by
_MARGIN = 8  # candidates asked for beyond k, so that a border within the noise is rare
_PAIRS = 1 << 14  # pairs computed again at a time: 32 MB of 512 floats

_CLUSTER_SIZE = 1000  # vectors a cluster, on average
_RECALL_WANTED = 0.98
_RECALL_SAMPLE = 1000
_SEED = 1


class Neighbours(NamedTuple):
    """Row i: the neighbours of vector i, nearest first, ties by index; -1 (and cosine 0) where there are fewer than k."""

    indices: NDArray[np.int32]  # (n, k)
    cosines: Floats  # (n, k), rounded to DECIMALS
    recall: float  # share of the true neighbours that are here, measured on a sample; 1.0 where the search was exact


def nearest(
    vectors: Floats, groups: NDArray[np.integer], k: int, *, block: int = 4096, exact_limit: int = EXACT_LIMIT
) -> Neighbours:
    """The k nearest of each vector, itself left out, among the vectors of its own group.

    ``vectors``: unit rows, shape (n, d); a zero row (an empty text) has no neighbours and is nobody's. ``groups``: shape (n,),
    the code of each vector's language. ``block``: queries searched together; it bounds the memory and changes nothing else.
    """
    if len(vectors) != len(groups):
        raise ValueError(f"{len(vectors)} vectors, but {len(groups)} groups")
    indices = np.full((len(vectors), k), -1, dtype=np.int32)
    cosines = np.zeros((len(vectors), k), dtype=np.float32)
    recall = 1.0
    filled = vectors.any(axis=1)
    for group in np.unique(groups):
        members = np.flatnonzero((groups == group) & filled)
        own = vectors if len(members) == len(vectors) else vectors[members]
        if len(members) <= exact_limit:
            everyone = np.arange(len(members))
            found = _search(own, everyone, everyone, k, block)
        else:
            found, measured = _pruned_search(own, k, block)
            recall = min(recall, measured)
        for rows, columns, values in found:
            width = columns.shape[1]
            indices[members[rows], :width] = members[columns]
            cosines[members[rows], :width] = values
    return Neighbours(indices, cosines, recall)


def _search(
    vectors: Floats, queries: Rows, base: Rows, k: int, block: int, margin: int = _MARGIN
) -> Iterator[tuple[Rows, Rows, Floats]]:
    """Blocks of (query rows, their nearest base rows, the cosines), exact; every query must stand in ``base``."""
    width = min(k + 1 + margin, len(base))
    keep = min(k, len(base) - 1)
    searched = vectors if len(base) == len(vectors) else vectors[base]
    unclear = []
    for start in range(0, len(queries) if keep else 0, block):
        rows = queries[start : start + block]
        scores, columns = faiss.knn(vectors[rows], searched, width, metric=faiss.METRIC_INNER_PRODUCT)
        candidates = base[columns]
        cosines = _cosines(vectors, rows, candidates)
        cosines[candidates == rows[:, None]] = -2
        order = np.lexsort((candidates, -cosines), axis=-1)[:, :keep]
        candidates = np.take_along_axis(candidates, order, axis=1)
        cosines = np.take_along_axis(cosines, order, axis=1)
        clear = cosines[:, -1] > scores[:, -1] + _NOISE if width < len(base) else np.ones(len(rows), dtype=bool)
        yield rows[clear], candidates[clear], cosines[clear]
        unclear.append(rows[~clear])
    again = np.concatenate(unclear) if unclear else queries[:0]
    if len(again):  # more candidates lie within the noise of the k-th than the margin holds: look at twice as many
        wider = 2 * margin + k
        yield from _search(vectors, again, base, k, max(1, block * width // (k + 1 + wider)), wider)


def _cosines(vectors: Floats, rows: Rows, candidates: Rows) -> Floats:
    """Rounded cosine of each row with its candidates, shape of ``candidates``; a pair's value depends on the pair alone."""
    cosines = np.empty(candidates.shape, dtype=np.float32)
    step = max(1, _PAIRS // candidates.shape[1])
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        cosines[part] = np.einsum("rd,rcd->rc", vectors[rows[part]], vectors[candidates[part]])
    return cosines.round(DECIMALS)


def _pruned_search(vectors: Floats, k: int, block: int) -> tuple[Iterator[tuple[Rows, Rows, Floats]], float]:
    """Search in the clusters around each vector's own only, in as many as the recall wanted needs; and the recall.

    Cluster pruning (Chierichetti et al., "Finding near neighbors through cluster pruning", PODS 2007) with k-means: all vectors
    of a cluster look through the same clusters, so each cluster is one exact search by matrix products. A neighbour is found if
    its cluster is looked through, so the recall for any number of clusters follows from one exact search for a sample.
    """
    with threadpool_limits(1):  # k-means sums differently with the number of threads
        centroids, owner = _clusters(vectors)
    ranking = np.argsort(-(centroids @ centroids.T), axis=1, kind="stable")
    rank = np.argsort(ranking, axis=1)

    sample = np.sort(np.random.default_rng(_SEED).choice(len(vectors), min(_RECALL_SAMPLE, len(vectors)), replace=False))
    found = [
        rank[owner[rows, None], owner[columns]]
        for rows, columns, _ in _search(vectors, sample, np.arange(len(vectors)), k, block)
    ]
    needed = np.sort(np.concatenate(found), axis=None)
    probes = int(needed[min(int(_RECALL_WANTED * len(needed)), len(needed) - 1)]) + 1
    recall = float(np.mean(needed < probes))

    def blocks() -> Iterator[tuple[Rows, Rows, Floats]]:
        for cluster in range(len(centroids)):
            queries = np.flatnonzero(owner == cluster)
            base = np.flatnonzero(rank[cluster, owner] < probes)
            yield from _search(vectors, queries, base, k, block)

    return blocks(), recall


def _clusters(vectors: Floats) -> tuple[Floats, Rows]:
    """Unit centroids (c, d) and the cluster of each vector (n,)."""
    kmeans = faiss.Kmeans(
        vectors.shape[1], max(1, len(vectors) // _CLUSTER_SIZE), niter=10, seed=_SEED, spherical=True, max_points_per_centroid=100
    )
    kmeans.train(vectors)
    centroids = np.asarray(kmeans.centroids)
    owner = np.empty(len(vectors), dtype=np.int64)
    for start in range(0, len(vectors), 16_384):
        part = slice(start, start + 16_384)
        owner[part] = faiss.knn(vectors[part], centroids, 1, metric=faiss.METRIC_INNER_PRODUCT)[1][:, 0]
    return centroids, owner
