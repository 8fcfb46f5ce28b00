"""The public names of the library: where each is imported from, and what its docstring says first."""

import inspect
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules, walk_packages

import aucbook


@dataclass(frozen=True)
class Name:
    name: str
    module: str
    kind: str
    summary: str  # the first paragraph of its docstring
    door: str = ""  # the package that shows it; aucbook where no wing does; '' for what modules only share
    everyday: bool = False  # importable from aucbook itself


@lru_cache
def modules():
    "The modules of the library that hold something to document."
    return [
        import_module(found.name)
        for found in walk_packages(aucbook.__path__, "aucbook.")
        if not found.ispkg and found.name.split(".")[1] not in ("cli", "explore", "_modidx")
    ]


@lru_cache
def doors():
    "The wings with public names, in the order in which the package's docstring lists them, and last the package itself."
    packages = [f"aucbook.{found.name}" for found in iter_modules(aucbook.__path__) if found.ispkg]
    wings = [package for package in map(import_module, packages) if hasattr(package, "__all__")]
    return [*sorted(wings, key=lambda wing: aucbook.__doc__.index(f"\n{wing.__name__[8:]} ")), aucbook]


def opening(door):
    "(first sentence, the rest) of the docstring of a wing."
    first, _, rest = inspect.getdoc(import_module(door)).partition("\n\n")
    return " ".join(first.split()), rest if door != "aucbook" else ""  # the package's own is the map of the wings


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
def public():
    "{name: (door, value)} of what can be called: each name once, at its wing's door if it has one."
    found = {}
    for door in doors():
        values = {name: getattr(door, name) for name in door.__all__}
        found |= {
            name: (door.__name__, value) for name, value in values.items() if name not in found and callable(value)
        }
    return found


@lru_cache
def values():
    "Every documented name of the library and what it stands for; where two modules share one, the public one counts."
    found = {}
    for module in modules():
        found |= {name: value for name, value in documented(module).items() if name not in found}
    return found | {name: value for name, (_, value) in public().items()}


def lookup(name, home=""):
    "The object behind a name, `Class.method` and `_kernel` included: of the module `home`, or of any other, or public; None if there is none."
    first, *rest = name.split(".")
    own = lambda module: (
        vars(module).get(first) if getattr(vars(module).get(first), "__module__", None) == module.__name__ else None
    )
    near = sorted(modules(), key=lambda module: module.__name__ != home)
    value = next((own(module) for module in near if own(module) is not None), values().get(first))
    for attribute in rest:
        value = getattr(value, attribute, None)
    return value


def public_names():
    "{name: Name} of everything documented."
    return {
        name: Name(
            name,
            value.__module__,
            "class" if inspect.isclass(value) else "function" if hasattr(value, "__name__") else "value",
            " ".join(inspect.getdoc(value).split("\n\n")[0].split()),
            public().get(name, ("",))[0],
            name in aucbook.__all__,
        )
        for name, value in values().items()
    }


def wings(names):
    "The doors of some names, in the order of `doors`."
    there = {facts.door for facts in names.values()}
    return [door.__name__ for door in doors() if door.__name__ in there]
