"""What the command line does: each function is a subcommand, or part of one."""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from .given import (
    UserError,
    before_work,
    choose_column,
    column,
    example,
    given_table,
    in_options,
    keep_inputs,
    labels,
    leave_out,
    numbers,
    positive,
)


def writable_folder(path):
    """The folder, made if it is missing, in which something could be written."""
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise UserError(f"cannot write to {path}: it is a file, and --out names a folder; choose another")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(2**16))
        return folder
    except OSError as error:
        raise UserError(f"cannot write to {path}: {error.strerror}; choose another --out") from None


def report_folder(arguments):
    """The folder that a report is written to, in which no file of its names is the one that is read."""
    from aucbook.report import WRITTEN

    for name in (*WRITTEN, "model.skops"):
        keep_inputs(Path(arguments.out) / name, arguments.data)
    return writable_folder(arguments.out)


def scored(columns, arguments, pos):
    """Comparison of a dict of columns of scores, the labels among them; columns that `compare` writes beside scores are left out."""
    from aucbook import compare_scores

    label = arguments.label
    fold = groups = None
    if list(columns)[:2] == ["row", "fold"]:  # our own scores.csv
        columns.pop("row")
        tested = [fold != "-1" for fold in columns["fold"]]  # rows that no fold tested have no scores
        columns = {name: [v for v, keep in zip(values, tested) if keep] for name, values in columns.items()}
        fold, groups = columns.pop("fold"), columns.pop("group", None)
        label = "label" if label is None else label
    if label is None:
        raise UserError(f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}")
    y = labels(columns, label, arguments.data)
    if arguments.groups is not None:
        groups = choose_column(columns, arguments.groups, arguments.data, "group")
    leave_out(columns, arguments.drop, arguments.data)
    if not columns:
        raise UserError(f"{arguments.data} has no column besides the label: there are no scores")
    scores = dict(zip(columns, numbers(columns, "; --drop leaves a column out").T))
    ranges = arguments.alpha, arguments.beta
    found = compare_scores(
        y, scores, *ranges, metrics=arguments.metrics, groups=groups, fold=fold, pos_label=positive(pos, y)
    )
    found.settings["file"] = str(arguments.data)
    return found


def written(result, out):
    """Print the result and write its files."""
    print(result)
    for caution in result.cautions:
        print(f"\n{caution}")
    if result.decision is not None:
        print(f"\n{result.decision}")
    before = {file: file.stat().st_mtime_ns for file in out.iterdir() if file.is_file()}
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "the model was not written"
        )  # `before_work` said so when there was time to mend it
        try:
            folder = result.save(out)
        except OSError as error:
            again = "; the same command goes on from the folds that were kept" if result.rankers else ""
            raise UserError(
                f"cannot write to {out}: {error.strerror}; make room there or choose another --out{again}"
            ) from None
    files = [file for file in folder.iterdir() if file.is_file() and before.get(file) != file.stat().st_mtime_ns]
    print(f"\nwritten to {folder}: {', '.join(sorted(file.name for file in files))}")
    print(f"Open {folder / 'report.html'} in a browser.")
    return 0


def report_scores(arguments):
    """`aucbook report`, and `aucbook compare --scores`: a comparison of columns of scores; the exit code."""
    from aucbook.readers import read_table

    try:
        result = scored(read_table(arguments.data), arguments, arguments.pos)
    except ValueError as error:
        raise UserError(in_options(error)) from error
    out = report_folder(arguments)
    n, m = result.y.size, int(result.y.sum())
    print(f"{n} rows, {m} positives ({m / n:.1%}); the scores as given\n")
    return written(result, out)


def compare(arguments):
    """`aucbook compare`: cross-validate the default rankers, decide, and write the report; the exit code."""
    from sklearn.model_selection import TimeSeriesSplit

    from aucbook import compare, default_rankers
    from aucbook.checks import check_between, check_number, check_range, check_whole
    from aucbook.measures import check_measures
    from aucbook.readers import rows_of_file

    if arguments.scores:
        if arguments.data is None:
            raise UserError("--scores needs a file: its columns are the scores")
        for option in ("weight", "time"):
            if getattr(arguments, option) is not None:
                raise UserError(f"--{option} is for training, and --scores trains nothing: leave one of them out")
        return report_scores(arguments)
    if arguments.data is None and arguments.label is not None:
        raise UserError(
            "--label names a column of a file: give the file too, before its options: aucbook compare data.csv --label y"
        )
    try:  # now, not after minutes of work
        check_range(arguments.alpha, arguments.beta)
        check_between(arguments.max_fpr, "--max-fpr", optional=True)
        check_whole(arguments.cv, "--cv, the number of folds,", 2)
        check_whole(arguments.repeats, "--repeats")
        check_whole(arguments.seed, "--seed", 0, 2**32 - 1 - arguments.repeats)
        check_number(
            arguments.jobs, "--jobs", lambda jobs: jobs != 0, "a number of processes, -1 for all cores", optional=True
        )
        table = example(arguments) if arguments.data is None else given_table(arguments)
        if arguments.metrics:
            check_measures(arguments.metrics, table["y"].size)
        out = report_folder(arguments)
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
    except (ValueError, RuntimeError) as error:  # --time sorts the rows: their numbers are not those of the file
        raise UserError(in_options(rows_of_file(error) if arguments.time is None else error)) from error
    result.settings["file"] = str(arguments.data or "scikit-learn's breast-cancer biopsies")
    try:
        result.decide(
            table["X"], max_fpr=arguments.max_fpr, n_jobs=arguments.jobs, checkpoint=out / "checkpoint", verbose=1
        )
    except ValueError as error:  # too few negatives, say: the comparison stands all the same
        print(f"no decision: {in_options(error)}\n")
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
    from aucbook.readers import as_objects, read_table, rows_of_file
    from aucbook.report import write_csv

    keep_inputs(arguments.out, arguments.data, arguments.model)
    try:
        decision = load_decision(arguments.model)
        columns = read_table(arguments.data)
        kept = {name: column(columns, name, arguments.data) for name in arguments.keep or []}
        found = decision.score(as_objects(columns), list(columns))
        notes = list(unseen(decision, as_objects(columns), list(columns)))
    except (ValueError, ImportError) as error:
        raise UserError(in_options(rows_of_file(error))) from error
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
    here = Path(__file__).parents[1]
    return next(folder for folder in (here / "nbs", here.parent / "nbs") if (folder / "index.ipynb").exists())


def copy_book(book, folder):
    """Copy notebooks, and the data and stored results they read, with their folders. A file that is there already stays; returns
    those that differ from the book's."""
    from aucbook.readers import whole_file

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
            with whole_file(target) as part:
                shutil.copy(source, part)
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
    if importlib.util.find_spec("jupyterlab") is None:
        raise UserError("JupyterLab is not installed: pip install 'aucbook[lab]'")
    return subprocess.call(
        [sys.executable, "-m", "jupyterlab", *(["--no-browser"] if arguments.no_browser else []), *arguments.further],
        cwd=folder,
    )
