"""Files that several test workers need: one of them makes each."""

import shutil
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock


def make_once(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    """The path folder/name after make(path) has run one time, in whichever process comes first; the others wait.

    Where making fails, all fail. A process that dies while it makes lets go of the lock with its end, and the next one begins again.
    """
    path, ended = folder / name, folder / f"{name} ended"
    with FileLock(folder / f"{name} lock"):
        if not ended.exists():
            shutil.rmtree(path, ignore_errors=True)  # what one that died has left
            path.unlink(missing_ok=True)
            try:
                make(path)
            except BaseException:
                ended.write_text("badly")
                raise
            ended.write_text("well")
    assert ended.read_text() == "well", f"{name}: see the worker that made it"
    return path
