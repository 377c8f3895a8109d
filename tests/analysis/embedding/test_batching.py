from __future__ import annotations

import numpy as np

from analysis.embedding.batching import encode_windows


def test_forward_sees_one_shape_for_each_length_however_many_windows_there_are():
    shapes = set()

    def forward(windows):
        shapes.add((len(windows), *{len(window) for window in windows}))
        return np.eye(3, dtype=np.float32)[[window[0] for window in windows]]

    for count in range(1, 10):
        encode_windows([[[0, 1]], [[1, 1, 1]]] * count, forward, 3, batch_tokens=8)

    assert shapes == {(4, 2), (2, 3)}


def test_windows_of_a_text_are_averaged_by_their_length():
    def forward(windows):
        return np.eye(2, dtype=np.float32)[[window[0] for window in windows]]

    vectors = encode_windows([[[0, 0, 0], [1]], [], [[1]]], forward, 2, batch_tokens=8)

    np.testing.assert_allclose(vectors, [[3 / np.sqrt(10), 1 / np.sqrt(10)], [0, 0], [0, 1]], atol=1e-6)
