"""Kernels for many notebooks, forked from one process that has already imported what pages import.

Each page needs a kernel of its own, or one page could lean on another. But most of a kernel's start are imports, two to four
seconds of them, the same for all. Here a process imports them once, and each kernel begins as its copy: the ordinary ipykernel,
spoken to in the ordinary way. Linux forks well; elsewhere a kernel starts from nothing.

    NotebookClient(notebook, kernel_manager_class=WarmKernel, …)

Run as a program, this file is that process. Each line it reads asks for a kernel, in JSON: {"cwd", "argv", "env"}. It prints the kernel's
process id when it has started, and again, with its exit status, when it has ended.
"""

import ast
import atexit
import builtins
import contextlib
import importlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from jupyter_client.manager import AsyncKernelManager

NOTEBOOKS = Path(__file__).resolve().parents[1] / "nbs"
APART = {  # what each kernel imports for itself
    # these ask at their import where they are; here is no shell yet
    *("matplotlib_inline", "tqdm", "optuna", "shap"),
    *("duckdb", "polars", "lightgbm"),  # these have threads of their own, which a copy would lack
}


def imports() -> set[str]:
    """The modules that the notebooks import."""
    modules = set()
    for path in NOTEBOOKS.rglob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            source = "".join(cell["source"])
            if (
                cell["cell_type"] == "code"
                and "import" in source
                and not source.startswith(("%", "!"))
            ):
                nodes = list(ast.walk(ast.parse(source)))
                modules |= {
                    one.name for node in nodes if isinstance(node, ast.Import) for one in node.names
                }
                modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    return modules


def notebook_shell() -> SimpleNamespace:
    """What pandas asks for, at its import, to know whether this is a notebook."""
    return SimpleNamespace(kernel=None)


def serve() -> None:
    """Fork the requested kernels, one after the other, until the last client has gone."""
    atexit.register(
        os._exit, 0
    )  # comes last; to take the libraries themselves apart waits for threads that a copy does not have
    del sys.path[0]  # the folder of this file
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    os.environ |= {"JPY_PARENT_PID": str(os.getpid())}  # a kernel ends with its parent
    os.environ |= {
        "MPLBACKEND": "module://matplotlib_inline.backend_inline"
    }  # as ipykernel would say, before matplotlib is imported
    from ipykernel.kernelapp import launch_new_instance

    builtins.get_ipython = notebook_shell
    for name in sorted(imports()):
        if name.partition(".")[0] in {"aucbook", *APART}:
            continue
        try:
            importlib.import_module(name)
        except ImportError:  # the page itself will say so
            pass
    del builtins.get_ipython
    assert not {"matplotlib_inline.backend_inline", "tqdm.autonotebook"} & set(sys.modules)
    while line := sys.stdin.readline():
        request = json.loads(line)
        kernel = os.fork()
        if not kernel:
            answers.close()
            os.setsid()  # as a kernel started in the ordinary way
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.chdir(request["cwd"])
            own_environment = {name: os.environ[name] for name in ("JPY_PARENT_PID", "MPLBACKEND")}
            os.environ.clear()
            os.environ.update(request["env"] | own_environment)
            sys.argv = ["ipykernel_launcher", *request["argv"]]
            return launch_new_instance()
        print(kernel, file=answers)
        while not (ended := os.waitpid(kernel, os.WNOHANG))[0]:
            if select.select([0], [], [], 0.05)[0]:  # the client is gone
                return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(kernel, signal.SIGKILL)  # what it started and left behind
        print(kernel, os.waitstatus_to_exitcode(ended[1]), file=answers)


class Forked:
    """A kernel's process, with what a kernel manager wants of `subprocess.Popen`."""

    parent = stdin = stdout = stderr = None

    def __init__(self, cwd, argv: list[str], env: dict[str, str]):
        if not Forked.parent:
            Forked.parent = subprocess.Popen(
                [sys.executable, __file__],
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            atexit.register(Forked.parent.communicate)
        request = {"cwd": str(cwd), "argv": argv, "env": env}
        print(json.dumps(request), file=self.parent.stdin, flush=True)
        self.returncode, answer = None, ["an earlier kernel", "ended after its client had gone"]
        while len(answer) == 2:
            answer = self.parent.stdout.readline().split()
        self.pid = int(answer[0])

    def poll(self):
        if self.returncode is None and select.select([self.parent.stdout], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout=None):
        if self.returncode is None:
            self.returncode = int(self.parent.stdout.readline().split()[1])
        return self.returncode

    def send_signal(self, signum: int):
        if self.poll() is None:
            os.kill(self.pid, signum)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


class WarmKernel(AsyncKernelManager):
    """Starts forked kernels, where that is possible."""

    async def _async_launch_kernel(self, kernel_cmd, **options):
        if sys.platform != "linux":
            return await super()._async_launch_kernel(kernel_cmd, **options)
        argv = kernel_cmd[kernel_cmd.index("ipykernel_launcher") + 1 :]
        self.provisioner.process = Forked(options["cwd"], argv, options["env"])
        self._reconcile_connection_info(self.provisioner.connection_info)


if __name__ == "__main__":
    serve()
