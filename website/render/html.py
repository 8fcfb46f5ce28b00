"""Markdown to a page: pandoc, the template, then the corrections."""

import re

from lxml.html import document_fromstring, tostring

from website.content.pandoc import pandoc
from website.project import EXTENSION, HERE
from website.reference.formulas import entry_id
from website.render import corrections
from website.render.terms import link_names, link_terms

CITATION = re.compile(r"@[a-z]+\d{4}")
REFERENCES = "\n\n## References\n\n::: {#refs}\n:::\n"
WIDE = 5  # columns of a table that is read as records on a narrow page
WIDE_HOWTO = 3


def html(text, bibliography, variables):
    """A whole page as pandoc writes it."""
    citations = []
    if "@" in text:
        citations = ["--citeproc", f"--bibliography={bibliography}", "-M", "link-citations=true"]
    return pandoc(
        text,
        "-t",
        "html5",
        "--mathml",
        "--standalone",
        "--toc",
        "--toc-depth=3",
        f"--template={HERE / 'render/template.html'}",
        f"--lua-filter={EXTENSION / 'aucbook.lua'}",
        f"--lua-filter={HERE / 'render/filter.lua'}",
        *citations,
        *(f"--variable={key}:{value}" for key, value in variables.items() if value),
    )


def corrected(written, page, site):
    """The element tree of a page as pandoc wrote it, corrected.

    Names lead to their cards; on pages of notebooks, terms and equations lead to their lists.
    """
    tree = document_fromstring(written)
    main = tree.get_element_by_id("main")
    corrections.local_links(tree, page, site.url)
    corrections.light_math(tree)
    corrections.upright_tildes(main)
    corrections.single_anchors(tree)
    corrections.percent_signs(main)
    corrections.unbroken_cells(main)
    corrections.stacked_tables(main, WIDE_HOWTO if page.section == "howto" else WIDE)
    corrections.computation_in_answer(main)
    corrections.shared_scripts(main)
    corrections.symbols(main)
    corrections.contents_of_the_spine(tree)
    if page.section == "workshop":
        corrections.folded_docstrings(main, lambda name: site.card_address(page, name))
    corrections.names_lead_to_cards(main, lambda name: site.card_of_mention(page, name))
    corrections.bare_code(main)
    corrections.citations_say_what(main)
    if page.notebook:
        formulas = site.reference["formulas"]
        corrections.equations_lead_back(
            main, lambda label: page.link(formulas, entry_id(page, label))
        )
        glossary = page.link(site.reference["glossary"])
        link_names(main, site.glossary, glossary)
        link_terms(main, site.glossary, page.name, glossary)
    return tree


def save(page, out):
    """Write a page into the site."""
    path = out / page.address
    path.parent.mkdir(parents=True, exist_ok=True)
    text = tostring(page.tree, encoding="unicode", doctype="<!doctype html>")
    path.write_text(text + "\n", encoding="utf8")
