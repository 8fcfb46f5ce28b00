"""Names that are imported when they are first used, and what is said of names that are not there."""

import json
import subprocess
import sys
from importlib import import_module

import pytest
from discovery import PUBLIC_HOME

import aucbook

SUB_PACKAGES = ["cli", "datasets", "displays", "explore", "lab", "reporting"]
LOADED = "[m for m in sys.modules if m.startswith('aucbook')]"


def fresh(code):
    """What a fresh process prints, as JSON."""
    call = [sys.executable, "-c", f"import sys, json, aucbook; {code}"]
    return json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("name", SUB_PACKAGES)
def test_a_sub_package_is_an_attribute_of_a_fresh_process(name):
    assert fresh(f"print(json.dumps(aucbook.{name}.__name__))") == f"aucbook.{name}"


def test_an_unknown_name_imports_nothing():
    """Not even to find a similar one: `hasattr` and completion ask for names that are not there."""
    code = f"""before = {LOADED}
for name in ("foo", "roc_aucc", "Binormal", "best_alarm"): assert not hasattr(aucbook, name)
print(json.dumps([before, {LOADED}]))"""
    before, after = fresh(code)
    assert before == after


@pytest.mark.parametrize(
    "word, says",
    [
        ("auc", r"roc_auc\(y_true, y_score\), or the measure AUC, from aucbook$"),
        ("AUROC", "in this library it is roc_auc, from aucbook$"),
        ("f1", "in this library it is f_measure, from aucbook.metrics$"),
        ("F1", "in this library it is f_measure, from aucbook.metrics$"),
        ("Pauc", "Did you mean PAUC, from aucbook"),
        ("logloss", "Did you mean LogLoss, from aucbook.measures"),
        ("list_datasets", "from aucbook.datasets import list_datasets"),
        ("decisions", "that sub-package is aucbook.thresholds, import aucbook.thresholds"),
        ("explorer", "Did you mean explore, from aucbook"),
    ],
)
def test_hints(word, says):
    with pytest.raises(AttributeError, match=says):
        getattr(aucbook, word)


@pytest.mark.parametrize("word", ["pauc", "reporting", "cli"])
def test_a_sub_package_asked_of_another_one(word):
    says = f"that sub-package is aucbook.{word}, import aucbook.{word}$"
    with pytest.raises(AttributeError, match=says):
        getattr(import_module("aucbook.metrics"), word)


def test_every_public_name_is_found_without_an_import_of_its_package():
    """The files say the same as the packages."""
    for name, home in PUBLIC_HOME.items():
        if home != "aucbook" and not hasattr(aucbook, name):
            with pytest.raises(AttributeError, match=f"from {home} import {name}$"):
                getattr(aucbook, name)


def test_names_of_datasets():
    assert dir(aucbook.datasets) == ["list_datasets", "load_dataset"]
