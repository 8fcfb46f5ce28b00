"""Enrichment, BEDROC and AUC of virtual screening against RDKit: stored values, and RDKit where it is installed.

The stored values are those of RDKit 2026.09.1 (PyPI), `rdkit.ML.Scoring.Scoring`: CalcEnrichment, CalcBEDROC, CalcAUC, for the
lists below. RDKit takes rows that are sorted already, so no scores are tied here: where some are, its answer depends on the
order in which they come, and ours is the mean over their orders (`test_top.py`).
"""

import numpy as np
import pytest

from aucbook import bedroc, enrichment_factor, roc_auc
from aucbook.metrics import rie

FRACTIONS = [0.01, 0.05, 0.1, 0.25, 0.5]
ALPHAS = [0.5, 20.0, 80.5, 160.9]
ROWS = np.arange(400)
# labels from the highest score to the lowest
LISTS = {
    "actives early": ((ROWS * ROWS) % 400 < 20) & (ROWS < 300) | (ROWS % 57 == 3),
    "actives first": ROWS < 20,
    "actives last": ROWS >= 380,
    "every fifth": ROWS % 5 == 4,
    "one": ROWS == 7,
}
STORED = {
    "actives early": {
        "enrichment": [
            9.090909090909092,
            2.272727272727273,
            1.3636363636363635,
            1.1818181818181819,
            1.2727272727272727,
        ],
        "bedroc": [0.5916959300797096, 0.2910402579763344, 0.6378329803229728, 0.8662849715109292],
        "auc": [0.6287665985699701],
    },
    "actives first": {
        "enrichment": [20.0, 20.0, 10.0, 4.0, 2.0],
        "bedroc": [1.0000000000001115, 1.0000000000000016, 1.0000000000000004, 1.0],
        "auc": [1.0],
    },
    "actives last": {
        "enrichment": [0.0, 0.0, 0.0, 0.0, 0.0],
        "bedroc": [
            7.159226109133089e-14,
            8.37491498283082e-24,
            4.87670908331275e-49,
            -1.0545579925766784e-81,
        ],
        "auc": [0.0],
    },
    "every fifth": {
        "enrichment": [0.0, 1.0, 1.0, 1.0, 1.0],
        "bedroc": [
            0.4688036977210656,
            0.18388373165112046,
            0.12846618349108282,
            0.07650419908216859,
        ],
        "auc": [0.49374999999999997],
    },
    "one": {
        "enrichment": [0.0, 20.0, 10.0, 4.0, 2.0],
        "bedroc": [
            0.9778161631574517,
            0.7046880890788236,
            0.24444865307381755,
            0.059859807045047994,
        ],
        "auc": [0.9824561403508771],
    },
}


def our_numbers(labels):
    scores = -np.arange(len(labels))
    return {
        "enrichment": [enrichment_factor(labels, scores, fraction) for fraction in FRACTIONS],
        "bedroc": [bedroc(labels, scores, alpha) for alpha in ALPHAS],
        "rie": [rie(labels, scores, alpha) for alpha in ALPHAS],
        "auc": [roc_auc(labels, scores)],
    }


def as_rdkit_says(labels):
    """The same numbers by RDKit."""
    peer = pytest.importorskip("rdkit.ML.Scoring.Scoring")
    rows = [[bool(label)] for label in labels]
    return {
        "enrichment": peer.CalcEnrichment(rows, 0, FRACTIONS),
        "bedroc": [peer.CalcBEDROC(rows, 0, alpha) for alpha in ALPHAS],
        "rie": [peer.CalcRIE(rows, 0, alpha) for alpha in ALPHAS],
        "auc": [peer.CalcAUC(rows, 0)],
    }


def assert_same(ours, theirs):
    for name, values in theirs.items():
        np.testing.assert_allclose(ours[name], values, rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("name", LISTS)
def test_as_stored(name):
    assert_same(our_numbers(LISTS[name]), STORED[name])


def test_as_rdkit_says_today():
    rng = np.random.default_rng(0)
    lists = list(LISTS.values())
    for n in (60, 333, 1000):
        labels = rng.random(n) < np.linspace(0.4, 0.02, n)
        labels[:2] = True, False
        lists.append(labels)
    for labels in lists:
        assert_same(our_numbers(labels), as_rdkit_says(labels))
