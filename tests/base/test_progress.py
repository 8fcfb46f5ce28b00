"""aucbook._base.progress: a widget in a notebook, a bar in a terminal, lines in a pipe, and no output by default."""

import io
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from aucbook._base import progress
from aucbook._base.progress import progress_bar

JOB = """
from aucbook._base.progress import progress_bar
with progress_bar(2000, "rounds", {verbose}) as bar:
    for k in range(2000):
        bar.update()
        bar.set_postfix_str(f"AUC {{k}}")
"""


def run(verbose, before="", after=""):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", before + JOB.format(verbose=verbose) + after],
        capture_output=True,
        text=True,
        check=True,
    )


def test_a_pipe_gets_plain_lines_on_the_standard_error():
    done = run(1)
    first, last = done.stderr.splitlines()  # not one for each of 2000 steps
    assert (
        first.startswith("rounds:   0%")
        and last.startswith("rounds: 100%")
        and "2000/2000" in last
        and "AUC 1999" in last
    )
    assert done.stdout == "" and "\r" not in done.stderr


def test_nothing_unless_asked_for():
    done = run(
        0, after="import sys; assert 'tqdm' not in sys.modules"
    )  # whose lock a killed worker leaves behind
    assert done.stdout == done.stderr == ""


def test_a_pause_between_lines_and_the_last_is_never_lost():
    class Clock:
        now = 0.0

        def monotonic(self):
            return self.now

    log, clock = io.StringIO(), Clock()
    lines, real = progress.PlainLines(log), progress.time
    progress.time = clock
    try:
        for k in range(100):
            clock.now = k / 4
            lines.write(f"\r{k}   ")
        lines.write(""), lines.write("\n"), lines.flush()
    finally:
        progress.time = real
    assert log.getvalue().split() == ["0", "40", "80", "99"]


def test_a_terminal_gets_a_bar(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar(3, "folds") as bar:
        bar.update(3)
    assert "\r" in screen.getvalue() and "folds: 100%" in screen.getvalue()


def test_a_notebook_gets_the_widget():
    pytest.importorskip("ipywidgets")  # comes with the extra "lab"
    cells = [
        nbformat.v4.new_code_cell(JOB.format(verbose=verbose).replace("2000", "20"))
        for verbose in (1, 0)
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    shown, hidden = (cell.outputs for cell in notebook.cells)
    assert [list(o.get("data", {})) for o in shown] == [
        ["text/plain", "application/vnd.jupyter.widget-view+json"]
    ] and hidden == []
