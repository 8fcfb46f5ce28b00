"""Building blocks of the explorables: SVG elements, axes, controls, and the block on the page."""

import json
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from hashlib import sha256
from html import escape
from math import floor, log10
from pathlib import Path

import numpy as np


def fixed(value, digits=2):
    """Return a number with fixed decimals; halves are rounded up, as JavaScript's toFixed does."""
    return str(Decimal(float(value) + 0.0).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def signed(value, smallest=0.005):
    """Return a number with its sign and two decimals; one of at most this size is zero."""
    value = float(value) if abs(value) > smallest else 0.0
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return sign + fixed(abs(value))


def tag(name, /, *children, **attributes):
    """Return one HTML or SVG element.

    `class_` stands for class and `stroke_width` for stroke-width; True gives an attribute without
    value, and None or False leaves it out.
    """
    written = []
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            written.append(f" {key}")
        elif value is not None and value is not False:
            text = f"{value:.6g}" if isinstance(value, float) else escape(str(value))
            written.append(f' {key}="{text}"')
    return f"<{name}{''.join(written)}>{''.join(children)}</{name}>"


def label(x, y, text, class_=None, anchor=None, **attributes):
    """Return a text element of the picture."""
    return tag(
        "text",
        escape(text),
        x=float(x),
        y=float(y),
        class_=class_,
        text_anchor=anchor,
        **attributes,
    )


def upward_label(x, y, text):
    """Return a text element that is read from below, about the point (x, y)."""
    return label(x, y, text, anchor="middle", transform=f"rotate(-90 {x:g} {y:g})")


def value_line(y, name, value, class_, name_class=None):
    """Return a line of the picture: a name at its left edge and a value at its right one."""
    return label(14, y, name, class_=name_class) + label(
        346, y, value, class_=f"strong {class_}", anchor="end"
    )


def share_bar(y, height, share, class_):
    """Return a bar of the picture's width of which a share is filled."""
    return tag("rect", x=14, y=y, width=332, height=height, rx=3, class_="track") + tag(
        "rect",
        x=14,
        y=y,
        width=float(332 * share),
        height=height,
        rx=3,
        class_=class_,
        stroke_width=0,
    )


def share_fill(percent):
    """Return the style of a mark: bluer for a larger percentage of positives, else more orange."""
    colour = "blue" if percent >= 50 else "orange"
    strength = abs(2 * percent - 100)
    return f"fill:color-mix(in srgb,var(--{colour}) {strength:.0f}%,var(--line));stroke:var(--grey)"


def unit_steps(levels):
    """Return the corners of a step function with these values around 1, 2, and so on."""
    return [(x, v) for i, v in enumerate(levels, 1) for x in (i - 0.5, i + 0.5)]


def svg(title, desc, *children, width=360, height=334, role="img"):
    """Return a panel with its title and its alternative text."""
    return tag(
        "svg",
        tag("title", escape(title)),
        tag("desc", escape(desc)),
        *children,
        viewBox=f"0 0 {width} {height}",
        role=role,
    )


def ticks(low, high, count=6):
    """Return round numbers that cover the range, 1, 2 or 5 times a power of ten apart."""
    rough = (high - low) / count
    power = 10.0 ** floor(log10(rough))
    step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough * 0.999)
    return [
        round(step * k, 10)
        for k in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)
    ]


class Frame:
    """A rectangle of the picture with data coordinates."""

    def __init__(self, left, top, width, height, x=(0, 1), y=(0, 1)):
        self.box = (left, top, width, height)
        self.xlim = tuple(map(float, x))
        self.ylim = tuple(map(float, y))

    def x(self, v):
        """Return the horizontal position of the data coordinate v in the picture."""
        return self.box[0] + (v - self.xlim[0]) / (self.xlim[1] - self.xlim[0]) * self.box[2]

    def y(self, v):
        """Return the vertical position of the data coordinate v in the picture; y grows upwards."""
        return self.box[1] + (self.ylim[1] - v) / (self.ylim[1] - self.ylim[0]) * self.box[3]

    def translate(self, x, y):
        """Return the SVG transform that moves the origin to a point in data coordinates."""
        return f"translate({self.x(x):.2f} {self.y(y):.2f})"

    def path(self, points, close=""):
        """Return the SVG path through points in data coordinates."""
        steps = [
            f"{'L' if i else 'M'}{self.x(x):.2f} {self.y(y):.2f}" for i, (x, y) in enumerate(points)
        ]
        return "".join(steps) + close

    def line(self, points, class_, **attributes):
        """Return a path element through points in data coordinates."""
        return tag("path", d=self.path(points), class_=class_, **attributes)

    def circle(self, x, y, r, class_, **attributes):
        """Return a circle about a point in data coordinates, which the script can move."""
        return tag("circle", r=r, class_=class_, transform=self.translate(x, y), **attributes)

    def json(self):
        """Return the rectangle and its limits as a dict, for the script."""
        return {"box": self.box, "x": self.xlim, "y": self.ylim}

    def axes(
        self,
        xlabel,
        ylabel,
        xticks=(0, 0.2, 0.4, 0.6, 0.8, 1),
        yticks=(0, 0.2, 0.4, 0.6, 0.8, 1),
        xgrid=None,
        ygrid=None,
    ):
        """Return grid, axis, tick labels and axis titles."""
        left, top, width, height = self.box
        (x0, x1) = self.xlim
        (y0, y1) = self.ylim
        rules = [[(v, y0), (v, y1)] for v in (xticks if xgrid is None else xgrid)]
        rules += [[(x0, v), (x1, v)] for v in (yticks if ygrid is None else ygrid)]
        parts = [self.line(rule, "grid") for rule in rules]
        parts += [self.line([(x0, y1), (x0, y0), (x1, y0)], "axis")]
        parts += [label(self.x(v), top + height + 16, f"{v:.3g}", anchor="middle") for v in xticks]
        parts += [label(left - 7, self.y(v) + 4, f"{v:.3g}", anchor="end") for v in yticks]
        parts += [label(left + width / 2, top + height + 34, xlabel, anchor="middle")]
        if ylabel:
            parts += [upward_label(left - 42, top + height / 2, ylabel)]
        return "".join(parts)


def slider(name, text, low, high, step, value, shown):
    """Return a labelled native range input with its value beside it."""
    return tag(
        "label",
        tag("span", text),
        f'<input type="range" name="{name}" min="{low}" max="{high}" step="{step}" value="{value}" '
        f'aria-label="{escape(text)}">',
        tag("output", shown),
        class_="ax-row",
    )


def button(name, text, main=False):
    """Return a button; `main` marks the one that the reader should press first."""
    return tag("button", text, type="button", name=name, class_="ax-main" if main else None)


def checkbox(name, text):
    """Return a labelled native checkbox."""
    return tag(
        "label", f'<input type="checkbox" name="{name}">', tag("span", text), class_="ax-check"
    )


def bar(*children):
    """Return a row of controls."""
    return tag("div", *children, class_="ax-bar")


def pills(name, choices, legend):
    """Return native radio buttons: one choice of several, at first the first one."""
    buttons = [
        tag(
            "label",
            f'<input type="radio" name="{name}" value="{i}"{" checked" if i == 0 else ""}>',
            tag("span", escape(choice)),
            class_="ax-pill",
        )
        for i, choice in enumerate(choices)
    ]
    return tag("div", *buttons, class_="ax-bar", role="radiogroup", aria_label=legend)


_MARKS = {
    "pos": tag("circle", cx=7, cy=7, r=5, class_="pos mark"),
    "neg": tag("rect", x=2, y=2, width=10, height=10, class_="neg mark"),
}


def legend(*more, **class_names):
    """Return the legend of the marks, pos=… and neg=…, followed by further pieces of HTML."""
    marks = (
        tag("span", tag("svg", _MARKS[kind], viewBox="0 0 14 14", aria_hidden="true"), escape(name))
        for kind, name in class_names.items()
    )
    return tag("div", *marks, *more, class_="ax-legend")


def task(text):
    """Return what the reader is asked to do, for the place above the panels."""
    return tag("div", text, style="margin:0 0 8px")


def colour_key(colour, text):
    """Return a swatch of a colour with its meaning, for a legend."""
    return tag("span", tag("i", class_="ax-key", style=f"background:var(--{colour})"), text)


def mark(kind, state="", **attributes):
    """Return the mark of one case, drawn about (0, 0): a disc if positive, a square if negative.

    Shape repeats what colour shows, for readers who cannot distinguish the colours.
    """
    class_ = f"{kind} mark {state}".strip()
    if kind == "pos":
        shape = tag("circle", r=6, class_=class_)
    else:
        shape = tag("rect", x=-5.5, y=-5.5, width=11, height=11, class_=class_)
    return tag("g", shape, **attributes)


@cache
def package_text(name):
    """Return a script or style sheet without indentation, blank lines and comment lines."""
    path = next(Path(__file__).parent.rglob(name))
    lines = (line.strip() for line in path.read_text("utf8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))


class Explorable:
    """An interactive figure that shows itself in JupyterLab and on the site, from the same HTML.

    It holds a static picture, which scripts make interactive, and needs no network. Its id is a
    hash of the content, so that the same call always returns the same HTML.

    Parameters
    ----------
    kind : str
        Name of the explorable; its script is `{kind}.js`.
    title : str
        Heading of the block.
    panels : list of str
        SVG panels.
    controls : list of str
        Sliders, buttons and choices.
    sentence : str
        HTML of the sentence that describes the current state.
    data : dict
        Data for the script, without NaN and infinities.
    above : str, default ""
        HTML between the heading and the panels: a task, a legend.
    uses : sequence of str, default ()
        Further scripts of the package that `{kind}.js` needs.
    """

    def __init__(self, kind, title, panels, controls, sentence, data, above="", uses=()):
        body = "\n".join(
            [
                tag("div", escape(title), class_="ax-title") + above,
                tag("div", "\n".join(panels), class_="ax-panels"),
                tag(
                    "form",
                    "\n".join(controls),
                    class_="ax-controls",
                    autocomplete="off",
                    aria_label=title,
                ),
                tag("p", sentence, class_="ax-say", role="status", aria_live="polite"),
            ]
        )
        data = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
        self.title = title
        self.id = f"ax-{kind}-" + sha256((body + data).encode()).hexdigest()[:8]
        script = "\n".join(
            [
                "(function(){",
                *map(package_text, ("base.js", *uses, f"{kind}.js")),
                f'mount("{self.id}",{data});',
                "})();",
            ]
        )
        self.html = tag(
            "figure",
            tag("style", package_text("base.css")),
            body,
            tag("script", script),
            id=self.id,
            class_="ax",
        )

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return f"<explorable: {self.title}>"


def numbers(values, name, n=None):
    """Return finite numbers, at least one, as a float array; raise ValueError otherwise.

    `name` is the name of the argument in messages; `n` is the length it must have, if given.
    """
    try:
        out = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers") from None
    if out.ndim != 1 or out.size == 0:
        raise ValueError(
            f"{name} must be a non-empty one-dimensional sequence, got shape {out.shape}"
        )
    if n is not None and out.size != n:
        raise ValueError(
            f"{name} has {out.size} values where {n} were expected: lengths must agree"
        )
    if not np.isfinite(out).all():
        raise ValueError(f"{name} must be finite: NaN and infinities cannot be drawn")
    return out
