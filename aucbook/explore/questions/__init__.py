"""Questions to answer before reading on: the page checks the guess against a computed answer."""

import re
from hashlib import sha256
from html import escape
from json import dumps
from math import ceil, isfinite, log10
from numbers import Integral, Real

import numpy as np

from ..base import package_text, tag


def _html(text):
    """Return the text as HTML; text between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(text.split()), quote=False))


class Prediction:
    """A question with a folded answer, which scripts turn into a form that checks a guess.

    It shows itself as the last value of a notebook cell, in JupyterLab and on the site, and needs
    no network.

    Parameters
    ----------
    question : str
        Plain text, `code` between backticks.
    shown : str
        The answer as it is shown.
    because : str
        Why it is the answer; may be empty.
    data : dict
        What the script needs to check a guess.
    wrong : iterable of (str, str)
        Wrong answers, and why each is wrong.
    """

    def __init__(self, question, shown, because, data, wrong):
        explanations = "".join(
            tag("li", tag("i", _html(guess)), f": {_html(why)}") for guess, why in wrong
        )
        answer = tag(
            "details",
            tag("summary", "Answer"),
            tag("p", tag("b", _html(shown)), f". {_html(because)}" if because else ""),
            tag("ul", explanations) if explanations else "",
        )
        body = tag("p", _html(question), class_="predict-question") + answer
        data = dumps(
            {**data, "question": " ".join(question.replace("`", "").split())}, ensure_ascii=False
        ).replace("<", "\\u003c")
        self.question = question
        self.id = "predict-" + sha256((body + data).encode()).hexdigest()[:8]
        script = f'(function(){{\n{package_text("predict.js")}\nmount("{self.id}",{data});\n}})();'
        self.html = tag(
            "div",
            tag("style", package_text("predict.css")),
            body,
            tag("script", script),
            id=self.id,
            class_="predict",
        )

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return f"<predict: {self.question}>"


def _shown(number, tolerance):
    """Return a number with as many decimals as the tolerance makes meaningful."""
    return f"{round(float(number), max(0, ceil(-log10(tolerance)))) + 0.0:.10g}"


def _is_number(value):
    """Return True if the value is a finite real number, and not a bool."""
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and isfinite(value)


def predict(question, answer, *, tolerance=0.005, choices=None, because="", wrong=None):
    """Ask a question before its answer is shown.

    The static page shows the question, and the answer in a fold; scripts add a field or buttons for
    the guess.

    Parameters
    ----------
    question : str
        Plain text, `code` between backticks.
    answer : float, int, bool or str
        The answer, best computed by the library: a number (a reader may type 1/3, 50% or .5), a
        bool (yes or no), or one of `choices`.
    tolerance : float, default 0.005
        How far a typed number may be off; an integer answer must be matched exactly.
    choices : sequence of str, default None
        Two to six different strings, one of them `answer`. None for a number or a bool.
    because : str, default ""
        Plain text that explains the answer, shown with it.
    wrong : dict, default None
        Explanations of wrong answers: {wrong choice or number: why it is wrong}. An explanation is
        shown when the reader gives this answer, and listed with the right one.

    Returns
    -------
    Prediction
        The question; as the last value of a cell it shows itself.

    Raises
    ------
    ValueError
        For an empty question, an answer that is not among the choices or not finite, and
        explanations of anything but wrong answers.

    Examples
    --------
    >>> from aucbook.explore import predict
    >>> predict("How many pairs do 4 ill and 5 well patients make?", 20, because="4 times 5")
    <predict: How many pairs do 4 ill and 5 well patients make?>
    """
    if not isinstance(question, str) or not question.strip() or not isinstance(because, str):
        raise ValueError(
            f"question and because must be text, and a question not empty, got {question!r} and "
            f"{because!r}"
        )
    wrong = {} if wrong is None else wrong
    if not isinstance(wrong, dict) or not all(
        isinstance(why, str) and why.strip() for why in wrong.values()
    ):
        raise ValueError(
            "wrong must be a dict of explanations, one for each wrong answer it names, got "
            f"{wrong!r}"
        )
    if isinstance(answer, (bool, np.bool_)) and choices is None:
        answer = "yes" if answer else "no"
        choices = ("yes", "no")
    if choices is not None:
        return _choice_question(question, answer, choices, because, wrong)
    return _number_question(question, answer, tolerance, because, wrong)


def _choice_question(question, answer, choices, because, wrong):
    """Return the question whose answer is one of the choices."""
    choices = [str(choice) for choice in choices]
    if not 2 <= len(set(choices)) == len(choices) <= 6:
        raise ValueError(f"choices must be two to six different answers, got {choices}")
    if str(answer) not in choices:
        raise ValueError(f"answer must be one of choices {choices}, got {answer!r}")
    if stray := [guess for guess in wrong if guess not in choices or guess == str(answer)]:
        raise ValueError(f"wrong explains {stray[0]!r}, which is not one of the wrong choices")
    data = {
        "choices": choices,
        "answer": choices.index(str(answer)),
        "why": [wrong.get(choice, "") for choice in choices],
    }
    return Prediction(question, str(answer), because, data, wrong.items())


def _number_question(question, answer, tolerance, because, wrong):
    """Return the question whose answer is a number."""
    if not _is_number(answer):
        raise ValueError(
            f"answer must be a finite number, a bool or one of choices, got {answer!r}"
        )
    if not isinstance(tolerance, Real) or not 0 < tolerance < float("inf"):
        raise ValueError(f"tolerance must be a positive number, got {tolerance!r}")
    is_integer = isinstance(answer, Integral)
    # .3 is within .1 of .2 in spite of rounding
    near = 0 if is_integer else float(tolerance) * (1 + 1e-9)
    if stray := [guess for guess in wrong if not _is_number(guess) or abs(guess - answer) <= near]:
        raise ValueError(
            f"wrong explains {stray[0]!r}, which is not a number away from the answer {answer!r}"
        )
    data = {
        "answer": int(answer) if is_integer else float(answer),
        "tolerance": near,
        "wrong": [[float(guess), why] for guess, why in wrong.items()],
    }

    def shown(number):
        return f"{number:.10g}" if is_integer else _shown(number, tolerance)

    explanations = [(shown(guess), why) for guess, why in wrong.items()]
    return Prediction(question, shown(answer), because, data, explanations)
