"""Pages opened in a real browser: Chromium, driven by a script of tests/browser."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent / "browser"


def run(site, pages, script="check.js", **more):
    """What a script of tests/browser reports of pages of a site."""
    chromium, node = shutil.which("chromium"), shutil.which("node")
    if not (chromium and node):
        pytest.skip("chromium or node is not installed")
    if not (SCRIPTS / "node_modules").is_dir():
        pytest.skip("npm packages are missing: npm ci --prefix tests/browser")
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
