"""The command line: `aucbook compare`, `report`, `score`, `monitor`, `validate`, `warm-up`, `lab`.

These modules have no notebook: parsing arguments is not about ranking.
"""

from .. import __version__
from .._validation.messages import shortened
from pathlib import Path
import contextlib
import errno
import os
import sys
import warnings
from .arguments import Parser, UserError, in_options
from .compare import add_compare
from .lab import add_lab
from .monitor import add_monitor
from .output import CleanStream, print_error
from .report import add_report
from .score import add_score
from .table_input import shift_rows
from .validate import add_validate
from .warm_up import add_warm_up


def parser():
    """Return the parser of the command line, with its subcommands."""
    main = Parser(
        prog="aucbook",
        description="Bipartite ranking and partial AUC: compare rankers, score new rows, validate "
        "and monitor a model, or open the book.",
    )
    main.add_argument("--version", action="version", version=f"aucbook {__version__}")
    commands = main.add_subparsers(dest="command", required=True)
    for add in (
        add_compare,
        add_report,
        add_score,
        add_monitor,
        add_validate,
        add_warm_up,
        add_lab,
    ):
        add(commands)
    return main


def print_warning(message, *_):
    """Print a warning as a line, in the words of the command line."""
    print_error(shortened(in_options(message)))


# the disk is full, a file may not be larger, or the user's quota is used up
FULL_DISK = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


def full_disk_error(error):
    """Return the OSError of a full disk that an exception is or follows from, else None."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL_DISK:
            return error
        error = error.__cause__ or error.__context__
    return None


def unexpected_error(error, arguments):
    """Message for an unexpected exception."""
    if isinstance(error, MemoryError):
        return f"not enough memory for {arguments.command}: use a smaller file or a larger machine"
    full = full_disk_error(error)
    if full is not None:
        file = f" {full.filename}" if full.filename else ""
        return (
            f"{arguments.command} could not write a file{file}: {full.strerror}; free some space, "
            "or name folders on another disk for temporary files (TMPDIR) and compiled code "
            "(NUMBA_CACHE_DIR)"
        )
    reason = (str(error) or "without a message").splitlines()[0]
    files = [
        str(getattr(arguments, name))
        for name in ("model", "data", "log")
        if getattr(arguments, name, None)
    ]
    on_files = f" on {' and '.join(files)}" if files else ""
    problem = f"{arguments.command} failed{on_files}: {type(error).__name__}, {reason}"
    return f"{problem}; check the files (AUCBOOK_TRACEBACK=1 shows where it failed)"


def main(argv=None):
    """Run a command line, by default that of the process.

    The exit code is 0 for success, 1 for a result that someone has to look at (a blocking check, a
    guarantee that cannot be given, a violation that `monitor` detects), 2 for an error that the
    user can correct, 130 for Ctrl-C.
    """
    known = parser()
    arguments, further = known.parse_known_args(argv)
    if further and arguments.command != "lab":
        known.prog += f" {arguments.command}"  # --help of the subcommand
        known.error(f"unrecognized arguments: {' '.join(further)}")
    arguments.further = further
    arguments.words = list(sys.argv[1:] if argv is None else argv)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "pos_label not given: using")  # check AB8 reports it
            # dropped columns are part of the printed summary; unknown columns of new rows are not
            warnings.filterwarnings("ignore", "left out: column(?!.* the model was not trained on)")
            warnings.showwarning = print_warning
            with contextlib.redirect_stdout(CleanStream(sys.stdout)):
                return arguments.run(arguments)
    except UserError as error:
        message = shift_rows(str(error), getattr(arguments, "first_row", 2))
        print_error(shortened(message))
        return 2
    except BrokenPipeError:  # the reader of the output has closed it, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        resume = ""
        has_checkpoint = arguments.command == "compare" and not arguments.scores
        if has_checkpoint and arguments.minutes is None:
            folder = Path(arguments.out) / "checkpoint"
            resume = f"; the same command resumes from the finished folds in {folder}"
        print(f"\naucbook: interrupted{resume}", file=sys.stderr)
        return 130
    except Exception as error:  # a message, not a traceback, whatever the file
        if os.environ.get("AUCBOOK_TRACEBACK"):
            raise
        print_error(shortened(unexpected_error(error, arguments)))
        return 2
