"""The field's standard terms stand in the lessons that teach them.

A reader who looks for a term must find it, in bold where it is explained. The box at the end of a
lesson and the titles of blocks do not count.
"""

import re

import nbformat
import pytest

from website.content import names

# A stem of the term, as a regular expression, and the lessons that explain it.
TAUGHT = {
    r"\bROC curve": ["roc"],
    r"area under the ROC curve": ["roc"],
    r"partial AUC": ["partial_auc"],
    r"true positive rate": ["roc"],
    r"false positive rate": ["roc"],
    r"operating point": ["roc", "choosing"],
    r"bipartite ranking": ["roc"],
    r"confidence interval": ["inference", "compare"],
    r"confidence band": ["inference"],
    r"standard error": ["inference"],
    r"permutation test": ["inference"],
    r"isotonic regression": ["isotonic"],
    r"convex hull": ["isotonic"],
    r"calibrated": ["honest"],
    r"reliability curve": ["honest"],
    r"proper scoring rule": ["honest"],
    r"overconfident": ["honest"],
    r"threshold probability": ["choosing", "honest"],
    r"net benefit": ["choosing"],
    r"prevalence": ["choosing", "partial_auc"],
    r"target population": ["choosing"],
    r"guaranteed false positive rate": ["choosing"],
    r"selection bias": ["choosing", "compare"],
    r"cross-validation": ["compare"],
    r"out-of-fold predictions": ["compare", "together"],
    r"hyperparameter": ["compare", "boosting_rounds"],
    r"overfit": ["display", "compare", "boosting_rounds", "documents"],
    r"data leakage": ["compare"],
    r"binormal model": ["two_gaussians"],
    r"base learner": ["boosted_trees"],
    r"exponential loss": ["boosted_trees"],
    r"discordant": ["boosted_trees"],
    r"learning rate": ["boosting_rounds"],
    r"regularisation": ["documents", "additive", "pauc_svm"],
    r"surrogate loss": ["surrogate"],
    r"hinge loss": ["surrogate"],
    r"cutting plane": ["cutting_planes"],
    r"support vector": ["pauc_svm"],
    r"generalised additive model": ["additive"],
    r"shape function": ["additive"],
    r"interaction": ["additive"],
    r"ensemble": ["together"],
    r"stacking": ["together"],
    r"logistic regression": ["choosing", "documents"],
}
IN_BOLD = re.compile(r"\*\*(.+?)\*\*", re.S)
CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|\{[^}]*\}")


def lesson_text(name):
    """The text of a lesson without its box, code and addresses."""
    page = next(page for page in names.lessons() if page.stem == name)
    cells = nbformat.read(page, 4).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    return CODE.sub("", "\n\n".join(text for text in texts if not text.startswith(names.OPENING)))


@pytest.mark.parametrize(
    "term, name", [(term, name) for term, lessons in TAUGHT.items() for name in lessons]
)
def test_a_lesson_uses_the_term_that_it_teaches(term, name):
    assert re.search(term, lesson_text(name), re.I), f"{name} does not say {term}"


@pytest.mark.parametrize("term", TAUGHT)
def test_a_term_is_in_bold_where_it_is_explained(term):
    bold = [" ".join(IN_BOLD.findall(lesson_text(name))) for name in TAUGHT[term]]
    assert any(re.search(term, text, re.I) for text in bold), f"{term} is nowhere in bold"
