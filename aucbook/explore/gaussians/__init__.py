"""Explorable of the binormal model: two densities, a threshold, and the ROC curve they make."""

from math import isfinite

import numpy as np
from scipy.stats import norm

from ..base import Explorable, Frame, colour_key, fixed, label, legend, share_bar, slider, svg, tag

# Limits of the sliders, and of the score axis.
MAX_MEAN = 3.0
MIN_DEVIATION = 0.75
MAX_DEVIATION = 3.0
LOWEST_SCORE = -4.0
HIGHEST_SCORE = 7.0
# Of the curves drawn: the ends are so far out that both rates are 0 or 1 there.
THRESHOLDS = np.linspace(-12.0, 14.0, 261)
SCORES = np.linspace(LOWEST_SCORE, HIGHEST_SCORE, 111)


def gaussians_explorer(mu=1.0, sigma=1.0, threshold=1.0):
    """Move a threshold across two normal densities, and see its point of the ROC curve.

    Healthy cases have scores from a normal distribution with mean 0 and standard deviation 1,
    sick cases from one with mean mu and standard deviation sigma (the binormal model).

    Parameters
    ----------
    mu : float, default 1.0
        Mean of the sick cases at first, from 0 to 3.
    sigma : float, default 1.0
        Standard deviation of the sick cases at first, from 0.75 to 3.
    threshold : float, default 1.0
        Threshold at first, from -4 to 7.

    Returns
    -------
    Explorable
        The figure, with these distributions.

    Raises
    ------
    ValueError
        For a number outside its range.

    See Also
    --------
    aucbook.theory.binormal_auc : The area under this curve, or under a part of it.
    roc_explorer : The same for single cases.

    Examples
    --------
    >>> from aucbook.explore import gaussians_explorer
    >>> gaussians_explorer()
    <explorable: Two Gaussians and a threshold>
    """
    from ...theory import binormal_auc

    mu = _checked("mu", mu, 0, MAX_MEAN)
    sigma = _checked("sigma", sigma, MIN_DEVIATION, MAX_DEVIATION)
    threshold = _checked("threshold", threshold, LOWEST_SCORE, HIGHEST_SCORE)
    tpr = float(norm.sf(threshold, mu, sigma))
    fpr = float(norm.sf(threshold))
    auc = float(binormal_auc(mu, sigma))
    line = Frame(20, 44, 320, 150, x=(LOWEST_SCORE, HIGHEST_SCORE), y=(0, 0.56))
    square = Frame(60, 14, 280, 280)
    panels = [
        _density_panel(line, mu, sigma, threshold, (tpr, fpr)),
        _roc_panel(square, mu, sigma, (tpr, fpr)),
    ]
    controls = [
        slider(
            "cut", "threshold θ", LOWEST_SCORE, HIGHEST_SCORE, 0.05, threshold, fixed(threshold)
        ),
        slider("mu", "mean of the sick μ", 0, MAX_MEAN, 0.05, mu, fixed(mu)),
        slider(
            "sigma", "standard deviation σ", MIN_DEVIATION, MAX_DEVIATION, 0.05, sigma, fixed(sigma)
        ),
    ]
    sentence = (
        f"The threshold finds <b>{fixed(100 * tpr, 0)} %</b> of the sick, with a false alarm for "
        f"<b>{fixed(100 * fpr, 0)} %</b> of the healthy. The area under the curve is AUC = "
        f"<b>{fixed(auc)}</b>."
    )
    data = {
        "line": line.json(),
        "square": square.json(),
        "thresholds": THRESHOLDS.round(6).tolist(),
        "scores": SCORES.round(6).tolist(),
    }
    return Explorable(
        "gaussians",
        "Two Gaussians and a threshold",
        panels,
        controls,
        sentence,
        data,
        above=legend(
            colour_key("blue-mid", "sick, at or above the threshold: TPR"),
            colour_key("orange-mid", "healthy, at or above it: FPR"),
            tag("span", "Drag the threshold, or the point of the curve."),
        ),
    )


def _checked(name, value, low, high):
    """Return value as a float; raise ValueError unless it is a number from low to high."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be a number from {low:g} to {high:g}, got {value!r}"
        ) from None
    if not (isfinite(number) and low <= number <= high):
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, got {value!r}")
    return number


def _density(mean, deviation):
    """Return the points of a density along the score axis."""
    heights = norm.pdf(SCORES, mean, deviation)
    return list(zip(SCORES.tolist(), heights.tolist()))


def _above(line, points, threshold):
    """Return the outline of the area under a density at or above the threshold."""
    right = [point for point in points if point[0] >= threshold]
    if not right:
        return ""
    return line.path([(right[0][0], 0), *right, (right[-1][0], 0)], "Z")


def _density_panel(line, mu, sigma, threshold, rates):
    """Draw both densities, the threshold, and the shares (TPR, FPR) at or above it."""
    tpr, fpr = rates
    sick = _density(mu, sigma)
    healthy = _density(0, 1)
    cut = line.x(threshold)
    floor = line.y(0)
    return svg(
        "Two normal densities of scores, and a threshold",
        f"The healthy have mean 0 and standard deviation 1, the sick mean {fixed(mu)} and standard "
        f"deviation {fixed(sigma)}. At or above the threshold {fixed(threshold)} lie "
        f"{fixed(100 * tpr, 0)} % of the sick and {fixed(100 * fpr, 0)} % of the healthy.",
        tag("path", d=_above(line, sick, threshold), class_="area sick"),
        tag("path", d=_above(line, healthy, threshold), class_="area healthy"),
        line.line(healthy, "curve bell-healthy", style="stroke:var(--orange)"),
        line.line(sick, "curve bell-sick"),
        line.line([(LOWEST_SCORE, 0), (HIGHEST_SCORE, 0)], "axis"),
        *(
            label(line.x(v), floor + 16, f"{v:g}".replace("-", "−"), anchor="middle")
            for v in range(-4, 8, 2)
        ),
        label(180, floor + 34, "score", anchor="middle"),
        label(
            line.x(-0.8),
            line.y(float(norm.pdf(0.8))) - 4,
            "healthy",
            class_="strong orange-ink halo name-healthy",
            anchor="end",
        ),
        label(
            line.x(mu + 0.8 * sigma),
            line.y(float(norm.pdf(0.8)) / sigma) - 4,
            "sick",
            class_="strong blue-ink halo name-sick",
        ),
        tag(
            "path",
            d=f"M0 36V{floor:.2f}",
            class_="cutline",
            transform=f"translate({cut:.2f} 0)",
            data_symbol="theta",
        ),
        label(
            cut,
            26,
            f"alarm if score ≥ {fixed(threshold)}",
            class_="strong cut-label halo",
            anchor="middle",
        ),
        label(14, 262, "sick, found (TPR)"),
        label(346, 262, fixed(tpr), class_="strong tpr", anchor="end"),
        share_bar(268, 12, tpr, "pos bar-tpr"),
        label(14, 304, "healthy, alarmed (FPR)"),
        label(346, 304, fixed(fpr), class_="strong fpr", anchor="end"),
        share_bar(310, 12, fpr, "neg bar-fpr"),
    )


def _roc_panel(square, mu, sigma, rates):
    """Draw the ROC curve of the model, with the point (FPR, TPR) of the threshold."""
    tpr, fpr = rates
    curve = list(zip(norm.sf(THRESHOLDS).tolist(), norm.sf(THRESHOLDS, mu, sigma).tolist()))
    return svg(
        "ROC curve of the two densities",
        f"The curve rises from (0, 0) to (1, 1). The threshold's point is FPR {fixed(fpr)}, "
        f"TPR {fixed(tpr)}.",
        square.axes("healthy, alarmed (FPR)", "sick, found (TPR)"),
        square.line([(0, 0), (1, 1)], "guide"),
        label(square.x(0.62), square.y(0.55), "random scores", class_="small", anchor="start"),
        square.line(curve, "curve roc"),
        square.circle(fpr, tpr, 7, "here"),
    )
