"""Power as promised beside the power found: the share of simulated studies in which the test that was named finds what there is.

Normal scores with equal spread, from five rows of each class to some hundred, alone and in groups of one class: one AUC against a value, two
scores of the same rows and of different rows, with and without a margin; the same for the true positive rate at a false one, whose
tests draw resamples; and, where the two are equal, how often the paired tests err. Some ten minutes of one core.

The part `sizes` asks one question: does a study of the size that `tpr_sample_size` gives reach the power it was asked for?
Its protocol, written before its first run:

- The designs are those of DESIGNS, each of the size that `tpr_sample_size` gives with its defaults (power .8, as many
  negatives as positives).
- The tests run as they come, with 2000 resamples: the error that resampling estimates depends on them. A study takes some
  3 milliseconds with one score and .12 seconds with two.
- Of each design 2000 studies are simulated, 10 000 where there is one score. A power of .8 then has a standard error of
  .009, or .004. The calculated power has one of .006: it is a share of 4000 other studies.
- The studies have seeds that the other part does not use. Every design is shown.
- A calculated power agrees if it is within .03 of the share found, beyond two standard errors of the difference.

The first run (seeds from 10 000) found .770 where .807 had been calculated, for .9 against .75 at a rate of .2 with 120 + 120
rows: the covariance that resamples give to two rates was calculated 8 % too large. That was mended. The sizes changed with it,
so what is stored is a second run, of other studies (seeds from 20 000).

Some fifteen minutes of one core. The parts are "rows" and "sizes".
"""

import time
import warnings

import numpy as np
from joblib import Parallel, delayed
from scipy.special import ndtri
from scipy.stats import mannwhitneyu
from tqdm.auto import tqdm

from aucbook import AUC, TPR, auc_interval, tpr_interval
from aucbook.inference import auc_power, auc_test_unpaired, tpr_power, tpr_sample_size

from .store import store

STUDIES = 600
RESAMPLED = 200
RESAMPLES = 100
SEED = 0
ROWS = ((5, 5), (5, 20), (10, 10), (10, 40), (20, 20), (40, 40), (80, 80))
GROUPED = (
    (60, 60, 3, 0.5),
    (150, 150, 5, 0.4),
)  # positives, negatives, rows of a group, correlation within it
QUESTIONS = {  # area, versus, correlation, margin
    "one AUC, ½": [(0.8, 0.5, None, None), (0.95, 0.5, None, None)],
    "one AUC, a value": [(0.8, 0.6, None, None), (0.95, 0.8, None, None), (0.9, 0.85, None, 0.15)],
    "paired": [(0.8, 0.7, 0.5, None), (0.9, 0.8, 0.8, None), (0.95, 0.6, 0.2, None)],
    "paired, margin": [(0.8, 0.8, 0.5, 0.1), (0.9, 0.85, 0.7, 0.05)],
    "unpaired": [(0.9, 0.7, 0.0, None)],
    "paired, no difference": [(0.75, 0.75, 0.5, None)],
}
RATES = {  # rate, versus, FPR, correlation, margin
    "one TPR": [
        (0.8, 0.6, 0.1, None, None),
        (0.9, 0.7, 0.2, None, None),
        (0.9, 0.75, 0.05, None, None),
    ],
    "paired TPR": [(0.8, 0.6, 0.1, 0.5, None), (0.9, 0.75, 0.2, 0.7, None)],
    "paired TPR, margin": [(0.8, 0.8, 0.1, 0.5, 0.15)],
    "paired TPR, no difference": [(0.5, 0.5, 0.1, 0.5, None), (0.8, 0.8, 0.1, 0.7, None)],
}
RATE_ROWS = ((20, 20), (40, 200), (88, 88), (150, 150))
DESIGNS = [  # TPR, versus, FPR, correlation, margin
    (0.8, 0.6, 0.1, None, None),
    (0.9, 0.75, 0.05, None, None),
    (0.8, 0.6, 0.1, 0.5, None),
    (0.9, 0.75, 0.2, 0.7, None),
    (0.8, 0.8, 0.1, 0.5, 0.15),
]
ONE_SCORE = 10_000
TWO_SCORES = 2000
CHUNK = 250
FIRST_SEED = 20_000


def study(shifts, m, n, correlation, group_size, icc, seed):
    """(labels, two scores, group of each row or None): normal scores whose positives are so far from the negatives."""
    rng, y = np.random.default_rng([SEED, seed]), np.repeat([1, 0], (m, n))
    group = np.r_[np.arange(m) // group_size, m + np.arange(n) // group_size]
    mix = np.linalg.cholesky([[1, correlation], [correlation, 1]])
    own, shared = (mix @ rng.normal(size=(2, m + n)) for _ in range(2))
    scores = np.sqrt(1 - icc) * own + np.sqrt(icc) * shared[:, group] + np.outer(shifts, y)
    return y, *scores, group if group_size > 1 else None


def convinced(test, margin):
    """Whether a paired test finds that there is a difference, or none to speak of."""
    return test.pvalue <= 0.05 if margin is None else test.noninferiority <= 0.025


def found(question, area, versus, correlation, margin, m, n, k, icc, seed):
    """Whether the test of an area finds what there is, in one study."""
    y, s, other, group = study(
        np.sqrt(2) * ndtri([area, versus]), m, n, correlation or 0.0, k, icc, seed
    )
    if question == "unpaired":
        return convinced(auc_test_unpaired(y, s, y, other), margin)
    if correlation is not None:
        return convinced(AUC.test(y, s, other, groups=group, margin=margin), margin)
    if versus == 0.5 and group is None:
        return mannwhitneyu(s[y == 1], s[y == 0]).pvalue <= 0.05
    _, low, high, _ = auc_interval(y, s, groups=group)
    return not low <= versus <= high if margin is None else low > versus - margin


def found_rate(rate, versus, fpr, correlation, margin, m, n, k, icc, seed, resamples=RESAMPLES):
    """Whether the test of a true positive rate finds what there is, in one study."""
    y, s, other, group = study(
        ndtri([rate, versus]) - ndtri(fpr), m, n, correlation or 0.0, k, icc, seed
    )
    options = {"groups": group, "n_resamples": resamples, "random_state": seed}
    if correlation is not None:
        return convinced(TPR(fpr).test(y, s, other, margin=margin, **options), margin)
    low, high = tpr_interval(y, s, fpr, **options)[1:]
    return not low <= versus <= high


def done(test, power, question, case, truth, rest, size, studies):
    """What is promised and found in one setting."""
    (correlation, margin), (m, n, k, icc) = rest, size
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of perfect lists: they count as well
        hits = sum(bool(test(*case, m, n, k, icc, seed)) for seed in range(studies))
    options = {"correlation": correlation, "margin": margin, "group_size": k, "icc": icc}
    promised = round(power(*truth, n_pos=m, n_neg=n, **options), 3)
    named = dict(zip(("truth", "versus", "fpr"), truth))
    sizes = {"positives": m, "negatives": n, "promised": promised, "hits": hits, "studies": studies}
    return {"question": question, **named, **options, **sizes}


def count_found(design, size, seeds):
    """(studies in which the test finds what there is, processor seconds), with 2000 resamples."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of perfect lists: they count as well
        hits = sum(bool(found_rate(*design, *size, 1, 0.0, seed, resamples=2000)) for seed in seeds)
    return hits, time.process_time() - start


def sizes():
    """Sizes of `tpr_sample_size`, their calculated power, and studies that find what there is."""
    rows = []
    for design in DESIGNS:
        rate, versus, fpr, correlation, margin = design
        options = {"correlation": correlation, "margin": margin}
        m, n = tpr_sample_size(rate, versus, fpr, **options)
        studies = ONE_SCORE if correlation is None else TWO_SCORES
        starts = range(FIRST_SEED, FIRST_SEED + studies, CHUNK)
        counts = Parallel(n_jobs=2)(
            delayed(count_found)(design, (m, n), range(start, start + CHUNK))
            for start in tqdm(starts)
        )
        hits = [found for found, _ in counts]
        seconds = [spent for _, spent in counts]
        rows.append(
            {
                "truth": rate,
                "versus": versus,
                "fpr": fpr,
                **options,
                "positives": m,
                "negatives": n,
                "calculated": round(tpr_power(rate, versus, fpr, n_pos=m, n_neg=n, **options), 4),
                "hits": sum(hits),
                "studies": studies,
                "seconds of a study": round(sum(seconds) / studies, 4),
            }
        )
    return rows


def powers():
    """Rows of each question, of all sizes."""
    jobs = [
        (found, auc_power, question, (question, *case), case[:2], case[2:], size, STUDIES)
        for question, cases in QUESTIONS.items()
        for case in cases
        for size in ((m, n, 1, 0.0) for m, n in ROWS)
    ]
    jobs += [
        (found, auc_power, question, (question, *case), case[:2], case[2:], size, STUDIES)
        for question, cases in QUESTIONS.items()
        if question not in ("one AUC, ½", "unpaired")
        for case in cases[-1:]
        for size in GROUPED
    ]
    jobs += [
        (found_rate, tpr_power, question, case, case[:3], case[3:], size, RESAMPLED)
        for question, cases in RATES.items()
        for case in cases
        for size in ((m, n, 1, 0.0) for m, n in RATE_ROWS)
    ]
    jobs += [
        (
            found_rate,
            tpr_power,
            q,
            RATES[q][0],
            RATES[q][0][:3],
            RATES[q][0][3:],
            GROUPED[1],
            RESAMPLED,
        )
        for q in RATES
    ]
    return Parallel(n_jobs=2)(delayed(done)(*job) for job in tqdm(jobs, mininterval=2))


def run(*parts):
    """All, or only the parts named."""
    about = "in how many simulated studies the test finds what there is, beside the power that is promised for it"
    for name, part in {"rows": powers, "sizes": sizes}.items():
        if parts and name not in parts:
            continue
        results = {name: part()}
        if name == "rows":
            results = {"about": about, "resamples": RESAMPLES, **results}
        store("power", results, seeds=[SEED], keep=True)
