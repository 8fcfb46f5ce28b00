"""Every kernel's lines are run by small tests: measured with compilation off, where they can be seen.

All other lines are counted in the ordinary run: `make test` ends with tools/covered.py.
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from covered import kernel_lines, shortfall


def test_kernels_are_covered(root, tmp_path):
    data = tmp_path / "data"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "COVERAGE_FILE": str(data)}
    command = [
        "coverage",
        "run",
        "--rcfile=/dev/null",
        "--source=aucbook",
        "-m",
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
    assert not shortfall(data, kernels=True), "mark a small test of these lines @pytest.mark.kernel"


def test_kernels_are_told_from_the_rest():
    source = "@njit(cache=True)\ndef f(x):\n    return x\n\ndef g():\n    return 1\n\n@nb.njit\ndef h(x):\n    for i in x:\n        pass\n"
    assert kernel_lines(source) == {3, 10, 11}
    assert kernel_lines("@register(note='jit')\ndef f():\n    return 1\n") == set()
