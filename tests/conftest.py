"""Shared fixtures. Hypothesis runs without deadlines (the first call compiles) and repeats the same examples every time."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "agg")
settings.register_profile("book", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("book")
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def root():
    return ROOT


# ---- the site, processed and rendered once for all tests that look at it
@pytest.fixture(scope="session")
def processed(root):
    subprocess.run([sys.executable, "-c", "import sys; sys.path.insert(0, 'website'); import build; build.process()"], cwd=root, check=True)
    return root / "_proc"


@pytest.fixture(scope="session")
def base_url(root):
    settings = (root / "settings.ini").read_text()
    return "".join(re.search(rf"^{key} = (.*)$", settings, re.M)[1] for key in ("doc_host", "doc_baseurl"))


@pytest.fixture(scope="session")
def book(processed, base_url, root, tmp_path_factory):
    sys.path.insert(0, str(root / "website"))
    import build
    import names

    out = tmp_path_factory.mktemp("book") / "site"
    build.build(processed, out, root / "nbs/references.bib", base_url, names.public_names())
    return out
