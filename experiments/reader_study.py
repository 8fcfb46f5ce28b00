"""Reader studies: Van Dyke's table beside R's MRMCaov, and simulated studies of Roe and Metz' kind: size, coverage, power.

Needs AUCBOOK_DATA. About five minutes of one core.
"""

import csv
import os
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri
from tqdm.auto import trange

from aucbook import roc_auc
from aucbook.inference import reader_study

from .store import store

STUDIES, SEED = 2000, 0
PRINTED = {  # R's MRMCaov 0.3.0, empirical AUC, random readers
    "DeLong": (4.484854, 15.0661, 0.051233),
    "jackknife": (4.456319, 15.2597, 0.051666),
}
SETTINGS = (  # readers, cases, how much readers differ, and how much more of one modality than of the other
    (3, 50, 0.15),
    (5, 50, 0.15),
    (5, 100, 0.15),
    (5, 100, 0.4),
    (10, 50, 0.4),
)


def vandyke():
    """Our numbers beside the printed ones."""
    path = Path(os.environ["AUCBOOK_DATA"]) / "readers/VanDyke.csv"
    lines = list(csv.DictReader(path.read_text().splitlines()))
    table = {name: [float(line[name]) for line in lines] for name in lines[0]}
    names = {"modality": "treatment", "y_true": "truth", "y_score": "rating"}
    out = {}
    for way, (statistic, df, p) in PRINTED.items():
        found = reader_study(table, **names, measure=None if way == "DeLong" else roc_auc)
        out[way] = {
            "difference": found.difference,
            "F": found.statistic,
            "F, MRMCaov": statistic,
            "df": found.df,
        }
        out[way] |= {"df, MRMCaov": df, "p": found.pvalue, "p, MRMCaov": p}
    return out


def drawn(rng, r, cases, of_readers, area):
    """A table of readings of two modalities whose mean areas, over readers, are about `area`."""
    j, k = (a.ravel() for a in np.indices((r, cases)))
    y = k % 2
    shown = rng.normal(size=cases)
    both = of_readers * rng.normal(size=r)
    columns = {"modality": [], "reader": [], "case": [], "y_true": [], "y_score": []}
    for i, mean in enumerate(area):
        habit = both + of_readers * rng.normal(size=r)
        of_case = (shown + rng.normal(size=cases)) / np.sqrt(2)
        s = y * (2 * ndtri(mean) + habit[j]) + of_case[k] + rng.normal(size=k.size)
        for name, values in zip(columns, (np.full(k.size, i), j, k, y, s)):
            columns[name].append(values)
    return {name: np.concatenate(values) for name, values in columns.items()}


def truth(of_readers, area):
    """The mean area over readers: of a positive's lead over a negative, normal with these spreads."""
    return [float(ndtr(2 * ndtri(mean) / np.sqrt(4 + 2 * of_readers**2))) for mean in area]


def simulated():
    """Rows of (readers, cases, spread of readers, size, coverage, power promised by pilots, power found)."""
    rows = []
    for r, cases, of_readers in SETTINGS:
        equal, apart = (0.8, 0.8), (0.85, 0.75)
        rng = np.random.default_rng(SEED)
        false = 0
        held = 0
        found = 0
        promised = []
        first, second = truth(of_readers, apart)
        for _ in trange(STUDIES, desc=f"{r} readers, {cases} cases", mininterval=2):
            false += reader_study(drawn(rng, r, cases, of_readers, equal)).pvalue < 0.05
            one = reader_study(drawn(rng, r, cases, of_readers, apart))
            held += one.low <= first - second <= one.high
            found += one.pvalue < 0.05
        for _ in range(40):  # pilots large enough to know what varies
            pilot = reader_study(drawn(rng, 20, 200, of_readers, apart))
            promised.append(pilot.power(first - second, readers=r, cases=cases))
        rows.append({"readers": r, "cases": cases, "readers differ by": of_readers})
        rows[-1] |= {"size": false / STUDIES, "coverage": held / STUDIES}
        rows[-1] |= {
            "power promised": round(float(np.mean(promised)), 3),
            "power found": found / STUDIES,
        }
    return rows


def run():
    store("reader_study", {"vandyke": vandyke(), "simulated": simulated()}, seeds=[SEED])
