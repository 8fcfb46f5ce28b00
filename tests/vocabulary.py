"""The words that the library does not use, and where they stand: `python tests/vocabulary.py [PATH …]`.

One word has one meaning, and it is the field's. The first column is what not to write, the second
what to write. Texts are docstrings, messages and other strings, comments, and the prose of pages;
names are those of variables, arguments, functions and classes. Left out are attributes, code of
pages that is not exported, lessons, which have their own voice, and this list with its tests.
"""

import ast
import io
import json
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]

TEXTS = [  # (regular expression, what to write)
    (r"\b(rings?|rang|ringing)\b", "predicts positive, flags; alarm as a noun"),
    (r"\bpromis(e|es|ed|ing)\b", "guarantee, guaranteed maximum FPR"),
    (r"\b(tell|tells|told)\b", "predict, report, warn, state: what it does"),
    (r"\baside\b", "calibration set, held out"),
    (r"\b(deal|deals|dealt|dealing)\b", "split into folds"),
    (r"\banew\b", "again"),
    (r"\balike\b", "equal, similar"),
    (r"\bnobody\b", "no one; treat none"),
    (r"\bhonest(ly)?\b", "calibrated, unbiased, held out"),
    (r"\bworth\b", "net benefit; value"),
    (r"\b(comes?|came) in\b", "takes"),
    (r"\b(goes?|went) out\b", "returns"),
    (r"\bby heart\b", "overfitting"),
    (r"\b(nervous|calm|calmer)\b", "high variance, unstable; lower variance"),
    (r"\bwelcome\b", "allowed, accepted"),
    (r"\bcannot be parted\b", "are tied"),
    (r"\b(wings?|rooms?|doors?)\b", "sub-package, module, public API"),
    (r"\b(the|this) house\b", "the library"),
    (r"\bcompetitors?\b", "ranker"),
    (r"\bcupboard\b", "default rankers"),
    (r"\bguests?\b", "optional rankers"),
    (r"\bstands? there twice\b", "duplicate"),
    (r"\bcannot be so\b", "corrupt, inconsistent with"),
    (r"\bturned? round\b", "negated"),
    (r"\bcame true\b", "observed"),
    (r"\bknows? nothing\b", "uninformative"),
    (r"\bloud(er)?\b", "weight of a vote"),
    (r"\bnasty\b", "adversarial"),
    (r"\bopponents?\b", "most violated ordering"),
    (r"\bredraws?\b|\bredrawn\b", "resample"),
    (r"\bhow free\b", "regularisation"),
    (r"\bseen rows\b", "training rows"),
    (r"\bsilence[sd]?\b", "ignore"),
]
NAMES = {
    "told", "said", "seen", "asked", "found", "given", "kept", "most", "own", "part", "many", "whole",
    "what", "most_", "aside", "dealt", "deal", "promise", "promised", "rings", "ringing", "worth",
    "Told", "Said", "Asked", "Found", "Seen", "Work", "Cases", "Drawn", "Reported",
}  # fmt: skip
# f-strings are tokens of their own since Python 3.12
SPOKEN = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
FOLDERS = ("aucbook", "nbs/workshop", "nbs/howto", "tests")
# names of files and folders that are not looked at: generated, not ours, or the list itself
LEFT_OUT = {"_modidx.py", "node_modules", "vocabulary.py", "test_vocabulary.py"}
# the address of a link, and the anchor of a heading: old ones stay, other pages lead there
# and titles of lessons
ADDRESSES = re.compile(r"(?<=\])\([^)]*\)|\{#[^}]*\}|\[Are these probabilities honest\?\]")
PAGES = ("README.md", "CONTRIBUTING.md", ".github/RULES.md", ".github/RECIPES.md")


def words_in(text):
    """[(word, what to write)] of a text."""
    return [
        (match[0], instead) for words, instead in TEXTS for match in re.finditer(words, text, re.I)
    ]


def python_findings(code):
    """[(line, word, what to write)] of Python code: strings and comments, and names."""
    places = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in SPOKEN:
            places += [(token.start[0], *word) for word in words_in(token.string)]
    for node in ast.walk(ast.parse(code)):
        names = []
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names = [node.id]
        elif isinstance(node, ast.arg):
            names = [node.arg]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        places += [
            (node.lineno, name, "a name of what it is")
            for name in names
            if name.strip("_") in NAMES
        ]
    return sorted(places)


def findings(path):
    """[(place, word, what to write)] of a file: a module, a notebook's prose, or a Markdown page."""
    text = path.read_text(encoding="utf8")
    if path.suffix == ".py":
        return python_findings(text)
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        prose = [(cell.get("id", ""), "".join(cell["source"])) for cell in cells]
    else:
        prose = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
    return [(place, *word) for place, text in prose for word in words_in(ADDRESSES.sub("", text))]


def in_folder(folder, suffixes):
    """The files in a folder and its sub-folders that have one of these suffixes."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in suffixes and LEFT_OUT.isdisjoint(path.relative_to(folder).parts)
    ]


def files():
    """The files whose words are looked at."""
    listed = [ROOT / name for name in PAGES]
    for folder in FOLDERS:
        listed += in_folder(ROOT / folder, {".py", ".ipynb"})
    return listed


if __name__ == "__main__":
    chosen = []
    for path in [Path(name) for name in sys.argv[1:]] or files():
        chosen += [path] if path.is_file() else in_folder(path, {".py", ".ipynb", ".md"})
    for path in chosen:
        for place, word, instead in findings(path):
            print(f"{path}:{place}: {word!r}: {instead}")
