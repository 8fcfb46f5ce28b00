"""Options that several commands share, and errors that the user can correct."""

from .._validation.messages import shortened
import argparse
import os
import re
from typing import Any, NamedTuple


class Parser(argparse.ArgumentParser):
    """Argument parser whose errors are one line that refers to --help; no option is abbreviated."""

    def __init__(self, *args, **options):
        super().__init__(*args, **{"allow_abbrev": False} | options)

    def error(self, message):
        """Exit with a one-line message, without the usage."""
        self.exit(2, f"{self.prog}: {shortened(message)}; see {self.prog} --help\n")


class OptionGroups(NamedTuple):
    """Groups of the options of `compare` and `report`, in the order in which --help lists them."""

    data: Any
    evaluation: Any
    decision: Any
    running: Any


def add_comparison_options(command, out="aucbook-out", *, label, by):
    """Add the options that `compare` and `report` share; return their `OptionGroups`.

    label: when --label may be left out; by: what else --by does, or "".
    """
    groups = OptionGroups(*(command.add_argument_group(name) for name in OptionGroups._fields))
    add = groups.data.add_argument
    add(
        "--label",
        metavar="COLUMN",
        help=f"column of the labels, of two classes; required, except for {label}",
    )
    add(
        "--pos",
        metavar="LABEL",
        help="label of the positive class (default: the larger number, or the last word in "
        "alphabetical order)",
    )
    add(
        "--groups",
        metavar="COLUMN",
        help="column that names groups of rows, such as the patient (clusters): a group is never "
        "split between folds, and intervals and tests take the grouping into account",
    )
    add(
        "--by", metavar="COLUMN", help=f"report performance by subgroup (values of this column){by}"
    )
    add(
        "--drop",
        nargs="+",
        metavar="COLUMN",
        help="columns to leave out, such as identifiers, or values known only after the outcome",
    )
    add(
        "--skip-unlabelled",
        action="store_true",
        help="drop rows whose label is missing (see --na-values), and report how many",
    )
    add_missing_option(groups.data)
    _add_evaluation_options(groups.evaluation.add_argument)
    groups.running.add_argument(
        "--out",
        metavar="FOLDER",
        default=out,
        help=f"folder for the report and its files (default {out}); existing files are overwritten",
    )
    add_reading_options(command)
    return groups


def _add_evaluation_options(add):
    """Add the options that say what is measured and checked, by `add_argument` of their group."""
    add(
        "--min-fpr",
        type=float,
        metavar="RATE",
        default=0.0,
        help="lower end of the range of false positive rates (default 0)",
    )
    add(
        "--max-fpr",
        type=float,
        metavar="RATE",
        default=1.0,
        help="upper end of the range of false positive rates (default 1)",
    )
    add(
        "--measure",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="performance measures, e.g. auc 'pauc(max_fpr=.1)' ap 'precision(k=.05)' brier; the "
        "table is sorted by the first one, which intervals and tests are for (default: the partial "
        "AUC over the range of false positive rates, and the AUC; an unknown name lists all)",
    )
    add(
        "--ignore",
        nargs="+",
        action="extend",
        default=[],
        metavar="CODE",
        help="codes of checks to ignore, e.g. AB2",
    )


class UserError(Exception):
    """An error that the user can correct: printed as one line, exit code 2."""


OPTIONS = {  # argument of the library -> option
    "alarm_cost": "--alarm-cost",
    "budget": "--budget",
    "calibrator": "--calibrator",
    "cv": "--cv",
    "max_fpr": "--max-fpr",
    "min_fpr": "--min-fpr",
    "min_tpr": "--min-tpr",
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
    rf"(?<![\w'\"./:,-])"
    rf"(?:({_ANY})(?=\s*[=<]|\s+must\b|, the number)|({_WITH_UNDERSCORE})(?![\w'\"/-]|\.\w))"
    r"(=(?!=))?"
)


def in_options(message, **other):
    """A message of the library with its arguments replaced by the options of the command line.

    Arguments of a call, such as pauc(max_fpr=.1), stay as they are. other: {argument: option} of
    this call.
    """
    options = OPTIONS | other

    def option(match):
        return options[match[1] or match[2]] + " " * bool(match[3])

    # every second part is a call, or names an argument of a measure
    parts = re.split(r"(measure '[^']*': \w+|\w\([^()]*\))", str(message))
    return "".join(text if i % 2 else _ARGUMENT.sub(option, text) for i, text in enumerate(parts))


def add_missing_option(command):
    """Add the option for further values that are missing."""
    command.add_argument(
        "--na-values",
        metavar="VALUES",
        help="further values to treat as missing in all columns, e.g. '?,-9' (write --na-values=-9 "
        "if the first begins with a minus); an empty cell, NA, N/A, NaN, NaT, null, None and <NA> "
        "are always missing, and in a column of numbers also such marks as - and ?",
    )


def data_path(word):
    """Path of an argument; - for standard input becomes a name that messages can show."""
    return "/dev/stdin" if word == "-" and os.path.exists("/dev/stdin") else word


def add_reading_options(command):
    """Add the options of every command that reads a table, as a group."""
    add = command.add_argument_group("reading the file").add_argument
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
        help="whether the first row holds the column names (default: yes; it is an error if it "
        "looks like data); without a header the columns are named column_1, column_2, ...",
    )
    add("--sheet", metavar="NAME", help="sheet of a spreadsheet (default: the first)")


MODEL_HELP = "the file model.skops written by `compare` (needs the extra `models`)"
