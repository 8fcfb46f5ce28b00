"""Shared fixtures, and how a run is shared out: what is slow, what stays together on one worker, where kernels are cached.

Hypothesis runs without deadlines (the first call compiles) and repeats the same examples every time.
"""

import json
import os
import shutil
import subprocess
import sys
from configparser import ConfigParser
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from page_inputs import changed

ROOT = Path(__file__).parents[1]

# Before anything imports NumPy or numba. Workers and the kernels of notebooks run side by side: one BLAS thread for each, or
# they wait for one another.
os.environ.setdefault("AUCBOOK_QUIET", "1")  # that kernels compile is no output of a page
os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if "NUMBA_CACHE_DIR" not in os.environ:
    # kernels stay compiled between runs: aucbook._kernels.compiling sees what has changed
    os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".cache" / "numba")

# jsonschema, which comes with nbformat, would build a grammar of addresses at its import (more than a second); notebooks have none.
sys.modules.setdefault("rfc3987_syntax", None)

import pytest
from browsing import SCRIPTS, chromium_and_node
from hypothesis import HealthCheck, settings
from making import make_once

settings.register_profile(
    "book", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("book")

# ---------------------------------------------------------------- how a run is shared out
# Files and fixtures that need the built site, browsers, wheels or the uncompiled library: `make test-all` runs them. (Single tests
# elsewhere: @pytest.mark.slow.)
SLOW = {
    "test_site",
    "test_browser",
    "test_lab",
    "test_live",
    "test_coverage",
    "test_installed",
    "test_nbdev",
    "test_reproducibility",
    "drive",
    "processed",
    "book",
    "distributions",
}
SITE = {"processed", "book", "distributions"}  # what these make is made once, for one worker
PAGE_RUNS = {"test_runs", "test_outputs_are_fresh"}  # of a page that has not changed: slow


def pytest_ignore_collect(collection_path, config):
    """`make test` need not read files of which it runs nothing."""
    if config.option.markexpr == "not slow" and collection_path.stem in SLOW:
        return True


def pages_that_changed() -> list[str]:
    """The pages that have to run again: tools/page_inputs.py."""
    from notebooks import notebooks

    return changed(notebooks())


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """What changed is found once, and handed to all workers."""
    if not hasattr(node.config, "changed_pages"):
        node.config.changed_pages = pages_that_changed()
    node.workerinput["changed_pages"] = node.config.changed_pages


def changed_pages(config) -> set[str]:
    """The pages that have to run again, found once in a run."""
    if not hasattr(config, "changed_pages"):
        from_controller = getattr(config, "workerinput", {}).get("changed_pages")
        config.changed_pages = pages_that_changed() if from_controller is None else from_controller
    return set(config.changed_pages)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Tests that share a file, a notebook or the built site go to one worker, which makes what they share once; the long ones go first."""
    for item in items:
        name = item.path.stem
        if SLOW & {name, *item.fixturenames}:
            item.add_marker(pytest.mark.slow)
        runs_a_page = name == "test_notebooks" and item.originalname in PAGE_RUNS
        if runs_a_page and item.callspec.params["name"] not in changed_pages(config):
            item.add_marker(pytest.mark.slow)
        if not item.get_closest_marker("xdist_group"):
            group = "explorables" if "drive" in item.fixturenames else name
            item.add_marker(
                pytest.mark.xdist_group("site" if SITE & set(item.fixturenames) else group)
            )

    def long_first(item):
        group = item.get_closest_marker("xdist_group").args[0]
        early = ["site", "browser", "test_installed", "test_coverage"]
        early += ["test_every_ranker", "test_cli"]
        return [
            *(group != one for one in early),
            not group.startswith("notebook"),
            group != "explorables",
        ]

    items.sort(key=long_first)


def pytest_collection_finish(session):
    """Groups must hold: with pytest 9.2 pytest-xdist 3.8 no longer marks them, silently, and each worker runs what they share."""
    if session.config.getoption("loadgroup", False) and any(
        "@" not in item.nodeid for item in session.items
    ):
        raise pytest.UsageError(
            "this pytest-xdist does not group tests under this pytest: pip install 'pytest<9.2'"
        )


# ---------------------------------------------------------------- what tests share
@pytest.fixture
def closed_figures():
    """Figures of a test are closed after it."""
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def config(root):
    """settings.ini, the one place for facts about the package."""
    ini = ConfigParser(delimiters=["="])
    ini.read(root / "settings.ini", encoding="utf8")
    return ini["DEFAULT"]


@pytest.fixture(scope="session")
def copied(root, tmp_path_factory):
    """A copy of the sources, for commands that write where they read (exporting, building a wheel)."""
    copy = tmp_path_factory.mktemp("copy") / "aucbook"
    made = (
        ".git",
        ".venv",
        ".cache",
        "_*site",
        "_proc",
        "_docs",
        "_modidx.py",  # nbdev writes it while it makes the site
        "__pycache__",
        "node_modules",
        "build",
        "*.egg-info",
        ".ipynb_checkpoints",
        ".ruff_cache",
        ".mypy_cache",
    )
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(*made), symlinks=True)
    return copy


@pytest.fixture(scope="session")
def packages_come(tmp_path_factory):
    """Skips where pip reaches no package index."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--retries=0",
        "--timeout=20",
        "setuptools",
    ]
    if subprocess.run(
        [*command, "--dest", str(tmp_path_factory.mktemp("index"))], capture_output=True
    ).returncode:
        pytest.skip(
            "pip reaches no package index: nothing can be built or installed in an empty environment"
        )


@pytest.fixture(scope="session")
def distributions(packages_come, copied, once, bare):
    """A folder with what a release uploads: the sdist, and the wheel that is built from it; in `tree`, the wheel built from the sources."""

    def build(folder):
        command = [sys.executable, "-m", "build", str(copied)]
        command += ["--installer", "uv"] if find_spec("uv") else []
        for where, *options in [(folder,), (folder / "tree", "--wheel")]:
            where.mkdir()
            done = subprocess.run(
                [*command, *options, "--outdir", str(where)],
                cwd=where,
                env=bare(),
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    return once("distributions", build)


@pytest.fixture(scope="session")
def bare():
    """bare(**more): the environment of a process that must not find the checkout: nothing that leads Python or a tool here."""
    environment = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("PYTHON", "AUCBOOK", "VIRTUAL_ENV"))
    }
    return lambda **more: environment | more


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """once(name, make): make(path) runs one time in a run, on the worker that comes first; the others wait. Returns the path."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    return partial(make_once, shared)


# ---- the site, processed and rendered once for all tests that look at it
@pytest.fixture(scope="session")
def processed(root, once):
    def process(_):
        subprocess.run(
            [sys.executable, "-c", "from website.content.notebooks import process; process()"],
            cwd=root,
            check=True,
        )

    once("processed", process)
    return root / "_proc"


@pytest.fixture(scope="session")
def base_url(config):
    return config["doc_host"] + config["doc_baseurl"]


@pytest.fixture(scope="session")
def book(processed, base_url, once):
    from website.project import load
    from website.reference.names import documented_names
    from website.site import build

    return once(
        "book",
        lambda out: build(
            processed, out, url=base_url, names=documented_names(), moved=load("moved.yml")
        ),
    )


# ---- a browser that stays open
@pytest.fixture(scope="session")
def drive(tmp_path_factory):
    """drive(steps, *blocks): open blocks in one page from disk, do the steps, return what they read; errors and requests fail the test."""
    chromium, node = chromium_and_node()
    page = tmp_path_factory.mktemp("explore") / "page.html"
    browser = subprocess.Popen(
        [node, SCRIPTS / "drive.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    print(chromium, file=browser.stdin, flush=True)

    def drive(steps, *blocks, width=1280, scripts=True):
        page.write_text(
            "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>t</title>"
            "<body style='margin:8px'>" + "".join(block._repr_html_() for block in blocks),
            encoding="utf8",
        )
        job = {"url": page.as_uri(), "width": width, "scripts": scripts, "steps": steps}
        print(json.dumps(job), file=browser.stdin, flush=True)
        answer = json.loads(browser.stdout.readline())
        assert "failed" not in answer, answer["failed"]
        assert answer["errors"] == [] and answer["requests"] == [job["url"]]
        return answer["values"]

    yield drive
    browser.communicate(timeout=60)


def pytest_make_parametrize_id(val, argname):
    """Bytes are known by their number: archives hold the time, and workers must agree on names."""
    return f"{argname} of {len(val)} bytes" if isinstance(val, bytes) else None
