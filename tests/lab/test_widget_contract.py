"""What JupyterLab, VS Code, Colab, marimo and an untrusted notebook ask of a widget."""

import json
import re
from html.parser import HTMLParser
from importlib.util import find_spec

import numpy as np
import pytest
from traitlets import TraitError

from aucbook import lab
from aucbook.lab.widget import LabWidget

VIEW = "application/vnd.jupyter.widget-view+json"
Y = np.array([0, 0, 1, 1, 0, 1])
SCORES = {
    "old <b>": np.array([1.0, 2, 2, 3, 0, 1]),
    "new": np.array([0.0, -np.inf, 1, np.inf, 2, 3]),
}


@pytest.fixture
def widget():
    return lab.roc(Y, SCORES)


def test_one_bundle_for_every_front_end(widget):
    data, metadata = widget._repr_mimebundle_()
    assert {VIEW, "text/html", "text/plain"} <= set(data) and isinstance(metadata, dict)
    assert data[VIEW]["model_id"] == widget.model_id
    assert data["text/plain"] == "<RocWidget: ROC curve of old <b>>"
    json.dumps(data, allow_nan=False)


@pytest.mark.parametrize("labels", [Y, [1, 1, 1, 1, 1, 1]])
def test_the_state_is_json(labels):
    state = lab.roc(labels, SCORES).get_state()
    assert {"controls", "values", "picture", "message", "progress", "script"} <= set(state)
    json.dumps({name: state[name] for name in state if name[0] != "_"}, allow_nan=False)


def test_the_script_is_a_module_with_a_render_function():
    esm = str(LabWidget._esm)
    assert re.search(r"^function render\(\{ model, el \}\)", esm, re.M)
    assert re.search(r"^export default \{ render \};", esm, re.M)
    assert not re.search(r"^import|https?://(?!www\.w3\.org/2000/svg)", esm, re.M)  # no network


def test_the_script_uses_what_every_host_offers():
    """Of anywidget's model: get, set, on, save_changes; all else is for stored pictures."""
    used = set(re.findall(r"\bmodel\.(\w+)", str(LabWidget._esm)))
    assert used <= {"get", "set", "on", "save_changes", "can"}
    # `can` is asked of a page without Python alone
    assert 'this.model.get("static") === true && !this.model.can' in str(LabWidget._esm)


def test_what_a_browser_sends_is_checked(widget):
    before = widget.picture
    for sent in ({"score": 7}, {"score": "1"}, {"score": None}, {"threshold": 1e9}, {}):
        widget.set_state({"values": sent})
        assert widget.picture == before
    with pytest.raises(TraitError):
        widget.set_state({"values": [1]})
    widget.set_state({"values": {"score": 1, "threshold": 1}})
    assert widget.message == "" and widget.picture["title"] == "ROC curve of new"


class _Reader(HTMLParser):
    """The text of a page whose scripts and styles a notebook removes."""

    def __init__(self):
        super().__init__()
        self.texts = []
        self.removed = None

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style"):
            self.removed = tag

    def handle_endtag(self, tag):
        if tag == self.removed:
            self.removed = None

    def handle_data(self, data):
        if self.removed is None:
            self.texts.append(data.strip())


def test_an_untrusted_notebook_shows_sentence_and_table(widget):
    reader = _Reader()
    reader.feed(widget._repr_html_())
    texts = [text for text in reader.texts if text]
    assert texts[0] == "ROC curve of old <b>"
    assert texts[1].startswith("At this threshold ") and "Counts at the threshold" in texts
    assert texts[texts.index("predicted positive") + 1] == str(widget.value.true_positives)


def test_bad_data_in_a_page():
    html = lab.roc([1, 1], [1, 2])._repr_html_()
    assert "Only one class is present" in html and "<script" not in html


@pytest.mark.skipif(not find_spec("marimo"), reason="marimo is not installed")
def test_marimo(widget):
    import marimo

    shown = marimo.ui.anywidget(widget)
    assert shown.widget is widget and shown.value["values"] == widget.values
