"""Pages opened in a real browser: Chromium, driven by a script of tests/browser."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent / "browser"


def chromium_and_node():
    """The paths of both programs; without one, or without the packages of the scripts, the test is skipped."""
    chromium, node = shutil.which("chromium"), shutil.which("node")
    if not (chromium and node):
        pytest.skip("chromium or node is not installed")
    if not (SCRIPTS / "node_modules").is_dir():
        pytest.skip("npm packages are missing: npm ci --prefix tests/browser")
    return chromium, node


def run(site, pages, script="check.js", **more):
    """What a script of tests/browser reports of pages of a site (AUCBOOK_SHOTS=folder keeps pictures)."""
    chromium, node = chromium_and_node()
    job = {
        "chromium": chromium,
        "site": str(site),
        "pages": pages,
        "queries": [],
        "shots": os.environ.get("AUCBOOK_SHOTS"),
        **more,
    }
    done = subprocess.run(
        [node, SCRIPTS / script], input=json.dumps(job), capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
