"""The boxes *What others call this* at the end of the lessons (website/content/names.py)."""

import inspect
from pydoc import locate

import nbformat
import pytest

from website.content import names
from website.project import load

LESSONS = {page.stem: nbformat.read(page, 4) for page in names.lessons()}
GLOSSARY = load("glossary.yml")
SKLEARN = sorted({name for entry in GLOSSARY for name in entry.get("sklearn", [])})
each_lesson = pytest.mark.parametrize("name", LESSONS)


@each_lesson
def test_a_lesson_ends_in_the_box(name):
    """Three to eight terms, and what is said of them is what the glossary says."""
    cells = LESSONS[name].cells
    boxes = [number for number, cell in enumerate(cells) if names.is_box(cell)]
    assert boxes == [len(cells) - 1], "one box, the last cell (.github/RULES.md)"
    terms = names.terms_of(cells[-1])
    assert 3 <= len(terms) <= 8 and len(set(terms)) == len(terms)
    unknown = set(terms) - {entry["term"] for entry in GLOSSARY}
    assert not unknown, "website/data/glossary.yml has no such term"
    expected = names.box(terms, GLOSSARY)
    assert cells[-1].source == expected, "python -m website names"


def test_every_line_of_a_box_says_something():
    shown = {term for lesson in LESSONS.values() for term in names.terms_of(lesson.cells[-1])}
    silent = [entry["term"] for entry in GLOSSARY if not names.item(entry).partition(": ")[2]]
    assert not shown & set(silent), "a line without another name says nothing"


@pytest.mark.parametrize("name", SKLEARN)
def test_names_of_scikit_learn_exist(name):
    """As an object, and as a parameter where one is named."""
    pytest.importorskip("sklearn")
    path, parameter = names.sklearn_path(name)
    thing = locate(path)
    assert thing is not None
    if parameter:
        assert parameter in inspect.signature(thing).parameters


def test_a_line_of_the_box():
    entry = {
        "term": "a term",
        "others": ["another"],
        "sklearn": ["sklearn.svm.LinearSVC(C=)", "sklearn.tree.DecisionTreeClassifier.fit"],
        "r": ["pROC::ci.se (pointwise)"],
        "elsewhere": ["scipy.stats.sem", "MAPIE: risk control"],
    }
    generated = names.SKLEARN
    assert names.item(entry) == (
        "- **a term**: another; scikit-learn: "
        f"[`LinearSVC(C=)`]({generated}sklearn.svm.LinearSVC.html), "
        "[`DecisionTreeClassifier.fit`]"
        f"({generated}sklearn.tree.DecisionTreeClassifier.html"
        "#sklearn.tree.DecisionTreeClassifier.fit); "
        "R: `pROC::ci.se` (pointwise); `scipy.stats.sem`, MAPIE: risk control"
    )


def test_terms_of_the_box_lead_to_the_glossary():
    from lxml.html import fragment_fromstring, tostring

    from website.render.terms import link_names

    tree = fragment_fromstring(
        '<main><div class="callout note names"><ul><li><strong>AUC</strong>: c</li></ul></div>'
        "<p><strong>AUC</strong></p></main>"
    )
    link_names(tree, [{"term": "AUC", "is": "Area."}], "../reference/glossary.html")
    html = tostring(tree, encoding="unicode")
    assert html.count("<a ") == 1
    assert '<strong><a class="term" href="../reference/glossary.html#term-auc"' in html
