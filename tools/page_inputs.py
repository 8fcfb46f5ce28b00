"""What the stored outputs of a page depend on, as one digest for each page.

A page runs for seconds or minutes, and there are many. Whether it has to run again can be seen
without running it: its outputs can only change if its code cells change, a module of the library
that it imports (directly, or through other modules), a stored result or a data file that it reads,
or a helper beside it. `tools/executed.json` has the digest of all these, and of the outputs, at the
time when `tools/notebooks.py execute` stored the outputs. `make test` runs the pages whose digest
is another one now; `make test-all` runs the others. A page that passed is remembered in `.cache/`
until something changes; `tools/notebooks.py confirm` copies what is remembered into
`tools/executed.json`.

Docstrings and comments of the library count only for the module that a page exports or whose cards
it shows: a corrected sentence makes no other page run.
"""

import ast
import hashlib
import json
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "aucbook"
PAGES = ROOT / "nbs"
EXECUTED = ROOT / "tools/executed.json"
CONFIRMED = ROOT / ".cache/pages"  # a file for each page that passed the tests, with its digest
DATA_FOLDERS = ("results", "data")  # of nbs/: files that pages read by name
OPTION = re.compile(r"^#\|.*\n?", re.M)
SHOWN = re.compile(r"^\s*(?:show_doc|help)\(([\w.]+)", re.M)
EXPORTED = re.compile(r"^#\| default_exp (\S+)", re.M)


def page_name(path: Path) -> str:
    """The name of a page: `lessons/roc`."""
    return path.relative_to(PAGES).with_suffix("").as_posix()


def code_cells(path: Path) -> list[dict]:
    """The code cells of a page."""
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


# ---------------------------------------------------------------- the library's modules
@cache
def modules() -> dict[str, Path]:
    """{name of a module without "aucbook.": its file}; a package is its `__init__`."""
    files = sorted(LIBRARY.rglob("*.py"))
    names = {path: ".".join(path.relative_to(LIBRARY).with_suffix("").parts) for path in files}
    return {name.removesuffix("__init__").removesuffix("."): path for path, name in names.items()}


@cache
def lazy_names(package: str) -> dict[str, str]:
    """{public name: the module that it comes from} of a package, from its stub."""
    stub = modules()[package].with_suffix(".pyi")
    if not stub.exists():
        return {}
    tree = ast.parse(stub.read_text(encoding="utf8"))
    homes = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                homes[alias.asname or alias.name] = target(node, alias.name, package)
    return homes


def target(node: ast.ImportFrom, name: str, package: str) -> str | None:
    """The module of the library that `from … import name` needs; None for one of elsewhere.

    `package` is the package of the file in which the import stands.
    """
    if node.level:
        parts = package.split(".") if package else []
        start = parts[: len(parts) - node.level + 1]
    elif (node.module or "").partition(".")[0] == "aucbook":
        start = []
    else:
        return None
    inner = [*start, *(node.module or "").removeprefix("aucbook").strip(".").split(".")]
    home = ".".join(part for part in inner if part)
    below = f"{home}.{name}".lstrip(".")
    if below in modules():
        return below
    if home in modules() and modules()[home].name == "__init__.py":
        return lazy_names(home).get(name) or home
    return home if home in modules() else None


def imported(tree: ast.AST, package: str = "") -> set[str]:
    """The modules of the library that a piece of code imports, at any depth."""
    needed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            needed |= {target(node, alias.name, package) for alias in node.names}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                top, _, inner = alias.name.partition(".")
                if top == "aucbook":
                    needed.add(inner)
    return needed - {None}


@cache
def parsed(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(modules()[module].read_text(encoding="utf8"))


@cache
def direct_imports(module: str) -> frozenset[str]:
    """The modules that a module imports."""
    is_package = modules()[module].name == "__init__.py"
    package = module if is_package else module.rpartition(".")[0]
    return frozenset(imported(parsed(module), package) & modules().keys())


def reached(start: set[str]) -> set[str]:
    """Modules and all that they import, directly or not."""
    done = set()
    waiting = list(start)
    while waiting:
        module = waiting.pop()
        if module not in done:
            done.add(module)
            waiting += direct_imports(module)
    return done


@cache
def code_of(module: str) -> str:
    """The code of a module without docstrings and comments, and what lies beside it.

    Pictures to play with consist of scripts and styles, too.
    """
    path = modules()[module]
    beside = sorted([*path.parent.glob("*.js"), *path.parent.glob("*.css")])
    code = without_docstrings(path.read_text(encoding="utf8"), parsed(module))
    return "\n".join([code, *(file.read_text(encoding="utf8") for file in beside)])


def without_docstrings(source: str, tree: ast.Module | None = None) -> str:
    """The lines of a module that are no docstring, no comment and not empty."""
    left_out = set()
    for node in ast.walk(tree or ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and is_text(node.body[:1]):
            docstring = node.body[0]
            left_out |= set(range(docstring.lineno, docstring.end_lineno + 1))
    lines = enumerate(source.splitlines(), 1)
    kept = [line for number, line in lines if number not in left_out and line.strip()]
    return "\n".join(line for line in kept if line.lstrip()[0] != "#")


def is_text(statements: list[ast.stmt]) -> bool:
    """Whether the first of some statements is a string alone."""
    return bool(statements) and (
        isinstance(statements[0], ast.Expr)
        and isinstance(statements[0].value, ast.Constant)
        and isinstance(statements[0].value.value, str)
    )


# ---------------------------------------------------------------- one page
def library_inputs(sources: list[str]) -> dict[str, str]:
    """{module: what of it the page depends on}."""
    needed, documented = set(), set(EXPORTED.findall("\n".join(sources)))
    for source in sources:
        found = set()
        if "import" in source:
            lines = [line for line in source.split("\n") if line[:1] not in ("%", "!")]
            found = imported(ast.parse("\n".join(lines)))
        needed |= found
        if "" in found:  # `import aucbook`: its names are used as attributes
            needed |= set(modules()) - {"__main__"}
        shown = {name.partition(".")[0] for name in SHOWN.findall(source)}
        documented |= {homes()[name] for name in shown if name in homes()}
    texts = {module: code_of(module) for module in reached(needed | documented)}
    for module in documented:
        texts[module] = modules()[module].read_text(encoding="utf8")
    return texts


@cache
def homes() -> dict[str, str]:
    """{public name: its module}."""
    packages = [name for name, path in modules().items() if path.name == "__init__.py"]
    return {
        name: home for package in packages for name, home in lazy_names(package).items() if home
    }


def files_read(sources: list[str], path: Path) -> list[Path]:
    """Stored results and data files that the page names, and the helpers beside it."""
    words = set(re.findall(r"\w+", "\n".join(sources)))
    files = [
        file
        for folder in DATA_FOLDERS
        for file in (PAGES / folder).iterdir()
        if file.is_file() and file.stem in words
    ]
    for helper in path.parent.iterdir():
        if helper.is_dir() and helper.name in words:
            files += [file for file in helper.rglob("*") if file.suffix in (".py", ".json")]
    return sorted(files)


def inputs(path: Path) -> dict[str, str]:
    """{what a page's outputs depend on: its content}."""
    cells = code_cells(path)
    sources = ["".join(cell["source"]) for cell in cells]
    contents = {"cells": "\n\0".join(OPTION.sub("", source) for source in sources)}
    contents["outputs"] = json.dumps([cell["outputs"] for cell in cells], sort_keys=True)
    contents |= {f"module {name}": text for name, text in library_inputs(sources).items()}
    for file in files_read(sources, path):
        contents[f"{file.parent.name}/{file.name}"] = file.read_text(encoding="utf8")
    return contents


def digest(path: Path) -> str:
    """One name for all that the outputs of a page depend on."""
    total = hashlib.sha256()
    for name, content in sorted(inputs(path).items()):
        total.update(f"{name}\0{content}\0".encode())
    return total.hexdigest()[:16]


# ---------------------------------------------------------------- the stored digests
def executed() -> dict[str, str]:
    """{page: digest at the time when its outputs were stored}."""
    return json.loads(EXECUTED.read_text(encoding="utf8")) if EXECUTED.exists() else {}


def confirmed(name: str) -> str | None:
    """The digest with which a page passed its tests here; None if it has not."""
    file = CONFIRMED / name
    return file.read_text(encoding="utf8") if file.exists() else None


def changed(paths: list[Path]) -> list[str]:
    """The names of the pages that have to run again."""
    stored = executed()
    names = []
    for path in paths:
        name = page_name(path)
        if digest(path) not in (stored.get(name), confirmed(name)):
            names.append(name)
    return names


def confirm(path: Path) -> None:
    """Remember that a page has just passed its tests."""
    file = CONFIRMED / page_name(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(digest(path), encoding="utf8")


def store(new: dict[str, str], existing: list[Path]) -> None:
    """Store digests of pages; forget pages that are gone."""
    names = {page_name(path) for path in existing}
    digests = {name: value for name, value in (executed() | new).items() if name in names}
    EXECUTED.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", encoding="utf8")


def store_executed(paths: list[Path], existing: list[Path]) -> None:
    """Store the digests of pages whose outputs have just been stored."""
    store({page_name(path): digest(path) for path in paths}, existing)


def store_confirmed(existing: list[Path]) -> list[str]:
    """Store the digests of pages that passed their tests as they are now; returns their names."""
    digests = {page_name(path): digest(path) for path in existing}
    passed = {name: value for name, value in digests.items() if confirmed(name) == value}
    store(passed, existing)
    return sorted(passed)
