"""The documented names of the library: where each is imported from, and its first sentence."""

import inspect
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules, walk_packages

import aucbook

UNDOCUMENTED = ("cli", "explore", "_modidx")  # no page documents the modules in them


@dataclass(frozen=True)
class Name:
    """A documented name of the library.

    Attributes
    ----------
    name, module, kind : str
        As it is written (of two with one name the later has its sub-package before it, such as
        lab.subgroups), the module that defines it, and class, function or value.
    summary : str
        The first paragraph of its docstring.
    package : str
        The sub-package to import it from, or aucbook; '' where it is not public.
    everyday : bool
        Whether `from aucbook import` finds it.
    """

    name: str
    module: str
    kind: str
    summary: str
    package: str = ""
    everyday: bool = False


@lru_cache
def modules():
    """The modules of the library with something to document."""
    entries = walk_packages(aucbook.__path__, "aucbook.")
    names = [one.name for one in entries if not one.ispkg]
    return [import_module(name) for name in names if name.split(".")[1] not in UNDOCUMENTED]


@lru_cache
def packages():
    """The public sub-packages in the order of the package's docstring, then the package."""
    names = [one.name for one in iter_modules(aucbook.__path__) if one.ispkg]
    imported = [import_module(f"aucbook.{name}") for name in names]
    public_ones = [package for package in imported if hasattr(package, "__all__")]

    def place(package):
        """Where the docstring lists it; last where it does not."""
        listed = aucbook.__doc__.find(f"\n{package.__name__.removeprefix('aucbook.')} ")
        return listed if listed >= 0 else len(aucbook.__doc__)

    return [*sorted(public_ones, key=place), aucbook]


def opening(package):
    """(first sentence, the rest) of the docstring of a sub-package."""
    first, _, rest = inspect.getdoc(import_module(package)).partition("\n\n")
    if package == "aucbook":
        rest = ""  # the list of sub-packages
    return " ".join(first.split()), rest


def documented(module):
    """The functions and classes that a module defines and does not hide: {name: value}."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and getattr(value, "__module__", None) == module.__name__
        and inspect.getdoc(value)
    }


@lru_cache
def public():
    """{name: (package, value)} of what can be called: each value once, in its sub-package first.

    Where a name stands for another value in a later sub-package, that one is `lab.subgroups`.
    """
    value_of = {}
    for package in packages():
        for name in package.__all__:
            value = getattr(package, name)
            if not callable(value):
                continue
            _, first = value_of.setdefault(name, (package.__name__, value))
            if first is not value:
                _, _, short = package.__name__.rpartition(".")
                value_of[f"{short}.{name}"] = package.__name__, value
    return value_of


@lru_cache
def values():
    """{name: value} of every documented name; of two with one name the public one counts."""
    value_of = {}
    for module in modules():
        for name, value in documented(module).items():
            value_of.setdefault(name, value)
    return value_of | {name: value for name, (_, value) in public().items()}


def defined_in(module, name):
    """What a module defines under a name; None for what it imports."""
    value = vars(module).get(name)
    return value if getattr(value, "__module__", None) == module.__name__ else None


def lookup(name, home=""):
    """The object behind a name, `Class.method` and `_kernel` included; None if there is none.

    It is looked for in the module `home`, then in the others, then among the public names.
    """
    if "." in name and name in public():
        return public()[name][1]
    first, *attributes = name.split(".")
    value = None
    for module in sorted(modules(), key=lambda module: module.__name__ != home):
        value = defined_in(module, first)
        if value is not None:
            break
    if value is None:
        value = values().get(first)
    for attribute in attributes:
        value = getattr(value, attribute, None)
    return value


def kind_of(value):
    """class, function or value."""
    if inspect.isclass(value):
        return "class"
    return "function" if hasattr(value, "__name__") else "value"


def documented_names():
    """{name: Name} of everything documented."""
    return {
        name: Name(
            name=name,
            module=value.__module__,
            kind=kind_of(value),
            summary=" ".join(inspect.getdoc(value).split("\n\n")[0].split()),
            package=public()[name][0] if name in public() else "",
            everyday=getattr(aucbook, name, None) is value,
        )
        for name, value in values().items()
    }


def packages_of(names):
    """The packages that some names are imported from, in the order of `packages`."""
    used = {name.package for name in names.values()}
    return [package.__name__ for package in packages() if package.__name__ in used]
