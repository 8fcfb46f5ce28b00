"""What students type, and the page that must be among the first three that the search finds.

The index is the built site's; the ranking is that of the pages (website/assets/ranking.js), run by
node.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("pypandoc")
ROOT = Path(__file__).parents[2]
FIRST = 3
EXPECTED = {
    "what is auc": ["lessons/roc"],
    "roc curve explained": ["lessons/roc"],
    "false positive rate": ["lessons/roc"],
    "sensitivity and specificity": ["lessons/roc"],
    "c-statistic": ["lessons/roc"],
    "imbalanced data": ["lessons/partial_auc"],
    "partial auc sklearn": ["lessons/partial_auc", "howto/differences"],
    "precision vs recall": ["lessons/roc_or_pr"],
    "confidence interval auc": ["howto/interval", "lessons/inference"],
    "delong test": ["howto/two_scores", "lessons/inference"],
    "bootstrap": ["lessons/inference"],
    "p value": ["lessons/inference", "lessons/compare", "howto/anything_here"],
    "sample size": ["howto/sample_size"],
    "overfitting": ["lessons/capacity"],
    "cross validation": ["lessons/compare"],
    "train test split": ["lessons/compare"],
    "multiclass": ["howto/several_classes"],
    "gold standard is wrong": ["howto/imperfect_reference"],
    "which model is better": ["lessons/compare", "howto/two_scores"],
    "hyperparameter tuning": ["lessons/compare", "howto/boosters"],
    "how to choose a threshold": ["lessons/choosing"],
    "decision curve": ["lessons/choosing"],
    "calibration": ["lessons/honest"],
    "brier score": ["lessons/honest"],
    "platt scaling": ["lessons/which_calibrator", "howto/probabilities"],
    "isotonic regression": ["lessons/isotonic"],
    "loss function": ["lessons/surrogate", "lessons/cutting_planes", "lessons/adaboost"],
    "hinge": ["lessons/surrogate", "lessons/documents"],
    "gam": ["lessons/additive"],
    "random forest": ["lessons/forest"],
    "decision tree": ["lessons/treerank"],
    "gradient boosting": ["lessons/boosted_trees"],
    "adaboost": ["lessons/adaboost"],
    "svm": ["lessons/pauc_svm"],
    "noisy labels": ["lessons/smartirank", "lessons/martirank"],
    "stacking": ["lessons/together"],
    "model drift": ["howto/after"],
    "fairness": ["howto/subgroups"],
    "roc curve in r": ["howto/from_r"],
}
PROGRAM = """
const fs = require("fs"), vm = require("vm");
const job = JSON.parse(fs.readFileSync(0));
const context = { window: {} };
vm.createContext(context);
for (const file of job.scripts) vm.runInContext(fs.readFileSync(file, "utf8"), context);
context.queries = job.queries;
context.first = job.first;
console.log(vm.runInContext(`(() => {
  const all = ranking.sections(window.bookIndex), answers = {};
  for (const query of queries) {
    const best = ranking.rank(all, ranking.parse(query, window.bookIndex.same), query);
    answers[query] = best.slice(0, first).map(section => [section.file, section.anchor]);
  }
  return JSON.stringify(answers);
})()`, context));
"""


@pytest.fixture(scope="module")
def answers(book):
    """{query: [address, anchor] of the first places}."""
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    job = {
        "scripts": [str(ROOT / "website/assets/ranking.js"), str(book / "search.js")],
        "queries": list(EXPECTED),
        "first": FIRST,
    }
    run = subprocess.run(
        [node, "-e", PROGRAM],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(run.stdout)


def test_there_are_thirty_queries():
    assert len(EXPECTED) >= 30


@pytest.mark.parametrize("query", EXPECTED)
def test_the_right_page_is_among_the_first(answers, query):
    pages = [address.removesuffix(".html") for address, _ in answers[query]]
    assert set(pages) & set(EXPECTED[query]), f"{query}: {answers[query]}"


def test_queries_are_not_in_the_index():
    """The words of a page are what it is about, not a list of these queries."""
    from website.project import load

    typed = {phrase for words in load("search_words.yml").values() for phrase in words.split(", ")}
    terms = {entry["term"] for entry in load("glossary.yml")}  # a term is what a page is about
    queries = {query for query in EXPECTED if len(query.split()) > 2} - terms
    assert not typed & queries
