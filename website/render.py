"""Markdown to a page: pandoc, the template, then what polish.py mends."""

import subprocess

import polish
import pypandoc
from formulas import entry_id
from glossary import link_terms
from lxml.html import document_fromstring, tostring
from project import HERE, BuildError


def pandoc(text, *arguments, reader="markdown-implicit_figures"):
    "Run pandoc; a warning (TeX, citation) is an error here."
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "-f", reader, "--wrap=none", "--fail-if-warnings", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf8",
    )
    if done.returncode:
        raise BuildError(done.stderr.strip())
    return done.stdout


def html(text, bibliography, variables):
    "A whole page as pandoc writes it."
    return pandoc(
        text,
        "-t",
        "html5",
        "--mathml",
        "--standalone",
        "--toc",
        "--toc-depth=3",
        f"--template={HERE / 'template.html'}",
        f"--lua-filter={HERE / 'filter.lua'}",
        *(["--citeproc", f"--bibliography={bibliography}", "-M", "link-citations=true"] if "@" in text else []),
        *(f"--variable={key}:{value}" for key, value in variables.items() if value),
    )


def tree(written, page, site):
    "The element tree of a page, mended. Terms and equations of notebooks lead to their lists."
    found = document_fromstring(written)
    main = found.get_element_by_id("main")
    polish.local_links(found, page, site.url)
    polish.light_math(found)
    polish.upright_tildes(main)
    polish.one_anchor_each(found)
    polish.percent_signs(main)
    polish.whole_cells(main)
    polish.stacked_tables(main, 3 if page.house == "howto" else 5)
    polish.computed_inside(main)
    polish.said_once(main)
    polish.symbols(main)
    polish.contents_of_the_spine(found)
    if page.house == "workshop":
        polish.folded_docstrings(main, lambda name: site.card_address(page, name))
    polish.names_lead_to_cards(main, lambda name: site.card_of_mention(page, name))
    polish.bare_code(main)
    if page.notebook:
        polish.equations_lead_back(main, lambda label: page.link(site.formulas, entry_id(page, label)))
        link_terms(main, site.glossary, page.name, page.link(site.terms))
    return found


def save(page, out):
    path = out / page.address
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(tostring(page.tree, encoding="unicode", doctype="<!doctype html>") + "\n", encoding="utf8")
