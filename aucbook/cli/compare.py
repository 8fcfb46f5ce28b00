"""`aucbook compare`: cross-validate rankers, choose one and its threshold, write a report."""

import argparse
import contextlib
import functools
from pathlib import Path
import importlib.util
import sys
import time
import warnings
from .arguments import UserError, add_comparison_options, data_path, in_options
from .output import OptionStream, report_folder, write_result
from .report import report
from .table_input import (
    take_column,
    column,
    read_columns,
    labels,
    drop_columns,
    drop_index_columns,
    numbers,
    with_rows_of_table,
    positive_label,
    is_positive,
    subgroup_names,
)


EPILOG = """\
examples:
  aucbook compare patients.csv --label sick --pos yes --guarantee .05
  aucbook compare loans.xlsx --label default --miss-cost 8 --alarm-cost 1 --by region

The exit code is 1 if no decision is recommended because of a blocking check,
or if the guarantee that was asked for, or any decision, cannot be given from
these rows, as where limits exclude each other.
"""


def add_compare(commands):
    """Add the subcommand `compare`."""
    command = commands.add_parser(
        "compare",
        help="compare rankers by cross-validation; choose one, and its threshold",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=compare)
    command.add_argument(
        "data",
        nargs="?",
        type=data_path,
        help="a CSV file (also compressed), .xlsx or Parquet, with columns of numbers, categories, "
        "dates or texts; - for standard input; default: scikit-learn's breast-cancer data",
    )
    by = "; rankers are trained on this column, too, unless --drop names it"
    groups = add_comparison_options(command, label="the breast-cancer data", by=by)
    _add_data_options(groups.data.add_argument)
    _add_evaluation_options(groups.evaluation.add_argument)
    add_decision_options(groups.decision.add_argument)
    _add_running_options(groups.running.add_argument)


def _add_data_options(add):
    """Add the options of columns that only `compare` has."""
    add("--weight", metavar="COLUMN", help="column of sample weights")
    add(
        "--time",
        metavar="COLUMN",
        help="column of times: every fold trains on earlier rows and tests on later ones. Numbers, "
        "dates with or without a time, months, quarters, ISO weeks or times of day, all in one "
        "format",
    )
    add(
        "--max-words",
        type=int,
        metavar="N",
        help="for rankers that take dense rows only, a column of texts becomes the TF-IDF of the N "
        "words that differ most between the classes (default 100); the others get all its words",
    )
    add(
        "--scores",
        action="store_true",
        help="the columns are scores: compare them without training, like `report`",
    )


def _add_evaluation_options(add):
    """Add the options of the cross-validation."""
    add(
        "--rankers",
        metavar="NAMES",
        help="compare only these rankers, separated by commas (an unknown name lists all)",
    )
    add("--cv", type=int, metavar="K", default=5, help="number of folds (default 5)")
    add(
        "--repeats",
        type=int,
        metavar="N",
        default=1,
        help="number of repetitions of the k-fold cross-validation (default 1)",
    )
    add(
        "--tune",
        action="store_true",
        help="tune hyperparameters inside each training set (about ten times slower)",
    )


def _add_running_options(add):
    """Add the options that say how the comparison runs."""
    add(
        "--minutes",
        type=float,
        help="time limit in minutes, from reading the file to the report; strong and quick rankers "
        "come first, and one without enough time is compared on fewer rows, and listed",
    )
    add(
        "--jobs",
        type=int,
        metavar="N",
        default=None,
        help="number of processes (default 1; -1 for all cores)",
    )
    add(
        "--seed",
        type=int,
        metavar="N",
        default=0,
        help="random seed of folds and rankers (default 0)",
    )


def add_decision_options(add):
    """Add the options for choosing a ranker and its threshold, by `add_argument` of a group."""
    add(
        "--ranker",
        metavar="NAME",
        help="ranker to choose: a name; 'simplest' for the simplest one that no test finds worse "
        "than the best on the first measure (the default); or 'best' for the first of the table",
    )
    add(
        "--guarantee",
        type=float,
        metavar="RATE",
        help="guaranteed maximum false positive rate of the threshold, with 95%% confidence "
        "(default: none where costs or a budget are given, else --max-fpr, or, without --min-tpr, "
        ".1 if that is 1)",
    )
    add(
        "--min-tpr",
        type=float,
        metavar="RATE",
        help="guaranteed minimum true positive rate (sensitivity, recall) of the threshold, with "
        "95%% confidence, e.g. .95 to screen abstracts; with --guarantee both hold together",
    )
    add(
        "--simultaneous",
        action="store_true",
        default=None,
        help="guarantee the rates for all compared rankers simultaneously (Bonferroni), so exactly "
        "for the one that is chosen from them; it needs more rows (default: for one ranker; after "
        "a choice among several the guarantee is approximate)",
    )
    add(
        "--prevalence",
        type=float,
        metavar="SHARE",
        help="prevalence in the target population (default: share of positives in the file)",
    )
    add(
        "--miss-cost",
        type=float,
        metavar="COST",
        help="cost of a miss (false negative); with --alarm-cost, the threshold of lowest expected "
        "cost is chosen",
    )
    add(
        "--alarm-cost",
        type=float,
        metavar="COST",
        help="cost of a false alarm (false positive), in the same unit",
    )
    add(
        "--cost-column",
        metavar="COLUMN",
        help="instead of --miss-cost: column with the cost of a miss for each positive row "
        "(rankers do not use it)",
    )
    add(
        "--budget",
        type=float,
        metavar="SHARE",
        help="maximum share of all cases that may be flagged, e.g. .02",
    )
    add(
        "--calibrator",
        metavar="NAME",
        help="how scores become probabilities: isotonic (default), platt, beta, temperature, "
        "venn-abers, or none for the ranker's own probabilities, corrected for prevalence only; "
        "beta and temperature expect scores that are log-odds or probabilities",
    )


COSTS = ("prevalence", "miss_cost", "alarm_cost", "budget")


def time_order(values, name):
    """Row numbers sorted by time; UserError names the first row in another format."""
    import numpy as np

    from .._tables.files import with_file_rows
    from .._tables.times import read_times

    try:
        times = read_times(values, f"column {name!r}")
    except ValueError as error:
        raise UserError(with_file_rows(error)) from None
    return np.argsort(times.rank, kind="stable")


def columns_with_roles(arguments):
    """Dict column -> option that names it; UserError if two options name the same column."""
    option_of = {arguments.label: "label"}
    for option in ("groups", "weight", "time", "cost-column"):
        name = getattr(arguments, option.replace("-", "_"))
        if name in option_of:
            raise UserError(
                f"--{option_of[name]} and --{option} both name the column {name!r}: they need "
                "different columns"
            )
        if name is not None:
            option_of[name] = option
    return option_of


def read_training_table(arguments):
    """Read the arguments of the library's `compare` from the file.

    Returns a dict of X, y, names, pos_label, groups, by, sample_weight and miss_cost, and of time
    with --time, which also sorts the rows.
    """
    import numpy as np

    from .._tables.files import as_objects

    columns = read_columns(arguments)
    if arguments.label is None:
        raise UserError(
            f"which column holds the labels? Give --label; the columns are: {', '.join(columns)}"
        )
    y = labels(columns, arguments.label, arguments.data, arguments.skip_unlabelled)
    by = subgroup_names(columns, arguments.by, arguments.data)
    option_of = columns_with_roles(arguments)
    taken = {}
    pos = positive_label(arguments.pos, y, arguments.label, arguments.data)
    ones = is_positive(y, pos)
    for name, option in list(option_of.items())[1:]:
        role = option.removesuffix("s").removesuffix("-column")
        if role == "cost":  # that of negatives is not used, and may be missing
            values = column(columns, name, arguments.data)
            columns[name] = [
                value if value.strip() or one else "0" for value, one in zip(values, ones)
            ]
        taken[role] = take_column(columns, name, arguments.data, role)
    drop_columns(columns, arguments.drop, arguments.data)
    drop_index_columns(columns)
    if not columns:
        raise UserError(
            f"{arguments.data} has no column besides the label: there is nothing to rank by"
        )
    out = {"X": as_objects(columns), "y": y}
    out["groups"] = np.array(taken["group"]) if "group" in taken else None
    out["by"] = None if by is None else np.array(by, object)
    options = (
        ("sample_weight", "weight", arguments.weight),
        ("miss_cost", "cost", arguments.cost_column),
    )
    out |= {
        name: numbers({of: taken[role]})[:, 0] if role in taken else None
        for name, role, of in options
    }
    if "cost" in taken:
        check_cost_column(out["miss_cost"], ones, arguments.cost_column)
    order = np.arange(len(y))
    if "time" in taken:
        order = time_order(taken["time"], arguments.time)
        out = {name: value if value is None else value[order] for name, value in out.items()}
        out["time"] = [taken["time"][row] for row in order]
    arguments.rows = [row for row in order.tolist() if y[row] is not None]
    return out | {"names": list(columns), "pos_label": pos}


def check_cost_column(cost, ones, name):
    """Raise UserError, with the row of the file, for a negative or infinite cost."""
    from .._validation.checks import check_miss_cost
    from .._tables.files import with_file_rows

    try:
        check_miss_cost(cost, y=ones.astype(int))
    except ValueError as error:
        raise UserError(in_options(with_file_rows(error), miss_cost=repr(name))) from error


def example_table(arguments):
    """Dict of X, y, names and pos_label of scikit-learn's breast-cancer data."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    print("No file given: scikit-learn's breast-cancer biopsies, positive = malignant.")
    pos = arguments.pos or "malignant"
    names = list(map(str, data.feature_names))
    return {"X": data.data, "y": data.target_names[data.target], "names": names, "pos_label": pos}


def print_summary(table, arguments):
    """Print a summary of the table before the comparison begins."""
    from .._validation.messages import count_of

    y = [label for label in table["y"] if label is not None]
    positive = max(y) if table["pos_label"] is None else table["pos_label"]
    n = len(y)
    m = sum(label == positive for label in y)
    if not 0 < m < n:
        return  # `compare` will raise the error
    how = f"{arguments.cv} folds × {arguments.repeats}"
    if arguments.time is not None:
        how = f"{arguments.cv} folds in the order of {arguments.time!r}"
    print(
        f"{n} rows, {count_of(table['X'].shape[1], 'column')}, {count_of(m, 'positive')} "
        f"({str(positive).removesuffix('.0')}, {m / n:.1%}); {how}"
    )
    if importlib.util.find_spec("skops") is None:
        print(
            "  no model will be saved for `aucbook score`; that needs the extra `models`: "
            "pip install 'aucbook[models]'"
        )
    note = "(the first fit of a ranker on a machine includes compilation: early estimates are long)"
    print("" if arguments.minutes else f"  {note}\n", flush=True)


def print_texts(result):
    """Print what columns of texts became."""
    texts = [row for row in result.columns if row["kind"] == "text"]
    for row in texts:
        print(f"column {row['name']!r}: {row['becomes']}")
    if texts:
        print()


def chosen_rankers(arguments, rankers):
    """Dict of the rankers that --rankers names, or of all; ValueError for an unknown name."""
    from .._validation.checks import check_known

    words = list(rankers) if arguments.rankers is None else arguments.rankers.split(",")
    names = [check_known(word.strip(), "ranker", list(rankers)) for word in words]
    if arguments.ranker not in (None, "simplest", "best"):
        check_known(arguments.ranker, "ranker", names)
    return {name: rankers[name] for name in names}


def compare_score_columns(arguments):
    """Run `aucbook compare --scores`, without training; return the exit code."""
    if arguments.data is None:
        raise UserError("--scores needs a file: its columns are the scores")
    training = ("min_tpr", "simultaneous", "ranker", "rankers", *COSTS, "cost_column")
    for option in (*training, "weight", "time", "calibrator", "max_words"):
        if getattr(arguments, option) is not None:
            name = option.replace("_", "-")
            raise UserError(
                f"--{name} is for training and deciding, and --scores does neither: leave one of "
                "them out"
            )
    return report(arguments)


def check_compare_options(arguments):
    """Check the options before the comparison; raise ValueError for an invalid one."""
    from .._validation.checks import (
        check_between,
        check_integer,
        check_jobs,
        check_known,
        check_minutes,
        check_range,
    )
    from ..calibration.calibrators import CALIBRATOR_NAMES

    if arguments.calibrator is not None:
        check_known(arguments.calibrator, "calibrator", CALIBRATOR_NAMES)
    check_range(arguments.min_fpr, arguments.max_fpr)
    check_between(arguments.guarantee, "--guarantee", optional=True)
    check_between(arguments.min_tpr, "--min-tpr", optional=True)
    check_integer(arguments.cv, "--cv, the number of folds,", 2)
    check_integer(arguments.repeats, "--repeats")
    check_integer(arguments.max_words, "--max-words", optional=True)
    check_integer(arguments.seed, "--seed", 0, 2**32 - 1 - arguments.repeats)
    check_minutes(arguments.minutes, "--minutes")
    check_jobs(arguments.jobs, "--jobs")


def take_costs(table, arguments):
    """Dict of prevalence, costs and budget; a cost by row is removed from the table."""
    from .._validation.checks import resolve_costs

    cost_by_row = table.pop("miss_cost", None)
    costs = {name: getattr(arguments, name) for name in COSTS}
    if cost_by_row is not None and arguments.miss_cost is not None:
        raise UserError(
            "--miss-cost and --cost-column both give the cost of a miss: leave one of them out"
        )
    if cost_by_row is not None:
        costs["miss_cost"] = cost_by_row
    resolve_costs(is_positive(table["y"], table["pos_label"]).astype(int), **costs)
    return costs


TOLERANCE = 0.15  # share of the time by which a decision may be late before it is ended


class Deadline:
    """When a command with --minutes has to end; without --minutes it never has."""

    def __init__(self, minutes):
        self.minutes = minutes
        self.begun = time.monotonic()

    def remaining(self):
        """Minutes that are left, at least a hundredth; None without a limit."""
        if self.minutes is None:
            return None
        return max(self.minutes - (time.monotonic() - self.begun) / 60, 0.01)


def ranker_in_time(result, ranker, seconds):
    """The ranker, a name or a rule, to decide with in the seconds that are left.

    The chosen one, if need be with a shortened decision; or an alternative for which there is time
    that is found worse neither than the best nor than logistic regression. A chosen one that was
    judged on fewer rows comes after the alternatives with a whole decision. Where there is time for
    none, the quickest.
    """
    from ..deployment.decision import DecisionSeconds
    from ..model_selection.time_budget import in_words

    choice = result.choose(ranker)
    chosen = choice.ranker
    alternatives = [
        alternative.ranker
        for alternative in choice.alternatives
        if result.choose(alternative.ranker).better_baseline is None
    ]
    needed = {
        name: result.decision_seconds.get(name, DecisionSeconds())
        for name in (chosen, *alternatives)
    }
    unshortened = [name for name in needed if needed[name].total <= seconds]
    shortened = [name for name in needed if needed[name].shortest <= seconds]
    in_time = [*unshortened, *shortened]
    if chosen in shortened and chosen not in result.fewer_rows:
        in_time = [chosen]
    name = in_time[0] if in_time else min(needed, key=lambda name: needed[name].shortest)
    if name != chosen:
        print(
            f"The decision is made with {name}: with {chosen}, the first choice, it would take "
            f"about {in_words(needed[chosen].total)}, which is too long"
        )
        result.first_choice = chosen
        return name
    return ranker  # as it was asked for, so that the report names the rule


def decide_without_guarantee(result, decide_with, costs, arguments):
    """The decision by costs or a budget, or at an estimated rate, after a refused guarantee."""
    result.refused_guarantee = in_options(result.refused_guarantee, max_fpr="--guarantee")
    print(f"The guarantee cannot be given. {result.refused_guarantee}\n", flush=True)
    if costs["alarm_cost"] is not None or costs["budget"] is not None:
        return decide_with()
    limits = {"max_fpr": arguments.guarantee, "min_tpr": arguments.min_tpr}
    return decide_with(guarantee=False, **limits)


def decide(result, table, costs, out, deadline, arguments):
    """Add the decision to a comparison, if there is time; messages say why there is none.

    Returns whether these rows do not allow a decision, or the guarantee that was asked for.
    """
    from .._base.ranker import interrupted_after
    from ..model_selection.time_budget import report_seconds
    from ..thresholds.fpr_thresholds import GuaranteeError

    ranker = arguments.ranker
    guard = contextlib.nullcontext()
    checkpoint = out / "checkpoint"
    minutes = None
    if deadline.minutes is not None:
        checkpoint = None  # to name its files takes longer than many a fold
        if result.interrupted:
            result.no_decision = "the comparison was interrupted"
            print(f"no decision: {result.no_decision}\n")
            return False
        for_report = report_seconds(result.y.size, len(result.rows))
        seconds = max(60 * deadline.remaining() - for_report, 1.0)
        minutes = seconds / 60
        ranker = ranker_in_time(result, ranker, seconds)
        guard = interrupted_after(seconds + 60 * TOLERANCE * deadline.minutes)
    decide_with = functools.partial(
        result.decide,
        table["X"],
        ranker,
        calibrator=arguments.calibrator,
        n_jobs=arguments.jobs,
        checkpoint=checkpoint,
        minutes=minutes,
        verbose=1,
        **costs,
    )
    try:
        with guard:
            try:
                decision = decide_with(
                    max_fpr=arguments.guarantee,
                    min_tpr=arguments.min_tpr,
                    guarantee="simultaneous" if arguments.simultaneous else True,
                )
            except GuaranteeError:
                decision = decide_without_guarantee(result, decide_with, costs, arguments)
        decision.na_values = arguments.na_values or ""
    except ValueError as error:  # for example infinite scores: the comparison is still complete
        result.no_decision = in_options(error, max_fpr="--guarantee")
        print(f"no decision: {result.no_decision}\n")
        return True
    except KeyboardInterrupt:
        if deadline.minutes is None:
            raise
        result.no_decision = "the time was over, or Ctrl-C pressed, before it was made"
        print(f"no decision: {result.no_decision}\n")
    was_asked_for = arguments.guarantee is not None or arguments.min_tpr is not None
    return result.refused_guarantee is not None and was_asked_for


def cross_validate(table, rankers, out, deadline, arguments):
    """Return the `Comparison` of rankers; an interrupted run resumes from the checkpoint."""
    from .. import compare
    from ..model_selection import CompareOptions
    from ..tables.encoder import MAX_WORDS

    options = CompareOptions(
        feature_names=table["names"],
        max_words=arguments.max_words or MAX_WORDS,
        skip_unlabelled=arguments.skip_unlabelled,
        ignore=arguments.ignore,
        minutes=deadline.remaining(),
        checkpoint=out / "checkpoint",
        verbose=1,
    )
    with contextlib.redirect_stdout(OptionStream(sys.stdout)):
        return compare(
            rankers=rankers,
            min_fpr=arguments.min_fpr,
            max_fpr=arguments.max_fpr,
            cv=arguments.cv,
            measures=arguments.measure,
            repeats=arguments.repeats,
            random_state=arguments.seed,
            n_jobs=arguments.jobs,
            options=options,
            **{name: value for name, value in table.items() if name != "names"},
        )


def without_splitter_advice(message, arguments):
    """A message about a split group with the way on for folds in the order of --time."""
    problem, advice, _ = message.partition("; cv must keep groups together")
    if arguments.time is None or not advice:
        return message
    return (
        f"{problem}: folds in the order of --time train on its earlier rows and test on its later "
        "ones; leave out --groups or --time, or keep one period of each group"
    )


def compare(arguments):
    """Run `aucbook compare`; return the exit code."""
    deadline = Deadline(arguments.minutes)
    if not arguments.scores and arguments.minutes is not None and arguments.minutes > 0:
        from .._base.compilation import start_compilation

        start_compilation()  # before anything that takes time: it needs a core of its own

    import numpy as np

    from .. import default_rankers
    from ..measures import check_measures
    from ..reporting.provenance import provenance_of
    from ..reporting.recommendation import blocking_codes

    if arguments.scores:
        return compare_score_columns(arguments)
    # part of the summary that is printed of the columns
    warnings.filterwarnings("ignore", "column .* taken as missing")
    for option in ("label", "by"):
        if arguments.data is None and getattr(arguments, option) is not None:
            how = "give the file too, before its options: aucbook compare data.csv --label y"
            raise UserError(f"--{option} names a column of a file: {how}")
    try:
        check_compare_options(arguments)
        rankers = default_rankers(
            min_fpr=arguments.min_fpr,
            max_fpr=arguments.max_fpr,
            random_state=arguments.seed,
            tune=arguments.tune,
        )
        rankers = chosen_rankers(arguments, rankers)
        if arguments.data is None:
            table = example_table(arguments)
        else:
            table = read_training_table(arguments)
        costs = take_costs(table, arguments)
        if arguments.measure:
            check_measures(arguments.measure, table["y"].size)
        out = report_folder(arguments)
        print_summary(table, arguments)
        result = cross_validate(table, rankers, out, deadline, arguments)
    except (ValueError, RuntimeError) as error:
        other = {} if arguments.cost_column is None else {"miss_cost": "--cost-column"}
        message = without_splitter_advice(with_rows_of_table(error, arguments), arguments)
        raise UserError(in_options(message, **other)) from error
    print_texts(result)
    if arguments.time is not None:
        result.source_rows = np.array(arguments.rows)
    example = "scikit-learn's breast-cancer biopsies"
    result.settings["file"] = Path(arguments.data).name if arguments.data else example
    result.provenance = provenance_of([arguments.data], arguments.words)
    if codes := blocking_codes(result.checks):
        words = codes.replace(", ", " ")
        print(
            f"No decision is recommended, because of {codes}: correct the table, or, if you know "
            f"the reason and the data are right, add --ignore {words}.\n"
        )
        return write_result(result, out, checks_printed=True)
    refused = decide(result, table, costs, out, deadline, arguments)
    code = write_result(result, out, checks_printed=True)
    return 1 if refused else code
