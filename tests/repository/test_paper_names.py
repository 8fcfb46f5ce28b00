"""A docstring that says "Paper 3" is read alone, in `help`: it names the authors, too."""

import inspect
import re
from importlib import import_module

from discovery import PACKAGES_WITH_API, PUBLIC

import aucbook

AUTHORS = {"1": "Long", "2": "Wilbur", "3": "Narasimhan", "4": "Clémençon"}


def unnamed_papers(value):
    """Numbers of papers that a docstring cites without their authors."""
    text = inspect.getdoc(value) or ""
    numbers = set(re.findall(r"\bPapers? (\d)", text))
    return sorted(number for number in numbers if AUTHORS[number] not in text)


def test_public_names():
    assert not {name: unnamed_papers(v) for name, v in PUBLIC.items() if unnamed_papers(v)}


def test_packages():
    packages = [aucbook, *PACKAGES_WITH_API.values()]
    assert not {v.__name__: unnamed_papers(v) for v in packages if unnamed_papers(v)}


def test_modules_of_public_names():
    names = {value.__module__ for value in PUBLIC.values() if hasattr(value, "__module__")}
    modules = [import_module(name) for name in sorted(names) if name.startswith("aucbook.")]
    assert not {v.__name__: unnamed_papers(v) for v in modules if unnamed_papers(v)}
