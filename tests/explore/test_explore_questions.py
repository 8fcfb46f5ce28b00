"""Questions before an answer: small, readable without scripts, and in a browser a guess is checked against the computed answer."""

import re

import numpy as np
import pytest
from explorables import WIDTH

from aucbook import roc_auc
from aucbook.explore import predict

AUC = roc_auc([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])  # 5 of 6 pairs


def half():
    return predict(
        "AUC of a constant score `s`?",
        roc_auc([1, 0, 0], [1.0, 1.0, 1.0]),
        because="Every pair is a tie, < 1 & > 0.",
    )


def choice():
    return predict(
        "Which one?", "ties & all", choices=["none", "ties & all", "a < b"], because="So it is."
    )


@pytest.mark.parametrize("make", [half, choice, lambda: predict("Does it?", np.bool_(True))])
def test_block_is_small_and_self_contained(make):
    html = make()._repr_html_()
    assert html == make()._repr_html_()
    assert len(html.encode()) < 10_000
    assert "http" not in html
    assert "url(" not in html
    assert "\n\n" not in html
    assert html.count("</script>") == 1
    assert html.count("<details>") == 1
    assert "<form" not in html.partition("<script>")[0]
    assert repr(make()).startswith("<predict: ")


def visible(block):
    """The text of a question as a page without scripts shows it."""
    html = re.sub(r"<(style|script)>.*?</\1>", "", block._repr_html_(), flags=re.S)
    return re.sub("<[^>]+>", "", html)


def test_static_text_has_question_answer_and_reason():
    expected = "AUC of a constant score s?Answer0.5. Every pair is a tie, &lt; 1 &amp; &gt; 0."
    assert visible(half()) == expected
    assert "<code>s</code>" in half()._repr_html_()
    assert visible(choice()) == "Which one?Answerties &amp; all. So it is."
    assert visible(predict("Ten?", np.int64(10))).endswith("Answer10")
    assert visible(predict("So?", False)).endswith("Answerno")
    assert visible(predict("AUC?", AUC)).endswith("Answer0.833")
    assert visible(predict("AUC?", AUC, tolerance=0.1)).endswith("Answer0.8")
    assert visible(predict("0?", -1e-17)).endswith("Answer0")


def test_ids_follow_the_content():
    blocks = [*(predict("q", answer) for answer in (1, 2, 1.0, True)), choice(), half()]
    assert len({block.id for block in blocks}) == 6


@pytest.mark.parametrize(
    "call",
    [
        lambda: predict("", 1),
        lambda: predict(3, 1),
        lambda: predict("q", 1, because=None),
        lambda: predict("q", float("nan")),
        lambda: predict("q", "one"),
        lambda: predict("q", [1, 2]),
        lambda: predict("q", 1.0, tolerance=0),
        lambda: predict("q", 1.0, tolerance=float("nan")),
        lambda: predict("q", "c", choices=["a", "b"]),
        lambda: predict("q", "a", choices=["a"]),
        lambda: predict("q", "a", choices=["a", "a"]),
        lambda: predict("q", "a", choices=list("abcdefg")),
        lambda: predict("q", "a", choices=["a", "b"], wrong={"c": "c is not there"}),
        lambda: predict("q", "a", choices=["a", "b"], wrong={"a": "but it is right"}),
        lambda: predict("q", "a", choices=["a", "b"], wrong={"b": ""}),
        lambda: predict("q", "a", choices=["a", "b"], wrong=["b"]),
        lambda: predict("q", 1.0, wrong={1.001: "close enough to be right"}),
        lambda: predict("q", 1, wrong={"two": "not a number"}),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=".{15}"):
        call()


def halves():
    return predict("Half of one?", 0.5, wrong={2: "That is `1 / .5`.", 0.25: "A half of a half."})


def named():
    return predict(
        "Which?", "b", choices=["a", "b", "c"], wrong={"a": "It has no pair.", "c": "It has two."}
    )


def test_wrong_answers_are_explained_in_the_fold():
    assert visible(halves()) == "Half of one?Answer0.52: That is 1 / .5.0.25: A half of a half."
    assert "<code>1 / .5</code>" in halves().html
    assert "<li><i>c</i>: It has two.</li>" in named().html


# ---- in a browser, by keyboard
SENTENCE = ["text", ".predict-say"]
OPEN = ["attributes", "details", "open"]


def typed(text):
    """Select what is there, type over it, Enter."""
    return [["press", "input", key] for key in ["Control+a", "Delete", *text, "Enter"]] + [SENTENCE]


def test_typed_numbers_are_judged(drive):
    guesses = {
        "": "Type",
        "x": "Type",
        ".4": "Not quite: too low. Try again.",
        "1": "Not quite: too high. 2 guesses",
        "-.5": "Not quite: too low",
        "1/4": "Not quite: too low",
        ".506": "Not quite: too high",
        ".5": "Right.",
        "0,5": "Right.",
        "1/2": "Right.",
        "50%": "Right.",
        "5e-1": "Right.",
        ".505": "Right.",
    }
    steps = [step for guess in guesses for step in typed(guess)]
    for sentence, expected in zip(drive(steps, half()), guesses.values(), strict=True):
        assert sentence.startswith(expected), sentence


def test_a_right_answer_opens_the_reason(drive):
    before, wrong, still, right, after = drive(
        [OPEN, *typed("1"), OPEN, *typed(".5"), OPEN], half()
    )
    assert before == still == [None]
    assert wrong == "Not quite: too high. Try again."
    assert right == "Right."
    assert after == [""]


def test_whole_numbers_are_exact(drive):
    sentences = drive([*typed("9"), *typed("10.001"), *typed("10")], predict("Ten?", 10))
    assert [sentence == "Right." for sentence in sentences] == [False, False, True]


def test_buttons_by_keyboard_and_mouse(drive):
    steps = [["press", "button >> nth=0", "Enter"], SENTENCE]
    steps += [["click", "button >> nth=2"], SENTENCE]
    steps += [["press", "button >> nth=1", "Space"], SENTENCE]
    steps += [["attributes", "button", "aria-pressed"], OPEN]
    assert drive(steps, choice()) == [
        "Not quite. Try again.",
        "Not quite. 2 guesses so far; the answer is folded below.",
        "Right.",
        ["false", "true", "false"],
        [""],
    ]


def test_many_on_one_phone_page(drive):
    steps = [["press", "button >> nth=-1", "Enter"], ["texts", ".predict-say"], WIDTH]
    blocks = [half(), choice(), choice(), predict("Does it?", True)]
    sentences, width = drive(steps, *blocks, width=390)
    assert sentences == ["", "", "", "Not quite. Try again."]
    assert width <= 390


def test_without_scripts_question_and_fold(drive):
    steps = [["shown", ".predict-question"], ["shown", "form"]]
    steps += [["click", "summary"], ["shown", "details p"]]
    question, form, answer = drive(steps, half(), scripts=False)
    assert question
    assert not form
    assert answer


def test_an_expected_wrong_answer_is_explained(drive):
    sentences = drive([*typed("2"), *typed("1/4"), *typed(".3"), *typed(".5")], halves())
    assert sentences == [
        "Not quite: too high. That is 1 / .5. Try again.",
        "Not quite: too low. A half of a half. 2 guesses so far; the answer is folded below.",
        "Not quite: too low. 3 guesses so far; the answer is folded below.",
        "Right.",
    ]
    steps = [step for nth in (2, 1) for step in (["click", f"button >> nth={nth}"], SENTENCE)]
    assert drive(steps, named()) == ["Not quite. It has two. Try again.", "Right."]
