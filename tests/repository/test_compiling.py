"""Kernels compile into a folder that misbehaves: slower, never wrong."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import aucbook

pytestmark = pytest.mark.slow

PROGRAM = """
from aucbook import roc_auc, roc_curve
y, s = [0, 1, 0, 1, 1], [1.0, 2, 3, 4, 2]
curve = roc_curve(y, s)
print(roc_auc(y, s), curve.tpr.tolist(), curve.fpr.tolist())
"""
# two pairs in the wrong order (the row with score 3 above two positives), of six
EXPECTED = f"{4 / 6} {[0.0, 1 / 3, 1 / 3, 1.0, 1.0]} {[0.0, 0.0, 0.5, 0.5, 1.0]}"
# as if no folder in the world could be written to, which a superuser's tests cannot arrange
NOWHERE = """
import tempfile
def refused(*arguments, **keywords):
    raise PermissionError(13, "Permission denied")
tempfile.TemporaryFile = refused
"""


@pytest.fixture
def start(tmp_path):
    """A function that starts a program with a copy of the package and a cache folder."""
    package = tmp_path / "package"
    ignored = shutil.ignore_patterns("__pycache__", "*.nb[ic]")
    shutil.copytree(Path(aucbook.__file__).parent, package / "aucbook", ignore=ignored)

    def process(program, cache, **further):
        environment = {
            **os.environ,
            "PYTHONPATH": str(package),
            "NUMBA_CACHE_DIR": str(cache),
            "HOME": str(tmp_path / "home"),
            "PYTHONDONTWRITEBYTECODE": "1",  # Python's own files are cut off on a full disk
            "AUCBOOK_QUIET": "0",
            **further,
        }
        return subprocess.Popen(
            [sys.executable, "-c", program],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return process


def result(process):
    """(exit code, what it printed, its errors) of a process."""
    printed, errors = process.communicate(timeout=300)
    return process.returncode, printed.strip(), errors


def test_a_file_where_the_cache_should_be(start, tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("not a folder", encoding="utf8")
    assert result(start(PROGRAM, blocked))[:2] == (0, EXPECTED)
    assert blocked.read_text(encoding="utf8") == "not a folder"


@pytest.mark.parametrize("temporary", [True, False])
def test_no_folder_can_be_written_to(start, tmp_path, temporary):
    nowhere = NOWHERE if temporary else NOWHERE + "tempfile.mkdtemp = refused\n"
    code, printed, errors = result(start(nowhere + PROGRAM, tmp_path / "cache"))
    assert (code, printed) == (0, EXPECTED)
    assert errors.count("Warning: no folder for compiled kernels can be written to") == 1


@pytest.mark.skipif(os.name == "nt", reason="a limit of POSIX")
def test_a_full_disk(start, tmp_path):
    # as on a full disk, a file cannot grow: here beyond a kilobyte
    limited = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))\n"
    cache = tmp_path / "cache"
    code, printed, errors = result(start(limited + PROGRAM, cache))
    assert (code, printed) == (0, EXPECTED)
    assert errors.count("Warning: compiled kernels cannot be written to") == 1
    assert not [file for file in cache.rglob("*") if file.is_file()]  # nothing half written
    assert result(start(PROGRAM, cache)) == (0, EXPECTED, "")


def test_processes_that_compile_the_same_kernels_at_once(start, tmp_path):
    cache = tmp_path / "cache"
    results = [result(process) for process in [start(PROGRAM, cache) for _ in range(3)]]
    assert [outcome[:2] for outcome in results] == [(0, EXPECTED)] * 3
    assert list(cache.rglob("*.nbc"))
    assert result(start(PROGRAM, cache))[:2] == (0, EXPECTED)  # from the cache they have left


@pytest.mark.skipif(os.name == "nt", reason="a signal of POSIX")
@pytest.mark.parametrize("files", [1, 2])
def test_control_c_while_kernels_compile(start, tmp_path, files):
    cache = tmp_path / "cache"
    process = start(PROGRAM, cache)
    deadline = time.monotonic() + 120
    while len(list(cache.rglob("*.nbc"))) < files and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    code, printed, errors = result(process)
    assert (code, printed) == (0, EXPECTED) or "KeyboardInterrupt" in errors
    assert result(start(PROGRAM, cache))[:2] == (0, EXPECTED)


def cut_off(content):
    return content[: len(content) // 2]


def empty(content):
    return b""


def with_another_bit(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def test_files_of_the_cache_that_are_damaged(start, tmp_path):
    cache = tmp_path / "cache"
    assert result(start(PROGRAM, cache))[:2] == (0, EXPECTED)
    files = list(cache.rglob("*.nbc"))
    for damage in (cut_off, empty, with_another_bit):
        for file in files:
            file.write_bytes(damage(file.read_bytes()))
        damaged = {file: file.read_bytes() for file in files}
        assert result(start(PROGRAM, cache)) == (0, EXPECTED, "")
        assert all(file.read_bytes() != damaged[file] for file in files)  # compiled again
        assert set(cache.rglob("*.nbc")) == set(files)


INNER = """
from aucbook._kernels.compiling import njit
FACTOR = 2
@njit()
def scaled(x):
    return FACTOR * x
"""
OUTER = """
from aucbook._kernels.compiling import njit
from inner import scaled
@njit()
def increased(x):
    return scaled(x) + 1
"""


def test_a_kernel_in_another_module_changes(start, tmp_path):
    """As after an upgrade: the outer kernel's file is as before, the inner one's is not."""
    cache = tmp_path / "cache"
    (tmp_path / "package/outer.py").write_text(OUTER, encoding="utf8")
    for factor in (2, 3):
        inner = INNER.replace("FACTOR = 2", f"FACTOR = {factor}")
        (tmp_path / "package/inner.py").write_text(inner, encoding="utf8")
        program = "from outer import increased\nprint(increased(10), increased.stats.cache_hits)"
        assert result(start(program, cache))[:2] == (0, f"{10 * factor + 1} Counter()")
        code, printed, _ = result(start(program, cache))
        assert code == 0 and printed.startswith(f"{10 * factor + 1} Counter({{")


SLOW_KERNELS = """
from sys import stderr
stderr.isatty = lambda: True
from aucbook._kernels.compiling import COMPILATION
COMPILATION.patience = 0.0
"""


def test_a_sentence_appears_once_while_kernels_compile(start, tmp_path):
    cache = tmp_path / "cache"
    sentence = "aucbook compiles its kernels"
    quiet = result(start(SLOW_KERNELS + PROGRAM, tmp_path / "other", AUCBOOK_QUIET="1"))
    assert quiet == (0, EXPECTED, "")
    code, printed, errors = result(start(SLOW_KERNELS + PROGRAM, cache))
    assert (code, printed) == (0, EXPECTED)
    assert errors.count(sentence) == 1 and errors.count("\n") == 1
    assert result(start(SLOW_KERNELS + PROGRAM, cache)) == (0, EXPECTED, "")  # from the cache
