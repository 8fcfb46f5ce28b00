"""Names in Python code: those that a cell defines and those that it uses."""

import re
import tokenize
from io import StringIO


def defined_in(source):
    "Public functions, classes and values in capitals (`AUC = …`) that a cell defines at its top level."
    return ["".join(found) for found in re.findall(r"^(?:(?:def|class) ([A-Za-z]\w*)|([A-Z]\w*) = )", source, re.M)]


def used_names(source):
    "The names that Python code reads: no comment, no string, no attribute or method of something else, no name that is assigned or a keyword of a call."
    tokens = []
    try:
        tokens += [
            t
            for t in tokenize.generate_tokens(StringIO(source).readline)
            if t.type not in (tokenize.COMMENT, tokenize.NL)
        ]
    except (tokenize.TokenError, SyntaxError):  # a cell that speaks to the shell
        pass
    strings = ["", "", *(t.string for t in tokens), ""]
    return {
        name
        for owner, dot, name, after in zip(strings, strings[1:], strings[2:], strings[3:])
        if name.isidentifier() and after != "=" and (dot != "." or owner == "aucbook")
    }
