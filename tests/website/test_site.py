"""The renderer: what it must show, and what must stop it. The tiny site below uses every feature of the dialect."""

import ast
import base64
import inspect
import json
import posixpath
import re
import zipfile
import zlib
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

pytest.importorskip("pypandoc")
import fonts
import yaml
from lxml.html import document_fromstring, fragment_fromstring, tostring

from website.content.minutes import minutes
from website.content.pages import Page
from website.content.python_code import used_names
from website.export import book as whole_book
from website.export.epub import epub
from website.export.readme import readme
from website.navigation import footer, paths, workshop_order
from website.navigation.contents import contents
from website.project import HERE, BuildError, load, settings
from website.reference import cards, docstrings, formulas, names
from website.reference import pages as reference
from website.render import corrections
from website.render.drawings import THEME, drawing
from website.render.terms import link_terms
from website.site import Site, build

ROOT = Path(__file__).parents[2]
PNG = base64.b64encode(
    base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
).decode()
FIGURE = '#| label: fig-dot\n#| fig-cap: "One dot."\n#| fig-alt: "A single dot."\ndot()'
PAGE = """
A formula

$$ \\mathrm{AUC} = \\tfrac12 $$ {#eq-p1-half}

as @eq-p1-half says, and @fig-dot shows [@long2007]. See [the other page](../workshop/trees/pruning.ipynb#target).

::: {.callout-tip collapse="true" title="Hint"}
Look at $x^2$.
:::

::: {.callout-warning}
## Careful
Ties.
:::
"""


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs), "metadata": {}}


def page(title, *cells):
    front = {
        "cell_type": "raw",
        "source": f"---\ntitle: {title}\ndescription: about {title}\n\n---\n",
    }
    return {
        "cells": [
            front,
            *({"cell_type": "markdown", "source": c} if isinstance(c, str) else c for c in cells),
        ]
    }


def image(mime="image/png"):
    return {"output_type": "display_data", "data": {mime: PNG, "text/plain": "<Figure>"}}


NAVIGATION = """website:
  title: Tiny
  sidebar:
    contents:
      - index.ipynb
      - section: Part
        contents: [lessons/pruning.ipynb, lessons/three.ipynb]
      - section: The workshop
        contents:
          - workshop/index.ipynb
          - section: trees
            contents: [workshop/trees/pruning.ipynb]
      - section: Reference
        contents: [evidence/letters.ipynb]
"""


def tiny(folder, *cells, moved=None):
    """Builds a tiny site with the given cells in a lesson. Returns its folder."""
    processed, out = folder / "proc", folder / "out"
    for section in ("lessons", "workshop/trees", "evidence"):
        (processed / section).mkdir(parents=True, exist_ok=True)
    (processed / "_quarto.yml").write_text(NAVIGATION)
    for name, made in {
        "index": page("Home", "hello"),
        "lessons/pruning": page("Two", *cells),
        "lessons/three": page("Three", "text"),
        "workshop/index": page("Modules", "text"),
        "workshop/trees/pruning": page(
            "Two", "## A target {#target}\n\ntext", code(FIGURE, image())
        ),
        "evidence/letters": page("Letters", "text"),
    }.items():
        (processed / f"{name}.ipynb").write_text(json.dumps(made))
    build(processed, out, url="https://example.org/book", moved=moved)
    return out


DRAWING = """<?xml version="1.0" encoding="utf-8"?>
<!-- made -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10.123456pt" viewBox="0 0 10.123456 5">
 <metadata>matplotlib</metadata>
 <defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <defs><path id="dot" d="M 0.123456 -1.987654
L 2 3"/><clipPath id="clip"><path d="M 0 0"/></clipPath></defs>
 <g id="figure_1"><path id="axis" style="fill: #ffffff; stroke: #2563a8; opacity: 0.123456" d="M 1.000000 2.345678"/>
 <use xlink:href="#dot" x="1.999999" clip-path="url(#clip)" style="stroke: #123456"/>
 <text style="font-family: 'DejaVu Sans', Arial; font-size: 9px; fill: #22262b">AUC &lt; 1</text></g>
</svg>
"""


def test_a_drawing_follows_the_theme():
    """Colours of the book become the page's, with themselves for readers without its style; others stay; letters are the page's."""
    made = drawing(DRAWING, 'A "dot"', "fig3-")
    svg = ElementTree.fromstring(made)
    assert (svg.get("role"), svg.get("aria-label"), svg.get("class")) == (
        "img",
        'A "dot"',
        "drawing",
    )
    assert (
        "metadata" not in made
        and "<style" not in made
        and "made -->" not in made
        and "<?xml" not in made
    )
    assert (
        "fill: var(--paper, #ffffff)" in made
        and "stroke: var(--blue, #2563a8)" in made
        and "stroke: #123456" in made
    )
    assert (
        "font-family" not in made
        and "font-size: 9px; fill: var(--ink, #22262b)" in made
        and "AUC &lt; 1" in made
    )
    # coordinates to a tenth of a point, styles as they are
    assert (
        'd="M 0.1 -2 L 2 3"' in made
        and 'd="M 1 2.3"' in made
        and 'x="2"' in made
        and 'viewBox="0 0 10.1 5"' in made
    )
    assert "opacity: 0.123456" in made
    # ids that are used keep apart from those of the page's other drawings; the others go
    assert set(re.findall(r' id="([^"]+)"', made)) == {"fig3-dot", "fig3-clip"}
    assert 'href="#fig3-dot"' in made and "url(#fig3-clip)" in made


def test_colours_of_the_book_have_names_in_the_style():
    from aucbook._base import style as display

    css = (ROOT / "website/assets/style.css").read_text(encoding="utf8")
    light, dark = (
        re.search(rf"^{start} \{{(.*?)\}}", css, re.M | re.S)[1]
        for start in (":root", r'\[data-theme="dark"\]')
    )
    for name in set(THEME.values()):
        assert f"--{name}:" in light and (f"--{name}:" in dark), name
    colours = {
        display.BLUE,
        display.ORANGE,
        display.GREY,
        *(colour for colour, *_ in display.LINES),
    }
    assert {colour.lower() for colour in colours} <= set(THEME)
    # matplotlib writes no fill where it is plain black, which is invisible in the dark
    assert re.search(r"svg\.drawing \{[^}]*fill: var\(--ink\)", css)


def test_a_vector_figure_is_part_of_the_page(tmp_path):
    svg = {"output_type": "display_data", "data": {"image/svg+xml": DRAWING, "image/png": PNG}}
    out = tiny(tmp_path, code(FIGURE, svg), code(FIGURE.replace("fig-dot", "fig-two"), svg))
    html = (out / "lessons/pruning.html").read_text()
    ids = re.findall(r' id="(fig\d-\w+)"', html)
    assert sorted(ids) == ["fig1-clip", "fig1-dot", "fig2-clip", "fig2-dot"]
    assert (
        html.count('aria-label="A single dot."') == 2
        and "<figcaption>" in html
        and "<img" not in html
    )
    assert (
        out / "lessons/figures/pruning/1.svg"
    ).read_text() == DRAWING  # to take along, as it was made


def test_minutes_are_computed():
    """The spine: 8.3 minutes a page, .022 a word, .095 a folded line, .8 a question, and nothing for the rest. Depth is counted apart: 110 words and one displayed formula a minute, 10 s a live line, a minute a question."""
    question = {
        "output_type": "execute_result",
        "data": {"text/html": '<div id="a" class="predict">'},
    }

    def count(*cells):
        return minutes(page("P", *cells))

    assert (
        count("word " * 500)
        == (19, 0)
        == count("[word](a/very/long/address) $x = formula$ a 12 " * 500)
    )
    empty = (8, 0)
    assert count("$$ x = y $$ {#eq-p1-x}\n\n" * 4) == empty
    assert count(code("#| live: true\n" + "\n\n".join(["x = 1"] * 12))) == empty
    assert count(code("x = 1\n" * 30)) == empty
    assert (
        count(code("#| code-fold: true\n" + "x\n" * 600), code("#| echo: false\n" + "x\n" * 600))
        == empty
    )
    folded = (
        "#| live: true\n#| code-fold: true\n" + "x = 1\n" * 20 + 'text = """\n' + "55 36\n" * 600
    )
    assert count(code(folded)) == (10, 0)  # twenty lines and a name; numbers are not read
    assert count(*[code("#| echo: false\nq", question)] * 5) == (12, 0)
    hint = '::: {.callout-tip collapse="true" title="Hint"}\n' + "word " * 110 + "\n:::\n\n"
    deep = '::: {.callout-note .depth collapse="true" title="Why"}\n' + "word " * 110
    assert count(
        hint + "word " * 110,
        deep,
        code("#| live: true\n" + "x = 1\n" * 6),
        ":::\n\n" + "word " * 110,
    ) == (13, 2)


def test_a_lesson_says_how_long_it_takes(small_site):
    assert (
        "About 8 minutes to do" in small_site("lessons/pruning.html")
        and "minutes" not in small_site("workshop/trees/pruning.html").partition("<main")[2]
    )


@pytest.fixture
def make(tmp_path):
    """Builds a tiny site and returns the text of its lesson."""
    return lambda *cells: (tiny(tmp_path, *cells) / "lessons/pruning.html").read_text()


DEEP = """The area is $A$, from $s_i$ and `m`.

$$ A = \\frac{1}{m} \\sum_i s_j $$

::: {.symbols}
**Symbols on this page**

- $A$: the area
- $m$, `m`: how many are ill
- $s_i$: the score of the ill person number $i$
:::

## Going deeper

::: {#why .callout-note .depth collapse="true" title="Why it must hold"}
### Inside {#inside}
text"""


def test_depth_symbols_and_guesses(make):
    printed = {"output_type": "stream", "name": "stdout", "text": "42\n"}
    text = make(DEEP, code("#| guess: true\nprint(42)", printed), ":::\n\nafter")
    tree = document_fromstring(text)
    (depth,) = tree.xpath("//details[@id='why']")
    assert (
        "depth" in depth.get("class")
        and depth.find("summary").text == "Why it must hold"
        and depth.get("open") is None
    )
    assert depth.xpath(".//*[@id='inside']") and "after" not in depth.text_content()
    (guess,) = depth.xpath(".//details[contains(@class, 'guess')]")
    assert "42" in guess.text_content() and "print" not in guess.text_content()
    listed = [link.get("href") for link in tree.xpath("//aside[@class='toc']//a")]
    assert "#going-deeper" in listed and "#inside" not in listed
    (block,) = tree.xpath("//details[contains(@class, 'symbols')]")
    assert [item.get("data-symbol") for item in block.iter("li")] == ["A", "m", "s"]
    formula = tree.xpath("//math[@display='block']//*[@data-symbol]")
    assert [(e.tag, e.get("data-symbol")) for e in formula] == [
        ("mi", "A"),
        ("mi", "m"),
        ("mi", "s"),
    ]
    assert (
        tree.xpath("//p/code[@data-symbol='m']")
        and '"code": {"m": "m"}' in text
        and '"m": "how many are ill"' in text
    )


def test_a_lesson_without_a_page_in_the_workshop_says_it_too(small_site):
    assert "About 8 minutes to do.</p>" in small_site("lessons/three.html")


@pytest.fixture(scope="module")
def small_site(tmp_path_factory):
    """A tiny site to look around in: the text of any of its files."""
    out = tiny(tmp_path_factory.mktemp("tiny"), "$$ x $$ {#eq-p1-1}", code(FIGURE, image()))
    return lambda name: (
        (out / name).read_text() if name.endswith((".html", ".js")) else (out / name).exists()
    )


def test_every_feature_renders(make):
    html = make(
        PAGE,
        code(FIGURE, image()),
        code(
            '#| code-fold: true\n#| code-summary: "Solution"\n1 + 1',
            {"output_type": "execute_result", "data": {"text/plain": "2"}},
        ),
        code(
            "x",
            {
                "output_type": "execute_result",
                "data": {
                    "text/html": "<table class='dataframe'><tr><td>7</td></tr></table>",
                    "text/plain": "7",
                },
            },
        ),
    )
    assert (
        '<figure id="fig-dot">' in html
        and "<strong>Figure 1. </strong>" in html
        and 'alt="A single dot."' in html
    )
    assert 'id="eq-p1-half"' in html and '<span class="eqno">(1)</span>' in html and "<math" in html
    assert re.search(r'href="#eq-p1-half"[^>]*>Equation\s1', html) and re.search(
        r'href="#fig-dot"[^>]*>Figure\s1', html
    )
    assert (
        '<details class="callout tip"><summary>Hint</summary>' in html
        and '<p class="callout-title">Careful</p>' in html
    )
    assert "<summary>Solution</summary>" in html and "<td>7</td>" in html
    assert "Long and Servedio" in html and 'id="ref-long2007"' in html
    assert (
        'href="../workshop/trees/pruning.html#target"' in html
        and 'aria-current="page"' in html
        and "<summary>Part</summary>" in html
    )


def test_control_characters_are_shown_as_signs(tmp_path):
    """XML allows none: an EPUB with one opens nowhere."""
    out = tiny(
        tmp_path,
        code("print()", {"output_type": "stream", "name": "stdout", "text": "a\x1b[1mb\x00"}),
    )
    for name in ("pruning.html", "pruning.md"):
        text = (out / "lessons" / name).read_text()
        assert "a␛[1mb␀" in text and not re.search(r"[\x00-\x08\x0b-\x1f]", text)


NESTED = """::: {.callout-note .depth collapse="true" title="Why"}
::: {.callout-tip collapse="true" title="Hint"}
$$ a = b $$ {#eq-inner}
:::

As @eq-inner says.
:::
"""


def test_a_block_in_a_block_renders(tmp_path):
    """A hint directly inside a closed block is closed too, and numbers inside are counted."""
    out = tiny(tmp_path, NESTED)
    tree = document_fromstring((out / "lessons/pruning.html").read_text())
    (hint,) = tree.xpath("//details[contains(@class, 'depth')]/details[contains(@class, 'tip')]")
    assert hint.find("summary").text == "Hint" and hint.get("open") is None
    assert hint.xpath(".//span[@id='eq-inner']")
    assert "inside" not in hint.getparent().get("class")
    copy = (out / "lessons/pruning.md").read_text()
    assert "**Why**\n\n**Hint**\n\n$$ a = b \\tag{1} $$\n\nAs Equation 1 says.\n" in copy


def test_documentation_links_become_relative(make):
    assert '<a href="../workshop/trees/pruning.html#target">w</a>' in make(
        "[w](https://example.org/book/workshop/trees/pruning.html#target)"
    )


def test_pages_of_one_name_stay_apart(small_site):
    """A lesson and its workshop page: figures, anchors, links, search."""
    for folder, root, back in (
        ("lessons", "../", 'How it is made: <a href="../workshop/trees/pruning.html">Two</a>'),
        ("workshop/trees", "../../", 'The lesson: <a href="../../lessons/pruning.html">Two</a>'),
    ):
        html = small_site(f"{folder}/pruning.html")
        assert 'src="figures/pruning/1.png"' in html and small_site(
            f"{folder}/figures/pruning/1.png"
        )
        assert (
            f'<link rel="stylesheet" href="{root}style.css">' in html
            and f'data-root="{root}"' in html
        )
        assert back in html
    assert 'href="../reference/formulas.html#lessons-pruning-eq-p1-1"' in small_site(
        "lessons/pruning.html"
    )
    assert 'id="lessons-pruning-eq-p1-1"' in small_site("reference/formulas.html")
    index = json.loads(small_site("search.js").removeprefix("window.bookIndex=").rstrip(";\n"))
    assert {
        ("lessons/pruning.html", "Two (lessons)"),
        ("workshop/trees/pruning.html", "Two (workshop/trees)"),
        ("lessons/three.html", "Three"),
    } < {(file, name) for file, name, _ in index["pages"]}
    assert 'href="style.css"' in small_site("index.html")


def test_next_follows_the_course(small_site):
    """And within the workshop from the first page through all sub-packages."""

    def around(page):
        return re.findall(r"<span>(Previous|Next)</span><a href=.([^'\"]*)", small_site(page))

    assert around("index.html") == [("Next", "lessons/pruning.html")]
    assert around("lessons/pruning.html") == [("Previous", "../index.html"), ("Next", "three.html")]
    assert around("lessons/three.html") == [("Previous", "pruning.html")]
    assert around("workshop/index.html") == [("Next", "trees/pruning.html")]
    assert around("workshop/trees/pruning.html") == [("Previous", "../index.html")]
    assert around("evidence/letters.html") == around("reference/glossary.html") == []


def test_the_navigation_is_open_where_the_reader_is(small_site):
    """A sub-package only where the page is in it."""

    def nav(page):
        _, _, after = small_site(page).partition('id="nav"')
        return after.partition("</nav>")[0]

    def opened(page):
        return re.findall(r"<details open[^>]*><summary>([^<]*)", nav(page))

    assert opened("index.html") == opened("lessons/pruning.html") == ["Part"]
    assert opened("workshop/trees/pruning.html") == ["The workshop", "trees"]
    assert opened("workshop/index.html") == ["The workshop"]
    assert opened("reference/glossary.html") == opened("evidence/letters.html") == ["Reference"]
    within = (
        nav("index.html").partition("<summary>The workshop</summary>")[2].partition("</details>")[0]
    )
    assert "Modules</a></li><li><details><summary>trees</summary><ul><li>" in within


def test_subjects_name_lessons_and_workshop_pages_that_exist():

    subjects = load("subjects.yml")
    assert all((ROOT / f"nbs/lessons/{lesson}.ipynb").exists() for lesson in subjects)
    pages = [page for listed in subjects.values() for page in listed]
    assert [page for page in pages if not (ROOT / f"nbs/workshop/{page}.ipynb").exists()] == []


def test_paths_lead_through_pages_that_exist():

    groups = load("paths.yml")
    steps = [step for paths_of in groups.values() for path in paths_of.values() for step in path]
    assert [step for step in steps if not (ROOT / f"nbs/{step}.ipynb").exists()] == []
    first = next(iter(next(iter(groups.values())).values()))
    index = (ROOT / "nbs/index.ipynb").read_text(encoding="utf8")
    shown = re.search(r"## Where to begin(.*?)## ", index, re.S)[1].partition("With one of")[0]
    assert re.findall(r"\]\(([\w/]+)\.ipynb\)", shown) == first  # the index shows the first path


def test_next_on_a_path():
    pages = [
        Page(f"{name}.html", name, notebook=page(name, "words " * 400))
        for name in ("lessons/a", "lessons/b", "workshop/c")
    ]
    known = paths.existing(
        {
            "G": {
                "P": ["lessons/a", "lessons/gone", "lessons/b"],
                "Q": ["lessons/b", "workshop/c"],
                "R": ["lessons/a"],
            }
        },
        pages,
    )
    assert [(title, [step.title for step in steps]) for _, title, steps in known] == [
        ("P", ["lessons/a", "lessons/b"]),
        ("Q", ["lessons/b", "workshop/c"]),
    ]
    assert paths.next_steps(known, pages[0]) == '<li>P: <a href="b.html">lessons/b</a></li>'
    assert paths.next_steps(known, pages[2]) == ""
    shown = paths.as_list(known, Page("reference/reading.html", ""))
    assert (
        "<strong>P</strong> (about 34 minutes): <a href" in shown
        and "<strong>Q</strong>: <a href" in shown
    )  # minutes of lessons are known


@pytest.mark.parametrize(
    "cells, message",
    [
        (["see @fig-nowhere"], "unresolved reference @fig-nowhere"),
        (["see [@nobody1999]"], "nobody1999"),
        (["$$ \\frac{1 $$"], "TeX math"),
        (["[gone](gone.ipynb)"], "dead link: gone.html"),
        (
            ["[gone](../workshop/trees/pruning.ipynb#nothing)"],
            "dead link: ../workshop/trees/pruning.html#nothing",
        ),
        (["![a cat](cat.png)"], "missing file: cat.png"),
        (
            [code("#| echo: false\nshow_doc(unknown_name)")],
            "show_doc(unknown_name): the library has no such name",
        ),
        ([code("#| label: fig-a\nplot()", image())], "without alternative text"),
        (["![a cat](https://example.org/cat.png)"], "loads from the network"),
        (["## Main"], "the anchor main is there 2 times"),
    ],
)
def test_what_stops_the_build(make, cells, message):
    with pytest.raises(BuildError, match=re.escape(message)):
        make(*cells)


PAGE_OF_MODULE = workshop_order.modules(ROOT / "nbs/workshop")
SUB_PACKAGES = sorted(path.parent.name for path in (ROOT / "aucbook").glob("*/__init__.pyi"))


def moved():
    return load("moved.yml")


def test_the_book_builds(book):
    pages = {p.relative_to(book).as_posix() for p in book.rglob("*.html")}
    made = {
        "symbols",
        "formulas",
        "glossary",
        "gallery",
        "reading",
        "explore",
        "aucbook",
        *SUB_PACKAGES,
    }
    assert pages == {
        p.relative_to(ROOT / "nbs").with_suffix(".html").as_posix()
        for p in (ROOT / "nbs").rglob("*.ipynb")
    } | {f"reference/{name}.html" for name in made} | {
        old for old, entry in moved().items() if "to" in entry
    }


def loaded_by(book, address):
    """The files that a browser reads to show a page, before anybody runs or searches anything: the live runtime is not among them."""
    html = (book / address).read_text(encoding="utf8")
    loaded = {
        address,
        *re.findall(
            r'<(?:script|img|link)[^>]* (?:src|href)="(?!data:)([^"]+\.(?:js|css|png|svg))"', html
        ),
    }
    faces = re.findall(r'url\("(fonts/[^"]+)"\)', (book / "style.css").read_text(encoding="utf8"))
    folder = posixpath.dirname(address)
    return {
        address,
        *faces,
        *(posixpath.normpath(posixpath.join(folder, file)) for file in loaded - {address}),
    }


def test_pages_are_light(book):
    """First pages of a new reader, with all typefaces; and the whole site."""

    def weigh(files):
        return sum((book / file).stat().st_size for file in files)

    for address in ("index.html", "lessons/roc.html"):
        files = loaded_by(book, address)
        assert {
            "style.css",
            "site.js",
            "fonts/literata-400-normal.woff2",
        } < files and "live-runtime.js" not in files
        editor = {"live.js"} & files  # comes after the page is shown
        assert weigh(files - editor) < 420_000, {file: weigh([file]) for file in files}
    # the laboratory (widgets hold their script and their pictures) is a tenth of it
    assert weigh(path for path in book.rglob("*") if path.is_file()) < 59e6


def test_typefaces():
    """Subsets with their licences, small; style.css claims exactly what tools/fonts.py put in."""
    css = (ROOT / "website/assets/style.css").read_text(encoding="utf8")
    faces = re.findall(r'src: url\("fonts/([\w-]+)\.woff2"\).*?unicode-range: ([^;]+);', css)
    claimed = [(name, fonts.css(ranges)) for name, (_, _, ranges) in fonts.FACES.items()]
    assert sorted(faces) == sorted([*claimed, ("stix-two-math", fonts.css(fonts.SIGNS))])
    assert set(fonts.characters(fonts.SIGNS)) <= set(fonts.characters(fonts.MATH)) - set(
        fonts.characters(fonts.TEXT)
    )
    there = {path.stem: path.stat().st_size for path in fonts.FONTS.glob("*.woff2")}
    assert set(there) == set(fonts.FACES) and sum(there.values()) < 150_000
    for _, file, _ in fonts.FACES.values():
        assert "SIL Open Font License" in (
            fonts.FONTS / f"LICENSE-{file.partition('-latin')[0]}"
        ).read_text(encoding="utf8")


def test_formulas_have_their_letters(book):
    """A new sign in a formula: add it to MATH in tools/fonts.py and run that."""
    from lxml.html import parse

    has, missing = set(fonts.characters(fonts.MATH)), {}
    for path in book.rglob("*.html"):
        for element in parse(str(path)).getroot().iter("mi", "mo", "mn", "mtext"):
            for sign in element.text or "":
                if ord(sign) not in has and not sign.isspace():
                    missing.setdefault(f"{sign} U+{ord(sign):X}", path.relative_to(book).as_posix())
    assert not missing


def test_search_index(book):
    index = json.loads(
        (book / "search.js")
        .read_text(encoding="utf8")
        .removeprefix("window.bookIndex=")
        .rstrip(";\n")
    )
    files = [file for file, _, _ in index["pages"]]
    places = {(files[page], anchor): text for page, anchor, _, text in index["sections"]}
    assert (
        "adjacent violators" in places["reference/glossary.html", "term-pav"].lower()
        or "linear-time" in places["reference/glossary.html", "term-pav"]
    )
    assert (
        ("workshop/isotonic/regression.html", "pavcalibrator") in places
        and ("reference/isotonic.html", "PAVCalibrator") in places
        and "{" not in places["reference/glossary.html", "term-auc"]
    )
    assert len(index["sections"]) > 200 and (book / "search.js").stat().st_size < 24_000 * len(
        index["pages"]
    )


def public_names(package):
    """The functions and classes that a package shows."""
    return [name for name in package.__all__ if callable(getattr(package, name))]


def names_with_cards(package):
    """The public names of a sub-package, without those that another one has a card of."""
    homes = {name: home for name, (home, _) in names.public().items()}

    def is_shown_elsewhere(name):
        home = import_module(homes.get(name, package.__name__))
        return home is not package and getattr(home, name, None) is getattr(package, name)

    shown = [name for name in public_names(package) if not is_shown_elsewhere(name)]
    return sorted(shown, key=lambda name: (name.lower(), name))


@pytest.mark.parametrize("name_of_package", [*SUB_PACKAGES, "explore"])
def test_every_public_name_has_its_card(book, name_of_package):
    """On the page of its sub-package, with its call, the methods of a class, and a link to the page that makes it."""
    package = import_module(f"aucbook.{name_of_package}")
    html = (book / f"reference/{name_of_package}.html").read_text(encoding="utf8")
    cards = dict(
        re.findall(
            r'<section id="([\w.]+)" class="api">(.*?)(?=<section id="[\w.]+" class="api">|\Z)',
            html,
            re.S,
        )
    )
    # of two with one name the later has its sub-package before it: lab.subgroups
    homes = {name: home for name, (home, _) in names.public().items()}
    expected = {
        name: name
        if homes.get(name, package.__name__) == package.__name__
        else f"{name_of_package}.{name}"
        for name in names_with_cards(package)
    }
    assert list(cards) == list(expected.values())
    for name, anchor_of_card in expected.items():
        card, value = cards[anchor_of_card], getattr(package, name)
        made_by = PAGE_OF_MODULE.get(value.__module__.removeprefix("aucbook."))
        if made_by:
            anchor = re.search(rf'Made in <a href="\.\./workshop/{made_by}\.html#([\w.]+)"', card)
            assert anchor and anchor[1] == name.lower(), (
                f"{name} has neither a card nor a shown source on its page"
            )
        if hasattr(value, "fit") and inspect.isclass(value):
            assert f'id="{name}.fit"' in card
    assert inspect.getdoc(package).split("\n\n")[0].split()[0] in html


def test_the_overview_leads_to_every_card(book):
    """And says which names are everyday ones; addresses of before, symbols.html#sym-NAME, lead there."""
    import aucbook

    html = (book / "reference/symbols.html").read_text(encoding="utf8")
    assert re.findall(r'<h2[^>]*><a href="(\w+)\.html">', html) == [
        package.__name__.rpartition(".")[2] for package in names.packages()
    ]
    facts, everyday = names.documented_names(), set(public_names(aucbook))
    for name in {name for package in names.packages() for name in public_names(package)}:
        start = (
            f'<dt id="sym-{name}"><a href="{facts[name].package.rpartition(".")[2]}.html#{name}">'
        )
        assert start in html and (name in everyday) == (
            "· everyday" in html.partition(start)[2].partition("</dt>")[0]
        )
    shared = html.partition("<summary>Shared between modules, not public")[2]
    made_by = PAGE_OF_MODULE[facts["check_scores"].module.removeprefix("aucbook.")]
    link = f'<a href="../workshop/{made_by}.html#check_scores">'
    assert 'id="sym-check_scores"' in shared and link in shared


def test_names_in_prose_lead_to_their_cards():
    """The first mention, unless it leads somewhere already or is a heading, code or an explorable."""
    text = (
        "<h2><code>pav</code></h2><pre><code>pav</code></pre><div class='rich'><code>pav</code></div><a href='x'><code>pav</code></a>"
        "<p><code>pav()</code> or <code>pav</code>, <code>other</code></p>"
    )

    def mend(tree):
        cards = {"pav": "isotonic.html#pav"}
        return corrections.names_lead_to_cards(tree, cards.get)

    made = polished(text, mend)
    assert made.count('<a class="name"') == 1
    assert (
        '<p><a class="name" href="isotonic.html#pav"><code>pav()</code></a> or <code>pav</code>, <code>other'
        in made
    )


LONG = """def f(x):
    \"\"\"One line.

    More.
    \"\"\"
    return x


class Private:
    \"\"\"Two

    lines.\"\"\"
"""


def test_docstrings_fold_in_shown_code():
    """To their first line and a link to the card; a copy of the code has all of it."""
    lines = "\n".join(
        f'<span id="cb1-{i}">{line}</span>' for i, line in enumerate(LONG.splitlines(), 1)
    )
    tree = fragment_fromstring(f"<main><pre><code>{lines}</code></pre></main>")
    corrections.folded_docstrings(tree, {"f": "card.html#f"}.get)
    assert tree.text_content() == LONG.rstrip("\n")
    (rest,), (card,) = tree.find_class("rest"), tree.find_class("in-full")
    assert rest.text_content() == '\n    More.\n    """' and rest.tail.strip() == ""
    assert (
        card.get("href") == "card.html#f"
        and card.getprevious().text_content() == '    """One line.'
    )


def test_docstrings_of_the_workshop_are_folded(book):
    html = (book / "workshop/trees/forest.html").read_text(encoding="utf8")
    assert 'class="in-full"' in html and 'href="../../reference/trees.html#TreeRankForest"' in html
    assert "Read more" not in html and "n_estimators : int" in html  # unseen, but there
    assert ".rest { display: none; }" in (book / "style.css").read_text(encoding="utf8")


def test_equations_say_where_they_are_used(book):
    html = (book / "reference/formulas.html").read_text(encoding="utf8")
    chapters = [p for p in book.rglob("*.html") if p.parent.name != "reference"]
    labels = {
        f"{p.relative_to(book).with_suffix('').as_posix().replace('/', '-')}-{label}"
        for p in chapters
        for label in re.findall(r'id="(eq-[\w-]+)"', p.read_text(encoding="utf8"))
    }
    assert labels and set(re.findall(r'class="entry" id="([\w-]+)"', html)) == labels
    entry = html.partition('id="lessons-aucboost-eq-p1-1"')[2].partition("</div>")[0]
    assert "Paper 1" in entry and 'Used in <a href="../lessons/aucboost.html#' in entry
    assert "concordance.html" not in html.partition('<main id="main">')[2] and "?:" not in html


def linked(text, *arguments):
    """A fragment with links to the glossary, as text again."""
    tree = fragment_fromstring(text)
    link_terms(tree, *arguments)
    return tostring(tree, encoding="unicode")


def test_glossary_links_the_first_mention_only():
    page = (
        '<main id="main"><header class="title"><h1>AUC</h1><p class="subtitle">AUC</p></header>\n<p>An <code>AUC</code> and the AUC, then AUC. The auc is a pool.</p>'
        '<div class="rich"><p>pool</p></div><p>Thresholds &amp; whirlpools</p><nav class="around"><p>threshold</p></nav></main>'
    )
    entries = [
        {"term": "AUC", "is": 'Area "under"', "case": True},
        {"term": "pool", "is": "merge"},
        {"term": "threshold", "also": ["thresholds"], "is": "cut"},
    ]
    text = linked(page, entries)
    assert re.sub(r"<a class=.term.*?>(.*?)</a>", r"\1", text) == page
    assert [
        (a.get("href"), a.get("data-tip"), a.text) for a in fragment_fromstring(text).iter("a")
    ] == [
        ("glossary.html#term-auc", 'Area "under"', "AUC"),
        ("glossary.html#term-pool", "merge", "pool"),
        ("glossary.html#term-threshold", "cut", "Thresholds"),
    ]
    assert "the <a" in text and "a <a" in text


def test_glossary_leaves_everyday_words_alone():
    page = (
        '<main id="main"><section id="f" class="api"><h3>f</h3><div><pre>f</pre></div><p>a pool</p></section><p>Average precision, PAV-AdaBoost, <em>AdaBoost and AUC</em>; precision by AdaBoost, <em>scan</em> it.</p>'
        '<div id="refs" class="references"><p>A scan</p></div></main>'
    )
    entries = [
        {"term": "pool", "is": "x"},
        {"term": "precision", "not": ["average precision"], "is": "x"},
        {"term": "AdaBoost", "case": True, "is": "x"},
        {"term": "scan", "is": "x"},
        {"term": "AUC", "is": "x"},
    ]

    def links(entries, chapter=""):
        text = linked(page, entries, chapter)
        return re.findall(r'<a class="term"[^>]*>([^<]*)</a>(.{3})', text)

    assert links(entries) == [("precision", " by"), ("AdaBoost", ", <"), ("scan", "</e")]
    only = [{"term": "precision", "in": ["lessons/isotonic"], "is": "x"}]
    assert links(only, "lessons/roc") == [] and links(only, "lessons/isotonic")


def test_every_word_of_the_glossary_is_met_and_explained(book):

    entries = load("glossary.yml")
    text = " ".join(
        " ".join(p.read_text(encoding="utf8").split())
        for p in book.rglob("*.html")
        if p.name != "glossary.html"
    )
    spellings = [spelling.lower() for e in entries for spelling in [e["term"], *e.get("also", [])]]
    assert len(set(spellings)) == len(spellings)
    explained = {
        "receiver operating characteristic",
        "sensitivity",
        "specificity",
        "prevalence",
        "odds",
        "posterior",
        "false alarm",
    }
    assert explained < {e["term"] for e in entries}
    for e in entries:
        assert len(re.findall(r"[.!?](?=\s[A-Z]|$)", e["is"])) <= 3 and e["is"].endswith("."), e[
            "term"
        ]
        assert (ROOT / f"nbs/{e['see']}.ipynb").exists(), e["term"]
        assert any(
            re.search(rf"\b{re.escape(spelling)}\b", text, re.I)
            for spelling in [e["term"], *e.get("also", [])]
        ), e["term"]


def test_a_percent_sign_stays_with_its_number(make):
    html = make(
        "In 30 % of $m$ % of cases",
        code("x = '5 %'", {"output_type": "execute_result", "data": {"text/plain": "5 %"}}),
    )
    assert "30\u00a0%" in html and "</math>\u00a0%" in html and html.count("5 %") == 2


def test_statements_of_a_formula_may_stand_below_one_another(make):
    html = make(
        "$$ a = b, \\qquad c = d $$ {#eq-two}\n\nas @eq-two\n\n$$ a, \\qquad b $$\n\n$$ \\begin{aligned} a \\qquad b \\end{aligned} $$"
    )
    assert (
        len(re.findall(r'<span class="parts"><math.*?</math><math.*?</math></span>', html, re.S))
        == 2
        and html.count("<math") == 5
    )


def test_a_page_with_its_own_function_of_that_name_does_not_use_ours():
    sources = {"own": "def scan(x):\n    return x\n\nscan(1)", "ours": "scan(2)"}
    pages = [
        Page(f"{name}.html", name, notebook=page(name, code(source)))
        for name, source in sources.items()
    ]
    assert [user.title for user in reference.users(pages, {"scan": None})["scan"]] == ["ours"]


def test_names_used_are_python_names():
    used = used_names
    assert {"compare", "X"} <= used("table = compare(X)  # pool scan\n") and not {
        "pool",
        "scan",
        "table",
    } & used("table = compare(X)  # pool scan\n")
    assert not {"predict", "pav"} & used("model.predict(X, pav=1)\n'pav predict'\npav = 3")
    assert (
        "pav" in used("aucbook.pav(y)")
        and "pav" in used("from aucbook.pav import pav")
        and "pip" in used("!pip install 'x")
    )


def polished(text, mend):
    tree = fragment_fromstring(f"<main>{text}</main>")
    mend(tree)
    return tostring(tree, encoding="unicode").removeprefix("<main>").removesuffix("</main>")


def test_wide_tables_can_stack():
    table = '<table>\n<thead><tr><th>a</th><th>b <em>&amp;</em></th></tr></thead>\n<tbody><tr>\n<td style="x">1</td><td></td></tr></tbody></table>'
    stacked = polished(f'<div class="table">\n{table}</div>{table}', corrections.stacked_tables)
    assert stacked.endswith(table) and 'class="stack"' in stacked
    assert '<td style="x" data-head="a">1</td><td data-head="b &amp;"></td>' in stacked
    assert polished(table, lambda tree: corrections.stacked_tables(tree, wide=2)).startswith(
        '<table class="stack">'
    )
    assert "data-head" not in polished(
        table.replace("<table>", '<table class="dataframe">'),
        lambda tree: corrections.stacked_tables(tree, wide=2),
    )


def test_cells_of_a_dataframe_stay_on_one_line():
    row = "<th>m = 0</th><th>Paper 1</th><td>0.93 to 1.0</td><td>&lt; .001</td><td>two words</td>"
    table = f'<table class="dataframe"><tbody><tr>{row}</tr></tbody></table>'
    assert fragment_fromstring(polished(table, corrections.unbroken_cells)).xpath(
        "//td/text() | //th/text()"
    ) == ["m\u00a0=\u00a00", "Paper\u00a01", "0.93\u00a0to\u00a01.0", "<\u00a0.001", "two words"]


def test_how_an_answer_is_computed_stands_in_the_answer():
    """Beside the question it would give it away; elsewhere folds stay where they are."""
    fold = '<details class="fold"><summary>How</summary>1 + 1</details>'
    question = '<div class="rich"><div class="predict"><p>?</p><details><summary>Answer</summary>2</details></div></div>'
    moved = question.replace("2</details>", f"2{fold}</details>")
    assert (
        polished(
            f'<div class="cell computed">{question}{fold}</div>', corrections.computation_in_answer
        )
        == f'<div class="cell computed">{moved}</div>'
    )
    for plain in (
        f'<div class="cell">{question}{fold}</div>',
        f'<div class="cell computed">{fold}</div>',
        f'<div class="cell computed">{question}</div>',
    ):
        assert polished(plain, corrections.computation_in_answer) == plain


def test_a_question_and_its_computation(make):
    """The cell of a question with folded code, through the whole renderer."""
    question = {
        "output_type": "execute_result",
        "data": {
            "text/html": '<div class="predict"><p>?</p><details><summary>Answer</summary>2</details></div>'
        },
    }
    html = make(code('#| code-fold: true\n#| code-summary: "How"\npredict("?", 1 + 1)', question))
    assert re.search(
        r'<details><summary>Answer</summary>2<details class="fold"><summary>How</summary>', html
    )


def test_explorables_of_a_kind_share_style_and_script():
    import itertools

    from aucbook.explore import predict, roc_explorer

    blocks = [
        block._repr_html_()
        for block in (predict("?", 3), roc_explorer(), predict("??", 1), predict("???", 2))
    ]
    tree = fragment_fromstring(
        f"<main>{''.join(blocks)}<script>mine()</script><style>b {{}}</style></main>"
    )
    calls = [block.rpartition("\nmount(")[2].partition(");\n})")[0] for block in blocks]
    corrections.shared_scripts(tree)
    scripts = [script.text for script in tree.iter("script")]
    assert len(list(tree.iter("style"))) == 3 and scripts[-1] == "mine()"
    assert [f"mount({call});" in script for call, script in zip(calls, scripts)] == [True] * 4
    assert ["function mount(" in script for script in scripts] == [True, True, False, False, False]
    names_of = [re.search(r"window\.kind\d", script)[0] for script in scripts[:4]]
    assert names_of[0] == names_of[2] == names_of[3] != names_of[1]
    assert all(len(text) < 1500 for text in itertools.islice(scripts, 2, 4))


def test_lines_of_code_are_no_places(make):
    html = make(code("# a comment\nx = [1]  # why\n\nif x:\n    y = 2"))
    block = re.search(r'<div class="sourceCode".*?</div>', html, re.S)[0]
    assert "<a" not in block and 'id="cb1-' not in block and 'class="co"' in block
    assert (
        fragment_fromstring(block).text_content()
        == "# a comment\nx = [1]  # why\n\nif x:\n    y = 2"
    )


def test_anchors_are_unique():
    assert (
        polished(
            '<h2 id="a">A</h2><p><span id="a"></span>x</p><span id="b"></span><span id="b"></span>',
            corrections.single_anchors,
        )
        == '<h2 id="a">A</h2><p>x</p><span id="b"></span>'
    )


def test_claims_are_read_in_both_orders():
    assert formulas.claims("(Paper 2, Eq. 1 to 3) and Lemma 4 of Paper 1; Theorem 5 (Paper 2)") == {
        ("2", "Eq", "1"),
        ("2", "Eq", "2"),
        ("2", "Eq", "3"),
        ("1", "Lemma", "4"),
        ("2", "Theorem", "5"),
    }


LABELLED = """See @eq-p1-half, @fig-dot, `@eq-code` and $@eq$ [@long2007, Lemma 4], as @long2007 say. [Other](three.ipynb), [place](../workshop/trees/pruning.ipynb#target), [here](#sec-a), [api](https://example.org/book/workshop/trees/pruning.html), [list](https://example.org/book/reference/glossary.html).

## A part {#sec-a}

$$ a = b $$ {#eq-p1-half}

::: {.callout-tip collapse="true" title="Hint"}
Look.
:::

```python
x["](three.ipynb)"]  # {#sec-b} @eq-p1-half
```
"""


def test_a_page_as_plain_markdown(tmp_path):
    """roc.md beside roc.html, and a script of the same text for the button; nothing in it that only our renderers know."""

    def shown(text, **more):
        return {"output_type": "execute_result", "data": {"text/plain": text, **more}}

    out = tiny(
        tmp_path,
        LABELLED,
        code(FIGURE, image()),
        code(
            '#| code-fold: true\n#| code-summary: "Solution"\n1 + 1',
            shown("2", **{"text/html": "<b>2</b>"}),
        ),
        code("#| echo: false\nask()", shown("<predict: How many?>", **{"text/html": "<div>"})),
        code(
            "#| echo: false\nlist()",
            shown("<M>", **{"text/markdown": '<div class="table">\n\n[x](three.ipynb)\n\n</div>'}),
        ),
        code("#| include: false\nsecret", shown("hidden")),
        code("#| live: true\nn = 1\nn", shown("1")),
        code("#| live-check: true\nprint('all right' if n == 2 else n)"),
    )
    text = (out / "lessons/pruning.md").read_text()
    assert text == (
        "# Two\n\n*about Two*\n\nSee Equation 1, Figure 1, `@eq-code` and $@eq$ (Long and Servedio 2007, Lemma 4), as Long and Servedio (2007) say. "
        "[Other](three.md), [place](../workshop/trees/pruning.html#target), [here](pruning.html#sec-a), [api](../workshop/trees/pruning.md), "
        "[list](../reference/glossary.html).\n\n## A part\n\n$$ a = b \\tag{1} $$\n\n**Hint**\n\nLook.\n\n"
        '``` python\nx["](three.ipynb)"]  # {#sec-b} @eq-p1-half\n```\n\n'
        "``` python\ndot()\n```\n\n![A single dot.](figures/pruning/1.png)\n\n**Figure 1.** One dot.\n\n**Solution**\n\n``` python\n1 + 1\n```\n\n``` text\n2\n```\n\n"
        "> **How many?** (A question; its answer is on [the page](pruning.html).)\n\n[x](three.md)\n\n``` python\nn = 1\nn\n```\n\n``` text\n1\n```\n\n"
        "## References\n\nLong, Philip M., and Rocco A. Servedio. 2007. “Boosting the Area Under the ROC Curve.” *Advances in Neural Information Processing Systems 20*, 945–52.\n"
    )
    packed = re.fullmatch(
        r'window\.packedPage="([\w+/=]+)";\n', (out / "lessons/pruning.md.js").read_text()
    )
    assert zlib.decompress(base64.b64decode(packed[1])).decode() == text
    full = (out / "llms-full.txt").read_text()
    assert (
        "[Other](lessons/three.md)" in full
        and "(workshop/trees/pruning.html#target)" in full
        and 'x["](three.ipynb)"]' in full
        and "# Modules" not in full  # of the workshop, which is listed in llms.txt
    )
    assert "- [Modules](workshop/index.md)" in (out / "llms.txt").read_text()
    assert "- [Two](lessons/pruning.md): about Two" in (out / "llms.txt").read_text()


def test_a_copy_with_an_unknown_citation_is_refused(tmp_path):
    with pytest.raises(BuildError, match="pruning.md: .*nobody1999"):
        tiny(tmp_path, "[@nobody1999]")


def test_where_a_notebook_runs_when_published():
    facts = {"git_url": "https://github.com/us/book", "branch": "main"}
    assert footer.addresses("lessons/roc", facts) == {
        "its notebook": "https://github.com/us/book/blob/main/nbs/lessons/roc.ipynb",
        "its copy for JupyterLab": "https://raw.githubusercontent.com/us/book/notebooks/lessons/roc.ipynb",
        "Binder": "https://mybinder.org/v2/gh/us/book/main?labpath=notebooks%2Flessons%2Froc.ipynb",
        "Colab": "https://colab.research.google.com/github/us/book/blob/notebooks/lessons/roc.ipynb",
    }
    assert (
        footer.addresses("lessons/roc", {**facts, "git_url": "https://git.example.org/us/book"})
        == {}
    )
    assert (
        ROOT / "binder/requirements.txt"
    ).read_text().strip() == ".[lab]"  # what Binder installs


def test_every_notebook_can_be_taken_along(book):
    repository = settings()["git_url"]
    for path in (ROOT / "nbs").rglob("*.ipynb"):
        if ".ipynb_checkpoints" in path.parts:
            continue
        name = path.relative_to(ROOT / "nbs").with_suffix("").as_posix()
        text = (book / f"{name}.md").read_text(encoding="utf8")
        html = (book / f"{name}.html").read_text(encoding="utf8")
        assert (
            f'<a href="{path.stem}.md">' in html
            and 'id="copy-page"' in html
            and f"{repository}/blob/main/nbs/{name}.ipynb" in html
        )
        prose = re.sub(r"(`{3,}).*?\n\1|`[^`]*`", "", text, flags=re.S)
        assert not re.search(r"^:::|\{#|\{=html\}|<!--|\.ipynb\)|(?<!\w)@(eq|fig)-", prose, re.M), (
            name
        )
        for link in re.findall(r"\]\((?![a-z]+:)([^\s()#]+)", prose):
            assert (book / path.relative_to(ROOT / "nbs").parent / link).is_file(), (name, link)


def test_llms_txt_and_citation(book):

    text = (book / "llms.txt").read_text(encoding="utf8")
    assert "AUTOGENERATED" not in (book / "llms-full.txt").read_text(encoding="utf8")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == sorted(
        headings,
        key=[
            "## Lessons",
            "## Laboratory: widgets for your own data",
            "## How to: one job each",
            "## The workshop: one page for each module",
            "## Evidence",
            "## Public names",
            "## More",
        ].index,
    )
    assert (
        text.startswith("# aucbook\n")
        and "](lessons/roc.md)" in text
        and all((book / link).exists() for link in re.findall(r"\]\(([^)]+)\)", text))
    )
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    assert citation["version"] == settings()["version"]
    assert len(citation["references"]) == 4


def test_epub_is_well_formed_and_complete(book, tmp_path):
    archive = zipfile.ZipFile(epub(book, tmp_path / "book.epub", *whole_book.one_page(book)))
    trees = {
        name: ElementTree.fromstring(archive.read(name))
        for name in archive.namelist()
        if name.endswith((".xhtml", ".opf", ".svg"))
    }
    pages = {name: tree for name, tree in trees.items() if name.endswith(".xhtml")}
    for name in archive.namelist():
        if name.endswith(".svg"):  # dots, ticks and clip paths refer to shapes of the same file
            text = archive.read(name).decode()
            used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
            assert {"".join(pair) for pair in used} <= set(re.findall(r'\bid="([^"]+)"', text)), (
                name
            )
    ids = {name: [e.get("id") for e in tree.iter() if e.get("id")] for name, tree in pages.items()}
    assert all(len(set(values)) == len(values) for values in ids.values())

    def where(name, link):
        folder = posixpath.dirname(name)
        return posixpath.normpath(posixpath.join(folder, link))

    for name, tree in pages.items():
        for e in tree.iter():
            if e.tag.endswith("}img"):
                assert where(name, e.get("src")) in archive.namelist() and e.get("alt"), (
                    name,
                    e.get("src"),
                )
            if e.tag.endswith("}a") and not re.match("[a-z]+:", e.get("href") or ""):
                target, _, anchor = (e.get("href") or "").partition("#")
                assert not anchor or anchor in ids[where(name, target) if target else name], (
                    name,
                    e.get("href"),
                )
    titles = {
        "".join(e.itertext())
        for tree in pages.values()
        for e in tree.iter()
        if e.tag.endswith("}h1")
    }
    assert (
        titles >= {"Pool adjacent violators", "Glossary"}
        and "How to read this book" not in titles
        and sum(archive.read(name).count(b"<math") for name in pages) > 100
    )


def test_every_lesson_and_how_to_has_the_words_that_a_reader_asks_for():
    search_words = load("search_words.yml")
    lessons = {
        f"lessons/{path.stem}"
        for path in (ROOT / "nbs/lessons").glob("*.ipynb")
        if path.stem[:5] != "quiz_"
    }
    howto = {f"howto/{path.stem}" for path in (ROOT / "nbs/howto").glob("*.ipynb")}
    assert set(search_words) == lessons | howto and all(
        len(words.split(", ")) > 1 for words in search_words.values()
    )


def test_what_has_moved_leads_on(tmp_path):
    """An old page, with the place that was meant; an anchor of a page that lives; and what leads nowhere stops the build."""
    from lxml.html import document_fromstring

    three, two = "lessons/three.html", "lessons/pruning.html"
    entries = {
        "old/page.html": {
            "to": f"{two}#target",
            "anchors": {"x": f"{three}", "y": f"{two}#target"},
        },
        three: {"anchors": {"z": f"{two}#target"}},
    }
    out = tiny(tmp_path, "## A place {#target}", moved=entries)
    old = (out / "old/page.html").read_text()
    assert (
        '{"x": "../lessons/three.html", "y": "../lessons/pruning.html#target"}' in old
        and "Two" in old
    )
    (script,) = document_fromstring((out / three).read_text()).xpath("//script[@id='moved']")
    assert json.loads(script.text) == {"z": "pruning.html#target"}
    for bad, message in (
        ({"old.html": {"to": "lessons/four.html"}}, "nothing at lessons/four.html"),
        ({"old.html": {"to": f"{two}#nowhere"}}, "nothing at lessons/pruning.html#nowhere"),
        ({two: {"to": three}}, "it is a page"),
        ({"old.html": {"anchors": {"x": two}}}, "say where it went"),
        ({two: {"anchors": {"target": three}}}, "has target"),
    ):
        with pytest.raises(BuildError, match=message):
            tiny(tmp_path, "## A place {#target}", moved=bad)


def test_readme_is_in_step(processed):
    assert (ROOT / "README.md").read_text(encoding="utf8") == readme(processed), (
        "run `make book` and commit README.md"
    )


def test_links_of_the_readme_work_on_a_package_index():
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf8"))
    repository = settings()["git_url"] + "/blob/main/"
    assert links and all(re.match("https?:|#", link) for link in links)
    files = [
        link.removeprefix(repository).partition("#")[0]
        for link in links
        if link.startswith(repository)
    ]
    assert files and all((ROOT / name).is_file() for name in files)


def listed():
    """[(sections, file)] of _quarto.yml."""

    return list(contents(yaml.safe_load((ROOT / "_quarto.yml").read_text(encoding="utf8"))))


def test_every_notebook_is_in_the_navigation():
    files = [name for _, name in listed()]
    there = {
        p.relative_to(ROOT / "nbs").as_posix()
        for p in (ROOT / "nbs").rglob("*.ipynb")
        if ".ipynb_checkpoints" not in p.parts
    }
    assert len(set(files)) == len(files) and set(files) == there, (
        "list it in _quarto.yml; for how-to pages and the workshop: python -m website nav"
    )


def test_the_workshop_is_listed_by_sub_package_in_order_of_dependency():
    order = [(folder, file) for folder, files in workshop_order.workshop() for file in files]
    workshop = [
        ("".join(sections[1:]), name) for sections, name in listed() if name.startswith("workshop/")
    ]
    assert workshop == order, "python -m website nav"
    assert all(name.split("/")[1] == folder for folder, name in workshop if folder)


def test_a_module_stands_after_what_it_imports():
    """In its sub-package; and a sub-package after those that it imports."""
    order = [
        name.removeprefix("workshop/").removesuffix(".ipynb")
        for _, name in listed()
        if name.startswith("workshop/")
    ]
    module_of = {
        page: module for module, page in workshop_order.modules(ROOT / "nbs/workshop").items()
    }
    place = {
        module_of[page].split(".")[0] if depth else module_of[page]: i
        for depth in (0, 1)
        for i, page in enumerate(order)
    }
    for page in order:
        for needed in workshop_order.imports(ROOT / "aucbook", module_of[page]):
            if (
                "." in needed
                and needed in place
                and needed.split(".")[0] == module_of[page].split(".")[0]
            ):
                assert place[needed] < place[module_of[page]], (needed, page)
            else:
                other = needed.split(".")[0]
                package = module_of[page].split(".")[0]
                assert other == package or place[other] < place[package], (needed, page)


def test_a_new_how_to_page_comes_last(tmp_path):
    """The others stay in the order of _quarto.yml, before the workshop; a page that is gone goes."""
    (tmp_path / "nbs/howto").mkdir(parents=True)
    for stem in ("b", "a", "new"):
        (tmp_path / f"nbs/howto/{stem}.ipynb").write_text("{}")
    there = {
        "website": {
            "sidebar": {
                "contents": [
                    {
                        "section": "How to",
                        "contents": ["howto/b.ipynb", "howto/gone.ipynb", "howto/a.ipynb"],
                    }
                ]
            }
        }
    }
    (tmp_path / "_quarto.yml").write_text(json.dumps(there))
    assert workshop_order.howto(tmp_path) == ["howto/b.ipynb", "howto/a.ipynb", "howto/new.ipynb"]
    rest = '      - section: "The workshop"\n        contents:\n          - w.ipynb\n      - section: "Evidence"\n'
    made = workshop_order.with_section("first\n" + rest, "How to", ["          - howto/b.ipynb"])
    assert (
        made
        == 'first\n      - section: "How to"\n        contents:\n          - howto/b.ipynb\n' + rest
    )
    assert workshop_order.with_section(made, "How to", ["          - howto/b.ipynb"]) == made
    assert workshop_order.with_section(made, "The workshop", ["          - w.ipynb"]) == made


def test_imports_are_read_anywhere(tmp_path):
    package = tmp_path / "library"
    (package / "part").mkdir(parents=True)
    (package / "part/module.py").write_text(
        "from .._validation.checks import a\nfrom ..other import b\nfrom .near import c\nfrom .. import d\nfrom os import e\n"
        "def f():\n    from library.far.module import g\n    from . import h\n"
    )
    expected = {"_validation.checks", "other", "part.near", "far.module", "part"}
    assert workshop_order.imports(package, "part.module") == expected
    assert workshop_order.imports(package, "part.nothing") == set()


def imported_folders(path):
    """The folders of the builder that a module imports, and its modules outside of folders."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "website":
            yield (node.module.split(".") + [node.names[0].name])[1]


def test_folders_of_the_builder_import_only_from_those_before():
    """In the order in which the package lists them."""
    import website

    order = re.findall(r"^(\w+)   +\S", website.__doc__, re.M)
    folders = {path.parent.name for path in HERE.glob("*/__init__.py")}
    assert folders | {"data"} == set(order)
    for name in folders:
        before = {"project", *order[: order.index(name) + 1]}
        for path in (HERE / name).glob("*.py"):
            assert set(imported_folders(path)) <= before, path


def test_order_of_dependency():
    needs = {
        "forest": {"tree", "checks"},
        "tree": {"checks", "bins"},
        "bins": {"hash"},
        "roc": {"checks"},
        "hash": {"numpy"},
        "checks": set(),
        "view": {"tree"},
    }
    assert workshop_order.ordered(needs, ["roc", "forest"]) == [
        "checks",
        "hash",
        "roc",
        "bins",
        "tree",
        "forest",
        "view",
    ]


def test_a_card_shows_the_signature_python_knows():
    """Nbdev's own drops the star of keyword-only arguments and guesses types from defaults."""
    shown = cards.card("partial_auc")
    assert (
        "*,\n    min_fpr=0.0, max_fpr=1.0,\n" in shown
        and "NoneType" not in shown
        and shown.startswith("### partial_auc\n")
    )
    call = re.search(r"```{\.python}\n(.*?)\n```", shown, re.S)[1]
    assert max(map(len, call.splitlines())) <= 40
    assert (
        "RocCurveDisplay.plot(" in cards.card("RocCurveDisplay.plot")
        and "self" not in re.search(r"```.*?```", cards.card("RocCurveDisplay.plot"), re.S)[0]
    )


def test_a_card_shows_the_fields_of_named_tuples_and_dataclasses():
    """Name, type, default, and what the docstring says of it; nbdev's card says `(*args, **kwargs)`."""
    undescribed = cards.card("Costs")
    assert "<summary>Fields</summary>" in undescribed
    assert "`prevalence` : float | None, default None\n:   –" in undescribed
    described = cards.card("AucInterval")
    assert described.count("`low, high` : float\n:   ") == 1 and "Fields" not in described
    # the signature says its names, and no more is known
    assert "<summary>Fields</summary>" not in cards.card("Pieces")
    measure = cards.card("BEDROC")
    assert re.search(r"`alpha` : float, default 20(\.0)?\n:   \w", measure)
    assert cards.fields_of(names.lookup("roc_auc")) == cards.fields_of(dict) == []


def test_a_docstring_gets_the_fields_that_it_does_not_describe():
    fields = [
        docstrings.Field("low", "float"),
        docstrings.Field("high", "float"),
        docstrings.Field("level", "float", "0.95"),
    ]
    text = "An interval.\n\nAttributes\n----------\nlow, high : number\n    Its ends.\nwidth : float\n    From low to high.\n"
    assert docstrings.summary_and_sections(text, fields) == (
        "An interval.",
        [
            (
                "Attributes",
                (
                    "`low, high` : number\n:   Its ends.\n\n"
                    "`level` : float, default 0.95\n:   –\n\n"
                    "`width` : float\n:   From low to high."
                ),
            )
        ],
    )


NUMPYDOC = """Area under part of
the curve.

More ``words``.

Parameters
----------
y_true : array of shape (n,)
    Labels.

    Of two kinds.
form : {"raw", "mcclish"}, default "raw"
    How.

Returns
-------
low : float
    One end.
high : float
    The other.

Raises
------
ValueError
    If one.
ValueError
    If two.

References
----------
.. [1] Paper 3, Eq. 4.

Examples
--------
>>> for x in [1]:
...     print(x)
1
"""


def test_docstrings_of_numpydoc_and_free_text():
    summary, sections = docstrings.summary_and_sections(NUMPYDOC)
    section = dict(sections)
    assert summary == "Area under part of the curve." and section[""] == "More `words`."
    assert section["Parameters"].startswith(
        "`y_true` : array of shape (n,)\n:   Labels.\n    \n    Of two kinds.\n\n`form` : {"
    )
    assert section["Returns"].count("\n:   ") == section["Raises"].count("ValueError\n:   ") == 2
    assert (
        section["Examples"]
        == "```{.python}\nfor x in [1]:\n    print(x)\n```\n\n```{.output}\n1\n```"
        and "Paper 3, Eq. 4." in section["References"]
    )
    assert docstrings.summary_and_sections("Short,\nexact.\n\n- y: labels\n- w: weights\n") == (
        "Short, exact.",
        [("", "- y: labels\n- w: weights")],
    )


def test_citations_have_their_reference_as_title(tmp_path):
    out = tiny(tmp_path, "One [@hand2001; @rogan1978, p. 3], and @lang2014 says so.")
    tree = document_fromstring((out / "lessons/pruning.html").read_text())
    titles = [a.get("title") for a in tree.xpath("//a[@role='doc-biblioref']")]
    assert len(titles) == 3 and all(title.endswith(".") for title in titles)
    assert titles[2].startswith("Lang, Zsolt, and Jenő Reiczigel. 2014. “Confidence Limits")
    assert not any("http" in title for title in titles)


def test_two_names_that_are_equal_have_two_cards():
    documented = names.documented_names()
    (widget,) = [name for name in documented if "." in name]
    assert documented[widget].package == "aucbook.lab"
    assert documented["subgroups"].package == "aucbook.thresholds"
    card = cards.card(widget, documented[widget].module, anchor=widget)
    assert card.startswith("### lab.subgroups {#lab.subgroups}")
    assert "lab.subgroups(y_true" in card
    assert "widget" in card.lower() and "lab." not in cards.card("subgroups").split("```")[1]


def test_a_page_links_to_the_name_of_its_own_package():
    documented = names.documented_names()
    packages = {package: package for package in names.packages_of(documented)}
    site = SimpleNamespace(names=documented, packages=packages)
    for module, expected in (
        ("aucbook.lab.groups", ("aucbook.lab", "lab.subgroups")),
        ("aucbook.thresholds.subgroups", ("aucbook.thresholds", "subgroups")),
        ("", ("aucbook.thresholds", "subgroups")),
    ):
        page = SimpleNamespace(module=module, link=lambda target, anchor: (target, anchor))
        assert Site.card_address(site, page, "subgroups") == expected
    assert Site.card_address(site, page, "no_such_name") is None
