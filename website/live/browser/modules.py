"""Standard names that MicroPython lacks, so that a reader's habit works: math.comb, itertools, bisect and statistics, the everyday part.

Runs before cell.py. What Python itself has is left alone.
"""

import math
import sys


class Module:
    """What an import finds."""

    def __init__(self, names):
        for name in names:
            setattr(self, name, names[name])


def provide(module, names):
    """Gives a module the names that it lacks."""
    try:
        there = __import__(module)
        names = {name: names[name] for name in names if not hasattr(there, name)}
        for name in dir(there):
            names[name] = getattr(there, name)
    except ImportError:
        pass
    sys.modules[module] = Module(names)


def prod(values, start=1):
    for value in values:
        start *= value
    return start


def perm(n, k=None):
    return prod(range(n, n - (n if k is None else k), -1)) if k is None or k <= n else 0


def comb(n, k):
    return perm(n, k) // prod(range(1, k + 1)) if k <= n else 0


def dist(p, q):
    return math.sqrt(sum([(a - b) ** 2 for a, b in zip(p, q)]))


def product(*pools, repeat=1):
    made = [()]
    for pool in [list(pool) for pool in pools] * repeat:
        made = [before + (one,) for before in made for one in pool]
    return iter(made)


def chosen(pool, indices, k, start):
    if k == 0:
        yield ()
        return
    for i in indices(start):
        for rest in chosen(pool, indices, k - 1, i + 1):
            yield (pool[i],) + rest


def combinations(values, k):
    pool = list(values)
    return chosen(pool, lambda start: range(start, len(pool)), k, 0)


def permutations(values, k=None):
    pool = list(values)
    k = len(pool) if k is None else k
    for places in product(range(len(pool)), repeat=k):
        if len(set(places)) == k:
            yield tuple([pool[i] for i in places])


def accumulate(values):
    total = None
    for value in values:
        total = value if total is None else total + value
        yield total


def chain(*pools):
    for pool in pools:
        yield from pool


def bisect_left(values, x):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def bisect_right(values, x):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if x < values[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def insort(values, x):
    values.insert(bisect_right(values, x), x)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def median(values):
    values, n = sorted(values), len(values)
    return values[n // 2] if n % 2 else (values[n // 2 - 1] + values[n // 2]) / 2


def pvariance(values):
    middle = mean(values)
    return mean([(value - middle) ** 2 for value in values])


def variance(values):
    return pvariance(values) * len(values) / (len(values) - 1)


def pstdev(values):
    return math.sqrt(pvariance(values))


def stdev(values):
    return math.sqrt(variance(values))


MODULES = {
    "math": {"prod": prod, "perm": perm, "comb": comb, "dist": dist},
    "itertools": {
        "product": product,
        "combinations": combinations,
        "permutations": permutations,
        "accumulate": accumulate,
        "chain": chain,
    },
    "bisect": {
        "bisect_left": bisect_left,
        "bisect_right": bisect_right,
        "bisect": bisect_right,
        "insort": insort,
    },
    "statistics": {
        "mean": mean,
        "median": median,
        "pvariance": pvariance,
        "variance": variance,
        "pstdev": pstdev,
        "stdev": stdev,
    },
}
