"""Digests of files and models, and the command, in reports and model files."""

import hashlib
import json
import os

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from aucbook import cli, compare, load_decision
from aucbook.reporting.provenance import (
    command_line,
    file_record,
    provenance_cells,
    provenance_of,
    reported_digest,
)

RNG = np.random.default_rng(0)
Y = (RNG.random(300) < 0.4).astype(int)
X = RNG.normal(size=(300, 2)) + Y[:, None]


def write(path):
    lines = ["a,b,sick"]
    lines += [f"{a:.4f},{b:.4f},{label}" for (a, b), label in zip(X.tolist(), Y)]
    path.write_text("\n".join(lines) + "\n")
    os.utime(path, (86_400 * 365, 86_400 * 365))
    return path


def test_a_record_is_what_sha256sum_says(tmp_path):
    path = write(tmp_path / "t.csv")
    record = file_record(path)
    assert record.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (record.name, record.date) == ("t.csv", "1971-01-01")
    assert record.n_bytes == path.stat().st_size
    assert file_record(None) is None and file_record(tmp_path) is None
    assert provenance_of([tmp_path])["not_kept"] == 1


def test_a_command_has_no_folders_and_no_output(tmp_path):
    path = write(tmp_path / "a b.csv")
    words = ["compare", str(path), "--label", "sick", "--out", str(tmp_path), f"--report={path}"]
    assert command_line(words) == "aucbook compare 'a b.csv' --label sick '--report=a b.csv'"
    assert command_line(["score", "--out=x", "y"]) == "aucbook score y"


def test_the_api_names_the_inputs_and_the_model(tmp_path):
    pytest.importorskip("skops")
    path = write(tmp_path / "t.csv")
    result = compare(X, Y, {"line": LogisticRegression()}, cv=3)
    result.decide(X, max_fpr=0.2)
    folder = result.save(tmp_path / "out", inputs=[path])
    model = folder / "model.skops"
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    for name in ("report.html", "table.json"):
        assert reported_digest(folder / name) == digest
    assert file_record(path).sha256 in (folder / "report.html").read_text(encoding="utf8")
    again = load_decision(model)
    assert again.provenance["files"] == [file_record(path)._asdict()]
    assert again.provenance["command"] is None
    assert ["command", "x"] not in provenance_cells(again.provenance)


@pytest.fixture
def compared(tmp_path, capsys):
    pytest.importorskip("skops")
    path = write(tmp_path / "t.csv")
    words = [
        "--label",
        "sick",
        "--rankers",
        "logistic regression",
        "--cv",
        "3",
        "--guarantee",
        ".2",
    ]
    outs = [tmp_path / "one", tmp_path / "two"]
    for out in outs:
        assert cli.main(["compare", str(path), *words, "--out", str(out)]) == 0
    capsys.readouterr()
    return path, outs


def test_equal_files_give_equal_reports_in_any_folder(compared):
    _, (one, two) = compared
    for name in ("report.html", "table.json", "model.skops"):
        assert (one / name).read_bytes() == (two / name).read_bytes()
    page = (one / "report.html").read_text(encoding="utf8")
    assert "aucbook compare t.csv --label sick" in page and "1971-01-01 (UTC)" in page
    assert json.loads((one / "table.json").read_text())["model"]["name"] == "model.skops"


def test_validate_takes_the_reported_model_only(compared, tmp_path, capsys):
    path, (one, two) = compared
    words = [str(path), "--label", "sick", "--out", str(tmp_path / "v")]
    model = one / "model.skops"
    for report in (two, two / "report.html", two / "table.json"):
        assert cli.main(["validate", str(model), *words, "--report", str(report)]) == 0
        assert "is the model of" in capsys.readouterr().out
    page = (tmp_path / "v" / "report.html").read_text(encoding="utf8")
    assert "command that made the model" in page and "training data, SHA-256" in page
    assert reported_digest(tmp_path / "v") == reported_digest(one)
    other = one / "report.html"
    other.write_text(other.read_text(encoding="utf8").replace(reported_digest(one), "0" * 64))
    assert cli.main(["validate", str(model), *words, "--report", str(other)]) == 2
    assert "is not the model of" in capsys.readouterr().err
    assert cli.main(["validate", str(model), *words, "--report", str(path)]) == 2
    assert "names no model file" in capsys.readouterr().err
    assert cli.main(["validate", str(model), *words, "--report", "missing.html"]) == 2
