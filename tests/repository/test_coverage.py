"""Every kernel's lines are run by small tests: measured with compilation off, where they can be seen.

All other lines are counted on the server, by the job `lines`: .github/coverage.ini.
"""

import ast
import os
import subprocess
import sys

import coverage

ENOUGH = 95  # percent of the lines of each module's kernels


def kernel_lines(source):
    """Line numbers of the bodies of functions that numba compiles."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    compiled = [
        f
        for f in functions
        if any("jit" in ast.unparse(d).partition("(")[0] for d in f.decorator_list)
    ]
    return {line for f in compiled for line in range(f.body[0].lineno, f.end_lineno + 1)}


def test_kernels_are_covered(root, tmp_path):
    counted = coverage.Coverage(data_file=str(tmp_path / "lines"), config_file=False)
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PYTEST_XDIST")
    }
    files = [
        str(p)
        for p in (root / "tests").rglob("test_*.py")
        if "mark.kernel" in p.read_text(encoding="utf8")
    ]
    chosen = "kernel and not compiled"  # what takes seconds uncompiled, and whose kernels smaller tests run, stays out
    command = [
        "coverage",
        "run",
        "--rcfile=",
        f"--data-file={tmp_path / 'lines'}",
        "--source=aucbook",
    ]
    command += [
        "-m",
        "pytest",
        "-q",
        "-x",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-m",
        chosen,
        *files,
    ]
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=root,
        env={**environment, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    counted.load()
    short = {}
    for path in (root / "aucbook").rglob("*.py"):
        if inside := kernel_lines(path.read_text(encoding="utf8")):
            _, lines, _, missed, _ = counted.analysis2(str(path))
            wanted, missed = inside & set(lines), sorted(inside & set(missed))
            if 100 * (1 - len(missed) / len(wanted)) < ENOUGH:
                short[path.stem] = (
                    f"{len(missed)} of {len(wanted)} lines did not run: {missed[:40]}"
                )
    assert not short, "mark a small test of these lines @pytest.mark.kernel"


def test_kernels_are_distinguished_from_other_functions():
    source = "@njit(cache=True)\ndef f(x):\n    return x\n\ndef g():\n    return 1\n\n@nb.njit\ndef h(x):\n    for i in x:\n        pass\n"
    assert kernel_lines(source) == {3, 10, 11}
    assert kernel_lines("@register(note='jit')\ndef f():\n    return 1\n") == set()
