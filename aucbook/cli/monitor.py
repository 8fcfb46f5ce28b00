"""`aucbook monitor`: test whether the guaranteed false positive rate still holds."""

from .._validation.messages import count_of
from math import isnan
from pathlib import Path
from .arguments import (
    MODEL_HELP,
    UserError,
    add_missing_option,
    add_reading_options,
    data_path,
    in_options,
)
from .table_input import class_codes, column, numbers, read_input, without_missing


def add_monitor(commands):
    """Add the subcommand `monitor`."""
    command = commands.add_parser(
        "monitor",
        help="test whether the guaranteed false positive rate still holds, from a log of alarms "
        "and labels",
        epilog="The exit code is 1 if a violation of the guarantee is detected. The test may be "
        "repeated as often as you like: the confidence level holds for all repetitions together "
        "(an anytime-valid test).",
    )
    command.set_defaults(run=monitor)
    add = command.add_argument
    add("model", help=MODEL_HELP)
    add(
        "log",
        type=data_path,
        help="a file with the columns alarm (or score) and label, or a folder of such files, one "
        "per batch, in the order of their names (2026-01.csv, ...). Labels may come later in "
        "other files, matched by --key",
    )
    add(
        "--label",
        default="label",
        metavar="COLUMN",
        help="column of the labels, empty where not yet known (default label)",
    )
    add(
        "--key",
        metavar="COLUMN",
        help="column that identifies the case (`score --keep` copies it); each case counts once",
    )
    add(
        "--batch",
        metavar="COLUMN",
        help="in a log of one file: column with the batch of each row, such as the month (default: "
        "a single batch)",
    )
    add_missing_option(command)
    add_reading_options(command)
    add(
        "--confidence-level",
        type=float,
        metavar="LEVEL",
        default=0.95,
        help="probability that no false warning is ever given while the guarantee holds (default "
        ".95)",
    )


def read_log_file(file, arguments, decision):
    """Read a file of a log.

    Returns a list of rows (key, batch, alarm, label), and True if there is a column of labels.
    UserError for a file with none of these columns, or with a misspelt column of labels.
    """
    from .._validation.checks import nearest

    table = read_input(file, arguments, empty=True)
    columns = without_missing(table, arguments, decision.na_values)
    n = len(next(iter(columns.values())))
    label = arguments.label
    if not {"alarm", "score", label} & set(columns):
        names = ", ".join(columns)
        raise UserError(f"{file} has neither alarm nor score, nor {label!r}; its columns: {names}")
    others = set(columns) - {"alarm", "score", "probability", arguments.key}
    near = None if label in columns else nearest(label, sorted(others), 0.85)
    if near is not None:
        raise UserError(
            f"{file} has no column {label!r}; did you mean {near!r}? Give --label, or rename it"
        )
    alarms = labels = [None] * n
    if "alarm" in columns:
        alarms = class_codes(columns["alarm"], (0, 1), "alarm", file)
    elif "score" in columns:
        scores = numbers({"score": [word.strip() or "nan" for word in columns["score"]]})[:, 0]
        alarms = [None if isnan(score) else int(score >= decision.threshold) for score in scores]
    if label in columns:
        labels = class_codes(columns[label], decision.negative_first, label, file)
    keys = range(n) if arguments.key is None else column(columns, arguments.key, file)
    keys = [str(key).strip() for key in keys]
    if "" in keys:
        where = f"{file}, column {arguments.key!r}, row {keys.index('') + 2}"
        raise UserError(f"{where}: the identifier of the case is missing")
    batches = [file.name] * n if arguments.batch is None else column(columns, arguments.batch, file)
    if "" in batches:
        where = f"{file}, column {arguments.batch!r}, row {batches.index('') + 2}"
        raise UserError(f"{where}: the batch is missing")
    return list(zip(keys, batches, alarms, labels)), label in columns


def log_files(arguments):
    """List of the files of a log: the file, or those of the folder, sorted by name."""
    from .._tables.times import sort_names

    log = Path(arguments.log)
    files = [log]
    if log.is_dir():
        # without hidden files, and those that a spreadsheet program keeps open
        visible = (path for path in log.iterdir() if not path.name.startswith((".", "~$")))
        suffixes = (".csv", ".csv.gz", ".parquet", ".xlsx")
        files = [path for path in visible if path.name.endswith(suffixes)]
    if not files:
        raise UserError(f"there is no .csv, .csv.gz, .parquet or .xlsx file in {log}")
    if len(files) > 1 and arguments.key is None:
        raise UserError(
            f"which column identifies the cases? Give --key: {log} has {len(files)} files"
        )
    if len(files) > 1 and arguments.batch is not None:
        raise UserError("--batch is for a log of one file: in a folder each file is a batch")
    names = [path.name.removesuffix(".gz").rpartition(".")[0] for path in files]
    return [files[k] for k in sort_names(names, "file")]


def rows_by_batch(rows):
    """Rows (key, batch, alarm, label) sorted by batch where batches are times; else as they are.

    A ValueError for a batch that is not a time and whose rows are not contiguous.
    """
    from .._tables.times import read_times

    batches = [batch for _, batch, _, _ in rows]
    names = list(dict.fromkeys(batches))
    try:
        rank = dict(zip(names, read_times(names, "batch").rank.tolist()))
    except ValueError:
        ended = set()
        for row, (batch, before) in enumerate(zip(batches, [None, *batches])):
            if batch in ended:
                raise ValueError(
                    f"row {row + 2}: the batch {batch!r} starts again after {before!r}, and "
                    "batches are not times; sort the rows, or name batches by times, e.g. 2020-05"
                ) from None
            if batch != before:
                ended.add(before)
        return rows
    return sorted(rows, key=lambda row: rank[row[1]])


def monitor(arguments):
    """Run `aucbook monitor`; return the exit code, 1 if a violation is detected."""
    from .. import load_decision
    from .._validation.checks import check_between
    from ..deployment import fpr_monitor

    try:
        decision = load_decision(arguments.model)
        if decision.max_fpr is None:
            raise UserError(
                f"{arguments.model} guarantees no false positive rate, as costs or a budget chose "
                "its threshold: there is nothing to test; use aucbook validate, or decide again "
                "with --guarantee"
            )
        confidence_level = check_between(arguments.confidence_level, "--confidence-level")
        files = log_files(arguments)
        parts = [read_log_file(file, arguments, decision) for file in files]
        if not any(has_labels for _, has_labels in parts):
            problem = f"{arguments.log} has no column {arguments.label!r}"
            if len(files) > 1:
                folder = arguments.log
                problem = (
                    f"none of the {len(files)} files in {folder} has a column {arguments.label!r}"
                )
            advice = "give --label; while no label is known, keep the column, empty"
            raise UserError(f"{problem} of labels: {advice}")
        rows = [row for file_rows, _ in parts for row in file_rows]
        rows = rows if arguments.batch is None else rows_by_batch(rows)
        keys, batches, alarms, labels = zip(*rows) if rows else [()] * 4
        result = fpr_monitor(
            labels,
            alarms,
            decision.max_fpr,
            keys=keys,
            batches=batches,
            confidence_level=confidence_level,
        )
    except (ValueError, ImportError) as error:
        raise UserError(in_options(error)) from error
    print("\n".join(monitor_lines(result, decision.max_fpr, confidence_level)))
    return int(result.raised)


def monitor_lines(result, max_fpr, confidence_level):
    """Yield the lines that `aucbook monitor` prints."""
    from scipy.stats import fisher_exact

    cases = count_of(result.cases, "case")
    yield f"{cases}, {result.waiting} of them without a label or an alarm yet"
    if result.repeated:
        rows = count_of(result.repeated, "repeated row")
        yield f"{rows} (the same batch twice?): each case counts once"
    if result.contrary:
        rows = "1 row contradicts" if result.contrary == 1 else f"{result.contrary} rows contradict"
        yield f"{rows} an earlier row of the same case, which is used instead"
    if not result.negatives:
        yield f"no labelled negatives yet: the guaranteed FPR of {max_fpr:.1%} cannot be tested"
        return
    rate = f"{result.rate:.1%} ({result.false_alarms} of {result.negatives} negatives)"
    interval = f"{result.low:.1%} to {result.high:.1%} with confidence {confidence_level:.0%}"
    yield f"false positive rate {rate}, {interval} at all times; guaranteed: at most {max_fpr:.1%}"
    if result.raised:
        yield (
            f"WARNING: the guarantee is broken; detected at {result.at}, probably since "
            f"{result.since}"
        )
    else:
        limit = 1 / (1 - confidence_level)
        yield f"no warning: the evidence is {result.wealth[-1]:.3g}; a warning needs {limit:.3g}"
    if fisher_exact(result.labelled).pvalue < 0.01:
        rows = result.labelled.tolist()
        negative, positive = (f"{labelled} of {rest + labelled}" for rest, labelled in rows)
        yield (
            f"caution: labels are known for {positive} positive and {negative} negative "
            "predictions. Where labels depend"
        )
        yield "on the prediction, the rate is biased: wait until both are labelled equally often"
