"""Reader studies against R's package MRMCaov, by its printed values.

MRMCaov 0.3.0 (CRAN): `mrmc(empirical_auc(truth, rating), treatment, reader, case, data = VanDyke, cov = DeLong)`, and with
`cov = jackknife`; `fixed(reader)` for fixed readers. It prints six digits. The table is its data set VanDyke (5 readers,
2 modalities, 114 patients), which is not ours to copy: the tests read `readers/VanDyke.csv` in the folder AUCBOOK_DATA.
R itself is not asked: MRMCaov is on CRAN only, which has to compile it.
"""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from aucbook import roc_auc
from aucbook.inference import reader_study

COLUMNS = {"modality": "treatment", "y_true": "truth", "y_score": "rating"}
AREAS = 0.897037, 0.940837  # cine MRI, spin-echo MRI
DIFFERENCE = -0.043800
PRINTED = {
    "DeLong": {
        "measure": None,
        "statistic": 4.484854,
        "df": 15.0661,
        "pvalue": 0.051233,
        "low": -0.087867,
        "high": 0.000267,
        "pvalue, fixed readers": 0.018525,
    },
    "jackknife": {
        "measure": roc_auc,
        "statistic": 4.456319,
        "df": 15.2597,
        "pvalue": 0.051666,
        "low": -0.087959,
        "high": 0.000359,
        "pvalue, fixed readers": 0.019280,
    },
}
ROUNDING = 6e-7  # of a number with six digits after the point


@pytest.fixture(scope="module")
def van_dyke():
    path = Path(os.environ.get("AUCBOOK_DATA") or "nowhere") / "readers/VanDyke.csv"
    if not path.exists():
        pytest.skip("MRMCaov's table VanDyke is not in AUCBOOK_DATA")
    lines = list(csv.DictReader(path.read_text().splitlines()))
    return {name: [float(line[name]) for line in lines] for name in lines[0]}


@pytest.mark.parametrize("covariances", PRINTED)
def test_random_readers(van_dyke, covariances):
    want = PRINTED[covariances]
    study = reader_study(van_dyke, **COLUMNS, measure=want["measure"])
    assert study.difference == pytest.approx(DIFFERENCE, abs=ROUNDING)
    np.testing.assert_allclose(list(study.estimates.values()), AREAS, rtol=0, atol=ROUNDING)
    for name in ("statistic", "pvalue", "low", "high"):
        assert getattr(study, name) == pytest.approx(want[name], abs=ROUNDING), name
    assert study.df == pytest.approx(want["df"], abs=6e-5)  # four digits


@pytest.mark.parametrize("covariances", PRINTED)
def test_fixed_readers(van_dyke, covariances):
    want = PRINTED[covariances]
    study = reader_study(van_dyke, **COLUMNS, measure=want["measure"], readers="fixed")
    assert study.pvalue == pytest.approx(want["pvalue, fixed readers"], abs=ROUNDING)
    assert study.df == np.inf
