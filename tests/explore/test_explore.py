"""All explorables: self-contained, reproducible, static without scripts. Those of the ROC curve, PAV, Lemma 4 and boosting: their numbers are the library's."""

import re

import numpy as np
import pytest
from explorables import EXPLORERS, SENTENCE, WIDTH, static_sentence

from aucbook import partial_auc, pav, roc_auc, roc_curve
from aucbook.explore import (
    boosting_explorer,
    lemma4_explorer,
    pairs_explorer,
    pauc_explorer,
    pav_explorer,
    pruning_explorer,
    roc_explorer,
    tree_explorer,
    violator_explorer,
)
from aucbook.explore.boosting import adaboost_stumps
from aucbook.explore.cases import TABLE1, TABLE1_Y
from aucbook.theory import make_gauss2d

# labels and scores with ties
TIED_Y = [1, 0, 1, 0, 1, 0, 0]
TIED = [2.0, 2.0, 3.5, 1.0, 1.0, -4.0, 3.5]
# where the script's first sentence is another one: it leads a reader who can move something
LED_BY_THE_SCRIPT = {pruning_explorer, tree_explorer, violator_explorer}


@pytest.mark.parametrize("make", EXPLORERS)
def test_block_is_self_contained(make):
    block = make()
    html = block._repr_html_()
    assert html == make()._repr_html_()
    assert len(html.encode()) < 60_000
    # nothing is fetched, and a reader's numbers are kept nowhere
    for word in ("http", "import(", "url(", "localStorage", "sessionStorage"):
        assert word not in html
    panels = html.count("<svg") - html.count('aria-hidden="true"')
    assert html.count("<title>") == html.count("<desc>") == panels >= 1
    assert html.count("<script") == html.count("</script>") == 1
    # Markdown would end the block at an empty line
    assert "\n\n" not in html
    assert f'id="{block.id}"' in html
    assert repr(block).startswith("<explorable:")


def test_ids_follow_the_content():
    blocks = [make() for make in EXPLORERS]
    blocks += [roc_explorer(TIED_Y, TIED), pauc_explorer(min_fpr=0.2, max_fpr=0.5)]
    assert len({block.id for block in blocks}) == len(blocks)


def test_static_numbers_are_the_library_s():
    assert "Catch 1 of 4 at the price of 2 of 5" in static_sentence(roc_explorer())
    assert "Doctor 1 fills 0.25, Doctor 2 fills 0.50; chance fills 0.15" in static_sentence(
        pauc_explorer()
    )
    assert "14 of 20 pairs are in the right order: AUC = 0.700" in static_sentence(pairs_explorer())
    ties = static_sentence(pairs_explorer(TIED_Y, TIED))
    assert f"{roc_auc(TIED_Y, TIED):.3f}" in ties
    assert "3 are tied" in ties


@pytest.mark.parametrize(
    "call",
    [
        lambda: roc_explorer([0, 1, 1], [1.0, 2.0]),
        lambda: roc_explorer([0, 1], [1.0, np.nan]),
        lambda: roc_explorer([0, 1], [1.0, np.inf]),
        lambda: roc_explorer([1, 1], [1.0, 2.0]),
        lambda: roc_explorer([0, 1]),
        lambda: roc_explorer([0, 1], ["a", "b"]),
        lambda: roc_explorer([0, 1, 0], np.zeros((2, 3))),
        lambda: roc_explorer([0, 1], np.zeros((2, 5))),
        lambda: pauc_explorer(min_fpr=0.3, max_fpr=0.2),
        lambda: pauc_explorer(max_fpr=1.5),
        lambda: pav_explorer([1.0]),
        lambda: pav_explorer([1.0, np.nan]),
        lambda: pav_explorer([1.0, 2.0], [1.0]),
        lambda: pav_explorer([1.0, 2.0], [1.0, 0.0]),
        lambda: lemma4_explorer([0, 1], [2.0, 1.0]),
        lambda: lemma4_explorer(TABLE1_Y, TABLE1),
        lambda: boosting_explorer([[1.0], [2.0]], [0, 1]),
        lambda: boosting_explorer([[1.0, 1.0], [1.0, 1.0]], [0, 1]),
        lambda: boosting_explorer([[0.0, 1.0], [1.0, np.nan]], [0, 1]),
        lambda: boosting_explorer([[0.0, 1.0], [1.0, 2.0]], [1, 1]),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()


# ---- in a real browser, when node, playwright-core and chromium are there (`drive` of tests/conftest.py) ----
@pytest.mark.parametrize("make", EXPLORERS)
def test_without_scripts_a_static_figure_that_fits_a_phone(make, drive):
    steps = [["shown", ".ax-panels svg"], ["shown", ".ax-controls"], SENTENCE, WIDTH]
    block = make()
    picture, controls, sentence, width = drive(steps, block, scripts=False, width=390)
    assert picture
    assert not controls
    assert sentence.strip() == static_sentence(block).strip()
    assert width <= 390


@pytest.mark.parametrize("make", EXPLORERS)
def test_the_script_starts_where_the_static_figure_is(make, drive):
    block = make()
    sentence, width = drive([SENTENCE, WIDTH], block, width=390)
    assert width <= 390
    if make not in LED_BY_THE_SCRIPT:
        assert sentence == static_sentence(block)


def roc_sentences(y, s):
    """The sentence at every threshold, by the library."""
    curve = roc_curve(y, s)
    m = int(np.sum(y))
    n = len(y) - int(np.sum(y))
    return [
        f"Catch {t * m:.0f} of {m} at the price of {f * n:.0f} of {n}. TPR {t:.2f}, FPR {f:.2f}"
        for f, t, _ in zip(*curve)
    ]


def test_roc_slider_by_keyboard(drive):
    first = [["press", "[name=cut]", "End"], SENTENCE]
    lower = [["press", "[name=cut]", "ArrowLeft"], SENTENCE]
    steps = first + 9 * lower
    assert drive(steps, roc_explorer()) == roc_sentences(TABLE1_Y, TABLE1["Doctor 1"])
    other_doctor = ["press", "[name=col]", "ArrowRight"]
    expected = roc_sentences(TABLE1_Y, TABLE1["Doctor 2"])
    assert drive([other_doctor, *steps], roc_explorer()) == expected
    n_lower = len(roc_curve(TIED_Y, TIED).fpr) - 1
    expected = roc_sentences(TIED_Y, TIED)
    assert drive(first + n_lower * lower, roc_explorer(TIED_Y, TIED)) == expected


def test_roc_line_by_pointer(drive):
    steps = [["drag", ".cutline", [400, 0]], SENTENCE, ["drag", ".cutline", [-600, 0]], SENTENCE]
    expected = roc_sentences(TABLE1_Y, TABLE1["Doctor 1"])
    assert drive(steps, roc_explorer()) == [expected[0], expected[-1]]


@pytest.mark.parametrize("y,s", [(TABLE1_Y, TABLE1["Doctor 2"]), (TIED_Y, TIED)])
def test_pauc_values(drive, y, s):
    steps = []
    ranges = []
    alpha = 10
    beta = 20
    for name, key, times in (
        ("beta", "ArrowRight", 13),
        ("alpha", "ArrowRight", 7),
        ("beta", "End", 1),
        ("alpha", "Home", 1),
        ("beta", "ArrowLeft", 4),
    ):
        steps += times * [["press", f"[name={name}]", key]] + [["text", ".share"], ["text", ".raw"]]
        move = {"ArrowRight": times, "ArrowLeft": -times}.get(key)
        if name == "alpha":
            alpha = alpha + move if move else 0
        else:
            beta = beta + move if move else 100
        ranges.append((alpha / 100, beta / 100))
    shown = [float(re.search(r"\d\.\d+", v)[0]) for v in drive(steps, pauc_explorer(y, s))]
    for (a, b), share, raw in zip(ranges, shown[::2], shown[1::2]):
        # two decimals are shown of the share, and three of the area
        expected = partial_auc(y, s, min_fpr=a, max_fpr=b)
        assert abs(share - expected) <= 0.005 + 1e-9
        expected = partial_auc(y, s, min_fpr=a, max_fpr=b, form="raw")
        assert abs(raw - expected) <= 0.0005 + 1e-9


def test_pauc_handles_push_each_other(drive):
    alpha, beta = drive(
        [["press", "[name=alpha]", "End"], ["attributes", "input", "aria-valuetext"]],
        pauc_explorer(),
    )[0]
    assert (alpha, beta) == ("0.99", "1.00")


@pytest.mark.parametrize("y,s", [(TABLE1_Y, TABLE1["Doctor 1"]), (TIED_Y, TIED)])
def test_pairs_follow_a_moved_case(drive, y, s):
    read = [SENTENCE, ["attributes", ".case", "aria-valuenow"], ["attributes", ".cell", "class"]]
    steps = (
        read
        + 13 * [["press", ".case >> nth=1", "ArrowRight"]]
        + read
        + [["drag", ".case .mark >> nth=2", [-80, 0]]]
        + read
    )
    readings = drive(steps, pairs_explorer(y, s))
    wins = {"cell win": 1, "cell even": 0.5, "cell lose": 0}
    for sentence, scores, cells in zip(readings[::3], readings[1::3], readings[2::3]):
        auc = roc_auc(y, [float(v) for v in scores])
        shown = float(sentence.split("AUC = ")[1].rstrip("."))
        assert abs(shown - auc) <= 0.0005 + 1e-9
        assert np.mean([wins[kind] for kind in cells]) == pytest.approx(auc)
    assert readings[1] != readings[4] != readings[7]


def shown_fit(sentence):
    return [float(v) for v in re.findall(r"-?\d\.\d\d(?!\d)", sentence.split("Squared")[0])]


def test_pav_steps_and_moved_points(drive):
    rng = np.random.default_rng(0)
    y = rng.random(9).round(2)
    w = rng.integers(1, 5, 9)
    read = [SENTENCE, ["attributes", ".point", "aria-valuenow"]]
    finish = ["click", "[name=finish]"]
    steps = [
        *[SENTENCE, finish, *read],
        *[["press", ".point >> nth=2", "PageUp"], SENTENCE, finish, *read],
        *[["drag", ".point .dot >> nth=5", [0, 60]], SENTENCE, finish, *read],
        *[["click", "[name=reset]"], SENTENCE],
    ]
    start, *values, again = drive(steps, pav_explorer(y, w))
    solved = [values[k : k + 2] for k in (0, 3, 6)]
    for sentence, points in solved:
        moved = np.array(points, float)
        fit = pav(moved, w.astype(float))
        shown = shown_fit(sentence)
        assert sentence.startswith("Solved")
        assert np.abs(shown - fit).max() <= 0.005 + 1e-9
        error = float(re.search(r"error (\d\.\d+)", sentence)[1])
        assert abs(error - w @ (moved - fit) ** 2) <= 0.00005 + 1e-9
    assert len({str(points) for _, points in solved}) == 3
    assert again == start
    assert start.startswith(f"{np.sum(y[:-1] >= y[1:])} pairs")


def test_pav_is_pooled_by_hand(drive):

    def toggle(i):
        return ["press", f".gap >> nth={i}", "Enter"]

    pooled = ["attributes", ".gap", "aria-pressed"]
    # The paper's example: 1/3 and 1/5 make 4/15, above the 1/4 that follows; and 1 and 1/2 make 3/4.
    steps = [SENTENCE]
    for gap in (1, 4, 2, 0):
        steps += [toggle(gap), SENTENCE]
    steps += [["click", "[name=step]"], SENTENCE, pooled]
    start, one_pooled, two_pooled, solved, coarse, again, gaps = drive(steps, pav_explorer())
    assert start.startswith("2 pairs")
    assert one_pooled.startswith("2 pairs")
    assert two_pooled.startswith("1 pair of")
    # Paper 2: 1/4, 47/180 three times, 3/4 twice
    assert shown_fit(solved) == [0.25, *3 * [0.26], *2 * [0.75]]
    assert coarse.startswith(
        "Nothing falls, but too much is pooled: in points 1–4, point 1 (mean 0.25)"
    )
    assert again == solved
    assert gaps == ["false", "true", "true", "false", "true"]


def test_pav_steps_find_the_fit_from_anywhere(drive):
    # Level neighbours are pooled too (Eq. 5): pools of 1, 4 and 1. From all in one, and from single points.
    pool_all = [["press", f".gap >> nth={i}", "Enter"] for i in range(5)]
    step = ["click", "[name=step]"]
    steps = [step, step, SENTENCE, ["attributes", ".gap", "aria-pressed"]]
    block = pav_explorer([0, 1, 0, 1, 0, 1])
    sentence, gaps = drive(pool_all + steps, block)
    assert shown_fit(sentence) == [0, 0.5, 0.5, 0.5, 0.5, 1]
    assert gaps == ["false", "true", "true", "true", "false"]
    assert drive([step, *steps], block) == [sentence, gaps]


def test_pav_without_scripts_is_not_yet_solved():
    assert "2 pairs of neighbouring bars in the wrong order" in static_sentence(pav_explorer())
    assert "Solved" in static_sentence(pav_explorer([0, 1, 2]))


def test_lemma4_coin_at_every_threshold(drive):
    from aucbook.explore.lemma4 import gaussian_quantiles

    y, s = gaussian_quantiles()
    curve = roc_curve(y, s)
    gamma = roc_auc(y, s) - 0.5
    read = [
        ["text", f".{name}"]
        for name in ("best", "epsilon", "J", "gamma", "bound", "pos-value", "neg-value")
    ]
    K = len(curve.fpr) - 1
    assert drive(read[:2], lemma4_explorer()) == ["?", "?"]  # it starts unsolved
    values = drive(
        [["press", "[name=even]", "Space"], ["press", "[name=cut]", "End"], *read]
        + K * [["press", "[name=cut]", "ArrowLeft"], *read],
        lemma4_explorer(),
    )
    shown = np.array(values, float).reshape(K + 1, -1)
    miss = 1 - curve.tpr
    alarm = curve.fpr
    difference = np.abs(miss - alarm)
    expected = np.c_[
        difference / (1 + difference),
        np.maximum(miss, alarm) / (1 + difference),
        1 - miss - alarm,
        np.full((K + 1, 2), (gamma, 0.5 - gamma / 4)),
    ]
    assert np.abs(shown[:, :5] - expected).max() <= 0.0005 + 1e-9
    # the coin evens the two errors, on either side
    assert np.abs(shown[:, 5:] - expected[:, [1]]).max() <= 0.0005 + 1e-9
    assert (shown[shown[:, 2] >= gamma, 1] <= 0.5 - gamma / 4 + 0.0005).all()
    missed, alarmed = drive([["press", "[name=zeta]", "Home"], *read[5:]], lemma4_explorer())
    k = np.argmax(curve.tpr - curve.fpr)
    # no coin: the errors of the threshold alone
    assert missed == f"{miss[k]:.3f}"
    assert alarmed == f"{alarm[k]:.3f}"


def test_boosting_is_adaboost_round_by_round(drive):
    """Weights and AUC are those of the sum; no stump has a smaller weighted error than the round's."""
    X, y = make_gauss2d(24, random_state=3)
    sign = np.where(y == 1, 1, -1)
    initial = 0.5 / np.where(y == 1, np.sum(y == 1), np.sum(y == 0))
    stumps = adaboost_stumps(X, (y == 1).astype(int), 5)
    answers = [stump.vote * np.where(X[:, stump.column] >= stump.edge, 1, -1) for stump in stumps]
    margins = np.cumsum([np.zeros(24), *answers], axis=0)
    read = [["text", ".auc"], ["attributes", ".who", "data-weight"]]
    shown = drive(
        [*read, *(step for _ in range(5) for step in (["click", "[name=next]"], *read))],
        boosting_explorer(X, y, 5),
    )
    loss = 1.0
    for t, (f, auc, weights) in enumerate(zip(margins, shown[::2], shown[1::2], strict=True)):
        assert float(auc) == pytest.approx(roc_auc(y, f), abs=0.0006)
        w = initial * np.exp(-sign * f)
        assert w.sum() == pytest.approx(loss)  # the product of the rounds' factors
        assert roc_auc(y, f) >= 1 - loss
        w /= w.sum()
        assert np.allclose(np.array(weights, float), w, atol=6e-5)
        if t == len(stumps):
            break
        errors = [
            np.sum(w[(X[:, j] >= v) != (sign > 0)]) for j in range(2) for v in np.unique(X[:, j])
        ]
        best = min(min(error, 1 - error) for error in errors)
        assert stumps[t].error == pytest.approx(best)
        loss *= 2 * np.sqrt(best * (1 - best))
    steps = [["press", "[name=round]", "End"], SENTENCE, ["click", "[name=back]"], SENTENCE]
    last, before = drive(steps, boosting_explorer(X, y, 5))
    assert last.startswith("Round 5 splits")
    assert before.startswith("Round 4 splits")
    assert f"wrong about {np.sum(answers[4] * sign < 0)} cases" in last
    named = drive([["press", "[name=round]", "End"], ["text", ".bound-name"]], boosting_explorer())
    assert named == ["lower bound"]


def test_the_same_block_twice_on_a_page(drive):
    steps = [["press", "[name=cut] >> nth=1", "End"], SENTENCE, ["text", ".ax-say >> nth=1"]]
    first, second = drive(steps, roc_explorer(), roc_explorer())
    assert first.startswith("Catch 1 of 4")
    assert second.startswith("Catch 0 of 4")


def test_labels_that_are_words_name_the_classes():
    y = np.where(np.array(TIED_Y) == 1, "sick", "healthy")
    assert '"words":["sick","healthy"]' in lemma4_explorer()._repr_html_()
    assert "sick" in boosting_explorer(np.c_[TIED, TIED], y, 2)._repr_html_()
