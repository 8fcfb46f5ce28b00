"""The scripts of live cells: Python as MicroPython's WebAssembly build, the editor as CodeMirror's.

Both come from npm (`npm ci --prefix website/live`); our own parts for the browser are in
live/browser/. Without the packages the book is built as if no cell were live.
"""

import base64
import json
import re
import shutil
import subprocess

from website.project import HERE, BuildError

BROWSER = HERE / "live/browser"
PACKAGES = HERE / "live/node_modules"
MICROPYTHON = PACKAGES / "@micropython/micropython-webassembly-pyscript"
ESBUILD = PACKAGES / ".bin/esbuild"
MISSING = "npm packages are missing: npm ci --prefix website/live"
# Bytes that a worker may use: MicroPython frees nothing while a cell runs, and a telephone ends
# pages that take more.
MEMORY = 512 << 20
# The loader as a classic script, which is all that a worker of a page read from disk can be:
# (pattern, replacement, how often it must be there).
CLASSIC = [
    ("export default _createMicroPythonModule;", "", 1),
    ("export async function loadMicroPython", "async function loadMicroPython", 1),
    (r"await import\(\"\w+\"\)", "null", 4),
    (r"import\.meta\.url", "self.location.href", 4),
    ("2147483648", str(MEMORY), 3),
]
PROVIDE = "\nfor module in MODULES:\n    provide(module, MODULES[module])\n"


def available():
    """Whether the packages are there."""
    return (MICROPYTHON / "micropython.wasm").is_file() and ESBUILD.exists()


def classic(loader):
    """The text of MicroPython's loader, a module, as a classic script with a limit of memory."""
    for pattern, replacement, times in CLASSIC:
        loader, count = re.subn(pattern, replacement, loader)
        if count != times:
            message = f"{pattern} is there {count} times, not {times}"
            raise BuildError(f"MicroPython's loader has changed: {message}")
    return loader


def runtime():
    """The script that brings Python at the first Run: the worker's text and the WebAssembly."""
    loader = classic((MICROPYTHON / "micropython.mjs").read_text(encoding="utf8"))
    wasm = base64.b64encode((MICROPYTHON / "micropython.wasm").read_bytes()).decode()
    parts = {
        "worker": loader + "\n" + (BROWSER / "worker.js").read_text(encoding="utf8"),
        "modules": (BROWSER / "modules.py").read_text(encoding="utf8") + PROVIDE,
        "helper": (BROWSER / "cell.py").read_text(encoding="utf8"),
        "wasm": "data:application/wasm;base64," + wasm,
    }
    notice = "/* MicroPython (MIT): see live-licenses.txt */"
    return f"{notice}\nwindow.liveRuntime={json.dumps(parts)};\n"


def bundle(target):
    """Write live.js, the editors, with the packages that they need."""
    command = [
        ESBUILD,
        BROWSER / "live.js",
        "--bundle",
        "--minify",
        "--format=iife",
        "--target=es2020",
        "--banner:js=/* with CodeMirror (MIT): see live-licenses.txt */",
        "--log-level=warning",
        f"--outfile={target}",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(done.stderr.strip())


def write(out):
    """Put live.js (the editors), live-runtime.js (Python) and their licences into the site."""
    (out / "live-runtime.js").write_text(runtime(), encoding="utf8")
    shutil.copy(BROWSER / "licenses.txt", out / "live-licenses.txt")
    bundle(out / "live.js")
