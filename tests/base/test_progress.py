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


def test_a_notebook_gets_a_widget_and_keeps_a_line():
    """A widget in a stored notebook is a broken picture; a run that is interrupted leaves its line too."""
    pytest.importorskip("ipywidgets")  # comes with the extra "lab"
    first, second = (JOB.format(verbose=verbose).replace("2000", "20") for verbose in (1, 0))
    running = "bar = progress_bar(4, 'folds')\nbar.__enter__().update(2)\nassert bar.n == 2\nbar.set_postfix_str('a', refresh=False)"
    broken = "try:\n    with bar:\n        1 / 0\nexcept ZeroDivisionError:\n    pass"
    open_bar = "bar = progress_bar(3, 'trees')\nbar.update()"
    codes = [first, second, running, broken, open_bar]
    cells = [nbformat.v4.new_code_cell(code) for code in codes]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    done, hidden, interrupted, nothing, shown = (cell.outputs for cell in notebook.cells)
    assert [list(output.data) for output in done] == [["text/plain"]]
    assert "rounds: 100%" in done[0].data["text/plain"] and "AUC 19" in done[0].data["text/plain"]
    assert "2/4" in interrupted[0].data["text/plain"] and len(interrupted[0].data) == 1
    assert hidden == nothing == []
    assert "application/vnd.jupyter.widget-view+json" in shown[0].data
