"""A small collection of documents, for the tests of text rankers."""

import numpy as np
import scipy.sparse as sp


def corpus(n=80, words=60, seed=0):
    """Counts (n, words), CSR, and relevance; words 0 to 4 are more frequent in relevant documents."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 4 == 0).astype(int)
    rate = np.full((n, words), 0.3)
    rate[y == 1, :5] = 0.9
    X = rng.poisson(rate)
    X[:, 10] += X.sum(1) == 0
    return sp.csr_matrix(X), y
