"""python -m benchmarks [--rows PATTERN] [--quick] [--growth] [--cold]: print the table, write nbs/results/speed.json."""

import argparse
import hashlib
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from experiments.store import missing, read, store

from .cold import cold, jobs
from .growth import by_trees, fits, growth, memory
from .harness import ROWS, measure_apart, register_rows, warm_heap

PEERS = (
    "lightgbm",
    "xgboost",
    "interpret-core",
    "rapidstats",
    "polars",
    "catboost",
    "polars-ds",
)  # optional: their rows are left out where they are missing


def checkouts():
    """Peers that no index has, which stand on the path as they are: name -> the beginning of the checksum of what is timed."""
    try:
        found = find_spec("fastauc.fast_auc")
    except ModuleNotFoundError:
        return {}
    return (
        {"fastauc": hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()[:12]}
        if found
        else {}
    )


def save(results, finished=True):
    peers = [package for package in PEERS if not missing([package])]
    store(
        "speed",
        results,
        seeds=[range(20)],
        packages=peers,
        script="benchmarks",
        keep=finished,
        finished=finished,
    )
    if finished:
        print("written: nbs/results/speed.json")


def print_cold(row):
    print(
        f"{row['name']:<60}{'':>10}{row['ratio']:>11.2f}{row['again']:>7.2f}{row['first']:>8.2f}"
        f"  {'' if row['met'] else f'''below the goal of {row['goal']:g} s'''}",
        flush=True,
    )


def print_row(name, n, result):
    print(
        f"{name:<76}{n:>10}{result['ratio']:>9.2f}{result['first']:>9.2f}{result['goal']:>8.2f}  {'' if result['met'] else 'below the goal'}",
        flush=True,
    )
    was = "; ".join(
        f"the goal was {old['goal']:g}: {old['because']}" for old in result.get("was", ())
    )
    print(f"    {result['compared']}{'; ' if was else ''}{was}", flush=True)


def measured(pattern, quick, before=()):
    """Ratios of all rows whose name matches, those measured `before` as they were; ends the program if both sides of one have differed."""
    register_rows()
    differed, known = [], {(row["name"], row["n"]): row for row in before}
    print(f"{'peer / ours':<76}{'n':>10}{'ratio':>9}{'first':>9}{'goal':>8}", flush=True)
    for name, _, goals in ROWS:
        for n, goal in goals.items():
            if not re.search(pattern, name) or (quick and n > 10**5):
                continue
            if (name, n) in known:
                yield known[name, n]
                continue
            result = measure_apart(name, n, 1.0 if quick else 4.0)
            if "ratio" not in result:
                (what, why), *_ = result.items()
                print(f"{name:<76}{n:>10}  {what}: {why}", flush=True)
                differed += [name] * (what == "different")
                continue
            result = {
                "name": name,
                "n": n,
                **result,
                "goal": round(goal, 2),
                "met": result["ratio"] >= goal,
            }
            if getattr(goal, "was", ()):
                result["was"] = goal.was
            print_row(name, n, result)
            yield result
    if differed:
        sys.exit(f"not timed, nothing stored, because both sides differ: {', '.join(differed)}")


def measured_cold(pattern=""):
    """First fits of all rankers whose row matches; {} if none does."""
    if not (found := jobs(pattern)):
        return {}
    print(
        f"\n{'processor seconds':<60}{'':>10}{'goal/first':>11}{'again':>7}{'first':>8}", flush=True
    )
    result = cold(found, print_cold)
    print(f"the same machine compiles one fixed kernel in {result['unit']:.2f} s")
    return result


def measured_growth():
    """What grows with rows, columns, trees and threads, in time and in memory."""
    return {"growth": growth(), "fits": fits(), "trees": by_trees(), "memory": memory()}


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--rows",
        default="",
        help="measure only rows whose name matches this regular expression (nothing is written)",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="one second a row, sizes up to 1e5, no cold start unless --rows names it (nothing is written)",
    )
    parser.add_argument(
        "--growth",
        action="store_true",
        help="measure only what grows with rows, columns, trees and threads, in time and memory; the rest of the last run is kept",
    )
    parser.add_argument(
        "--cold",
        action="store_true",
        help="measure only the first fits; the rest of the last run is kept",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep the rows of a whole run that was stopped (speed.partial.json), measure the others",
    )
    arguments = parser.parse_args()
    if arguments.growth or arguments.cold:
        warm_heap()
        grown = measured_growth() if arguments.growth else {}
        save(grown | ({"cold": measured_cold()} if arguments.cold else {}))
        return
    whole, rows = not arguments.rows and not arguments.quick, []
    before = read("speed.partial").get("rows", []) if arguments.resume else []
    for row in measured(arguments.rows, arguments.quick, before):
        rows.append(row)
        if whole:
            save({"rows": rows}, finished=False)
    first = {} if arguments.quick and not arguments.rows else measured_cold(arguments.rows)
    if whole:
        warm_heap()
        save({"rows": rows, **measured_growth(), "cold": first, "checkouts": checkouts()})


if __name__ == "__main__":
    main()
