"""Reader studies: against DeLong's paired test and analysis of variance."""

import numpy as np
import pandas as pd
import pytest

from aucbook import PAUC, auc_test, average_precision, roc_auc
from aucbook.inference import reader_study


def simulated_table(seed, t=2, r=4, cases=40, gain=0.5, ties=False):
    rng = np.random.default_rng(seed)
    i, j, k = (a.ravel() for a in np.indices((t, r, cases)))
    s = (
        k % 2 * (1 + gain * (i == 0) + 0.3 * rng.normal(size=(t, r))[i, j])
        + rng.normal(size=cases)[k]
    )
    s = s + rng.normal(size=k.size)
    return pd.DataFrame(
        dict(modality=i, reader=j, case=k, y_true=k % 2, y_score=np.round(s) if ties else s)
    )


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    "measure", [None, PAUC(max_fpr=0.3), PAUC(min_fpr=0.1, max_fpr=0.6, form="mcclish")]
)
def test_one_fixed_reader_is_delongs_paired_test(measure, ties):
    table = simulated_table(3, r=1, cases=60, ties=ties)
    result = reader_study(table, measure=measure, readers="fixed")
    y, (one, other) = (
        np.arange(60) % 2,
        (table[table.modality == i].y_score.to_numpy() for i in (0, 1)),
    )
    fpr_range = (measure.min_fpr, measure.max_fpr) if measure else (0, 1)
    z = auc_test(y, one, other, min_fpr=fpr_range[0], max_fpr=fpr_range[1]).statistic
    assert np.isclose(result.statistic, z**2, rtol=0.04)  # unbiased variances: 29/30
    value = measure or roc_auc
    assert np.isclose(result.difference, value(y, one) - value(y, other))


@pytest.mark.parametrize("t, r, ties", [(2, 2, True), (3, 4, False), (4, 3, True)])
def test_analysis_of_variance_by_hand(t, r, ties):
    table = simulated_table(1, t, r, ties=ties)
    result = reader_study(table)
    value = np.empty((t, r))
    for (i, j), one in table.groupby(["modality", "reader"]):
        value[i, j] = roc_auc(one.y_true, one.y_score)
    g = value.mean()
    rows = value.mean(1)
    columns = value.mean(0)
    of_modality = r * ((rows - g) ** 2).sum() / (t - 1)
    rest = sum(
        (value[i, j] - rows[i] - columns[j] + g) ** 2 for i in range(t) for j in range(r)
    ) / ((t - 1) * (r - 1))
    _, _, c2, c3 = result.covariances
    error = rest + r * max(c2 - c3, 0)
    assert np.allclose(result.table, value)
    assert np.isclose(result.statistic, of_modality / error)
    assert np.isclose(result.df, error**2 / rest**2 * (t - 1) * (r - 1))
    assert len(result.pairs) == t * (t - 1) // 2
    assert str(result).count("\n") == len(result.pairs)
    assert all(
        low < d < high and np.isclose(d, rows[i] - rows[j])
        for i, j, d, low, high, _ in result.pairs
    )


def test_pairwise_p_value_of_two_modalities_is_that_of_f():
    result = reader_study(simulated_table(5))
    assert np.isclose(result.pairs[0][5], result.pvalue)


def test_rows_in_any_order_and_names_of_any_type():
    table = simulated_table(2)
    named = table.assign(
        modality=np.array(["cine", "spin"])[table.modality],
        reader=table.reader.map("doctor {}".format),
    )
    shuffled = named.sample(frac=1, random_state=0)
    one = reader_study(named)
    other = reader_study({name: shuffled[name].tolist() for name in shuffled})
    assert one.estimates == other.estimates
    assert one.pvalue == other.pvalue
    assert list(one.estimates) == ["cine", "spin"]
    assert one.readers[0] == "doctor 0"
    words = named.assign(y_true=np.where(named.y_true == 1, "case", "control"))
    assert np.isclose(reader_study(words, pos_label="case").difference, one.difference)


def test_jackknife_of_any_measure():
    result = reader_study(simulated_table(7, cases=30), measure=average_precision)
    assert np.isfinite([result.pvalue, result.low, result.high]).all()


def test_all_ties_and_perfect_separation_are_no_difference():
    flat = simulated_table(0).assign(y_score=1.0)
    perfect = simulated_table(0).assign(y_score=lambda d: d.y_true)
    for table in (flat, perfect):
        for readers in ("random", "fixed"):
            result = reader_study(table, readers=readers)
            assert (result.difference, result.statistic, result.pvalue) == (0, 0, 1)
            assert result.low == result.high == 0


BAD = [
    (lambda d: d.drop(index=3), "gave case 3 no score in modality 0"),
    (
        lambda d: pd.concat([d, d.iloc[:2]]),
        "gave case 0 2 scores in modality 0, one of 2 such readings",
    ),
    (
        lambda d: d.assign(y_true=np.arange(len(d)) % 3 % 2),
        "positive in one line and negative in another",
    ),
    (lambda d: d[d.modality == 0], "at least two modalities, got one, 0"),
    (lambda d: d[d.reader == 0], "random readers need at least two readers"),
    (lambda d: d[d.case.isin([0, 1, 2, 4])], "1 positive cases and 3 negative ones"),
    (
        lambda d: d.rename(columns={"y_score": "y_scores"}),
        "no column 'y_score'; did you mean 'y_scores'",
    ),
    (lambda d: d.assign(y_score=np.nan), "y_score"),
    (lambda d: d.assign(reader=None), "missing"),
    (lambda d: d.assign(y_true=1), "two classes"),
]


@pytest.mark.parametrize("alter, message", BAD, ids=[message[:30] for _, message in BAD])
def test_bad_tables(alter, message):
    with pytest.raises(ValueError, match=message):
        reader_study(alter(simulated_table(0)))


@pytest.mark.parametrize(
    "options", [{"readers": "both"}, {"confidence_level": 1}, {"confidence_level": 95}]
)
def test_bad_settings(options):
    with pytest.raises(ValueError):
        reader_study(simulated_table(0), **options)


def test_power_increases_and_cases_needed_is_the_smallest():
    result = reader_study(simulated_table(4, r=8, cases=200))
    by_readers = [result.power(0.05, readers=r, cases=100) for r in (3, 6, 12)]
    by_cases = [result.power(0.05, readers=6, cases=c) for c in (50, 200, 800)]
    assert by_readers == sorted(by_readers)
    assert by_cases == sorted(by_cases)
    assert 0.05 < by_readers[0] < by_readers[2] < 1
    need = result.cases_needed(0.08, readers=10, power=0.7)
    assert (
        result.power(0.08, readers=10, cases=need)
        >= 0.7
        > result.power(0.08, readers=10, cases=need - 1)
    )
    with pytest.raises(ValueError, match="use more readers"):
        result.cases_needed(0.001, readers=2, power=0.99, max_cases=1000)
    with pytest.raises(ValueError, match="readers"):
        result.power(0.05, readers=1, cases=100)
    with pytest.raises(ValueError, match="pilot"):
        reader_study(simulated_table(4, r=1), readers="fixed").power(0.05, readers=5, cases=100)


def test_clip_of_fixed_readers():
    # two readers, eight cases: c2 - c3 is below 0. Unclipped, as in R's MRMCaov, the variance is
    # DeLong's of the mean difference
    first = [[3, 1, -2, -1, -3, -1, 2, 1], [2, -1, 6, 1, 5, -2, -1, 5]]
    second = [[-1, 2, 1, 0, 4, -2, 2, 2], [-1, -2, -2, 0, 0, 1, 0, 0]]
    y = [1] * 4 + [0] * 4
    rows = [
        (r, m, c, y[c], scores[r][c])
        for m, scores in enumerate((first, second))
        for r in (0, 1)
        for c in range(8)
    ]
    table = dict(
        zip(("reader", "modality", "case", "y_true", "y_score"), map(np.array, zip(*rows)))
    )
    clipped, plain = (reader_study(table, readers="fixed", clip=clip) for clip in (True, False))
    variance, c1, c2, c3 = plain.covariances
    assert c2 < c3
    for result, shared in ((clipped, 0.0), (plain, c2 - c3)):
        reach = 1.959964 * (variance - c1 + shared) ** 0.5
        assert result.high - result.difference == pytest.approx(reach, rel=1e-5)
    assert (plain.low, plain.high) == pytest.approx((0.101082, 0.648918), abs=1e-5)
    with pytest.raises(ValueError, match="clip=False is for readers='fixed'"):
        reader_study(table, clip=False)
