"""R's packages, where they are installed: a script's output, or a skip that says what is missing."""

import shutil
import subprocess

import pytest


def run_r(script, *arguments, package):
    """Lines that the R script prints; skips the test where there is no R, or no such package."""
    if not shutil.which("Rscript"):
        pytest.skip("Rscript is not installed")
    loads = subprocess.run(["Rscript", "-e", f"library({package})"], capture_output=True)
    if loads.returncode:
        pytest.skip(f"R has no package {package}")
    command = ["Rscript", str(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()
