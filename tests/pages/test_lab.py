"""The pages in a real JupyterLab, opened as `aucbook lab` opens them: read, run, moved, interrupted, reopened.

Skipped without JupyterLab, chromium, node and the packages of tests/browser/package.json.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from aucbook.lab.edition import page_for_lab, read_book

BROWSER = Path(__file__).parents[1] / "browser"
READ = ["index", "lessons/roc", "lessons/forest", "lessons/display", "lessons/quiz_core"]
RUN = ["lessons/roc", "lessons/quiz_core"]
# the first lines of folded code and output, which JupyterLab shows
HARMLESS = re.compile(r"# (Question|Checker|Solution|Folded|A widget)|The output is folded")
NEEDED = {
    "JupyterLab": lambda: (
        subprocess.run(
            [sys.executable, "-m", "jupyterlab", "--version"], capture_output=True
        ).returncode
        == 0
    ),
    "chromium": lambda: shutil.which("chromium"),
    "node": lambda: shutil.which("node"),
    "tests/browser/node_modules": (BROWSER / "node_modules").is_dir,
}
LONG = """model = TreeRankForest(100_000, max_depth=10, random_state=0)
model.fit(*make_gauss2d(2000, random_state=0))
print("some trees are kept:", 0 < len(model.trees_) < 100_000)"""
BAR = """from aucbook._base.progress import progress_bar
with progress_bar(3, "folds") as bar:
    for _ in range(3):
        bar.update()"""


def own_pages(folder):
    """Two pages of the tests: a refit that takes long, and a progress bar."""

    def write(name, *cells):
        kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
        page = new_notebook(cells=list(cells), metadata={"kernelspec": kernel})
        nbformat.write(page, folder / f"{name}.ipynb")

    imports = (
        "from aucbook import TreeRankForest\nfrom aucbook.theory import make_gauss2d\n"
        "_ = TreeRankForest(2, max_depth=10).fit(*make_gauss2d(2000))  # compiled"
    )
    write("long", new_code_cell(imports), new_code_cell(LONG), new_code_cell("'alive'"))
    write("bar", new_markdown_cell("# A bar"), new_code_cell(BAR))


@pytest.fixture(scope="module")
def server(root, tmp_path_factory):
    """JupyterLab's address, started by `aucbook lab`; its settings and signatures have a folder of their own."""
    for name, there in NEEDED.items():
        if not there():
            pytest.skip(f"{name} is not installed")
    folder = tmp_path_factory.mktemp("lab")
    settings = folder / "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    # all cells are drawn, so that a test can look at each
    settings.write_text('{"windowingMode": "none"}')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "PYTHONPATH": str(root),
    }
    for name in ("AUCBOOK_DATA", "MPLBACKEND"):
        environment.pop(name, None)
    pages = folder / "notebooks"
    pages.mkdir()
    own_pages(pages)
    command = [sys.executable, "-m", "aucbook", "lab", str(pages), "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"]
    command += ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    command += ["--LabApp.news_url=None"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with (folder / "log").open("w") as log:
        lab = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(480):  # all pages are copied first
            try:
                urlopen(f"http://127.0.0.1:{port}/api", timeout=5).close()
                break
            except (URLError, OSError):
                assert lab.poll() is None, (folder / "log").read_text()
                time.sleep(0.25)
        yield f"http://127.0.0.1:{port}"
    finally:
        lab.send_signal(signal.SIGTERM)  # a clean shutdown: it ends JupyterLab and the kernels
        try:
            lab.wait(20)
        except subprocess.TimeoutExpired:
            lab.kill()


@pytest.fixture(scope="module")
def visit(server):
    """visit(scenario, page, **more): what a scenario of tests/browser/lab.js saw."""

    def visit(scenario, page, **more):
        job = {"chromium": shutil.which("chromium"), "address": server, "scenario": scenario}
        if shots := os.environ.get("AUCBOOK_SHOTS"):
            job["shot"] = f"{shots}/lab-{scenario}-{page.replace('/', '-')}.png"
        done = subprocess.run(
            [shutil.which("node"), BROWSER / "lab.js"],
            input=json.dumps({**job, "page": page, **more}),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        visited = json.loads(done.stdout)
        assert visited["errors"] == [] and visited["elsewhere"] == []
        return visited

    return visit


def texts(outputs):
    """What outputs print or show as text; without the sentence above a folded one."""
    shown = []
    for output in outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        text = "".join(text)
        if not HARMLESS.match(text):
            shown.append(text)
    return "".join(shown)


def printed(cell, name):
    return "".join(
        "".join(o["text"]) for o in cell["outputs"] if o.get("name") == name and "text" in o
    )


# ---- read, without running anything
@pytest.fixture(scope="module", params=READ)
def read(request, visit):
    return visit("read", request.param)


def test_every_picture_is_there_before_anything_runs(read):
    drawn = [
        output
        for cell in read["cells"]
        for output in cell["outputs"]
        if not cell["outputHidden"] and "image/svg+xml" in output.get("data", {})
    ]
    assert all(cell["trusted"] for cell in read["cells"])
    visited = read["unfolded"]  # with the pictures of folded sections
    assert visited["broken"] == 0 and len(visited["pictures"]) == len(drawn)
    assert all(min(size) > 50 for size in visited["pictures"])


def test_nothing_is_marked_as_unsaved(read):
    assert not read["unsaved"]


def test_no_answer_and_no_markup_is_on_screen(read):
    for cell in read["cells"]:
        shows_answer = re.search(r"(?<![.\w])predict\(|live-check", cell["source"])
        assert cell["sourceHidden"] or not shows_answer, cell["source"][:200]
        if shows_answer or cell["outputHidden"]:
            assert all(HARMLESS.match(line) for line in cell["folded"]), cell["folded"]
    assert not re.search(r":::|\{#|\{\.|#\| |because=", read["text"])


def test_pictures_and_folded_sections_of_a_lesson(root, visit):
    visited = visit("read", "lessons/forest")
    page = page_for_lab("lessons/forest.ipynb", read_book(root / "nbs"), with_png=False)
    folded = page.metadata["colab"]["collapsed_sections"]
    assert visited["pictures"] and visited["hiddenSections"] == len(folded) > 3
    assert "The mean of twenty trees" in visited["text"]


# ---- Run All
@pytest.mark.parametrize("page", RUN)
def test_all_cells_run_and_show_what_was_stored(visit, page):
    visited = visit("run", page)
    for before, cell in zip(visited["before"], visited["cells"], strict=True):
        assert cell["count"] and not cell["errors"], cell["source"]
        assert not printed(cell, "stderr"), cell["source"]
        assert texts(cell["outputs"]) == texts(before["outputs"]), cell["source"]
        assert not cell["outputHidden"], cell["source"]
    assert visited["broken"] == 0
    drawn = [
        o
        for cell in visited["cells"]
        for o in cell["outputs"]
        if "image/svg+xml" in o.get("data", {})
    ]
    assert len(visited["pictures"]) == len(drawn)


# ---- widgets and the kernel
def test_a_slider_tells_the_kernel(visit):
    """The range slider of a lesson: moved by keyboard, its value is read in Python."""
    value = (
        "next(o for o in reversed(list(Out.values())) if hasattr(o, 'children')).children[0].value"
    )
    visited = visit("slide", "lessons/display", value=value, keys=["ArrowRight"] * 4)
    assert not [cell for cell in visited["cells"] if cell["errors"] or printed(cell, "stderr")]
    before, after = (
        [float(v) for v in visited[when].strip("()").split(",")] for when in ("before", "after")
    )
    assert before == [0.02, 0.1] and after == pytest.approx([0.04, 0.1])
    assert visited["shown"].startswith("0.040")


def test_an_interrupted_fit_keeps_its_trees_and_the_page_alive(visit):
    imports, fit, after = visit("interrupt", "long", long=1, wait=4000)["cells"]
    assert not imports["errors"] and not fit["errors"]
    assert "interrupted: the first" in printed(fit, "stderr")
    assert printed(fit, "stdout") == "some trees are kept: True\n"
    assert texts(after["outputs"]) == "'alive'"


def test_a_finished_bar_is_whole_on_reopening(visit):
    visited = visit("reopen", "bar")
    assert visited["broken"] == 0 and not visited["unsaved"]
    assert "folds: 100%" in visited["text"] and "3/3" in visited["text"]
    assert "Error displaying widget" not in visited["text"]


# ---- a chapter that has all three: an explorable, questions, and a widget that refits
@pytest.fixture(scope="module")
def played(visit):
    guesses = ["-1/3", "0", "1/3", "0.83"]
    return visit("play", "lessons/aucboost", guesses=guesses, choice="nothing")


def test_all_cells_run(played):
    code = [cell for cell in played["cells"] if cell["source"].strip()]
    assert len(code) > 20 and all(cell["count"] for cell in code)
    assert not [cell for cell in code if cell["errors"]]


def test_an_explorable_answers_to_keys(played):
    explorable = played["explorable"]
    assert (
        explorable["before"]
        and explorable["after"] != explorable["before"]
        and not explorable["moved"]
    )  # the notebook would take the arrow keys for itself


def test_questions_judge_a_guess(played):
    assert played["judged"] == ["Right."] * 5


def test_a_widget_refits(played):
    assert played["refitted"]
