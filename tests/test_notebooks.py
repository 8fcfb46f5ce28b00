"""Every chapter runs from top to bottom in a real kernel, and gives what its page shows.

A notebook is executed once; the tests below look at that one run. The site shows stored outputs, so a stale one is a false claim.
"""
import base64
import copy
import io
import json
import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
from matplotlib.image import imread
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "nbs").glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("name", NOTEBOOKS)


def stored(name):
    return nbformat.read(ROOT / f"nbs/{name}.ipynb", 4)


@lru_cache(None)
def executed(name):
    notebook = copy.deepcopy(stored(name))
    before = {key: os.environ.pop(key, None) for key in ("AUCBOOK_DATA", "MPLBACKEND")}    # pages are stored without extra data
    try:
        NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(ROOT / "nbs")}}).execute()
    except Exception as error:      # kept, so that each test of this notebook says the same
        return error
    finally:
        os.environ.update({key: value for key, value in before.items() if value is not None})
    return notebook


@each_notebook
def test_runs(name):
    result = executed(name)
    if isinstance(result, Exception):
        raise result


def texts(cell):
    "The text of a cell's outputs, as nbdev_clean would store it (memory addresses removed); warnings on stderr are not shown on the page."
    out = ""
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            out += output["text"] if output["name"] == "stdout" else ""
        else:
            out += "".join(output.get("data", {}).get(mime, "") for mime in ("text/plain", "text/html", "text/markdown"))
    return re.sub(r" at 0x[0-9a-f]+", "", out)


def pictures(cell):
    data = [output["data"]["image/png"] for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    return [imread(io.BytesIO(base64.b64decode(d)))[..., :3] for d in data]


@each_notebook
def test_outputs_are_fresh(name):
    fresh = executed(name)
    if isinstance(fresh, Exception):
        pytest.skip("does not run: see test_runs")
    for old, new in zip(stored(name).cells, fresh.cells):
        if old.cell_type != "code":
            continue
        assert texts(old) == texts(new), f"stale output: run `make notebooks`\n{old.source[:300]}"
        for a, b in zip(pictures(old), pictures(new), strict=True):
            # One pixel of width may come and go with the fonts of a machine; the drawing itself may not change:
            # at a twelfth of the size, where antialiasing averages out, no more than 2 % of the area may differ visibly.
            assert max(abs(np.subtract(a.shape[:2], b.shape[:2]))) <= 12, f"picture changed size:\n{old.source[:300]}"
            h, w = (min(a.shape[i], b.shape[i]) // 12 for i in (0, 1))
            small = [x[:12 * h, :12 * w].reshape(h, 12, w, 12, 3).mean((1, 3)) for x in (a, b)]
            assert np.mean(abs(small[0] - small[1]).max(-1) > 0.15) < 0.02, f"picture changed:\n{old.source[:300]}"


@each_notebook
def test_pictures_have_alternative_text(name):
    for cell in stored(name).cells:
        if cell.cell_type == "code" and any("image/png" in o.get("data", {}) for o in cell.outputs):
            assert "fig-alt" in cell.source or cell.source.startswith("#| hide"), cell.source[:200]


@pytest.fixture(scope="session")
def rebuilt(tmp_path_factory):
    "A copy of the repository in which nbdev exports and cleans everything anew."
    copy_of = tmp_path_factory.mktemp("copy") / "aucbook"
    shutil.copytree(ROOT, copy_of, ignore=shutil.ignore_patterns(".git", ".venv", "_*site", "_proc", "__pycache__", "node_modules"), symlinks=True)
    for command in ("export", "clean"):
        subprocess.run([str(Path(sys.executable).parent / f"nbdev_{command}")], cwd=copy_of, check=True)
    return copy_of


@each_notebook
def test_notebook_is_clean(name, rebuilt):
    assert (ROOT / f"nbs/{name}.ipynb").read_text(encoding="utf8") == (rebuilt / f"nbs/{name}.ipynb").read_text(encoding="utf8"), "run nbdev_clean"


def test_modules_are_exported(rebuilt):
    for path in (ROOT / "aucbook").glob("*.py"):
        assert path.read_text(encoding="utf8") == (rebuilt / "aucbook" / path.name).read_text(encoding="utf8"), f"{path.name}: run nbdev_export"


def test_no_star_imports():
    for path in (ROOT / "aucbook").rglob("*.py"):
        assert not re.search(r"^from .* import \*", path.read_text(encoding="utf8"), re.M), path.name


@each_notebook
def test_output_carries_no_widget_state(name):
    text = (ROOT / f"nbs/{name}.ipynb").read_text(encoding="utf8")
    assert "widgets" not in json.loads(text)["metadata"] and "application/vnd.jupyter" not in text
