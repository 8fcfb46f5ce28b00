"""Every kernel's lines are run by small tests: measured with compilation off, where they can be seen.

All other lines are counted in the ordinary run: `make test` ends with tools/covered.py.
"""

import ast
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from covered import MARK, kernel_lines, marked, shortfall, statements


def test_kernels_are_covered(root, tmp_path):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "AUCBOOK_LINES": str(tmp_path)}
    environment = {key: value for key, value in environment.items() if not key.startswith("PYTEST_XDIST")}
    command = [
        "pytest",
        "-q",
        "-x",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-m",
        "kernel and not compiled",  # what takes seconds without compilation, and whose kernels smaller tests run
        *(str(path) for path in (root / "tests").glob("test_*.py") if "mark.kernel" in path.read_text(encoding="utf8")),
    ]
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=root, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert not shortfall(tmp_path, kernels=True), "mark a small test of these lines @pytest.mark.kernel"


def test_a_line_counts_when_it_has_run():
    source = '''"""Words."""
from __future__ import annotations

def sign(x):
    "1 or -1"
    if x > 0:
        return 1
    else:
        return -1

class Nothing:
    pass

try:
    found = sign(
        2)
except ValueError:
    found = 0
'''
    ran = set()
    exec(compile(marked(source), "<test>", "exec"), {MARK: ran})
    assert ran == {4, 6, 7, 11, 12, 14, 15}
    assert statements(source) - ran == {9, 18}


def test_lines_of_a_kernel_are_marked_only_where_it_is_not_compiled():
    source = "@njit\ndef f(x):\n    return x\ny = 1\n"
    lines = lambda compiles: {
        int(n) for n in re.findall(rf"{MARK}\.add\((\d+)\)", ast.unparse(marked(source, compiles)))
    }
    assert lines(True) == {2, 4} and lines(False) == {2, 3, 4}


def test_kernels_are_told_from_the_rest():
    source = "@njit(cache=True)\ndef f(x):\n    return x\n\ndef g():\n    return 1\n\n@nb.njit\ndef h(x):\n    for i in x:\n        pass\n"
    assert kernel_lines(source) == {3, 10, 11}
    assert kernel_lines("@register(note='jit')\ndef f():\n    return 1\n") == set()
