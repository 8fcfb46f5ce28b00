"""One process at a time compiles a kernel; the others wait, and take it from the cache.

Workers and the kernels of notebooks begin a run with the same empty cache and need the same functions in its first minutes. Numba
writes its cache safely, but asks nobody: each process would compile what another one is compiling, too.

    import compile_once  # before anything is compiled
"""

import fcntl
import hashlib
from contextlib import contextmanager
from pathlib import Path

from numba import config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

_compile, _held = Dispatcher.compile, set()


@contextmanager
def alone(function):
    "No other process compiles this function meanwhile. What it calls is compiled inside: calls make no circle, so nobody waits forever"
    name = f"{function.__module__}.{function.__qualname__}"
    if name in _held or not config.CACHE_DIR:
        yield
        return
    with open(Path(config.CACHE_DIR) / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _held.add(name)
        try:
            yield
        finally:
            _held.remove(name)


def compile_alone(self, signature):
    with (
        global_compiler_lock,
        alone(self.py_func),
    ):  # the threads of a process first: one function's locks are taken in one order
        return _compile(self, signature)


Dispatcher.compile = compile_alone
