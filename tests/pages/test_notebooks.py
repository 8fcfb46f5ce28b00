"""Every chapter runs from top to bottom in a kernel of its own, and gives what its page shows.

A notebook is executed once; the tests below look at that one run. The site shows stored outputs, so a stale one is a false claim.
`make test` runs the pages that changed, or that import what changed (tools/page_inputs.py), `make test-all` the others.
"""

import base64
import copy
import io
import json
import os
import re
import subprocess
import sys
from functools import lru_cache

import nbformat
import numpy as np
import pytest
from jupyter_client.manager import AsyncKernelManager
from matplotlib.image import imread
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from notebooks import ROOT, notebooks
from page_inputs import confirm
from warm_kernels import WarmKernel

PATHS = {
    path.relative_to(ROOT / "nbs").with_suffix("").as_posix(): path for path in notebooks()
}  # "lessons/roc": its file
each_notebook = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.xdist_group(f"notebook {name}")) for name in PATHS],
)


def stored(name):
    return nbformat.read(PATHS[name], 4)


def execute(notebook, folder, kernels=WarmKernel):
    """Run a notebook in a folder, in a kernel of its own, and store what it shows; raises what stops it."""
    environment = {
        key: value for key, value in os.environ.items() if key not in ("AUCBOOK_DATA", "MPLBACKEND")
    }  # pages are stored without extra data
    environment["IN_TEST"] = "1"  # nbdev_export would write modules under the feet of other workers
    environment["AUCBOOK_QUIET"] = "1"  # whether kernels had to be compiled is no output of a page
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        kernel_manager_class=kernels,
        shutdown_kernel="immediate",  # asked politely, a kernel waits half a minute for joblib's trackers, which ignore it
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env=environment)


@lru_cache(None)
def executed(name):
    """The notebook after a run in its own folder, or the error that stopped it (kept, so that each test says the same)."""
    notebook = copy.deepcopy(stored(name))
    try:
        execute(notebook, PATHS[name].parent)
    except Exception as error:
        return error
    return notebook


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])


# what libraries make of the shell they are in, and what a page may change
SURROUNDINGS = (
    "import os, sys, matplotlib, numpy as np, pandas as pd, tqdm.auto, matplotlib.pyplot as plt",
    "tqdm.auto.tqdm, os.getcwd(), sys.path, __name__, np.geterr(), np.get_printoptions()",
    "matplotlib.get_backend(), dict(plt.rcParams), 'aucbook' in sys.modules",
    "pd.DataFrame(np.arange(1600.0).reshape(4, -1) ** 8)",
    "plt.plot([1, 2])\nplt.rcParams['lines.linewidth'] = 7\npd.options.display.width = 9\nimport aucbook",
)


@pytest.mark.xdist_group("notebook kernels")
def test_a_forked_kernel_is_like_another(tmp_path):
    """Kernels share what they have imported (tests/warm_kernels.py), and nothing else."""
    one, again, plain = (notebook_of(*SURROUNDINGS) for _ in range(3))
    execute(one, tmp_path)
    execute(again, tmp_path)
    execute(plain, tmp_path, AsyncKernelManager)
    assert [list(map(texts, n.cells)) for n in (one, again)] == [list(map(texts, plain.cells))] * 2
    assert [list(map(stored_pictures, n.cells)) for n in (one, again)] == [
        list(map(stored_pictures, plain.cells))
    ] * 2
    assert len(pictures(plain.cells[-1])) == 1 and "rows" in texts(plain.cells[-2])


@pytest.mark.xdist_group("notebook kernels")
def test_each_forked_kernel_has_the_environment_that_it_is_given(tmp_path):
    source = "import os; os.environ.get('GIVEN')"
    for value in ("one", "two", None):
        notebook = notebook_of(source)
        resources = {"metadata": {"path": str(tmp_path)}}
        client = NotebookClient(notebook, kernel_manager_class=WarmKernel, resources=resources)
        client.execute(env=dict(os.environ) | ({"GIVEN": value} if value else {}))
        assert texts(notebook.cells[0]) == (repr(value) if value else "")


@pytest.mark.xdist_group("notebook kernels")
def test_a_kernel_that_dies_is_missed(tmp_path):
    with pytest.raises(DeadKernelError):
        execute(notebook_of("import os; os._exit(1)"), tmp_path)
    execute(notebook_of("'the next one lives'"), tmp_path)


@each_notebook
def test_runs(name):
    result = executed(name)
    if isinstance(result, Exception):
        raise result


def texts(cell):
    """The text of a cell's outputs, as nbdev_clean would store it (memory addresses removed); warnings on stderr are not shown on the page."""
    out = ""
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            out += output["text"] if output["name"] == "stdout" else ""
        else:
            out += "".join(
                output.get("data", {}).get(mime, "")
                for mime in ("text/plain", "text/html", "text/markdown")
            )
    return re.sub(r" at 0x[0-9a-f]+", "", out)


PIXELS = re.compile(r'href="data:image/png;base64,\s*([^"]+)"')


def stored_pictures(cell):
    """(drawings as SVG text, pictures as base64 of PNG, also those inside a drawing)."""
    data = [output.get("data", {}) for output in cell.get("outputs", [])]
    drawings = [d["image/svg+xml"] for d in data if "image/svg+xml" in d]
    pixels = [d["image/png"] for d in data if "image/png" in d]
    return drawings, pixels + [image for text in drawings for image in PIXELS.findall(text)]


def pictures(cell):
    return [imread(io.BytesIO(base64.b64decode(d)))[..., :3] for d in stored_pictures(cell)[1]]


def lines(drawing):
    """(what a drawing consists of and says, its coordinates); ids are not compared: they come from the coordinates."""
    text = re.sub(r'\b(?:id|[\w:]*href|clip-path)="[^"]*"', "", PIXELS.sub("", drawing))
    number = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
    return re.sub(number, "0", text), np.array(re.findall(number, text), float)


@each_notebook
def test_outputs_are_fresh(name):
    fresh = executed(name)
    if isinstance(fresh, Exception):
        pytest.skip("does not run: see test_runs")
    for old, new in zip(stored(name).cells, fresh.cells):
        if old.cell_type != "code":
            continue
        assert texts(old) == texts(new), (
            f"stale output: run `python tools/notebooks.py execute clean`\n{old.source[:300]}"
        )
        for a, b in zip(stored_pictures(old)[0], stored_pictures(new)[0], strict=True):
            # Another processor rounds otherwise in the last digits; half a point is less than a line is wide.
            (one, at), (other, there) = lines(a), lines(b)
            assert one == other and abs(at - there).max() < 0.5, (
                f"drawing changed:\n{old.source[:300]}"
            )
        for a, b in zip(pictures(old), pictures(new), strict=True):
            # One pixel of width may come and go with the fonts of a machine; the drawing itself may not change:
            # at a twelfth of the size, where antialiasing averages out, no more than 2 % of the area may differ visibly.
            assert max(abs(np.subtract(a.shape[:2], b.shape[:2]))) <= 12, (
                f"picture changed size:\n{old.source[:300]}"
            )
            h, w = (min(a.shape[i], b.shape[i]) // 12 for i in (0, 1))
            small = [x[: 12 * h, : 12 * w].reshape(h, 12, w, 12, 3).mean((1, 3)) for x in (a, b)]
            assert np.mean(abs(small[0] - small[1]).max(-1) > 0.15) < 0.02, (
                f"picture changed:\n{old.source[:300]}"
            )
    confirm(PATHS[name])


@each_notebook
def test_pictures_have_alternative_text(name):
    for cell in stored(name).cells:
        if cell.cell_type == "code" and any(map(len, stored_pictures(cell))):
            assert "fig-alt" in cell.source or cell.source.startswith("#| hide"), cell.source[:200]


@each_notebook
def test_outputs_are_of_no_machine(name):
    """No warnings, and no folder of the machine that ran the page; what is base64 may spell anything."""
    for cell in stored(name).cells:
        for output in cell.get("outputs", []):
            assert output.get("name") != "stderr", f"{output.text[:500]}\n{cell.source[:200]}"
            shown = [
                str(text) for mime, text in output.get("data", {}).items() if mime != "image/png"
            ]
            text = re.sub(r"base64,[\w+/=\s]+", "", "\n".join([output.get("text", ""), *shown]))
            path = re.search(r"(?<![\w.])/(?:work|tmp|root|home|Users)/\S*|[A-Z]:[\\/]Users", text)
            assert not path, f"{path[0]}\n{cell.source[:200]}"


@each_notebook
def test_what_is_printed_is_one_output(name):
    for cell in stored(name).cells:
        kinds = [(output["output_type"], output.get("name")) for output in cell.get("outputs", [])]
        twice = [one for one, other in zip(kinds, kinds[1:]) if one == other and one[0] == "stream"]
        assert not twice, f"run `python tools/notebooks.py execute clean`\n{cell.source[:300]}"


# ---------------------------------------------------------------- how-to pages, workshop and evidence; lessons have test_lessons.py
each_other_page = pytest.mark.parametrize(
    "name", [name for name in PATHS if name.startswith(("howto/", "workshop/", "evidence/"))]
)


@each_other_page
def test_minutes_are_not_typed(name):
    for cell in stored(name).cells:
        assert cell.cell_type == "code" or not re.search(r"\*\*\d+ minutes", cell.source), (
            cell.source[:200]
        )


@each_other_page
def test_questions_explain_every_wrong_choice(name):
    """A question with buttons has three or more, and each wrong one hears why."""
    for cell in stored(name).cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            questions = re.findall(r'mount\("predict-\w+",(\{.*\})\);', html)
            assert len(questions) == html.count('class="predict"')
            for question in map(json.loads, questions):
                if "choices" in question:
                    silent = [
                        c
                        for c, why in zip(question["choices"], question["why"], strict=True)
                        if not why
                    ]
                    assert silent == [question["choices"][question["answer"]]], question["question"]
                    assert len(question["choices"]) > 2, question["question"]


@each_other_page
def test_figures_are_drawings(name):
    """`book_figures()` in the setup cell: SVG, no wider than 5 inches, letters of 9 points (exponents and indices apart)."""
    for cell in stored(name).cells:
        for output in cell.get("outputs", []):
            assert "image/png" not in output.get("data", {}), cell.source[:300]
            if drawing := output.get("data", {}).get("image/svg+xml"):
                assert float(re.search(r'<svg [^>]*width="([\d.]+)pt"', drawing)[1]) <= 5 * 72, (
                    cell.source[:300]
                )
                assert all(
                    float(s) >= 9
                    for s in re.findall(r'<text style="font-size: ([\d.]+)px', drawing)
                ), cell.source[:300]


# ---------------------------------------------------------------- sources and what is made from them
@pytest.fixture(scope="module")
def rebuilt(copied):
    """A copy of the repository in which everything is exported and cleaned again."""
    subprocess.run(
        [sys.executable, "tools/notebooks.py", "export", "clean"],
        cwd=copied,
        env={**os.environ, "PYTHONPATH": str(copied)},
        check=True,
    )
    return copied


def test_notebooks_are_clean(rebuilt):
    changed = [
        name
        for name, path in PATHS.items()
        if path.read_bytes() != (rebuilt / path.relative_to(ROOT)).read_bytes()
    ]
    assert not changed, "run `python tools/notebooks.py clean`"


def test_modules_are_exported(rebuilt):
    def modules(root):
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("*.py")
            if path.name != "_modidx.py"  # nbdev's index is written again by each export
        }

    here = modules(ROOT / "aucbook")
    there = modules(rebuilt / "aucbook")
    assert set(here) == set(there), "run `python tools/notebooks.py export`"
    assert [name for name in here if here[name] != there[name]] == [], (
        "run `python tools/notebooks.py export`"
    )


def test_options_stay_in_the_notebook():
    """A leading `#|` line is for nbdev or Quarto; one inside a string is text."""
    from types import SimpleNamespace

    from notebooks import drop_options

    cell = SimpleNamespace(
        cell_type="code",
        source='#| code-fold: true\n#| code-summary: "The scan"\nx = """\n#| kept\n"""\n',
    )
    drop_options(cell)
    assert cell.source == 'x = """\n#| kept\n"""\n'


def test_a_flush_divides_no_output(tmp_path):
    from nbformat.v4 import new_output
    from notebooks import settle_outputs

    notebook = notebook_of("print()")
    streams = [("stdout", "a\n"), ("stdout", "b\n"), ("stderr", "c\n"), ("stdout", "d\n")]
    notebook.cells[0].outputs = [
        new_output("stream", name=name, text=text) for name, text in streams
    ]
    nbformat.write(notebook, tmp_path / "page.ipynb")
    settle_outputs(tmp_path / "page.ipynb")
    outputs = nbformat.read(tmp_path / "page.ipynb", 4).cells[0].outputs
    assert [output.text for output in outputs] == ["a\nb\n", "c\n", "d\n"]


def test_no_star_imports():
    for path in (ROOT / "aucbook").rglob("*.py"):
        assert not re.search(r"^from .* import \*", path.read_text(encoding="utf8"), re.M), (
            path.name
        )


@each_notebook
def test_output_carries_no_widget_state(name):
    text = PATHS[name].read_text(encoding="utf8")
    assert "widgets" not in json.loads(text)["metadata"] and "application/vnd.jupyter" not in text


def test_a_python_without_the_tools_names_one_that_has_them(root):
    done = subprocess.run(
        [sys.executable, "-I", "-S", "tools/notebooks.py", "clean"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and ".venv/bin/python tools/notebooks.py clean" in done.stderr
