"""`aucbook validate`: external validation of a saved decision."""

from .._validation.messages import count_of, shortened
from pathlib import Path
from typing import NamedTuple
import warnings
from .arguments import (
    MODEL_HELP,
    UserError,
    add_missing_option,
    add_reading_options,
    data_path,
    in_options,
)
from .output import keep_inputs, report_folder, write_result
from .table_input import (
    class_codes,
    column,
    columns_of_comparison,
    label_text,
    labels,
    outside_note,
    positive_label,
    read_columns,
    take_column,
    training_columns,
    without_named_columns,
)


def add_validate(commands):
    """Add the subcommand `validate`."""
    command = commands.add_parser(
        "validate",
        help="external validation: compare the observed with the expected performance of a saved "
        "model, on labelled rows from another place or time",
        epilog="The exit code is 1 if a rate is beyond its guaranteed bound by more than chance "
        "(at the level of the guarantee): by the exact binomial test, which takes rows as "
        "independent, or, with groups, by a test that takes only groups as independent. It is 0 "
        "where the limit was set on grouped rows and the groups of these rows are not known.",
    )
    command.set_defaults(run=validate)
    add = command.add_argument
    add("model", help=MODEL_HELP)
    add(
        "data",
        type=data_path,
        help="a CSV, .xlsx or Parquet file with the columns of the comparison, and a column of "
        "labels; - for standard input",
    )
    add(
        "--label",
        required=True,
        metavar="COLUMN",
        help="column of the labels; unlabelled rows are dropped",
    )
    add(
        "--pos",
        metavar="LABEL",
        help="label of the positive class in this file, whose two labels may then be others than "
        "in the comparison (default: the same as there)",
    )
    add(
        "--groups",
        metavar="COLUMN",
        help="column that names groups of rows that depend on each other, such as the patient "
        "(default: that of the comparison, if the model file names it and the data has it; "
        "without groups rows are taken as independent)",
    )
    add(
        "--report",
        metavar="FILE",
        help="the report.html (or table.json) that was signed: an error if its SHA-256 of the "
        "model file is not that of this model",
    )
    add_missing_option(command)
    add_reading_options(command)
    out = "aucbook-validation"
    add(
        "--out",
        metavar="FOLDER",
        default=out,
        help=f"folder for the report and its files (default {out}); existing files are overwritten",
    )


def mean_with_interval(values, code=None, is_bounded=False):
    """(mean, low, high) with a 95 % interval: exact (binomial) for zeros and ones, else normal.

    code: (n,) number of the group of each value: cluster-robust with Student's t; None for
    independent values; is_bounded: values are in [0, 1], and so is the interval, normal on the
    logit scale. Ends of fewer than 2 values, or groups, are NaN.
    """
    import numpy as np
    from scipy.stats import binomtest, norm

    from .._base.estimates import include_estimate

    mean = values.mean() if values.size else np.nan
    if values.size < 2 or (code is not None and np.unique(code).size < 2):
        return mean, np.nan, np.nan
    is_share = np.isin(values, (0, 1)).all()
    if code is not None:
        ends = interval_of_groups(values, code, is_share, is_bounded)
        return mean, *include_estimate(mean, *ends)
    if is_share:
        ends = binomtest(int(values.sum()), values.size).proportion_ci(0.95)
        return mean, *include_estimate(mean, *ends)
    half_width = norm.ppf(0.975) * values.std(ddof=1) / np.sqrt(values.size)
    return mean, *ends_around(mean, half_width, is_bounded)


def ends_around(mean, half_width, is_bounded):
    """(low, high) around a mean; is_bounded: on the logit scale, by the delta method."""
    from scipy.special import expit, logit

    if not is_bounded or not 0 < mean < 1:
        return mean - half_width, mean + half_width
    half_width /= mean * (1 - mean)
    return expit(logit(mean) - half_width), expit(logit(mean) + half_width)


def interval_of_groups(values, code, is_share, is_bounded):
    """(low, high) of the mean of values (n,) in groups code (n,): 95 %, cluster-robust."""
    import numpy as np
    from scipy.stats import binomtest, t

    from .._numerics.resampling import cluster_variance_of_mean

    code = np.unique(code, return_inverse=True)[1]
    n_groups = int(code.max()) + 1
    mean = values.mean()
    if is_share and mean in (0, 1):  # no variance: each group as one case
        return tuple(binomtest(int(mean) * n_groups, n_groups).proportion_ci(0.95))
    half_width = t.ppf(0.975, n_groups - 1) * np.sqrt(cluster_variance_of_mean(values, code))
    if is_share:
        return tuple(np.clip([mean - half_width, mean + half_width], 0, 1))
    return ends_around(mean, half_width, is_bounded)


def text_with_interval(value, low, high):
    """An estimate with its interval, where it has one."""
    import math

    if math.isnan(value):
        return "none"
    return (
        f"{value:.3f} (no interval)"
        if math.isnan(low)
        else f"{value:.3f} ({low:.3f} to {high:.3f})"
    )


def observed_and_expected(decision, y, alarms, p, groups=None):
    """Table of expected and observed performance with intervals: lists of strings, header first."""
    import numpy as np

    from .._validation.checks import check_groups
    from ..deployment.performance import LABELS

    code = None if groups is None else check_groups(groups, n=y.size)[0]
    everything = np.ones(y.size, bool)
    performance = decision.performance
    probability = performance.threshold_probability.value
    exchange_rate = probability / (1 - probability)
    observed = {
        "fpr": (alarms, y == 0),
        "tpr": (alarms, y == 1),
        "precision": (y, alarms == 1),
        "alarm_rate": (alarms, everything),
        "prevalence": (y, everything),
        "net_benefit": (alarms * (y - exchange_rate * (1 - y)), everything),
        "mean_probability": (p, everything),
        "brier": ((p - y) ** 2, everything),
    }
    cells = [["measure", "expected", "observed", "difference"]]
    for name, (values, rows) in observed.items():
        expected = getattr(performance, name)
        mean, low, high = mean_with_interval(
            values[rows],
            None if code is None else code[rows],
            is_bounded=name in ("mean_probability", "brier"),
        )
        difference = "as expected"
        if low > expected.high:
            difference = "higher"
        elif high < expected.low:
            difference = "lower"
        elif np.isnan(low):
            difference = "too few to say"
        estimates = (expected, (mean, low, high))
        texts = [text_with_interval(*estimate) for estimate in estimates]
        cells.append([LABELS[name], *texts, difference])
    return cells


def check_reported_model(arguments):
    """UserError if the model is not the one that the report of --report names."""
    from ..reporting.provenance import reported_digest, sha256_of

    report = arguments.report
    if report is None:
        return
    try:
        reported = reported_digest(report)
        digest = sha256_of(arguments.model)
    except FileNotFoundError as error:
        raise UserError(f"--report {report}: there is no file {error.filename}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"--report {report}: {error}") from None
    if reported is None:
        raise UserError(
            f"{report} names no model file: give the report.html, or the table.json, that was "
            "written with the model"
        )
    if reported != digest:
        raise UserError(
            f"{arguments.model} is not the model of {report}: its SHA-256 is {digest}, and the "
            f"report names {reported}. Ask for the model file that was signed for"
        )
    print(f"{arguments.model} is the model of {report}: SHA-256 {digest}")


def training_file_warning(decision, file):
    """Sentence if a file is one of those that the model was trained on, by its SHA-256; else ""."""
    from ..reporting.provenance import file_record

    if decision.provenance is None:
        return ""
    names = {record["sha256"]: record["name"] for record in decision.provenance["files"]}
    record = file_record(file)
    if record is None or record.sha256 not in names:
        return ""
    return (
        f"{record.name} is the file that the model was trained on ({names[record.sha256]}, with "
        "the same SHA-256): this is no external validation, and its results may be too good."
    )


class LabelColumn(NamedTuple):
    """The labels of a file."""

    codes: list  # of each row 1 for positive, 0 for negative, None where missing
    names: tuple  # the negative and the positive label; None for one that does not occur


def label_column(columns, decision, arguments):
    """`LabelColumn` of the file, whose column is removed.

    UserError for labels that are not those of the comparison, unless --pos names the positive one.
    """
    label = arguments.label
    values = column(columns, label, arguments.data, "label")
    if arguments.pos is None:
        names = decision.negative_first
        advice = "correct or empty it, or name the positive label with --pos"
        codes = class_codes(values, names, label, arguments.data, advice)
        del columns[label]
        return LabelColumn(codes, names)
    y = labels(columns, label, arguments.data, skip=True)
    pos = positive_label(arguments.pos, y, label, arguments.data)
    y = y.tolist()
    negative = next((value for value in y if value is not None and value != pos), None)
    codes = [None if value is None else int(value == pos) for value in y]
    return LabelColumn(codes, (negative, pos))


def groups_of_comparison(decision):
    """The column that --groups named in the comparison; None without one."""
    return next(iter(columns_of_comparison(decision).get("--groups", ())), None)


def take_groups(columns, decision, arguments):
    """Groups of the rows, whose column is removed unless it is a feature; None without groups."""
    name = arguments.groups
    if name is None:
        name = groups_of_comparison(decision)
        if name not in columns:
            return None
        print(f"groups: column {name!r}, as in the comparison")
    if name == arguments.label:
        raise UserError(
            f"--label and --groups both name the column {name!r}: they need different columns"
        )
    groups = take_column(dict(columns), name, arguments.data, "group")
    if name not in training_columns(decision):
        del columns[name]
    return groups


def dependence_sentence(groups, decision):
    """What the tests and intervals take as independent."""
    from ..thresholds.limits import are_grouped

    if groups is not None:
        number = count_of(len(set(groups)), "group")
        return (
            f"Tests of limits and intervals take the {number} of rows as independent, and none as "
            "larger than the largest of these; rows of a group may depend on each other."
        )
    if are_grouped(decision) or groups_of_comparison(decision) is not None:
        return (
            "Caution: tests and intervals take rows as independent, but the comparison had groups, "
            "whose rows depend on each other: name their column with --groups."
        )
    return "Tests of limits and intervals take rows as independent (else give --groups)."


def check_both_classes(y, names, n_rows, label, file):
    """UserError if the labelled ones of n_rows rows have one class only; names: `LabelColumn`'s."""
    if not y.size:
        raise UserError(
            f"{file}, column {label!r}: the label is missing in all of {count_of(n_rows, 'row')}, "
            "and a validation needs both classes: fill in the labels, or name another column with "
            "--label"
        )
    n_positives = int(y.sum())
    if 0 < n_positives < y.size:
        return
    missing, rate = ("negative", "tpr") if n_positives else ("positive", "fpr")
    name = names[int(n_positives == 0)]
    in_words = missing if name is None else f"{missing} ({label_text(name)})"
    raise UserError(
        f"{file}, column {label!r}: none of {count_of(y.size, 'labelled row')} is {in_words}, "
        "and a validation needs both classes: add rows of a longer period, or test the "
        f"{rate} alone with aucbook monitor --rate {rate}"
    )


def label_sentences(positive, decision, n_dropped):
    """Another positive label than in the comparison, and rows without a label."""
    expected = label_text(decision.pos_label)
    if positive != expected:
        yield f"Positive label of this file: {positive}; of the comparison: {expected}."
    if n_dropped:
        verb = "was" if n_dropped == 1 else "were"
        yield f"{count_of(n_dropped, 'unlabelled row')} {verb} dropped."


def scores_with_notes(columns, decision):
    """(scores (n,), list of what a decision warned of)."""
    from .._tables.files import as_objects

    columns = without_named_columns(columns, decision)
    with warnings.catch_warnings(record=True) as caught:
        scores = decision.positive_scores(as_objects(columns), list(columns))
    return scores, [shortened(in_options(warning.message)) for warning in caught]


def probabilities_sentence(y, p, groups):
    """Whether probabilities p (n,) are too high or too low for labels y (n,), and by how much."""
    from .. import score_decomposition
    from .._validation.checks import check_groups

    code = None if groups is None else check_groups(groups, n=y.size)[0]
    _, low, high = mean_with_interval(p - y, code)
    verdict = ""
    if low > 0:
        verdict = " too high"
    elif high < 0:
        verdict = " too low"
    brier = score_decomposition(y, p)
    return (
        f"Probabilities{verdict}: mean predicted {p.mean():.1%}, observed {y.mean():.1%}; Brier "
        f"score {brier.score:.4f}, of it miscalibration {brier.miscalibration:.4f}."
    )


def validate(arguments):
    """Run `aucbook validate`; return the exit code."""
    import numpy as np

    from .. import AP, AUC, PAUC, compare_scores, load_decision
    from .._base.estimates import cells_text
    from .._tables.files import with_file_rows
    from ..reporting.provenance import provenance_of, sha256_of
    from ..reporting.report import Validation
    from ..thresholds.limits import guarantee_tests

    data = arguments.data
    keep_inputs(Path(arguments.out) / "validation.csv", data)
    check_reported_model(arguments)
    try:
        decision = load_decision(arguments.model)
        model = {"name": Path(arguments.model).name, "sha256": sha256_of(arguments.model)}
        if warning := training_file_warning(decision, data):
            print(f"Caution: {warning}")
        columns = read_columns(arguments, na_values=decision.na_values)
        groups = take_groups(columns, decision, arguments)
        codes, names = label_column(columns, decision, arguments)
        labelled = np.flatnonzero([code is not None for code in codes])
        y = np.array(codes, float)[labelled]
        scores, notes = scores_with_notes(columns, decision)
        check_both_classes(y, names, len(codes), arguments.label, data)
        scores = scores[labelled]
        if groups is not None:
            groups = [groups[row] for row in labelled]
        max_fpr = 1.0 if decision.max_fpr is None else decision.max_fpr
        result = compare_scores(
            y,
            {decision.ranker: scores},
            min_fpr=0,
            max_fpr=max_fpr,
            groups=groups,
            measures=[PAUC(max_fpr=max_fpr).labelled("pAUC"), AUC, AP]
            if max_fpr < 1
            else [AUC, AP],
        )
    except (ValueError, ImportError) as error:
        raise UserError(in_options(with_file_rows(error))) from error
    out = report_folder(arguments)
    p = decision.calibrator.predict_proba(scores)[:, 1]
    alarms = (scores >= decision.threshold).astype(float)
    cells = observed_and_expected(decision, y, alarms, p, groups)
    if note := outside_note(scores, decision):
        notes.append(f"{note}: are all columns in the units of the comparison?")
    sentences = [f"Caution: {note}" for note in notes]
    tests = guarantee_tests(y, alarms, decision, groups)
    if groups is None and groups_of_comparison(decision) is not None:
        tests = [test._replace(ignores_groups=True) for test in tests]
    sentences.append(dependence_sentence(groups, decision))
    sentences.append(probabilities_sentence(y, p, groups))
    positive = label_text(names[1])
    sentences.extend(label_sentences(positive, decision, len(codes) - y.size))
    result.validation = Validation(
        cells=cells,
        sentences=sentences,
        tests=tests,
        ranker=decision.ranker,
        threshold=decision.threshold,
        model=model,
        origin=decision.provenance,
        warning=warning,
    )
    result.provenance = provenance_of([data], arguments.words)
    result.settings |= {"file": Path(data).name, "positive label": positive}
    verdicts = [test.sentence() for test in tests]
    print("\n".join([*cells_text(cells), "", *verdicts, *sentences, ""]))
    code = write_result(result, out)
    return 1 if any(test.is_broken for test in tests) else code
