"""`aucbook report`: compare existing scores, without training."""

from .._validation.messages import count_of
from pathlib import Path
import argparse
from .arguments import UserError, add_comparison_options, data_path, in_options
from .output import report_folder, write_result
from .table_input import (
    take_column,
    read_columns,
    labels,
    drop_columns,
    drop_index_columns,
    numbers,
    positive_label,
    is_comparison_scores,
    subgroup_names,
)


EXAMPLES = """\
examples:
  aucbook report scores.csv --label sick --pos yes
  aucbook report aucbook-out/scores.csv --max-fpr .1
"""


def add_report(commands):
    """Add the subcommand `report`."""
    command = commands.add_parser(
        "report",
        help="compare existing scores, without training",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=report)
    command.add_argument(
        "data",
        type=data_path,
        help="a CSV, .xlsx or Parquet file with a column of labels and a column of scores for each "
        "ranker, such as the scores.csv of a comparison; - for standard input",
    )
    # not the folder of `compare`, whose scores.csv may be the input
    label = "the scores.csv of a comparison"
    add_comparison_options(command, "aucbook-report", label=label, by="")


def comparison_of_scores(columns, arguments, pos):
    """Compare columns of scores; the columns row and fold of a scores.csv are recognised."""
    from .. import compare_scores

    label = arguments.label
    fold = groups = None
    if is_comparison_scores(columns):
        columns.pop("row")
        tested = [fold != "-1" for fold in columns["fold"]]  # other rows have no scores
        columns = {
            name: [v for v, keep in zip(values, tested) if keep] for name, values in columns.items()
        }
        fold = columns.pop("fold")
        groups = columns.pop("group", None)
        label = "label" if label is None else label
    if label is None:
        raise UserError(
            f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}"
        )
    y = labels(columns, label, arguments.data, arguments.skip_unlabelled)
    by = subgroup_names(columns, arguments.by, arguments.data)
    if arguments.groups is not None:
        groups = take_column(columns, arguments.groups, arguments.data, "group")
    drop_columns(columns, arguments.drop, arguments.data)
    columns.pop(arguments.by, None)
    drop_index_columns(columns)
    if not columns:
        raise UserError(f"{arguments.data} has no column besides the label: there are no scores")
    scores = dict(zip(columns, numbers(columns, "; --drop removes a column").T))
    result = compare_scores(
        y,
        scores,
        min_fpr=arguments.min_fpr,
        max_fpr=arguments.max_fpr,
        measures=arguments.measure,
        groups=groups,
        by=by,
        fold=fold,
        pos_label=positive_label(pos, y, label, arguments.data),
        ignore=arguments.ignore,
        skip_unlabelled=arguments.skip_unlabelled,
    )
    result.settings["file"] = Path(arguments.data).name  # the same report in whatever folder
    return result


def report(arguments):
    """Run `aucbook report`, or `aucbook compare --scores`; return the exit code."""
    from ..reporting.provenance import provenance_of

    try:
        result = comparison_of_scores(read_columns(arguments), arguments, arguments.pos)
    except ValueError as error:
        raise UserError(in_options(error)) from error
    result.provenance = provenance_of([arguments.data], arguments.words)
    out = report_folder(arguments)
    n = result.y.size
    m = int(result.y.sum())
    print(f"{n} rows, {count_of(m, 'positive')} ({m / n:.1%}); the scores as given\n")
    return write_result(result, out)
