"""The command line: `aucbook compare`, `report`, `score`, `monitor`, `validate` and `lab`. Parsing arguments teaches nothing about ranking: no notebook."""

import argparse
import contextlib
import os
import sys
import warnings
from pathlib import Path

from .. import __version__
from .._validation.messages import printable, shortened

from .commands import compare, lab, report_scores, score
from .given import UserError, add_missing, in_options
from .reading import add_reading, data_path, in_rows_of_file
from .watching import add_monitor, add_validate


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the way to more."""

    def error(self, message):
        # one line, without the usage
        self.exit(2, f"{self.prog}: {shortened(message)}; see {self.prog} --help\n")


def add_ranges(command, out="aucbook-out"):
    """The options that `compare` and `report` share."""
    add = command.add_argument
    add("--label", help="the column that holds the labels (two classes)")
    add("--pos", help="the positive label; default: the larger number, or the later word")
    add(
        "--min-fpr",
        type=float,
        default=0.0,
        help="smallest false positive rate that counts (default 0)",
    )
    add(
        "--max-fpr",
        type=float,
        default=1.0,
        help="largest false positive rate you can afford (default 1)",
    )
    measures = "auc 'pauc(max_fpr=.1)' ap 'precision(k=.05)' brier"
    said = (
        f"what to measure, e.g. {measures}; the first one orders the table and has the intervals and tests "
        "(default: the area of the range; a wrong name lists all)"
    )
    add("--measure", nargs="+", action="extend", metavar="NAME", help=said)
    belong = "rows that agree here, say of one patient, belong together: in one fold, in one sum"
    add("--groups", metavar="COLUMN", help=belong)
    apart = "tell the subgroups that this column names apart, such as centres; rankers use it too, unless it is dropped"
    add("--by", metavar="COLUMN", help=apart)
    unwanted = (
        "columns to leave out: numbers of cases, what is known only afterwards, what is no score"
    )
    add("--drop", nargs="+", metavar="COLUMN", help=unwanted)
    add_missing(command)
    add_reading(command)
    skip = "leave out rows whose label is missing (see --na-values), and say how many there are"
    add("--skip-unlabelled", action="store_true", help=skip)
    known = "numbers of findings to leave out, because you know and it is as it should be"
    add("--ignore", nargs="+", action="extend", default=[], metavar="AB2", help=known)
    add(
        "--out",
        default=out,
        help=f"folder for the report and its files (default {out}); what is there is replaced",
    )


def add_compare(commands):
    """The subcommand `compare`."""
    said = "cross-validate the book's rankers beside their rivals, and decide"
    command = commands.add_parser("compare", help=said)
    command.set_defaults(run=compare)
    add = command.add_argument
    data = (
        "a CSV file (with a header line; also compressed), .xlsx or Parquet; - for standard input;"
    )
    data += " default: scikit-learn's breast-cancer data"
    add("data", nargs="?", type=data_path, help=data)
    add_ranges(command)
    add("--weight", metavar="COLUMN", help="weights of the rows")
    when = "train on earlier rows, test on later ones, by this column: numbers, dates, dates with a time, months, quarters,"
    when += " ISO weeks or times of day, all rows in one format"
    add("--time", metavar="COLUMN", help=when)
    only = "compare these alone, names with commas between them (a wrong name lists all)"
    add("--rankers", metavar="NAMES", help=only)
    said = "decide for this one, or for 'simplest', that no test finds worse than the best (default: the best)"
    add("--ranker", metavar="NAME", help=said)
    promise = (
        "the false positive rate that the alarm keeps to (default: --max-fpr, or .1 if that is 1)"
    )
    add("--guarantee", type=float, help=promise)
    add(
        "--prevalence",
        type=float,
        help="share of positives where the alarm will ring (default: that of the file)",
    )
    add(
        "--miss-cost",
        type=float,
        help="what a miss costs; with --alarm-cost the alarm stands where both cost least",
    )
    add("--alarm-cost", type=float, help="what a false alarm costs, in the same unit")
    said = "instead of --miss-cost: what missing each row would cost, if it is positive (the column ranks nothing)"
    add("--cost-column", metavar="COLUMN", help=said)
    add("--budget", type=float, help="the largest share of all cases that may ring, such as .02")
    add("--cv", type=int, default=5, help="number of folds (default 5)")
    add(
        "--repeats",
        type=int,
        default=1,
        help="how many times the rows are dealt into folds anew (default 1)",
    )
    tune = "let every ranker choose its settings inside each training part (about ten times slower)"
    add("--tune", action="store_true", help=tune)
    scores = "the columns are scores already: compare them, train nothing (as `report`)"
    add("--scores", action="store_true", help=scores)
    time = "for how long there is time: rankers that would take longer are left out, and told"
    add("--minutes", type=float, help=time)
    add("--jobs", type=int, default=None, help="processes (default 1; -1 for all cores)")
    add("--seed", type=int, default=0, help="seed of folds and rankers (default 0)")


def add_report(commands):
    """The subcommand `report`."""
    said = "compare scores that are there already: a column each, and one of labels"
    command = commands.add_parser("report", help=said)
    command.set_defaults(run=report_scores)
    data = (
        "a CSV, .xlsx or Parquet file, such as the scores.csv of a comparison; - for standard input"
    )
    command.add_argument("data", type=data_path, help=data)
    add_ranges(
        command, "aucbook-report"
    )  # beside the comparison whose scores it reads, not over it


def add_score(commands):
    """The subcommand `score`."""
    command = commands.add_parser(
        "score", help="rank new rows by the model that a comparison decided for"
    )
    command.set_defaults(run=score)
    add = command.add_argument
    add("model", help="the file model.skops of a comparison (needs the package skops)")
    data = "a CSV, .xlsx or Parquet file with the columns of the comparison; - for standard input"
    add("data", type=data_path, help=data)
    add_missing(command)
    add_reading(command)
    keep = "columns to copy beside the scores, such as the number of a patient; write them after MODEL and DATA"
    add("--keep", nargs="+", metavar="COLUMN", help=keep)
    out = "the file to write, a line for each row in their order (default scored.csv)"
    add("--out", default="scored.csv", help=out)


def add_lab(commands):
    """The subcommand `lab`."""
    said = "copy the pages of the book to a folder and open them in JupyterLab"
    further = "Further options go to JupyterLab, each with its value behind an equals sign, such as --port=8899 or --allow-root."
    command = commands.add_parser("lab", help=said, epilog=further)
    command.set_defaults(run=lab)
    add, folder = command.add_argument, "aucbook-notebooks"
    add(
        "folder",
        nargs="?",
        default=folder,
        help=f"where to copy them; files of yours that are there stay (default {folder})",
    )
    add("--copy-only", action="store_true", help="do not start JupyterLab")
    add("--no-browser", action="store_true", help="start JupyterLab without opening a browser")


def parser():
    """The parser of the command line, a subcommand for each thing it does."""
    main = Parser(
        prog="aucbook", description="Ranking and partial AUC: compare rankers, or open the book."
    )
    main.add_argument("--version", action="version", version=f"aucbook {__version__}")
    commands = main.add_subparsers(dest="command", required=True)
    for add in (add_compare, add_report, add_score, add_monitor, add_validate, add_lab):
        add(commands)
    return main


class CleanStream:
    """A stream that writes what can be printed: names in files may hold sequences that steer a terminal."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        """Write a text without them."""
        return self.stream.write(printable(text, lines=True))

    def __getattr__(self, name):
        return getattr(self.stream, name)


def complain(message):
    """Print a message of the command to the stream of errors."""
    print(f"aucbook: {printable(message, lines=True)}", file=sys.stderr)


def unexpected(error, arguments):
    """A sentence on an exception that no check has foreseen."""
    if isinstance(error, MemoryError):
        return f"there is not enough memory for {arguments.command}: give it a smaller file, or a larger machine"
    said = (str(error) or "without a message").splitlines()[0]
    files = [
        str(getattr(arguments, name))
        for name in ("model", "data", "log")
        if getattr(arguments, name, None)
    ]
    what = f"{arguments.command} failed{' on ' * bool(files)}{' and '.join(files)}: {type(error).__name__}, {said}"
    return f"{what}; look whether the files are those that were meant (AUCBOOK_TRACEBACK=1 shows where it failed)"


def main(argv=None):
    """Run a command line, by default the one that was typed; the exit code: 2 for what the user can mend, 130 for Ctrl-C."""
    known = parser()
    arguments, further = known.parse_known_args(argv)
    if further and arguments.command != "lab":
        known.prog += f" {arguments.command}"  # whose options the message leads to
        known.error(f"unrecognized arguments: {' '.join(further)}")
    arguments.further = further
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "pos_label not given: using")  # AB8 says so
            warnings.filterwarnings("ignore", "left out: column")  # `before_work` says so
            warnings.showwarning = lambda message, *_: complain(shortened(in_options(message)))
            with contextlib.redirect_stdout(CleanStream(sys.stdout)):
                return arguments.run(arguments)
    except UserError as error:
        message = in_rows_of_file(str(error), getattr(arguments, "first_row", 2))
        complain(shortened(message))
        return 2
    except BrokenPipeError:  # whoever read what is printed has stopped, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        keeps = arguments.command == "compare" and not arguments.scores
        folds = f"; the same command goes on from the finished folds kept in {Path(arguments.out) / 'checkpoint'}"
        print(f"\naucbook: interrupted{folds if keeps else ''}", file=sys.stderr)
        return 130
    except Exception as error:  # nothing that a file holds ends in a traceback
        if os.environ.get("AUCBOOK_TRACEBACK"):
            raise
        complain(shortened(unexpected(error, arguments)))
        return 2
