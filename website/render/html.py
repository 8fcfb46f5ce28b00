"""Markdown to a page: pandoc, the template, then what corrections.py mends."""

from lxml.html import document_fromstring, tostring

from website.project import HERE
from website.reference.formulas import entry_id
from website.render import corrections
from website.render.pandoc import pandoc
from website.render.terms import link_terms


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
        f"--template={HERE / 'render/template.html'}",
        f"--lua-filter={HERE / 'render/filter.lua'}",
        *(["--citeproc", f"--bibliography={bibliography}", "-M", "link-citations=true"] if "@" in text else []),
        *(f"--variable={key}:{value}" for key, value in variables.items() if value),
    )


def tree(written, page, site):
    "The element tree of a page, mended. Terms and equations of notebooks lead to their lists."
    found = document_fromstring(written)
    main = found.get_element_by_id("main")
    corrections.local_links(found, page, site.url)
    corrections.light_math(found)
    corrections.upright_tildes(main)
    corrections.one_anchor_each(found)
    corrections.percent_signs(main)
    corrections.whole_cells(main)
    corrections.stacked_tables(main, 3 if page.house == "howto" else 5)
    corrections.computed_inside(main)
    corrections.said_once(main)
    corrections.symbols(main)
    corrections.contents_of_the_spine(found)
    if page.house == "workshop":
        corrections.folded_docstrings(main, lambda name: site.card_address(page, name))
    corrections.names_lead_to_cards(main, lambda name: site.card_of_mention(page, name))
    corrections.bare_code(main)
    if page.notebook:
        corrections.equations_lead_back(main, lambda label: page.link(site.formulas, entry_id(page, label)))
        link_terms(main, site.glossary, page.name, page.link(site.terms))
    return found


def save(page, out):
    path = out / page.address
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(tostring(page.tree, encoding="unicode", doctype="<!doctype html>") + "\n", encoding="utf8")
