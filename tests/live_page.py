"""A page with live cells, for test_live.py: what a lesson may hold, an exercise with its checker among it."""

from textwrap import dedent

WIDEST = 44  # columns of a live cell that fit a telephone


def cell(source, *outputs):
    return {
        "cell_type": "code",
        "metadata": {},
        "source": dedent(source).strip("\n"),
        "outputs": list(outputs),
    }


def printed(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def value(text):
    return {
        "output_type": "execute_result",
        "metadata": {},
        "execution_count": None,
        "data": {"text/plain": text},
    }


AUC = cell(
    """
    #| live: true
    scores = [5, 4, 3, 2, 1, 0]
    sick = [1, 1, 0, 0, 1, 0]

    def auc(s, y):
        pos = [a for a, b in zip(s, y) if b]
        neg = [a for a, b in zip(s, y) if not b]
        won = 0
        for p in pos:
            for n in neg:
                won += (p > n) + (p == n) / 2
        return won / len(pos) / len(neg)

    print("AUC", round(auc(scores, sick), 3))
    """,
    printed("AUC 0.778\n"),
)
VALUES = cell(
    """
    #| live: true
    cubes = [s**3 for s in scores]
    print(f"{auc(cubes, sick):.6f} | α ≤ β")
    auc(cubes, sick) == auc(scores, sick), cubes
    """,
    printed("0.777778 | α ≤ β\n"),
    value("(True, [125, 64, 27, 8, 1, 0])"),
)
EXERCISE = cell(
    """
    #| live: true
    def swaps(order):
        "Pairs that stand the wrong way."
        return 0

    swaps([2, 1])
    """,
    value("0"),
)
CHECKER = cell(
    """
    #| live-check: true
    def wrong(order):
        return sum(a > b for i, a in enumerate(order) for b in order[i:])

    for order in ([1], [2, 1], [3, 2, 1], scores):
        if swaps(list(order)) != wrong(order):
            print("swaps(" + str(order) + ") gives " + str(swaps(list(order))) + ", not " + str(wrong(order)))
            break
    else:
        print("all right")
    """,
    printed("swaps([2, 1]) gives 0, not 1\n"),
)
SOLUTION = cell(
    """
    #| code-fold: true
    #| code-summary: "Solution"
    def swaps(order):
        return sum(a > b for i, a in enumerate(order) for b in order[i:])
    """
)
CELLS = ["Some words.", AUC, VALUES, "## An exercise", EXERCISE, CHECKER, SOLUTION]
