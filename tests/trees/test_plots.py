"""Pictures of fitted models: what is drawn, on which axes, and the error for a model of another kind."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from aucbook import AdditiveRanker, MartiRank, PAVAdaBoostFinite, TreeRank, TreeRankForest
from aucbook.boosting import plot_program
from aucbook.isotonic import plot_curves
from aucbook.theory import make_gauss2d
from aucbook.trees import plot_tree, shake

pytestmark = pytest.mark.usefixtures("closed_figures")


def test_a_tree_and_its_curve():
    X, y = make_gauss2d(200, random_state=0)
    for model in (
        TreeRank(3),
        TreeRank(2, splitter="linear"),
        TreeRank(2, splitter="leafrank"),
        TreeRank(6),
    ):
        tree, curve = plot_tree(model.fit(X, y))
        assert len(curve.lines) == model.tree_.leaves.size + 2 and "AUC" in curve.get_title()
        assert model.to_text(["a", "b"]).count("place") == model.tree_.leaves.size
    assert "better" in TreeRank(2, splitter="linear").fit(X, y).to_text()


def test_names_places_and_axes_of_your_own():
    X, y = make_gauss2d(200, random_state=0)
    model, axes = TreeRank(2).fit(X, y), plt.subplots(2, 1)[1]
    assert plot_tree(model, axes, feature_names=["east", "north"]) is axes
    assert [text.get_text() for text in model.plot(feature_names=["east", "north"])[0].texts] == [
        text.get_text() for text in axes[0].texts
    ]
    words = [text.get_text() for text in axes[0].texts]
    assert sum("east" in w or "north" in w for w in words) == 3 and [
        w for w in words if w.isdigit()
    ] == ["1", "2", "3", "4"]
    shaken = shake(model)
    places = {
        text.xy[0]: int(text.get_text())
        for text in plot_tree(shaken)[0].texts
        if text.get_text().isdigit()
    }
    order = list(model.tree_.leaves)
    assert [places[x] for x in sorted(places)] == [
        list(shaken.tree_.leaves).index(leaf) + 1 for leaf in order
    ]
    with pytest.raises(ValueError, match="1 names for 2 columns"):
        plot_tree(model, feature_names=["east"])


def test_a_program_has_a_dot_for_each_node():
    X, y = make_gauss2d(200, random_state=0)
    model, ax = MartiRank(n_estimators=5).fit(X, y), plt.figure().gca()
    assert plot_program(model, X, y, ax) is ax
    dots = [len(level.get_offsets()) for level in ax.collections]
    assert dots[0] == 1 and len(dots) == 6 and all(d <= t + 1 for t, d in enumerate(dots))
    sizes = np.array([level.get_sizes().sum() for level in ax.collections])
    np.testing.assert_allclose(
        sizes, 900, rtol=1e-6
    )  # all rows are on each level; nodes below 1e-9 are not drawn
    assert plot_program(model, X, y).get_yticklabels()[-1].get_text() == "5"


def test_a_curve_for_each_column():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 2)) + y[:, None]
    for n_bins in (None, 20):
        axes = plot_curves(
            PAVAdaBoostFinite(n_bins=n_bins, tol=1e-4).fit(X, y), feature_names=["a", "b"]
        )
        assert [ax.get_xlabel() for ax in axes] == ["a", "b"] and axes[0].get_ylabel() == "vote"
        assert all((np.diff(ax.lines[0].get_ydata()) >= 0).all() for ax in axes)  # rising votes


def test_curves_with_a_band_and_their_own_names():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    X["c"] = 1.0
    model = AdditiveRanker().fit(X, X["a"] + rng.normal(size=200) > 0)
    axes = plot_curves(model)
    assert [ax.get_xlabel() for ax in axes] == ["a", "b", "c"]
    assert all(len(ax.collections) == 1 for ax in axes)  # the band
    assert axes[0].lines[0].get_ydata()[0] == model.curve("a").votes[0]


def test_another_kind_of_model_is_named():
    X, y = make_gauss2d(60, random_state=0)
    forest = TreeRankForest(2, random_state=0).fit(X, y)
    for draw, kind in (
        (plot_tree, "TreeRank"),
        (plot_curves, "AdditiveRanker or PAVAdaBoostFinite"),
        (lambda m: plot_program(m, X, y), "MartiRank or SMartiRank"),
    ):
        with pytest.raises(TypeError, match=f"expected a fitted {kind}, got TreeRankForest"):
            draw(forest)
    for draw, model in ((plot_tree, TreeRank()), (plot_curves, PAVAdaBoostFinite())):
        with pytest.raises(NotFittedError):
            draw(model)


def test_names_in_the_place_of_axes_are_refused():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    model = PAVAdaBoostFinite().fit(rng.normal(size=(60, 2)) + y[:, None], y)
    with pytest.raises(TypeError, match="give names as feature_names="):
        plot_curves(model, ["a", "b"])
