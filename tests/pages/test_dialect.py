"""The sources keep to Quarto's dialect, as far as that can be checked without running Quarto; the site is rendered without it.

Quarto 1.10 refused or misread each of these: a cell option given twice, one that is no YAML, `@sec-` to a heading without a number,
an anchor that only one of the two renderers makes.
"""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = {
    p.relative_to(ROOT / "nbs").with_suffix("").as_posix(): nbformat.read(p, 4)
    for p in sorted((ROOT / "nbs").rglob("*.ipynb"))
    if ".ipynb_checkpoints" not in p.parts
}
each_page = pytest.mark.parametrize("name", PAGES)
NBDEV = {
    "default_exp",
    "export",
    "exports",
    "exporti",
    "hide",
    "hide_line",
}  # words alone on their line; nbdev drops any such line when it has read it
OURS = {"guess": bool, "live": bool, "live-check": bool}
QUARTO = {
    "label": str,
    "fig-cap": str,
    "fig-alt": str,
    "code-fold": (bool, str),
    "code-summary": str,
    "echo": bool,
    "output": (bool, str),
}
CALLOUTS = {
    "callout-tip",
    "callout-note",
    "callout-warning",
    "callout-important",
    "callout-caution",
    "symbols",
}


def cells(name, kind="code"):
    return [cell for cell in PAGES[name].cells if cell.cell_type == kind]


def options(source):
    """(nbdev's words, [(key, value) for Quarto]) of the `#|` lines that a cell begins with."""
    words, pairs = [], []
    for line in source.splitlines():
        if not line.startswith("#|"):
            break
        text = line[2:].strip()
        if re.match(r"[\w-]+:(\s|$)", text):
            pairs += yaml.safe_load(text).items()
        else:
            words.append(text.split()[0])
    return words, pairs


def as_options(words):
    """Words as cell options that are on: `#| guess: true`."""
    return ", ".join(f"`#| {word}: true`" for word in sorted(words))


@each_page
def test_options_are_quartos_or_nbdevs(name):
    known = QUARTO | OURS
    for cell in cells(name):
        lines = cell.source.splitlines()
        top = next((i for i, line in enumerate(lines) if not line.startswith("#|")), len(lines))
        assert not [line for line in lines[top:] if re.match(r"#\|\s*[\w-]+\s*(:|$)", line)], (
            f"an option below code is a comment:\n{cell.source[:200]}"
        )
        words, pairs = options(cell.source)
        bare = set(words) & {*QUARTO, *OURS}
        assert not bare, f"write {as_options(bare)}, as nbdev drops an option without a value"
        assert set(words) <= NBDEV, f"{words}:\n{cell.source[:200]}"
        assert all(count == 1 for count in Counter(key for key, _ in pairs).values()), (
            f"an option twice:\n{cell.source[:200]}"
        )
        for key, value in pairs:
            assert key in known and isinstance(value, known[key]), (
                f"{key}: {value!r}\n{cell.source[:200]}"
            )
        cell_options = dict(pairs)
        assert cell_options.get("code-fold", True) in (True, "show") and (
            "code-fold" in cell_options
        ) == ("code-summary" in cell_options), cell.source[:200]
        assert ("fig-cap" in cell_options) == ("fig-alt" in cell_options) and (
            "label" not in cell_options or "fig-cap" in cell_options
        ), cell.source[:200]
        assert "default_exp" not in words or words == ["default_exp"], cell.source[:200]


@each_page
def test_no_card_is_hidden(name):
    """Nbdev makes a card for what is exported and has none, and pages link to it; a hidden show_doc would only prevent that."""
    assert not [
        c
        for c in cells(name)
        if "hide" in options(c.source)[0] and re.search(r"(?m)^show_doc\(", c.source)
    ]


@each_page
def test_blocks_are_closed(name):
    depth = 0
    for cell in cells(name, "markdown"):
        for line in re.sub(r"(?ms)^(```+).*?^\1\s*$", "", cell.source).splitlines():
            if fence := re.match(r":::+\s*(.*)$", line):
                depth += 1 if fence[1] else -1
                assert depth >= 0, f"a block ends that never began:\n{cell.source[:200]}"
                for word in re.findall(r"\.((?:callout|panel)[\w-]*)", fence[1]):
                    assert word in CALLOUTS, word
    assert depth == 0


@each_page
def test_a_page_does_not_export_itself(name):
    """nbdev_export in a cell would write modules while others import them, page options included: tools/notebooks.py export."""
    assert not [cell for cell in cells(name) if "nbdev_export" in cell.source]


# ---------------------------------------------------------------- references and anchors
def prose(name):
    """The markdown of a page without code, so that a decorator is no reference."""
    text = "\n\n".join(cell.source for cell in cells(name, "markdown"))
    return re.sub(r"(?ms)^(```+).*?^\1\s*$|`[^`\n]*`", "", text)


def slug(heading):
    """The name that pandoc, and so either renderer, gives a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`]|\b_|_\b", r"\1", heading)
    text = (
        re.sub(r"[^\w\s.-]", "", re.sub(r"\$[^$]*\$", lambda m: m[0].replace("\\", ""), text))
        .strip()
        .lower()
    )
    return re.sub(r"^[^a-z]+", "", re.sub(r"\s+", "-", text)) or "section"


def labels(name):
    """Labels of a page: equations, figures, tables, sections."""
    anchors = set(re.findall(r"\{#([\w-]+)[^}]*\}", prose(name)))
    return anchors | {dict(options(cell.source)[1]).get("label") for cell in cells(name)} - {None}


@cache
def anchors(name):
    """Every anchor that both renderers make on a page: labels, headings, ids in stored outputs, API cards."""
    names = labels(name)
    names |= {
        slug(re.sub(r"\s*\{[^}]*\}\s*$", "", line))
        for line in re.findall(r"(?m)^#{1,6}\s+(.*)$", prose(name))
    }
    for cell in cells(name):
        shown = re.findall(r"(?m)^show_doc\(([\w.]+)", cell.source)
        if {"export", "exports"} & set(
            options(cell.source)[0]
        ):  # nbdev adds a card for each public name of an exported cell
            shown += [
                node.name
                for node in ast.parse(cell.source).body
                if isinstance(node, (ast.FunctionDef, ast.ClassDef))
            ]
        names |= {card.lower() for card in shown if not card.startswith("_")}
        for output in cell.get("outputs", []):
            for text in (
                output.get("data", {}).get(kind, "") for kind in ("text/html", "text/markdown")
            ):
                names |= {
                    one or other for one, other in re.findall(r'\bid="([\w.-]+)"|\{#([\w-]+)', text)
                }
    return names


@each_page
def test_references_resolve(name):
    text = prose(name) + "\n".join(
        str(value)
        for cell in cells(name)
        for key, value in options(cell.source)[1]
        if key == "fig-cap"
    )
    known = labels(name)
    for reference in re.findall(r"(?<![\w.])@((?:eq|fig|tbl|sec)-[\w-]*\w)", text):
        assert reference in known, f"@{reference} is nowhere on this page"
        assert reference.startswith(("eq-", "fig-")), (
            f"@{reference}: headings and tables have no numbers; write a link, [text](#{reference})"
        )


@each_page
def test_citations_are_in_the_bibliography(name):
    known = set(
        re.findall(r"@\w+\{([\w:-]+),", (ROOT / "nbs/references.bib").read_text(encoding="utf8"))
    )
    assert set(re.findall(r"(?<![\w.])@([a-z]+\d{4}\w*)", prose(name))) <= known


@each_page
def test_links_between_pages_lead_somewhere(name):
    outputs = [
        out.get("data", {}).get("text/markdown", "")
        for cell in cells(name)
        for out in cell.get("outputs", [])
    ]
    for target, anchor in re.findall(
        r"\]\(([\w./-]*\.ipynb)?(?:#([\w.-]+))?\)", "\n\n".join([prose(name), *outputs])
    ):
        page = name
        if target:
            path = (ROOT / "nbs" / name).parent.joinpath(target).resolve()
            assert path.is_file() and path.is_relative_to(ROOT / "nbs"), f"no page {target}"
            page = path.relative_to(ROOT / "nbs").with_suffix("").as_posix()
        if anchor:
            assert anchor in anchors(page), f"no anchor #{anchor} on {page}"


@each_page
def test_front_matter(name):
    first = PAGES[name].cells[0]
    if first.cell_type == "markdown":  # nbdev's form: a title and a one-line description
        # nbdev makes the front matter of this cell and drops whatever else stands in it
        assert re.fullmatch(r"# \S.*\n+> \S.*\n*", first.source), (
            "a page begins with a cell '# Title', '> description', and nothing else"
        )
    else:
        header = yaml.safe_load(first.source.strip().strip("-"))
        assert header["title"] and header["description"]


def test_every_page_is_in_the_navigation_once():
    def files(entry):
        if isinstance(entry, str):
            yield entry
        for inner in entry.get("contents", []) if isinstance(entry, dict) else ():
            yield from files(inner)

    config = yaml.safe_load((ROOT / "_quarto.yml").read_text(encoding="utf8"))
    listed = [
        file
        for entry in config["website"]["sidebar"]["contents"]
        for file in files(entry)
        if file.endswith(".ipynb")
    ]
    assert Counter(listed) == Counter(f"{name}.ipynb" for name in PAGES)


def test_slugs_are_pandocs():
    """Pandoc's own answers."""
    for heading, expected in {
        "The four papers": "the-four-papers",
        "What `pav` returns": "what-pav-returns",
        "3. Where it breaks": "where-it-breaks",
        "A *strict* rule, twice": "a-strict-rule-twice",
    }.items():
        assert slug(heading) == expected
