"""Stored results: each has a script of its name and a header that says what its numbers depend on; storing loses nothing."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from discovery import all_rankers

from aucbook import default_rankers
from experiments import __main__ as experiments
from experiments import store as storage
from experiments.store import missing, store

ROOT = storage.RESULTS.parents[1]
STORED = sorted(path.stem for path in storage.RESULTS.glob("*.json"))
BENCHMARKS = {"speed"}  # written by `python -m benchmarks`
NOT_INSTALLED = "a-distribution-that-does-not-exist"
each_result = pytest.mark.parametrize("name", STORED)


@pytest.fixture
def results(tmp_path, monkeypatch):
    """An empty folder in place of nbs/results."""
    monkeypatch.setattr(storage, "RESULTS", tmp_path)
    return tmp_path


def test_every_result_has_a_script_and_every_script_a_result():
    assert set(STORED) == set(experiments.NAMES) | BENCHMARKS


@each_result
def test_header_says_what_the_numbers_depend_on(name):
    header = json.loads((storage.RESULTS / f"{name}.json").read_text())["header"]
    assert (
        header["script"] == ("benchmarks" if name in BENCHMARKS else f"experiments/{name}.py")
        and (ROOT / header["script"]).exists()
    )
    # null: a run from before the header existed did not record it
    assert header["machine"] is None or set(header["machine"]) == {
        "processor",
        "avx512",
        "avx2",
        "blas",
    }
    assert {"python", *storage.PACKAGES} <= set(header["versions"])
    assert all(
        version is None or re.match(r"\d+\.\d+", version) for version in header["versions"].values()
    )
    assert all(
        isinstance(seed, int) or re.fullmatch(r"\d+ to \d+", seed) for seed in header["seeds"]
    )
    assert all(re.fullmatch(r"[0-9a-f]{64}", checksum) for checksum in header["inputs"].values())


@each_result
def test_further_packages_are_in_the_header(name):
    if name in experiments.NAMES:
        module = __import__(f"experiments.{name}", fromlist=[name])
        assert set(getattr(module, "PACKAGES", ())) <= set(storage.read(name)["header"]["versions"])


def test_one_data_set_has_one_checksum():
    checksums = {}
    for name in STORED:
        for data, checksum in storage.read(name)["header"]["inputs"].items():
            assert checksums.setdefault(data, checksum) == checksum, f"{name}: {data}"


@pytest.mark.skipif(not os.environ.get("AUCBOOK_DATA"), reason="needs the files")
def test_inputs_are_the_files_that_the_library_knows():
    from aucbook import load_dataset
    from aucbook.datasets import list_datasets

    inputs = {
        data: checksum
        for name in STORED
        for data, checksum in storage.read(name)["header"]["inputs"].items()
    }
    known = set(inputs) & set(list_datasets())
    assert len(known) > 10
    for data in known:
        assert load_dataset(data).sha256 == inputs[data], data


def test_results_and_data_are_not_mixed():
    """Numbers that no script here computes are data: nbs/data, with their source in the file."""
    assert not any("source" in storage.read(name) for name in STORED)
    for path in (ROOT / "nbs/data").iterdir():
        assert re.search(r"doi|source", path.read_text(encoding="utf8")[:500]), path.name


# ---------------------------------------------------------------- who wins where
CHOOSING = storage.read("choosing")


def test_recommendations_rest_on_enough_tables_and_splits():
    from experiments import choosing

    full = CHOOSING["scores"]["1500 rows"]
    assert len(full) >= 12 and set(full) == set(choosing.SETS) == set(CHOOSING["header"]["inputs"])
    for condition, by_table in CHOOSING["scores"].items():
        for name, measures in by_table.items():
            assert set(measures) == set(
                choosing.MEASURES if condition == "1500 rows" else [*choosing.MEASURES][:1]
            )
            assert all(
                len(v) == choosing.SPLITS >= 10
                for by_ranker in measures.values()
                for v in by_ranker.values()
            )
            assert len({frozenset(by_ranker) for by_ranker in measures.values()}) == 1, (
                condition,
                name,
            )
    assert set(CHOOSING["ours"]) < set(full["pima"]["pauc"])


def test_training_rows_are_those_that_the_pages_name():
    for size in CHOOSING["sets"].values():
        assert size["train"] == [min(rows, 2 * size["n"] // 3) for rows in (1500, 150, 1500)]


def test_a_set_left_out_has_too_few_rows_of_one_class():
    for (condition, scores), column in zip(CHOOSING["scores"].items(), range(3), strict=True):
        for name, size in CHOOSING["sets"].items():
            rare = (
                min(size["positives"], size["n"] - size["positives"])
                / size["n"]
                * size["train"][column]
            )
            assert (name in scores) == (rare >= 5), (condition, name)


REPRODUCED = (
    "AUCBoost",
    "MartiRank",
    "TreeRank",
    "TreeRank forest",
    "TreeRank boost",
    "additive curves",
)


@pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compiled kernels"
)
@pytest.mark.parametrize("name", REPRODUCED)
@pytest.mark.parametrize("condition", CHOOSING["scores"])
def test_a_stored_split_is_reproduced(condition, name):
    """On a table that comes with scikit-learn, by rankers that need no optional package; 5e-5 is the rounding."""
    from experiments import choosing

    X, y, checksum = choosing.table("breast_cancer")
    assert checksum == CHOOSING["header"]["inputs"]["breast_cancer"]
    stored, seed = CHOOSING["scores"][condition]["breast_cancer"], 3
    scores, _ = choosing.split(X, y, condition, seed, [name])
    for measure, value in zip(stored, scores[name], strict=False):
        assert abs(value - stored[measure][name][seed]) < 2e-4, measure


@pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compiled kernels"
)
@pytest.mark.parametrize("condition", CHOOSING["scores"])
def test_another_seed_is_another_split(condition):
    from experiments import choosing

    X, y, _ = choosing.table("breast_cancer")
    one, other = (choosing.split(X, y, condition, seed, ["AUCBoost"])[0] for seed in (3, 4))
    assert one != other


# ---------------------------------------------------------------- all four together
TOGETHER = storage.read("together")


def test_every_combination_has_every_split_of_every_table():
    from experiments import development, together

    assert list(TOGETHER["scores"]) == list(development.TABLES) and TOGETHER["splits"] >= 2
    names = {frozenset(by_ranker) for by_ranker in TOGETHER["scores"].values()}
    assert len(names) == 1 and {
        "ensemble",
        *together.MEMBERS,
        *together.RIVALS,
        *together.FOUR,
        together.LINE,
    } < set(*names)
    assert {f"without {member}" for member in together.PARTS} < set(*names)
    for by_ranker in TOGETHER["scores"].values():
        assert all(len(values) >= TOGETHER["splits"] for values in by_ranker.values())


@pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compiled kernels"
)
def test_a_stored_split_of_members_is_reproduced():
    """2e-4: the rounding, and the last digits of sums."""
    from experiments import development, together

    X, y, checksum = development.table("breast_cancer")
    assert checksum == TOGETHER["header"]["inputs"]["breast_cancer"]
    names = ["forest of random cuts", "boosted trees", together.LINE]
    scores, _ = together.split(X, y, 1, names)
    for name in names:
        np.testing.assert_allclose(
            scores[name], TOGETHER["scores"]["breast_cancer"][name][1], rtol=0, atol=2e-4
        )


def test_a_judged_forest_is_reproduced():
    """The first split of the table that comes with scikit-learn; the stored values are rounded."""
    from experiments import development, forest_thresholds

    stored = storage.read("forest_thresholds")
    X, y, checksum = development.table("breast_cancer")
    assert checksum == stored["header"]["inputs"]["breast_cancer"]
    for condition, change in (("final", lambda X: X), ("missing", forest_thresholds.with_gaps)):
        train, test = next(development.splits(y, development.FINAL))
        Z = change(X)
        for name in ("TreeRankForest()", 'TreeRankForest(thresholds="best")'):
            model = forest_thresholds.RIVALS[name].fit(Z[train], y[train])
            judged = development.judged(y[test], model.decision_function(Z[test]))
            assert np.allclose(
                judged, stored[condition]["breast_cancer"][name][0], rtol=0, atol=2e-4
            ), (condition, name)


@pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compiled kernels"
)
def test_a_split_of_both_rules_for_the_cut_is_computed_again():
    """Lemma 4's cut by J and by r: the first split of the table that comes with scikit-learn."""
    from experiments import development, lemma4_cut

    stored = storage.read("lemma4_cut")
    X, y, checksum = development.table("breast_cancer")
    assert checksum == stored["header"]["inputs"]["breast_cancer"]
    train, test = next(development.splits(y, development.TUNING))
    recomputed = lemma4_cut.one_split(X, y, train, test)
    for rule, line in stored["tables"]["breast_cancer"][0].items():
        for name, values in line.items():
            assert np.allclose(recomputed[rule][name], values, rtol=0, atol=2e-4), (rule, name)


@pytest.mark.skipif(
    bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))), reason="slow without compiled kernels"
)
def test_rankings_added_up_are_computed_again():
    """The aggregation of fifty trees, and one count of the two-sample tests."""
    from experiments import development, since_2008

    stored = storage.read("since_2008")
    X, y, checksum = development.table("breast_cancer")
    assert checksum == stored["header"]["inputs"]["breast_cancer"]
    train, test = next(development.splits(y, since_2008.SPLITS))
    recomputed = since_2008.aggregate(X, y, train, test, 0)
    for rule, values in stored["aggregation"]["breast_cancer"][0].items():
        assert np.allclose(recomputed[rule], values, rtol=0, atol=2e-4), rule
    world, d = since_2008.WORLDS.index("one mean"), 5
    rejected = 0
    for seed in range(stored["repeats"]):
        rng = np.random.default_rng([d, world, seed])
        X, y = since_2008.sample("one mean", d, rng)
        columns = since_2008.ks_2samp(X[y == 1], X[y == 0], axis=0, method="asymp").pvalue
        rejected += columns.min() * d <= since_2008.LEVEL
    assert rejected == stored["two_sample"]["one mean, 5"]["Kolmogorov-Smirnov"]


def test_the_search_of_the_experiment_is_that_of_the_library():
    """By J, every column and threshold: the same cut as SortedColumns finds."""
    from aucbook.boosting.weak_rankers import SortedColumns
    from experiments.lemma4_cut import RuleSearch

    rng = np.random.default_rng(0)
    for _ in range(20):
        X = rng.normal(size=(30, 3)).round(1)
        y = rng.permutation(np.arange(30) % 3 == 0).astype(np.uint8)
        w = rng.random(30)
        signed = np.where(y == 1, w / w[y == 1].sum(), -w / w[y == 0].sum())
        ours = RuleSearch(X, "J")(y, signed, 0.5)
        theirs = SortedColumns(X)(y, signed, 0.5)
        assert abs(abs(np.subtract(*ours.rates)) - abs(np.subtract(*theirs.rates))) < 1e-12
        by_r = RuleSearch(X, "r")(y, signed, 0.5)
        agreement = [abs(a - b) / (1 + abs(1 - a - b)) for a, b in (by_r.rates, ours.rates)]
        assert agreement[0] >= agreement[1] - 1e-12


def test_alarms_are_had_again():
    from experiments import choosing

    X, y, _ = choosing.table("breast_cancer")
    assert np.allclose(
        choosing.alarm(X, y, 2), CHOOSING["alarm"]["breast_cancer"][2], rtol=0, atol=0.5
    )


@pytest.mark.skipif(not os.environ.get("AUCBOOK_DATA"), reason="AUCBOOK_DATA is not set")
@pytest.mark.parametrize(
    "name",
    [
        "PAV-AdaBoost",
        "TreeRank",
        pytest.param(
            "additive curves",
            marks=pytest.mark.xfail(
                strict=True,
                raises=AssertionError,
                reason="stored before columns took turns by content: `make results guarantee`",
            ),
        ),
    ],
)
def test_a_guarantee_is_computed_again(name):
    """One split of one table; a score at the threshold may fall to either side."""
    from experiments import development, guarantee

    stored = storage.read("guarantee")
    X, y, checksum = development.table("mammography")
    assert checksum == stored["header"]["inputs"]["mammography"]
    ranker = default_rankers(max_fpr=guarantee.MAX_FPR, random_state=0)[name]
    train, test = next(guarantee.splits(y, guarantee.SPLITS))
    expected = stored["tables"]["mammography"][name][0]
    np.testing.assert_allclose(
        guarantee.stated_and_measured(ranker, X, y, train, test), expected, rtol=0, atol=2e-3
    )


def test_advice_quotes_what_is_stored():
    """Every difference ± standard error in the words of the first page is one between two rankers, paired, in the stored splits."""
    stored = set()
    for by_table in CHOOSING["scores"].values():
        tables = [
            {r: np.mean(v) for r, v in measures["pauc"].items()} for measures in by_table.values()
        ]
        for one in tables[0]:
            d = np.array([t[one] - t["random forest"] for t in tables])
            stored.add(
                f"{d.mean():+.3f} ± {d.std(ddof=1) / len(d) ** 0.5:.3f}".replace("0.", ".").replace(
                    "-", "−"
                )
            )
    words = [
        c["source"]
        for c in json.loads((ROOT / "nbs/index.ipynb").read_text())["cells"]
        if c["cell_type"] == "markdown"
    ]
    quoted = set(re.findall(r"[+−]\.\d{3} ± \.\d{3}", "".join("".join(source) for source in words)))
    assert len(quoted) >= 7 and quoted <= stored, quoted - stored


# ---------------------------------------------------------------- store
def test_store_writes_a_header_and_the_results(results):
    store("toy", [{"a": 1}], seeds=[3, range(5)], inputs={"iris": "0" * 64}, packages=("pytest",))
    got = json.loads((results / "toy.json").read_text())
    assert got["rows"] == [{"a": 1}] and list(got) == ["header", "rows"]
    assert got["header"]["seeds"] == [3, "0 to 4"] and got["header"]["inputs"] == {"iris": "0" * 64}
    assert (
        got["header"]["script"] == "experiments/toy.py"
        and got["header"]["versions"]["pytest"] == pytest.__version__
    )
    assert [path.name for path in results.iterdir()] == ["toy.json"]


def test_interrupted_writing_leaves_the_old_file(results):
    store("toy", {"a": 1})
    before = (results / "toy.json").read_bytes()
    with pytest.raises(TypeError):
        store("toy", {"a": object()})
    assert (results / "toy.json").read_bytes() == before and len(list(results.iterdir())) == 1


def test_results_so_far_stay_beside_the_stored_ones(results):
    store("toy", {"a": [1, 2]})
    store("toy", {"a": [3]}, finished=False)
    assert storage.read("toy")["a"] == [1, 2] and json.loads(
        (results / "toy.partial.json").read_text()
    )["a"] == [3]
    store("toy", {"a": [3, 4]})
    assert storage.read("toy")["a"] == [3, 4] and not (results / "toy.partial.json").exists()


def test_parts_that_are_kept_say_where_they_come_from(results, monkeypatch):
    store("toy", {"a": 1, "b": 2}, seeds=[0], inputs={"x": "1" * 64})
    store("toy", {"b": 3}, seeds=[1], keep=True)
    got = storage.read("toy")
    assert (got["a"], got["b"]) == (1, 3) and "earlier" not in got[
        "header"
    ]  # the same machine, the same versions
    assert got["header"]["seeds"] == [0, 1] and got["header"]["inputs"] == {"x": "1" * 64}
    old = got["header"]["versions"]
    monkeypatch.setattr(storage.platform, "python_version", lambda: "99.0.0")
    store("toy", {"b": 4}, keep=True)
    header = storage.read("toy")["header"]
    assert header["versions"]["python"] == "99.0.0" and header["earlier"] == {
        "a": {"machine": header["machine"], "versions": old}
    }
    store("toy", {"c": 5}, keep=True)
    assert list(storage.read("toy")["header"]["earlier"]) == ["a"]
    store("toy", {"a": 6}, keep=True)
    assert "earlier" not in storage.read("toy")["header"]


# ---------------------------------------------------------------- python -m experiments
def test_experiments_without_their_packages_are_left_out(monkeypatch, capsys):
    from experiments import forest

    monkeypatch.setattr(forest, "PACKAGES", ("numpy", NOT_INSTALLED), raising=False)
    monkeypatch.setattr(forest, "run", lambda: pytest.fail("ran"))
    experiments.main(["forest"])
    assert (
        capsys.readouterr().out
        == f"forest: left out, it needs {NOT_INSTALLED} (pip install {NOT_INSTALLED})\n"
    )
    assert missing(["numpy", NOT_INSTALLED]) == [NOT_INSTALLED]


def test_parts_are_handed_down(monkeypatch, capsys):
    from experiments import forest

    got = []
    monkeypatch.setattr(forest, "run", lambda *parts: got.append(parts))
    experiments.main(["forest", "forest:a:b"])
    assert got == [(), ("a", "b")]


def test_an_unknown_name_is_named():
    run = subprocess.run(
        [sys.executable, "-m", "experiments", "nonsense"], cwd=ROOT, capture_output=True, text=True
    )
    assert (
        run.returncode == 2
        and "there is no experiment nonsense; there are abstracts, after_papers, band_coverage,"
        in run.stderr
    )


# ---------------------------------------------------------------- the first fit after an installation
def test_cold_start_has_a_row_for_every_ranker():
    from benchmarks.cold import ALL, jobs

    names = [name.removeprefix("cold start: ") for name, *_ in jobs()]
    assert set(names) == {*all_rankers(), ALL}
    assert [name for name, *_ in jobs("cold start: TreeRank$")] == [
        "cold start: TreeRank"
    ] and jobs("numpy.sort") == []
    assert [row["name"] for row in storage.read("speed")["cold"]["rows"]] == [
        f"cold start: {name}" for name in names
    ], "run python -m benchmarks --cold"


@pytest.mark.slow
def test_a_first_fit_is_measured_in_a_fresh_process():
    from benchmarks.cold import cold, jobs

    rows = []
    result = cold(jobs("cold start: Cmass$"), rows.append)
    (row,) = result["rows"]
    assert rows == [row] and set(row) == {
        "name",
        "import",
        "first",
        "again",
        "goal",
        "ratio",
        "met",
    }
    assert result["unit"] > 0 and row["import"] > 0 and row["first"] >= row["again"] >= 0
