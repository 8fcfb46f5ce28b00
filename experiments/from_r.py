"""What R says of the 113 patients of nbs/data/asah.csv, for the page "From R" and its test: runs experiments/from_r.R.

Needs Rscript, and the R packages pROC, ROCR and rms (Debian: r-cran-proc, r-cran-rocr, r-cran-rms); a second.
"""

import shutil
import subprocess
from pathlib import Path

from .store import store

HERE = Path(__file__).parent
DATA = HERE.parent / "nbs/data/asah.csv"
PACKAGES_OF_R = ("pROC", "ROCR", "rms")


def said():
    """({package: version}, {call: numbers}); None where there is no R."""
    if not shutil.which("Rscript"):
        return None
    command = ["Rscript", "--vanilla", str(HERE / "from_r.R"), str(DATA)]
    lines = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=120
    ).stdout.splitlines()
    versions = dict(line.split()[1:3] for line in lines if line.startswith("version "))
    numbers = {}
    for words in (line.split() for line in lines if not line.startswith("version ")):
        values = [word for word in words if word.lstrip("-")[:1].isdigit()]
        numbers[" ".join(words[: len(words) - len(values)])] = [float(value) for value in values]
    return versions, numbers


def run():
    if (found := said()) is None:
        print("from_r: left out, it needs Rscript")
        return
    versions, numbers = found
    if absent := [package for package in PACKAGES_OF_R if package not in versions]:
        print(f"from_r: left out, R has no {' and no '.join(absent)}")
        return
    store(
        "from_r",
        {
            "about": "what R says of nbs/data/asah.csv",
            "packages of R": versions,
            "numbers": numbers,
        },
    )
