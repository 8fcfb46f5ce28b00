"""Files that are made once in a run: by the first worker, for all; also when that worker fails or dies."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from making import make_once

WORKER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from making import make_once

def make(path):
    path.mkdir()
    (path / "begun").touch()
    time.sleep(float(sys.argv[3]))
    (path / "made").touch()
    print("made")

make_once(Path(sys.argv[2]), "thing", make)
"""


def worker(folder, seconds):
    command = [
        sys.executable,
        "-c",
        WORKER,
        str(Path(__file__).parents[1]),
        str(folder),
        str(seconds),
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_the_first_makes_and_the_others_wait(tmp_path):
    running = [worker(tmp_path, 0.3) for _ in range(3)]
    assert sorted(one.communicate(timeout=60)[0] for one in running) == ["", "", "made\n"]


def test_where_one_dies_the_next_begins_again(tmp_path):
    """A worker that is killed cannot report it: the others must not wait for ever."""
    first = worker(tmp_path, 600)
    while not (tmp_path / "thing/begun").exists():
        assert first.poll() is None
        time.sleep(0.05)
    second = worker(tmp_path, 0)
    first.kill()
    first.communicate()
    assert second.communicate(timeout=60)[0] == "made\n" and (tmp_path / "thing/made").exists()


def test_a_failure_is_everybodys(tmp_path):
    times = []

    def fails(path):
        times.append(path)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        make_once(tmp_path, "thing", fails)
    with pytest.raises(AssertionError, match="thing: see the worker that made it"):
        make_once(tmp_path, "thing", fails)
    assert len(times) == 1
