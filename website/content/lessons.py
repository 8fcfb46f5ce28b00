"""A lesson as spine and depth: what everybody reads, and the closed blocks `::: {.callout-note .depth collapse="true" title="…"}`."""

import re

from website.content.cells import split_options

FENCE = re.compile(r"^(:{3,})[ \t]*(\S.*)?$")
DEPTH = re.compile(r"\.depth\b")
FOLDED = re.compile(r'collapse="true"')
DISPLAY = re.compile(r"\$\$.*?\$\$", re.S)
INLINE = re.compile(r"(?<![\\$])\$(?!\$)([^$\n]+(?:\n[^$\n]+)*)\$(?!\$)")
SUBSCRIPT = re.compile(r"[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|.)")
UPRIGHT = re.compile(
    r"\\(?:mathrm|text|operatorname\*?|mathsf|textstyle|displaystyle|begin|end)\s*(?:\{[^{}]*\})?"
)
GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell"
).split()


def split(cells):
    "[(cell, markdown or None)] of the spine, and of the depth: the markdown of a cell may belong to both."
    spine, depth, open_fences = [], [], []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] != "markdown":
            (depth if "depth" in open_fences else spine).append((cell, None))
            continue
        parts = {"spine": [], "depth": []}
        for line in source.split("\n"):
            fence, inside = FENCE.match(line), "depth" in open_fences
            if fence and fence[2]:
                open_fences.append(
                    "depth"
                    if DEPTH.search(fence[2])
                    else "fold"
                    if FOLDED.search(fence[2])
                    else "div"
                )
            elif fence and open_fences:
                open_fences.pop()
            parts["depth" if inside or "depth" in open_fences else "spine"].append(line)
        for into, name in ((spine, "spine"), (depth, "depth")):
            if text := "\n".join(parts[name]).strip():
                into.append((cell, text))
    return spine, depth


def without_folds(text):
    "Without hints and solutions."
    kept, inside = [], 0
    for line in text.split("\n"):
        fence = FENCE.match(line)
        if fence and fence[2]:
            folded = FOLDED.search(fence[2]) and not DEPTH.search(fence[2])
            inside += bool(inside or folded or ".symbols" in fence[2])
            continue
        if fence:
            inside = max(0, inside - 1)
            continue
        if not inside:
            kept.append(line)
    return "\n".join(kept)


def prose(part, folds=False):
    "The text of a part, hints left out unless `folds`."
    text = "\n\n".join(text for _, text in part if text)
    return text if folds else without_folds(text)


def words(text):
    text = re.sub(
        r"\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|^:::.*$|\{[#.][^}]*\}", " ", text, flags=re.S | re.M
    )
    return len(re.findall(r"[^\W\d_]{2,}", text))


def code(part):
    "[(options, source, cell)] of the code cells of a part."
    return [(*split_options("".join(cell["source"])), cell) for cell, text in part if text is None]


def letters(tex):
    "The symbols of a formula: letters with what stands below and above them left out."
    tex = UPRIGHT.sub(" ", tex)
    tex = SUBSCRIPT.sub(" ", SUBSCRIPT.sub(" ", tex))
    found = {name for name in re.findall(r"\\([a-zA-Z]+)", tex) if name in GREEK}
    return found | set(re.findall(r"[a-zA-Z]", re.sub(r"\\[a-zA-Z]+", " ", tex)))


def declared(cells):
    "{letter: meaning} of the block `::: {.symbols}`: `- $m$, `m`: how many are ill`."
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    found = {}
    for block in re.findall(r"^::: *\{\.symbols\}\n(.*?)^:::", text, re.M | re.S):
        for line in re.findall(r"^- (.*(?:\n  .*)*)", block, re.M):
            terms, _, meaning = line.partition(": ")
            for tex in INLINE.findall(terms):
                for letter in letters(tex):
                    found[letter] = meaning.strip()
    return found


def used(part):
    "The symbols in the formulas of a part."
    text = prose(part)
    formulas = [m.strip("$") for m in DISPLAY.findall(text)] + INLINE.findall(
        DISPLAY.sub(" ", text)
    )
    return set().union(*map(letters, formulas)) if formulas else set()
