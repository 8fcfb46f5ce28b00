"""Runs cells and their checkers. MicroPython's part of the worker (worker.js); the names here are not the reader's, whose live in `page`."""

import builtins
import io
import json
import sys

page = {}


def listen(on):
    """Whether what is printed is shown; the worker puts its own here."""


def compiles(source, name, mode):
    try:
        return compile(source, name, mode)
    except SyntaxError:
        return None


def value_line(lines, name):
    """The line on which the last statement begins if it is an expression: its value is shown, as in JupyterLab. Otherwise None."""
    for at in range(len(lines) - 1, -1, -1):
        if not lines[at] or lines[at][0] in " \t#)]}":
            continue
        tail = "\n".join(lines[at:])
        if compiles(tail, name, "exec") and compiles("\n".join(lines[:at]), name, "exec"):
            return at if compiles("(" + tail + "\n)", name, "eval") else None
    return None


def run(source, name):
    """Runs a cell in `page`. Returns the value of its last expression, printed as well."""
    code = compile(source, name, "exec")
    lines = source.split("\n")
    at = value_line(lines, name)
    if at is None:
        exec(code, page)
        return None
    exec(compile("\n".join(lines[:at]), name, "exec"), page)
    value = eval(compile("(" + "\n" * at + "\n".join(lines[at:]) + "\n)", name, "eval"), page)
    if value is not None:
        print(repr(value))
    return value


def as_json(value):
    """A small value for the page's pictures, as JSON; None if it is nothing that JSON knows."""
    if (isinstance(value, (list, tuple, dict)) and len(value) <= 10000) or isinstance(
        value, (int, float, str)
    ):
        return json.dumps(value)
    return None


def described(error):
    """An error as its type and its traceback."""
    trace = io.StringIO()
    sys.print_exception(error, trace)
    return {"type": type(error).__name__, "trace": trace.getvalue()}


def known(names):
    """What the page's variables of these names look like now."""
    return {name: repr(page[name]) for name in names if name in page}


def check(source, own, before):
    """Runs a checker on a copy of the page's variables, without those that hide a builtin. Returns what it prints, or why it cannot run."""
    missing = [name for name in own if name not in page]
    now = known(before)
    changed = [name for name in sorted(before) if name not in own and now.get(name) != before[name]]
    if missing or changed:
        return {"missing": missing, "changed": changed}
    said = []
    scope = {
        name: value for name, value in page.items() if name in own or not hasattr(builtins, name)
    }
    scope["print"] = lambda *values, sep=" ", end="\n": said.append(
        sep.join([str(value) for value in values]) + end
    )
    try:
        exec(compile(source, "checker", "exec"), scope)
    except BaseException as error:
        return {"said": "".join(said), "error": described(error)}
    return {"said": "".join(said)}


def answer(text):
    """One step, as JSON: {source, name, fresh, check: {code, needs, own}} to {error, value, check}."""
    asked = json.loads(text)
    if asked["fresh"]:
        page.clear()
        page["__name__"] = "__main__"
    checker = asked.get("check")
    before = known(checker["needs"]) if checker else {}
    told = {}
    try:
        told["value"] = as_json(run(asked["source"], asked["name"]))
    except BaseException as error:
        told["error"] = described(error)
    if checker and "error" not in told:
        listen(False)  # what the reader's function prints while it is checked is not shown
        told["check"] = check(checker["code"], checker["own"], before)
    return json.dumps(told)
