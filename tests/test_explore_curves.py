"""The explorable of combined scores: self-contained, and every refit is the library's."""

import json
import re

import numpy as np
import pytest
from test_explore import SAY, text

from aucbook import PAVAdaBoostFinite, pav, roc_auc
from aucbook.explore import curves_explorer
from aucbook.explore.curves import FEWEST, GOAL, PASSES, S1, S2, Y


@pytest.fixture(scope="module")
def films():
    """The paper's algorithm in plain Python: (votes (12, 2), mean loss, AUC) before the first refit and after each, for either first curve."""
    return [film(first) for first in (0, 1)]


def film(first, refits=PASSES):
    X = np.column_stack([S1, S2])
    y = np.array(Y)
    k = np.zeros((12, 2))
    out = [(k.copy(), 1.0, 0.5)]
    for t in range(refits):
        j = (first + t) % 2
        w = np.exp((1 - 2 * y) * k[:, 1 - j])
        groups = X[:, j] - 1
        total, ill = np.bincount(groups, w), np.bincount(groups, w * y)
        p = np.clip(pav(ill / total, total)[groups], 1 / 12, 11 / 12)
        k[:, j] = np.log(p / (1 - p)) / 2
        f = k.sum(1)
        out.append((k.copy(), np.exp((1 - 2 * y) * f).mean(), roc_auc(y, f.round(9))))
    return out


def told(sentence):
    """(loss, AUC) of a sentence."""
    return [
        float(v)
        for v in re.findall(r"(?:loss is|loss falls from \d\.\d+ to|is) (\d\.\d+)", sentence)
    ][:2]


def test_block_is_self_contained():
    html = curves_explorer()._repr_html_()
    assert html == curves_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert (
        html.count("<title>")
        == html.count("<desc>")
        == html.count("<svg") - html.count('aria-hidden="true"')
        == 2
    )


def test_every_refit_is_the_library_s(films):
    X, y = np.column_stack([S1, S2]), np.array(Y)
    data = json.loads(re.search(r'mount\("[^"]+",(.*)\);', curves_explorer().html)[1])
    for first, (steps, passes) in enumerate(zip(data["films"], films)):
        assert len(steps) == PASSES + 1
        for step, (k, loss, auc) in zip(steps, passes):
            for j in (0, 1):
                np.testing.assert_allclose(
                    np.array(step["votes"][j])[X[:, j] - 1], k[:, j], atol=5.1e-6
                )  # five decimals
                np.testing.assert_allclose(
                    step["size"][j], 0.75 * np.exp((0.5 - y) * k[:, 1 - j]), atol=5.1e-4
                )  # three
            assert abs(step["loss"] - loss) < 5.1e-6
            np.testing.assert_allclose(
                told(re.sub("<.*?>", "", step["say"])), [loss, auc], atol=5.1e-4
            )  # three are shown
        further = film(first, PASSES + 1)[-1][1]
        assert f"lower the loss by {100 * (1 - further / loss):.2f} %" in steps[-1]["say"]
        assert (np.diff([s["loss"] for s in steps]) < 0).all()
    # the library lets the columns take turns by how well each ranks alone, the best last: whatever their order, one film
    weaker = int(np.argmin([abs(roc_auc(y, s) - 0.5) for s in (S1, S2)]))
    for columns in ([0, 1], [1, 0]):
        with pytest.warns(UserWarning, match="not converged"):
            model = PAVAdaBoostFinite(max_cycles=PASSES // 2, tol=0).fit(X[:, columns], y)
        np.testing.assert_allclose(
            model.objective_, [loss for _, loss, _ in films[weaker][::2]], atol=1e-12
        )
        assert (
            f"lower the loss by {100 * model.certificate_:.2f} %"
            in data["films"][weaker][-1]["say"]
        )
    least = PAVAdaBoostFinite(max_cycles=1000, tol=1e-12).fit(X, y).objective_[-1]
    assert f"minimum {least:.3f}" in curves_explorer().html


def test_the_goal_can_be_reached_and_not_sooner(films):
    reached = [next(t for t, (_, loss, _) in enumerate(passes) if loss < GOAL) for passes in films]
    assert min(reached) == FEWEST < max(reached) <= PASSES
    alone = [passes[1][1] for passes in films]
    assert np.argmin(alone) == np.argmax(
        reached
    )  # the curve that is better alone is the wrong one to begin with


def test_static_figure_shows_the_start(drive):
    steps = [
        ["shown", ".ax-panels svg"],
        ["shown", ".ax-controls"],
        ["width", "body"],
        ["attributes", ".stairs", "d"],
        ["attributes", ".doc", "transform"],
    ]
    picture, controls, width, stairs, docs = drive(
        steps, curves_explorer(), scripts=False, width=390
    )
    assert picture and not controls and width <= 390
    steps = [
        SAY,
        ["attributes", ".stairs", "d"],
        ["attributes", ".doc", "transform"],
        ["width", "body"],
    ]
    live = drive(steps, curves_explorer(), width=390)
    assert (
        live[0] == text(curves_explorer()).partition(">")[2]
        and live[1] == stairs
        and live[3] <= 390
    )
    places = [
        [[float(v) for v in re.findall(r"\d+\.?\d*", place)] for place in found]
        for found in (docs, live[2])
    ]
    np.testing.assert_allclose(*places, atol=1e-9)


@pytest.mark.parametrize("first", [0, 1])
def test_by_buttons(films, drive, first):
    read = [
        SAY,
        ["attributes", ".stairs", "class"],
        ["attributes", ".stairs", "d"],
        ["attributes", ".dot", "opacity"],
    ]
    steps, names = list(read), ["one", "two"]
    for t in range(PASSES):
        name = names[(first + t) % 2]
        steps += [
            ["press", f"[name={name}]", "Enter"] if t % 3 else ["click", f"[name={name}]"],
            *read,
        ]
    seen, reached = drive(steps, curves_explorer()), []
    for t, (said, classes, stairs, dots) in enumerate(zip(*(seen[i::4] for i in range(4)))):
        k, loss, auc = films[first][t]
        np.testing.assert_allclose(told(said), [loss, auc], atol=5.1e-4)
        assert [c.endswith("curve") for c in classes] == [
            t > 0 and (first + t - 1) % 2 == j for j in (0, 1)
        ]
        assert dots == (t + 1) * ["1"] + (PASSES - t) * ["0"]
        for j, s in enumerate((S1, S2)):  # 128 pixels show the votes from -2.3 to 2.3
            heights = np.array(re.findall(r" (\d+\.\d+)", stairs[j]), float)[::2]
            np.testing.assert_allclose(
                2.3 - (heights[np.array(s) - 1] - 22 - 172 * j) / 128 * 4.6, k[:, j], atol=4e-4
            )  # hundredths of a pixel
        if f"Below {GOAL}" in said:
            reached.append((t, "the fewest" in said))
    want = next(t for t, (_, loss, _) in enumerate(films[first]) if loss < GOAL)
    assert reached == [(want, want == FEWEST)]


def test_the_same_curve_twice_and_back(drive):
    steps = [
        ["click", "[name=two]"],
        SAY,
        ["attributes", ".stairs", "d"],
        ["click", "[name=two]"],
        SAY,
        ["attributes", ".stairs", "d"],
        ["click", "[name=one]"],
        ["click", "[name=back]"],
        SAY,
        ["click", "[name=again]"],
        SAY,
        ["attributes", "[name=back]", "disabled"],
    ]
    once, stairs, twice, same, back, start, disabled = drive(steps, curves_explorer())
    assert (
        once.startswith("Refit 1, curve 2") and twice.startswith(once) and "moves nothing" in twice
    )
    assert (
        stairs == same
        and back == once
        and start.startswith("Both curves are level")
        and disabled == [""]
    )
