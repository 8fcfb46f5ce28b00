"""What the command line is given: a table, read, chosen from and told back before the work, while there is time to mend it."""

import importlib.util
import os
import re
from decimal import Decimal

from .reading import read_given


class UserError(Exception):
    """Something the user can mend; printed as one line, exit code 2."""


OPTIONS = {  # the library's arguments that an option stands for
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
# as an argument: before =, < or "must"; one with an underscore anywhere but in quotes and paths
_ARGUMENT = re.compile(
    rf"(?<![\w'\"./:-])(?:({'|'.join(OPTIONS)})(?=\s*[=<]|\s+must\b|, the number)|({'|'.join(o for o in OPTIONS if '_' in o)})(?![\w'\"/-]|\.\w))"
    r"(=(?!=))?"
)


def in_options(message, **other):
    """What the library says of its arguments, said of the options that stand for them, but for those of a call such as
    pauc(max_fpr=.1); `other`: {argument: option} of this call.
    """
    options, parts = OPTIONS | other, re.split(r"(\w\([^()]*\))", str(message))
    option = lambda found: options[found[1] or found[2]] + " " * bool(found[3])
    return "".join(part if i % 2 else _ARGUMENT.sub(option, part) for i, part in enumerate(parts))


def of_file(message, arguments):
    """A message on rows of the table with their numbers in the file, also where rows were sorted by --time or left out."""
    from .._tables.files import with_file_rows

    message = str(message)
    if arguments.time is not None and message.startswith("time: "):
        message = f"column {arguments.time!r}: {message.removeprefix('time: ')}"
    rows = getattr(arguments, "rows", None)
    if rows is None:
        return with_file_rows(message)
    return re.sub(
        r"row (\d+) \(the first is 0\)", lambda found: f"row {rows[int(found[1])] + 2}", message
    )


def keep_inputs(target, *inputs):
    """A UserError if a file to be written is one that is read, under whatever name."""
    for source in inputs:
        there = source is not None and os.path.exists(source) and os.path.exists(target)
        if there and os.path.samefile(target, source):
            raise UserError(
                f"{target} would be written over, and {source} is read from that file: choose another --out"
            )


def add_missing(command):
    """The option that says which values are missing."""
    words = "values that are missing in any column, besides an empty cell, NA, N/A, NaN, NaT, null, None and <NA>, e.g. '?,-9'"
    words += " (--na-values=-9 where a minus comes first)"
    command.add_argument("--na-values", metavar="VALUES", help=words)


def given_columns(arguments, empty=False, gone=""):
    """Dict name -> list of strings of the file that was given, "" where a value is missing; with `empty` it may have no rows."""
    return without_missing(read_given(arguments.data, arguments, empty), arguments, gone)


def without_missing(columns, arguments, gone=""):
    """The columns (dict name -> list of strings) with "" where a value is missing, by the one list for all columns and commands.

    Missing are an empty cell, the usual words, --na-values, and `gone`, the words that stood for missing values before. In the
    column of labels 'none' may be the name of a class.
    """
    import numpy as np

    from .._validation.missing import are_missing, are_missing_labels

    gone = {word.strip() for word in f"{arguments.na_values or ''},{gone}".split(",")}
    gone |= {f"{word}.0" for word in gone if word}  # -9 in a column of floats
    label = getattr(arguments, "label", None)
    out = {}
    for name, values in columns.items():
        words = ["" if value.strip() in gone else value for value in values]
        if name == label:
            missing = are_missing_labels(np.array(words, object))
        else:
            known = {word: bool(are_missing([word])[0]) for word in set(words)}
            missing = [known[word] for word in words]
        out[name] = ["" if lost else word for word, lost in zip(words, missing)]
    return out


INDEX = re.compile(
    r"__index_level_\d+__|Unnamed: \d+|"
)  # what pandas calls an index that it writes


def leave_out_index(columns):
    """Take columns that are an index of pandas out of the dict, and say so: they name rows, and rank nothing."""
    for name in [name for name in columns if INDEX.fullmatch(name.strip())]:
        values = columns.pop(name)
        numbered = [str(row) for row in range(len(values))]
        what = "the numbers of the rows" if values == numbered else f"values such as {values[0]!r}"
        print(
            f"left out: column {name!r}, which is the index of a pandas table ({what}); to use it, give it a name"
        )


def column(columns, name, path, what="column"):
    """The values of a column; a UserError says what there is instead."""
    if name not in columns:
        from .._validation.checks import nearest

        meant = nearest(name, columns)
        hint = f"did you mean {meant!r}?" if meant else f"the columns are: {', '.join(columns)}"
        raise UserError(f"{path} has no {what} {name!r}; {hint}")
    return columns[name]


def scores_of_a_comparison(columns):
    """Whether a table is the scores.csv of a comparison: it begins with row, fold, with groups group, and label."""
    return [name for name in list(columns)[:4] if name != "group"][:3] == ["row", "fold", "label"]


def choose_column(columns, name, path, what):
    """The values of a column, taken out of the dict; a UserError says what there is instead, or which row has none."""
    values = [value.strip() for value in column(columns, name, path)]
    del columns[name]
    if "" in values:
        raise UserError(
            f"column {name!r}, row {values.index('') + 2}: the {what} is missing; fill it in, or leave the row out"
        )
    return values


def subgroup_names(columns, name, path):
    """The values of the column --by, None where one is missing; None without a name. The column stays in the dict."""
    from .._tables.columns import stripped_words

    return (
        None
        if name is None
        else [word or None for word in stripped_words(column(columns, name, path))]
    )


def as_numbers(values):
    """Floats of strings; the strings, if one is no number, or if floats would tie two: "10" is more than "9"."""
    import numpy as np

    from .._validation.checks import first_tie
    from .._tables.files import parse_float

    try:
        found = np.array([parse_float(value) for value in values])
    except ValueError:
        return np.array(values)
    return found if first_tie(values, found) is None else np.array(values)


def numbers(columns, advice=""):
    """(n, d) floats of a dict of columns of strings; a UserError names column and row of what is no number, and ends in the advice."""
    import numpy as np

    from .._validation.checks import first_tie
    from .._tables.files import parse_float

    X = np.empty((len(next(iter(columns.values()))), len(columns)))
    for j, (name, values) in enumerate(columns.items()):
        try:
            X[:, j] = list(map(parse_float, values))
        except ValueError:
            i = next(i for i, value in enumerate(values) if not is_number(value))
            what = (
                f"the value is {values[i]!r}, not a number"
                if values[i].strip()
                else "the value is missing"
            )
            raise UserError(
                f"column {name!r}, row {i + 2}: {what}; here numbers are needed{advice}"
            ) from None
        if (tie := first_tie(values, X[:, j])) is not None:
            first, second = (values[row].strip() for row in tie)
            what = f"{first} and {second} (row {tie[1] + 2}) differ, and are equal as floats"
            if abs(X[tie[0], j]) > 2**53:
                what = f"{first} is beyond 2**53, where floats tie numbers that differ, as {second} (row {tie[1] + 2})"
            way = "give ranks instead, or their logarithms"
            raise UserError(f"column {name!r}, row {tie[0] + 2}: {what}; {way}{advice}")
    return X


def is_number(word):
    """Whether a word of a table is a number."""
    from .._tables.files import parse_float

    try:
        parse_float(word)
    except ValueError:
        return False
    return True


def _exact(values):
    """Array of the numbers that strings stand for, to their last digit."""
    import numpy as np

    return np.array([Decimal(value.strip()) for value in values], object)


def in_order(values, name):
    """The order of rows from the earliest time on; a UserError names the row that no format, or another one, reads."""
    import numpy as np

    from .._tables.files import with_file_rows
    from .._tables.times import read_times

    try:
        times = read_times(values, f"column {name!r}")
    except ValueError as error:
        raise UserError(with_file_rows(error)) from None
    return np.argsort(times.rank, kind="stable")


def leave_out(columns, names, path):
    """Take the columns named by --drop out of the dict."""
    for name in names or ():
        column(columns, name, f"--drop: {path}", "other column")
        del columns[name]


def given_table(arguments):
    """Dict of X, y, names, pos_label, groups, by, sample_weight, miss_cost by row of the file that was given; with --time its rows in that
    order.
    """
    import numpy as np

    from .._tables.files import as_objects

    columns = given_columns(arguments)
    if arguments.time is not None and arguments.groups is not None:
        why = "folds in the order of time may part a group"
        raise UserError(f"--time and --groups exclude each other: {why}; leave one out")
    if arguments.label is None:
        raise UserError(
            f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}"
        )
    y = labels(columns, arguments.label, arguments.data, arguments.skip_unlabelled)
    by = subgroup_names(columns, arguments.by, arguments.data)
    named, taken = {arguments.label: "label"}, {}
    for option in ("groups", "weight", "time", "cost-column"):
        name = getattr(arguments, option.replace("-", "_"))
        if name in named:
            raise UserError(
                f"--{named[name]} and --{option} both name the column {name!r}: each takes one of its own"
            )
        if name is not None:
            named[name] = option
    pos = positive(arguments.pos, y)
    ones = positives(y, pos)
    for name, option in list(named.items())[1:]:
        what = option.removesuffix("s").removesuffix("-column")
        if what == "cost":  # to miss a negative costs nothing
            values = column(columns, name, arguments.data)
            columns[name] = [
                value if value.strip() or one else "0" for value, one in zip(values, ones)
            ]
        taken[what] = choose_column(columns, name, arguments.data, what)
    leave_out(columns, arguments.drop, arguments.data)
    leave_out_index(columns)
    if not columns:
        raise UserError(
            f"{arguments.data} has no column besides the label: there is nothing to rank by"
        )
    out = {"X": as_objects(columns), "y": y}
    out["groups"] = np.array(taken["group"]) if "group" in taken else None
    out["by"] = None if by is None else np.array(by, object)
    options = (
        ("sample_weight", "weight", arguments.weight),
        ("miss_cost", "cost", arguments.cost_column),
    )
    out |= {
        name: numbers({of: taken[what]})[:, 0] if what in taken else None
        for name, what, of in options
    }
    if "cost" in taken:
        check_costs_of_file(out["miss_cost"], ones, arguments.cost_column)
    order = np.arange(len(y))
    if "time" in taken:
        order = in_order(taken["time"], arguments.time)
        out = {name: value if value is None else value[order] for name, value in out.items()}
        out["time"] = [taken["time"][row] for row in order]
    arguments.rows = [row for row in order.tolist() if y[row] is not None]
    return out | {"names": list(columns), "pos_label": pos}


def check_costs_of_file(cost, ones, name):
    """A UserError for a cost by row that is none, with the row of the file: before --time sorts."""
    from .._validation.checks import check_miss_cost
    from .._tables.files import with_file_rows

    try:
        check_miss_cost(cost, y=ones.astype(int))
    except ValueError as error:
        raise UserError(in_options(with_file_rows(error), miss_cost=repr(name))) from error


def labels(columns, name, path, skip=False):
    """(n,) labels, numbers if all are, None where missing if those are to be skipped; a UserError for more than two classes."""
    import numpy as np

    values = [value.strip() for value in column(columns, name, path)]
    del columns[name]
    filled = np.array([value != "" for value in values])
    if not filled.all() and not skip:
        what = f"column {name!r}, row {values.index('') + 2}: the label is missing, in {np.sum(~filled)} rows in all"
        raise UserError(f"{what}; fill them in, or leave such rows out with --skip-unlabelled")
    y = as_numbers([value for value in values if value])
    if len(classes := sorted(set(y.tolist()))) > 2:
        some = ", ".join(map(str, classes[:3])) + ", …" * (len(classes) > 3)
        what = f"column {name!r} has {len(classes)} different labels ({some}), not two classes"
        raise UserError(f"{what}: make a column with two, leave rows out, or say --na-values")
    if filled.all():
        return y
    out = np.full(filled.size, None, object)
    out[filled] = y
    return out


def positive(pos, y):
    """The positive label that was named, as the labels are: a number or a string; None if none was."""
    if pos is None or any(isinstance(label, str) for label in y):
        return pos
    try:
        return int(pos) if float(pos).is_integer() else float(pos)
    except ValueError:
        return pos


def positives(y, pos):
    """(n,) bool: which labels are positive; without a name the larger ones."""
    return y == (max(label for label in y if label is not None) if pos is None else pos)


def example(arguments):
    """Dict of X, y, names, pos_label of the table that comes with scikit-learn, for a first try without a file."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    print("No file given: scikit-learn's breast-cancer biopsies, positive = malignant.")
    pos = arguments.pos or "malignant"
    names = list(map(str, data.feature_names))
    return {"X": data.data, "y": data.target_names[data.target], "names": names, "pos_label": pos}


def before_work(table, arguments):
    """Say how the table was understood, and what will be missing at the end, while there is time to stop and mend it."""
    from ..tables import describe_columns

    y = [label for label in table["y"] if label is not None]
    positive = max(y) if table["pos_label"] is None else table["pos_label"]
    n, m = len(y), sum(label == positive for label in y)
    if not 0 < m < n:
        return  # `compare` says what is wrong
    how = f"{arguments.cv} folds × {arguments.repeats}"
    if arguments.time is not None:
        how = f"{arguments.cv} folds in the order of {arguments.time!r}"
    print(
        f"{n} rows, {table['X'].shape[1]} columns, {m} positives ({str(positive).removesuffix('.0')}, {m / n:.1%}); {how}"
    )
    for column in describe_columns(table["X"], names=table["names"]):
        if column["remark"]:
            print(f"  column {column['name']!r} is {column['becomes']}: {column['remark']}")
    if importlib.util.find_spec("skops") is None:
        print(
            "  the model will not be kept for `aucbook score`; that needs skops: pip install skops"
        )
    compiles = "(a ranker's very first fit on a machine also compiles it: the time that is left looks too long at first)"
    print(f"  {compiles}\n", flush=True)  # the findings come next, from `compare`
