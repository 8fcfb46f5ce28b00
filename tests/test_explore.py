"""The explorables: self-contained, reproducible, and in a browser their numbers equal the library's."""

import re

import numpy as np
import pytest

from aucbook import AUCBoost, partial_auc, pav, roc_auc, roc_curve
from aucbook.explore import (
    boosting_explorer,
    lemma4_explorer,
    pairs_explorer,
    pauc_explorer,
    pav_explorer,
    roc_explorer,
)
from aucbook.explore.cases import TABLE1, TABLE1_Y
from aucbook.theory import make_gauss2d

ALL = [
    roc_explorer,
    pauc_explorer,
    pairs_explorer,
    pav_explorer,
    lemma4_explorer,
    boosting_explorer,
]
TIED_Y, TIED = [1, 0, 1, 0, 1, 0, 0], [2.0, 2.0, 3.5, 1.0, 1.0, -4.0, 3.5]


def text(block):
    return re.sub(
        r"\s+", " ", re.sub(r"<[^>]+>", "", block._repr_html_().split("<p ")[1].split("</p>")[0])
    )


@pytest.mark.parametrize("make", ALL)
def test_block_is_self_contained(make):
    html = make()._repr_html_()
    assert html == make()._repr_html_() and len(html.encode()) < 60_000
    assert "http" not in html and "import(" not in html and "url(" not in html
    assert html.count("<svg") >= 2 and html.count("<title>") == html.count("<desc>") == html.count(
        "<svg"
    ) - html.count('aria-hidden="true"')
    assert "\n\n" not in html and html.count("<script") == html.count("</script>") == 1
    assert f'id="{make().id}"' in html and repr(make()).startswith("<explorable:")


def test_ids_follow_the_content():
    ids = [make().id for make in ALL] + [
        roc_explorer(TIED_Y, TIED).id,
        pauc_explorer(min_fpr=0.2, max_fpr=0.5).id,
    ]
    assert len(set(ids)) == len(ids)


def test_static_numbers_are_the_library_s():
    assert "Catch 1 of 4 at the price of 2 of 5" in text(roc_explorer())
    assert "Doctor 1 fills 0.25, Doctor 2 fills 0.50; chance fills 0.15" in text(pauc_explorer())
    assert "14 of 20 pairs are in the right order: AUC = 0.700" in text(pairs_explorer())
    ties = text(pairs_explorer(TIED_Y, TIED))
    assert f"{roc_auc(TIED_Y, TIED):.3f}" in ties and "3 are tied" in ties


@pytest.mark.parametrize(
    "call",
    [
        lambda: roc_explorer([0, 1, 1], [1.0, 2.0]),
        lambda: roc_explorer([0, 1], [1.0, np.nan]),
        lambda: roc_explorer([0, 1], [1.0, np.inf]),
        lambda: roc_explorer([1, 1], [1.0, 2.0]),
        lambda: roc_explorer([0, 1]),
        lambda: roc_explorer([0, 1], ["a", "b"]),
        lambda: roc_explorer([0, 1] * 40, np.arange(80.0)),
        lambda: roc_explorer([0, 1, 0], np.zeros((2, 3))),
        lambda: roc_explorer([0, 1], np.zeros((2, 5))),
        lambda: pauc_explorer(min_fpr=0.3, max_fpr=0.2),
        lambda: pauc_explorer(max_fpr=1.5),
        lambda: pairs_explorer([0, 1] * 20, np.arange(40.0)),
        lambda: pav_explorer([1.0]),
        lambda: pav_explorer([1.0, np.nan]),
        lambda: pav_explorer([1.0, 2.0], [1.0]),
        lambda: pav_explorer([1.0, 2.0], [1.0, 0.0]),
        lambda: pav_explorer(np.arange(30.0)),
        lambda: lemma4_explorer([0, 1], [2.0, 1.0]),
        lambda: lemma4_explorer(TABLE1_Y, TABLE1),
        lambda: boosting_explorer([[1.0], [2.0]], [0, 1]),
        lambda: boosting_explorer([[1.0, 1.0], [1.0, 1.0]], [0, 1]),
        lambda: boosting_explorer([[0.0, 1.0], [1.0, np.nan]], [0, 1]),
        lambda: boosting_explorer([[0.0, 1.0], [1.0, 2.0]], [1, 1]),
        lambda: boosting_explorer(np.zeros((70, 2)), [0, 1] * 35),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()


# ---- in a real browser, when node, playwright-core and chromium are there (`drive` of tests/conftest.py) ----

SAY = ["text", ".ax-say"]


def catch(y, s):
    """The sentence at every threshold, from the library."""
    curve = roc_curve(y, s)
    m = int(np.sum(y))
    n = len(y) - int(np.sum(y))
    return [
        f"Catch {t * m:.0f} of {m} at the price of {f * n:.0f} of {n}. TPR {t:.2f}, FPR {f:.2f}"
        for f, t, _ in zip(*curve)
    ]


def test_roc_slider_by_keyboard(drive):
    steps = [["press", "[name=cut]", "End"], SAY] + 9 * [["press", "[name=cut]", "ArrowLeft"], SAY]
    assert drive(steps, roc_explorer()) == catch(TABLE1_Y, TABLE1["Doctor 1"])
    assert drive([["press", "[name=col]", "ArrowRight"], *steps], roc_explorer()) == catch(
        TABLE1_Y, TABLE1["Doctor 2"]
    )
    n = len(roc_curve(TIED_Y, TIED).fpr) - 1
    assert drive(
        [["press", "[name=cut]", "End"], SAY] + n * [["press", "[name=cut]", "ArrowLeft"], SAY],
        roc_explorer(TIED_Y, TIED),
    ) == catch(TIED_Y, TIED)


def test_roc_line_by_pointer(drive):
    far = drive(
        [["drag", ".cutline", [400, 0]], SAY, ["drag", ".cutline", [-600, 0]], SAY], roc_explorer()
    )
    assert far == [catch(TABLE1_Y, TABLE1["Doctor 1"])[i] for i in (0, -1)]


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
        assert (
            abs(share - partial_auc(y, s, min_fpr=a, max_fpr=b)) <= 0.005 + 1e-9
        )  # two decimals are shown
        assert (
            abs(raw - partial_auc(y, s, min_fpr=a, max_fpr=b, form="raw")) <= 0.0005 + 1e-9
        )  # and three


def test_pauc_handles_push_each_other(drive):
    alpha, beta = drive(
        [["press", "[name=alpha]", "End"], ["attributes", "input", "aria-valuetext"]],
        pauc_explorer(),
    )[0]
    assert (alpha, beta) == ("0.99", "1.00")


@pytest.mark.parametrize("y,s", [(TABLE1_Y, TABLE1["Doctor 1"]), (TIED_Y, TIED)])
def test_pairs_follow_a_moved_case(drive, y, s):
    read = [SAY, ["attributes", ".case", "aria-valuenow"], ["attributes", ".cell", "class"]]
    steps = (
        read
        + 13 * [["press", ".case >> nth=1", "ArrowRight"]]
        + read
        + [["drag", ".case .mark >> nth=2", [-80, 0]]]
        + read
    )
    values = drive(steps, pairs_explorer(y, s))
    for sentence, scores, cells in zip(values[::3], values[1::3], values[2::3]):
        auc = roc_auc(y, [float(v) for v in scores])
        assert abs(float(sentence.split("AUC = ")[1].rstrip(".")) - auc) <= 0.0005 + 1e-9
        points = {"cell win": 1, "cell even": 0.5, "cell lose": 0}
        assert np.mean([points[c] for c in cells]) == pytest.approx(auc)
    assert values[1] != values[4] != values[7]


def shown_fit(sentence):
    return [float(v) for v in re.findall(r"-?\d\.\d\d(?!\d)", sentence.split("Squared")[0])]


def test_pav_steps_and_moved_points(drive):
    rng = np.random.default_rng(0)
    y, w = rng.random(9).round(2), rng.integers(1, 5, 9)
    read = [SAY, ["attributes", ".point", "aria-valuenow"]]
    finish = ["click", "[name=finish]"]
    steps = [
        *[SAY, finish, *read],
        *[["press", ".point >> nth=2", "PageUp"], SAY, finish, *read],
        *[["drag", ".point .dot >> nth=5", [0, 60]], SAY, finish, *read],
        *[["click", "[name=reset]"], SAY],
    ]
    start, *values, again = drive(steps, pav_explorer(y, w))
    solved = [values[k : k + 2] for k in (0, 3, 6)]
    for sentence, points in solved:
        moved = np.array(points, float)
        fit = pav(moved, w.astype(float))
        shown = shown_fit(sentence)
        assert sentence.startswith("Solved") and np.abs(shown - fit).max() <= 0.005 + 1e-9
        error = float(re.search(r"error (\d\.\d+)", sentence)[1])
        assert abs(error - w @ (moved - fit) ** 2) <= 0.00005 + 1e-9
    assert len({str(points) for _, points in solved}) == 3
    assert again == start and start.startswith(f"{np.sum(y[:-1] >= y[1:])} pairs")


def test_pav_is_pooled_by_hand(drive):
    gap = lambda i: ["press", f".gap >> nth={i}", "Enter"]
    pooled = ["attributes", ".gap", "aria-pressed"]
    # The paper's example: 1/3 and 1/5 make 4/15, above the 1/4 that follows; and 1 and 1/2 make 3/4.
    steps = [
        SAY,
        gap(1),
        SAY,
        gap(4),
        SAY,
        gap(2),
        SAY,
        gap(0),
        SAY,
        ["click", "[name=step]"],
        SAY,
        pooled,
    ]
    start, one, two, solved, coarse, again, gaps = drive(steps, pav_explorer())
    assert start.startswith("2 pairs") and one.startswith("2 pairs") and two.startswith("1 pair of")
    assert shown_fit(solved) == [
        0.25,
        0.26,
        0.26,
        0.26,
        0.75,
        0.75,
    ]  # Paper 2: 1/4, 47/180 three times, 3/4 twice
    assert coarse.startswith(
        "Nothing falls, but too much is pooled: in points 1–4, point 1 (mean 0.25)"
    )
    assert again == solved and gaps == ["false", "true", "true", "false", "true"]


def test_pav_steps_find_the_fit_from_anywhere(drive):
    # Level neighbours are pooled too (Eq. 5): pools of 1, 4 and 1. From all in one, and from single points.
    whole = [["press", f".gap >> nth={i}", "Enter"] for i in range(5)]
    steps = [
        ["click", "[name=step]"],
        ["click", "[name=step]"],
        SAY,
        ["attributes", ".gap", "aria-pressed"],
    ]
    said, gaps = drive(whole + steps, pav_explorer([0, 1, 0, 1, 0, 1]))
    assert shown_fit(said) == [0, 0.5, 0.5, 0.5, 0.5, 1] and gaps == [
        "false",
        "true",
        "true",
        "true",
        "false",
    ]
    assert drive([["click", "[name=step]"]] + steps, pav_explorer([0, 1, 0, 1, 0, 1])) == [
        said,
        gaps,
    ]


def test_pav_without_scripts_is_not_yet_solved():
    assert "2 pairs of neighbouring bars in the wrong order" in text(pav_explorer())
    assert "Solved" in text(pav_explorer([0, 1, 2]))


def test_lemma4_coin_at_every_threshold(drive):
    from aucbook.explore.lemma4 import gaussian_quantiles

    y, s = gaussian_quantiles()
    curve, gamma = roc_curve(y, s), roc_auc(y, s) - 0.5
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
    miss, alarm = 1 - curve.tpr, curve.fpr
    gap = np.abs(miss - alarm)
    expected = np.c_[
        gap / (1 + gap),
        np.maximum(miss, alarm) / (1 + gap),
        1 - miss - alarm,
        np.full((K + 1, 2), (gamma, 0.5 - gamma / 4)),
    ]
    assert np.abs(shown[:, :5] - expected).max() <= 0.0005 + 1e-9
    assert (
        np.abs(shown[:, 5:] - expected[:, [1]]).max() <= 0.0005 + 1e-9
    )  # the coin evens the two errors, on either side
    assert (shown[shown[:, 2] >= gamma, 1] <= 0.5 - gamma / 4 + 0.0005).all()
    missed, alarmed = drive([["press", "[name=zeta]", "Home"], *read[5:]], lemma4_explorer())
    k = np.argmax(curve.tpr - curve.fpr)
    assert (missed, alarmed) == (
        f"{miss[k]:.3f}",
        f"{alarm[k]:.3f}",
    )  # no coin: the bare threshold's errors


def test_boosting_is_the_library_s_round_by_round(drive):
    X, y = make_gauss2d(24, random_state=3)
    model = AUCBoost(n_rounds=5, answers="balanced").fit(X, y)
    read = [["text", ".auc"], ["attributes", ".who", "data-weight"]]
    shown = drive(
        [*read, *(step for _ in range(5) for step in (["click", "[name=next]"], *read))],
        boosting_explorer(X, y, 5),
    )
    for f, auc, weights in zip(
        [np.zeros(24), *model.staged_decision_function(X)], shown[::2], shown[1::2], strict=True
    ):
        assert float(auc) == pytest.approx(roc_auc(y, f), abs=0.0006)
        w = np.exp(-np.where(y == 1, f, -f))
        assert np.allclose(
            np.array(weights, float),
            w / np.where(y == 1, w[y == 1].sum(), w[y == 0].sum()),
            atol=6e-5,
        )
    said = drive(
        [
            ["press", "[name=round]", "End"],
            ["text", ".ax-say"],
            ["click", "[name=back]"],
            ["text", ".ax-say"],
        ],
        boosting_explorer(X, y, 5),
    )
    assert said[0].startswith("Round 5 cuts") and said[1].startswith("Round 4 cuts")
    j, edge = model.stages_[4].ranker, model.stages_[4].edge
    wrong = ((X[:, j] >= edge) == (model.stages_[4].high > model.stages_[4].low)) != (y == 1)
    assert f"wrong about {wrong.sum()} cases" in said[0]


def test_all_on_one_phone_page(drive):
    blocks = [make() for make in ALL]
    assert drive([["width", "body"]], *blocks, width=390)[0] <= 390
    twice = [roc_explorer(), roc_explorer()]  # the same block twice: both work, apart
    first, second = drive(
        [["press", "[name=cut] >> nth=1", "End"], SAY, ["text", ".ax-say >> nth=1"]], *twice
    )
    assert first.startswith("Catch 1 of 4") and second.startswith("Catch 0 of 4")


@pytest.mark.parametrize("make", ALL)
def test_without_scripts_a_static_figure(drive, make):
    shown = drive(
        [["shown", ".ax-panels svg"], ["shown", ".ax-controls"], ["shown", ".ax-say"]],
        make(),
        scripts=False,
    )
    assert shown == [True, False, True]


def test_labels_that_are_words_name_the_classes():
    y = np.where(np.array(TIED_Y) == 1, "sick", "healthy")
    assert '"words":["sick","healthy"]' in lemma4_explorer()._repr_html_()
    assert "sick" in boosting_explorer(np.c_[TIED, TIED], y, 2)._repr_html_()
