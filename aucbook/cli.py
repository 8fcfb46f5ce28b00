"""The command line: `aucbook compare`, `report`, `score` and `lab`. Parsing arguments teaches nothing about ranking: no notebook."""

import argparse
import re
import shutil
import subprocess
import sys
import warnings
from difflib import get_close_matches
from pathlib import Path

from aucbook import __version__


class UserError(Exception):
    """Something the user can mend; printed as one line, exit code 2."""


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

    values = np.array(values)
    try:
        return values.astype(float)
    except ValueError:
        return values


def numbers(columns, advice=""):
    """(n, d) floats of a dict of columns of strings; a UserError names column and row of what is no number, and ends in the advice."""
    import numpy as np

    X = np.empty((len(next(iter(columns.values()))), len(columns)))
    for j, (name, values) in enumerate(columns.items()):
        for i, value in enumerate(values):
            try:
                X[i, j] = float(value)
            except ValueError:
                what = "is missing" if not value.strip() else f"is {value!r}, not a number"
                raise UserError(
                    f"column {name!r}, row {i + 2}: the value {what}; here numbers are needed{advice}"
                ) from None
    return X


# 14/05/2020, and 2020-5-4: as text they come in an order that is not that of time
_NOT_IN_ORDER = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b.*|\d{4}[./-](\d[./-]|\d\d[./-]\d\b).*")


def in_order(values, name):
    """The order of times: of numbers, or of text that begins with the year; a UserError names a row whose text does not."""
    import numpy as np

    times = as_numbers(values)
    if times.dtype.kind != "f":
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
    if arguments.label is None:
        raise UserError(f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}")
    y = as_numbers(choose_column(columns, arguments.label, arguments.data, "label"))
    named = {"label": arguments.label}
    for what in ("groups", "weight", "time"):
        column = getattr(arguments, what)
        other = next((option for option, name in named.items() if name == column), None)
        if column is not None and other:
            raise UserError(f"--{other} and --{what} both name the column {column!r}: each takes one of its own")
        named[what] = column
    taken = {
        what: choose_column(columns, getattr(arguments, what), arguments.data, what)
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


def writable_folder(path):
    """The folder, made if it is missing."""
    try:
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError as error:
        raise UserError(f"cannot write to {path}: {error.strerror}") from None


def scored(columns, arguments, pos):
    """Comparison of a dict of columns of scores, the labels among them; columns that `compare` writes beside scores are left out."""
    from aucbook import compare_scores

    label = arguments.label
    if list(columns)[:3] == ["row", "fold", "label"]:  # our own scores.csv
        columns.pop("row")
        tested = [fold != "-1" for fold in columns.pop("fold")]  # rows that no fold tested have no scores
        columns = {name: [v for v, keep in zip(values, tested) if keep] for name, values in columns.items()}
        label = "label" if label is None else label
    if label is None:
        raise UserError(f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}")
    y = as_numbers(choose_column(columns, label, arguments.data, "label"))
    groups = None
    if arguments.groups is not None:
        groups = choose_column(columns, arguments.groups, arguments.data, "groups")
    leave_out(columns, arguments.drop, arguments.data)
    if not columns:
        raise UserError(f"{arguments.data} has no column besides the label: there are no scores")
    scores = dict(zip(columns, numbers(columns, "; --drop leaves a column out").T))
    ranges = arguments.alpha, arguments.beta
    found = compare_scores(y, scores, *ranges, metrics=arguments.metrics, groups=groups, pos_label=positive(pos, y))
    found.settings["file"] = str(arguments.data)
    return found


def written(result, out):
    """Print the result and write its files."""
    print(result)
    if result.decision is not None:
        print(f"\n{result.decision}")
    before = {file: file.stat().st_mtime_ns for file in out.iterdir() if file.is_file()}
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "the model was not written"
        )  # `before_work` said so when there was time to mend it
        folder = result.save(out)
    files = [file for file in folder.iterdir() if file.is_file() and before.get(file) != file.stat().st_mtime_ns]
    print(f"\nwritten to {folder}: {', '.join(sorted(file.name for file in files))}")
    print(f"Open {folder / 'report.html'} in a browser.")
    return 0


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
    from importlib.util import find_spec

    from aucbook.tables import describe_columns

    n, m = table["y"].size, int((table["y"] == table["pos_label"]).sum())
    if not 0 < m < n:
        return  # `compare` says what is wrong
    how = f"{arguments.cv} folds × {arguments.repeats}"
    print(f"{n} rows, {table['X'].shape[1]} columns, {m} positives ({table['pos_label']}, {m / n:.1%}); {how}")
    for j, column in enumerate(describe_columns(table["X"], names=table["names"])):
        note = doubt(column, table["X"][:, j], table["groups"] if "groups" in table else None)
        if note:
            print(f"  column {column['name']!r} {note}")
    if find_spec("skops") is None:
        print("  the model will not be kept for `aucbook score`; that needs skops: pip install skops")
    print(
        "  (a ranker's very first fit on a machine also compiles it: the time that is left looks too long at first)\n",
        flush=True,
    )


def report_scores(arguments):
    """`aucbook report`, and `aucbook compare --scores`: a comparison of columns of scores; the exit code."""
    from aucbook.readers import read_table

    out = writable_folder(arguments.out)
    try:
        result = scored(read_table(arguments.data), arguments, arguments.pos)
    except ValueError as error:
        raise UserError(str(error)) from error
    n, m = result.y.size, int(result.y.sum())
    print(f"{n} rows, {m} positives ({m / n:.1%}); the scores as given\n")
    return written(result, out)


def compare(arguments):
    """`aucbook compare`: cross-validate the default rankers, decide, and write the report; the exit code."""
    from sklearn.model_selection import TimeSeriesSplit

    from aucbook import compare, default_rankers

    if arguments.scores:
        if arguments.data is None:
            raise UserError("--scores needs a file: its columns are the scores")
        for option in ("weight", "time"):
            if getattr(arguments, option) is not None:
                raise UserError(f"--{option} is for training, and --scores trains nothing: leave one of them out")
        return report_scores(arguments)
    if arguments.data is None and arguments.label is not None:
        raise UserError("--label names a column of a file: give the file too, e.g. aucbook compare data.csv --label y")
    out = writable_folder(arguments.out)  # now, not after minutes of work
    try:
        table = example(arguments) if arguments.data is None else given_table(arguments)
        before_work(table, arguments)
        rankers = default_rankers(arguments.alpha, arguments.beta, arguments.seed, arguments.tune)
        result = compare(
            rankers=rankers,
            alpha=arguments.alpha,
            beta=arguments.beta,
            cv=arguments.cv if arguments.time is None else TimeSeriesSplit(arguments.cv),
            n_jobs=arguments.jobs,
            metrics=arguments.metrics,
            repeats=arguments.repeats,
            random_state=arguments.seed,
            verbose=1,
            checkpoint=out / "checkpoint",
            **table,
        )  # interrupted? The same command goes on from here
    except (ValueError, RuntimeError) as error:
        raise UserError(str(error)) from error
    result.settings["file"] = str(arguments.data or "scikit-learn's breast-cancer biopsies")
    try:
        result.decide(table["X"], max_fpr=arguments.max_fpr)
    except ValueError as error:  # too few negatives, say: the comparison stands all the same
        print(f"no decision: {error}\n")
    return written(result, out)


def unseen(decision, X, names):
    """Sentences on the categories of new rows: which have values that training never saw."""
    import numpy as np

    from aucbook.tables import TableEncoder, tidy

    encoder = decision.model.steps[0][1] if hasattr(decision.model, "steps") else None
    if not isinstance(encoder, TableEncoder) or encoder.levels_ is None:
        return
    categories = [name for name, kind in encoder.kinds_.items() if kind == "category"]
    for name, values, known in zip(
        categories, tidy(X, encoder.kinds_, names).categories.T, encoder.levels_.categories_
    ):
        new = values[~np.isin(values.astype(str), known.astype(str))]
        if new.size:
            what = f"{new.size} row{' has a value' if new.size == 1 else 's have values'}"
            yield f"column {name!r}: {what} that the comparison never saw, such as {new[0]!r}; taken as a rare one"


def score(arguments):
    """`aucbook score`: scores, probabilities and alarms of new rows, by a saved model, as a CSV file; the exit code."""
    from aucbook import load_decision
    from aucbook.readers import as_objects, read_table
    from aucbook.report import write_csv

    try:
        decision = load_decision(arguments.model)
        columns = read_table(arguments.data)
        kept = {name: column(columns, name, arguments.data) for name in arguments.keep or []}
        found = decision.score(as_objects(columns), list(columns))
        notes = list(unseen(decision, as_objects(columns), list(columns)))
    except (ValueError, ImportError) as error:
        raise UserError(str(error)) from error
    p = decision.calibrator.transform(found)
    said = {
        "score": found.tolist(),
        "probability": p.tolist(),
        "alarm": (found >= decision.threshold).astype(int).tolist(),
    }
    if twice := {"row", *said} & set(kept):
        raise UserError(f"the file has a column {min(twice)!r} of its own; rename the one to keep in {arguments.data}")
    try:
        write_csv(arguments.out, ["row", *kept, *said], zip(range(len(found)), *kept.values(), *said.values()))
    except OSError as error:
        raise UserError(f"cannot write to {arguments.out}: {error.strerror}") from None
    rings = int((found >= decision.threshold).sum())
    print(f"{len(found)} rows scored by {decision.ranker}, {rings} alarms; written to {arguments.out}")
    for note in notes:
        print(f"  {note}")
    return 0


def notebooks():
    """The folder of the book's notebooks: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parent
    return next(folder for folder in (here / "nbs", here.parent / "nbs") if (folder / "index.ipynb").exists())


def copy_book(book, folder):
    """Copy notebooks, and the data and stored results they read, with their folders. A file that is there already stays; returns
    those that differ from the book's."""
    kept = []
    for source in sorted(p for p in book.rglob("*") if p.suffix in (".ipynb", ".json", ".csv", ".py")):
        name = source.relative_to(book)
        if any(part.startswith((".", "__pycache__")) for part in name.parts) or (
            name.name == "__init__.py" and len(name.parts) == 1
        ):
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy(source, target)
        elif target.read_bytes() != source.read_bytes():
            kept.append(name.as_posix())
    return kept


def lab(arguments):
    """`aucbook lab`: copy the notebooks to a folder and open it in JupyterLab; the exit code."""
    folder = Path(arguments.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kept = copy_book(notebooks(), folder)
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from None
    print(
        f"The notebooks are in {folder}; start with lessons/roc.ipynb."
        + (
            f" Kept, though they differ from the book's: {', '.join(kept)} (delete one and start again to get the book's)."
            if kept
            else ""
        )
    )
    if arguments.copy_only:
        return 0
    from importlib.util import find_spec

    if find_spec("jupyterlab") is None:
        raise UserError("JupyterLab is not installed: pip install 'aucbook[lab]'")
    return subprocess.call(
        [sys.executable, "-m", "jupyterlab", *(["--no-browser"] if arguments.no_browser else []), *arguments.further],
        cwd=folder,
    )


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


if __name__ == "__main__":
    sys.exit(main())
