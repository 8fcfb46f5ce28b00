"""The explorable of wrong labels: self-contained, and its counts are those of the formula."""

import re

from test_explore import SAY

from aucbook.explore import labels_explorer

SHOWN = ["attributes", ".who:not(.hidden)", "class"]


def test_block_is_self_contained():
    html = labels_explorer()._repr_html_()
    assert html == labels_explorer()._repr_html_() and len(html.encode()) < 60_000
    assert (
        "http" not in html and "import(" not in html and "url(" not in html and "\n\n" not in html
    )
    assert (
        html.count("<title>")
        == html.count("<desc>")
        == html.count("<svg") - html.count('aria-hidden="true"')
    )


def test_scripts_off_and_on_a_phone(drive):
    steps = [
        ["shown", ".ax-panels svg", None],
        ["shown", ".ax-controls", None],
        SAY,
        ["width", "body", None],
    ]
    picture, controls, said, width = drive(steps, labels_explorer(), scripts=False, width=390)
    assert picture and not controls and width <= 390
    assert (
        drive([SAY], labels_explorer())[0] == said
    )  # the script's first sentence is the static one


def test_the_script_draws_what_python_drew(drive):
    read = [
        ["attributes", ".who:not(.hidden)", "transform"],
        ["attributes", ".who:not(.hidden) > *", "class"],
    ]
    moves = [["press", "[name=sick]", "ArrowRight"], ["press", "[name=sick]", "ArrowLeft"]]
    assert drive(read, labels_explorer(), scripts=False) == drive(
        [*moves, *read], labels_explorer()
    )


def test_counts_are_the_formula_s(drive):
    steps = [["press", "[name=sick]", "Home"]]
    for _ in range(11):
        steps += [SAY, ["text", ".looks-sick"], SHOWN, ["attributes", ".mark.out", "class"]]
        steps += [
            ["attributes", ".who:not(.hidden)", "transform"],
            ["press", "[name=sick]", "ArrowRight"],
        ]
    seen = [step for step in drive(steps, labels_explorer()) if step is not None]
    for k in range(11):
        said, looks, shown, hollow, places = seen[5 * k : 5 * k + 5]
        sick = 10 * k
        want = round(100 * (0.1 + 0.8 * sick / 100))
        assert re.findall(r"\d+", said) == [str(v) for v in (100, sick, want, 9 * k, 10 - k)]
        assert (looks if isinstance(looks, str) else looks[0]) == f"marked sick: {want}"
        assert (
            len(shown) == 100
            and sum("pos-who" in one for one in shown) == sick
            and len(hollow) == 10
        )
        assert len(set(places)) == 100  # nobody stands on anybody
