"""Live cells of a notebook: code that the reader edits and runs in the page.

A code cell marked `#| live` becomes an editor with Run and Reset; without scripts it is code and stored output. A cell marked
`#| live-check` after it is its checker: never shown, run after the reader's code.
"""

import ast
import builtins
import json
from dataclasses import dataclass

from website.content.cells import split_options
from website.project import BuildError


@dataclass
class LiveCell:
    number: int  # from 1, on its page
    code: str
    check: str = ""
    solution: str = ""

    def asked(self):
        "What the page must know: the code, and the names that its checker needs; `own` are those that this very cell gives."
        if not self.check:
            return {"code": self.code}
        own = top_level(self.code)
        needs = needed(self.check)
        return {"code": self.code, "check": {"code": self.check, "needs": sorted(needs), "own": sorted(own & needs)}}


def stores(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def top_level(source):
    "The names that a cell binds for those after it."
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        else:
            found |= stores(node)
    return found


def needed(source):
    "The names that a checker reads and neither binds itself nor finds in Python."
    tree = ast.parse(source)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return read - top_level(source) - stores(tree) - arguments - set(dir(builtins))


def numbered(cells):
    "{index in `cells`: its LiveCell}, from (options, source) of each cell, None for text. A checker's index leads to None; a folded Solution after a checker is noted."
    found, last = {}, None
    for i, cell in enumerate(cells):
        if cell is None:
            continue
        options, source = cell
        try:
            if options.get("live"):
                if False in (options.get("echo"), options.get("include")):
                    raise BuildError(f"a live cell without its code:\n{source[:200]}")
                last = found[i] = LiveCell(1 + sum(map(bool, found.values())), source)
                ast.parse(source)
            elif options.get("live-check"):
                if last is None or last.check:
                    raise BuildError(f"a checker without a live cell before it:\n{source[:200]}")
                last.check, found[i] = source, None
                ast.parse(source)
            elif last and last.check and not last.solution and options.get("code-summary") == "Solution":
                last.solution = source
        except SyntaxError as error:
            raise BuildError(f"a live cell that Python cannot read ({error}):\n{source[:200]}") from error
    return found


def script_data(cell):
    "What the script of the page finds in a live cell."
    asked = {what: told for what, told in cell.asked().items() if what != "code"}  # that stands in the page
    text = json.dumps(asked, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'


def live_cells(notebook):
    "{index: LiveCell, or None for a checker} of a notebook."
    return numbered(
        [split_options("".join(cell["source"])) if cell["cell_type"] == "code" else None for cell in notebook["cells"]]
    )


def has_live(notebook):
    return any("live" in split_options("".join(cell["source"]))[0] for cell in notebook["cells"])
