"""The renderer: what it must show, and what must stop it. The tiny site below uses every feature of the dialect."""
import base64
import json
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("pypandoc")
ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "site"))
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


@pytest.fixture(scope="session")
def processed():
    from subprocess import run
    run([sys.executable, "-c", "import sys; sys.path.insert(0, 'site'); import build; build.process()"], cwd=ROOT, check=True)
    return ROOT / "_proc"


def base_url():
    settings = (ROOT / "settings.ini").read_text()
    return "".join(re.search(rf"^{key} = (.*)$", settings, re.M)[1] for key in ("doc_host", "doc_baseurl"))


def test_the_book_builds(processed, tmp_path):
    pages = site.build(processed, tmp_path / "site", ROOT / "nbs/references.bib", base_url())
    assert {p.name for p in pages} >= {"index.html", "notation.html", "roc.html"}
    assert (tmp_path / "site/index.html").stat().st_size < 400_000


def test_readme_is_in_step(processed):
    assert (ROOT / "README.md").read_text(encoding="utf8") == site.readme(processed, ROOT / "nbs/references.bib", base_url()), "run `make book` and commit README.md"


def test_every_chapter_is_in_the_navigation():
    import yaml
    listed = {name for _, name in site.navigation(yaml.safe_load((ROOT / "_quarto.yml").read_text()))}
    assert listed == {p.name for p in (ROOT / "nbs").glob("*.ipynb")}
