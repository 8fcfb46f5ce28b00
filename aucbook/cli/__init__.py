"""The command line: `aucbook compare`, `report`, `score` and `lab`. Parsing arguments teaches nothing about ranking: no notebook."""

import argparse
import sys
from pathlib import Path

from aucbook import __version__

from .commands import compare, lab, report_scores, score
from .given import UserError


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the way to more."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")  # one line, without the usage


def add_ranges(command, out="aucbook-out"):
    """The options that `compare` and `report` share."""
    command.add_argument("--label", help="the column that holds the labels (two classes)")
    command.add_argument("--pos", help="the positive label; default: the larger number, or the later word")
    command.add_argument(
        "--alpha", type=float, default=0.0, help="smallest false positive rate that counts (default 0)"
    )
    command.add_argument(
        "--beta", type=float, default=1.0, help="largest false positive rate you can afford (default 1)"
    )
    command.add_argument(
        "--metrics",
        nargs="+",
        metavar="NAME",
        help="what to measure, e.g. roc_auc partial_auc:0,0.1 average_precision precision_at_k:0.05 brier; the first decides (a wrong name lists all)",
    )
    command.add_argument(
        "--groups",
        metavar="COLUMN",
        help="rows that agree here, say of one patient, belong together: in one fold, in one sum",
    )
    command.add_argument(
        "--drop",
        nargs="+",
        metavar="COLUMN",
        help="columns to leave out: numbers of cases, what is known only afterwards, what is no score",
    )
    command.add_argument(
        "--out", default=out, help=f"folder for the report and its files (default {out}); what is there is replaced"
    )


def parser():
    """The parser of the command line, a subcommand for each thing it does."""
    main = Parser(prog="aucbook", description="Ranking and partial AUC: compare rankers, or open the book.")
    main.add_argument("--version", action="version", version=f"aucbook {__version__}")
    commands = main.add_subparsers(dest="command", required=True)
    c = commands.add_parser("compare", help="cross-validate the book's rankers beside their rivals, and decide")
    c.add_argument(
        "data",
        nargs="?",
        help="a .csv (with a header line; also .csv.gz) or .parquet file; default: scikit-learn's breast-cancer data",
    )
    add_ranges(c)
    c.add_argument("--weight", metavar="COLUMN", help="weights of the rows")
    c.add_argument(
        "--time", metavar="COLUMN", help="train on earlier rows, test on later ones, in the order of this column"
    )
    c.add_argument(
        "--max-fpr",
        type=float,
        help="the false positive rate that the alarm promises (default: beta, or .1 if that is 1)",
    )
    c.add_argument("--cv", type=int, default=5, help="number of folds (default 5)")
    c.add_argument(
        "--repeats", type=int, default=1, help="how many times the rows are dealt into folds anew (default 1)"
    )
    c.add_argument(
        "--tune",
        action="store_true",
        help="let every ranker choose its settings inside each training part (about ten times slower)",
    )
    c.add_argument(
        "--scores",
        action="store_true",
        help="the columns are scores already: compare them, train nothing (as `report`)",
    )
    c.add_argument("--jobs", type=int, default=None, help="processes (default 1; -1 for all cores)")
    c.add_argument("--seed", type=int, default=0, help="seed of folds and rankers (default 0)")
    c.set_defaults(run=compare)
    r = commands.add_parser("report", help="compare scores that are there already: a column each, and one of labels")
    r.add_argument("data", help="a .csv, .csv.gz or .parquet file, such as the scores.csv of a comparison")
    add_ranges(r, "aucbook-report")  # beside the comparison whose scores it reads, not over it
    r.set_defaults(run=report_scores)
    s = commands.add_parser("score", help="rank new rows by the model that a comparison decided for")
    s.add_argument("model", help="the file model.skops of a comparison (needs the package skops)")
    s.add_argument("data", help="a .csv, .csv.gz or .parquet file with the columns of the comparison")
    s.add_argument(
        "--keep",
        nargs="+",
        metavar="COLUMN",
        help="columns to copy beside the scores, such as the number of a patient; write them after MODEL and DATA",
    )
    s.add_argument(
        "--out", default="scored.csv", help="the file to write, a line for each row in their order (default scored.csv)"
    )
    s.set_defaults(run=score)
    o = commands.add_parser(
        "lab",
        help="copy lessons, workshop and evidence to a folder and open them in JupyterLab",
        epilog="Further options go to JupyterLab, each with its value behind an equals sign, such as --port=8899 or --allow-root.",
    )
    o.add_argument(
        "folder",
        nargs="?",
        default="aucbook-notebooks",
        help="where to copy them; files of yours that are there stay (default aucbook-notebooks)",
    )
    o.add_argument("--copy-only", action="store_true", help="do not start JupyterLab")
    o.add_argument("--no-browser", action="store_true", help="start JupyterLab without opening a browser")
    o.set_defaults(run=lab)
    return main


def main(argv=None):
    """Run a command line, by default the one that was typed; the exit code: 2 for what the user can mend, 130 for Ctrl-C."""
    known = parser()
    arguments, further = known.parse_known_args(argv)
    if further and arguments.command != "lab":
        known.error(f"unrecognized arguments: {' '.join(further)}")
    arguments.further = further
    try:
        return arguments.run(arguments)
    except UserError as error:
        print(f"aucbook: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        keeps = arguments.command == "compare" and not arguments.scores
        folds = f"; the same command goes on from the finished folds kept in {Path(arguments.out) / 'checkpoint'}"
        print(f"\naucbook: interrupted{folds if keeps else ''}", file=sys.stderr)
        return 130
