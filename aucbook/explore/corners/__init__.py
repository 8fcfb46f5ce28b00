"""Explorable of the adaptive approximation of ROC*, a polyline that is refined by levels."""

import numpy as np

from ..base import Explorable, Frame, pills, slider, svg, tag

DEPTH = 6
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
    from ...theory import Binormal, Problem, adaptive_approximation, distance_to_optimum

    class Ramp(Problem):
        """Negatives uniform on [0, 1], positives of density 2x: likelihood ratios of at most 2."""

        def tails(self, t):
            x = np.clip(np.exp(t) / 2, 0, 1)
            return 1 - x, 1 - x * x

    problems = {
        "prices up to 2": Ramp(),
        "Gaussians": Binormal(1),
        "wider positives": Binormal(1, 2),
    }
    data = {"words": list(problems), "sets": []}
    for problem in problems.values():
        fine = adaptive_approximation(problem, DEPTH + 2)
        errors = [
            distance_to_optimum(problem, adaptive_approximation(problem, D))
            for D in range(DEPTH + 1)
        ]
        data["sets"].append(
            {
                "x": fine.fpr.round(6).tolist(),
                "y": fine.tpr.round(6).tolist(),
                "d1": [float(f"{a:.3g}") for a, _ in errors],
                "dinf": [float(f"{b:.3g}") for _, b in errors],
            }
        )
    left, right = Frame(46, 16, 298, 270), Frame(46, 16, 298, 270, y=(0, 1.6))
    data |= {"left": left.json(), "right": right.json(), "levels": DEPTH + 2, "goal": GOAL}

    first, D = data["sets"][0], 0
    x = np.array(first["x"])
    y = np.array(first["y"])
    step = 2 ** (DEPTH + 2 - D)
    gap = (y - np.interp(x, x[::step], y[::step])) * 4**D
    panels = [
        svg(
            "The best ROC curve and its approximation",
            "A concave curve, and inscribed in it a polyline whose corners lie on the curve; with "
            "each level a corner is added between all neighbours.",
            left.axes("FPR", "TPR"),
            left.line(zip(x, y), "sums"),
            left.line(zip(x[::step], y[::step]), "chord"),
            tag(
                "g",
                *(
                    tag("circle", r=4, cx=left.x(a), cy=left.y(b), class_="dot")
                    for a, b in zip(x[::step], y[::step])
                ),
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
        slider("depth", "depth D", 0, DEPTH, 1, D, str(D)),
    ]
    sentence = (
        f"<b>{2**D}</b> piece misses an area of <b>{first['d1'][D]:.2g}</b>; the largest gap is "
        f"<b>{first['dinf'][D]:.2g}</b>: not yet below {GOAL}."
    )
    return Explorable("corners", "Corner by corner", panels, controls, sentence, data)
