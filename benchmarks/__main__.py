"""python -m benchmarks [--rows PATTERN] [--quick] [--growth] [--cold]: print the table, write nbs/results/speed.json."""

import argparse
import re

from experiments.store import missing, store

from .cold import cold, jobs
from .growth import growth
from .harness import ROWS, measure_apart, register_rows, warm_heap

PEERS = ("lightgbm", "xgboost")  # optional: their rows are left out where they are missing


def save(results):
    peers = [package for package in PEERS if not missing([package])]
    store("speed", results, seeds=[range(20)], packages=peers, script="benchmarks", keep=True)
    print("written: nbs/results/speed.json")


def print_cold(row):
    print(
        f"{row['name']:<60}{'':>10}{row['ratio']:>11.2f}{row['again']:>7.2f}{row['first']:>8.2f}"
        f"  {'' if row['met'] else f'''below the goal of {row['goal']:g} s'''}",
        flush=True,
    )


def print_row(name, n, result):
    print(
        f"{name:<60}{n:>10}{result['ratio']:>9.2f}{result['first']:>9.2f}{result['goal']:>8.2f}  {'' if result['met'] else 'below the goal'}",
        flush=True,
    )


def measured(pattern, quick):
    "Ratios of all rows whose name matches"
    register_rows()
    print(f"{'peer / ours':<60}{'n':>10}{'ratio':>9}{'first':>9}{'goal':>8}", flush=True)
    for name, _, goals in ROWS:
        for n, goal in goals.items():
            if not re.search(pattern, name) or (quick and n > 10**5):
                continue
            result = measure_apart(name, n, 1.0 if quick else 4.0)
            if isinstance(result, str):
                print(f"{name:<60}{n:>10}  left out: {result}")
                continue
            result = {"name": name, "n": n, **result, "goal": round(goal, 2), "met": result["ratio"] >= goal}
            print_row(name, n, result)
            yield result


def measured_cold(pattern=""):
    "First fits of all rankers whose row matches; {} if none does"
    if not (found := jobs(pattern)):
        return {}
    print(f"\n{'processor seconds':<60}{'':>10}{'goal/first':>11}{'again':>7}{'first':>8}", flush=True)
    result = cold(found, print_cold)
    print(f"the same machine compiles one fixed kernel in {result['unit']:.2f} s")
    return result


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--rows", default="", help="measure only rows whose name matches this regular expression (nothing is written)"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="one second a row, sizes up to 1e5, no cold start unless --rows names it (nothing is written)",
    )
    parser.add_argument(
        "--growth", action="store_true", help="measure only the cost by n; the rest of the last run is kept"
    )
    parser.add_argument(
        "--cold", action="store_true", help="measure only the first fits; the rest of the last run is kept"
    )
    arguments = parser.parse_args()
    if arguments.growth or arguments.cold:
        warm_heap()
        save(({"growth": growth()} if arguments.growth else {}) | ({"cold": measured_cold()} if arguments.cold else {}))
        return
    rows = list(measured(arguments.rows, arguments.quick))
    first = {} if arguments.quick and not arguments.rows else measured_cold(arguments.rows)
    if not arguments.rows and not arguments.quick:
        warm_heap()
        save({"rows": rows, "growth": growth(), "cold": first})


if __name__ == "__main__":
    main()
