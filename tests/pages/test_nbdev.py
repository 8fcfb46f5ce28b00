"""The notebooks as nbdev itself processes them: what `nbdev_proc_nbs` hands to Quarto, without fetching Quarto.

nbdev runs some cells again for its API cards: those that export, and every cell that holds an import, in an order of their own. A
cell that imports must therefore need nothing from a cell that does neither. Our own build runs no cell, so only this shows it.
"""

import json
import posixpath
import re
import subprocess
import sys
from collections import Counter

import pytest
from test_dialect import options, slug

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
    """The folder of all pages as nbdev leaves them; its file `stopped` names those at which it stopped."""
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


def cells(pages):
    """(page, cell) of all pages."""
    for path in sorted(pages.rglob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            yield path.relative_to(pages).with_suffix("").as_posix(), cell


def test_no_option_is_given_twice(pages):
    """Quarto refuses a key given twice, and nbdev adds some."""
    for page, cell in cells(pages):
        if cell["cell_type"] == "code":
            keys = Counter(key for key, _ in options("".join(cell["source"]))[1])
            assert set(keys.values()) <= {1}, (page, keys)


def words(cell):
    """What a cell gives as markdown or HTML, without blocks of code; a label of a figure as an anchor."""
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        texts = [source]
    else:
        texts = [f"[]{{#{value}}}" for key, value in options(source)[1] if key == "label"]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            texts += [
                "".join(data[kind]) for kind in ("text/markdown", "text/html") if kind in data
            ]
    return re.sub(r"(?ms)^(```+).*?^\1\s*$", "", "\n\n".join(texts))


def test_links_lead_to_anchors_that_nbdev_makes(pages, base_url):
    """To a heading, a label, or the card of a name; links of the notebooks, and those that nbdev puts on names."""
    anchors, links = {}, set()
    for page, cell in cells(pages):
        text, page_anchors = words(cell), anchors.setdefault(page, set())
        page_anchors |= {
            one or other
            for one, other in re.findall(r'\{[^}\n]*?#([\w.:-]+)|\bid="([\w.:-]+)', text)
        }
        page_anchors |= {slug(heading) for heading in re.findall(r"(?m)^#{1,6}\s+(.*)$", text)}
        for target, anchor in re.findall(r"\]\(([^()\s#]*)#([^()\s]+)\)", text):
            if target.startswith(f"{base_url}/reference/"):
                continue  # pages that only our own build makes; it stops at a dead link itself
            if target.startswith(base_url):
                links.add((page, target.removeprefix(base_url + "/").removesuffix(".html"), anchor))
            elif ":" not in target:
                path = (
                    posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
                    if target
                    else page
                )
                links.add((page, path.removesuffix(".ipynb"), anchor))
    dead = sorted(link for link in links if link[2] not in anchors.get(link[1], ()))
    assert len(links) > 500 and dead == []
