"""Whoever copies the visible code of a how-to page can run it: every name is defined in it."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]

PAGES = sorted([*(ROOT / "nbs/howto").glob("*.ipynb"), *(ROOT / "nbs/lab").glob("*.ipynb")])


def visible_code(page):
    """The code cells that a reader of the site sees, one after the other."""
    cells = nbformat.read(page, 4).cells
    return "\n".join(
        cell.source
        for cell in cells
        if cell.cell_type == "code" and not cell.source.startswith("#| hide")
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_visible_code_defines_its_names(page):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "-"],
        input=visible_code(page),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
