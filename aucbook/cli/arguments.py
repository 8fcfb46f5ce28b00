"""Options that several commands share, and errors that the user can mend."""

from .._validation.messages import shortened
import argparse
import os
import re


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that leads to --help."""

    def error(self, message):
        """Exit with a message of one line, without the usage."""
        self.exit(2, f"{self.prog}: {shortened(message)}; see {self.prog} --help\n")


def add_comparison_options(command, out="aucbook-out"):
    """Add the options that `compare` and `report` share."""
    add = command.add_argument
    add("--label", metavar="COLUMN", help="the column of labels (two classes)")
    add("--pos", help="the positive label (default: the larger number, or the last word in order)")
    add(
        "--min-fpr",
        type=float,
        default=0.0,
        help="lower end of the range of false positive rates (default 0)",
    )
    add(
        "--max-fpr",
        type=float,
        default=1.0,
        help="upper end of the range of false positive rates (default 1)",
    )
    add(
        "--measure",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="performance measures, e.g. auc 'pauc(max_fpr=.1)' ap 'precision(k=.05)' brier; the "
        "first one orders the table, and intervals and tests are of it (default: the AUC, or the "
        "partial AUC of the range; a wrong name lists all)",
    )
    add(
        "--groups",
        metavar="COLUMN",
        help="clusters of rows, such as the patient: a cluster is never split between folds, and "
        "intervals and tests allow for it",
    )
    add(
        "--by",
        metavar="COLUMN",
        help="report performance by subgroup (values of this column); rankers use the column, "
        "too, unless it is dropped",
    )
    add(
        "--drop",
        nargs="+",
        metavar="COLUMN",
        help="columns that are not used: identifiers, and what becomes known only afterwards",
    )
    add_missing_option(command)
    add_reading_options(command)
    add(
        "--skip-unlabelled",
        action="store_true",
        help="drop rows whose label is missing (see --na-values), and report how many",
    )
    add(
        "--ignore",
        nargs="+",
        action="extend",
        default=[],
        metavar="AB2",
        help="codes of checks whose warnings are not wanted",
    )
    add(
        "--out",
        default=out,
        help=f"folder of the report and its files (default {out}); existing files are overwritten",
    )


class UserError(Exception):
    """An error that the user can mend: printed as one line, exit code 2."""


OPTIONS = {  # argument of the library -> option
    "alarm_cost": "--alarm-cost",
    "budget": "--budget",
    "cv": "--cv",
    "max_fpr": "--max-fpr",
    "min_fpr": "--min-fpr",
    "minutes": "--minutes",
    "miss_cost": "--miss-cost",
    "n_jobs": "--jobs",
    "pos_label": "--pos",
    "prevalence": "--prevalence",
    "random_state": "--seed",
    "repeats": "--repeats",
    "sample_weight": "--weight",
    "ignore": "--ignore",
    "skip_unlabelled": "--skip-unlabelled",
}


# a word is an argument before =, < or "must"; one with an underscore, anywhere but in quotes and
# paths
_ANY = "|".join(OPTIONS)
_WITH_UNDERSCORE = "|".join(word for word in OPTIONS if "_" in word)
_ARGUMENT = re.compile(
    rf"(?<![\w'\"./:-])"
    rf"(?:({_ANY})(?=\s*[=<]|\s+must\b|, the number)|({_WITH_UNDERSCORE})(?![\w'\"/-]|\.\w))"
    r"(=(?!=))?"
)


def in_options(message, **other):
    """A message of the library with its arguments replaced by the options of the command line.

    Arguments of a call, such as pauc(max_fpr=.1), stay as they are. other: {argument: option} of
    this call.
    """
    options = OPTIONS | other

    def option(found):
        return options[found[1] or found[2]] + " " * bool(found[3])

    parts = re.split(r"(\w\([^()]*\))", str(message))  # every second part is a call
    return "".join(part if i % 2 else _ARGUMENT.sub(option, part) for i, part in enumerate(parts))


def add_missing_option(command):
    """Add the option that says which values are missing."""
    command.add_argument(
        "--na-values",
        metavar="VALUES",
        help="further values that are missing, in any column, e.g. '?,-9' (--na-values=-9 where a "
        "minus comes first); an empty cell, NA, N/A, NaN, NaT, null, None and <NA> always are",
    )


def data_path(word):
    """The path that an argument names; - is standard input, under a name that messages can show."""
    return "/dev/stdin" if word == "-" and os.path.exists("/dev/stdin") else word


def add_reading_options(command):
    """Add the options of every command that reads a table."""
    add = command.add_argument
    add(
        "--sep",
        metavar="CHAR",
        help="separator of a CSV file: a character, tab or space (default: detected)",
    )
    add(
        "--encoding", metavar="NAME", help="encoding of a CSV file, e.g. cp1252 (default: detected)"
    )
    add(
        "--header",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether the first row holds the column names (default: detected); without a header "
        "the columns are column_1, column_2, ...",
    )
    add("--sheet", metavar="NAME", help="sheet of a spreadsheet (default: the first)")


MODEL_HELP = "the file model.skops of a comparison (needs the package skops)"
