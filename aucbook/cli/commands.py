"""What the command line does: each function is a subcommand, or part of one."""

import importlib.util
import os
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
    given_columns,
    given_table,
    in_options,
    keep_inputs,
    labels,
    leave_out,
    leave_out_index,
    numbers,
    of_file,
    positive,
    positives,
    scores_of_a_comparison,
    subgroup_names,
    without_missing,
)
from .reading import read_given


def writable_folder(path):
    """The folder, made if it is missing, in which something could be written."""
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
    """The folder that a report is written to, in which no file of its names is the one that is read."""
    from ..model_selection import Comparison

    for name in Comparison.FILES:
        keep_inputs(Path(arguments.out) / name, arguments.data)
    return writable_folder(arguments.out)


def scored(columns, arguments, pos):
    """Comparison of a dict of columns of scores, the labels among them; columns that `compare` writes beside scores are left out."""
    from .. import compare_scores

    label = arguments.label
    fold = groups = None
    if scores_of_a_comparison(columns):
        columns.pop("row")
        tested = [
            fold != "-1" for fold in columns["fold"]
        ]  # rows that no fold tested have no scores
        columns = {
            name: [v for v, keep in zip(values, tested) if keep] for name, values in columns.items()
        }
        fold, groups = columns.pop("fold"), columns.pop("group", None)
        label = "label" if label is None else label
    if label is None:
        raise UserError(
            f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}"
        )
    y = labels(columns, label, arguments.data, arguments.skip_unlabelled)
    by = subgroup_names(columns, arguments.by, arguments.data)
    if arguments.groups is not None:
        groups = choose_column(columns, arguments.groups, arguments.data, "group")
    leave_out(columns, arguments.drop, arguments.data)
    columns.pop(arguments.by, None)
    leave_out_index(columns)
    if not columns:
        raise UserError(f"{arguments.data} has no column besides the label: there are no scores")
    scores = dict(zip(columns, numbers(columns, "; --drop leaves a column out").T))
    ranges = {"min_fpr": arguments.min_fpr, "max_fpr": arguments.max_fpr}
    about = {"groups": groups, "by": by, "fold": fold, "pos_label": positive(pos, y)}
    about |= {"ignore": arguments.ignore, "skip_unlabelled": arguments.skip_unlabelled}
    found = compare_scores(y, scores, **ranges, measures=arguments.measure, **about)
    found.settings["file"] = Path(arguments.data).name  # the same report wherever the file lies
    return found


def written(result, out):
    """Print the result and write its files: what asks to stop stands before its table, and other findings behind it."""
    print(result)
    for finding in result.findings:
        if not finding.stop:
            print(f"\n{in_options(finding)}")
    if result.decision is not None:
        print(f"\n{result.decision}", *result.decision.sentences(), sep="\n")
    if result.subgroups is not None:
        print(f"\n{result.subgroups}")
    before = {file: file.stat().st_mtime_ns for file in out.iterdir() if file.is_file()}
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "the model was not written"
        )  # `before_work` said so in time
        try:
            folder = result.save(out)
        except OSError as error:
            again = (
                "; the same command goes on from the folds that were kept" if result.rankers else ""
            )
            what = f"cannot write to {out}: {error.strerror}"
            raise UserError(f"{what}; make room there or choose another --out{again}") from None
    files = [
        file
        for file in folder.iterdir()
        if file.is_file() and before.get(file) != file.stat().st_mtime_ns
    ]
    names = sorted(file.name for file in files)
    print(f"\nwritten to {folder}: {', '.join(names)}")
    older = [name for name in result.FILES if name not in names and (folder / name).exists()]
    if older:
        print(f"of an earlier result, and still there: {', '.join(older)}")
    print(f"Open {folder / 'report.html'} in a browser.")
    return 0


def report_scores(arguments):
    """`aucbook report`, and `aucbook compare --scores`: a comparison of columns of scores; the exit code."""
    try:
        result = scored(given_columns(arguments), arguments, arguments.pos)
    except ValueError as error:
        raise UserError(in_options(error)) from error
    out = report_folder(arguments)
    n, m = result.y.size, int(result.y.sum())
    print(f"{n} rows, {m} positives ({m / n:.1%}); the scores as given\n")
    return written(result, out)


COSTS = ("prevalence", "miss_cost", "alarm_cost", "budget")


def chosen(arguments, rankers):
    """Dict of those of the rankers that --rankers names, or all; a ValueError for a name that --rankers or --ranker gets wrong."""
    from .._validation.checks import check_known

    given = list(rankers) if arguments.rankers is None else arguments.rankers.split(",")
    names = [check_known(name.strip(), "ranker", list(rankers)) for name in given]
    if arguments.ranker not in (None, "simplest"):
        check_known(arguments.ranker, "ranker", names)
    return {name: rankers[name] for name in names}


def compare_given(arguments):
    """`aucbook compare --scores`: the columns are scores, and nothing is trained; the exit code."""
    if arguments.data is None:
        raise UserError("--scores needs a file: its columns are the scores")
    for option in ("weight", "time", "ranker", "rankers", *COSTS, "cost_column"):
        if getattr(arguments, option) is not None:
            what = f"--{option.replace('_', '-')} is for training and deciding"
            raise UserError(f"{what}, and --scores does neither: leave one of them out")
    return report_scores(arguments)


def compare(arguments):
    """`aucbook compare`: cross-validate the default rankers, decide, and write the report; the exit code."""
    import numpy as np

    from .. import compare, default_rankers
    from .._validation.checks import (
        check_between,
        check_jobs,
        check_minutes,
        check_range,
        check_integer,
        resolve_costs,
    )
    from ..measures import check_measures
    from ..model_selection import CompareOptions

    if arguments.scores:
        return compare_given(arguments)
    for option in ("label", "by"):
        if arguments.data is None and getattr(arguments, option) is not None:
            how = "give the file too, before its options: aucbook compare data.csv --label y"
            raise UserError(f"--{option} names a column of a file: {how}")
    try:  # now, not after minutes of work
        check_range(arguments.min_fpr, arguments.max_fpr)
        check_between(arguments.guarantee, "--guarantee", optional=True)
        check_integer(arguments.cv, "--cv, the number of folds,", 2)
        check_integer(arguments.repeats, "--repeats")
        check_integer(arguments.seed, "--seed", 0, 2**32 - 1 - arguments.repeats)
        check_minutes(arguments.minutes, "--minutes")
        check_jobs(arguments.jobs, "--jobs")
        limits = {"min_fpr": arguments.min_fpr, "max_fpr": arguments.max_fpr}
        book = default_rankers(**limits, random_state=arguments.seed, tune=arguments.tune)
        rankers = chosen(arguments, book)
        table = example(arguments) if arguments.data is None else given_table(arguments)
        by_row, costs = (
            table.pop("miss_cost", None),
            {name: getattr(arguments, name) for name in COSTS},
        )
        if by_row is not None and arguments.miss_cost is not None:
            raise UserError(
                "--miss-cost and --cost-column both say what a miss costs: leave one of them out"
            )
        costs["miss_cost"] = arguments.miss_cost if by_row is None else by_row
        resolve_costs(positives(table["y"], table["pos_label"]).astype(int), **costs)
        if arguments.measure:
            check_measures(arguments.measure, table["y"].size)
        out = report_folder(arguments)
        before_work(table, arguments)
        work = {"n_jobs": arguments.jobs, "checkpoint": out / "checkpoint", "verbose": 1}
        options = CompareOptions(
            names=table.pop("names"),
            skip_unlabelled=arguments.skip_unlabelled,
            ignore=arguments.ignore,
            minutes=arguments.minutes,
            checkpoint=work["checkpoint"],
            verbose=work["verbose"],
        )
        result = compare(
            rankers=rankers,
            min_fpr=arguments.min_fpr,
            max_fpr=arguments.max_fpr,
            cv=arguments.cv,
            measures=arguments.measure,
            repeats=arguments.repeats,
            random_state=arguments.seed,
            n_jobs=arguments.jobs,
            options=options,
            **table,
        )  # interrupted? The same command goes on from the checkpoint
    except (ValueError, RuntimeError) as error:
        other = {} if arguments.cost_column is None else {"miss_cost": "--cost-column"}
        raise UserError(in_options(of_file(error, arguments), **other)) from error
    if arguments.time is not None:
        result.source_rows = np.array(arguments.rows)
    example_data = "scikit-learn's breast-cancer biopsies"
    result.settings["file"] = Path(arguments.data).name if arguments.data else example_data
    try:
        decision = result.decide(
            table["X"], arguments.ranker, max_fpr=arguments.guarantee, **costs, **work
        )
        decision.na_values = arguments.na_values or ""
    except ValueError as error:  # too few negatives, say: the comparison stands all the same
        print(f"no decision: {in_options(error, max_fpr='--guarantee')}\n")
    return written(result, out)


def batch_notes(decision, X, names, rings):
    """Sentences on new rows: alarms beside those expected, widened by the luck of so few; missing values; levels that training never saw."""
    import numpy as np
    from scipy.stats import binom

    from .. import TableEncoder
    from .._tables.columns import read_new_rows, unseen_levels

    low, high = (
        int(binom.ppf(p, rings.size, share))
        for p, share in zip((0.025, 0.975), decision.performance.alarm_rate[1:])
    )
    so = (
        "more than expected"
        if rings.sum() > high
        else "fewer than expected"
        if rings.sum() < low
        else "as expected"
    )
    said = f"alarms {so}: {rings.sum()} of {rings.size}, where {low} to {high} were expected"
    encoder = decision.model.steps[0][1] if hasattr(decision.model, "steps") else None
    if not isinstance(encoder, TableEncoder):
        yield said
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `score` has said so
        table = read_new_rows(encoder, X, names)
    gaps, words = np.isnan(table.numbers), np.hstack([table.categories, table.texts]) == ""
    yield f"{said}; {np.hstack([gaps, words]).mean():.1%} of the values are missing"
    if encoder.imputer_ is not None:
        numbers = np.array(table.names["number"] + table.names["date"], object)[encoder.kept_]
        many = gaps[:, encoder.kept_].sum(axis=0)
        for j in np.setdiff1d(np.flatnonzero(many), encoder.imputer_.indicator_.features_):
            yield f"column {numbers[j]!r}: {many[j]} missing, where the comparison had none; taken as its median"
    yield from unseen_levels(encoder, table)


def score(arguments):
    """`aucbook score`: scores, probabilities and alarms of new rows, by a saved model, as a CSV file; the exit code."""
    import numpy as np

    from .. import load_decision
    from .._tables.files import as_objects, with_file_rows, write_csv

    keep_inputs(arguments.out, arguments.data, arguments.model)
    try:
        decision = load_decision(arguments.model)
        whole = read_given(arguments.data, arguments, empty=True)
        kept = {name: column(whole, name, arguments.data) for name in arguments.keep or []}
        columns = without_missing(whole, arguments, decision.na_values)
        X, names = as_objects(columns), list(columns)
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore",
                "column .* the training rows did not have|column .* which all training rows had",
            )
            found = decision.decision_function(X, names) if len(X) else np.empty(0)
        rings = (found >= decision.threshold).astype(int)
        notes = list(batch_notes(decision, X, names, rings)) if len(X) else []
    except (ValueError, ImportError) as error:
        raise UserError(in_options(with_file_rows(error))) from error
    said = {
        "score": found,
        "probability": decision.calibrator.transform(found) if len(X) else found,
        "alarm": rings,
    }
    if twice := {"row", *said} & set(kept):
        raise UserError(
            f"the file has a column {min(twice)!r} of its own; rename the one to keep in {arguments.data}"
        )
    cells = [range(len(found)), *kept.values(), *(values.tolist() for values in said.values())]
    try:
        write_csv(arguments.out, ["row", *kept, *said], cells)
    except OSError as error:
        raise UserError(f"cannot write to {arguments.out}: {error.strerror}") from None
    except UnicodeEncodeError as error:
        raise UserError(f"cannot write to {arguments.out}: {error}") from None
    print(
        f"{len(found)} rows scored by {decision.ranker}, {rings.sum()} alarms; written to {arguments.out}"
    )
    if decision.threshold == np.inf:
        print(
            "  the threshold is infinite: at the costs and the budget of the decision no row is worth an alarm"
        )
    for note in notes:
        print(f"  {note}")
    return 0


def notebooks():
    """The folder of the book's notebooks: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parents[1]
    return next(
        folder
        for folder in (here / "nbs", here.parent / "nbs")
        if (folder / "index.ipynb").exists()
    )


def copy_book(book, folder):
    """Copy notebooks, and the data and stored results they read, with their folders. A file that is there already stays; returns
    those that differ from the book's.
    """
    from .._tables.files import atomic_file

    kept = []
    for source in sorted(
        p for p in book.rglob("*") if p.suffix in (".ipynb", ".json", ".csv", ".py")
    ):
        name = source.relative_to(book)
        hidden = any(part.startswith((".", "__pycache__")) for part in name.parts)
        if hidden or name == Path("__init__.py"):
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            with atomic_file(target) as part:
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
    print(f"The notebooks are in {folder}; the first page is index.ipynb.", end="")
    told = f" Kept, though they differ from the book's: {', '.join(kept)} (delete one to get the book's)."
    print(told if kept else "")
    if arguments.copy_only:
        return 0
    if importlib.util.find_spec("jupyterlab") is None:
        raise UserError("JupyterLab is not installed: pip install 'aucbook[lab]'")
    options = [
        "--LabApp.default_url=/lab/tree/index.ipynb",
        *["--no-browser"] * arguments.no_browser,
    ]
    return subprocess.call(
        [sys.executable, "-m", "jupyterlab", *options, *arguments.further], cwd=folder
    )
