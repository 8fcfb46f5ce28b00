"""Explorables of MartiRank, label noise, the worst order, DeLong, the links and the hull: self-contained, and their numbers are the library's."""

import json
import re

import numpy as np
import pytest
from scipy.optimize import minimize
from test_explore import SAY, drive, text  # noqa: F401  (drive is a fixture)

from aucbook import AUCBoost, LinearAdaBoost, MartiRank, PAVAdaBoost, PAVCalibrator
from aucbook.explore import (
    delong_explorer,
    hull_explorer,
    link_explorer,
    martirank_explorer,
    noise_explorer,
    violated_explorer,
)
from aucbook.inference import auc_interval
from aucbook.isotonic import pav
from aucbook.most_violated import most_violated_ordering, range_weights
from aucbook.roc import roc_auc, roc_curve
from aucbook.toys import make_binormal, make_flipped

ALL = [martirank_explorer, noise_explorer, violated_explorer, delong_explorer, link_explorer, hull_explorer]


def values(sentence):
    return [float(v) for v in re.findall(r"-?\d+\.\d+", sentence)]


@pytest.fixture(scope="module")
def blocks():
    return {make: make() for make in ALL}


@pytest.mark.parametrize("make", ALL)
def test_block_is_self_contained(make, blocks):
    html = blocks[make]._repr_html_()
    assert html == make()._repr_html_() and len(html.encode()) < 60_000
    assert "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    assert html.count("<title>") == html.count("<desc>") == html.count("<svg") - html.count('aria-hidden="true"')


@pytest.mark.parametrize("make", ALL)
def test_scripts_off_phone_and_name(make, blocks, drive):  # noqa: F811
    steps = [["shown", ".ax-panels svg", None], ["shown", ".ax-controls", None], SAY, ["width", "body", None]]
    picture, controls, said, width = drive(steps, blocks[make], scripts=False, width=390)
    assert picture and not controls and width <= 390
    if make is not delong_explorer:  # which starts from no draw, and is printed with all of them
        assert drive([SAY], blocks[make])[0] == said  # the script's first sentence is the static one


def test_martirank_numbers_are_the_library_s(drive, blocks):  # noqa: F811
    test, _, clean = make_flipped(4000, 0, random_state=99, return_clean=True)

    def expected(noise, *levels):
        X, y = make_flipped(6000, noise, random_state=1)
        rankers = [MartiRank(n_rounds=level) for level in levels] + [AUCBoost(n_rounds=100)]
        return [round(roc_auc(clean, r.fit(X, y).decision_function(test)), 3) for r in rankers]

    steps = [
        ["press", "[name=noise]", "End"],
        ["press", "[name=level]", "End"],
        ["press", "[name=level]", "ArrowLeft"],
        SAY,
        ["press", "[name=noise]", "Home"],
        ["press", "[name=level]", "Home"],
        SAY,
        ["attributes", ".node", "opacity"],
    ]
    said, start, seen = drive(steps, blocks[martirank_explorer])
    # four decimals are stored, three shown
    np.testing.assert_allclose(values(said)[1:], expected(0.3, 7, 40), atol=0.0011)
    assert said.startswith("30 % of the labels are wrong. After 7 levels")
    np.testing.assert_allclose(values(start)[1:], [0.5, *expected(0, 40)], atol=0.0011)
    assert text(blocks[martirank_explorer]).endswith(start) and seen == ["1"] + 44 * ["0.18"]


def test_martirank_level_by_pointer(drive, blocks):  # noqa: F811
    # two levels down from the top
    (said,) = drive([["drag", ".node", [0, 62]], SAY], blocks[martirank_explorer])
    assert re.match(r"0 % of the labels are wrong. After [12] level", said)


def test_noise_numbers_are_the_library_s(drive, blocks):  # noqa: F811
    from aucbook.explore.noise import NOISE

    test, clean, _ = make_flipped(4000, 0, random_state=1, return_clean=True)
    right = test == clean[:, None]
    sure = [right.all(1), right[:, :11].all(1) & ~right[:, 11:].any(1)]
    groups = [*sure, ~np.logical_or(*sure)]

    def expected(noise, rounds):
        X, y = make_flipped(4000, noise, random_state=2)
        f = AUCBoost(n_rounds=rounds).fit(X, y).decision_function(test)
        # the votes by another route than the explorable's: f is linear in the columns
        votes = np.linalg.lstsq(np.c_[test, np.ones(len(test))], f, rcond=None)[0][:21]
        wrong = [100 * (np.sign(f) != clean)[rows].mean() for rows in groups]
        return wrong, roc_auc(clean, f), votes[:11].sum() / votes.sum()

    look = [SAY, ["texts", ".wrong-words"]]
    two = 3 * [["press", "[name=noise]", "ArrowRight"]]
    steps = [*look, ["press", "[name=rounds]", "End"], *look, *two, ["press", "[name=rounds]", "ArrowLeft"], *look]
    steps += [["press", "[name=noise]", "End"], *look]
    seen = drive(steps, blocks[noise_explorer])
    for said, shown, case in zip(seen[::2], seen[1::2], ((0, 1), (0, 100), (NOISE[3], 99), (NOISE[-1], 99))):
        wrong, auc, share = expected(case[0] / 100, case[1])
        np.testing.assert_allclose([float(v.rstrip(" %")) for v in shown], wrong, atol=0.051)
        mixed, said_auc, first, other = [float(v) for v in re.findall(r"\d+\.\d+", said.split(" round")[1])]
        assert abs(mixed - wrong[2]) < 0.051 and abs(said_auc - auc) < 0.00051
        np.testing.assert_allclose((first, other), (share, 1 - share), atol=0.0056)  # three decimals kept, two shown
    # what the page's task asks for: without noise nearly all the mixed come right, with it they do not
    assert expected(0, 100)[0][2] < 5 and expected(0.02, 100)[0][2] > 50


def test_noise_round_by_pointer(drive, blocks):  # noqa: F811
    said, back = drive([["drag", ".here", [600, 0]], SAY, ["drag", ".here", [-600, 0]], SAY], blocks[noise_explorer])
    assert "and 100 rounds" in said and "and 1 round," in back


def test_violated_value_and_ranks_are_the_library_s(drive, blocks):  # noqa: F811
    from aucbook.explore.violated import HEALTHY, SICK

    read = [
        SAY,
        *(["attributes", f"[name={name}]", "aria-valuetext"] for name in ("w", "alpha", "beta")),
        ["attributes", ".cell", "style"],
    ]
    moves = [
        ("w", "Home", 1),
        ("w", "ArrowRight", 7),
        ("alpha", "ArrowLeft", 3),
        ("beta", "ArrowLeft", 9),
        ("w", "ArrowRight", 16),
        ("alpha", "Home", 1),
        ("beta", "Home", 1),
        ("w", "End", 1),
        ("alpha", "End", 1),
        ("alpha", "ArrowLeft", 13),
        ("w", "ArrowLeft", 9),
    ]
    steps = [["click", "[name=solve]"], *read]
    for name, key, times in moves:
        steps += times * [["press", f"[name={name}]", key]] + read
    seen = drive(steps, blocks[violated_explorer])
    for said, (w,), (alpha,), (beta,), cells in zip(*(seen[k::5] for k in range(5))):
        w, alpha, beta = float(w), float(alpha), float(beta)
        s, t = w * np.array(SICK), w * np.array(HEALTHY)
        ranks, value = most_violated_ordering(s, t, alpha, beta)
        shown = values(said)
        np.testing.assert_allclose(shown[:2], value, atol=0.00051)  # three decimals are shown
        assert np.reshape(["orange" in c for c in cells], (5, 8)).sum(1).tolist() == ranks.tolist()
    assert said.startswith("The worst order earns") and len(set(seen[::5])) > 9


def test_violated_own_order(drive, blocks):  # noqa: F811
    from aucbook.explore.violated import HEALTHY, SICK

    s, t = np.array(SICK), np.array(HEALTHY)
    ranks, value = most_violated_ordering(s, t, 0.25, 0.75)
    P = np.r_[0, np.cumsum(range_weights(8, 0.25, 0.75) + t)]
    steps = [SAY, ["click", ".cell >> nth=19"], SAY]  # the third row's fourth cell
    for row in range(5):  # then every row by keyboard
        steps += [["press", "[name=sick]", "Home"]] + row * [["press", "[name=sick]", "ArrowRight"]]
        steps += [["press", "[name=above]", "Home"]] + int(ranks[row]) * [["press", "[name=above]", "ArrowRight"]]
    start, one, last = drive([*steps, SAY], blocks[violated_explorer])
    assert values(start)[:2] == [0, round(value, 3)] and "Nobody" not in start
    np.testing.assert_allclose(values(one)[0], P[4] - 4 * s[2], atol=0.00051)
    assert "Above sick patient 3 stand 2 before the range, 2 in it, 0 after it: they earn 2.00" in one
    assert values(last)[:2] == [round(value, 3)] * 2 and "Nobody can do worse" in last
    with pytest.raises(ValueError, match="0.7"):
        violated_explorer(0.7, 0.2)


def test_violated_dot_by_pointer(drive, blocks):  # noqa: F811
    said, words = drive([["drag", ".dot >> nth=5", [0, 0]], SAY, ["texts", ".words"]], blocks[violated_explorer])
    assert "stand 2 before the range, 3 in it, 0 after it" in said and words[0].startswith("slope 0.90")


def test_delong_numbers_are_the_library_s(drive, blocks):  # noqa: F811
    from aucbook.explore.delong import DRAWS

    y, s = make_binormal(15, 20, random_state=0)
    s = s.round(1)
    auc, low, high, variance = auc_interval(y, s)
    data = json.loads(re.search(r'mount\("[^"]+",(.*)\);', blocks[delong_explorer].html)[1])
    counts = np.array([[int(c, 36) for c in row] for row in data["counts"]])
    assert (
        counts.shape == (DRAWS, 35)
        and (counts[:, y == 1].sum(1) == 15).all()
        and (counts[:, y == 0].sum(1) == 20).all()
    )
    areas = [
        roc_auc(np.repeat(y, row), np.repeat(s, row)) for row in counts
    ]  # the patients themselves, again and again
    np.testing.assert_allclose(data["areas"], areas, atol=5.1e-6)  # rounded to five decimals
    inside = np.mean([low <= a <= high for a in areas])
    np.testing.assert_allclose(
        values(text(blocks[delong_explorer])), [np.std(areas, ddof=1), variance**0.5, 100 * inside], atol=0.051
    )  # one decimal of per cent
    steps = (
        [SAY, ["press", "[name=step]", "Enter"], ["text", ".which"], SAY]
        + 6 * [["click", "[name=step]"]]
        + [["text", ".which"], SAY, ["click", "[name=reset]"], SAY]
    )
    start, which, one, seventh, seven, again = drive(steps, blocks[delong_explorer])
    assert values(start) == [round(auc, 3), round(variance**0.5, 3)] and again == start
    assert (
        which == f"resample 1: AUC {areas[0]:.3f}"
        and values(one) == [round(areas[0], 3)]
        and seventh == f"resample 7: AUC {areas[6]:.3f}"
    )
    inside = np.mean([low <= a <= high for a in areas[:7]])
    # Three decimals and one are shown; the areas behind them have five.
    np.testing.assert_allclose(values(seven), [np.std(areas[:7], ddof=1), variance**0.5, 100 * inside], atol=0.051)
    np.testing.assert_allclose(values(seven)[:2], [np.std(areas[:7], ddof=1), variance**0.5], atol=0.00052)


@pytest.mark.filterwarnings("ignore:the estimated variance is zero")
def test_delong_bad_input_is_named():
    for y, s, words in (
        ([0, 0, 1, 1], [1, 2, 3, 4], "variance is zero"),
        ([0, 1, 1, 0], np.zeros((4, 2)), "one ranker"),
        ([0, 1, 1, 0], [1, 2, np.nan, 3], "finite"),
    ):
        with pytest.raises(ValueError, match=words):
            delong_explorer(y, s)


def test_delong_runs_and_pauses(drive, blocks):  # noqa: F811
    steps = [
        ["click", "[name=run]"],
        ["text", "[name=run]"],
        ["click", "[name=run]"],
        ["text", "[name=run]"],
        ["text", ".which"],
    ]
    running, paused, which = drive(steps, blocks[delong_explorer])
    assert (running, paused) == ("Pause", "Run") and which.startswith(("resample", "the study"))


def test_link_numbers_are_the_library_s(drive, blocks):  # noqa: F811
    from aucbook.explore.link import ILL, LINKS, H

    steps, cases = [["click", "[data-i='7'] .mark"]], [(7, 1, 0)]  # a click chooses the eighth patient
    steps += [SAY, ["text", ".total"], ["attributes", ".case", "transform"]]
    for key, name, case in (
        ("End", "times", (7, 8, 0)),
        (1, "link", (7, 8, 1)),
        (2, "link", (7, 8, 2)),
        ("Home", "who", (0, 8, 2)),
        ("ArrowLeft", "times", (0, 4, 2)),
        (0, "link", (0, 4, 0)),
    ):
        steps += [
            ["press", f"[name={name}]", key] if name != "link" else ["click", f".ax-pill:nth-child({key + 1})"],
            SAY,
            ["text", ".total"],
            ["attributes", ".case", "transform"],
        ]
        cases.append(case)
    seen = drive(steps, blocks[link_explorer])
    y = 2 * ILL - 1
    for (i, weight, link), said, total, places in zip(cases, *(seen[k::3] for k in range(3))):
        D = np.ones(10)
        D[i] = weight
        D /= D.sum()
        p = PAVCalibrator(clip=0.05).fit(H, ILL, D).transform(H)
        pav_votes = np.log(p / (1 - p)) / 2
        pays = [D @ np.exp(-y * pav_votes)]
        for design in (H[:, None], np.c_[H, np.ones(10)]):  # the convex Z by another route than the library's
            pays.append(minimize(lambda a: D @ np.exp(-y * (design @ a)), np.zeros(design.shape[1]), tol=1e-12).fun)
        shown = dict(zip([link, *(j for j in range(3) if j != link)], values(said)))
        assert said.startswith(f"The {LINKS[link]} link")
        np.testing.assert_allclose([shown[j] for j in range(3)], pays, atol=0.00051)  # three decimals are shown
        assert values(total) == [shown[link]]
        heights = np.array(
            [float(v.rstrip(")").split()[1]) for v in places]
        )  # 298 x 270 pixels show votes from -2.3 to 2.3
        if link == 0:
            np.testing.assert_allclose(2.3 - (heights - 16) / 270 * 4.6, pav_votes, atol=0.001)


def test_link_is_the_first_round_of_the_estimators():
    from aucbook.explore.link import GRID, ILL, H, OwnScale, link_round

    votes, Z = link_round(np.ones(10))
    for vote, z, model in zip(
        votes,
        Z,
        (
            PAVAdaBoost(OwnScale(), n_rounds=1, clip=0.05),
            LinearAdaBoost(OwnScale(), n_rounds=1),
            LinearAdaBoost(OwnScale(), n_rounds=1, constant=True),
        ),
    ):
        k = np.interp(H, GRID, vote)
        np.testing.assert_allclose(model.fit(H[:, None], ILL).decision_function(H[:, None]), k, atol=1e-12)
        assert abs(np.mean(np.exp(-(2 * ILL - 1) * k)) - z) < 1e-5  # Z has five decimals


def test_hull_and_pools_are_the_library_s(drive, blocks):  # noqa: F811
    from aucbook.explore.hull import EXAMPLE, fixed

    read = [
        SAY,
        ["attributes", ".patient", "aria-valuenow"],
        ["attributes", ".blocks path", "d"],
        ["attributes", ".chords path", "d"],
        ["text", "output"],
    ]
    steps = list(read)
    for i, key in ((1, "ArrowUp"), (11, "ArrowDown"), (5, "Home"), (0, "End"), (9, "ArrowRight"), (6, "ArrowUp")):
        steps += [["press", f".patient >> nth={i}", key], *read]
    steps += [["drag", ".patient .mark >> nth=3", [0, -250]], *read, ["press", "[name=pool]", "End"], *read]
    seen = drive(steps, blocks[hull_explorer])
    for said, labels, bars, chords, shown in zip(*(seen[k::5] for k in range(5))):
        y = np.array([int(v) for v in labels])
        curve, fit = roc_curve(y, np.arange(12)), pav(y)
        hull = curve.hull()
        ends = [[float(v) for v in re.findall(r"-?\d+\.\d+", d)] for d in chords]  # x0 y0 x1 y1 in the picture
        got = np.array([[(x - 60) / 270, 1 - (t - 16) / 270] for e in ends[::-1] for x, t in (e[:2], e[2:])])
        want = np.array([p for k in range(len(hull.fpr) - 1) for p in zip(hull.fpr[k : k + 2], hull.tpr[k : k + 2])])
        np.testing.assert_allclose(got, want, atol=3e-5)  # hundredths of a pixel
        heights = [1.1 - (float(re.findall(r"-?\d+\.\d+", d)[1]) - 16) / 270 * 1.2 for d in bars]
        np.testing.assert_allclose(heights, np.unique(fit.round(12)), atol=5e-5)
        k = int(shown.split("/")[0]) - 1
        assert f"probability {fixed(np.unique(fit.round(12))[k])}," in said and shown.endswith(f"/{len(bars)}")
        np.testing.assert_allclose(
            values(said.split("AUC")[1]), [roc_auc(y, np.arange(12)), hull.auc()], atol=0.0005 + 1e-9
        )  # three decimals are shown
    assert seen[1] == [str(v) for v in EXAMPLE] and len({tuple(v) for v in seen[1::5]}) == 8


def test_hull_keeps_both_classes(drive):  # noqa: F811
    block = hull_explorer([0, 1, 0])
    said, labels = drive(
        [["press", ".patient >> nth=1", "ArrowDown"], SAY, ["attributes", ".patient", "aria-valuenow"]], block
    )
    assert said.startswith("Patient 2 is the last one who is ill") and labels == ["0", "1", "0"]
    for y, words in (([0, 0], "class"), ([0, 1] * 11, "2 to 20"), ([0, 1, 2], "two")):
        with pytest.raises(ValueError, match=words):
            hull_explorer(y)
