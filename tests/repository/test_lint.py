"""ruff.toml holds for everything, notebooks included; mypy.ini for the library."""

import subprocess
import sys
from importlib.util import find_spec

import pytest


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=["lint", "format"])
def test_ruff(root, command):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--quiet", "--no-cache", "."],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (
        f"`make format` mends most of it\n{done.stdout[-4000:]}{done.stderr[-1000:]}"
    )


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mypy") is None, reason="needs mypy (extra dev)")
def test_mypy(root):
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, (
        f"an annotation of the library does not hold\n{done.stdout[-4000:]}{done.stderr[-1000:]}"
    )
