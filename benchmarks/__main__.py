"""python -m benchmarks [--rows PATTERN] [--quick] [--growth]: print the table, write benchmarks/results.json and its copy for chapter 62."""
import argparse
import json
import re
from pathlib import Path

from .growth import growth
from .harness import ROWS, machine, measure_apart, register_rows, warm_heap

RESULTS = Path(__file__).with_name("results.json")


def save(results):
    "Also where the chapters read stored results, which travel with them"
    for path in (RESULTS, RESULTS.parents[1] / "nbs/results/speed.json"):
        path.write_text(json.dumps(results, indent=1) + "\n")
        print(f"written: {path}")


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", default="", help="measure only rows whose name matches this regular expression (nothing is written)")
    parser.add_argument("--quick", action="store_true", help="one second a row, sizes up to 1e5 (nothing is written)")
    parser.add_argument("--growth", action="store_true", help="measure only the cost by n; the rows of the last full run are kept")
    arguments = parser.parse_args()
    if arguments.growth:
        warm_heap()
        save(json.loads(RESULTS.read_text()) | {"growth": growth()})
        return
    register_rows()
    results = []
    print(f"{'peer / ours':<60}{'n':>10}{'ratio':>9}{'first':>9}{'goal':>8}", flush=True)
    for name, _, goals in ROWS:
        for n, goal in goals.items():
            if not re.search(arguments.rows, name) or arguments.quick and n > 10**5:
                continue
            result = measure_apart(name, n, 1.0 if arguments.quick else 4.0)
            if isinstance(result, str):
                print(f"{name:<60}{n:>10}  left out: {result}")
                continue
            result = {"name": name, "n": n, **result, "goal": round(goal, 2), "met": result["ratio"] >= goal}
            results.append(result)
            print(f"{name:<60}{n:>10}{result['ratio']:>9.2f}{result['first']:>9.2f}{goal:>8.2f}  {'' if result['met'] else 'below the goal'}", flush=True)
    if not arguments.rows and not arguments.quick:
        warm_heap()
        save({"machine": machine(), "rows": results, "growth": growth()})


if __name__ == "__main__":
    main()
