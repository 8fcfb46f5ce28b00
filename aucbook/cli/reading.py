"""How a table is read from a file: the options for it, what was assumed in a line, messages that fit a screen."""

import os
import re


def data_path(word):
    """The path that an argument names; - is standard input, under a name that messages can show."""
    return "/dev/stdin" if word == "-" and os.path.exists("/dev/stdin") else word


def add_reading(command):
    """The options of every command that reads a table."""
    import argparse

    add = command.add_argument
    sep = "what separates the columns of a CSV file: a character, or tab or space (default: found)"
    add("--sep", metavar="CHAR", help=sep)
    encoding = "the encoding of a CSV file, such as cp1252 (default: found)"
    add("--encoding", metavar="NAME", help=encoding)
    header = (
        "whether the first row has the names of the columns (default: yes, if it looks like it);"
    )
    header += " without, they are column_1, column_2, ..."
    add("--header", action=argparse.BooleanOptionalAction, default=None, help=header)
    add("--sheet", metavar="NAME", help="the sheet of a spreadsheet (default: the first)")


def read_given(path, arguments, empty=False):
    """Columns of a file, read as the options say; what was assumed is printed in one line."""
    from .._tables.files import read_table

    options = {
        name: getattr(arguments, name, None) for name in ("sep", "encoding", "header", "sheet")
    }
    columns = read_table(path, empty, **options)
    arguments.first_row = columns.first_row
    if columns.assumed:
        print(f"{os.path.basename(path) or path} was read as: {'; '.join(columns.assumed)}")
    return columns


# a row of a file in a message: rows are counted from the header as row 1
_ROW = re.compile(r"(column (?:'[^']*'|\"[^\"]*\"), row )(\d+)")


def in_rows_of_file(message, first_row):
    """A message that counts rows as if the first data row were row 2, with rows of a file where it is another."""
    if first_row == 2:
        return message
    return _ROW.sub(lambda found: f"{found[1]}{int(found[2]) + first_row - 2}", message)
