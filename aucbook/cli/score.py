"""`aucbook score`: score new rows with a saved model."""

from .._validation.messages import count_of
import warnings
from .arguments import (
    MODEL_HELP,
    UserError,
    add_missing_option,
    add_reading_options,
    data_path,
    in_options,
)
from .output import keep_inputs
from .table_input import column, outside_note, read_input, without_missing, without_named_columns


def add_score(commands):
    """Add the subcommand `score`."""
    command = commands.add_parser("score", help="score new rows with the model of a comparison")
    command.set_defaults(run=score)
    add = command.add_argument
    add("model", help=MODEL_HELP)
    add(
        "data",
        type=data_path,
        help="a CSV, .xlsx or Parquet file with the columns of the comparison; - for "
        "standard input",
    )
    add_missing_option(command)
    add_reading_options(command)
    add(
        "--keep",
        nargs="+",
        metavar="COLUMN",
        help="columns to copy to the output, such as an identifier; write this option after model "
        "and data",
    )
    add(
        "--out",
        metavar="FILE",
        default="scored.csv",
        help="the file to write, with one line per row, in the same order (default scored.csv)",
    )


def batch_notes(decision, X, names, scores, alarms):
    """Yield notes on new rows: expected alarms, scale, missing values, new levels, ranges."""
    import numpy as np
    from scipy.stats import binom

    from .._tables.columns import numeric_names, read_new_rows, unseen_levels
    from ..deployment.ranges import outside_in_words
    from ..tables.encoder import encoder_of

    rate = decision.performance.alarm_rate
    low = int(binom.ppf(0.025, alarms.size, rate.low))
    high = int(binom.ppf(0.975, alarms.size, rate.high))
    count = alarms.sum()
    note = f"positive predictions: {count} of {alarms.size} (expected {low} to {high})"
    outside = outside_note(scores, decision)
    if outside is not None:
        yield f"{outside}: are all columns in the units of the comparison?"
    encoder = encoder_of(decision.model)
    if encoder is None:
        yield note
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `score` prints them
        table = read_new_rows(encoder, X, names)
    no_number = np.isnan(table.numbers)
    no_word = np.hstack([table.categories, table.texts]) == ""
    yield f"{note}; {np.hstack([no_number, no_word]).mean():.1%} of the values are missing"
    if encoder.imputer_ is not None:
        columns = np.array(numeric_names(table.names), object)[encoder.kept_]
        missing = no_number[:, encoder.kept_].sum(axis=0)
        for j in np.setdiff1d(np.flatnonzero(missing), encoder.imputer_.indicator_.features_):
            yield (
                f"column {columns[j]!r}: {missing[j]} missing, none in the comparison; replaced by "
                "the median"
            )
    yield from unseen_levels(encoder, table)
    yield from outside_in_words(decision.ranges or {}, table)


def score(arguments):
    """Run `aucbook score`; return the exit code."""
    import numpy as np

    from .. import load_decision
    from .._tables.files import as_objects, with_file_rows, write_csv

    keep_inputs(arguments.out, arguments.data, arguments.model)
    try:
        decision = load_decision(arguments.model)
        table = read_input(arguments.data, arguments, empty=True)
        copied = {name: column(table, name, arguments.data) for name in arguments.keep or []}
        columns = without_missing(table, arguments, decision.na_values)
        columns = without_named_columns(columns, decision, copied)
        X = as_objects(columns)
        names = list(columns)
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore",
                "column .* the training rows did not have|column .* which all training rows had"
                "|column .* outside the training range",
            )
            scores = decision.positive_scores(X, names) if len(X) else np.empty(0)
        alarms = (scores >= decision.threshold).astype(int)
        notes = list(batch_notes(decision, X, names, scores, alarms)) if len(X) else []
    except (ValueError, ImportError) as error:
        raise UserError(in_options(with_file_rows(error))) from error
    results = {
        "score": scores,
        "probability": decision.calibrator.predict_proba(scores)[:, 1] if len(X) else scores,
        "alarm": alarms,
    }
    if duplicates := {"row", *results} & set(copied):
        name = min(duplicates)
        raise UserError(f"{arguments.data} has a column {name!r} of its own: rename it to keep it")
    cells = [np.arange(len(scores)), *copied.values(), *results.values()]
    try:
        write_csv(arguments.out, ["row", *copied, *results], cells)
    except OSError as error:
        raise UserError(f"cannot write to {arguments.out}: {error.strerror}") from None
    except UnicodeEncodeError as error:
        raise UserError(f"cannot write to {arguments.out}: {error}") from None
    print(
        f"{count_of(len(scores), 'row')} scored by {decision.ranker}, "
        f"{count_of(alarms.sum(), 'alarm')}; written to {arguments.out}"
    )
    if decision.threshold == np.inf:
        print("  no positive predictions: at these costs and this budget the threshold is infinite")
    for note in notes:
        print(f"  {note}")
    return 0
