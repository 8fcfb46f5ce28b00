"""Pictures: what is drawn equals what roc_curve computes."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from sklearn.cluster import KMeans
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from aucbook import (
    RocCurveDisplay,
    ScoreDistributionDisplay,
    auc_interval,
    roc_auc,
    roc_curve,
    scores_of,
)
from aucbook._base.style import BLUE, ORANGE, book_style
from aucbook.thresholds import operating_point

Y = np.array([1, 0, 1, 1, 0, 0])
S = np.array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])


pytestmark = pytest.mark.usefixtures("closed_figures")


def points(curve):
    return np.c_[curve.fpr, curve.tpr]


def with_interval(s):
    return "{:.3f} ({:.3f} to {:.3f})".format(*auc_interval(Y, s)[:3])


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_lines_are_the_curves():
    display = RocCurveDisplay.from_predictions(
        Y, {"up": S, "down": -S}, max_fpr=0.25, hull=True, youden=True
    )
    for name, s in (("up", S), ("down", -S)):
        np.testing.assert_array_equal(display.lines_[name].get_xydata(), points(roc_curve(Y, s)))
    assert legend(display) == [
        f"{name}:\nAUC {with_interval(s)},\npAUC {roc_curve(Y, s).auc(max_fpr=0.25):.3f}"
        for name, s in (("up", S), ("down", -S))
    ]
    assert display.ax_.get_legend().get_title().get_text() == "pAUC over FPR 0 to 0.25"


def test_without_a_range_nothing_is_shaded_and_no_partial_area_is_said():
    display = RocCurveDisplay.from_predictions(Y, S, name="mine")
    assert legend(display) == [f"mine:\nAUC {with_interval(S)}", "95 % band, simultaneous"]
    assert not display.ax_.patches
    assert display.ax_.get_legend().get_title().get_text() in ("", "None")


def test_weights_and_positive_class_reach_the_curve():
    w = np.array([1, 2, 3, 4, 5, 6.0])
    display = RocCurveDisplay.from_predictions(Y, S, sample_weight=w, pos_label=0)
    np.testing.assert_array_equal(
        display.lines_["ranker"].get_xydata(), points(roc_curve(Y, S, sample_weight=w, pos_label=0))
    )


def test_legend_says_the_best_over_the_range_first_and_colours_stay_with_the_names():
    y = np.array(
        [1, 1, 1, 1, 0, 0, 0, 0, 0]
    )  # Paper 3, Table 1: the order of the doctors turns round with the range
    doctors = {
        "doctor 1": [9.1, 6.8, 6.1, 5.7, 8.5, 8.1, 4.2, 3.6, 2.3],
        "doctor 2": [9.9, 8.7, 3.3, 2.1, 7.6, 5.3, 4.9, 4.4, 0.8],
    }
    full_range = RocCurveDisplay.from_predictions(y, doctors)
    corner = RocCurveDisplay.from_predictions(y, doctors, min_fpr=0.1, max_fpr=0.2)
    assert [t[:8] for t in legend(full_range)] == ["doctor 1", "doctor 2"] and [
        t[:8] for t in legend(corner)
    ] == ["doctor 2", "doctor 1"]
    for display in (full_range, corner):
        assert [line.get_color() for line in display.lines_.values()] == [BLUE, ORANGE]


def test_six_lines_differ_in_colour_and_in_dash():
    lines = RocCurveDisplay.from_predictions(Y, {f"r{i}": S for i in range(7)}).lines_.values()
    assert len({to_hex(line.get_color()) for line in lines}) == 6
    assert len({str(line._unscaled_dash_pattern) for line in lines}) == 6


def test_the_shaded_strip_is_the_range():
    box = RocCurveDisplay.from_predictions(Y, S, min_fpr=0.1, max_fpr=0.3).ax_.patches[0].get_bbox()
    assert (box.x0, box.x1) == pytest.approx((0.1, 0.3))


def test_hull_and_youden_are_the_curves_own():
    curve = roc_curve(Y, S)
    line, hull, dot = RocCurveDisplay.from_predictions(
        Y, S, hull=True, youden=True, plot_chance_level=False
    ).ax_.lines
    np.testing.assert_array_equal(hull.get_xydata(), points(curve.hull()))
    x, t = dot.get_xydata()[0]
    assert (
        t - x == curve.youden()[1]
        and curve.youden()[0] == curve.thresholds[(curve.fpr == x) & (curve.tpr == t)][0]
    )


def test_draws_on_given_axes_and_opens_no_other_figure():
    _, ax = plt.subplots()
    display = RocCurveDisplay.from_predictions(Y, S, ax=ax, plot_chance_level=False)
    assert (
        display.ax_ is ax
        and display.figure_ is ax.figure
        and plt.get_fignums() == [1]
        and len(ax.lines) == 1
    )
    assert ScoreDistributionDisplay.from_predictions(
        Y, S, ax=ax
    ).ax_ is ax and plt.get_fignums() == [1]


def test_curves_are_kept_and_can_be_drawn_again():
    first = RocCurveDisplay.from_predictions(Y, S)
    again = RocCurveDisplay(first.curves_).plot(max_fpr=0.5)
    assert again.curves_ is first.curves_ and again.figure_ is not first.figure_


def test_from_estimator_takes_either_kind_of_score_and_either_class():
    X = np.c_[S, S**2]
    labels = np.where(Y == 1, "sick", "well")
    for model in (LogisticRegression(), LinearSVC(), make_pipeline(StandardScaler(), GaussianNB())):
        model.fit(X, labels)
        display = RocCurveDisplay.from_estimator(model, X, labels, pos_label="sick")
        assert display.curves_[type(model).__name__].auc() == pytest.approx(
            roc_auc(Y, -scores_of(model, X))
        )
        assert RocCurveDisplay.from_estimator({"m": model}, X, labels).curves_[
            "m"
        ].auc() == pytest.approx(roc_auc(1 - Y, scores_of(model, X)))
        assert RocCurveDisplay.from_estimator(model, X, labels, name="mine").lines_.keys() == {
            "mine"
        }


def test_probabilities_and_unlabelled_scores_serve():
    model = GaussianNB().fit(S[:, None], Y)
    np.testing.assert_array_equal(
        scores_of(model, S[:, None]), model.predict_proba(S[:, None])[:, 1]
    )
    outliers = IsolationForest(n_estimators=5, random_state=0).fit(S[:, None])
    np.testing.assert_array_equal(
        scores_of(outliers, S[:, None], pos_label=0), outliers.decision_function(S[:, None])
    )


def rates_of(display):
    return [text.partition(" (")[0] for text in legend(display)]


def heights(display):
    return np.array([patch.get_height() for patch in display.ax_.patches]).reshape(2, -1)


def test_piles_are_shares_and_the_legend_is_a_point_of_the_curve():
    display = ScoreDistributionDisplay.from_predictions(Y, S, bins=3)
    np.testing.assert_allclose(heights(display), [[2 / 3, 0, 1 / 3], [0, 2 / 3, 1 / 3]])
    assert display.threshold_ == 3
    point = operating_point(Y, S, 3)
    assert legend(display) == [
        "negatives: FPR {:.3f} ({:.3f} to {:.3f})".format(
            *(1 - end for end in (point.specificity.value, *point.specificity[:0:-1]))
        ),
        "positives: TPR {:.3f} ({:.3f} to {:.3f})".format(*point.tpr),
    ]
    for t, rates in (
        (4.5, (1 / 3, 1 / 3)),
        (5.0, (1 / 3, 1 / 3)),
        (-9, (1, 1)),
        (99, (0, 0)),
        (np.inf, (0, 0)),
        (-np.inf, (1, 1)),
    ):
        assert rates_of(display.plot(threshold=t)) == [
            f"negatives: FPR {rates[0]:.3f}",
            f"positives: TPR {rates[1]:.3f}",
        ]
        assert rates == pytest.approx((np.mean(S[Y == 0] >= t), np.mean(S[Y == 1] >= t)))


def test_piles_turn_with_the_positive_class_and_leave_infinities_out():
    assert rates_of(ScoreDistributionDisplay.from_predictions(Y, -S, pos_label=0)) == [
        "negatives: FPR 0.000",
        "positives: TPR 0.667",
    ]
    infinite = ScoreDistributionDisplay.from_predictions(Y, [np.inf, 5, 4, 3, 2, -np.inf], bins=2)
    np.testing.assert_allclose(heights(infinite).sum(1), [2 / 3, 2 / 3])
    labels = np.where(Y == 1, "a", "b")
    model = LogisticRegression().fit(S[:, None], labels)
    display = ScoreDistributionDisplay.from_estimator(model, S[:, None], labels, pos_label="a")
    np.testing.assert_array_equal(
        display.curve_.tpr, roc_curve(Y, -scores_of(model, S[:, None])).tpr
    )


def test_style_ends_with_its_block():
    before = matplotlib.rcParams["axes.spines.top"]
    with book_style():
        assert not matplotlib.rcParams["axes.spines.top"]
    RocCurveDisplay.from_predictions(Y, S)
    assert matplotlib.rcParams["axes.spines.top"] == before


X = S[:, None]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: RocCurveDisplay.from_predictions(Y, {}), "empty dict"),
        (lambda: RocCurveDisplay.from_estimator({}, X, Y), "empty dict"),
        (lambda: RocCurveDisplay.from_predictions(Y, S[:3]), "y_true has 6 rows but y_score has 3"),
        (
            lambda: RocCurveDisplay.from_predictions(Y, {"ours": S, "theirs": S[:3]}),
            r"y_true has 6 rows but y_score\['theirs'\] has 3",
        ),
        (
            lambda: RocCurveDisplay.from_predictions(Y, {"ours": S, "theirs": S * np.nan}),
            r"y_score\['theirs'\] contains NaN",
        ),
        (lambda: RocCurveDisplay.from_predictions(Y, np.c_[S, S]), "column of the positive class"),
        (lambda: RocCurveDisplay.from_predictions(Y * 0, S), "exactly two classes"),
        (lambda: RocCurveDisplay.from_predictions([0, 1, 2] * 2, S), "exactly two classes"),
        (
            lambda: RocCurveDisplay.from_predictions(Y, S, min_fpr=0.5, max_fpr=0.2),
            "min_fpr < max_fpr",
        ),
        (lambda: RocCurveDisplay.from_estimator(LogisticRegression(), X, Y), "not fitted"),
        (
            lambda: RocCurveDisplay.from_estimator(
                KMeans(2, n_init=1, random_state=0).fit(X), X, Y
            ),
            "nothing to rank by",
        ),
        (
            lambda: RocCurveDisplay.from_estimator(
                LogisticRegression().fit(X, [0, 1, 2] * 2), X, Y
            ),
            "fitted to 3 classes",
        ),
        (lambda: ScoreDistributionDisplay.from_predictions(Y, S[:3]), "same length"),
        (
            lambda: ScoreDistributionDisplay.from_predictions(Y, S, threshold=np.nan),
            "threshold must be a number .* got nan",
        ),
        (
            lambda: ScoreDistributionDisplay.from_predictions(Y, S, threshold="a"),
            "threshold must be a number .* got 'a'",
        ),
        (
            lambda: ScoreDistributionDisplay.from_predictions(Y, [np.inf, -np.inf] * 3),
            "no score is finite",
        ),
        (lambda: ScoreDistributionDisplay.from_estimator(GaussianNB(), X, Y), "not fitted"),
    ],
)
def test_bad_input_is_named_and_opens_no_figure(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert plt.get_fignums() == [] and isinstance(caught.value, NotFittedError) == (
        message == "not fitted"
    )
