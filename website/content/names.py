"""The boxes *What others call this*: other people's names of what a lesson teaches.

A box ends each lesson. Its terms are chosen on the page; what it says of them is the glossary's:
`python -m website names` writes it again.
"""

import json
import re

from website.project import ROOT, load

TITLE = "What others call this"
OPENING = f'::: {{.callout-note .names title="{TITLE}"}}'
CLOSING = ":::"
SKLEARN = "https://scikit-learn.org/stable/modules/generated/"
PARAMETER = re.compile(r"\((\w+)=\)$")


def sklearn_path(name):
    """(dotted path, parameter or None) of a name such as `sklearn.svm.LinearSVC(C=)`."""
    match = PARAMETER.search(name)
    if match:
        return name[: match.start()], match[1]
    return name, None


def sklearn_link(name):
    """A link to the page of a name of scikit-learn; a method is an anchor of its class's page."""
    path, _ = sklearn_path(name)
    parts = name.split(".")
    is_method = len(path.split(".")) > 2 and path.split(".")[-2][:1].isupper()
    if is_method:
        page = f"{path.rpartition('.')[0]}.html#{path}"
        label = ".".join(parts[-2:])
    else:
        page = f"{path}.html"
        label = parts[-1]
    return f"[`{label}`]({SKLEARN}{page})"


def code_name(name):
    """A name as code; a remark in parentheses after a space, and a name with marks, stay text."""
    if "`" in name or ": " in name:
        return name
    code, space, remark = name.partition(" (")
    return f"`{code}`{space}{remark}"


def item(entry):
    """The line of a term: other names, then what software calls it."""
    clauses = []
    if entry.get("others"):
        clauses.append(", ".join(entry["others"]))
    if entry.get("sklearn"):
        clauses.append("scikit-learn: " + ", ".join(map(sklearn_link, entry["sklearn"])))
    if entry.get("r"):
        clauses.append("R: " + ", ".join(map(code_name, entry["r"])))
    if entry.get("elsewhere"):
        clauses.append(", ".join(map(code_name, entry["elsewhere"])))
    return f"- **{entry['term']}**: {'; '.join(clauses)}"


def box(terms, glossary):
    """The text of the box of some terms."""
    entries = {entry["term"]: entry for entry in glossary}
    lines = [item(entries[term]) for term in terms]
    return "\n".join([OPENING, *lines, CLOSING])


def is_box(cell):
    """Whether a cell of a notebook is the box."""
    return cell["cell_type"] == "markdown" and "".join(cell["source"]).startswith(OPENING)


def terms_of(cell):
    """The terms of a box."""
    return re.findall(r"^- \*\*(.+?)\*\*:", "".join(cell["source"]), re.M)


def lessons():
    """The notebooks of the lessons; a quiz has no box."""
    pages = sorted((ROOT / "nbs" / "lessons").glob("*.ipynb"))
    return [page for page in pages if not page.stem.startswith("quiz_")]


def rewrite():
    """Write the boxes of all lessons from the glossary. Returns the pages that changed."""
    glossary = load("glossary.yml")
    changed = []
    for page in lessons():
        before = page.read_text(encoding="utf8")
        notebook = json.loads(before)
        for cell in filter(is_box, notebook["cells"]):
            text = box(terms_of(cell), glossary)
            cell["source"] = text.splitlines(keepends=True)
        after = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
        if after != before:
            page.write_text(after, encoding="utf8")
            changed.append(page.stem)
    return changed
