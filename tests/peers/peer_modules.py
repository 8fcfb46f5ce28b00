"""A peer's own test module, run on our functions.

The module is imported once more while our functions stand under the peer's names, so that its `from ... import` takes ours. Those
of its tests that reach one of them are run; the peer's code is neither copied nor changed.
"""

import functools
import importlib.util
import inspect
from contextlib import ExitStack
from types import CodeType, FunctionType, ModuleType
from unittest import mock

import pytest


def import_with(name: str, package: ModuleType, **ours) -> ModuleType:
    """A copy of the test module `name`, imported while `ours` replace names of the package; `sys.modules` stays as it is."""
    pytest.importorskip(name)  # some distributions come without their tests
    spec = importlib.util.find_spec(name)
    module = importlib.util.module_from_spec(spec)
    with ExitStack() as stack:
        for key, value in ours.items():
            stack.enter_context(mock.patch.object(package, key, value))
        spec.loader.exec_module(module)
    return module


def names_in(code: CodeType) -> set[str]:
    """Names that a function's code looks up, those of the functions inside it included."""
    inner = (names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def reaches(value, targets, module: ModuleType, visited: tuple = ()) -> bool:
    """Whether a value of the module, directly or through what it calls or contains, is one of the targets."""
    if any(value is target for target in targets):
        return True
    if any(value is other for other in visited):
        return False
    visited = (*visited, value)
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, (list, tuple)):
        parts = list(value)
    elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
        marks = [mark.args for mark in getattr(value, "pytestmark", [])]
        parts = [vars(module).get(name) for name in names_in(value.__code__)] + marks
    else:
        return False
    return any(reaches(one, targets, module, visited) for one in parts)


def reaching_tests(targets, module: ModuleType) -> dict:
    """{name: value} of the module's test functions and methods that reach a target, and of its fixtures."""
    fixture_type = type(pytest.fixture(lambda: None))
    chosen = {}
    for name, value in vars(module).items():
        if isinstance(value, fixture_type) or (
            name.startswith("test_") and reaches(value, targets, module)
        ):
            chosen[name] = value
        elif name.startswith("Test") and inspect.isclass(value):
            methods = {key: f for key, f in vars(value).items() if reaches(f, targets, module)}
            chosen[name] = type(name, (), methods)
    return chosen


def is_wanted(value, wanted) -> bool:
    """Whether a value is one of the wanted ones, or a partial call of one."""
    while isinstance(value, functools.partial):
        value = value.func
    return any(value is one or (isinstance(one, str) and value == one) for one in wanted)


def wanted_cases(mark, arguments, wanted):
    """(mark, whether it has one of the arguments); of its cases those stay that have a wanted value there."""
    if mark.name != "parametrize":
        return mark, False
    names, cases = mark.args[0], list(mark.args[1])
    names = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    places = [i for i, name in enumerate(names) if name in arguments]
    for i in places:
        values = [case if len(names) == 1 else getattr(case, "values", case)[i] for case in cases]
        cases = [
            case for case, value in zip(cases, values, strict=True) if is_wanted(value, wanted)
        ]
    return pytest.mark.parametrize(mark.args[0], cases, **mark.kwargs).mark, bool(places)


def keep_cases(tests: dict, arguments: set[str], wanted: list) -> dict:
    """Tests for which a peer's module has many objects, of which only some are ours.

    tests: of `reaching_tests`; arguments: names of those of the tests that say which object; wanted: ours, or their names. Other
    cases are left out, and tests without such an argument whose code does not say one of the names.
    """
    chosen = {}
    for name, test in tests.items():
        if not isinstance(test, FunctionType):  # a fixture
            chosen[name] = test
            continue
        marks = [wanted_cases(mark, arguments, wanted) for mark in getattr(test, "pytestmark", [])]
        if any(says for _, says in marks):
            if not all(mark.args[1] for mark, says in marks if says):
                continue
        elif not names_in(test.__code__) & {one for one in wanted if isinstance(one, str)}:
            continue
        test.pytestmark = [mark for mark, _ in marks]
        chosen[name] = test
    return chosen


def expect_failure(request, does_not_apply: dict[str, list[str]]):
    """Mark a listed test as one that fails: it fails the run if it passes, so no entry is chosen longer than it is needed.

    does_not_apply: {reason: tests}, a test by its name, or one case of it by its name with the parameters in brackets.
    """
    names = {request.node.name, request.node.originalname}
    for reason, tests in does_not_apply.items():
        if names & set(tests):
            request.applymarker(pytest.mark.xfail(strict=True, reason=reason))


def assert_entries_exist(request, does_not_apply: dict[str, list[str]]):
    """Every entry of the list is a test of this file; not asked where a part of the file is run."""
    items = [item for item in request.session.items if item.path == request.path]
    names = {item.name for item in items} | {item.originalname for item in items}
    listed = [test for tests in does_not_apply.values() for test in tests]
    assert len(listed) == len(set(listed))
    option = request.config.getoption
    if option("keyword") or option("lf", False) or any("::" in a for a in request.config.args):
        pytest.skip("a part of the file is run")
    assert set(listed) <= names
