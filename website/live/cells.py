"""Live cells of a notebook: code that the reader edits and runs in the page.

A code cell marked `#| live: true` becomes an editor with Run and Reset; without scripts it is code
and stored output. A cell marked `#| live-check: true` after it is its checker: never shown, run
after the reader's code.
"""

import ast
import builtins
import json
from dataclasses import dataclass

from website.content.cells import options_of, source_of, split_options
from website.project import BuildError


@dataclass
class LiveCell:
    """A live cell with its checker and its solution, '' where it has none.

    `number` counts from 1 on its page.
    """

    number: int
    code: str
    check: str = ""
    solution: str = ""

    def as_data(self):
        """What the page must know: the code, the checker, and the names that the checker needs."""
        if not self.check:
            return {"code": self.code}
        needs = needed_names(self.check)
        own = needs & bound_names(self.code)  # those that this very cell binds
        check = {"code": self.check, "needs": sorted(needs), "own": sorted(own)}
        return {"code": self.code, "check": check}


def names_in(tree, context):
    """The names in Python code that are read (ast.Load) or bound (ast.Store)."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, context)}


def bound_names(source):
    """The names that a cell binds for those after it."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        else:
            names |= names_in(node, ast.Store)
    return names


def needed_names(source):
    """The names that a checker reads and neither binds itself nor finds in Python."""
    tree = ast.parse(source)
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    named = (ast.ExceptHandler, ast.FunctionDef)  # also inside a function
    inside = {node.name for node in ast.walk(tree) if isinstance(node, named)}
    bound = bound_names(source) | names_in(tree, ast.Store) | arguments | inside
    return names_in(tree, ast.Load) - bound - set(dir(builtins))


def check_readable(source):
    """Stop the build at code that Python cannot read."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        message = f"a live cell that Python cannot read ({error}):\n{source[:200]}"
        raise BuildError(message) from error


def live_cells(notebook):
    """{index: LiveCell} of the live cells of a notebook; the index of a checker has None.

    A folded Solution after a checker belongs to its live cell.
    """
    cells = {}
    last = None
    for i, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        options, source = split_options(source_of(cell))
        if options.get("live"):
            if False in (options.get("echo"), options.get("include")):
                raise BuildError(f"a live cell without its code:\n{source[:200]}")
            check_readable(source)
            number = 1 + sum(1 for other in cells.values() if other)
            last = LiveCell(number=number, code=source)
            cells[i] = last
        elif options.get("live-check"):
            if last is None or last.check:
                raise BuildError(f"a checker without a live cell before it:\n{source[:200]}")
            check_readable(source)
            last.check = source
            cells[i] = None
        elif options.get("code-summary") == "Solution" and last and last.check:
            last.solution = last.solution or source
    return cells


def has_live(notebook):
    """Whether a notebook has live cells."""
    return any("live" in options_of(cell) for cell in notebook["cells"])


def script_data(cell):
    """A live cell for the script of the page; its code stands in the page."""
    data = {key: value for key, value in cell.as_data().items() if key != "code"}
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'
