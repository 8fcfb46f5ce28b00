"""Files and lines that commands write."""

from .._validation.messages import printable
from pathlib import Path
import os
import sys
import tempfile
import warnings
from .arguments import UserError, in_options


class CleanStream:
    """Stream that removes control sequences, which names in files may contain."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        """Write the printable part of a text."""
        return self.stream.write(printable(text, lines=True))

    def __getattr__(self, name):
        return getattr(self.stream, name)


class OptionStream(CleanStream):
    """CleanStream that writes options of the command line for arguments of the library."""

    def write(self, text):
        """Write the printable part of a text, with options for arguments."""
        return super().write(in_options(text))


def print_error(message):
    """Print a message to standard error."""
    print(f"aucbook: {printable(message, lines=True)}", file=sys.stderr)


def writable_folder(path):
    """Create a folder if needed, and check that files can be written to it; return it."""
    folder = Path(path)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise UserError(
            f"cannot write to {path}: it is a file, and --out names a folder; choose another"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(2**16))
        return folder
    except OSError as error:
        raise UserError(f"cannot write to {path}: {error.strerror}; choose another --out") from None
    except ValueError as error:  # a zero byte in a name
        raise UserError(f"cannot write to {path!r}: {error}; choose another --out") from None


def report_folder(arguments):
    """Return the folder of a report; UserError if the report would overwrite the input."""
    from ..model_selection import Comparison

    for name in Comparison.FILES:
        keep_inputs(Path(arguments.out) / name, arguments.data)
    return writable_folder(arguments.out)


def write_result(result, out, checks_printed=False):
    """Print the result and write its files; return the exit code.

    Blocking checks are part of the printed table, and make the exit code 1, as do limits that leave
    no case to flag; the others follow it, unless they were printed before the comparison. Those of
    the decision follow it.
    """
    from ..model_selection.checks import CHECKS
    from ..reporting.caveats import of_reversed_scores
    from ..reporting.report import scale_in_words
    from ..reporting.recommendation import advice, blocking_codes, decision_title

    print(result)
    if scale := scale_in_words(result):
        print(f"\n{scale.strip()}")
    for caveat in of_reversed_scores(result):
        print(f"\n{caveat.title}. {' '.join(caveat.sentences)}")
    is_without_threshold = False
    for check in result.checks:
        stage = CHECKS[check.code].stage
        is_printed = checks_printed and stage != "decision"
        if check.severity != "blocking" and not is_printed:
            print(f"\n{in_options(check)}")
    if result.decision is not None:
        print(f"\n{result.choice}")
        headline = next(advice(result.decision))
        is_without_threshold = headline.startswith("No threshold is recommended")
        if result.refused_guarantee is not None:
            print(f"\n{decision_title(result, headline)}")
        print("", headline, "", result.decision, *result.decision.sentences(), sep="\n")
    if result.subgroups is not None:
        print(f"\n{result.subgroups}")
    before = {file: file.stat().st_mtime_ns for file in out.iterdir() if file.is_file()}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the model was not written")  # printed before the work
        try:
            folder = result.save(out)
        except OSError as error:
            again = "; the same command resumes from the finished folds" if result.rankers else ""
            problem = f"cannot write to {out}: {error.strerror}"
            raise UserError(f"{problem}; free some space or choose another --out{again}") from None
    files = [
        file
        for file in folder.iterdir()
        if file.is_file() and before.get(file) != file.stat().st_mtime_ns
    ]
    names = sorted(file.name for file in files)
    print(f"\nwritten to {folder}: {', '.join(names)}")
    older = [name for name in result.FILES if name not in names and (folder / name).exists()]
    if older:
        print(f"from an earlier result, unchanged: {', '.join(older)}")
    print(f"Open {folder / 'report.html'} in a browser.")
    return 1 if blocking_codes(result.checks) or is_without_threshold else 0


def keep_inputs(target, *inputs):
    """Raise UserError if an output would overwrite an input, also through a link."""
    for source in inputs:
        exists = source is not None and os.path.exists(source) and os.path.exists(target)
        if exists and os.path.samefile(target, source):
            raise UserError(
                f"{target} would be overwritten, and {source} is that file: choose another --out"
            )
