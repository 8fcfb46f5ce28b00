"""What the command line is given: a table, read, chosen from and told back before the work, while there is time to mend it."""

import importlib.util
import os
import re
from decimal import Decimal
from difflib import get_close_matches


class UserError(Exception):
    """Something the user can mend; printed as one line, exit code 2."""


OPTIONS = {  # the library's arguments that an option stands for
    "alpha": "--alpha",
    "beta": "--beta",
    "cv": "--cv",
    "max_fpr": "--max-fpr",
    "n_jobs": "--jobs",
    "pos_label": "--pos",
    "random_state": "--seed",
    "repeats": "--repeats",
    "sample_weight": "--weight",
}
# as an argument: before =, < or "must"; one with an underscore anywhere but in quotes and paths
_ARGUMENT = re.compile(
    rf"(?<![\w'\"./:-])(?:({'|'.join(OPTIONS)})(?=\s*[=<]|\s+must\b|, the number)|({'|'.join(o for o in OPTIONS if '_' in o)})(?![\w'\"/-]|\.\w))"
    r"(=(?!=))?"
)


def in_options(message):
    """What the library says of its arguments, said of the options that stand for them."""
    return _ARGUMENT.sub(lambda found: OPTIONS[found[1] or found[2]] + " " * bool(found[3]), str(message))


def keep_inputs(target, *inputs):
    """A UserError if a file to be written is one that is read, under whatever name."""
    for source in inputs:
        if (
            source is not None
            and os.path.exists(source)
            and os.path.exists(target)
            and os.path.samefile(target, source)
        ):
            raise UserError(
                f"{target} would be written over, and {source} is read from that file: choose another --out"
            )


def column(columns, name, path):
    """The values of a column; a UserError says what there is instead."""
    if name not in columns:
        close = get_close_matches(name, columns, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"the columns are: {', '.join(columns)}"
        raise UserError(f"{path} has no column {name!r}; {hint}")
    return columns[name]


def choose_column(columns, name, path, what):
    """The values of a column, taken out of the dict; a UserError says what there is instead, or which row has none."""
    values = [value.strip() for value in column(columns, name, path)]
    del columns[name]
    if "" in values:
        raise UserError(f"column {name!r}, row {values.index('') + 2}: the {what} is missing")
    return values


def as_numbers(values):
    """Floats of strings, or the strings, if one is no number: "10" is more than "9" when labels are numbers."""
    import numpy as np

    from aucbook.readers import as_float

    try:
        found = np.array([as_float(value) for value in values])
    except ValueError:
        return np.array(values)
    return found if np.abs(found).max(initial=0) <= 2**53 else np.array(values)  # beyond, floats may tie what differs


def numbers(columns, advice=""):
    """(n, d) floats of a dict of columns of strings; a UserError names column and row of what is no number, and ends in the advice."""
    import numpy as np

    from aucbook.checks import ties_in_floats
    from aucbook.readers import as_float

    X = np.empty((len(next(iter(columns.values()))), len(columns)))
    for j, (name, values) in enumerate(columns.items()):
        for i, value in enumerate(values):
            try:
                X[i, j] = as_float(value)
            except ValueError:
                what = "is missing" if not value.strip() else f"is {value!r}, not a number"
                raise UserError(
                    f"column {name!r}, row {i + 2}: the value {what}; here numbers are needed{advice}"
                ) from None
        if (beyond := np.flatnonzero(np.abs(X[:, j]) > 2**53)).size and ties_in_floats(_exact(values)):
            raise UserError(
                f"column {name!r}, row {beyond[0] + 2}: {values[beyond[0]]} is beyond 2**53, where floats tie numbers that differ; "
                f"give ranks instead{advice}"
            )
    return X


def _exact(values):
    """Array of the numbers that strings stand for, to their last digit."""
    import numpy as np

    return np.array([Decimal(value.strip()) for value in values], object)


# 14/05/2020, and 2020-5-4: as text they come in an order that is not that of time
_NOT_IN_ORDER = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b.*|\d{4}[./-](\d[./-]|\d\d[./-]\d\b).*")


def in_order(values, name):
    """The order of times: of numbers, or of text that begins with the year; a UserError names a row whose text does not."""
    import numpy as np

    from aucbook.readers import as_float

    times = as_numbers(values)
    if times.dtype.kind != "f":
        try:
            if all(np.isfinite(as_float(value)) for value in values):  # too long for floats
                return np.argsort(_exact(values), kind="stable")
        except ValueError:  # text
            pass
        for i, value in enumerate(values):
            if _NOT_IN_ORDER.fullmatch(value):
                raise UserError(
                    f"column {name!r}, row {i + 2}: the order of dates like {value!r} is not that of time; write the year first, as in "
                    "2020-05-04"
                )
    return np.argsort(times, kind="stable")


def leave_out(columns, names, path):
    """Take the columns named by --drop out of the dict."""
    for name in names or ():
        if name not in columns:
            close = get_close_matches(name, columns, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"the columns are: {', '.join(columns)}"
            raise UserError(f"--drop: {path} has no other column {name!r}; {hint}")
        del columns[name]


def given_table(arguments):
    """dict of X, y, names, pos_label, groups, sample_weight of the file that was given; with --time its rows in that order."""
    import numpy as np

    from aucbook.readers import as_objects, read_table

    columns = read_table(arguments.data)
    if arguments.time is not None and arguments.groups is not None:
        raise UserError(
            "--time and --groups exclude each other: folds in the order of time may part a group; leave one out"
        )
    if arguments.label is None:
        raise UserError(f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}")
    y = labels(columns, arguments.label, arguments.data)
    named = {"label": arguments.label}
    for what in ("groups", "weight", "time"):
        column = getattr(arguments, what)
        other = next((option for option, name in named.items() if name == column), None)
        if column is not None and other:
            raise UserError(f"--{other} and --{what} both name the column {column!r}: each takes one of its own")
        named[what] = column
    taken = {
        what: choose_column(columns, getattr(arguments, what), arguments.data, what.removesuffix("s"))
        for what in ("groups", "weight", "time")
        if getattr(arguments, what) is not None
    }
    leave_out(columns, arguments.drop, arguments.data)
    if not columns:
        raise UserError(f"{arguments.data} has no column besides the label: there is nothing to rank by")
    out = {"X": as_objects(columns), "y": y, "groups": None, "sample_weight": None}
    if "groups" in taken:
        out["groups"] = np.array(taken["groups"])
    if "weight" in taken:
        out["sample_weight"] = numbers({arguments.weight: taken["weight"]})[:, 0]
    if "time" in taken:
        order = in_order(taken["time"], arguments.time)
        out = {name: value if value is None else value[order] for name, value in out.items()}
    return out | {"names": list(columns), "pos_label": positive(arguments.pos, y)}


def labels(columns, name, path):
    """(n,) labels, numbers if all are; a UserError for more than two classes."""
    y = as_numbers(choose_column(columns, name, path, "label"))
    if len(classes := sorted(set(y.tolist()))) > 2:
        some = ", ".join(map(str, classes[:3])) + ", …" * (len(classes) > 3)
        raise UserError(
            f"column {name!r} has {len(classes)} different labels ({some}), not two classes: make a column with two, or leave rows out"
        )
    return y


def positive(pos, y):
    """The positive label as the labels are: a number or a string; without one the larger, so that reports can name it."""
    import numpy as np

    if pos is None:
        classes = np.unique(y).tolist()
        if len(classes) != 2 or classes[1] != classes[1]:  # NaN: the library says what is wrong with such labels
            return None
        pos = classes[1]
    if y.dtype.kind != "f":
        return pos
    try:
        return int(pos) if float(pos).is_integer() else float(pos)
    except ValueError:
        return pos


def example(arguments):
    """dict of X, y, names, pos_label of the table that comes with scikit-learn, for a first try without a file."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    print("No file given: scikit-learn's breast-cancer biopsies, positive = malignant.")
    pos = arguments.pos or "malignant"
    names = list(map(str, data.feature_names))
    return {"X": data.data, "y": data.target_names[data.target], "names": names, "pos_label": pos}


def doubt(column, values, groups):
    """What a user may want to mend about a column, of its row of `describe_columns` and its values; "" for nothing."""
    if column["kind"] == "category":
        filled = [str(value).strip() for value in values if str(value).strip()]
        many = len(set(filled))
        if sum(_NOT_IN_ORDER.fullmatch(value) is not None for value in filled) > 0.9 * len(filled):
            return f"looks like dates: written as 2020-05-04 they count as days, and not as {many} categories"
        if column["remark"].startswith("a value of its own"):
            return f"has {column['remark']}: if it is a name or a number of the row, --drop it"
        if not column["remark"] and groups is None and many > max(20, len(values) / 20):
            return f"has {many} different values: if rows of one belong together, say a patient's, --groups {column['name']!r}"
    return f"is {column['becomes']}: {column['remark']}" if column["remark"] else ""


def before_work(table, arguments):
    """Say how the table was understood, and what will be missing at the end, while there is time to stop and mend it."""
    from aucbook.tables import column_cautions, describe_columns, tidy

    n, m = table["y"].size, int((table["y"] == table["pos_label"]).sum())
    if not 0 < m < n:
        return  # `compare` says what is wrong
    how = f"{arguments.cv} folds × {arguments.repeats}"
    print(f"{n} rows, {table['X'].shape[1]} columns, {m} positives ({table['pos_label']}, {m / n:.1%}); {how}")
    for j, column in enumerate(describe_columns(table["X"], names=table["names"])):
        note = doubt(column, table["X"][:, j], table["groups"] if "groups" in table else None)
        if note:
            print(f"  column {column['name']!r} {note}")
    for caution in column_cautions(
        tidy(table["X"], None, table["names"]), (table["y"] == table["pos_label"]).astype(int)
    ):
        print(f"  {caution}")
    if importlib.util.find_spec("skops") is None:
        print("  the model will not be kept for `aucbook score`; that needs skops: pip install skops")
    print(
        "  (a ranker's very first fit on a machine also compiles it: the time that is left looks too long at first)\n",
        flush=True,
    )
