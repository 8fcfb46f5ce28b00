"""The renderer: what it must show, and what must stop it. The tiny site below uses every feature of the dialect."""
import base64
import json
import posixpath
import re
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("pypandoc")
ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "website"))
import build as site  # noqa: E402

PNG = base64.b64encode(base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")).decode()
FIGURE = '#| label: fig-dot\n#| fig-cap: "One dot."\n#| fig-alt: "A single dot."\ndot()'
PAGE = """
A formula

$$ \\mathrm{AUC} = \\tfrac12 $$ {#eq-p1-half}

as @eq-p1-half says, and @fig-dot shows [@long2007]. See [the other page](20_two.ipynb#target).

::: {.callout-tip collapse="true" title="Hint"}
Look at $x^2$.
:::

::: {.callout-warning}
## Careful
Ties.
:::

::: {.panel-tabset}
## First
one

## Second
two
:::
"""


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs), "metadata": {}}


def page(title, *cells):
    front = {"cell_type": "raw", "source": f"---\ntitle: {title}\ndescription: about {title}\noutput-file: {title}.html\n\n---\n"}
    return {"cells": [front, *({"cell_type": "markdown", "source": c} if isinstance(c, str) else c for c in cells)]}


def image(mime="image/png"):
    return {"output_type": "display_data", "data": {mime: PNG, "text/plain": "<Figure>"}}


@pytest.fixture
def make(tmp_path):
    def make(*cells):
        processed = tmp_path / "proc"
        processed.mkdir(exist_ok=True)
        (processed / "_quarto.yml").write_text("website:\n  title: Tiny\n  sidebar:\n    contents:\n      - 10_one.ipynb\n      - section: Part\n        contents: [20_two.ipynb]\n")
        (processed / "10_one.ipynb").write_text(json.dumps(page("one", *cells)))
        (processed / "20_two.ipynb").write_text(json.dumps(page("two", "## A target {#target}\n\ntext")))
        site.build(processed, tmp_path / "out", ROOT / "nbs/references.bib", "https://example.org/book")
        return (tmp_path / "out/one.html").read_text()
    return make


def test_every_feature_renders(make):
    html = make(PAGE, code(FIGURE, image()), code('#| code-fold: true\n#| code-summary: "Solution"\n1 + 1', {"output_type": "execute_result", "data": {"text/plain": "2"}}),
                code("x", {"output_type": "execute_result", "data": {"text/html": "<table class='dataframe'><tr><td>7</td></tr></table>", "text/plain": "7"}}))
    assert '<figure id="fig-dot">' in html and "<strong>Figure 1. </strong>" in html and 'alt="A single dot."' in html
    assert 'id="eq-p1-half"' in html and '<span class="eqno">(1)</span>' in html and "<math" in html
    assert re.search(r'href="#eq-p1-half"[^>]*>Equation\s1', html) and re.search(r'href="#fig-dot"[^>]*>Figure\s1', html)
    assert '<details class="callout tip"><summary>Hint</summary>' in html and '<p class="callout-title">Careful</p>' in html
    assert "<summary>Solution</summary>" in html and "<td>7</td>" in html and html.count('<details class="tab"') == 2
    assert "Long and Servedio" in html and 'id="ref-long2007"' in html
    assert 'href="two.html#target"' in html and 'aria-current="page"' in html and "<span>Part</span>" in html


def test_documentation_links_become_relative(make):
    assert 'href="two.html"' in make("[two](https://example.org/book/two.html)")


@pytest.mark.parametrize("cells, message", [
    (["see @fig-nowhere"], "unresolved reference @fig-nowhere"),
    (["see [@nobody1999]"], "nobody1999"),
    (["$$ \\frac{1 $$"], "TeX math"),
    (["[gone](30_gone.ipynb)"], "dead link: 30_gone.html"),
    (["[gone](20_two.ipynb#nothing)"], "dead link: two.html#nothing"),
    ([code("#| label: fig-a\nplot()", image())], "without alternative text"),
    (["![a cat](https://example.org/cat.png)"], "loads from the network"),
])
def test_what_stops_the_build(make, cells, message):
    with pytest.raises(site.BuildError, match=re.escape(message)):
        make(*cells)


def test_the_book_builds(book):
    assert {p.name for p in book.glob("*.html")} >= {"index.html", "notation.html", "roc.html", "symbols.html", "formulas.html", "glossary.html", "reading.html"}
    first = [*(book / name for name in ("index.html", "style.css", "site.js")), *(book / "figures/index").iterdir()]      # no formula on it, so no font is loaded
    assert "<math" not in first[0].read_text(encoding="utf8") and sum(path.stat().st_size for path in first) < 400_000
    assert sum(path.stat().st_size for path in book.rglob("*") if path.is_file()) < 40e6


def test_search_index(book):
    index = json.loads((book / "search.js").read_text(encoding="utf8").removeprefix("window.bookIndex=").rstrip(";\n"))
    files = [file for file, _ in index["pages"]]
    places = {(files[page], anchor): text for page, anchor, _, text in index["sections"]}
    assert "adjacent violators" in places["glossary.html", "term-pav"].lower() or "linear-time" in places["glossary.html", "term-pav"]
    assert ("pav.html", "pavcalibrator") in places and "{" not in places["glossary.html", "term-auc"]
    assert len(index["sections"]) > 200 and (book / "search.js").stat().st_size < 2_000_000


def test_symbols_lead_to_their_chapters(book):
    import aucbook
    html = (book / "symbols.html").read_text(encoding="utf8")
    for name in aucbook.__all__:
        home = re.search(rf'<dt id="sym-{name}"><a href="(\w+)\.html#{name.lower()}">', html)
        if (book / f"{aucbook._HOME[name]}.html").exists():
            assert home and aucbook._HOME[name] == home[1], f"{name} has neither an API card nor a shown source in its chapter"


def test_equations_say_where_they_are_used(book):
    html = (book / "formulas.html").read_text(encoding="utf8")
    chapters = [p for p in book.glob("*.html") if p.name != "formulas.html"]
    labels = {(p.stem, label) for p in chapters for label in re.findall(r'id="(eq-[\w-]+)"', p.read_text(encoding="utf8"))}
    assert labels and {tuple(entry.split("-", 1)) for entry in re.findall(r'id="(\w+-eq-[\w-]+)"', html)} == labels
    entry = html.partition('id="aucboost-eq-p1-1"')[2].partition("</div>")[0]
    assert "Paper 1" in entry and 'Used in <a href="aucboost.html#' in entry
    assert "equations.html" not in html.partition('<main id="main">')[2] and "?:" not in html


def test_glossary_links_the_first_mention_only():
    page = ('<header><p class="subtitle">AUC</p></header><main id="main"><header class="title"><h1>AUC</h1></header>\n<p>An <code>AUC</code> and the AUC, then AUC. The auc is a pool.</p>'
            '<div class="rich"><p>pool</p></div><p>Thresholds &amp; whirlpools</p><nav class="around"><p>threshold</p></nav>')
    entries = [{"term": "AUC", "is": 'Area "under"', "case": True}, {"term": "pool", "is": "merge"}, {"term": "threshold", "also": ["thresholds"], "is": "cut"}]
    linked = site.extras.link_terms(page, entries)
    assert re.sub(r"<a class=.term.*?>(.*?)</a>", r"\1", linked) == page
    assert re.findall(r'href="glossary.html#([\w-]+)" data-tip="([^"]*)">([^<]*)', linked) == [
        ("term-auc", "Area &quot;under&quot;", "AUC"), ("term-pool", "merge", "pool"), ("term-threshold", "cut", "Thresholds")]
    assert "the <a" in linked and "a <a" in linked


def test_glossary_leaves_everyday_words_alone():
    page = ('<main id="main"><section id="f" class="api"><h3>f</h3><div><pre>f</pre></div><p>a pool</p></section><p>Average precision, PAV-AdaBoost, <em>AdaBoost and AUC</em>; precision by AdaBoost.</p>'
            '<div id="refs" class="references"><p>A scan</p></div><nav class="around">')
    entries = [{"term": "pool", "is": "x"}, {"term": "precision", "not": ["average precision"], "is": "x"}, {"term": "AdaBoost", "case": True, "is": "x"},
               {"term": "scan", "is": "x"}, {"term": "AUC", "is": "x"}]
    linked = lambda entries, chapter="": re.findall(r'<a class="term"[^>]*>([^<]*)</a>(.{3})', site.extras.link_terms(page, entries, chapter))
    assert linked(entries) == [("precision", " by"), ("AdaBoost", ".</")]
    assert linked([{"term": "precision", "in": ["11_pav"], "is": "x"}], "10_roc") == [] and linked([{"term": "precision", "in": ["11_pav"], "is": "x"}], "11_pav")


def test_every_word_of_the_glossary_is_met_and_explained(book):
    import yaml
    entries = yaml.safe_load((ROOT / "website/glossary.yml").read_text(encoding="utf8"))
    text = " ".join(" ".join(p.read_text(encoding="utf8").split()) for p in book.glob("*.html") if p.name != "glossary.html")
    for e in entries:
        assert (ROOT / f"nbs/{e['see']}.ipynb").exists(), e["term"]
        assert any(re.search(rf"\b{re.escape(spelling)}\b", text, re.I) for spelling in [e["term"], *e.get("also", [])]), e["term"]


def test_a_percent_sign_stays_with_its_number(make):
    html = make("In 30 % of $m$ % of cases", code("x = '5 %'", {"output_type": "execute_result", "data": {"text/plain": "5 %"}}))
    assert "30\u00a0%" in html and "</math>\u00a0%" in html and html.count("5 %") == 2


def test_statements_of_a_formula_may_stand_below_one_another(make):
    html = make("$$ a = b, \\qquad c = d $$ {#eq-two}\n\nas @eq-two\n\n$$ a, \\qquad b $$\n\n$$ \\begin{aligned} a \\qquad b \\end{aligned} $$")
    assert len(re.findall(r'<span class="parts"><math.*?</math><math.*?</math></span>', html, re.S)) == 2 and html.count("<math") == 5


def test_a_page_with_its_own_function_of_that_name_does_not_use_ours():
    pages = [{"html": f"{name}.html", "title": name, "ids": set(), "notebook": page(name, code(source))} for name, source in (("own", "def scan(x):\n    return x\n\nscan(1)"), ("ours", "scan(2)"))]
    listed = site.extras.symbols_page(pages, {"scan": ("aucbook.roc", "function", "Walks.")})
    assert 'Used in <a href="ours.html">ours</a></span>' in listed


def test_names_used_are_python_names():
    used = site.extras.used_names
    assert {"compare", "X"} <= used("table = compare(X)  # pool scan\n") and not {"pool", "scan", "table"} & used("table = compare(X)  # pool scan\n")
    assert not {"predict", "pav"} & used("model.predict(X, pav=1)\n'pav predict'\npav = 3")
    assert "pav" in used("aucbook.pav(y)") and "pav" in used("from aucbook.pav import pav") and "pip" in used("!pip install 'x")


def test_wide_tables_can_stack():
    table = "<table>\n<thead><tr><th>a</th><th>b <em>&amp;</em></th></tr></thead>\n<tbody><tr>\n<td style='x'>1</td><td></td></tr></tbody></table>"
    stacked = site.extras.stack_tables(f'<div class="table">\n{table}</div>{table}')
    assert stacked.endswith(table) and 'class="stack"' in stacked
    assert "<td data-head=\"a\" style='x'>1</td><td data-head=\"b &amp;\"></td>" in stacked
    assert site.extras.stack_tables(table, wide=2).startswith('<table class="stack">')


def test_claims_are_read_in_both_orders():
    assert site.extras.claims("(Paper 2, Eq. 1 to 3) and Lemma 4 of Paper 1; Theorem 5 (Paper 2)") == {("2", "Eq", "1"), ("2", "Eq", "2"), ("2", "Eq", "3"), ("1", "Lemma", "4"), ("2", "Theorem", "5")}


def test_llms_txt_and_citation(book):
    import yaml
    text = (book / "llms.txt").read_text(encoding="utf8")
    assert text.startswith("# aucbook\n") and all((book / link).exists() for link in re.findall(r"\]\(([^)]+)\)", text))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    assert citation["version"] == re.search(r"^version = (.*)$", (ROOT / "settings.ini").read_text(), re.M)[1]
    assert len(citation["references"]) == 4


def test_epub_is_well_formed_and_complete(book, tmp_path):
    import book as one      # website/book.py
    archive = zipfile.ZipFile(one.epub(book, tmp_path / "book.epub"))
    trees = {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist() if name.endswith((".xhtml", ".opf", ".svg"))}
    pages = {name: tree for name, tree in trees.items() if name.endswith(".xhtml")}
    ids = {name: [e.get("id") for e in tree.iter() if e.get("id")] for name, tree in pages.items()}
    assert all(len(set(found)) == len(found) for found in ids.values())
    where = lambda name, link: posixpath.normpath(posixpath.join(posixpath.dirname(name), link))
    for name, tree in pages.items():
        for e in tree.iter():
            if e.tag.endswith("}img"):
                assert where(name, e.get("src")) in archive.namelist() and e.get("alt"), (name, e.get("src"))
            if e.tag.endswith("}a") and not re.match("[a-z]+:", e.get("href") or ""):
                target, _, anchor = (e.get("href") or "").partition("#")
                assert not anchor or anchor in ids[where(name, target) if target else name], (name, e.get("href"))
    titles = {"".join(e.itertext()) for tree in pages.values() for e in tree.iter() if e.tag.endswith("}h1")}
    assert titles >= {"Pool adjacent violators", "Glossary"} and sum(archive.read(name).count(b"<math") for name in pages) > 100


def test_readme_is_in_step(processed, base_url):
    assert (ROOT / "README.md").read_text(encoding="utf8") == site.readme(processed, ROOT / "nbs/references.bib", base_url), "run `make book` and commit README.md"


def test_every_chapter_is_in_the_navigation():
    import yaml
    listed = {name for _, name in site.navigation(yaml.safe_load((ROOT / "_quarto.yml").read_text()))}
    assert listed == {p.name for p in (ROOT / "nbs").glob("*.ipynb")}


def test_a_card_shows_the_signature_python_knows():
    "nbdev's own drops the star of keyword-only arguments and guesses types from defaults"
    told = "### partial_auc\n\n```python\ndef partial_auc(\n    y_true, pos_label:NoneType=None\n):\n```\n\n*Area under the curve,*\nexact.\n\n- alpha: low\n"
    shown = site.extras.card(told)
    assert "\n    beta=1.0, *, form='normalized',\n" in shown and "NoneType" not in shown
    assert "*Area under the curve, exact.*\n\n- alpha" in shown
    assert max(map(len, shown.splitlines())) <= 40
    assert "RocDisplay.plot(" in site.extras.card("### RocDisplay.plot\n\n```python\nx\n```\n") and "self" not in site.extras.card("### RocDisplay.plot\n\n```python\nx\n```\n")
