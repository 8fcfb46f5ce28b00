"""Names in Python code: those of the library, those a cell defines, those it uses."""

import inspect
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from io import StringIO
from pkgutil import iter_modules

import aucbook
import aucbook.explore


@dataclass(frozen=True)
class Name:
    module: str
    kind: str
    summary: str  # the first paragraph of its docstring
    public: bool  # importable from aucbook, or an explorable; otherwise shared by modules


@lru_cache
def modules():
    "The modules of the library that hold something to document."
    return [
        import_module(f"aucbook.{found.name}")
        for found in iter_modules(aucbook.__path__)
        if not found.name.startswith("_") and found.name not in ("cli", "explore")
    ]


def documented(module):
    "The functions and classes that a module defines and does not hide: {name: value}."
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and getattr(value, "__module__", None) == module.__name__
        and inspect.getdoc(value)
    }


@lru_cache
def values():
    "Every documented name of the library and what it stands for; where two modules share one, the public one counts."
    found = {}
    for module in modules():
        found |= {name: value for name, value in documented(module).items() if name not in found}
    public = {name: getattr(aucbook, name) for name in aucbook.__all__}
    return found | public | {name: getattr(aucbook.explore, name) for name in aucbook.explore.__all__}


def lookup(name, home=""):
    "The object behind a name, `Class.method` and `_kernel` included: public, or of the module `home`, or of any other; None if there is none."
    first, *rest = name.split(".")
    own = lambda module: (
        vars(module).get(first) if getattr(vars(module).get(first), "__module__", None) == module.__name__ else None
    )
    near = sorted(modules(), key=lambda module: module.__name__ != f"aucbook.{home}")
    value = next((own(module) for module in near if own(module) is not None), values().get(first))
    for attribute in rest:
        value = getattr(value, attribute, None)
    return value


def public_names():
    "{name: Name} of everything documented. A private module counts as the package that shows its names."
    return {
        name: Name(
            re.sub(r"\._\w+$", "", value.__module__),
            "class" if inspect.isclass(value) else "function",
            " ".join(inspect.getdoc(value).split("\n\n")[0].split()),
            name in aucbook.__all__ or name in aucbook.explore.__all__,
        )
        for name, value in values().items()
    }


def defined_in(source):
    "Public functions and classes that a cell defines at its top level."
    return re.findall(r"^(?:def|class) ([A-Za-z]\w*)", source, re.M)


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
