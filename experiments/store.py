"""One way to keep the result of a long run: nbs/results/NAME.json, with a header that says what the numbers depend on."""

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy  # noqa: F401  (loads the library of linear algebra that threadpoolctl looks for)
from threadpoolctl import threadpool_info

RESULTS = Path(__file__).parents[1] / "nbs/results"
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def machine():
    """The processor; its instruction sets, which decide how fast NumPy sorts (False where they cannot be looked up); and the kernels of the
    linear algebra, which decide its last digits.
    """
    try:
        flags = set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        flags = set()
    blas = {
        f"{lib['internal_api']} {lib.get('architecture', '')}".strip()
        for lib in threadpool_info()
        if lib["user_api"] == "blas"
    }
    return {
        "processor": platform.machine(),
        "avx512": "avx512f" in flags,
        "avx2": "avx2" in flags,
        "blas": ", ".join(sorted(blas)) or None,
    }


def versions(packages=()):
    """Of Python, of what the library is built on, and of further packages."""
    return {"python": platform.python_version(), **{p: version(p) for p in (*PACKAGES, *packages)}}


def missing(packages):
    """Those distributions that are not installed."""

    def absent(package):
        try:
            return not version(package)
        except PackageNotFoundError:
            return True

    return [package for package in packages if absent(package)]


def read(name):
    """What is stored under a name; {} if nothing is."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def write(path, results):
    """Replace a file in one step: whoever reads it, or interrupts us, finds the old one or the new one, whole."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        fresh.write_text(json.dumps(results, indent=1) + "\n")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def store(
    name, results, *, seeds=(), inputs=None, packages=(), script=None, keep=False, finished=True
):
    """Write nbs/results/<name>.json: a header, then the results (a dict, or a list of rows, which becomes {"rows": …}).

    seeds : every seed of a random number generator that the results depend on; numbers and ranges, which are kept as "first to last"
    inputs : dict name of a data set -> sha256 of its file, as `load_dataset` gives it
    packages : further distributions whose versions matter
    script : what made the file, if not experiments/<name>.py
    keep : parts of the file that `results` lacks stay; the header says which they are and what they were made with
    finished : if False, the results so far go to <name>.partial.json, and the stored file stays as it is
    """
    results = results if isinstance(results, dict) else {"rows": results}
    header = {
        "script": script or f"experiments/{name}.py",
        "machine": machine(),
        "versions": versions(packages),
        "seeds": [f"{s[0]} to {s[-1]}" if isinstance(s, range) else s for s in seeds],
        "inputs": dict(inputs or {}),
    }
    if keep:
        results = kept(header, read(name), results)
    RESULTS.mkdir(parents=True, exist_ok=True)
    partial = RESULTS / f"{name}.partial.json"
    write(RESULTS / f"{name}.json" if finished else partial, {"header": header, **results})
    if finished:
        partial.unlink(missing_ok=True)


def kept(header, old, new):
    """The new results beside those parts of the old ones that are not renewed; writes into the header where the latter come from."""
    before = old.pop("header", {})
    earlier = {part: made for part, made in before.get("earlier", {}).items() if part not in new}
    origin = {key: before.get(key) for key in ("machine", "versions")}
    if origin != {key: header[key] for key in origin}:
        earlier = {part: origin for part in old if part not in new} | earlier
    header["inputs"] = {**before.get("inputs", {}), **header["inputs"]}
    header["seeds"] = [
        *before.get("seeds", []),
        *(s for s in header["seeds"] if s not in before.get("seeds", [])),
    ]
    if earlier:
        header["earlier"] = earlier
    return {part: new.get(part, old.get(part)) for part in {**old, **new}}
