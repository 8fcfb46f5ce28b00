"""The notebooks as nbdev itself processes them: what `nbdev_proc_nbs` hands to Quarto, without fetching Quarto.

nbdev runs some cells again for its API cards: those that export, and every cell that holds an import, in an order of their own. A
cell that imports must therefore need nothing from a cell that does neither. Our own build runs no cell, so only this shows it.
"""

import subprocess
import sys

import pytest

pytest.importorskip("nbdev")
PROCESS = """
import sys, traceback
from pathlib import Path
from nbdev.config import get_config
from nbdev.doclinks import nbglob
from nbdev.processors import FilterDefaults
from nbdev.serve_drv import main

source, target = get_config().nbs_path, Path(sys.argv[1])
for path in nbglob(source, func=Path):
    processed = target / path.relative_to(source)
    processed.parent.mkdir(parents=True, exist_ok=True)
    try:
        main((path, processed, FilterDefaults))
    except Exception as error:
        why = f", for {error.__cause__!r}" if error.__cause__ else ""
        (target / "stopped").open("a").write(f"{path.relative_to(source)}: {error}{why}\\n")
"""


@pytest.fixture(scope="module")
def pages(root, request, bare, tmp_path_factory):
    "The folder of all pages as nbdev leaves them; `stopped` in it tells of those at which it stopped."
    request.getfixturevalue("processed")  # it writes nbdev's index of names, which this reads
    folder = tmp_path_factory.mktemp("nbdev")
    environment = bare(IPYTHONDIR=str(folder / "ipython"), PYTHONPATH=str(root), MPLBACKEND="agg")
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, str(folder / "pages")],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "pages"


def test_nbdev_stops_at_no_page(root, pages):
    stopped = pages / "stopped"
    assert not stopped.exists(), stopped.read_text(encoding="utf8")
    assert len(list(pages.rglob("*.ipynb"))) == len(list((root / "nbs").rglob("[!.]*.ipynb"))) > 100
