"""The explorable of PAV-AdaBoost.finite: every refit is the library's."""

import json
import re

import numpy as np
import pytest
from explorables import SENTENCE

from aucbook import PAVAdaBoostFinite, pav, roc_auc
from aucbook.explore import curves_explorer
from aucbook.explore.curves import FEWEST, GOAL, PASSES, S1, S2, Y


@pytest.fixture(scope="module")
def refits_of_both():
    """The paper's algorithm in plain Python: (votes (12, 2), mean loss, AUC) before the first refit and after each, for either first curve."""
    return [refit_in_turn(first) for first in (0, 1)]


def refit_in_turn(first, refits=PASSES):
    X = np.column_stack([S1, S2])
    y = np.array(Y)
    k = np.zeros((12, 2))
    states = [(k.copy(), 1.0, 0.5)]
    for t in range(refits):
        j = (first + t) % 2
        w = np.exp((1 - 2 * y) * k[:, 1 - j])
        groups = X[:, j] - 1
        total = np.bincount(groups, w)
        positive = np.bincount(groups, w * y)
        p = np.clip(pav(positive / total, total)[groups], 1 / 12, 11 / 12)
        k[:, j] = np.log(p / (1 - p)) / 2
        f = k.sum(1)
        states.append((k.copy(), np.exp((1 - 2 * y) * f).mean(), roc_auc(y, f.round(9))))
    return states


def loss_and_auc(sentence):
    """(loss, AUC) of a sentence."""
    return [
        float(v)
        for v in re.findall(r"(?:loss is|loss falls from \d\.\d+ to|is) (\d\.\d+)", sentence)
    ][:2]


def test_every_refit_is_the_library_s(refits_of_both):
    X = np.column_stack([S1, S2])
    y = np.array(Y)
    data = json.loads(re.search(r'mount\("[^"]+",(.*)\);', curves_explorer().html)[1])
    for first, (steps, states) in enumerate(zip(data["films"], refits_of_both)):
        assert len(steps) == PASSES + 1
        for step, (k, loss, auc) in zip(steps, states):
            for j in (0, 1):
                # five decimals of the votes are stored, three of the sizes
                votes = np.array(step["votes"][j])[X[:, j] - 1]
                np.testing.assert_allclose(votes, k[:, j], atol=5.1e-6)
                size = 0.75 * np.exp((0.5 - y) * k[:, 1 - j])
                np.testing.assert_allclose(step["size"][j], size, atol=5.1e-4)
            assert abs(step["loss"] - loss) < 5.1e-6
            # three are shown
            shown = loss_and_auc(re.sub("<.*?>", "", step["say"]))
            np.testing.assert_allclose(shown, [loss, auc], atol=5.1e-4)
        further = refit_in_turn(first, PASSES + 1)[-1][1]
        assert f"lower the loss by {100 * (1 - further / loss):.2f} %" in steps[-1]["say"]
        assert (np.diff([s["loss"] for s in steps]) < 0).all()
    # the library lets the columns take turns by how well each ranks alone, the best last: whatever their order, one film
    weaker = int(np.argmin([abs(roc_auc(y, s) - 0.5) for s in (S1, S2)]))
    for columns in ([0, 1], [1, 0]):
        with pytest.warns(UserWarning, match="not converged"):
            model = PAVAdaBoostFinite(max_cycles=PASSES // 2, tol=0).fit(X[:, columns], y)
        np.testing.assert_allclose(
            model.objective_, [loss for _, loss, _ in refits_of_both[weaker][::2]], atol=1e-12
        )
        assert (
            f"lower the loss by {100 * model.certificate_:.2f} %"
            in data["films"][weaker][-1]["say"]
        )
    lowest = PAVAdaBoostFinite(max_cycles=1000, tol=1e-12).fit(X, y).objective_[-1]
    assert f"minimum {lowest:.3f}" in curves_explorer().html


def test_the_goal_can_be_reached_and_not_sooner(refits_of_both):
    reached = [
        next(t for t, (_, loss, _) in enumerate(states) if loss < GOAL) for states in refits_of_both
    ]
    assert min(reached) == FEWEST < max(reached) <= PASSES
    alone = [states[1][1] for states in refits_of_both]
    # the curve that is better alone is the wrong one to begin with
    assert np.argmin(alone) == np.argmax(reached)


def test_static_figure_shows_the_start(drive):
    read = [["attributes", ".stairs", "d"], ["attributes", ".doc", "transform"]]
    static = drive(read, curves_explorer(), scripts=False)
    live = drive(read, curves_explorer())
    assert live[0] == static[0]
    places = [
        [[float(v) for v in re.findall(r"\d+\.?\d*", transform)] for transform in transforms]
        for transforms in (static[1], live[1])
    ]
    np.testing.assert_allclose(*places, atol=1e-9)


@pytest.mark.parametrize("first", [0, 1])
def test_by_buttons(refits_of_both, drive, first):
    read = [
        SENTENCE,
        ["attributes", ".stairs", "class"],
        ["attributes", ".stairs", "d"],
        ["attributes", ".dot", "opacity"],
    ]
    steps = list(read)
    names = ["one", "two"]
    for t in range(PASSES):
        name = names[(first + t) % 2]
        steps += [
            ["press", f"[name={name}]", "Enter"] if t % 3 else ["click", f"[name={name}]"],
            *read,
        ]
    readings = drive(steps, curves_explorer())
    reached = []
    for t, (sentence, classes, stairs, dots) in enumerate(zip(*(readings[i::4] for i in range(4)))):
        k, loss, auc = refits_of_both[first][t]
        np.testing.assert_allclose(loss_and_auc(sentence), [loss, auc], atol=5.1e-4)
        assert [c.endswith("curve") for c in classes] == [
            t > 0 and (first + t - 1) % 2 == j for j in (0, 1)
        ]
        assert dots == (t + 1) * ["1"] + (PASSES - t) * ["0"]
        # 128 pixels show the votes from -2.3 to 2.3, to a hundredth of a pixel
        for j, s in enumerate((S1, S2)):
            heights = np.array(re.findall(r" (\d+\.\d+)", stairs[j]), float)[::2]
            votes = 2.3 - (heights[np.array(s) - 1] - 22 - 172 * j) / 128 * 4.6
            np.testing.assert_allclose(votes, k[:, j], atol=4e-4)
        if f"Below {GOAL}" in sentence:
            reached.append((t, "the fewest" in sentence))
    fewest = next(t for t, (_, loss, _) in enumerate(refits_of_both[first]) if loss < GOAL)
    assert reached == [(fewest, fewest == FEWEST)]


def test_the_same_curve_twice_and_back(drive):
    read = [SENTENCE, ["attributes", ".stairs", "d"]]
    steps = 2 * [["click", "[name=two]"], *read]
    steps += [["click", "[name=one]"], ["click", "[name=back]"], SENTENCE]
    steps += [["click", "[name=again]"], SENTENCE, ["attributes", "[name=back]", "disabled"]]
    once, stairs, twice, same, back, start, disabled = drive(steps, curves_explorer())
    assert once.startswith("Refit 1, curve 2")
    assert twice.startswith(once)
    assert "moves nothing" in twice
    assert stairs == same
    assert back == once
    assert start.startswith("Both curves are level")
    assert disabled == [""]
