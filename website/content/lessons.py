"""A lesson as spine and depth.

The spine is what everybody reads; the depth are the closed blocks
`::: {.callout-note .depth collapse="true" title="…"}`. Both are read from pandoc's document of the
whole notebook, in which a block may span several cells.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from website.content import ast
from website.content.cells import source_of, split_options

CELL = "notebook-cell"  # the class of what stands for a code cell
SUBSCRIPT = re.compile(r"[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|.)")
UPRIGHT = re.compile(
    r"\\(?:mathrm|text|operatorname\*?|mathsf|textstyle|displaystyle|begin|end)\s*(?:\{[^{}]*\})?"
)
GREEK = set(
    re.findall(
        r"\w+",
        """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta kappa lambda mu nu xi
        pi rho sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega
        ell""",
    )
)


@dataclass
class Piece:
    """A block of a lesson, or one of its code cells.

    `folded`: it stands in a hint, a solution, the list of symbols, or the box of other names.
    """

    block: dict
    cell: dict | None = None
    folded: bool = False


@dataclass
class Part:
    """The spine or the depth of a lesson."""

    pieces: list = field(default_factory=list)

    @property
    def text(self):
        """The blocks that stand open."""
        return [piece.block for piece in self.pieces if not piece.cell and not piece.folded]

    @property
    def cells(self):
        """Its code cells."""
        return [piece.cell for piece in self.pieces if piece.cell]


def cell_mark(number):
    """What stands for a code cell in the text."""
    return f"``` {{.{CELL}}}\n{number}\n```"


def marked_text(cells):
    """The text of a notebook, with a mark for each code cell."""
    parts = []
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "markdown":
            parts.append(source_of(cell))
        elif cell["cell_type"] == "code":
            parts.append(cell_mark(number))
    return "\n\n".join(parts)


@lru_cache(maxsize=128)
def parsed(text):
    """The blocks of a text."""
    return ast.parse(text)["blocks"]


def is_depth(block):
    """Whether a block is a closed block of depth."""
    return block["t"] == "Div" and "depth" in ast.classes(block)


def is_fold(block):
    """Whether a block is a hint, a solution, the list of symbols, or the box of other names."""
    if block["t"] != "Div" or is_depth(block):
        return False
    _, classes, pairs = ast.attributes(block)
    return pairs.get("collapse") == "true" or bool({"symbols", "names"} & set(classes))


def is_cell(block):
    """Whether a block stands for a code cell."""
    return block["t"] == "CodeBlock" and CELL in ast.classes(block)


def split(cells):
    """(spine, depth) of the cells of a lesson."""
    spine = Part()
    depth = Part()

    def read(blocks, part, folded):
        for block in blocks:
            if block["t"] == "Div":
                inside = depth if is_depth(block) else part
                read(block["c"][1], inside, folded or is_fold(block))
            elif is_cell(block):
                cell = cells[int(block["c"][1])]
                part.pieces.append(Piece(block, cell=cell, folded=folded))
            else:
                part.pieces.append(Piece(block, folded=folded))

    read(parsed(marked_text(cells)), spine, folded=False)
    return spine, depth


def prose(part):
    """The text of a part that stands open, code and formulas included."""
    return ast.plain_text(part.text)


def words(part):
    """How many words of a part stand open; formulas are counted apart."""
    text = ast.plain_text(part.text, skip=lambda node: node["t"] == "Math")
    return len(re.findall(r"[^\W\d_]{2,}", text))


def formulas(part):
    """The displayed formulas of a part that stand open."""
    displayed = []
    for node in ast.nodes(part.text, "Math"):
        kind, tex = node["c"]
        if kind["t"] == "DisplayMath":
            displayed.append(tex)
    return displayed


def code(part):
    """[(options, source, cell)] of the code cells of a part."""
    return [(*split_options(source_of(cell)), cell) for cell in part.cells]


def letters(tex):
    """The symbols of a formula: letters without what stands below and above them."""
    tex = UPRIGHT.sub(" ", tex)
    tex = SUBSCRIPT.sub(" ", SUBSCRIPT.sub(" ", tex))
    commands = set(re.findall(r"\\([a-zA-Z]+)", tex))
    latin = set(re.findall(r"[a-zA-Z]", re.sub(r"\\[a-zA-Z]+", " ", tex)))
    return latin | (commands & GREEK)


def used(part):
    """The symbols in the formulas of a part that stand open."""
    symbols = set()
    for node in ast.nodes(part.text, "Math"):
        symbols |= letters(node["c"][1])
    return symbols


def declared(cells):
    """{letter: meaning} of the blocks `::: {.symbols}`: `- $m$, `m`: how many are ill`."""
    meanings = {}
    for block in ast.nodes(parsed(marked_text(cells)), "Div"):
        if "symbols" not in ast.classes(block):
            continue
        for items in ast.nodes(block, "BulletList"):
            for item in items["c"]:
                terms, meaning = declaration(item)
                meanings |= {letter: meaning for tex in terms for letter in letters(tex)}
    return meanings


def declaration(item):
    """(formulas, meaning) of an item of the list of symbols."""
    inlines = item[0]["c"]
    for number, inline in enumerate(inlines):
        if inline["t"] == "Str" and inline["c"].endswith(":"):
            terms = [node["c"][1] for node in ast.nodes(inlines[:number], "Math")]
            return terms, ast.plain_text(inlines[number + 1 :]).strip()
    return [], ""
