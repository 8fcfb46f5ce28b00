"""Explorable of the adaptive approximation of ROC*, a polyline that is refined by levels."""

import numpy as np

from ..base import Explorable, Frame, pills, slider, svg, tag

DEPTH = 6  # of the finest polyline
LEVELS = DEPTH + 2  # of the optimal curve, as it is drawn
GOAL = 0.001


def corners_explorer():
    """Approximate the optimal ROC curve by a polyline of depth 0 to 6 (Paper 4, section III-D).

    The left panel shows the optimal curve of one of three known problems and the inscribed
    polyline; the right panel shows the gap between them, multiplied by 4 to the depth. The reader
    looks for the depth at which the largest gap falls below 0.001; the Gaussian problems do not
    reach it.

    Returns
    -------
    Explorable
        The figure, at depth 0.

    See Also
    --------
    aucbook.theory.adaptive_approximation : The approximation.

    Examples
    --------
    >>> from aucbook.explore import corners_explorer
    >>> corners_explorer()
    <explorable: Corner by corner>
    """
    problems = _problems()
    sets = [_approximations(problem) for problem in problems.values()]
    left = Frame(46, 16, 298, 270)
    right = Frame(46, 16, 298, 270, y=(0, 1.6))
    data = {
        "words": list(problems),
        "sets": sets,
        "left": left.json(),
        "right": right.json(),
        "levels": LEVELS,
        "goal": GOAL,
    }
    x = np.array(sets[0]["x"])
    y = np.array(sets[0]["y"])
    # at depth 0 the polyline is the diagonal
    corners = [(x[0], y[0]), (x[-1], y[-1])]
    gap = y - np.interp(x, x[:: len(x) - 1], y[:: len(y) - 1])
    panels = [
        svg(
            "The best ROC curve and its approximation",
            "A concave curve, and inscribed in it a polyline whose corners lie on the curve; with "
            "each level a corner is added between all neighbours.",
            left.axes("FPR", "TPR"),
            left.line(zip(x, y), "sums"),
            left.line(corners, "chord"),
            tag(
                "g",
                *(tag("circle", r=4, cx=left.x(a), cy=left.y(b), class_="dot") for a, b in corners),
                class_="corners",
            ),
        ),
        svg(
            "What is missing, times four to the depth",
            "The vertical gap between the curve and the polyline, one arch per piece, multiplied "
            "by four to the depth.",
            right.axes("FPR", "gap · 4^D", yticks=(0, 0.5, 1, 1.5)),
            right.line(zip(x, gap), "curve"),
        ),
    ]
    controls = [
        pills("problem", list(problems), "problem"),
        slider("depth", "depth D", 0, DEPTH, 1, 0, "0"),
    ]
    sentence = (
        f"<b>1</b> piece misses an area of <b>{sets[0]['d1'][0]:.2g}</b>; the largest gap is "
        f"<b>{sets[0]['dinf'][0]:.2g}</b>: not yet below {GOAL}."
    )
    return Explorable("corners", "Corner by corner", panels, controls, sentence, data)


def _problems():
    """Return the three problems by name."""
    from ...theory import Binormal, Problem

    class Ramp(Problem):
        """Negatives uniform on [0, 1], positives of density 2x: likelihood ratios of at most 2."""

        def tails(self, t):
            x = np.clip(np.exp(t) / 2, 0, 1)
            return 1 - x, 1 - x * x

    return {"ratios up to 2": Ramp(), "Gaussians": Binormal(1), "wider positives": Binormal(1, 2)}


def _approximations(problem):
    """Return points of the optimal curve, and the distances of its polylines by depth."""
    from ...theory import adaptive_approximation, distance_to_optimum

    fine = adaptive_approximation(problem, LEVELS)
    distances = [
        distance_to_optimum(problem, adaptive_approximation(problem, depth))
        for depth in range(DEPTH + 1)
    ]
    return {
        "x": fine.fpr.round(6).tolist(),
        "y": fine.tpr.round(6).tolist(),
        "d1": [float(f"{area:.3g}") for area, _ in distances],
        "dinf": [float(f"{gap:.3g}") for _, gap in distances],
    }
