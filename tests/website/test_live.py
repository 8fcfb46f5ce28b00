"""Live cells: what they print in the page's Python is what CPython prints, and what is stored; the page around them.

The page's Python runs under node, once for all pages, with the text of the worker that the site carries. The browser test
opens a small page from disk. Each skips where node, chromium or the npm packages are missing.
"""

import ast
import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import live_page
import nbformat
import pytest
from browsing import run

pytest.importorskip("pypandoc")
ROOT = Path(__file__).parents[2]
from test_site import tiny  # noqa: E402

from website.live import cells, scripts  # noqa: E402
from website.project import BuildError  # noqa: E402

BROWSER = Path(__file__).parents[1] / "browser"
PAGES = {
    path.relative_to(ROOT / "nbs").with_suffix("").as_posix(): nbformat.read(path, 4)
    for path in sorted((ROOT / "nbs").rglob("*.ipynb"))
    if ".ipynb_checkpoints" not in path.parts
}
PAGES["the page of these tests"] = {
    "cells": [
        {"cell_type": "markdown", "source": made} if isinstance(made, str) else made
        for made in live_page.CELLS
    ]
}
LIVE = {name: live for name, page in PAGES.items() if (live := cells.live_cells(page))}
each_page = pytest.mark.parametrize("name", LIVE)


def steps(name):
    """What the page asks of Python, from top to bottom: the live cells with their checkers, then each solution with its checker."""
    alive = [one for one in LIVE[name].values() if one]
    plain = [
        {"source": one.code, "name": f"cell {one.number}", "fresh": one.number == 1}
        for one in alive
    ]
    requests = [
        {**step, "check": one.as_data().get("check"), "cell": one.number}
        for step, one in zip(plain, alive, strict=True)
    ]
    for one in alive:
        if one.solution:
            requests += plain[: one.number - 1]
            requests.append(
                {
                    **plain[one.number - 1],
                    "source": one.solution,
                    "check": one.as_data()["check"],
                    "solves": one.number,
                }
            )
    return requests


def run_python(source, page):
    """What Jupyter shows of a cell: what it prints, and the value it ends in."""
    tree, printed = ast.parse(source), io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), page)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), page) if last else None
    return printed.getvalue() + ("" if value is None else f"{value!r}\n")


def python_answers(requests):
    """[what the cell shows, what its checker says] of each step, in CPython."""
    shown, page = [], {}
    for step in requests:
        if step["fresh"]:
            page = {"__name__": "__main__"}
        text = run_python(step["source"], page)
        shown.append(
            [text, run_python(step["check"]["code"], dict(page)) if step.get("check") else None]
        )
    return shown


def node(runtime, requests):
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    done = subprocess.run(
        ["node", BROWSER / "cells.js"],
        input=json.dumps({"runtime": str(runtime), "steps": requests}),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    """live-runtime.js."""
    if not scripts.available():
        pytest.skip(scripts.MISSING)
    path = tmp_path_factory.mktemp("runtime") / "live-runtime.js"
    path.write_text(scripts.runtime(), encoding="utf8")
    return path


@pytest.fixture(scope="module")
def answers(runtime):
    """{page: [{text, done}, …]} of the page's Python, in one go."""
    requests = {name: steps(name) for name in LIVE}
    replies = iter(node(runtime, [step for page in requests.values() for step in page]))
    return {name: [next(replies) for _ in page] for name, page in requests.items()}


# ---------------------------------------------------------------- every live cell of every page
@each_page
def test_the_page_prints_what_python_prints(name, answers):
    for step, reply, (text, expected) in zip(
        steps(name), answers[name], python_answers(steps(name)), strict=True
    ):
        assert "error" not in reply["done"], (
            f"{step['source'][:300]}\n\n{reply['done']['error']['trace'][:600]}"
        )
        assert reply["text"] == text, (
            f"MicroPython differs (a dict's order? a format?):\n{step['source'][:300]}"
        )
        if expected is not None:
            check = reply["done"]["check"]
            assert check == {"said": expected}, (
                f"the checker differs:\n{step['check']['code'][:300]}\n{check}"
            )


@each_page
def test_what_is_stored_is_what_the_page_prints(name, answers):
    """A live cell uses nothing but live cells above it: run without all others it shows what the notebook stores."""
    stored = [
        "".join(
            "".join(output.get("text") or output.get("data", {}).get("text/plain", "") + "\n")
            for output in PAGES[name]["cells"][i].get("outputs", [])
        )
        for i, one in LIVE[name].items()
        if one
    ]
    shown = [
        reply["text"]
        for step, reply in zip(steps(name), answers[name], strict=True)
        if step.get("cell")
    ]
    assert shown == stored


@each_page
def test_solutions_pass(name, answers):
    for step, reply in zip(steps(name), answers[name], strict=True):
        if "solves" in step:
            verdict = reply["done"]["check"]["said"]
            assert verdict.startswith("all right"), f"cell {step['solves']}: {verdict}"
        elif step.get("check"):
            verdict = reply["done"]["check"]["said"]
            assert not verdict.startswith("all right"), (
                f"cell {step['cell']} is solved before the reader has done anything"
            )


@each_page
def test_live_cells_fit_a_telephone(name):
    for one in filter(None, LIVE[name].values()):
        wide = [line for line in one.code.splitlines() if len(line) > live_page.WIDEST]
        assert not wide, f"more than {live_page.WIDEST} columns: {wide}"


# ---------------------------------------------------------------- bad input, without a browser
BAD = [
    ("1 / 0", "ZeroDivisionError", "line 1"),
    ("x = 1\n\ny = x +\n", "SyntaxError", "line 3"),
    ("def f(n):\n    return f(n + 1)\n\nf(0)", "RuntimeError", "maximum recursion"),
    ("big = []\nwhile True:\n    big.append([0] * 999999)", "MemoryError", "line 3"),
    ("[0] * 10**9", "MemoryError", "line 1"),
    ("import numpy", "ImportError", "numpy"),
    ("raise SystemExit", "SystemExit", "line 1"),
    ("undefined", "NameError", "undefined"),
]


def test_errors_are_reported_and_python_goes_on(runtime):
    requests = []
    for source, _, _ in BAD:
        requests += [
            {"source": source, "name": "cell 1", "fresh": True},
            {"source": "print(6 * 7)", "name": "cell 2", "fresh": True},
        ]
    replies = node(runtime, requests)
    for (source, kind, where), bad, after in zip(BAD, replies[::2], replies[1::2], strict=True):
        assert bad["done"]["error"]["type"] == kind and where in bad["done"]["error"]["trace"], (
            source,
            bad,
        )
        assert after["text"] == "42\n" and "error" not in after["done"], (source, after)


HABITS = """
from bisect import bisect, bisect_left, bisect_right, insort
from itertools import accumulate, chain, combinations, permutations, product
from math import comb, dist, exp, floor, inf, perm, pi, prod
from statistics import mean, median, pstdev, pvariance, stdev, variance
import itertools, math, statistics

print([comb(n, k) for n in range(7) for k in range(8)], comb(40, 20), perm(5), perm(5, 2), perm(2, 3), prod([2, 3, 4], start=5))
print(list(product("ab", range(2))), list(product([0, 1], repeat=3)), list(product()), list(itertools.product([], [1])))
print(list(combinations("abcd", 2)), list(combinations([1], 2)), list(combinations([1, 1], 0)), len(list(permutations(range(4), 2))))
print(list(permutations([3, 1, 2])), list(accumulate([1, 2, 3])), list(accumulate([])), list(chain("ab", [1])))
a = [1, 2, 2, 5]
print([(bisect_left(a, x), bisect_right(a, x), bisect(a, x)) for x in (0, 1, 2, 3, 9)])
insort(a, 2)
print(a, mean([1, 2, 4]), median([5, 1, 2]), median([4, 1, 2, 3]), round(stdev([1, 2, 4]), 9), round(pstdev([1, 2, 4]), 9))
print(round(variance([1.5, 2.5, 2.75]), 9), round(pvariance([0.0, 0.25, 1.25]), 9), round(dist((1, 2), (4, 6)), 9))
print(math.floor(2.7), floor(exp(1)), round(math.pi - pi, 3), math.inf == inf, math.comb(5, 2), statistics.mean([2, 4]))
"""


def test_habits_of_python_work_in_the_page(runtime):
    """MicroPython lacks these names; ours (website/live/browser/modules.py) print what Python prints."""
    python = subprocess.run(
        [sys.executable, "-c", HABITS], capture_output=True, text=True, check=True
    ).stdout
    (reply,) = node(runtime, [{"source": HABITS, "name": "cell 1", "fresh": True}])
    assert "error" not in reply["done"] and [*map(shown, reply["text"].split("\n"))] == [
        *map(shown, python.split("\n"))
    ]


def shown(line):
    """Whole numbers that Python's statistics leave whole: mean([2, 4]) is 3."""
    return re.sub(r"(?<![\d.])(\d+)\.0(?!\d)", r"\1", line)


def test_output_has_an_end(runtime):
    (reply,) = node(
        runtime,
        [
            {
                "source": "for i in range(30000):\n    print('ä' * 40)",
                "name": "cell 1",
                "fresh": True,
            }
        ],
    )
    assert reply["text"].endswith("…") and 5000 < len(reply["text"]) < 20100


CHECK = {
    "code": "print('all right' if sum(double(v) for v in data) == 6 else 'no')",
    "needs": ["data", "double"],
    "own": ["double"],
}
GIVEN = {"source": "data = [1, 2]", "name": "cell 1", "fresh": True}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def double(v): return 2 * v", {"said": "all right\n"}),
        ("def double(v): return v", {"said": "no\n"}),
        (
            "def double(v):\n    print(v)\n    return 2 * v",
            {"said": "all right\n"},
        ),  # what is checked may print
        (
            "sum = print = 3\ndef double(v): return 2 * v",
            {"said": "all right\n"},
        ),  # a builtin hidden
        ("def twice(v): return 2 * v", {"missing": ["double"], "changed": []}),
        ("def double(v): return 2 * v\ndata.append(3)", {"missing": [], "changed": ["data"]}),
        ("def double(v): return 2 * v\ndel data", {"missing": [], "changed": ["data"]}),
        ("def double(v): return 2 * v\ndata = 'x'", {"missing": [], "changed": ["data"]}),
    ],
)
def test_checkers_and_what_readers_do_to_them(runtime, source, expected):
    reply = node(
        runtime, [GIVEN, {"source": source, "name": "cell 2", "fresh": False, "check": CHECK}]
    )[1]
    assert reply["done"]["check"] == expected and reply["text"] == ""


def test_a_checker_that_stops_says_where(runtime):
    reply = node(
        runtime,
        [
            GIVEN,
            {
                "source": "def double(v):\n    return v[0]",
                "name": "cell 2",
                "fresh": False,
                "check": CHECK,
            },
        ],
    )[1]
    assert re.search(r'"cell 2", line 2', reply["done"]["check"]["error"]["trace"])


# ---------------------------------------------------------------- the page
def test_markup(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(scripts, "available", lambda: False)
    out = tiny(tmp_path, *live_page.CELLS)
    html = (out / "lessons/pruning.html").read_text()
    assert scripts.MISSING in capsys.readouterr().err and 'class="lifeless"' in html
    assert (
        "live.js" not in html and not (out / "live.js").exists() and 'class="cell live"' not in html
    )
    assert html.count("<pre") >= 6 and "AUC 0.778" in html  # code and stored outputs
    assert "all right" not in html and "not 1" not in html  # the checker and its output


def test_markup_with_packages(built):
    html = (built / "lessons/pruning.html").read_text()
    assert (
        re.findall(r'id="live-(\d)" class="cell live"|class="cell live" id="live-(\d)"', html)
        and html.count("application/json") == 3
    )
    assert "lifeless" not in html and 'src="../live.js" defer' in html and "AUC 0.778" in html
    first = json.loads(re.search(r'<script type="application/json">(.*?)</script>', html)[1])
    assert first == {}  # its code stands in the page, and it has no checker
    assert (
        "live.js" not in (built / "index.html").read_text()
    )  # only where there is something to run
    assert (built / "live.js").stat().st_size < 400_000 and (
        built / "live-runtime.js"
    ).stat().st_size < 800_000
    assert (
        "MicroPython" in (built / "live-licenses.txt").read_text()
        and "CodeMirror" in (built / "live-licenses.txt").read_text()
    )


def test_what_checkers_need():
    one = cells.LiveCell(
        1,
        "import math\nn = 3\ndef f(a): return a",
        "limit = 4\nfor i in range(limit):\n    print([f(v) for v in data], n, (lambda q: q)(i))\n"
        "try:\n    f(0)\nexcept ValueError as error:\n    print(error)",
    )
    assert one.as_data()["check"] | {"code": ""} == {
        "code": "",
        "needs": ["data", "f", "n"],
        "own": ["f", "n"],
    }


@pytest.mark.parametrize(
    "source",
    [
        ["#| live-check: true\nprint(1)"],
        ["#| live: true\n#| echo: false\nx"],
        ["#| live: true\nx = ("],
        ["#| live: true\nx", "#| live-check: true\nx", "#| live-check: true\nx"],
    ],
)
def test_bad_pages_stop_the_build(tmp_path, source):
    with pytest.raises(BuildError):
        tiny(tmp_path, *map(live_page.cell, source))


def test_a_changed_loader_stops_the_build():
    with pytest.raises(BuildError, match="loader has changed"):
        scripts.classic("export default something;")


def test_nbdev_keeps_options_with_a_value():
    """Nbdev drops what has none: ours are written as Quarto's, and one without a value stops the build."""
    from execnb.nbio import dict2nb
    from nbdev.process import NBProcessor

    from website.content.notebooks import check_options

    bare = live_page.cell("#| live-check\nx = 1")
    made = [
        live_page.cell("#| live-check: true\n#| echo: false\nx = 1"),
        live_page.cell("#| hide_line\ny = 1"),
    ]

    def processed(cells):
        notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        processor = NBProcessor(nb=dict2nb(notebook), procs=[check_options])
        processor.process()
        return [one.source for one in processor.nb.cells]

    assert processed(made) == ["#| live-check: true\n#| echo: false\nx = 1", "y = 1"]
    with pytest.raises(BuildError, match=r"write `#\| live-check: true`"):
        processed([bare])


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A tiny site with live cells in a lesson."""
    if not scripts.available():
        pytest.skip(scripts.MISSING)
    return tiny(tmp_path_factory.mktemp("live"), *live_page.CELLS)


# ---------------------------------------------------------------- a reader, in Chromium, from disk, the network off
@pytest.fixture(scope="module")
def visit(built):
    """What tests/browser/live.js saw."""
    return run(built, [], "live.js", page=str(built / "lessons/pruning.html"))


VALUES = "0.777778 | α ≤ β\n(True, [125, 64, 27, 8, 1, 0])"


def test_nothing_from_a_network_and_python_only_at_the_first_run(visit):
    assert visit["log"] == [] and all(re.match(r"(file|blob):", url) for url in visit["requests"])
    assert visit["before"] | {"axe": []} == {
        "loaded": 0,
        "output": VALUES,
        "axe": [],
        "editors": 3,
        "hidden": 0,
    }
    assert visit["later"]["loaded"] == 1 and visit["keys"]["lazy"] == 0


def test_cells_above_run_first_and_silently(visit):
    assert visit["later"]["output"].strip() == visit["again"]["output"].strip() == VALUES
    assert visit["above"] == "AUC 0.778"
    assert visit["reversed"].startswith("0.222222")  # the reader's version of them


def test_by_keyboard_alone(visit):
    keys = visit["keys"]
    assert (
        keys["first"].startswith("cm-content") and keys["stays"] == keys["first"]
    )  # Ctrl-Enter stays in the code
    assert keys["typed"] == visit["original"] + "\nfor i in range(2):\n    print('k', i)"
    assert keys["output"].split("\n")[:3] == ["AUC 0.778", "k 0", "k 1"]
    assert keys["left"] == "live-run live-1" and keys["next"] == "live-reset live-1"


def test_text_is_kept_and_can_be_had_back(visit):
    keys = visit["keys"]
    assert keys["kept"] and keys["reset"] == [visit["original"], "AUC 0.778"]
    assert keys["undone"] and keys["clean"] == visit["original"]


def test_pictures_can_listen(visit):
    assert visit["heard"]["ok"] and visit["heard"]["id"] == "live-2"
    assert (
        visit["heard"]["value"] == [True, [125, 64, 27, 8, 1, 0]]
        and visit["heard"]["text"].strip() == VALUES
    )


def test_a_cell_that_ends_in_a_curve_is_drawn(visit):
    """Points from left to right, one curve or a few; in one picture, whose frame begins at zero and ends at one for shares."""
    assert visit["pictures"] == [
        ["38.0,198.0 38.0,8.0 288.0,8.0"],
        ["38.0,198.0 163.0,8.0 288.0,8.0", "38.0,198.0 163.0,103.0 288.0,8.0"],
        [],  # it goes back
        [],
        [],  # two points are no curve
        [],  # nor is an error
    ]
    description, text, problems = visit["picture"]
    assert (
        description == "What the cell ends in: a line through 3 points from (0,0) to (2,1)"
        and problems == []
    )
    assert text.startswith("two\n[(0, 0), (0, 1), (2, 1)]")


@pytest.mark.parametrize(
    ("case", "message", "line"),
    [
        ("error", r"so far\s+Line 5: ZeroDivisionError", "a / b"),
        ("syntax", r"Line 1: SyntaxError: .* colon", "for i in range(3)"),
        ("inside", r"Line 1: ZeroDivisionError: .*\(in line 11 of cell 1\)", "auc([1], [1])"),
        ("recursion", r"Line 2: A function called itself too often", "    return f(n + 1)"),
        ("allocation", r"Line 3: The memory is used up", "    big.append([0] * 999999)"),
        ("module", r"Line 1: .* no numpy to import", "import numpy as np"),
        ("endless", r"begun\s+Stopped after 2 seconds", None),
    ],
)
def test_errors_are_shown(visit, case, message, line):
    assert re.match(message, visit[case]["said"]), visit[case]["said"]
    assert visit[case]["wrong"] == ([line] if line else []) and visit[case]["kept"]


def test_the_page_lives_on(visit):
    assert visit["unmarked"] == []  # the mark goes when the reader mends
    assert visit["endless"]["after"]["said"].strip() == "6"  # with the variables of cells above
    assert visit["halted"].startswith("Stopped. Your code is kept")
    length, end = visit["megabyte"]["said"]
    assert length < 20200 and "the first 20,000 characters" in end and visit["megabyte"]["kept"]


def test_exercises_answer_back(visit):
    exercise = visit["exercise"]
    assert exercise["first"].startswith("Cell 2 above stops as you have changed it")
    assert exercise["first"].endswith("swaps([2, 1]) gives 0, not 1") and exercise[
        "style"
    ].endswith("fails")
    assert exercise["wrong"]["said"] == "swaps([3, 2, 1]) gives 2, not 3"
    assert (
        "looks for swaps" in exercise["missing"]["said"]
        and "your cell changes scores" in exercise["changed"]["said"]
    )
    assert "Line 2: IndexError" in exercise["stops"]["said"] and exercise["stops"]["wrong"] == [
        "    return order[7]"
    ]
    assert exercise["right"]["said"] == "✓ all right" and exercise["passes"].endswith("passes")


def test_for_everyone(visit):
    assert visit["before"]["axe"] == visit["axe"] == visit["phone"]["axe"] == []
    assert visit["still"] == {
        "text": visit["original"] + "\nAUC 0.778",
        "buttons": 0,
    }  # without scripts


def test_each_line_has_its_number_beside_it(visit):
    numbers = visit["numbers"]
    assert (
        len(numbers["first"]) == 3 and numbers["more"] != numbers["first"][0]
    )  # two lines were written
    for cell in [*numbers["first"], numbers["more"]]:
        assert cell == [[i + 1, "0px"] for i in range(len(cell))]
    assert visit["phone"]["numbers"] == 0  # the screen is too narrow


def test_on_a_telephone(visit):
    phone = visit["phone"]
    assert phone["theme"] == "dark" and not phone["wider"] and phone["output"].strip() == VALUES
    assert (
        phone["columns"] == live_page.WIDEST and phone["wrapped"] < 1.1
    )  # the widest line allowed is on one line
