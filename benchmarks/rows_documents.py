"""Rounds of Nscore against sparse matrix-vector products on the same documents."""

import numpy as np
import scipy.sparse as sp

from aucbook import roc_auc
from aucbook.text import Nscore, PoissonVectors

from .compare import demand
from .harness import row


def corpus(n, words=10_000, length=80):
    """Counts with word frequencies like 1 / rank, about `length` words a document; one in ten is relevant."""
    rng = np.random.default_rng(0)
    p = 1 / np.arange(10, words + 10)
    tokens = rng.choice(words, n * length, p=p / p.sum())
    y = (np.arange(n) % 10 == 0).astype(int)
    topic = (y.repeat(length) == 1) & (rng.random(n * length) < 0.1)
    tokens[topic] = rng.integers(100, 200, topic.sum())
    return sp.csr_matrix(
        (np.ones(n * length, np.int64), (np.arange(n).repeat(length), tokens)), (n, words)
    ), y


@row("one Nscore round, of 200 / one sparse matrix-vector product", 1 / 2, [10**4, 10**3])
def nscore(n):
    X, y = corpus(n)
    V, v = PoissonVectors().fit_transform(X), np.random.default_rng(1).random(X.shape[1])

    def ours():
        return Nscore(200, weighting=None).fit(V, y)

    def compare():
        """The products are a floor, not a ranker: that ours has learnt in its rounds is what can be asked."""
        a = roc_auc(y, ours().decision_function(V))
        b = roc_auc(y, V @ (V[y == 1].mean(axis=0) - V[y == 0].mean(axis=0)).A1)
        return demand(
            a >= b,
            f"training AUC {a:.4f}, {b:.4f} by one product with the difference of the classes' means",
        )

    return ours, lambda: [V @ v for _ in range(200)], compare
