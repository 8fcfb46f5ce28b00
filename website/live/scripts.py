"""The scripts of live cells: Python as MicroPython's WebAssembly build, the editor as CodeMirror's.

Both come from npm (`npm ci --prefix website/live`); our own parts for the browser are in
live/browser/. Without the packages the book is built as if no cell were live.
"""

import base64
import json
import re
import shutil
import subprocess

from website.project import HERE, BuildError, read_text

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
# The colours of style.css as Quarto's pages have them, light and dark.
COLOURS = """.live {
  --paper: var(--bs-body-bg); --ink: var(--bs-body-color); --soft: var(--bs-secondary-color);
  --wash: var(--bs-tertiary-bg); --blue: var(--bs-link-color); --grey: var(--bs-border-color);
  --orange: #b4570a; --mark: #d9730d; --mono: var(--bs-font-monospace);
  --sans: var(--bs-font-sans-serif);
}
"""
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


def quarto_style():
    """The rules of the site's style for live cells, with Quarto's colours."""
    lines = read_text("assets/style.css").splitlines()
    return COLOURS + "\n".join(line for line in lines if line.startswith(".live-")) + "\n"


def write_for_quarto(extension):
    """Put what live cells need into Quarto's extension, whose filter adds it to their pages."""
    if not available():
        raise BuildError(MISSING)
    write(extension)
    (extension / "live.css").write_text(quarto_style(), encoding="utf8")


def write(out):
    """Put live.js (the editors), live-runtime.js (Python) and their licences into the site."""
    (out / "live-runtime.js").write_text(runtime(), encoding="utf8")
    shutil.copy(BROWSER / "licenses.txt", out / "live-licenses.txt")
    bundle(out / "live.js")
