"""Pictures: what is drawn equals what roc_curve computes."""
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from aucbook import RocDisplay, roc_auc, roc_curve
from aucbook.display import scores_of

Y = np.array([1, 0, 1, 1, 0, 0])
S = np.array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_lines_are_the_curves():
    display = RocDisplay.from_predictions(Y, {"up": S, "down": -S}, beta=0.25, hull=True, youden=True)
    for name, s in (("up", S), ("down", -S)):
        np.testing.assert_array_equal(display.lines_[name].get_xydata(), np.c_[roc_curve(Y, s).fpr, roc_curve(Y, s).tpr])
    texts = [t.get_text() for t in display.ax_.get_legend().get_texts()]
    assert texts[0] == f"up: AUC {roc_auc(Y, S):.3f}, pAUC {roc_curve(Y, S).auc(0, .25):.3f}" and len(texts) == 2
    assert "pAUC" not in RocDisplay.from_predictions(Y, S).ax_.get_legend().get_texts()[0].get_text()


def test_the_shaded_strip_is_the_range():
    box = RocDisplay.from_predictions(Y, S, alpha=0.1, beta=0.3).ax_.patches[0].get_bbox()
    assert (box.x0, box.x1) == pytest.approx((0.1, 0.3))


def test_draws_on_given_axes_and_opens_no_other_figure():
    _, ax = plt.subplots()
    display = RocDisplay.from_predictions(Y, S, ax=ax, chance=False)
    assert display.ax_ is ax and display.figure_ is ax.figure and plt.get_fignums() == [1] and len(ax.lines) == 1


def test_from_estimator_takes_either_kind_of_score_and_either_class():
    X = np.c_[S, S**2]
    for model in (LogisticRegression(), LinearSVC()):
        model.fit(X, np.where(Y == 1, "sick", "well"))
        labels = np.where(Y == 1, "sick", "well")
        display = RocDisplay.from_estimator(model, X, labels, pos_label="sick")
        assert display.curves_[type(model).__name__].auc() == pytest.approx(roc_auc(Y, -model.decision_function(X)))
        assert RocDisplay.from_estimator({"m": model}, X, labels).curves_["m"].auc() == pytest.approx(roc_auc(1 - Y, model.decision_function(X)))


def test_probabilities_serve_as_scores():
    model = GaussianNB().fit(S[:, None], Y)
    np.testing.assert_array_equal(scores_of(model, S[:, None]), model.predict_proba(S[:, None])[:, 1])


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="empty dict"):
        RocDisplay.from_predictions(Y, {})
    with pytest.raises(ValueError, match="empty dict"):
        RocDisplay.from_estimator({}, S[:, None], Y)
    with pytest.raises(ValueError, match="same length"):
        RocDisplay.from_predictions(Y, S[:3])
    with pytest.raises(ValueError, match="alpha < beta"):
        RocDisplay.from_predictions(Y, S, alpha=0.5, beta=0.2)
    with pytest.raises(ValueError, match="not fitted"):
        RocDisplay.from_estimator(LogisticRegression(), S[:, None], Y)
    with pytest.raises(ValueError, match="nothing to rank by"):
        RocDisplay.from_estimator(KMeans(2, n_init=1).fit(S[:, None]), S[:, None], Y)
    with pytest.raises(ValueError, match="3 classes"):
        RocDisplay.from_estimator(LogisticRegression().fit(S[:, None], [0, 1, 2] * 2), S[:, None], Y)
