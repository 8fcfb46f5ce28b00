"""ruff.toml holds for everything, notebooks included."""

import subprocess
import sys

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
