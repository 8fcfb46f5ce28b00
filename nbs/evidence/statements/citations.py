"""What pages and modules cite: a reader of "(Paper 3, Eq. 4 and Algorithm 1)" and its relatives, and where on a page a link may lead."""

import ast
import json
import re
from collections import Counter
from typing import NamedTuple

# How a kind of statement is written, in the order of the page's tables, and other spellings of it.
KINDS = "Definition Theorem Proposition Lemma Corollary Remark Eq. OP Algorithm Table Figure Footnote Example Section".split()
SPELLINGS = {
    "equation": "Eq.",
    "prop": "Proposition",
    "def": "Definition",
    "fig": "Figure",
    "§": "Section",
}
# The papers' own sections: a page may cite one that is no statement.
SECTIONS = {
    1: {"1", "2", "3", "4", "5"},
    2: {*"12345678", "2.1", "2.2", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "7.1", "7.2"},
    3: {*"123456", "4.1", "4.2", "5.1", "5.2", "5.3", "5.4"},
    4: {"I", "II", "III", "IV", "V", "VI", "VII"}
    | {
        f"{part}-{letter}"
        for part, letters in (("II", "ABC"), ("III", "ABCD"), ("IV", "AB"), ("V", "ABCD"))
        for letter in letters
    },
}
NUMBER = r"(?:[IVX]+(?:-[A-F])?(?![a-z])|\d+(?:\.\d+)*)"
CITATION = re.compile(
    rf"""\((?:19|20)\d\d\),\ section\ \S+      # another work's
    | Paper\ (?P<paper>[1-4])
    | (?P<kind>Eqs?\.?|Equations?|OP|Algorithms?|Lemmas?|Theorems?|Corollar(?:y|ies)|Prop(?:ositions?|\.)|Def(?:initions?|\.)
             |Remarks?|Examples?|Tables?|Fig(?:ures?|s?\.)|[Ff]ootnotes?|[Ss]ections?|§+)
      [\ ~]?\(?(?P<number>{NUMBER})\)?
      (?:\ ?(?P<link>to|–|and)\ ?(?P<last>\d+(?:\.\d+)*)(?!\ ?(?!of\ Paper|in\ Paper)\w))?
      (?:\ (?:of|in)\ Paper\ (?P<of>[1-4]))?
    | (?P<bare>[IVX]+-[A-F])\b""",
    re.X,
)


ADDRESS = re.compile(
    r"(?<=\])\([^)\s]*\)|\{#[^}]*\}"
)  # of a link, of a heading: "#sec-footnote4" cites nothing


def kind_of(word):
    'One spelling for a kind of statement: "Eqs.", "equation" and "Eq" are all "Eq."'
    stem = word.lower().replace("corollaries", "corollary").rstrip("s.§") or "§"
    for kind in KINDS:
        if stem == kind.lower().rstrip("."):
            return kind
    return SPELLINGS.get(stem, word)


def citations(text, paper=None):
    "(paper, kind, number) of every citation, in order; `paper` is meant where none is named"
    found = []
    for match in CITATION.finditer(text):
        if match["paper"]:
            paper = int(match["paper"])
        elif match["number"] or match["bare"]:
            paper = int(match["of"]) if match["of"] else paper
            first, last = match["number"] or match["bare"], match["last"]
            numbers = [first] + ([last] if last else [])
            if last and match["link"] != "and" and first.isdigit() and last.isdigit():
                numbers = [str(k) for k in range(int(first), int(last) + 1)]
            found += [(paper, kind_of(match["kind"] or "§"), number) for number in numbers if paper]
    return found


class Page(NamedTuple):
    title: str
    cited: Counter  # (paper, kind, number): how often its prose cites it
    formulas: dict  # label of a displayed formula of a paper, eq-p1-…: its TeX
    anchors: set  # of labels, figures, API cards and rows of tables


def read_page(path):
    "A notebook's title, what its prose cites, its labelled formulas, and its anchors"
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    texts = {
        kind: ["".join(c["source"]) for c in cells if c["cell_type"] == kind]
        for kind in ("markdown", "code")
    }
    prose, anchors = "\n\n".join(texts["markdown"]), set()
    for code in texts["code"]:
        anchors |= set(re.findall(r"(?m)^#\| label: ([\w-]+)", code)) | cards(code)
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        anchors |= set(
            re.findall(
                r'\bid="([\w.-]+)"', "".join(output.get("data", {}).get("text/markdown", ""))
            )
        )
    most = Counter(re.findall(r"Paper ([1-4])", prose)).most_common(1)
    meant = int(most[0][0]) if most else None  # the paper that it names most often
    return Page(
        re.search(r"(?m)^# (.+)", prose)[1],
        Counter(
            claim for line in ADDRESS.sub("", prose).split("\n") for claim in citations(line, meant)
        ),
        {
            m[2]: m[1].strip()
            for m in re.finditer(r"\$\$((?:(?!\$\$).)+)\$\$ *\{#(eq-p\d-[\w-]+)\}", prose, re.S)
        },
        anchors | set(re.findall(r"\{#([\w-]+)[^}]*\}", prose)),
    )


def cards(code):
    "Anchors of the API cards that a cell makes: `show_doc(name)`, and each public name of an exported cell"
    shown = re.findall(r"(?m)^show_doc\(([\w.]+)", code)
    if re.match(r"#\| exports?\b", code):
        shown += [
            node.name
            for node in ast.parse(code).body
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        ]
    return {name.lower() for name in shown if not name.startswith("_")}


class Symbol(NamedTuple):
    module: str  # "aucbook.boosting.weak_rankers"
    name: str
    page: str  # of the notebook that exports it, from the folder of all notebooks: "workshop/boosting/weak_rankers"
    cited: tuple  # (paper, kind, number), in order, each once


def read_module(path, name):
    "The functions and classes of the exported module of that name, with the citations in their text; none of a module written by hand"
    text = path.read_text(encoding="utf8")
    page, named = (
        re.search(r"File to edit: (?:\.\./)+nbs/(\S+)\.ipynb", text),
        re.search(r"Paper ([1-4])", text),
    )
    lines = text.splitlines()  # once: `ast.get_source_segment` would do it for each of them
    for node in ast.parse(text).body if page else []:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            cited = citations(
                "\n".join(lines[node.lineno - 1 : node.end_lineno]), named and int(named[1])
            )
            yield Symbol(name, node.name, page[1], tuple(dict.fromkeys(cited)))
