"""The command line: `aucbook compare` and `aucbook lab`. Argument parsing teaches nothing about ranking, so this is not a notebook."""

import argparse
import csv
import shutil
import subprocess
import sys
from difflib import get_close_matches
from pathlib import Path

from aucbook import __version__


class UserError(Exception):
    """Something the user can mend; printed as one line, exit code 2."""


def read_csv(path):
    """(column names, rows of strings) of a CSV file with a header line."""
    with open(path, newline="", encoding="utf-8-sig") as f:
        rows = [row for row in csv.reader(f) if row]
    if len(rows) < 2:
        raise UserError(f"{path} has no data: expected a header line and at least one row")
    names = rows[0]
    for i, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            raise UserError(f"{path}, row {i}: {len(row)} fields, but the header has {len(names)}")
    return names, rows[1:]


def read_parquet(path):
    """(column names, rows of strings) of a Parquet file; a null is an empty string, as in a CSV file."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise UserError("reading parquet needs pyarrow: pip install 'aucbook[files]'") from None
    table = pq.read_table(path)
    if not table.num_rows:
        raise UserError(f"{path} has no data: expected at least one row")
    columns = [["" if value is None else str(value) for value in column.to_pylist()] for column in table.columns]
    return table.column_names, list(zip(*columns))


def read_file(path):
    """(column names, rows of strings) of a .csv or .parquet file."""
    if not path.is_file():
        raise UserError(f"there is no file {path}")
    try:
        return (read_parquet if path.suffix == ".parquet" else read_csv)(path)
    except UserError:
        raise
    except Exception as error:  # a torn file: whatever the reader says, in one line
        raise UserError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error


def check_names(names, label, path):
    """UserError unless the names are distinct, the label is one of them and there is another."""
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise UserError(f"{path} has two columns named {twice[0]!r}: rename one")
    if label is None:
        raise UserError(f"which column holds the labels? Give --label; the columns are: {', '.join(names)}")
    if label not in names:
        close = get_close_matches(label, names, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"the columns are: {', '.join(names)}"
        raise UserError(f"{path} has no column {label!r}; {hint}")
    if len(names) < 2:
        raise UserError(f"{path} has no column besides the label: there is nothing to rank by")


def numbers(columns):
    """(n, d) floats of a dict of columns of strings; a UserError names column and row of what is no finite number."""
    import numpy as np

    X = np.empty((len(next(iter(columns.values()))), len(columns)))
    for j, (name, values) in enumerate(columns.items()):
        for i, value in enumerate(values):
            try:
                X[i, j] = float(value)
            except ValueError:
                what = "is missing" if not value.strip() else f"is {value!r}, not a number"
                raise UserError(
                    f"column {name!r}, row {i + 2}: the value {what}; drop the column, or encode it as numbers"
                ) from None
            if not np.isfinite(X[i, j]):
                raise UserError(f"column {name!r}, row {i + 2}: the value is {value!r}; drop or fill such rows first")
    return X


def read_table(path, label):
    """(X, y as strings, names of the columns of X) of a .csv or .parquet file whose columns are numbers, except the label."""
    import numpy as np

    path = Path(path)
    names, rows = read_file(path)
    check_names(names, label, path)
    columns = dict(zip(names, zip(*rows)))
    y = [value.strip() for value in columns.pop(label)]
    if "" in y:
        raise UserError(f"column {label!r}, row {y.index('') + 2}: the label is missing")
    return numbers(columns), np.array(y), list(columns)


def given_table(arguments):
    """(X, y, names of the columns of X, positive label) of the file that was given, or of the example."""
    if arguments.data is None:
        from sklearn.datasets import load_breast_cancer

        data = load_breast_cancer()
        print("No file given: scikit-learn's breast-cancer biopsies, positive = malignant.")
        return data.data, data.target_names[data.target], list(data.feature_names), arguments.pos or "malignant"
    X, y, names = read_table(arguments.data, arguments.label)
    try:  # "10" is more than "9" when labels are numbers
        y = y.astype(float)
        return X, y, names, None if arguments.pos is None else float(arguments.pos)
    except ValueError:
        return X, y, names, arguments.pos


def writable_folder(path):
    """The folder, made if it is missing."""
    try:
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError as error:
        raise UserError(f"cannot write to {path}: {error.strerror}") from None


def compare(arguments):
    from aucbook import compare, compare_scores, default_rankers

    if arguments.data is None and arguments.label is not None:
        raise UserError("--label names a column of a file: give the file too, e.g. aucbook compare data.csv --label y")
    if arguments.data is None and arguments.scores:
        raise UserError("--scores needs a file: its columns are the scores")
    X, y, names, pos = given_table(arguments)
    out = writable_folder(arguments.out)  # now, not after minutes of work
    try:
        if arguments.scores:
            result = compare_scores(y, dict(zip(names, X.T)), arguments.alpha, arguments.beta, pos_label=pos)
        else:
            rankers = default_rankers(arguments.alpha, arguments.beta, arguments.seed, arguments.tune)
            result = compare(
                X,
                y,
                rankers,
                arguments.alpha,
                arguments.beta,
                arguments.cv,
                arguments.jobs,
                repeats=arguments.repeats,
                random_state=arguments.seed,
                pos_label=pos,
                verbose=1,
                checkpoint=out / "checkpoint",
            )  # interrupted? The same command goes on from here
    except (ValueError, RuntimeError) as error:
        raise UserError(str(error)) from error
    m = int(result.y.sum())
    how = "the scores as given" if arguments.scores else f"{arguments.cv} folds × {arguments.repeats}"
    print(f"{len(X)} rows, {X.shape[1]} columns, {m} positives ({m / len(X):.1%}); {how}\n")
    print(result)
    print(f"\nwritten to {result.save(out)}: report.html, table.csv, scores.csv, roc.png, intervals.png")
    return 0


def notebooks():
    """The folder of the notebooks: inside the installed package, or beside it in a checkout."""
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
    folder = Path(arguments.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kept = copy_book(notebooks(), folder)
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from None
    print(
        f"The notebooks are in {folder}; start with lessons/roc.ipynb."
        + (f" Yours were kept: {', '.join(kept)}." if kept else "")
    )
    if arguments.copy_only:
        return 0
    from importlib.util import find_spec

    if find_spec("jupyterlab") is None:
        raise UserError("JupyterLab is not installed: pip install 'aucbook[lab]'")
    return subprocess.call(
        [sys.executable, "-m", "jupyterlab", *(["--no-browser"] if arguments.no_browser else [])], cwd=folder
    )


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")  # one line, without the usage


def parser():
    main = Parser(prog="aucbook", description="Ranking and partial AUC: compare rankers, or open the book.")
    main.add_argument("--version", action="version", version=f"aucbook {__version__}")
    commands = main.add_subparsers(dest="command", required=True)
    c = commands.add_parser("compare", help="cross-validate every ranker of the package beside logistic regression")
    c.add_argument(
        "data",
        nargs="?",
        help="a .csv (with a header line) or .parquet file; default: scikit-learn's breast-cancer data",
    )
    c.add_argument("--label", help="the column that holds the labels (two classes)")
    c.add_argument("--pos", help="the positive label; default: the larger one")
    c.add_argument("--alpha", type=float, default=0.0, help="smallest false positive rate that counts (default 0)")
    c.add_argument("--beta", type=float, default=1.0, help="largest false positive rate you can afford (default 1)")
    c.add_argument("--cv", type=int, default=5, help="number of folds (default 5)")
    c.add_argument(
        "--repeats", type=int, default=1, help="how many times the rows are dealt into folds anew (default 1)"
    )
    c.add_argument(
        "--tune",
        action="store_true",
        help="let every ranker choose its settings inside each training part (about ten times slower)",
    )
    c.add_argument("--scores", action="store_true", help="the columns are scores already: compare them, train nothing")
    c.add_argument("--jobs", type=int, default=None, help="processes (default 1; -1 for all cores)")
    c.add_argument("--seed", type=int, default=0, help="seed of folds and rankers (default 0)")
    c.add_argument(
        "--out",
        default="aucbook-out",
        help="folder for the report, the scores and the checkpoint (default aucbook-out)",
    )
    c.set_defaults(run=compare)
    o = commands.add_parser("lab", help="copy lessons, workshop and evidence to a folder and open them in JupyterLab")
    o.add_argument("folder", nargs="?", default="aucbook-notebooks")
    o.add_argument("--copy-only", action="store_true", help="do not start JupyterLab")
    o.add_argument("--no-browser", action="store_true", help="start JupyterLab without opening a browser")
    o.set_defaults(run=lab)
    return main


def main(argv=None):
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except UserError as error:
        print(f"aucbook: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\naucbook: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
