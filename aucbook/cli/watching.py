"""What the command line does after go-live: a batch beside what was expected of it, `aucbook monitor` and `aucbook validate`."""

from pathlib import Path

from .commands import report_folder, written
from .given import (
    UserError,
    add_missing,
    column,
    given_columns,
    in_options,
    keep_inputs,
    numbers,
    without_missing,
)
from .reading import add_reading, data_path, read_given

MODEL = "the file model.skops of a comparison (needs the package skops)"


def add_monitor(commands):
    """The subcommand `monitor`."""
    said = "is the promised false positive rate still kept? Reads a log of alarms and labels, and writes nothing"
    after = "The exit code is 1 where the alarm rings. Look as often as you like: its error is one for all looks together."
    command = commands.add_parser("monitor", help=said, epilog=after)
    command.set_defaults(run=monitor)
    add = command.add_argument
    add("model", help=MODEL)
    log = "a file with the columns alarm (or score) and label, or a folder of such files, each a batch, in the order of their"
    add(
        "log",
        type=data_path,
        help=f"{log} names (2026-01.csv, ...); labels may come later in files of their own, with the number of the case",
    )
    add(
        "--label",
        default="label",
        metavar="COLUMN",
        help="the labels, empty where none is known yet (default label)",
    )
    add(
        "--key",
        metavar="COLUMN",
        help="the number of the case (`score --keep` writes it): each case counts once",
    )
    add(
        "--batch",
        metavar="COLUMN",
        help="in one file: the batch, say the month, in which each row came (default: all one)",
    )
    add_missing(command)
    add_reading(command)
    add(
        "--confidence-level",
        type=float,
        default=0.95,
        help="chance that it never rings while the promise is kept (default .95)",
    )


def add_validate(commands):
    """The subcommand `validate`."""
    said = "external validation: a saved model on labelled rows of another place or time, found beside expected"
    command = commands.add_parser("validate", help=said)
    command.set_defaults(run=validate)
    add, out = command.add_argument, "aucbook-validation"
    add("model", help=MODEL)
    data = "a CSV, .xlsx or Parquet file with the columns of the comparison, and one of labels"
    add("data", type=data_path, help=f"{data}; - for standard input")
    add(
        "--label", required=True, metavar="COLUMN", help="the labels; rows without one are left out"
    )
    add_missing(command)
    add_reading(command)
    add(
        "--out",
        default=out,
        help=f"folder for the report and its files (default {out}); what is there is replaced",
    )


def plain(value):
    """A label as text: numbers in their shortest form, so that 1 and 1.0 are one."""
    from .._tables.files import parse_float

    try:
        return f"{parse_float(str(value)):.15g}"
    except ValueError:
        return str(value).strip()


def codes(words, classes, name, file):
    """0 or 1 for each word, by which of two classes it is; None where it is missing, a UserError where it is neither."""
    from .._validation.missing import is_missing

    known, words = (
        {plain(kind): k for k, kind in enumerate(classes)},
        [plain(word) for word in words],
    )
    for i, word in enumerate(words):
        if word not in known and not is_missing(word):
            what = f"{word!r} is neither {' nor '.join(known)}"
            raise UserError(f"{file}, column {name!r}, row {i + 2}: {what}; mend it, or empty it")
    return [known.get(word) for word in words]


def logged(file, arguments, decision):
    """(rows (key, batch, alarm, label), whether there is a column of labels) of one file of a log.

    A UserError for a file that is no part of one, or that has the labels under a name spelt otherwise.
    """
    from .._validation.checks import nearest

    columns = without_missing(
        read_given(file, arguments, empty=True), arguments, decision.na_values
    )
    n, label = len(next(iter(columns.values()))), arguments.label
    if not {"alarm", "score", label} & set(columns):
        raise UserError(
            f"{file} has neither alarm nor score, nor {label!r}; its columns are: {', '.join(columns)}"
        )
    others = [
        name for name in columns if name not in ("alarm", "score", "probability", arguments.key)
    ]
    meant = None if label in columns else nearest(label, others, 0.85)
    if meant is not None:
        raise UserError(
            f"{file} has no column {label!r}; did you mean {meant!r}? Say --label, or rename it"
        )
    alarms = codes(columns["alarm"], (0, 1), "alarm", file) if "alarm" in columns else [None] * n
    if "score" in columns and "alarm" not in columns:
        scores = numbers({"score": [word.strip() or "nan" for word in columns["score"]]})[:, 0]
        alarms = [None if s != s else int(s >= decision.threshold) for s in scores]
    labels = (
        codes(columns[label], decision.classes_, label, file) if label in columns else [None] * n
    )
    keys = range(n) if arguments.key is None else column(columns, arguments.key, file)
    keys = [str(key).strip() for key in keys]
    if "" in keys:
        raise UserError(
            f"{file}, column {arguments.key!r}, row {keys.index('') + 2}: the number of the case is missing"
        )
    batches = [file.name] * n if arguments.batch is None else column(columns, arguments.batch, file)
    if "" in batches:
        raise UserError(
            f"{file}, column {arguments.batch!r}, row {batches.index('') + 2}: the batch is missing"
        )
    return list(zip(keys, batches, alarms, labels)), label in columns


def log_files(arguments):
    """The files of a log: the one, or those of the folder in the order of their names."""
    from .._tables.times import sort_names

    log, ends = Path(arguments.log), (".csv", ".csv.gz", ".parquet", ".xlsx")
    files = [log]
    if (
        log.is_dir()
    ):  # hidden files, and those that a spreadsheet program has open, are no part of it
        shown = (path for path in log.iterdir() if not path.name.startswith((".", "~$")))
        files = [path for path in shown if path.name.endswith(ends)]
    if not files:
        raise UserError(f"there is no .csv, .csv.gz, .parquet or .xlsx file in {log}")
    if len(files) > 1 and arguments.key is None:
        raise UserError(
            f"which column has the numbers of the cases? Give --key: {log} has {len(files)} files"
        )
    if len(files) > 1 and arguments.batch is not None:
        raise UserError(
            "--batch is for a log of one file: in a folder each file is a batch; leave it out"
        )
    names = [path.name.removesuffix(".gz").rpartition(".")[0] for path in files]
    return [files[k] for k in sort_names(names, "file")]


def rows_by_batch(rows):
    """Rows (key, batch, alarm, label) in the order of their batches, where these are times; else as they lie.

    A ValueError for a batch that comes in two pieces, and is no time.
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
                what = f"row {row + 2}: the batch {batch!r} comes again after {before!r}, and batches are no times"
                raise ValueError(
                    f"{what}; sort the rows, or give batches as times, such as 2020-05"
                ) from None
            if batch != before:
                ended.add(before)
        return rows
    return sorted(rows, key=lambda row: rank[row[1]])


def monitor(arguments):
    """`aucbook monitor`: whether a log of alarms and labels speaks against the promise; the exit code, 1 if so."""
    from .. import load_decision
    from .._validation.checks import check_between
    from ..deployment import fpr_monitor

    try:
        decision, confidence_level = (
            load_decision(arguments.model),
            check_between(arguments.confidence_level, "--confidence-level"),
        )
        files = log_files(arguments)
        parts = [logged(file, arguments, decision) for file in files]
        if not any(has_labels for _, has_labels in parts):
            what = f"{arguments.log} has no column {arguments.label!r}"
            if len(files) > 1:
                what = f"none of the {len(files)} files in {arguments.log} has a column {arguments.label!r}"
            way = "say --label; until labels are known, keep the column, empty"
            raise UserError(f"{what} of labels: {way}")
        rows = [row for part, _ in parts for row in part]
        rows = rows if arguments.batch is None else rows_by_batch(rows)
        keys, batches, alarms, labels = zip(*rows) if rows else [()] * 4
        found = fpr_monitor(
            labels,
            alarms,
            decision.max_fpr,
            keys=keys,
            batches=batches,
            confidence_level=confidence_level,
        )
    except (ValueError, ImportError) as error:
        raise UserError(in_options(error)) from error
    print("\n".join(told(found, decision.max_fpr, confidence_level)))
    return int(found.raised)


def told(found, max_fpr, confidence_level):
    """The lines of `aucbook monitor`."""
    from scipy.stats import fisher_exact

    yield f"{found.cases} cases, {found.waiting} of them without a label or an alarm yet"
    if found.repeated:
        yield f"{found.repeated} rows brought nothing new (a batch that came twice?): each case counts once"
    if found.contrary:
        yield f"{found.contrary} rows contradict an earlier one of their case, which stays"
    if not found.negatives:
        yield f"no labelled negatives yet: nothing speaks for or against the promise of at most {max_fpr:.1%}"
        return
    sure = f"from {found.low:.1%} to {found.high:.1%} with confidence {confidence_level:.0%} at all times"
    rate = f"{found.rate:.1%} ({found.false_alarms} of {found.negatives} negatives)"
    yield f"false positive rate {rate}, {sure}; promised: at most {max_fpr:.1%}"
    broken = (
        f"ALARM: the promise is broken, as seen with {found.at}, and probably since {found.since}"
    )
    yield (
        broken
        if found.raised
        else f"no alarm: the evidence is {found.wealth[-1]:.3g}, and it rings at {1 / (1 - confidence_level):.3g}"
    )
    if fisher_exact(found.labelled).pvalue < 0.01:
        quiet, rang = (f"{one} of {none + one}" for none, one in found.labelled.tolist())
        yield f"careful: of the cases that rang {rang} have a label, of the others {quiet}. Where labels depend on the alarm, the"
        yield "rate is not what it seems: wait until both are labelled alike"


def with_interval(values):
    """(mean, low, high) of a number of each row, at 95 %: exact for what is 0 or 1, else by the normal law."""
    import numpy as np
    from scipy.stats import binomtest, norm

    from .._base.estimates import include_estimate

    mean = values.mean() if values.size else np.nan
    if values.size < 2:
        return mean, -np.inf, np.inf
    if np.isin(values, (0, 1)).all():
        ends = binomtest(int(values.sum()), values.size).proportion_ci(0.95)
        return mean, *include_estimate(mean, *ends)
    reach = norm.ppf(0.975) * values.std(ddof=1) / np.sqrt(values.size)
    return mean, mean - reach, mean + reach


def beside_expected(decision, y, alarms, p):
    """Rows of strings, a header first: what a decision expected, what was found, each with its interval, and whether they agree."""
    from ..deployment.performance import LABELS

    performance = decision.performance
    probability = performance.threshold_probability.value
    exchange_rate = probability / (1 - probability)
    found = {
        "fpr": alarms[y == 0],
        "tpr": alarms[y == 1],
        "precision": y[alarms == 1],
        "alarm_rate": alarms,
        "prevalence": y,
        "net_benefit": alarms * (y - exchange_rate * (1 - y)),
        "mean_probability": p,
        "brier": (p - y) ** 2,
    }
    cells = [["what", "expected", "found", "so"]]
    for name, values in found.items():
        expected = getattr(performance, name)
        mean, low, high = with_interval(values)
        so = "as expected"
        if low > expected.high:
            so = "higher"
        elif high < expected.low:
            so = "lower"
        numbers = [
            "{:.3f} ({:.3f} to {:.3f})".format(*estimate)
            for estimate in (expected, (mean, low, high))
        ]
        cells.append([LABELS[name], *numbers, so])
    return cells


def kept(max_fpr, alarms):
    """A sentence on the promise; alarms: 0 or 1 of each negative."""
    from scipy.stats import binomtest

    rang, n = int(alarms.sum()), alarms.size
    p = binomtest(rang, n, max_fpr, "greater").pvalue
    so = (
        "kept"
        if rang <= max_fpr * n
        else "broken"
        if p < 0.05
        else "above it, as chance may have it"
    )
    return f"The promise of at most {max_fpr:.1%} false alarms: {so}; {rang} of {n} negatives rang, {rang / n:.1%} (one-sided p {p:.2g})."


def validate(arguments):
    """`aucbook validate`: a saved model on labelled rows that came later, as a report; the exit code."""
    import numpy as np

    from .. import AP, AUC, PAUC, compare_scores, load_decision, score_decomposition
    from .._base.estimates import cells_text
    from .._tables.files import as_objects, with_file_rows

    label, data = arguments.label, arguments.data
    keep_inputs(Path(arguments.out) / "validation.csv", data)
    try:
        decision = load_decision(arguments.model)
        columns = given_columns(arguments, gone=decision.na_values)
        labels = codes(column(columns, label, data, "label"), decision.classes_, label, data)
        del columns[label]
        rows = np.flatnonzero([one is not None for one in labels])
        y, s = (
            np.array(labels, float)[rows],
            decision.decision_function(as_objects(columns), list(columns))[rows],
        )
        areas = [PAUC(max_fpr=decision.max_fpr).labelled("pAUC"), AUC]
        result = compare_scores(
            y, {decision.ranker: s}, max_fpr=decision.max_fpr, measures=[*areas, AP]
        )
    except (ValueError, ImportError) as error:
        raise UserError(in_options(with_file_rows(error))) from error
    out, p, alarms = (
        report_folder(arguments),
        decision.calibrator.transform(s),
        (s >= decision.threshold).astype(float),
    )
    cells, parts = beside_expected(decision, y, alarms, p), score_decomposition(y, p)
    honest = f"{p.mean():.1%} on average, {y.mean():.1%} came true"
    brier = f"Brier score {parts.score:.4f}, of it miscalibration {parts.miscalibration:.4f}"
    said = [kept(decision.max_fpr, alarms[y == 0]), f"Probabilities: {honest}; {brier}."]
    said += [f"{len(labels) - y.size} rows without a label were left out."] * (y.size < len(labels))
    result.validation = cells, said
    result.settings["file"] = Path(data).name
    print("\n".join([*cells_text(cells), "", *said, ""]))
    return written(result, out)
