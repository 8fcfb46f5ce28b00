"""Explorables of MartiRank, label noise, the most violated ordering, DeLong, links and the hull: their numbers are the library's."""

import re

import numpy as np
import pytest
from explorables import SENTENCE, decimals, static_sentence
from scipy.optimize import minimize

from aucbook import (
    AUCBoost,
    MartiRank,
    PAVAdaBoost,
    PAVCalibrator,
    auc_interval,
    pav,
    roc_auc,
    roc_curve,
)
from aucbook.explore import (
    delong_explorer,
    hull_explorer,
    link_explorer,
    martirank_explorer,
    noise_explorer,
    violated_explorer,
)
from aucbook.isotonic import LinearAdaBoost
from aucbook.pauc import most_violated_ordering, range_weights
from aucbook.theory import make_flipped

ALL = [
    martirank_explorer,
    noise_explorer,
    violated_explorer,
    delong_explorer,
    link_explorer,
    hull_explorer,
]


@pytest.fixture(scope="module")
def blocks():
    return {make: make() for make in ALL}


def test_martirank_numbers_are_the_library_s(drive, blocks):
    test, _, clean = make_flipped(4000, 0, random_state=99, return_clean=True)

    def expected(noise, *levels):
        X, y = make_flipped(6000, noise, random_state=1)
        rankers = [MartiRank(n_estimators=level) for level in levels] + [
            AUCBoost(n_estimators=100, answers="balanced")
        ]
        return [round(roc_auc(clean, r.fit(X, y).decision_function(test)), 3) for r in rankers]

    steps = [
        ["press", "[name=noise]", "End"],
        ["press", "[name=level]", "End"],
        ["press", "[name=level]", "ArrowLeft"],
        SENTENCE,
        ["press", "[name=noise]", "Home"],
        ["press", "[name=level]", "Home"],
        SENTENCE,
        ["attributes", ".node", "opacity"],
    ]
    sentence, start, opacities = drive(steps, blocks[martirank_explorer])
    # four decimals are stored, three shown
    np.testing.assert_allclose(decimals(sentence)[1:], expected(0.3, 7, 40), atol=0.0011)
    assert sentence.startswith("30 % of the labels are wrong. After 7 levels")
    np.testing.assert_allclose(decimals(start)[1:], [0.5, *expected(0, 40)], atol=0.0011)
    assert static_sentence(blocks[martirank_explorer]).endswith(start)
    assert opacities == ["1"] + 44 * ["0.45"]


def test_martirank_level_by_pointer(drive, blocks):
    # two levels down from the top
    (sentence,) = drive([["drag", ".node", [0, 62]], SENTENCE], blocks[martirank_explorer])
    assert re.match(r"0 % of the labels are wrong. After [12] level", sentence)


def test_noise_numbers_are_the_library_s(drive, blocks):
    from aucbook.explore.noise import NOISE

    test, clean, _ = make_flipped(4000, 0, random_state=1, return_clean=True)
    right = test == clean[:, None]
    settled = [right.all(1), right[:, :11].all(1) & ~right[:, 11:].any(1)]
    groups = [*settled, ~np.logical_or(*settled)]

    def expected(noise, rounds):
        X, y = make_flipped(4000, noise, random_state=2)
        f = AUCBoost(n_estimators=rounds, answers="balanced").fit(X, y).decision_function(test)
        # the votes by another route than the explorable's: f is linear in the columns
        votes = np.linalg.lstsq(np.c_[test, np.ones(len(test))], f, rcond=None)[0][:21]
        wrong = [100 * (np.sign(f) != clean)[rows].mean() for rows in groups]
        return wrong, roc_auc(clean, f), votes[:11].sum() / votes.sum()

    look = [SENTENCE, ["texts", ".wrong-words"]]
    more_noise = 3 * [["press", "[name=noise]", "ArrowRight"]]
    steps = [
        *look,
        ["press", "[name=rounds]", "End"],
        *look,
        *more_noise,
        ["press", "[name=rounds]", "ArrowLeft"],
        *look,
    ]
    steps += [["press", "[name=noise]", "End"], *look]
    readings = drive(steps, blocks[noise_explorer])
    for sentence, shown, case in zip(
        readings[::2], readings[1::2], ((0, 1), (0, 100), (NOISE[3], 99), (NOISE[-1], 99))
    ):
        wrong, auc, share = expected(case[0] / 100, case[1])
        np.testing.assert_allclose([float(v.rstrip(" %")) for v in shown], wrong, atol=0.051)
        mixed, shown_auc, first, other = [
            float(v) for v in re.findall(r"\d+\.\d+", sentence.split(" round")[1])
        ]
        assert abs(mixed - wrong[2]) < 0.051
        assert abs(shown_auc - auc) < 0.00051
        # three decimals kept, two shown
        np.testing.assert_allclose((first, other), (share, 1 - share), atol=0.0056)
    # what the page's task asks for: without noise nearly all the mixed come right, with it they do not
    assert expected(0, 100)[0][2] < 5
    assert expected(0.02, 100)[0][2] > 50


def test_noise_round_by_pointer(drive, blocks):
    sentence, back = drive(
        [["drag", ".here", [600, 0]], SENTENCE, ["drag", ".here", [-600, 0]], SENTENCE],
        blocks[noise_explorer],
    )
    assert "and 100 rounds" in sentence
    assert "and 1 round," in back


def test_violated_value_and_ranks_are_the_library_s(drive, blocks):
    from aucbook.explore.violated import HEALTHY, SICK

    read = [
        SENTENCE,
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
    readings = drive(steps, blocks[violated_explorer])
    for sentence, (w,), (alpha,), (beta,), cells in zip(*(readings[k::5] for k in range(5))):
        w = float(w)
        alpha = float(alpha)
        beta = float(beta)
        s = w * np.array(SICK)
        t = w * np.array(HEALTHY)
        ranks, value = most_violated_ordering(s, t, min_fpr=alpha, max_fpr=beta)
        shown = decimals(sentence)
        np.testing.assert_allclose(shown[:2], value, atol=0.00051)  # three decimals are shown
        assert np.reshape(["orange" in c for c in cells], (5, 8)).sum(1).tolist() == ranks.tolist()
    assert sentence.startswith("The value of the most violated ordering is")
    assert len(set(readings[::5])) > 9


def test_violated_ordering_of_the_reader(drive, blocks):
    from aucbook.explore.violated import HEALTHY, SICK

    s = np.array(SICK)
    t = np.array(HEALTHY)
    ranks, value = most_violated_ordering(s, t, min_fpr=0.25, max_fpr=0.75)
    P = np.r_[0, np.cumsum(range_weights(8, min_fpr=0.25, max_fpr=0.75) + t)]
    steps = [SENTENCE, ["click", ".cell >> nth=19"], SENTENCE]  # the third row's fourth cell
    for row in range(5):  # then every row by keyboard
        steps += [["press", "[name=sick]", "Home"]] + row * [["press", "[name=sick]", "ArrowRight"]]
        steps += [["press", "[name=above]", "Home"]] + int(ranks[row]) * [
            ["press", "[name=above]", "ArrowRight"]
        ]
    start, one, last = drive([*steps, SENTENCE], blocks[violated_explorer])
    assert decimals(start)[:2] == [0, round(value, 3)]
    assert "worse" not in start
    np.testing.assert_allclose(decimals(one)[0], P[4] - 4 * s[2], atol=0.00051)
    assert "Above sick patient 3 stand 2 before the range, 2 in it, 0 after it: 2.00 points" in one
    assert decimals(last)[:2] == [round(value, 3)] * 2
    assert "No ordering is worse" in last
    with pytest.raises(ValueError, match="0.7"):
        violated_explorer(min_fpr=0.7, max_fpr=0.2)


def test_violated_dot_by_pointer(drive, blocks):
    sentence, labels = drive(
        [["drag", ".dot >> nth=5", [0, 0]], SENTENCE, ["texts", ".words"]],
        blocks[violated_explorer],
    )
    assert "stand 2 before the range, 3 in it, 0 after it" in sentence
    assert labels[0].startswith("slope 0.90")


TIED = [0, 1, 1, 0, 1, 0, 0], [2.0, 2.0, 3.5, 1.0, 1.0, -4.0, 3.5]


@pytest.mark.parametrize("example", [None, TIED], ids=["nine patients", "with ties"])
def test_delong_numbers_are_the_library_s(drive, example):
    from aucbook.explore.delong import EXAMPLE, EXAMPLE_Y

    y, s = map(np.array, example or (EXAMPLE_Y, EXAMPLE))
    m = y.sum()
    n = (1 - y).sum()
    # the slider's order: positives first, each class from the highest score
    order = np.lexsort((-s, 1 - y))
    # some more than once, some less
    counts = [(k, 1 + (0.1 if k % 2 else -0.1) * (k + 1)) for k in range(y.size)]
    read = [SENTENCE, ["texts", ".A"], ["texts", ".N"], ["texts", ".value"]]
    steps = list(read)
    for k, count in counts:
        key = "ArrowRight" if count > 1 else "ArrowLeft"
        steps += [["press", "[name=patient]", "ArrowRight"]] if k else []
        steps += [["press", "[name=count]", key]] * round(abs(count - 1) * 10) + read
    start, A, N, notes, *readings = drive(
        steps, delong_explorer(*example) if example else delong_explorer()
    )
    auc, *_, variance = auc_interval(y, s)
    assert decimals(start) == [round(auc, 3)]
    assert set(notes) == {"?"}
    wins = (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0])
    np.testing.assert_allclose(
        [float(v) for v in A], sorted(wins.mean(1), reverse=True), atol=0.005 + 1e-9
    )
    np.testing.assert_allclose([float(v) for v in N], sorted(wins.mean(0)), atol=0.005 + 1e-9)
    slopes = []
    for (k, count), sentence, _, N, notes in zip(counts, *(readings[i::4] for i in range(4))):

        def weight(v):
            return np.where(np.arange(y.size) == order[k], v, 1)

        def area(v):
            return roc_auc(y, s, sample_weight=weight(v))

        slopes.append((area(1 + 1e-6) - area(1 - 1e-6)) / 2e-6)
        shown = decimals(sentence.split("counted")[1])
        assert abs(shown[1] - area(count)) <= 0.0005 + 1e-9
        assert shown[0] == round(count, 1)
        assert abs(shown[4] - slopes[-1]) <= 0.0005 + 1e-7
        assert notes[: k + 1].count("?") == 0
        assert notes[k + 1 :].count("?") == y.size - k - 1
        positives = np.sort(s[y == 1])[::-1]
        w = weight(count)[order][:m]
        shares_of_wins = [
            (w * ((positives > v) + 0.5 * (positives == v))).sum() / w.sum()
            for v in np.sort(s[y == 0])[::-1]
        ]
        np.testing.assert_allclose([float(v) for v in N], shares_of_wins, atol=0.005 + 1e-9)
    squares = np.square(slopes)
    assert decimals(sentence)[-2:] == pytest.approx([variance, variance**0.5], abs=0.0006)
    assert variance == pytest.approx(
        squares[:m].sum() * m / (m - 1) + squares[m:].sum() * n / (n - 1)
    )


def test_delong_by_pointer_and_reset(drive, blocks):
    steps = [["drag", ".slot >> nth=3", [0, 0]], ["press", "[name=count]", "End"], SENTENCE]
    steps += [["click", "[name=reset]"], SENTENCE, ["texts", ".value"]]
    sentence, again, notes = drive(steps, blocks[delong_explorer])
    assert sentence.startswith(
        "With the ill patient with score 3 counted 2.0 times the AUC is 0.760."
    )
    assert static_sentence(blocks[delong_explorer]).endswith(again)
    assert set(notes) == {"?"}


def test_delong_bad_input_is_named():
    for y, s, message in (
        ([0, 1, 1, 0], np.zeros((4, 2)), "one ranker"),
        ([0, 1, 1, 0], [1, 2, np.nan, 3], "finite"),
        ([0, 1, 0], [1, 2, 3], "two of each"),
    ):
        with pytest.raises(ValueError, match=message):
            delong_explorer(y, s)


def best_links(i, weight):
    """(D, PAV's votes, [Z of the two lines and of PAV]) by other routes than the library's."""
    from aucbook.explore.link import ILL, MAX_VOTE, H

    y = 2 * ILL - 1
    D = np.ones(10)
    D[i] = weight
    D /= D.sum()
    p = PAVCalibrator(clip=1 / (1 + np.exp(2 * MAX_VOTE))).fit(H, ILL, D).transform(H)
    votes = np.log(p / (1 - p)) / 2
    lines = [
        minimize(lambda a: D @ np.exp(-y * (X @ a)), np.zeros(X.shape[1]), tol=1e-12).fun
        for X in (H[:, None], np.c_[H, np.ones(10)])
    ]
    return D, votes, [*lines, D @ np.exp(-y * votes)]


def test_link_numbers_are_the_library_s(drive, blocks):
    from aucbook.explore.link import LINKS

    read = [SENTENCE, ["text", ".total"], ["attributes", ".case", "transform"]]
    steps = [["click", f".ax-pill:nth-child({LINKS.index('PAV') + 1})"], *read]
    # (patient, its weight, link) of each reading
    cases = [(2, 1, 3)]
    for moves, case in (
        (5 * [["press", "[name=who]", "ArrowRight"]], (7, 1, 3)),
        ([["press", "[name=times]", "End"]], (7, 8, 3)),
        ([["click", ".ax-pill:nth-child(2)"]], (7, 8, 1)),
        ([["click", ".ax-pill:nth-child(3)"]], (7, 8, 2)),
        ([["press", "[name=who]", "Home"]], (0, 8, 2)),
        ([["press", "[name=times]", "ArrowLeft"]], (0, 4, 2)),
        ([["click", ".ax-pill:nth-child(4)"]], (0, 4, 3)),
    ):
        steps += [*moves, *read]
        cases.append(case)
    readings = drive(steps, blocks[link_explorer])
    for (i, weight, link), sentence, total, places in zip(
        cases, *(readings[k::3] for k in range(3))
    ):
        _, pav_votes, Z = best_links(i, weight)
        shown = dict(zip([link, *(j for j in (1, 2, 3) if j != link)], decimals(sentence)))
        assert sentence.startswith(f"The {LINKS[link]} link")
        # three decimals are shown
        np.testing.assert_allclose([shown[j] for j in (1, 2, 3)], Z, atol=0.00051)
        assert decimals(total) == [shown[link]]
        if link == 3:
            np.testing.assert_allclose(heights(places), pav_votes, atol=0.001)


def test_link_votes_of_the_reader_start_at_zero_and_stay_monotone(drive, blocks):
    """A vote that is moved takes along those in its way."""
    from aucbook.explore.link import ILL, MAX_VOTE

    read = [SENTENCE, ["attributes", ".case", "transform"]]
    moves = [("8", "End"), ("2", "End"), ("2", "ArrowDown"), ("4", "Home"), ("9", "PageUp")]
    steps = list(read)
    for i, key in moves:
        steps += [["press", f"[data-i='{i}']", key], *read]
    readings = drive(steps, blocks[link_explorer])
    D, _, Z = best_links(2, 1)
    votes = np.zeros(10)
    for move, sentence, places in zip([None, *moves], readings[::2], readings[1::2]):
        if move:
            i = int(move[0])
            vote = {
                "End": MAX_VOTE,
                "Home": -MAX_VOTE,
                "ArrowDown": votes[i] - 0.1,
                "PageUp": min(votes[i] + 1, MAX_VOTE),
            }[move[1]]
            votes = np.r_[np.minimum(votes[:i], vote), vote, np.maximum(votes[i + 1 :], vote)]
        np.testing.assert_allclose(heights(places), votes, atol=1e-3)
        shown = decimals(sentence)[0]
        assert abs(shown - D @ np.exp(-(2 * ILL - 1) * votes)) < 0.00051
        assert ("can you make it smaller?" in sentence) == (shown >= Z[0] - 0.0005)


def heights(places):
    """The votes of the patients: 270 pixels show those from -2.3 to 2.3."""
    return 2.3 - (np.array([float(v.rstrip(")").split()[1]) for v in places]) - 16) / 270 * 4.6


def test_link_can_be_solved(drive, blocks):
    """PAV's votes, set by hand in tenths, are recognised; and no votes in tenths have a smaller loss."""
    from aucbook.explore.link import ILL, MAX_VOTE, H

    p = PAVCalibrator(clip=1 / (1 + np.exp(2 * MAX_VOTE))).fit(H, ILL).transform(H)
    steps = []
    for i, vote in enumerate(np.round(np.log(p / (1 - p)) * 5).astype(int)):  # tenths
        steps += [
            ["press", f"[data-i='{i}']", "End"],
            *(15 - vote) * [["press", f"[data-i='{i}']", "ArrowDown"]],
        ]
    sentence = drive(
        [*steps, SENTENCE, ["attributes", "[name=who]", "value"]], blocks[link_explorer]
    )[0]
    assert "you have it" in sentence
    assert (
        np.mean(np.exp((1 - 2 * ILL) * np.log(p / (1 - p)) / 2)) <= decimals(sentence)[0] + 0.0005
    )


def test_link_is_the_first_round_of_the_estimators():
    from aucbook.explore.link import GRID, ILL, MAX_VOTE, FirstColumn, H, link_round

    votes, Z = link_round(np.ones(10))
    for vote, z, model in zip(
        votes,
        Z,
        (
            LinearAdaBoost(FirstColumn(), n_estimators=1),
            LinearAdaBoost(FirstColumn(), n_estimators=1, constant=True),
            PAVAdaBoost(FirstColumn(), n_estimators=1, clip=1 / (1 + np.exp(2 * MAX_VOTE))),
        ),
    ):
        k = np.interp(H, GRID, vote)
        np.testing.assert_allclose(
            model.fit(H[:, None], ILL).decision_function(H[:, None]), k, atol=1e-12
        )
        assert abs(np.mean(np.exp(-(2 * ILL - 1) * k)) - z) < 1e-5  # Z has five decimals
    assert np.abs(votes[2]).max() <= MAX_VOTE + 1e-12


def test_hull_and_pools_are_the_library_s(drive, blocks):
    from aucbook.explore.hull import EXAMPLE, fixed

    read = [
        SENTENCE,
        ["attributes", ".patient", "aria-valuenow"],
        ["attributes", ".blocks path", "d"],
        ["attributes", ".chords path", "d"],
        ["text", "output"],
    ]
    steps = list(read)
    for i, key in (
        (1, "ArrowUp"),
        (11, "ArrowDown"),
        (5, "Home"),
        (0, "End"),
        (9, "ArrowRight"),
        (6, "ArrowUp"),
    ):
        steps += [["press", f".patient >> nth={i}", key], *read]
    steps += [
        ["drag", ".patient .mark >> nth=3", [0, -250]],
        *read,
        ["press", "[name=pool]", "End"],
        *read,
    ]
    readings = drive(steps, blocks[hull_explorer])
    for sentence, labels, bars, chords, shown in zip(*(readings[k::5] for k in range(5))):
        y = np.array([int(v) for v in labels])
        curve = roc_curve(y, np.arange(12))
        fit = pav(y)
        hull = curve.hull()
        # x0 y0 x1 y1 in the picture
        ends = [[float(v) for v in re.findall(r"-?\d+\.\d+", d)] for d in chords]
        shown_corners = np.array(
            [[(x - 60) / 270, 1 - (t - 16) / 270] for e in ends[::-1] for x, t in (e[:2], e[2:])]
        )
        hull_corners = np.array(
            [
                p
                for k in range(len(hull.fpr) - 1)
                for p in zip(hull.fpr[k : k + 2], hull.tpr[k : k + 2])
            ]
        )
        np.testing.assert_allclose(shown_corners, hull_corners, atol=3e-5)  # hundredths of a pixel
        heights = [1.1 - (float(re.findall(r"-?\d+\.\d+", d)[1]) - 16) / 270 * 1.2 for d in bars]
        np.testing.assert_allclose(heights, np.unique(fit.round(12)), atol=5e-5)
        k = int(shown.split("/")[0]) - 1
        assert f"probability {fixed(np.unique(fit.round(12))[k])}," in sentence
        assert shown.endswith(f"/{len(bars)}")
        # three decimals are shown
        np.testing.assert_allclose(
            decimals(sentence.split("AUC")[1]),
            [roc_auc(y, np.arange(12)), hull.auc()],
            atol=0.0005 + 1e-9,
        )
    assert readings[1] == [str(v) for v in EXAMPLE]
    assert len({tuple(v) for v in readings[1::5]}) == 8


def test_hull_keeps_both_classes(drive):
    block = hull_explorer([0, 1, 0])
    sentence, labels = drive(
        [
            ["press", ".patient >> nth=1", "ArrowDown"],
            SENTENCE,
            ["attributes", ".patient", "aria-valuenow"],
        ],
        block,
    )
    assert sentence.startswith("Patient 2 is the last one who is ill")
    assert labels == ["0", "1", "0"]
    for y, message in (([0, 0], "class"), ([0, 1, 2], "two")):
        with pytest.raises(ValueError, match=message):
            hull_explorer(y)
