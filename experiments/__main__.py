"""python -m experiments [NAME[:PART] …]: make nbs/results/NAME.json anew; without a name all of them, in order.

Real data are read from the folder AUCBOOK_DATA. An experiment whose optional packages are missing is left out, and says so.
"""

import argparse
from importlib import import_module
from pathlib import Path

from .store import missing

HELPERS = {"__init__", "__main__", "development", "shared", "store"}
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in HELPERS)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="NAME: " + ", ".join(NAMES),
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="all, if none is given; NAME:PART renews one part of a file that has parts",
    )
    names = parser.parse_args(arguments).names
    if unknown := [name for name in names if name.partition(":")[0] not in NAMES]:
        parser.error(f"there is no experiment {', '.join(unknown)}; there are {', '.join(NAMES)}")
    for name, *parts in (name.split(":") for name in names or NAMES):
        module = import_module(f"experiments.{name}")
        if absent := missing(getattr(module, "PACKAGES", ())):
            print(
                f"{name}: left out, it needs {' and '.join(absent)} (pip install {' '.join(absent)})",
                flush=True,
            )
            continue
        print(name, flush=True)
        module.run(*parts)


if __name__ == "__main__":
    main()
