"""`aucbook lab`: the notebooks of the book in JupyterLab."""

from pathlib import Path
import importlib.util
import os
import signal
import subprocess
import sys
from .arguments import UserError

NOT_INSTALLED = "JupyterLab is not installed: pip install 'aucbook[lab]'"
AS_ROOT = "aucbook: JupyterLab runs as root only if you allow it: aucbook lab --allow-root"
N_NAMED = 5  # of the files that differ


def add_lab(commands):
    """Add the subcommand `lab`."""
    command = commands.add_parser(
        "lab",
        help="write the notebooks of the book to a folder, and open them in JupyterLab",
        epilog="Further options are passed to JupyterLab; write values with an equals sign, as in "
        "--port=8899.",
    )
    command.set_defaults(run=lab)
    add = command.add_argument
    default = "aucbook-notebooks"
    add(
        "folder",
        nargs="?",
        default=default,
        help=f"the folder to copy to; existing files are kept (default {default})",
    )
    add("--copy-only", action="store_true", help="do not start JupyterLab")
    add("--no-browser", action="store_true", help="start JupyterLab without opening a browser")


def notebook_folder():
    """The folder of the notebooks: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    folders = (package / "nbs", package.parent / "nbs")
    return next(folder for folder in folders if (folder / "index.ipynb").exists())


def lab(arguments):
    """Run `aucbook lab`; return the exit code."""
    from ..lab.edition import write_edition

    folder = Path(arguments.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        on_terminal = int(sys.stderr.isatty())
        different = write_edition(notebook_folder(), folder, verbose=on_terminal)
    except ImportError:
        raise UserError(NOT_INSTALLED) from None
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from None
    message = f"The notebooks are in {folder}; the first page is index.ipynb."
    if different:
        names = ", ".join(different[:N_NAMED])
        if len(different) > N_NAMED:
            names += f" and {len(different) - N_NAMED} more"
        message += (
            f" Existing files that differ from the book's were kept: {names} (delete a file to get "
            "the book's version)."
        )
    print(message)
    if arguments.copy_only:
        return 0
    if importlib.util.find_spec("jupyterlab") is None:
        raise UserError(NOT_INSTALLED)
    options = ["--LabApp.default_url=/lab/tree/index.ipynb"]
    if arguments.no_browser:
        options.append("--no-browser")
    command = [sys.executable, "-m", "jupyterlab", *options, *arguments.further]
    code = serve(command, folder)
    if code and is_root() and "--allow-root" not in arguments.further:
        print(AS_ROOT, file=sys.stderr)
    return code


def serve(command, folder):
    """Run JupyterLab in a folder until it ends; return its exit code.

    It gets Ctrl-C from the terminal, and asks whether to stop: this process only waits.
    """
    with subprocess.Popen(command, cwd=folder) as server:

        def stop(*_):
            server.terminate()

        before = {
            signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
            signal.SIGTERM: signal.signal(signal.SIGTERM, stop),
        }
        try:
            return server.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def is_root():
    """Whether this process runs as root; never on Windows."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
