"""The widgets in JupyterLab and in a page without Python, by browser and by keyboard.

Skipped without JupyterLab, chromium, node and the packages of tests/browser/package.json.
"""

import json
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from serving import serve_notebooks

from aucbook import lab

pytestmark = pytest.mark.slow
BROWSER = Path(__file__).parents[1] / "browser"
DATA = """
import json
import numpy as np
rng = np.random.default_rng(0)
y = rng.random(20_000) < 0.2
scores = {"old": rng.normal(size=y.size) + y, "new": rng.normal(size=y.size) + 2 * y}
"""
ROC = f"""# roc
{DATA}
from aucbook import lab
w = lab.roc(y, scores)
w"""
VALUE = """# value
point = w.value
print(json.dumps([point.true_positives, point.false_positives, w.chosen("score")]))"""
BAD = """# bad
lab.roc([1, 1, 1], [1, 2, 3])"""
SLOW = """# slow
import time
from aucbook.lab.drawing import picture, slider
from aucbook.lab.widget import LabWidget

class Slow(LabWidget):
    is_slow = True

    def __init__(self):
        super().__init__()
        self.begin()

    def make_controls(self):
        return [slider("depth", "depth", [1, 2, 3])]

    def draw(self):
        for step in range(300 * (self.chosen("depth") == 2)):
            self.progress = step / 300
            time.sleep(0.1)
        return picture(f"depth {self.chosen('depth')}", sentence="Done.")

slow = Slow()
slow"""
ALIVE = """# alive
print(slow.chosen("depth"))"""


def operate(**job):
    """What tests/browser/widget.js saw."""
    missing = [name for name in ("chromium", "node") if not shutil.which(name)]
    if missing or not (BROWSER / "node_modules").is_dir():
        pytest.skip(f"not installed: {missing or 'npm ci --prefix tests/browser'}")
    done = subprocess.run(
        [shutil.which("node"), BROWSER / "widget.js"],
        input=json.dumps({"chromium": shutil.which("chromium"), **job}),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def data():
    names = {}
    exec(DATA, names)
    return names["y"], names["scores"]


@pytest.fixture(scope="module")
def notebook(root, tmp_path_factory):
    if not find_spec("jupyterlab"):
        pytest.skip("JupyterLab is not installed")
    folder = tmp_path_factory.mktemp("widgets")
    (folder / "nbs").mkdir()
    page = new_notebook(cells=[new_code_cell(s) for s in (ROC, VALUE, BAD, SLOW, ALIVE)])
    page.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(page, folder / "nbs/page.ipynb")
    with serve_notebooks(folder / "nbs", folder, root) as address:
        yield operate(url=f"{address}/lab/tree/page.ipynb")


def counts(sentence):
    """The two percentages of a sentence."""
    return [float(word) for word in sentence.replace("%", "").split() if word[0].isdigit()]


def test_the_notebook_runs(notebook):
    assert notebook["failed"] == [] and notebook["errors"] == []


def test_a_slider_answers_to_keys(notebook):
    sentences = [step["text"] for step in notebook["steps"]]
    assert sentences[0] != sentences[1] and sentences[0] == sentences[2]
    assert sentences[3].startswith("At this threshold 0.0 %")
    assert not notebook["moved"]  # the notebook would take the arrow keys for itself
    print("ms from a key to the answer:", [round(step["ms"], 1) for step in notebook["steps"]])


def test_the_kernel_has_what_the_slider_chose(notebook, data):
    y, scores = data
    widget = lab.roc(y, scores)
    assert json.loads(notebook["first"]) == [
        widget.value.true_positives,
        widget.value.false_positives,
        "old",
    ]
    widget.choose(threshold=widget.options("threshold")[1])
    point = widget.value
    assert json.loads(notebook["read"]) == [point.true_positives, point.false_positives, "old"]
    shown = counts(notebook["steps"][-1]["text"])
    rates = [point.true_positives / y.sum(), point.false_positives / (~y).sum()]
    assert shown[:2] == [round(100 * rate, 1) for rate in rates]


def test_another_score(notebook, data):
    assert notebook["chosen"]["heading"] == "ROC curve of new"
    assert json.loads(notebook["chosen"]["read"])[2] == "new"


def test_bad_data_say_what_is_wrong(notebook):
    assert notebook["bad"] == lab.roc([1, 1, 1], [1, 2, 3]).message != ""


def test_a_picture_can_be_interrupted(notebook):
    assert notebook["busy"] == "true"
    stopped = notebook["interrupted"]
    assert stopped["message"].startswith("Stopped.") and stopped["heading"] == "depth 1"
    assert notebook["after"] == {"heading": "depth 3", "busy": "false", "read": "3\n"}


def test_the_theme_of_jupyterlab(notebook):
    light, dark = notebook["papers"]
    assert light == "rgb(255, 255, 255)" and dark == "rgb(23, 28, 35)"
    assert notebook["problems"] == []


def test_a_kernel_that_ends(notebook):
    before, after, sentence = notebook["lost"]
    assert not before and after
    assert counts(sentence)  # what needs no Python still works


@pytest.fixture(scope="module")
def page(data, tmp_path_factory):
    """A page with one widget over two scores and one over one, and what the browser saw."""
    y, scores = data
    blocks = [lab.roc(y, scores), lab.roc(y, scores["old"])]
    path = tmp_path_factory.mktemp("page") / "page.html"
    head = "<!doctype html><html lang=en><meta charset=utf-8><title>t</title>"
    head += "<meta name=viewport content='width=device-width'><body><main><h1>t</h1>"
    path.write_text(head + "".join(block._repr_html_() for block in blocks), encoding="utf8")
    return operate(page=path.as_uri())


def test_sliders_work_without_python(page, data):
    y, scores = data
    thresholds = lab.roc(y, scores).options("threshold")
    shown = [counts(step["text"])[:2] for step in page["steps"]]
    for step, k in ((1, 1), (2, 2), (3, -1)):
        flagged = scores["old"] >= thresholds[k]
        rates = [100 * flagged[y].mean(), 100 * flagged[~y].mean()]
        assert np.abs(np.array(shown[step]) - rates).max() <= 0.051
    assert page["valuetext"] == f"{thresholds[-1]:.4g}"
    print("ms from a key to the answer:", [round(step["ms"], 1) for step in page["steps"]])


def test_a_choice_shows_the_stored_picture(page):
    assert page["start"]["heading"] == "ROC curve of old"
    assert page["swapped"] == "ROC curve of new" and "scores['new']" in page["script"]
    assert page["other"] == page["start"]["other"]  # two widgets of a page do not share state


def test_keyboard_and_pointer(page):
    assert page["tabs"][:2] == ["score", "threshold"]
    assert page["dragged"] not in {step["text"] for step in page["steps"]}


def test_accessible_narrow_and_dark(page):
    assert page["problems"] == [] and page["errors"] == []
    assert page["overflow"] <= 0
    assert page["papers"] == ["rgb(255, 255, 255)", "rgb(23, 28, 35)"]
