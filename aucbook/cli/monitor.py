"""`aucbook monitor`: test whether rates of alarms, or calibration, still hold."""

from .._validation.messages import count_of
from argparse import ArgumentTypeError
from pathlib import Path
from typing import NamedTuple
from .arguments import (
    MODEL_HELP,
    UserError,
    add_missing_option,
    add_reading_options,
    data_path,
    in_options,
)
from .table_input import class_codes, column, numbers, outside_note, read_input, without_missing

RATES = ("fpr", "tpr", "precision", "npv", "alarm_rate")


def add_monitor(commands):
    """Add the subcommand `monitor`."""
    command = commands.add_parser(
        "monitor",
        help="test whether the guaranteed false positive rate still holds, or another rate or "
        "calibration, from a log of alarms and labels",
        epilog="The exit code is 1 if a violation is detected. The test may be "
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
        "--rate",
        type=rate_and_bound,
        action="append",
        metavar="NAME[=BOUND]",
        help=f"what to test: {', '.join(RATES)} (default fpr, the false positive rate), or "
        "calibration, of the column probability (or score); with its bound, such as tpr=.8, or the "
        "tolerance of calibration. Given several times: all together, with one error probability",
    )
    add(
        "--bound",
        type=float,
        action="append",
        metavar="BOUND",
        help="largest acceptable rate (fpr, alarm_rate), or the smallest (tpr, precision, npv); "
        "default for fpr and tpr: what is guaranteed. With several rates: as many bounds, in their "
        "order",
    )
    add(
        "--direction",
        choices=("above", "below"),
        help="side of the bound on which the rate is not acceptable (default: above for fpr and "
        "alarm_rate, below for the others)",
    )
    add(
        "--tolerance",
        type=float,
        metavar="SHARE",
        default=0.05,
        help="with --rate calibration: how far the probability of a positive may lie from the "
        "predicted one (default .05)",
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
        help="probability that no false warning is ever given while the rate is acceptable "
        "(default .95)",
    )


def rate_and_bound(text):
    """(name, bound or None) of a value of --rate, such as tpr=.8."""
    name, equals, bound = text.partition("=")
    if name not in (*RATES, "calibration"):
        names = ", ".join((*RATES, "calibration"))
        raise ArgumentTypeError(f"invalid choice: {name!r} (choose from {names})")
    try:
        return name, float(bound) if equals else None
    except ValueError:
        raise ArgumentTypeError(f"{text!r}: the bound is {bound!r}, not a number") from None


class LogFile(NamedTuple):
    """A file of a log."""

    rows: list  # of (key, batch, alarm, probability, label)
    columns: list
    scores: list  # of (batch, score, alarm) where a score is known; no alarm: None
    n_contradicting: int  # rows that differ from an earlier row in their label only
    n_repeated: int  # rows that are equal to an earlier row, label included


def read_log_file(file, arguments, decision):
    """Read a file of a log as a `LogFile`.

    UserError for a file with none of the columns of a log, or with a misspelt column of labels.
    """
    from .._validation.checks import nearest

    table = read_input(file, arguments, empty=True)
    columns = without_missing(table, arguments, decision.na_values)
    n = len(next(iter(columns.values())))
    label = arguments.label
    if not {"alarm", "score", "probability", label} & set(columns):
        names = ", ".join(columns)
        raise UserError(f"{file} has neither alarm nor score, nor {label!r}; its columns: {names}")
    others = set(columns) - {"alarm", "score", "probability", arguments.key}
    near = None if label in columns else nearest(label, sorted(others), 0.85)
    if near is not None:
        raise UserError(
            f"{file} has no column {label!r}; did you mean {near!r}? Give --label, or rename it"
        )
    predictions = predictions_of(columns, n, file, arguments, decision)
    labels = [None] * n
    if label in columns:
        labels = class_codes(columns[label], decision.negative_first, label, file)
    keys = range(n) if arguments.key is None else column(columns, arguments.key, file)
    keys = [str(key).strip() for key in keys]
    if "" in keys:
        where = f"{file}, column {arguments.key!r}, row {keys.index('') + 2}"
        raise UserError(
            f"{where}: the identifier of the case is missing; fill it in, or remove the row"
        )
    batches = [file.name] * n if arguments.batch is None else column(columns, arguments.batch, file)
    if "" in batches:
        where = f"{file}, column {arguments.batch!r}, row {batches.index('') + 2}"
        raise UserError(f"{where}: the batch is missing; fill it in, or remove the row")
    known = zip(batches, predictions.scores, predictions.alarms)
    known = [row for row in known if row[1] is not None]
    rows = list(zip(keys, batches, predictions.tested, predictions.probabilities, labels))
    n_contradicting = 0
    n_repeated = 0
    if arguments.key is None:
        n_contradicting, n_repeated = count_copies(columns, labels, label)
    return LogFile(
        rows=rows,
        columns=list(columns),
        scores=known,
        n_contradicting=n_contradicting,
        n_repeated=n_repeated,
    )


def count_copies(columns, labels, label):
    """Numbers of labelled rows that differ from an earlier row in their label only, or not at all.

    labels: codes, None where missing. 0 if the other columns do not distinguish most rows.
    """
    others = [values for name, values in columns.items() if name != label]
    rows = list(zip(*others))
    if 2 * len(set(rows)) < len(labels):
        return 0, 0
    first_label = {}
    n_contradicting = 0
    n_repeated = 0
    for row, code in zip(rows, labels):
        if code is None:
            continue
        if row not in first_label:
            first_label[row] = code
        elif first_label[row] != code:
            n_contradicting += 1
        else:
            n_repeated += 1
    return n_contradicting, n_repeated


class Predictions(NamedTuple):
    """Columns of the rows of a file, each a list with None for missing."""

    scores: list
    alarms: list  # as the file has them
    tested: list  # alarms that are tested: those of the file, else scores at or above the threshold
    probabilities: list  # with --rate calibration


def predictions_of(columns, n, file, arguments, decision):
    """`Predictions` of the rows of a file."""
    alarms = scores = probabilities = [None] * n
    if "alarm" in columns:
        alarms = class_codes(columns["alarm"], (0, 1), "alarm", file)
    if "score" in columns:
        scores = numbers_or_missing(columns, "score", file)
    tested = alarms
    if "alarm" not in columns:
        tested = [None if score is None else int(score >= decision.threshold) for score in scores]
    names = watched_names(arguments)
    if "calibration" in names and "probability" in columns:
        probabilities = numbers_or_missing(columns, "probability", file)
    elif "calibration" in names:
        known = [score for score in scores if score is not None]
        p = iter(decision.calibrator.predict_proba(known)[:, 1].tolist() if known else [])
        probabilities = [None if score is None else next(p) for score in scores]
    return Predictions(scores=scores, alarms=alarms, tested=tested, probabilities=probabilities)


def numbers_or_missing(columns, name, file):
    """List of the numbers of a column of a file, None where missing."""
    from math import isnan

    words = [word.strip() or "nan" for word in columns[name]]
    try:
        values = numbers({name: words}, "; correct or empty it")[:, 0].tolist()
    except UserError as error:
        raise UserError(f"{file}, {error}") from None
    return [None if isnan(value) else value for value in values]


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
    """Rows (key, batch, ...) sorted by batch where batches are times; else as they are.

    A ValueError for a batch that is not a time and whose rows are not contiguous.
    """
    from .._tables.times import read_times

    batches = [row[1] for row in rows]
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

    try:
        decision = load_decision(arguments.model)
        confidence_level = check_between(arguments.confidence_level, "--confidence-level")
        monitors = monitors_of(arguments, decision, confidence_level)
        files = log_files(arguments)
        contents = [read_log_file(file, arguments, decision) for file in files]
        check_prediction_columns(contents, arguments)
        if set(watched_names(arguments)) != {"alarm_rate"}:
            check_label_column(contents, files, arguments)
        rows = [row for content in contents for row in content.rows]
        rows = rows if arguments.batch is None else rows_by_batch(rows)
        result = run_monitors(monitors, rows, confidence_level)
    except (ValueError, ImportError) as error:
        raise UserError(in_options(error)) from error
    scores = [row for content in contents for row in content.scores]
    notes = [*copy_notes(contents), *score_notes(scores, decision)]
    print("\n".join([*result.sentences(), *notes]))
    return int(result.raised)


def run_monitors(monitors, rows, confidence_level):
    """The monitor of rows (key, batch, alarm, probability, label); of several, a joint one."""
    from ..deployment import CalibrationMonitor, JointMonitor

    keys, batches, alarms, probabilities, labels = zip(*rows) if rows else [()] * 5
    options = {"keys": keys, "batches": batches}
    if len(monitors) == 1:
        only = monitors[0]
        is_calibration = isinstance(only, CalibrationMonitor)
        return only.update(labels, probabilities if is_calibration else alarms, **options)
    kinds = {isinstance(monitor, CalibrationMonitor) for monitor in monitors}
    return JointMonitor(monitors, confidence_level=confidence_level).update(
        labels,
        alarms if False in kinds else None,
        probabilities if True in kinds else None,
        **options,
    )


def watched(arguments):
    """List of (name, bound or None) of what is watched, with the values of --bound."""
    rates = arguments.rate or [("fpr", None)]
    bounds = list(arguments.bound or ())
    open_rates = [name for name, bound in rates if bound is None and name != "calibration"]
    if bounds and len(bounds) != len(open_rates):
        verb = "needs" if len(open_rates) == 1 else "need"
        raise UserError(
            f"--bound is given {count_of(len(bounds), 'time')}, and "
            f"{count_of(len(open_rates), 'value')} of --rate {verb} one: give as many, in the "
            "same order, or write it beside the rate, such as --rate tpr=.8"
        )
    if arguments.direction is not None and len(rates) > 1:
        raise UserError("--direction is for a single --rate")
    if arguments.direction is not None and rates[0][0] == "calibration":
        raise UserError("--direction is for a rate, and calibration has none: leave it out")
    out = []
    for name, bound in rates:
        if bounds and bound is None and name != "calibration":
            bound = bounds.pop(0)
        out.append((name, bound))
    return out


def watched_names(arguments):
    """List of the names of what is watched."""
    return [name for name, _ in arguments.rate or [("fpr", None)]]


def monitors_of(arguments, decision, confidence_level):
    """List of the monitors, without rows."""
    from .._validation.checks import check_between
    from ..deployment import CalibrationMonitor, Monitor

    monitors = []
    for name, bound in watched(arguments):
        if name == "calibration":
            tolerance = arguments.tolerance if bound is None else bound
            tolerance = check_between(tolerance, "--tolerance", 0, 0.5, closed="left")
            monitors.append(
                CalibrationMonitor(tolerance=tolerance, confidence_level=confidence_level)
            )
            continue
        bound = bound_of(name, bound, arguments, decision)
        options = {"direction": arguments.direction, "confidence_level": confidence_level}
        monitors.append(Monitor(name, bound=bound, **options))
    return monitors


def bound_of(name, bound, arguments, decision):
    """The bound of a rate: the one given, or the guaranteed maximum FPR or minimum TPR."""
    from .._validation.checks import check_between

    if bound is not None:
        return check_between(bound, "--bound")
    if name == "tpr" and decision.min_tpr is not None and decision.is_guaranteed:
        return decision.min_tpr
    if name != "fpr":
        side = "largest" if name == "alarm_rate" else "smallest"
        expected = getattr(decision.performance, name, None)
        hint = ""
        if expected is not None:
            hint = (
                f"; on held-out rows it was {expected.value:.1%} ({expected.low:.1%} to "
                f"{expected.high:.1%})"
            )
        raise UserError(
            f"--rate {name} needs --bound, the {side} acceptable rate, such as --bound .8{hint}"
        )
    if decision.max_fpr is None or not decision.is_guaranteed:
        reason = "the rows were too few for it"
        if decision.is_guaranteed:
            reason = "costs, a budget or a minimum true positive rate chose its threshold"
        raise UserError(
            f"{arguments.model} guarantees no false positive rate, as {reason}: give --bound, or "
            "use aucbook validate, or decide again with --guarantee"
        )
    return decision.max_fpr


def check_label_column(contents, files, arguments):
    """UserError if no file has a column of labels; it names a similar column."""
    from .._validation.checks import column_hint

    label = arguments.label
    if any(label in content.columns for content in contents):
        return
    known = {"alarm", "score", "probability", arguments.key, arguments.batch}
    columns = {name: None for content in contents for name in content.columns if name not in known}
    hint = column_hint(label, list(columns))
    hint += "" if hint.endswith("?") else "."
    problem = f"{arguments.log} has no column {label!r}"
    if len(files) > 1:
        problem = f"none of the {len(files)} files in {arguments.log} has a column {label!r}"
    advice = "Give --label; while no label is known, keep the column, empty"
    raise UserError(f"{problem} of labels; {hint} {advice}")


def check_prediction_columns(contents, arguments):
    """UserError if no file has the column that a monitor needs of each row, beside the label."""
    present = {name for content in contents for name in content.columns}
    for name in watched_names(arguments):
        needed = ("probability", "score") if name == "calibration" else ("alarm", "score")
        if not present & set(needed):
            columns = ", ".join(dict.fromkeys(n for content in contents for n in content.columns))
            raise UserError(
                f"{arguments.log} has no column {' or '.join(map(repr, needed))}, and --rate "
                f"{name} needs one of them: name it so, as aucbook score does; the columns are: "
                f"{columns}"
            )


def copy_notes(contents):
    """Yield notes if rows of a log without identifiers repeat or contradict each other."""
    way_on = (
        "all are counted: is it the same case? Name the column that identifies it with --key, so "
        "that each case counts once"
    )
    n = sum(content.n_contradicting for content in contents)
    if n:
        verb = "differs" if n == 1 else "differ"
        yield f"{count_of(n, 'row')} {verb} from an earlier row in the label only, and {way_on}"
    n = sum(content.n_repeated for content in contents)
    if n:
        verb = "equals" if n == 1 else "equal"
        yield f"{count_of(n, 'row')} {verb} an earlier row in all columns, and {way_on}"


def score_notes(scores, decision):
    """Yield notes on batches whose scores are not those of the model.

    scores: list of (batch, score, alarm), the last None where the log has none
    """
    import numpy as np

    by_batch = {}
    for batch, score, alarm in scores:
        by_batch.setdefault(batch, []).append((score, alarm))
    for batch, rows in by_batch.items():
        values = np.array([score for score, _ in rows])
        note = outside_note(values, decision)
        if note is not None:
            yield f"{batch}: {note}: was it scored by this model, with columns in the same units?"
        with_alarm = [(score, alarm) for score, alarm in rows if alarm is not None]
        other = sum(alarm != int(score >= decision.threshold) for score, alarm in with_alarm)
        if other > 0.01 * len(with_alarm):
            yield (
                f"{batch}: {other} of {len(with_alarm)} alarms differ from score >= "
                f"{decision.threshold:.4g}, the model's threshold: were they set by another model?"
            )
