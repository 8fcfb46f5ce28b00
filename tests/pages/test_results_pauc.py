"""The stored figures for Paper 3's tables: complete, and repeatable."""

import json
import os

import pytest

PARTS = {"table2": 4, "table3": 2, "table4": 3, "table5": 1}  # data sets of each


@pytest.fixture(scope="module")
def stored(root):
    return json.loads((root / "nbs/results/pauc_tables.json").read_text())


def test_complete(stored):
    for table, sets in PARTS.items():
        assert len(stored[table]["sets"]) == sets
        for name, entry in stored[table]["sets"].items():
            assert (
                entry["seeds"] == list(range(10))
                and name.split(",")[0] in stored["header"]["inputs"]
            )
            for methods in entry["values"].values():
                assert {"SVM_pAUC", "SVM_AUC", "logistic"} <= set(methods)
                assert all(len(v) == 10 and min(v) >= 0 and max(v) <= 1 for v in methods.values())
    calls = stored["figure4"]["sets"]["w8a"]
    lengths = {len(calls[key]) for key in ("max_fpr", "calls", "time per call", "time ratio")}
    assert (
        lengths == {6} and calls["time ratio"][-1] == 1 and calls["time per call"][-1] == [1, 1, 1]
    )


@pytest.mark.skipif(
    not os.environ.get("AUCBOOK_DATA") or bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0"))),
    reason="needs the data, and compiled code",
)
def test_a_split_repeats(stored, monkeypatch):
    pytest.importorskip("lightgbm")
    from experiments import pauc_tables as results

    monkeypatch.setattr(results, "SPLITS", 1)
    s = 6848 / 101671
    middle = (0.2 * s, 0.3 * s)
    methods = {
        k: v for k, v in results.rivals(*middle).items() if k in ("SVM_AUC", "greedy", "logistic")
    }
    again = results.table(
        {"mammography": results.dense("mammography")},
        methods,
        (0.05,),
        middle,
        lambda n: {".2s to .3s": middle},
        results.scaled,
    )
    for method, values in again["mammography"]["values"][".2s to .3s"].items():
        # another BLAS may move a score by rounding, and with it one positive of 247 past one negative in the range;
        # the risk of an SVM is known to .01, and rounding may end its fit at another plane
        assert values[0] == pytest.approx(
            stored["table5"]["sets"]["mammography"]["values"][".2s to .3s"][method][0],
            abs=0.01 if method == "SVM_AUC" else 1e-3,
        )
