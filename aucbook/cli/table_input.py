"""Tables that commands read: columns, labels, missing values, numbers."""

import os
import re
import shlex
from .arguments import UserError


def with_rows_of_table(message, arguments):
    """Message with row numbers of the file, also if rows were sorted by --time or dropped."""
    from .._tables.files import with_file_rows

    message = str(message)
    if arguments.time is not None and message.startswith("time: "):
        message = f"column {arguments.time!r}: {message.removeprefix('time: ')}"
    rows = getattr(arguments, "rows", None)
    if rows is None:
        return with_file_rows(message)

    def file_row(match):
        return f"row {rows[int(match[1])] + 2}"

    return re.sub(r"row (\d+) \(the first is 0\)", file_row, message)


def read_columns(arguments, na_values=""):
    """Dict name -> list of strings of the file, "" where missing."""
    return without_missing(read_input(arguments.data, arguments), arguments, na_values)


def without_missing(columns, arguments, na_values=""):
    """The columns (dict name -> list of strings) with "" where a value is missing.

    Missing are empty cells, the usual words, the values of --na-values, and na_values, those of
    the comparison. In the column of labels 'none' may be the name of a class.
    """
    import numpy as np

    from .._validation.missing import are_missing_labels, is_missing

    listed = f"{arguments.na_values or ''},{na_values}".split(",")
    missing_words = {word.strip() for word in listed}
    missing_words |= {f"{word}.0" for word in missing_words if word}  # -9 in a column of floats
    label = getattr(arguments, "label", None)
    out = {}
    for name, values in columns.items():
        if name != label and (numbers_of := filled_numbers(values, missing_words)) is not None:
            out[name] = numbers_of
            continue
        distinct = set(values)
        empty = {word for word in distinct if word.strip() in missing_words}
        if name == label:
            # whether a label is missing depends on which labels there are, not on their rows
            words = np.array(["", *(distinct - empty)], object)
            empty |= set(words[are_missing_labels(words)].tolist())
            out[name] = ["" if word in empty else word for word in values] if empty else values
            continue
        empty |= {word for word in distinct if len(word.strip()) <= 4 and is_missing(word)}
        out[name] = ["" if word in empty else word for word in values] if empty else values
    return out


class NumberWords(list):
    """A list of strings that are all numbers, with the numbers (n,) as `floats`: read once."""

    def __init__(self, words, floats):
        super().__init__(words)
        self.floats = floats


def filled_numbers(values, missing_words):
    """`NumberWords` of strings; None unless all are numbers, none of them NaN or a missing word."""
    import numpy as np

    from .._tables.files import parse_floats

    try:
        floats = parse_floats(values)
    except ValueError:
        return None
    marks = [float(word) for word in missing_words if is_number(word)]
    if np.isnan(floats).any() or np.isin(floats, marks).any():
        return None
    return NumberWords(values, floats)


def drop_index_columns(columns):
    """Remove columns that are an index of pandas, and report them."""
    from .._tables.files import INDEX_NAME

    for name in [name for name in columns if INDEX_NAME.fullmatch(name.strip())]:
        values = columns.pop(name)
        numbered = [str(row) for row in range(len(values))]
        content = (
            "the numbers of the rows" if values == numbered else f"values such as {values[0]!r}"
        )
        print(
            f"left out: column {name!r}, the index of a pandas table ({content}); to use it, give "
            "it a name"
        )


def column(columns, name, path, role="column"):
    """Return the values of a column; UserError with the most similar name if there is none."""
    if name not in columns:
        from .._validation.checks import column_hint

        raise UserError(f"{path} has no {role} {name!r}; {column_hint(name, columns)}")
    return columns[name]


# options of `compare` that name columns, which a model uses only if another option makes it do so
_COLUMN_OPTIONS = ("--label", "--groups", "--weight", "--time", "--cost-column", "--drop")


def columns_of_comparison(decision):
    """Dict option -> columns that it named in the comparison, by the command in the model file.

    The command is text that is split into words, never run. Its options may be abbreviated, as
    `compare` allowed before version 0.3.
    """
    command = (decision.provenance or {}).get("command")
    try:
        words = shlex.split(command or "")
    except ValueError:
        return {}
    columns = {}
    option = None
    for word in words:
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            known = [option for option in _COLUMN_OPTIONS if option.startswith(name)]
            option = known[0] if name != "--" and known else None
            if option is not None:
                columns[option] = [value] if equals else []
        elif option == "--drop" or (option is not None and not columns[option]):
            columns[option].append(word)
    return columns


def training_columns(decision):
    """Names of the columns that the model of a decision uses; an empty set if it knows none."""
    from ..tables.encoder import encoder_of

    encoder = encoder_of(decision.model)
    if encoder is not None:
        return set(encoder.columns_)
    return set(getattr(decision, "feature_names_in_", ()))


def without_named_columns(columns, decision, further=()):
    """The columns (dict) without those that the user has named and the model does not use.

    Named are those of options of the comparison, such as --groups, and further ones. Others that
    the model does not know remain, so that a warning names them.
    """
    used = training_columns(decision)
    if not used:  # a model of an array without names counts its columns
        return columns
    named = set(further).union(*columns_of_comparison(decision).values())
    rest = {name: v for name, v in columns.items() if name in used or name not in named}
    return rest or columns  # with none left, the error about missing columns lists them


def is_comparison_scores(columns):
    """Return True for a scores.csv of a comparison: it begins with row, fold, (group,) label."""
    return [name for name in list(columns)[:4] if name != "group"][:3] == ["row", "fold", "label"]


def take_column(columns, name, path, role):
    """Remove a column and return its values; UserError names a row without a value."""
    values = [value.strip() for value in column(columns, name, path)]
    del columns[name]
    if "" in values:
        raise UserError(
            f"column {name!r}, row {values.index('') + 2}: the {role} is missing; fill it in, or "
            "remove the row"
        )
    return values


def subgroup_names(columns, name, path):
    """Return the values of the column --by, None where missing; None without a name."""
    from .._tables.columns import stripped_words

    if name is None:
        return None
    return [word or None for word in stripped_words(column(columns, name, path))]


def numbers_or_words(values):
    """Convert strings to floats, unless one is no number or different ones would be tied."""
    import numpy as np

    from .._validation.checks import first_tie
    from .._tables.files import parse_floats

    distinct = list(dict.fromkeys(values))  # labels: few
    try:
        floats = parse_floats(distinct)
    except ValueError:
        return np.array(values)
    if first_tie(distinct, floats) is not None:
        return np.array(values)
    known = dict(zip(distinct, floats.tolist()))
    return np.array(list(map(known.__getitem__, values)), float)


def numbers(columns, advice=""):
    """(n, d) floats of a dict of columns of strings.

    UserError names the column and row of a value that is not a number, and ends in the advice.
    """
    import numpy as np

    from .._validation.checks import first_tie
    from .._tables.files import parse_floats

    X = np.empty((len(columns), len(next(iter(columns.values()))))).T  # each column in one piece
    for j, (name, values) in enumerate(columns.items()):
        try:
            X[:, j] = values.floats if isinstance(values, NumberWords) else parse_floats(values)
        except ValueError:
            i = next(i for i, value in enumerate(values) if not is_number(value))
            problem = f"the value is {values[i]!r}, not a number; here numbers are needed"
            if not values[i].strip():
                n_missing = sum(not value.strip() for value in values)
                problem = (
                    f"the value is missing, as in {n_missing} of {len(values)} rows; here numbers "
                    "are needed: fill them in, or remove these rows"
                )
            raise UserError(f"column {name!r}, row {i + 2}: {problem}{advice}") from None
        if (tie := first_tie(values, X[:, j])) is not None:
            first, second = (values[row].strip() for row in tie)
            problem = f"{first} and {second} (row {tie[1] + 2}) differ, and are equal as floats"
            if abs(X[tie[0], j]) > 2**53:
                problem = (
                    f"{first} is beyond 2**53, where floats tie different numbers, such as "
                    f"{second} (row {tie[1] + 2})"
                )
            way = "give ranks instead, or their logarithms"
            raise UserError(f"column {name!r}, row {tie[0] + 2}: {problem}; {way}{advice}")
    return X


def is_number(word):
    """Return True if a string of a table is a number."""
    from .._tables.files import parse_float

    try:
        parse_float(word)
    except ValueError:
        return False
    return True


def drop_columns(columns, names, path):
    """Remove the columns named by --drop."""
    for name in names or ():
        column(columns, name, f"--drop: {path}", "other column")
        del columns[name]


def labels(columns, name, path, skip=False):
    """(n,) labels, as numbers if all are; None where missing, if those are skipped.

    UserError for more than two classes, and for a missing label unless those are skipped.
    """
    import numpy as np

    values = column(columns, name, path)
    del columns[name]
    stripped = {word: word.strip() for word in dict.fromkeys(values)}
    if any(word != short for word, short in stripped.items()):
        values = list(map(stripped.__getitem__, values))
    n_missing = values.count("") if "" in stripped.values() else 0
    if n_missing and not skip:
        first = values.index("") + 2
        problem = f"column {name!r}, row {first}: the label is missing, in {n_missing} rows in all"
        raise UserError(f"{problem}; fill them in, or drop such rows with --skip-unlabelled")
    y = numbers_or_words([value for value in values if value] if n_missing else values)
    # the few distinct words stand for all rows
    distinct = numbers_or_words(list(dict.fromkeys(filter(None, stripped.values()))))
    if len(classes := sorted(set(distinct.tolist()))) > 2:
        some = ", ".join(map(str, classes[:3])) + ", …" * (len(classes) > 3)
        problem = f"column {name!r} has {len(classes)} different labels ({some}), not two classes"
        raise UserError(f"{problem}: make a column with two, remove rows, or give --na-values")
    if not n_missing:
        return y
    filled = np.array(values, object) != ""
    out = np.full(filled.size, None, object)
    out[filled] = y
    return out


def positive_label(pos, y, name, path):
    """Return --pos as a number or a string, like the labels y of a column; None without it.

    UserError for another word, with the label of the most similar spelling, if there is one.
    """
    from .._validation.checks import nearest, shown

    if pos is None:
        return None
    known = sorted({label for label in y if label is not None})
    positive = pos
    if is_number(pos) and not any(isinstance(label, str) for label in known):
        number = float(pos)
        positive = int(number) if number.is_integer() else number
    if positive in known:
        return positive
    words = [label_text(label) for label in known]
    listed = shown(", ".join(words), str) or "missing in all rows"
    similar = nearest(pos, words)
    hint = "" if similar is None else f"; did you mean {similar!r}?"
    raise UserError(
        f"--pos {pos}: no label in {path}, column {name!r}; labels there: {listed}{hint}"
    )


def is_positive(y, pos):
    """(n,) bool: True for positive labels, by default the larger ones."""
    return y == (max(label for label in y if label is not None) if pos is None else pos)


def read_input(path, arguments, empty=False):
    """Read the columns of a file with the options; print what was detected in one line."""
    from .._tables.files import read_table

    options = {
        name: getattr(arguments, name, None) for name in ("sep", "encoding", "header", "sheet")
    }
    columns = read_table(path, empty, **options)
    arguments.first_row = columns.first_row
    if columns.assumed:
        print(f"{os.path.basename(path) or path} was read as: {'; '.join(columns.assumed)}")
    return columns


# a row of a file in a message, counted from the header as row 1
_ROW = re.compile(r"(column (?:'[^']*'|\"[^\"]*\"), row )(\d+)")


def shift_rows(message, first_row):
    """Correct the row numbers in a message if the first row of data is not row 2."""
    if first_row == 2:
        return message
    return _ROW.sub(lambda match: f"{match[1]}{int(match[2]) + first_row - 2}", message)


def label_text(value):
    """A label as text, numbers in their shortest form, so that 1 and 1.0 are equal."""
    from .._tables.files import parse_float

    try:
        return f"{parse_float(str(value)):.15g}"
    except ValueError:
        return str(value).strip()


def class_codes(words, classes, name, file, advice="correct or empty it"):
    """Index of the class of each word, None where missing; UserError for another word."""
    from .._validation.missing import is_missing

    known = {label_text(label): k for k, label in enumerate(classes)}
    words = [label_text(word) for word in words]
    for i, word in enumerate(words):
        if word not in known and not is_missing(word):
            problem = f"{word!r} is neither {' nor '.join(known)}"
            raise UserError(f"{file}, column {name!r}, row {i + 2}: {problem}; {advice}")
    return [known.get(word) for word in words]


def outside_note(scores, decision):
    """A note if over 5 % of scores (n,) lie outside those of the comparison; else None."""
    import numpy as np

    calibrator = decision.calibrator
    if hasattr(calibrator, "thresholds_"):
        low, high = calibrator.thresholds_[[0, -1], [0, 1]]
    elif hasattr(calibrator, "scores_"):
        low, high = calibrator.scores_[[0, -1]]
    else:  # a line, which does not keep the scores it was fitted to
        return None
    outside = int(np.sum((scores < low) | (scores > high)))
    if outside <= max(1, 0.05 * scores.size):
        return None
    range_ = f"{low:.4g} to {high:.4g}"
    return f"{outside} of {scores.size} scores lie outside {range_}, the range of the comparison"
