"""The widgets of models: their numbers, their code, and what they say of bad input."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from aucbook import (
    AdditiveRanker,
    AUCBoost,
    MartiRank,
    TreeRank,
    TreeRankForest,
    compare,
    lab,
    partial_auc,
    roc_auc,
)
from aucbook.lab.label_noise import CLASSES, flip_labels, noise_rankers
from aucbook.tables import TableEncoder
from aucbook.trees import pruning_path, shake


def toy_rows(n=120, d=3, seed=0, words=False):
    """A data frame of two informative columns and noise, and its labels."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    X = rng.normal(size=(n, d))
    X[:, 0] += 1.2 * y
    X[:, 1] -= 0.8 * y
    table = pd.DataFrame(X.round(3), columns=["age", "dose", *(f"noise {j}" for j in range(d - 2))])
    return table, (np.array(["healthy", "sick"])[y] if words else y)


def run(widget, **names):
    """The names after the widget's code has run."""
    exec(widget.code(), names)
    return names


def extreme(widget, name, which):
    """The first or the last setting of a control, as it is now."""
    spec = next(spec for spec in widget.controls if spec["name"] == name)
    if spec["kind"] == "number":
        return spec["min" if which == 0 else "max"]
    return which * (len(spec["shown"] if spec["kind"] == "slider" else spec["options"]) - 1)


def check_every_setting(widget):
    """No setting at an end of a control fails; the picture stays small and is valid JSON."""
    assert widget.message == "", widget.message
    for name, which in product([spec["name"] for spec in widget.controls], (0, 1)):
        setting = extreme(widget, name, which)
        widget.values = {**widget.values, name: setting}
        assert not widget._failed, (name, setting, widget.message)
        assert len(json.dumps(widget.picture, allow_nan=False)) < 400_000
        compile(widget.script, "<script>", "exec")
    assert "<script>" in widget._repr_html_()


def numbers_of(cell):
    return cell["terms"][0]["values"]


# ---- tree


def fitted_tree(depth=4, words=False, **options):
    X, y = toy_rows(words=words)
    return TreeRank(depth, **options).fit(X, y), X, y


@pytest.mark.parametrize("order", ["from left to right", "by share of positives"])
@pytest.mark.parametrize("depth, n_leaves", [(4, 99), (2, 3), (1, 1)])
def test_tree_draws_the_pruned_tree(depth, n_leaves, order):
    model, X, y = fitted_tree()
    widget = lab.tree(model, X, y)
    widget.choose(depth=depth, order=order)
    widget.choose(n_leaves=n_leaves)
    pruned = widget.value
    direct = model.prune(n_leaves=widget.chosen("n_leaves"), max_depth=depth)
    if order != "from left to right":
        direct = shake(direct)
    np.testing.assert_array_equal(pruned.decision_function(X), direct.decision_function(X))
    np.testing.assert_array_equal(
        run(widget, model=model)["pruned"].decision_function(X), direct.decision_function(X)
    )
    rates = widget.picture["panels"][0]["marks"][0]["heights"]
    leaves = direct.tree_.leaves
    mass = direct.tree_.mass[leaves]
    assert rates == pytest.approx(mass[:, 0] / mass.sum(1), abs=1e-5)


def test_tree_follows_a_row_and_judges_by_held_out_rows():
    model, X, y = fitted_tree(words=True)
    X_test, y_test = toy_rows(60, seed=1, words=True)
    widget = lab.tree(model, X, y, X_test=X_test, y_test=y_test, rows=[7, 3])
    assert widget.options("row") == [7, 3]
    cell = numbers_of(widget.picture["sentence"][3])
    leaves = model.tree_.leaves.tolist()
    assert cell == [leaves.index(leaf) + 1 for leaf in model.apply(X.iloc[[7, 3]])]
    legend = [entry["name"] for entry in widget.picture["panels"][1]["legend"]]
    areas = [
        roc_auc(labels, model.decision_function(table), pos_label="sick")
        for table, labels in ((X, y), (X_test, y_test))
    ]
    assert legend == [f"these rows, AUC {areas[0]:.3f}", f"held-out rows, AUC {areas[1]:.3f}"]
    sizes, held_out = (widget.picture["panels"][3]["marks"][1][key] for key in ("x", "y"))
    for size, area in zip(sizes, held_out, strict=True):
        pruned = model.prune(n_leaves=int(size))
        scores = pruned.decision_function(X_test)
        assert area == pytest.approx(roc_auc(y_test, scores, pos_label="sick"), abs=1e-5)
    assert max(sizes) == max(pruning_path(model).n_leaves)


@pytest.mark.parametrize("shaken", [False, "smooth"])
def test_tree_answers_every_setting(shaken):
    model, X, y = fitted_tree(6, shake=shaken)
    check_every_setting(lab.tree(model, X, y))


def test_tree_of_two_rows_and_of_many_leaves():
    widget = lab.tree(TreeRank(3).fit([[0.0], [1.0]], [0, 1]), [[0.0], [1.0]], [0, 1])
    check_every_setting(widget)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 2)), rng.random(4000) < 0.5
    widget = lab.tree(TreeRank(30).fit(X, y), X, y)
    assert widget.value.tree_.leaves.size <= 200
    check_every_setting(widget)


@pytest.mark.parametrize(
    "model, y, message",
    [
        (TreeRank(), None, "not fitted yet"),
        (LogisticRegression(), None, "must be a fitted TreeRank, got LogisticRegression"),
        (None, [1] * 120, "y"),
        (None, [1, 0], "120 rows, and there are 2 labels"),
        (None, [1.5] * 120, "y"),
    ],
)
def test_tree_says_what_is_wrong(model, y, message):
    fitted, X, labels = fitted_tree()
    widget = lab.tree(model or fitted, X, labels if y is None else y)
    assert message in widget.message and not widget.picture
    with pytest.raises(ValueError):
        widget.value


def test_tree_refuses_rows_that_are_none_and_half_of_held_out_rows():
    model, X, y = fitted_tree()
    assert "rows must be numbers from 0 to 119" in lab.tree(model, X, y, rows=[120]).message
    assert "belong together" in lab.tree(model, X, y, X_test=X).message
    assert lab.tree(model, X.iloc[:, :2], y).message


# ---- forest


@pytest.fixture(scope="module")
def forest_widget():
    X, y = toy_rows(words=True)
    return lab.forest(X, y, n_estimators=10, max_fpr=0.2), X, y


@pytest.mark.parametrize(
    "choices, parameters",
    [
        ({"n_estimators": 5}, {"n_estimators": 5}),
        ({"n_estimators": 10, "max_depth": 2}, {"n_estimators": 10, "max_depth": 2}),
        (
            {"smoothing": "1 - FPR, as in the paper", "max_features": "all 3"},
            {"n_estimators": 10, "max_depth": 2, "smoothing": None, "max_features": None},
        ),
    ],
)
def test_forest_is_that_of_one_fit(forest_widget, choices, parameters):
    widget, X, y = forest_widget
    widget.choose(**choices)
    direct = TreeRankForest(max_fpr=0.2, random_state=0, **parameters).fit(X, y)
    for forest in (widget.value, run(widget, X=X, y=y)["forest"]):
        np.testing.assert_array_equal(forest.decision_function(X), direct.decision_function(X))
        assert forest.get_params() == direct.get_params()
    partial, auc, _ = (numbers_of(row[1]) for row in widget.picture["tables"][0]["rows"])
    step = widget.options("n_estimators").index(parameters["n_estimators"])
    assert auc[step] == pytest.approx(direct.oob_score_)
    assert partial[step] == pytest.approx(direct.oob_curve_.auc(max_fpr=0.2))


def test_forest_answers_every_setting():
    X, y = toy_rows(60)
    check_every_setting(lab.forest(X.to_numpy(), y.tolist(), n_estimators=3))


def test_forest_keeps_the_picture_when_it_is_interrupted(monkeypatch):
    X, y = toy_rows(60)
    widget = lab.forest(X, y, n_estimators=3)
    before = widget.picture

    def interrupted(self, *data):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(TreeRankForest, "fit", interrupted)
        widget.values = {**widget.values, "max_depth": 0}
        assert widget.message.startswith("Stopped") and widget.picture is before
        assert widget.progress == -1 and widget.chosen("max_depth") == 40
    widget.choose(max_depth=1)
    assert widget.message == "" and widget.value.max_depth == 1


def test_forest_of_two_rows_of_each_class():
    widget = lab.forest([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], n_estimators=2)
    check_every_setting(widget)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"y": [1] * 60}, "y"),
        ({"y": [0, 1]}, "60 rows, and there are 2 labels"),
        ({"X": [["a"]] * 60}, "a"),
        ({"max_fpr": 2}, "max_fpr=2"),
        ({"n_estimators": 0}, "n_estimators must be a whole number, at least 1"),
        ({"random_state": None}, "random_state"),
    ],
)
def test_forest_says_what_is_wrong(changes, message):
    X, y = toy_rows(60)
    widget = lab.forest(**{"X": X, "y": y, **changes})
    assert message in widget.message and not widget.picture


def test_forest_of_constant_columns_warns():
    widget = lab.forest(np.ones((20, 2)), [0, 1] * 10, n_estimators=2)
    assert "every row gets the same score" in widget.message and widget.picture


# ---- boosting


@pytest.mark.parametrize("words", [False, True])
def test_boosting_is_a_fit_of_so_many_rounds(words):
    X, y = toy_rows(words=words)
    X_test, y_test = toy_rows(60, seed=1, words=words)
    widget = lab.boosting(X, y, X_test=X_test, y_test=y_test, n_estimators=12, max_fpr=0.3)
    pos_label = "sick" if words else 1
    areas = [numbers_of(row[1]) for row in widget.picture["tables"][0]["rows"]]
    for n_rounds in (1, 5, 12):
        direct = AUCBoost(n_estimators=n_rounds, random_state=0).fit(X, y)
        scores = direct.decision_function(X_test)
        widget.choose(round=n_rounds)
        names = run(widget, X=X, y=y, X_test=X_test, y_test=y_test)
        for model in (widget.value, names["model"]):
            np.testing.assert_array_equal(model.decision_function(X_test), scores)
        training = roc_auc(y, direct.decision_function(X), pos_label=pos_label)
        held_out = roc_auc(y_test, scores, pos_label=pos_label)
        partial = partial_auc(y_test, scores, max_fpr=0.3, pos_label=pos_label)
        shown = [values[n_rounds - 1] for values in areas]
        expected = [training, held_out, training - held_out, partial, direct.history_["bound"][-1]]
        assert shown == pytest.approx(expected)


def test_boosting_holds_out_a_third_as_its_code_does():
    X, y = toy_rows()
    widget = lab.boosting(X, y, n_estimators=4, random_state=5)
    names = run(widget, X=X, y=y)
    area = roc_auc(names["y_test"], names["model"].decision_function(names["X_test"]))
    shown = numbers_of(widget.picture["tables"][0]["rows"][1][1])
    assert shown[widget.values["round"]] == pytest.approx(area) == pytest.approx(max(shown))


def test_boosting_answers_every_setting():
    X, y = toy_rows(90)
    check_every_setting(lab.boosting(X.to_numpy(), y.tolist(), n_estimators=7))


def test_boosting_of_few_rows_ends_early():
    widget = lab.boosting([[0.0], [1.0], [0.1], [0.9]], [0, 1, 0, 1], n_estimators=20)
    assert widget.options("round") == [1]
    check_every_setting(widget)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"y": [1] * 60}, "y"),
        ({"X": np.full((60, 2), np.nan)}, "NaN"),
        ({"X": [["a"]] * 60}, "a"),
        ({"X": np.ones((60, 2))}, "no column beats chance"),
        ({"y": [1] + [0] * 59}, "one class has 1 row"),
        ({"y_test": [0, 1]}, "belong together"),
        ({"max_fpr": 0}, "max_fpr=0"),
        ({"n_estimators": 2.5}, "n_estimators"),
    ],
)
def test_boosting_says_what_is_wrong(changes, message):
    X, y = toy_rows(60)
    widget = lab.boosting(**{"X": X, "y": y, **changes})
    assert message in widget.message and not widget.picture


# ---- additive


def fitted_additive(**options):
    X, y = toy_rows(150)
    X.iloc[::9, 1] = np.nan
    return AdditiveRanker(**options).fit(X, y), X


def shown_total(widget, cell):
    return sum(
        term["values"][widget.values.get(term["control"], 0)] * term["sign"]
        for term in cell["terms"]
    )


@pytest.mark.parametrize("interactions", [0, 2])
@pytest.mark.parametrize("as_frame", [True, False])
def test_additive_shows_the_score_of_the_changed_row(as_frame, interactions):
    model, X = fitted_additive(interactions=interactions)
    if not as_frame:
        X = X.to_numpy()
        model = AdditiveRanker(interactions=interactions).fit(X, toy_rows(150)[1])
    widget = lab.additive(model, X, rows=[3, 9])
    widget.choose(row=9)
    column = [spec["label"] for spec in widget.controls].index("age" if as_frame else "x0") - 1
    widget.choose(**{f"column{column}": 0.5})
    changed = widget.chosen(f"column{column}")
    row = widget.value
    assert type(row) is type(X) and row.shape == (1, 3)
    numbers = np.asarray(row, float)
    assert numbers[0, 0] == changed
    np.testing.assert_array_equal(numbers[0, 1:], np.asarray(X, float)[9, 1:])
    names = run(widget, X=X, model=model)
    np.testing.assert_array_equal(np.asarray(names["row"], float), numbers)
    rows = widget.picture["tables"][0]["rows"]
    score = model.decision_function(row)[0]
    assert shown_total(widget, rows[-1][2]) == pytest.approx(score, abs=1e-6)
    parts = [shown_total(widget, cells[2]) for cells in rows[:-1]]
    assert sum(parts) == pytest.approx(score, abs=1e-6)
    assert parts[column] == pytest.approx(model.votes(row)[0, 0], abs=1e-6)


def test_additive_draws_the_shape_functions_and_missing_values():
    model, X = fitted_additive()
    widget = lab.additive(model, X, n_columns=2)
    labels = [spec["label"] for spec in widget.controls[1:]]
    assert len(labels) == len(widget.picture["panels"]) == 2
    dose = labels.index("dose")
    drawn = widget.picture["panels"][dose]["marks"][2]["y"]
    assert sorted(set(drawn)) == pytest.approx(sorted(set(model.curve("dose").votes)), abs=1e-4)
    last = len(widget.controls[1 + dose]["shown"]) - 1
    assert widget.controls[1 + dose]["shown"][last] == "missing"
    widget.values = {**widget.values, f"column{dose}": last}
    assert np.isnan(widget.value["dose"].iloc[0])
    assert np.isnan(run(widget, X=X, model=model)["row"]["dose"].iloc[0])
    at_missing = numbers_of(widget.picture["tables"][0]["rows"][dose][2])[last]
    assert at_missing == pytest.approx(model.curve("dose").missing, abs=1e-6)


@pytest.mark.parametrize("options", [{}, {"interactions": 2}, {"n_bags": 1}])
def test_additive_answers_every_setting(options):
    model, X = fitted_additive(**options)
    check_every_setting(lab.additive(model, X))


def test_additive_of_two_rows():
    X, y = [[0.0, 1.0], [1.0, 1.0]], [0, 1]
    check_every_setting(lab.additive(AdditiveRanker().fit(X, y), X))


def test_additive_says_what_is_wrong():
    model, X = fitted_additive()
    for widget, message in (
        (lab.additive(AdditiveRanker(), X), "not fitted yet"),
        (lab.additive(TreeRank(), X), "must be a fitted AdditiveRanker, got TreeRank"),
        (lab.additive(model, X.iloc[:, :1]), "feature names"),
        (lab.additive(model, X.astype(str)), ""),
        (lab.additive(model, X, rows=[]), "rows must be numbers of rows"),
        (lab.additive(model, X, n_columns=0), "n_columns must be a whole number"),
    ):
        assert message in widget.message
        assert bool(widget.message) != bool(widget.picture)


# ---- what if


@pytest.fixture(scope="module")
def mixed_decision():
    """A decision on a table with numbers, missing numbers, words, truth values and text."""
    X, y = toy_rows(240)
    rng = np.random.default_rng(1)
    X["centre"] = np.array(["Bonn", "Cork", "Delft"])[rng.integers(3, size=240)]
    X["smoker"] = rng.random(240) < 0.3 + 0.3 * y
    X.loc[X.index[::7], "dose"] = np.nan
    rankers = {"curves": make_pipeline(TableEncoder(), AdditiveRanker())}
    return compare(X, y, rankers, cv=3).decide(X, max_fpr=0.3), X


@pytest.fixture(scope="module")
def forest_decision():
    X, y = toy_rows(150)
    rankers = {"forest": TreeRankForest(10, random_state=0)}
    return compare(X, y, rankers, cv=3).decide(X, max_fpr=0.3), X


def field(widget, label):
    return next(spec["name"] for spec in widget.controls[2:] if spec["label"] == label)


def test_what_if_says_what_the_decision_says(mixed_decision):
    decision, X = mixed_decision
    widget = lab.what_if(decision, X, rows=[5, 8])
    assert {spec["label"] for spec in widget.controls[2:]} == set(X.columns)
    widget.choose(row=8)
    widget.choose(**{field(widget, "age"): 1.5, field(widget, "dose"): None})
    widget.choose(**{field(widget, "centre"): "Cork", field(widget, "smoker"): "True"})
    row = widget.value
    assert row.iloc[0].to_dict() | {"dose": 0} == X.iloc[8].to_dict() | {
        "age": 1.5,
        "dose": 0,
        "centre": "Cork",
        "smoker": True,
    }
    assert np.isnan(row["dose"].iloc[0])
    names = run(widget, X=X, decision=decision)
    pd.testing.assert_frame_equal(names["row"], row)
    score, threshold, probability, prediction = widget.picture["tables"][0]["rows"]
    assert numbers_of(score[1])[0] == pytest.approx(decision.positive_scores(row)[0])
    assert numbers_of(score[2])[0] == pytest.approx(decision.positive_scores(X.iloc[[8]])[0])
    assert numbers_of(threshold[1])[0] == pytest.approx(decision.threshold)
    assert numbers_of(probability[1])[0] == pytest.approx(decision.predict_proba(row)[0, 1])
    assert (prediction[1] == "alarm") == (decision.predict(row)[0] == 1)
    assert widget.picture["tables"][1]["rows"] == decision.reasons(row).cells()[1:]


@pytest.mark.parametrize("column", ["age", "centre"])
def test_what_if_varies_one_column(mixed_decision, column):
    decision, X = mixed_decision
    widget = lab.what_if(decision, X, rows=[3])
    widget.choose(column=column)
    mark = widget.picture["panels"][2]["marks"][1]
    values = mark["labels"] if column == "centre" else mark["x"]
    assert len(values) >= 3
    for value, score in zip(values, mark["y"], strict=True):
        row = X.iloc[[3]].assign(**{column: value})
        assert score == pytest.approx(decision.positive_scores(row)[0], abs=1e-4)


def test_what_if_answers_every_setting(mixed_decision, forest_decision):
    for decision, X in (mixed_decision, forest_decision):
        check_every_setting(lab.what_if(decision, X))


def test_what_if_takes_arrays():
    X, y = toy_rows(120)
    X = X.to_numpy()
    decision = compare(X, y, {"additive": AdditiveRanker()}, cv=3).decide(X, max_fpr=0.3)
    widget = lab.what_if(decision, X.tolist(), rows=[2], n_fields=3)
    widget.choose(field0=0.25)
    names = run(widget, X=X, decision=decision)
    np.testing.assert_array_equal(names["row"], widget.value)
    assert 0.25 in widget.value[0]
    check_every_setting(widget)


def test_what_if_says_what_is_wrong(forest_decision):
    decision, X = forest_decision
    for widget, message in (
        (lab.what_if(TreeRank(), X), "must be a fitted Decision"),
        (lab.what_if(decision, X.iloc[:, :2]), "noise 0"),
        (lab.what_if(decision, X.iloc[:0]), "must have rows and columns"),
        (lab.what_if(decision, X, rows=[1.5]), "rows must be numbers of rows"),
        (lab.what_if(decision, X, n_fields=13), "n_fields must be a whole number, in 1..12"),
    ):
        assert message in widget.message and not widget.picture
    widget = lab.what_if(decision, X.iloc[:2])
    assert widget.message == "" and len(widget.options("row")) == 2


# ---- noise


def quick_rankers(noise_rate=0.0):
    return {"bayes": GaussianNB(), "MartiRank": MartiRank(n_estimators=2, noise_rate=noise_rate)}


@pytest.mark.parametrize("rankers", [quick_rankers(), quick_rankers])
@pytest.mark.parametrize("which", ["both classes", "negatives"])
def test_noise_is_judged_on_clean_rows(which, rankers):
    X, y = toy_rows(150, words=True)
    widget = lab.noise(X, y, rankers, n_repeats=2, max_fpr=0.3, random_state=4)
    widget.choose(which=which)
    for rate in (0.0, 0.3):
        widget.choose(flip_rate=rate)
        areas = run(widget, X=X, y=y, rankers=rankers)["areas"]
        assert areas == widget.value
        step = widget.options("flip_rate").index(rate)
        for row in widget.picture["tables"][0]["rows"]:
            assert numbers_of(row[2])[step] == pytest.approx(np.mean(areas[row[0]]))
    names = run(widget, X=X, y=y, rankers=rankers)
    wrong = flip_labels(names["y_train"], 0.3, CLASSES[which], 4)
    model = GaussianNB().fit(names["X_train"], wrong)
    scores = model.predict_proba(names["X_test"])[:, 1]
    area = partial_auc(names["y_test"] == "sick", scores, max_fpr=0.3)
    assert area == pytest.approx(widget.value["bayes"][0])


def test_noise_default_rankers_know_the_rate():
    X, y = toy_rows(120)
    X_test, y_test = toy_rows(60, seed=1)
    widget = lab.noise(X, y, X_test=X_test, y_test=y_test, n_repeats=1)
    widget.choose(flip_rate=0.2)
    assert list(widget.value) == list(noise_rankers())
    names = run(widget, X=X, y=y, X_test=X_test, y_test=y_test)
    assert names["areas"] == widget.value
    assert noise_rankers(0.2)["MartiRank, noise rate known"].noise_rate == 0.2
    widget.choose(which="positives")
    share = round(0.2 * float(y.mean()), 6)
    assert f"noise_rankers({share!r})" in widget.code()


def test_noise_answers_every_setting():
    X, y = toy_rows(90)
    check_every_setting(lab.noise(X.to_numpy(), y.tolist(), quick_rankers(), n_repeats=2))
    widget = lab.noise([[0.0], [1.0], [0.1], [0.9]], [0, 1, 0, 1], {"bayes": GaussianNB()})
    for which in CLASSES:  # some fits see one class only, or fail
        widget.values = {**widget.values, "which": list(CLASSES).index(which)}
        assert widget.picture or widget.message


def test_noise_shows_what_can_be_fitted():
    X, y = toy_rows(300)
    rare = y * (np.arange(300) % 5 == 0)

    def rankers(noise_rate):
        return {"bayes": GaussianNB(), "MartiRank": MartiRank(noise_rate=noise_rate)}

    def refuse(noise_rate):
        return {"never": MartiRank(n_estimators=0)}

    widget = lab.noise(X, rare, rankers, n_repeats=1)
    assert widget.picture and np.isfinite(widget.value["bayes"]).all()
    assert "no ranker could be fitted: never: n_estimators" in lab.noise(X, y, refuse).message


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"y": [1] * 60}, "y"),
        ({"y": [1] + [0] * 59}, "one class has 1 row"),
        ({"rankers": {}}, ""),
        ({"rankers": {str(k): GaussianNB() for k in range(9)}}, "1 to 8 rankers, got 9"),
        ({"rankers": "GaussianNB"}, ""),
        ({"n_repeats": 0}, "n_repeats"),
        ({"max_fpr": 1.5}, "max_fpr=1.5"),
        ({"X": [["a"]] * 60}, "no ranker could be fitted"),
    ],
)
def test_noise_says_what_is_wrong(changes, message):
    X, y = toy_rows(60)
    widget = lab.noise(**{"X": X, "y": y, **changes})
    assert widget.message and message in widget.message and not widget.picture


@pytest.mark.parametrize(
    "arguments, message",
    [
        (([0, 1, 2], 0.1), "2 classes|two classes"),
        (([0, 1], 1.0), "flip_rate"),
        (([0, 1], 0.1, "all"), "which"),
        (([0, 1], 0.1, "both", -1), "random_state"),
    ],
)
def test_flipped_labels_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        flip_labels(*arguments)
