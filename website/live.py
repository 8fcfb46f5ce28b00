"""Live cells: code that the reader edits and runs in the page, offline. (Its parts for the browser are in live/.)

A code cell marked `#| live` becomes an editor with Run and Reset; without scripts it is code and stored output. A cell marked
`#| live-check` after it is its checker: never shown, run after the reader's code. Python comes from MicroPython's WebAssembly
build, the editor from CodeMirror, both from npm (`npm ci --prefix website/live`). Without them the book is built as if no
cell were live.
"""

import ast
import base64
import builtins
import json
import re
import shutil
import subprocess
from dataclasses import dataclass

from project import HERE, BuildError

PARTS = HERE / "live"
MODULES = PARTS / "node_modules"
MICROPYTHON = MODULES / "@micropython/micropython-webassembly-pyscript"
MISSING = "npm packages are missing: npm ci --prefix website/live"
MEMORY = (
    512 << 20
)  # what a worker may use: MicroPython frees nothing while a cell runs, a telephone ends pages that take more
# the loader as a classic script, which is all that a worker of a page read from disk can be: (what, by what, how often)
CLASSIC = [
    ("export default _createMicroPythonModule;", "", 1),
    ("export async function loadMicroPython", "async function loadMicroPython", 1),
    (r"await import\(\"\w+\"\)", "null", 4),
    (r"import\.meta\.url", "self.location.href", 4),
    ("2147483648", str(MEMORY), 3),
]


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


def available():
    "Whether the packages are there."
    return (MICROPYTHON / "micropython.wasm").is_file() and (MODULES / ".bin/esbuild").exists()


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


def live_cells(cells):
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


def data(cell):
    "What the script of the page finds in a live cell."
    asked = {what: told for what, told in cell.asked().items() if what != "code"}  # that stands in the page
    text = json.dumps(asked, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'


# ---------------------------------------------------------------- the scripts
def classic(loader):
    "The text of MicroPython's loader, a module, as a classic script with a limit of memory."
    for pattern, by, times in CLASSIC:
        loader, made = re.subn(pattern, by, loader)
        if made != times:
            raise BuildError(f"MicroPython's loader has changed: {pattern} is there {made} times, not {times}")
    return loader


def runtime():
    "The script that brings Python, loaded at the first Run: the worker's text and the WebAssembly, so that it works from disk."
    loader = classic((MICROPYTHON / "micropython.mjs").read_text(encoding="utf8"))
    wasm = base64.b64encode((MICROPYTHON / "micropython.wasm").read_bytes()).decode()
    parts = {
        "worker": loader + "\n" + (PARTS / "worker.js").read_text(encoding="utf8"),
        "modules": (PARTS / "modules.py").read_text(encoding="utf8")
        + "\nfor module in MODULES:\n    provide(module, MODULES[module])\n",
        "helper": (PARTS / "cell.py").read_text(encoding="utf8"),
        "wasm": "data:application/wasm;base64," + wasm,
    }
    return "/* MicroPython (MIT): see live-licenses.txt */\nwindow.liveRuntime=" + json.dumps(parts) + ";\n"


def write(out):
    "live.js (the editors), live-runtime.js (Python) and their licences, into the site."
    (out / "live-runtime.js").write_text(runtime(), encoding="utf8")
    shutil.copy(PARTS / "licenses.txt", out / "live-licenses.txt")
    command = [MODULES / ".bin/esbuild", PARTS / "live.js", "--bundle", "--minify", "--format=iife", "--target=es2020"]
    banner = "--banner:js=/* with CodeMirror (MIT): see live-licenses.txt */"
    done = subprocess.run(
        [*command, banner, "--log-level=warning", f"--outfile={out / 'live.js'}"], capture_output=True, text=True
    )
    if done.returncode:
        raise BuildError(done.stderr.strip())
