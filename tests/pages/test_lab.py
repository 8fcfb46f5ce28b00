"""A chapter in JupyterLab: run all cells, move an explorable's slider, answer a question, refit with a widget.

Skipped without JupyterLab, chromium, node and the packages of tests/browser/package.json.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

HERE = Path(__file__).parents[1] / "browser"
CHAPTER = "lessons/aucboost"  # it has all three: an explorable, questions, and a widget that refits
NEEDED = {
    "JupyterLab": lambda: (
        subprocess.run(
            [sys.executable, "-m", "jupyterlab", "--version"], capture_output=True
        ).returncode
        == 0
    ),
    "chromium": lambda: shutil.which("chromium"),
    "node": lambda: shutil.which("node"),
    "tests/browser/node_modules": (HERE / "node_modules").is_dir,
}


@pytest.fixture(scope="module")
def lab(root, tmp_path_factory):
    """JupyterLab's address; it serves a copy of the chapter and keeps its own settings in a folder of its own."""
    for name, there in NEEDED.items():
        if not there():
            pytest.skip(f"{name} is not installed")
    folder = tmp_path_factory.mktemp("lab")
    (folder / "nbs" / CHAPTER).parent.mkdir(parents=True)
    shutil.copy(root / f"nbs/{CHAPTER}.ipynb", folder / f"nbs/{CHAPTER}.ipynb")
    (folder / "nbs/results").mkdir()
    text = (root / f"nbs/{CHAPTER}.ipynb").read_text(encoding="utf8")
    for name in set(re.findall(r"\.\./results/([\w.-]+)", text)):
        # a stored measurement that the chapter reads
        shutil.copy(root / "nbs/results" / name, folder / "nbs/results")
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
    environment = {
        key: value
        for key, value in environment.items()
        if key not in ("AUCBOOK_DATA", "MPLBACKEND")
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder / 'nbs'}",
        "--IdentityProvider.token=",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(120):
            try:
                urlopen(f"http://127.0.0.1:{port}/api", timeout=5).close()
                break
            except (URLError, OSError):
                assert server.poll() is None, (folder / "log").read_text()
                time.sleep(0.25)
        yield f"http://127.0.0.1:{port}/lab/tree/{CHAPTER}.ipynb"
    finally:
        server.terminate()  # a clean shutdown: it ends the kernel too
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.fixture(scope="module")
def session(lab):
    job = {
        "chromium": shutil.which("chromium"),
        "url": lab,
        "guesses": ["0.02", "-1/3", "0", "1/3", "0.83"],
        "choice": "nothing",
    }
    done = subprocess.run(
        [shutil.which("node"), HERE / "lab.js"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_all_cells_run(session):
    code = [cell for cell in session["cells"] if cell["source"].strip()]
    assert len(code) > 20 and all(cell["count"] for cell in code)
    assert not [cell for cell in code if cell["errors"]] and not session["errors"]


def test_an_explorable_answers_to_keys(session):
    explorable = session["explorable"]
    assert (
        explorable["before"]
        and explorable["after"] != explorable["before"]
        and not explorable["moved"]
    )  # the notebook would take the arrow keys for itself


def test_questions_judge_a_guess(session):
    assert session["judged"] == ["Right."] * 6


def test_a_widget_refits(session):
    assert session["refitted"]
