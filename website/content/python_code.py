"""Names in Python code: those that a cell defines and those that it uses."""

import re
import tokenize
from io import StringIO

# A function, a class, or a value in capitals (`AUC = …`) at the top level of a cell.
DEFINITION = re.compile(r"^(?:(?:def|class) ([A-Za-z]\w*)|([A-Z]\w*) = )", re.M)


def defined_names(source):
    """Public functions, classes and values in capitals that a cell defines at its top level."""
    return ["".join(groups) for groups in DEFINITION.findall(source)]


def tokens(source):
    """The tokens of Python code, without comments; where it has a mistake, those before it."""
    read = []
    try:
        for token in tokenize.generate_tokens(StringIO(source).readline):
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                read.append(token.string)
    except (tokenize.TokenError, SyntaxError):  # a cell with commands for the shell
        pass
    return read


def used_names(source):
    """The names that Python code reads.

    Comments and strings are left out, and so are attributes and methods of other objects, names
    that are assigned, and keywords of calls.
    """
    strings = ["", "", *tokens(source), ""]
    names = set()
    for owner, dot, name, after in zip(strings, strings[1:], strings[2:], strings[3:]):
        attribute = dot == "." and owner != "aucbook"
        if name.isidentifier() and after != "=" and not attribute:
            names.add(name)
    return names
