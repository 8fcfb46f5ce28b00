"""The command line as a user types it: results, files, and one line for every mistake."""

import csv
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from command_line import LINE, compare_line, refused, use_rankers
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aucbook import __version__, cli, default_rankers, load_decision
from aucbook._tables.files import read_table
from aucbook.cli import compare as compare_command
from aucbook.cli import table_input
from aucbook.trees import bagging


def table(path, n=60, header=("age", "dose", "sick"), seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    with open(path, "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(header)
        writer.writerows(
            [round(50 + 5 * v + 5 * rng.normal(), 2), round(rng.normal(), 3), v] for v in y
        )
    return path


def test_version():
    out = subprocess.run(
        [sys.executable, "-m", "aucbook", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == f"aucbook {__version__}"


@pytest.mark.slow
def test_compare_a_csv(tmp_path, capsys):
    out = tmp_path / "report"
    assert (
        cli.main(
            [
                "compare",
                str(table(tmp_path / "t.csv")),
                "--label",
                "sick",
                "--max-fpr",
                "0.2",
                "--cv",
                "3",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    captured = capsys.readouterr()
    assert (
        "pAUC(0, 0.2)" in captured.out
        and "fit seconds" in captured.out
        and "AUCBoost" in captured.out
        and "logistic regression" in captured.out
    )
    total = 3 * len(default_rankers())
    assert f"{total}/{total}" in captured.err
    assert (out / "roc.svg").stat().st_size > 5000
    rows = list(csv.DictReader(open(out / "scores.csv")))
    assert len(rows) == 60 and set(rows[0]) >= {"row", "fold", "label", "AUCBoost"}
    assert {r["ranker"] for r in csv.DictReader(open(out / "table.csv"))} == set(default_rankers())
    assert (out / "report.html").exists() and (out / "checkpoint").is_dir()


def test_compare_given_scores(tmp_path, capsys):
    out = tmp_path / "o"
    assert (
        cli.main(
            [
                "compare",
                str(table(tmp_path / "t.csv")),
                "--label",
                "sick",
                "--scores",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    output = capsys.readouterr().out
    assert "the scores as given" in output and "age" in output and "fit seconds" not in output
    assert (
        "DeLong" in (out / "report.html").read_text(encoding="utf8")
        and not (out / "checkpoint").exists()
    )
    assert cli.main(["compare", "--scores", "--out", str(out)]) == 2
    assert "--scores needs a file" in capsys.readouterr().err


@pytest.mark.slow
def test_default_data(tmp_path, capsys):
    assert cli.main(["compare", "--cv", "2", "--out", str(tmp_path)]) == 0
    assert "569 rows, 30 columns, 212 positives (malignant, 37.3%)" in capsys.readouterr().out


@pytest.mark.slow
def test_parquet_and_string_labels(tmp_path, capsys):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    y = np.arange(40) % 2
    pq.write_table(
        pa.table({"a": y + np.linspace(0, 2, 40), "class": np.where(y == 1, "bad", "good")}),
        tmp_path / "t.parquet",
    )
    assert (
        cli.main(
            [
                "compare",
                str(tmp_path / "t.parquet"),
                "--label",
                "class",
                "--pos",
                "bad",
                "--cv",
                "2",
                "--out",
                str(tmp_path / "o"),
            ]
        )
        == 0
    )
    assert "20 positives" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text, extra, expected",
    [
        ("", [], "no data"),
        ("a,sick\n", [], "no data"),
        ("a,b\n1,2\n", [], "no column 'sick'"),
        ("a,sicks\n1,2\n", [], "did you mean 'sicks'"),
        ("a,SICK\n1,2\n", [], "did you mean 'SICK'"),
        ("a,a,sick\n1,2,0\n", [], "two columns named 'a'"),
        ("a,sick\n1,0\n2\n", [], "row 3: 1 fields"),
        ("a,sick\n1,0\nred,1\n", ["--scores"], "column 'a', row 3: the value is 'red'"),
        ("a,sick\n1,0\n,1\n", ["--scores"], "row 3: the value is missing"),
        ("a,sick\nnan,0\n1,1\n", ["--scores"], "column 'a', row 2: the value is missing"),
        ("a,sick\n" + "2024-01-01,0\n2024-02-30,1\n" * 9, [], "row 3: '2024-02-30' is not a date"),
        ("a,sick\n" + "1,0\ninf,1\n" * 9, [], "infinite"),
        ("a,sick\n" + "1,0\n2,1\n" * 9, ["--measure", "area"], "unknown measure 'area'"),
        (
            "a,sick\n" + "1,0\n2,1\n" * 9,
            ["--measure", "precision(k=50)"],
            "the smallest fold tests",
        ),
        ("a,sick\n" + "1,0\n2,1\n" * 9, ["--groups", "b"], "no column 'b'"),
        ("a,sick\n" + "1,0\n1,1\n" * 9, [], "all columns of X are constant or missing"),
        ("a,sick\n1,1\n2,1\n", [], "two classes"),
        ("a,sick\n1,0\n2,1\n3,2\n", [], "two classes"),
        ("a,sick\n1,\n2,1\n", [], "the label is missing"),
        ("sick\n0\n1\n", [], "nothing to rank by"),
        ("a,sick\n1,0\n2,1\n", [], "folds"),
        ("a,sick\n1,0\n2,1\n", ["--cv", "1"], "folds"),
        (
            "a,sick\n1,0\n2,1\n",
            ["--max-fpr", "0"],
            "0 <= --min-fpr < --max-fpr <= 1, got --min-fpr 0.0, --max-fpr 0.0",
        ),
        ("a,sick\n1,0\n2,1\n", ["--pos", "7"], "t.csv, column 'sick'; labels there: 0, 1\n"),
        (
            "a,sick\n1,no\n2,yes\n",
            ["--pos", "ye"],
            "t.csv, column 'sick'; labels there: no, yes; did you mean 'yes'?",
        ),
    ],
)
def test_mistakes_are_one_line(tmp_path, capsys, text, extra, expected):
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert (
        cli.main(["compare", str(path), "--label", "sick", "--out", str(tmp_path / "o"), *extra])
        == 2
    )
    error = capsys.readouterr().err
    assert expected in error and error.count("\n") == 1 and "Traceback" not in error


def test_other_mistakes(tmp_path, capsys, monkeypatch):
    path = table(tmp_path / "t.csv")
    (tmp_path / "file").write_text("")
    (tmp_path / "torn.parquet").write_text("not parquet")
    for arguments, expected in (
        (["compare", str(tmp_path / "none.csv"), "--label", "sick"], "no file"),
        (["compare", str(path)], "Give --label"),
        (
            ["compare", str(path), "--label", "sick", "--out", str(tmp_path / "file")],
            "cannot write",
        ),
        (["compare", str(tmp_path / "torn.parquet"), "--label", "x"], "cannot be read"),
    ):
        assert cli.main(arguments) == 2
        assert expected in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert cli.main(["compare", str(tmp_path / "torn.parquet"), "--label", "x"]) == 2
    assert "aucbook[files]" in capsys.readouterr().err


def test_ctrl_c_says_how_to_resume(tmp_path, capsys, monkeypatch):
    def impatient(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(bagging, "axis_tree", impatient)  # the forest's, in the first fold
    data, out = str(table(tmp_path / "t.csv")), tmp_path / "o"
    assert cli.main(["compare", data, "--label", "sick", "--cv", "2", "--out", str(out)]) == 130
    resume = f"the same command resumes from the finished folds in {out / 'checkpoint'}"
    expected = f"aucbook: interrupted; {resume}"
    assert capsys.readouterr().err.splitlines()[-1] == expected and any(
        (out / "checkpoint").iterdir()
    )
    monkeypatch.setattr(compare_command, "report", impatient)
    assert cli.main(["compare", data, "--label", "sick", "--scores", "--out", str(out)]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "aucbook: interrupted"


@pytest.fixture
def three_pages(tmp_path, root, monkeypatch):
    """The book that `aucbook lab` copies: three pages, and the stored results."""
    source = tmp_path / "nbs"
    shutil.copytree(root / "nbs/results", source / "results")
    for name in ("index", "lessons/roc", "lessons/pruning"):
        (source / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / f"nbs/{name}.ipynb", source / f"{name}.ipynb")
    monkeypatch.setattr("aucbook.cli.lab.notebook_folder", lambda: source)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


@pytest.mark.usefixtures("three_pages")
def test_lab_writes_the_notebooks_and_keeps_yours(tmp_path, capsys, monkeypatch, root):
    folder = tmp_path / "book"
    assert cli.main(["lab", str(folder), "--copy-only"]) == 0
    assert "differ" not in capsys.readouterr().out
    stored = [path.relative_to(root / "nbs") for path in (root / "nbs").glob("results/*.json")]
    assert len(stored) > 9
    for name in stored:
        assert (folder / name).read_bytes() == (root / "nbs" / name).read_bytes()
    (folder / "lessons/roc.ipynb").write_text("mine")
    (folder / "lessons/pruning.ipynb").unlink()
    assert cli.main(["lab", str(folder), "--copy-only"]) == 0
    assert (
        "differ from the book's were kept: lessons/roc.ipynb (delete" in capsys.readouterr().out
        and (folder / "lessons/roc.ipynb").read_text() == "mine"
    )
    assert (folder / "lessons/pruning.ipynb").exists()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert cli.main(["lab", str(folder)]) == 2
    assert "aucbook[lab]" in capsys.readouterr().err


@pytest.mark.usefixtures("three_pages")
@pytest.mark.parametrize("root_user, allowed", [(True, False), (True, True), (False, False)])
def test_lab_as_root_says_what_to_do(tmp_path, capsys, monkeypatch, root_user, allowed):
    """JupyterLab refuses to run as root, at the end of a long log."""
    started = []
    monkeypatch.setattr("aucbook.cli.lab.is_root", lambda: root_user)
    monkeypatch.setattr(
        "aucbook.cli.lab.serve", lambda command, folder: started.append(command) or 1
    )
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    options = ["--allow-root"] if allowed else []
    assert cli.main(["lab", str(tmp_path / "book"), "--no-browser", "--port=1", *options]) == 1
    assert ("aucbook lab --allow-root" in capsys.readouterr().err) == (root_user and not allowed)
    assert started[0][-len(options) - 1 :] == ["--port=1", *options]


@pytest.mark.parametrize("number, expected", [(signal.SIGINT, "asked"), (signal.SIGTERM, "ended")])
def test_lab_leaves_ctrl_c_to_jupyterlab(tmp_path, number, expected):
    """Ctrl-C reaches both processes: JupyterLab answers it, and `aucbook lab` waits; none is left."""
    server = (
        "import signal, sys, time\n"
        "def heard(number, frame):\n"
        "    print('asked' if number == signal.SIGINT else 'ended', flush=True); sys.exit(3)\n"
        "signal.signal(signal.SIGINT, heard), signal.signal(signal.SIGTERM, heard)\n"
        "print('ready', flush=True); time.sleep(60)"
    )
    program = (
        "import sys; from aucbook.cli.lab import serve\n"
        "sys.exit(serve([sys.executable, '-c', sys.argv[1]], '.'))"
    )
    lab = subprocess.Popen(
        [sys.executable, "-c", program, server],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert lab.stdout.readline() == "ready\n"
    time.sleep(0.2)  # until the parent waits
    if number == signal.SIGINT:
        os.killpg(lab.pid, number)  # as a terminal does
    else:
        lab.send_signal(number)
    assert lab.communicate(timeout=20)[0] == f"{expected}\n" and lab.returncode == 3


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("AUCBOOK_DATA"), reason="AUCBOOK_DATA is not set")
@pytest.mark.parametrize("name", ["mammography", "pima"])
def test_real_files_written_as_csv(tmp_path, capsys, name):
    from aucbook import load_dataset

    data = load_dataset(name)
    some = slice(
        None, None, 1 + data.target.size // 4000
    )  # of a long table some rows, as the file has them
    np.savetxt(
        tmp_path / "t.csv",
        np.c_[data.data, data.target][some],
        delimiter=",",
        comments="",
        header=",".join([f"x{j}" for j in range(data.data.shape[1])] + ["label"]),
    )
    assert (
        cli.main(
            [
                "compare",
                str(tmp_path / "t.csv"),
                "--label",
                "label",
                "--max-fpr",
                "0.1",
                "--cv",
                "2",
                "--ignore",
                "AB2",  # a third of mammography's rows are copies
                "--out",
                str(tmp_path / "o"),
            ]
        )
        == 0
    )
    assert f"{len(data.target[some])} rows" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], "command"),
        (["bogus"], "'bogus'"),
        (["compare", "--min-fpr", "x"], "--min-fpr"),
        (["compare", "--label", "y"], "give the file"),
        (["compare", "--bogus", "y"], "--bogus"),
    ],
)
def test_wrong_arguments_are_one_line_too(capsys, arguments, expected):
    try:
        code = cli.main(arguments)
    except SystemExit as stop:
        code = stop.code
    error = capsys.readouterr().err
    assert code == 2 and expected in error and error.count("\n") == 1


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@pytest.mark.parametrize(
    "times, words",
    [
        (
            ["2024-01-02", "14/05/2020"],
            ["row 3: '14/05/2020'", "row 2, '2024-01-02'", "2020-05-04"],
        ),
        (["2024-01-02", "2.1.24"], ["row 3: '2.1.24'", "row 2, '2024-01-02'"]),
        (["2024-01-02", "20240102"], ["row 3: '20240102'", "row 2, '2024-01-02'"]),
        (["05/04/2020", "03/04/2020"], ["row 2: the order of times like '05/04/2020'"]),
        (["visit 2", "visit 10"], ["row 2: 'visit 2'", "numbers, dates", "quarters", "ISO weeks"]),
        (["2024-01-02", "NA"], ["row 3: the time is missing"]),
        (["2024-01-02", ""], ["row 3: the time is missing"]),
        (["2024-01-02", "?"], ["row 3: the time is missing"]),
        (["2024", "2024"], ["column 'day': all 18 rows have the time '2024'"]),
        (
            ["2024", "2025"],
            ["5 folds in the order of time need at least 6 different times, and there are 2"],
        ),
    ],
)
def test_times_that_are_refused(tmp_path, capsys, monkeypatch, times, words):
    use_rankers(monkeypatch, QUICK)
    path = tmp_path / "t.csv"
    path.write_text(
        "a,day,sick\n" + "".join(f"{i},{times[i % 2]},{i // 2 % 2}\n" for i in range(18))
    )
    call = [
        "compare",
        str(path),
        "--label",
        "sick",
        "--time",
        "day",
        "--na-values",
        "?",
        "--out",
        str(tmp_path / "o"),
    ]
    assert cli.main(call) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and all(word in error for word in words), error


@pytest.mark.parametrize(
    "write",
    [
        lambda k: f"{2015 + k // 12}-{k % 12 + 1}",
        lambda k: f"{MONTHS[k % 12]}-{15 + k // 12}",
        lambda k: f"Q{k % 4 + 1} {1990 + k // 4}",
        lambda k: f"{1990 + k // 50}-W{k % 50 + 1}",
        lambda k: f"{k // 60}:{k % 60:02}",
        lambda k: f"{k % 28 + 1}/{k // 28 % 12 + 1}/{2000 + k // 336}",
        lambda k: f"2020-01-{k // 24 + 1:02} {k % 24:02}:00{'Z' if k % 2 else '+00:00'}",
        str,
    ],
)
def test_periods_are_printed_and_rows_are_in_their_order(tmp_path, capsys, monkeypatch, write):
    use_rankers(monkeypatch, QUICK)
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = [f"{write(k)},{rng.normal() + k % 2:.3f},{k % 2}\n" for k in range(150)]
    with open("t.csv", "w") as file:
        file.write("when,a,sick\n" + "".join(rows[k] for k in rng.permutation(150)))
    assert (
        cli.main(
            [
                "compare",
                "t.csv",
                "--label",
                "sick",
                "--time",
                "when",
                "--cv",
                "2",
                "--guarantee",
                ".4",
            ]
        )
        == 0
    )
    output = capsys.readouterr().out
    for fold, ends in enumerate(((0, 49, 50, 99), (0, 99, 100, 149)), 1):
        first, last, begin, end = map(write, ends)
        trained = f"fold {fold}: trained on {50 * fold} rows from {first} to {last}, tested on 50 rows from {begin} to {end}"
        assert trained in output, output
    page = Path("aucbook-out/report.html").read_text(encoding="utf8")
    assert "2 in order of time" in page and f"from {write(100)} to {write(149)}" in page


MISSING_WORDS = ("", "NA", "na", "N/A", "nan", "NaN", "None", "null", "NaT", "<NA>", " NA ", "?")


@pytest.mark.parametrize(
    "word",
    [pytest.param(w, marks=[] if w in ("", "?") else pytest.mark.slow) for w in MISSING_WORDS],
)
def test_one_list_of_missing_words_for_every_column_and_command(
    tmp_path, capsys, monkeypatch, word
):
    use_rankers(monkeypatch, QUICK)
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    names = ["sick", "s", "patient", "weight", "when", "ward", "cost"]
    rows = [
        [i % 2, f"{rng.normal() + i % 2:.2f}", i // 4, 1, 2000 + i, "ab"[i % 3 // 2], 3]
        for i in range(80)
    ]

    def run(*call, at=None, row=3):
        """Exit code and captured output of a command whose table has one missing cell."""
        cells = [list(map(str, each)) for each in rows]
        if at is not None:
            cells[row][names.index(at)] = word
        Path("t.csv").write_text("\n".join([",".join(names), *map(",".join, cells)]) + "\n")
        code = cli.main([*call, "--na-values", "?"])
        return code, capsys.readouterr()

    base = ["t.csv", "--label", "sick", "--drop"]

    def report(*drop):
        return ["report", *base, *drop, "--out", "r"]

    def compare(*drop):
        return ["compare", *base, *drop, "--cv", "2", "--guarantee", ".4", "--out", "c"]

    for call, at, problem in (
        (
            [*report("weight", "when", "ward", "cost"), "--groups", "patient"],
            "patient",
            "the group is missing",
        ),
        (
            [*compare("when", "ward", "cost"), "--groups", "patient"],
            "patient",
            "the group is missing",
        ),
        (
            [*compare("when", "patient", "cost"), "--weight", "weight"],
            "weight",
            "the weight is missing",
        ),
        ([*compare("weight", "patient", "cost"), "--time", "when"], "when", "the time is missing"),
        (
            [*compare("weight", "patient"), "--cost-column", "cost", "--alarm-cost", "1"],
            "cost",
            "the cost is missing",
        ),
        (report("weight", "when", "ward", "cost", "patient"), "s", "the value is missing"),
        (report("weight", "when", "ward", "cost", "patient"), "sick", "the label is missing"),
        (compare("weight", "when", "ward", "cost", "patient"), "sick", "the label is missing"),
    ):
        code, captured = run(*call, at=at)
        assert (
            code == 2
            and f"column {at!r}, row 5: {problem}" in captured.err
            and captured.err.count("\n") == 1
        ), captured.err
    for call in (
        report("weight", "when", "ward", "cost", "patient"),
        compare("weight", "when", "cost", "patient"),
    ):
        code, captured = run(*call, "--skip-unlabelled", at="sick")
        assert code == 0 and "AB10 1 of 80 rows" in captured.out
    code, captured = run(*report("weight", "when", "cost", "patient"), "--by", "ward", at="ward")
    assert code == 0 and "(no name)" in captured.out
    (Path("c") / "model.skops").exists() and run(*compare("weight", "when", "cost", "patient"))
    model = "c/model.skops"
    code, captured = run("validate", model, "t.csv", "--label", "sick", "--out", "v", at="sick")
    assert code == 0 and "1 unlabelled row was dropped." in captured.out
    code, captured = run(
        "score", model, "t.csv", "--keep", "patient", "--out", "scored.csv", at="patient"
    )
    assert code == 0 and list(csv.DictReader(open("scored.csv")))[3]["patient"] == word  # as it was
    Path("log.csv").write_text(
        "alarm,label,case\n" + "0,0,1\n" * 1 + f"0,{word},2\n" + f"{word},0,3\n"
    )
    assert cli.main(["monitor", model, "log.csv", "--key", "case", "--na-values", "?"]) == 0
    assert "3 cases, 2 of them without a label or an alarm" in capsys.readouterr().out
    Path("log.csv").write_text(f"alarm,label,case\n0,0,1\n0,0,{word}\n")
    assert cli.main(["monitor", model, "log.csv", "--key", "case", "--na-values", "?"]) == 2
    assert "row 3: the identifier of the case is missing" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "Unnamed: 0", "__index_level_0__"])
@pytest.mark.parametrize("values", [range(60), [f"p{i}" for i in range(60)]])
def test_the_index_of_a_pandas_table_is_no_ranker(tmp_path, capsys, monkeypatch, name, values):
    use_rankers(monkeypatch, QUICK)
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    with open("t.csv", "w") as file:
        file.write(
            f"{name},s,sick\n"
            + "".join(f"{v},{rng.normal() + i % 2},{i % 2}\n" for i, v in enumerate(values))
        )
    assert cli.main(["report", "t.csv", "--label", "sick"]) == 0
    output = capsys.readouterr().out
    assert f"left out: column {name!r}, the index of a pandas table" in output
    assert [row["ranker"] for row in csv.DictReader(open("aucbook-report/table.csv"))] == ["s"]
    assert cli.main(["compare", "t.csv", "--label", "sick", "--cv", "2", "--guarantee", ".4"]) == 0
    output = capsys.readouterr().out
    assert (
        f"left out: column {name!r}, the index of a pandas table" in output
        and "60 rows, 1 column" in output
    )


def test_the_summary_of_the_table_is_printed_first(tmp_path, capsys, monkeypatch):
    use_rankers(monkeypatch, QUICK)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    path, out = tmp_path / "t.csv", tmp_path / "out"
    rng = np.random.default_rng(0)
    rows = [f"V{i},{rng.normal() + i % 2:.3f},{'yes' if i % 2 else 'no'}\n" for i in range(90)]
    path.write_text("visit,dose,sick\n" + "".join(rows))
    call = [
        "compare",
        str(path),
        "--label",
        "sick",
        "--cv",
        "2",
        "--out",
        str(out),
        "--guarantee",
        "0.3",
    ]
    monkeypatch.setattr(
        "aucbook.compare", lambda **_: (_ for _ in ()).throw(ValueError("stopped")), raising=False
    )
    assert cli.main(call) == 2
    output = capsys.readouterr().out
    assert "90 rows, 2 columns, 45 positives (yes, 50.0%); 2 folds × 1" in output
    assert "install 'aucbook[models]'" in output
    assert cli.main([*call, "--drop", "visit"]) == 2
    output = capsys.readouterr().out
    assert "90 rows, 1 column" in output and "visit" not in output
    assert cli.main([*call, "--drop", "visits"]) == 2
    assert "did you mean 'visit'?" in capsys.readouterr().err


def test_a_report_keeps_the_comparison_it_reads(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores = tmp_path / "aucbook-out/scores.csv"
    scores.parent.mkdir()
    scores.write_text(
        "row,fold,label,case,a,b\n"
        + "".join(f"{i},{i % 3},{i % 2},p{i},{i % 7},{i % 5}\n" for i in range(60))
    )
    before = scores.read_bytes()
    assert cli.main(["report", str(scores)]) == 2
    assert "'case', row 2" in (error := capsys.readouterr().err) and "--drop" in error
    assert cli.main(["report", str(scores), "--drop", "case"]) == 0
    output = capsys.readouterr().out
    assert (
        scores.read_bytes() == before
        and "written to aucbook-report: " in output
        and "report.html" in output
    )
    (tmp_path / "aucbook-report/notes.txt").write_text("mine")
    assert cli.main(["report", str(scores), "--drop", "case"]) == 0
    assert "notes.txt" not in capsys.readouterr().out


def help_of(command, capsys):
    """The help of a command, as {heading: text below it}."""
    with pytest.raises(SystemExit, match="0"):
        cli.main([command, "--help"])
    parts = re.split(r"(?m)^(\w[\w ]*):\n", capsys.readouterr().out)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_help_lists_options_in_groups_and_shows_examples(capsys):
    of_compare = help_of("compare", capsys)
    of_report = help_of("report", capsys)
    for parts in (of_compare, of_report):
        assert "\n  --" not in parts["options"]  # --help alone
        assert parts["examples"].count("\n  aucbook ") + 1 == 2
        assert "  --sep CHAR" in parts["reading the file"]
        assert "column of the labels, of two classes; required, except" in parts["data"]
    assert [*of_compare][2:6] == ["data", "evaluation", "decision", "running"]
    assert "trained on this column" in " ".join(of_compare["data"].split())
    assert "decision" not in of_report and "trained" not in of_report["data"]


def test_an_unknown_option_names_the_help_of_its_command(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["validate", "model.skops", "other.csv", "--label", "sick", "--cv", "3"])
    expected = "aucbook validate: unrecognized arguments: --cv 3; see aucbook validate --help\n"
    assert capsys.readouterr().err == expected


@pytest.mark.usefixtures("three_pages")
def test_further_options_go_to_jupyterlab(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: True)
    monkeypatch.setattr(
        "aucbook.cli.lab.serve", lambda command, cwd: calls.append((command[2:], cwd)) or 0
    )
    calls = []
    assert cli.main(["lab", str(tmp_path), "--no-browser", "--port=8899", "--allow-root"]) == 0
    first = "--LabApp.default_url=/lab/tree/index.ipynb"
    assert calls == [
        (["jupyterlab", first, "--no-browser", "--port=8899", "--allow-root"], tmp_path)
    ]


def visits(path, n=90, seed=0, mark=";"):
    """A messy table: missing numbers, a category, dates, patients with several visits; semicolons and decimal commas."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) // 3) % 2
    with open(path, "w", newline="") as f:
        writer = csv.writer(f, delimiter=mark)
        writer.writerow(["dose", "ward", "when", "<b>=1+1</b>", "patient", "weight", "sick"])
        for i, v in enumerate(y):
            dose = "" if rng.random() < 0.1 else f"{3 + 2 * v + rng.normal():.2f}".replace(".", ",")
            ward = rng.choice(["north", "south", "NA"])
            writer.writerow(
                [dose, ward, f"2024-0{1 + i % 9}-10", i % 7, f"p{i // 3}", 1 + i % 2, "ny"[v]]
            )
    return path


QUICK = {
    "line": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(10, random_state=0),
}


def test_from_a_messy_file_to_a_decision_and_new_rows(tmp_path, capsys, monkeypatch):
    use_rankers(monkeypatch, QUICK)
    path, out = visits(tmp_path / "t.csv"), tmp_path / "out"
    call = [
        "compare",
        str(path),
        "--label",
        "sick",
        "--groups",
        "patient",
        "--weight",
        "weight",
        "--cv",
        "3",
    ]
    call += [
        "--max-fpr",
        "0.3",
        "--measure",
        "pauc(max_fpr=.3)",
        "--measure",
        "ap",
        "--out",
        str(out),
    ]
    assert cli.main(call) == 0
    output = capsys.readouterr().out
    assert "approximate maximum FPR (95 % confidence)" in output and "pAUC(0, 0.3)" in output
    kinds = {
        row["name"]: row["kind"] for row in json.loads((out / "table.json").read_text())["columns"]
    }
    assert kinds == {"dose": "number", "ward": "category", "when": "date", "<b>=1+1</b>": "number"}
    page = (out / "report.html").read_text(encoding="utf8")
    assert (
        "&lt;b&gt;=1+1&lt;/b&gt;" in page
        and "Recommended decision" in page
        and "30, each kept in one fold" in page
        and "Reporting items (TRIPOD+AI)" in page
    )
    assert {"model.skops", "benefit.svg", "table.json"} <= {file.name for file in out.iterdir()}
    scored = tmp_path / "scored.csv"
    assert cli.main(["score", str(out / "model.skops"), str(path), "--out", str(scored)]) == 0
    rows = list(csv.DictReader(open(scored)))
    decision = load_decision(out / "model.skops")
    assert [row["alarm"] for row in rows] == [
        str(int(float(r["score"]) >= decision.threshold)) for r in rows
    ]
    p, s = ([float(row[name]) for row in rows] for name in ("probability", "score"))
    assert list(rows[0]) == ["row", "score", "probability", "alarm"]
    assert all(np.diff(np.array(p)[np.argsort(s, kind="stable")]) >= 0) and 0 < min(p) <= max(p) < 1
    # a report of its scores keeps patients together, and compares rows of one fold only
    call = ["report", str(out / "scores.csv"), "--max-fpr", "0.3", "--out", str(tmp_path / "again")]
    assert cli.main(call) == 0
    capsys.readouterr()
    again, first = (
        json.loads((folder / "table.json").read_text()) for folder in (tmp_path / "again", out)
    )
    assert (
        again["settings"]["groups"] == first["settings"]["groups"]
        and "placement values within folds" in again["method"]
    )
    for row, other in zip(again["rows"], first["rows"]):
        assert row["ranker"] == other["ranker"] and abs(row["pAUC"] - other["pAUC(0, 0.3)"]) < 0.05
    # who is who: columns beside the scores, as the file has them
    call = [
        "score",
        str(out / "model.skops"),
        str(path),
        "--out",
        str(scored),
        "--keep",
        "patient",
        "ward",
    ]
    assert cli.main(call) == 0
    named, original = list(csv.DictReader(open(scored))), read_table(path)
    assert list(named[0]) == ["row", "patient", "ward", "score", "probability", "alarm"]
    assert [[row["patient"], row["ward"]] for row in named] == [
        list(pair) for pair in zip(original["patient"], original["ward"])
    ]
    assert [row["score"] for row in named] == [row["score"] for row in rows]
    capsys.readouterr()
    assert (
        cli.main([*call[:-2], "patients"]) == 2
        and "did you mean 'patient'?" in capsys.readouterr().err
    )
    (tmp_path / "twice.csv").write_text(path.read_text().replace("patient", "score", 1))
    assert cli.main([*call[:2], str(tmp_path / "twice.csv"), *call[3:-2], "score"]) == 2
    assert "rename" in capsys.readouterr().err
    # the same columns in another order, with commas, and levels that training never saw
    with open(tmp_path / "new.csv", "w") as f:
        f.write("ward,<b>=1+1</b>,when,dose\neast,3,2025-01-01,4.2\n,,,\n")
    assert (
        cli.main(
            ["score", str(out / "model.skops"), str(tmp_path / "new.csv"), "--out", str(scored)]
        )
        == 0
    )
    output = capsys.readouterr().out
    assert "column 'ward': 1 row has a level that the training rows did not have ('east')" in output
    for text, wrong in (
        ("ward,when,dose\neast,2025-01-01,4\n", "'<b>=1+1</b>' is missing"),
        ("ward,<b>=1+1</b>,when,dose\neast,3,2025-02-30,4.2\n", "'2025-02-30' is not a date"),
        (
            "ward,<b>=1+1</b>,when,dose\neast,3,2025-02-20,much\n",
            "column 'dose', row 2: 'much' is not a number",
        ),
        (
            'ward,<b>=1+1</b>,when,dose\na,3,,"4,2"\na,3,,NA\na,3,,alt\n',
            "column 'dose', row 4: 'alt' is not a number",
        ),
        (
            "ward;<b>=1+1</b>;when;dose\na;3;;4,2\na;3;;alt\na;3;;alt\n",
            "column 'dose', row 3: 'alt' is not a number",
        ),
        # a thousand, or a point for a comma: whoever wrote it knows
        (
            "ward;<b>=1+1</b>;when;dose\na;3;;4,2\na;3;;1.234\n",
            "row 2: '4,2' is not a number (such as 1234.5)",
        ),
    ):
        (tmp_path / "new.csv").write_text(text)
        assert (
            cli.main(
                ["score", str(out / "model.skops"), str(tmp_path / "new.csv"), "--out", str(scored)]
            )
            == 2
        )
        error = capsys.readouterr().err
        assert wrong in error and error.count("\n") == 1
    (tmp_path / "bad.skops").write_bytes((out / "model.skops").read_bytes()[:500])
    assert cli.main(["score", str(tmp_path / "bad.skops"), str(path)]) == 2
    assert "damaged" in capsys.readouterr().err


def test_rows_in_order_of_time(tmp_path, capsys, monkeypatch):
    use_rankers(monkeypatch, QUICK)
    path, out = visits(tmp_path / "t.csv", mark="\t"), tmp_path / "out"
    call = [
        "compare",
        str(path),
        "--label",
        "sick",
        "--time",
        "when",
        "--cv",
        "3",
        "--out",
        str(out),
        "--guarantee",
        "0.3",
    ]
    assert cli.main(call) == 0
    rows = list(csv.DictReader(open(out / "scores.csv")))
    fold = [int(row["fold"]) for row in rows]
    assert fold == sorted(fold) and fold.count(-1) > 0
    given_rows = read_table(
        path
    )  # row names a row of the file, in whatever order scores.csv has them
    assert [row["label"] for row in rows] == [
        str(int(given_rows["sick"][int(row["row"])] == "y")) for row in rows
    ]
    when = [given_rows["when"][int(row["row"])] for row in rows]
    assert when == sorted(when) and when != given_rows["when"]
    capsys.readouterr()
    assert cli.main(["report", str(out / "scores.csv"), "--out", str(tmp_path / "again")]) == 0
    output = capsys.readouterr().out
    assert "line" in output and "forest" in output and "fold" not in output.split("written")[0]


def test_report_of_scores(tmp_path, capsys):
    path = table(tmp_path / "t.csv")
    call = ["report", str(path), "--label", "sick", "--max-fpr", "0.2", "--measure", "ef(k=.1)"]
    assert cli.main([*call, "--out", str(tmp_path / "o")]) == 0
    assert (
        "enrichment at 0.1" in capsys.readouterr().out and (tmp_path / "o/precision.svg").exists()
    )
    assert cli.main(["report", str(path), "--out", str(tmp_path / "o")]) == 2
    assert "Give --label" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, head", [(["ap"], "average precision"), (["auc", "ap"], "AUC"), (["brier"], "Brier")]
)
def test_the_first_measure_of_a_report_decides(tmp_path, capsys, words, head):
    rows = [f"{i % 2},{(i * 7 % 13 + 1) / 15},{(i * 5 % 11 + 1) / 15}" for i in range(40)]
    (tmp_path / "m.csv").write_text("\n".join(["sick,s1,s2", *rows]) + "\n")
    call = [
        "report",
        str(tmp_path / "m.csv"),
        "--label",
        "sick",
        "--measure",
        *words,
        "--out",
        str(tmp_path / "o"),
    ]
    assert cli.main(call) == 0
    title, first, second = capsys.readouterr().out.split("ranker", 1)[1].splitlines()[:3]
    assert title.split("95% interval")[0].strip() == head and " to " in first and "(" in second
    value, low, _, high = first.split()[1:5]
    assert float(low) <= float(value) <= float(high)


def test_without_a_possible_guarantee_the_comparison_is_written(tmp_path, capsys, monkeypatch):
    use_rankers(monkeypatch, QUICK)
    call = [
        "compare",
        str(table(tmp_path / "t.csv")),
        "--label",
        "sick",
        "--cv",
        "3",
        "--guarantee",
        "0.01",
    ]
    assert cli.main([*call, "--out", str(tmp_path / "o")]) == 1
    assert "of at most 1 %, with 95 % confidence, cannot be" in capsys.readouterr().out
    assert (tmp_path / "o/report.html").exists()


def test_further_mistakes_of_users(tmp_path, capsys):
    path = visits(tmp_path / "t.csv")
    (tmp_path / "cyrillic.csv").write_bytes("доза,врач\n1,0\n".encode("cp1251"))
    (tmp_path / "p.csv").write_text("p,sick\n1.5,0\n2,1\n3,0\n.1,1\n")
    out = ["--out", str(tmp_path / "o")]
    for call, word in (
        (["compare", str(tmp_path / "cyrillic.csv"), "--label", "dose"], "save it as UTF-8"),
        (
            ["compare", str(path), "--label", "sick", "--groups", "sick"],
            "--label and --groups both name the column 'sick'",
        ),
        (
            ["compare", str(path), "--label", "sick", "--groups", "when", "--time", "when"],
            "--groups and --time both name the column 'when'",
        ),
        (
            ["report", str(tmp_path / "p.csv"), "--label", "sick", "--measure", "brier"],
            "score 'p' goes from 0.1 to 3",
        ),
        (
            [
                "report",
                str(tmp_path / "p.csv"),
                "--label",
                "sick",
                "--measure",
                "twoway(max_fpr=1, min_tpr=2)",
            ],
            "min_tpr must be",
        ),
    ):
        assert cli.main([*call, *out]) == 2
        error = capsys.readouterr().err
        assert word in error and error.count("\n") == 1


@pytest.mark.parametrize("is_split", [False, True])
def test_groups_in_the_order_of_time(is_split, tmp_path, capsys):
    rng = np.random.default_rng(0)
    lines = ["a,account,when,sick"]
    for i in rng.permutation(240).tolist():
        account = i % 40 if is_split else i // 12
        y = int(rng.random() < 0.4)
        lines.append(f"{rng.normal() + y},k{account},{2000 + i // 12},{y}")
    path = tmp_path / "accounts.csv"
    path.write_text("\n".join(lines) + "\n")
    words = ["--label", "sick", "--groups", "account", "--time", "when", "--cv", "3"]
    words += ["--rankers", "logistic regression", "--max-fpr", "0.5"]
    code = cli.main(["compare", str(path), *words, "--out", str(tmp_path / "o")])
    captured = capsys.readouterr()
    if is_split:
        assert code == 2 and "is in training and in test: folds in the order of" in captured.err
        assert "GroupKFold" not in captured.err
    else:
        assert code == 0 and "fold 3: trained on 180 rows from 2000 to 2014" in captured.out


def test_scores_of_grouped_rows(tmp_path, capsys):
    path, out = tmp_path / "t.csv", tmp_path / "o"
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 30)
    with open(path, "w") as f:
        f.write("camera,doctor,patient,sick\n")
        f.writelines(
            f"{v + rng.normal()},{v + rng.normal()},p{i // 3},{v}\n" for i, v in enumerate(y)
        )
    for call in (["report", str(path)], ["compare", str(path), "--scores"]):
        assert cli.main([*call, "--label", "sick", "--groups", "patient", "--out", str(out)]) == 0
        page = (out / "report.html").read_text(encoding="utf8")
        assert "variance for clustered rows" in page and "60 rows of 20 groups" in page
        assert {row["ranker"] for row in csv.DictReader(open(out / "table.csv"))} == {
            "camera",
            "doctor",
        }
    capsys.readouterr()
    assert (
        cli.main(["report", str(path), "--label", "sick", "--groups", "patent", "--out", str(out)])
        == 2
    )
    assert "did you mean 'patient'" in capsys.readouterr().err
    for option in ("--weight", "--time"):
        assert (
            cli.main(
                [
                    "compare",
                    str(path),
                    "--label",
                    "sick",
                    "--scores",
                    option,
                    "patient",
                    "--out",
                    str(out),
                ]
            )
            == 2
        )
        assert f"{option} is for training" in capsys.readouterr().err


SLOWLY = """
import sys, time
from sklearn.naive_bayes import GaussianNB
import aucbook
from aucbook import cli

class Slow(GaussianNB):
    def fit(self, X, y):
        open(sys.argv[1], "a").write("x")
        time.sleep(0.2)
        return super().fit(X, y)

aucbook.default_rankers = lambda *arguments, **keywords: {"slow": Slow(), "bayes": GaussianNB()}
if __name__ == "__main__":
    sys.exit(cli.main(sys.argv[2:]))
"""


@pytest.mark.slow
def test_the_same_command_resumes_after_a_kill(tmp_path):
    """Kill -9 leaves no time to tidy up: what was finished is there, what was begun is done again, and the table is the same."""
    (tmp_path / "run.py").write_text(SLOWLY)
    fits = tmp_path / "fits"
    out = tmp_path / "out"
    path = visits(tmp_path / "t.csv")
    options = [
        "--label",
        "sick",
        "--groups",
        "patient",
        "--cv",
        "4",
        "--repeats",
        "2",
        "--guarantee",
        "0.3",
        "--ignore",
        "AB15",  # month and weight number the rows, and these alternate
    ]
    command = [sys.executable, "run.py", str(fits), "compare", str(path), *options, "--out"]

    def run(folder):
        return subprocess.run(
            [*command, str(folder)], cwd=tmp_path, check=True, capture_output=True, text=True
        )

    process = subprocess.Popen(
        [*command, str(out)], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 120
    while (
        not (fits.exists() and len(fits.read_text()) >= 4)
        and time.monotonic() < end
        and process.poll() is None
    ):
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = len(fits.read_text())
    assert 4 <= before < 8 and not (out / "report.html").exists()
    run(out)
    assert (
        len(fits.read_text()) <= 8 + 1 + 1
    )  # eight fits, the one that was cut off, and the last on all rows
    fits.unlink()
    run(tmp_path / "whole")
    assert len(fits.read_text()) == 8 + 1
    assert (out / "scores.csv").read_text() == (tmp_path / "whole/scores.csv").read_text()
    rows = [
        json.loads((folder / "table.json").read_text())["rows"]
        for folder in (out, tmp_path / "whole")
    ]
    one, two = ([{**row, "seconds": None} for row in table] for table in rows)
    assert one == two


# ---------------------------------------------------------------- files under attack
@pytest.mark.parametrize(
    "options, expected",
    [
        (["--guarantee", "2"], "--guarantee must be None or a number in (0, 1), got 2.0"),
        (["--guarantee", "0"], "--guarantee must be None or a number in (0, 1), got 0.0"),
        (["--max-fpr", "2"], "0 <= --min-fpr < --max-fpr <= 1, got --min-fpr 0.0, --max-fpr 2.0"),
        (["--jobs", "0"], "--jobs must be None or a number of processes, -1 for all cores, got 0"),
        (["--seed", "-1"], "--seed must be a whole number"),
        (["--repeats", "0"], "--repeats must be a whole number, at least 1"),
        (["--cv", "1"], "--cv, the number of folds, must be a whole number, at least 2"),
        (
            ["--weight", "age", "--cv", "50"],
            "--cv 50 folds need at least as many rows of each class",
        ),
    ],
)
def test_options_are_refused_before_training(tmp_path, capsys, monkeypatch, options, expected):
    def never(*arguments):
        raise AssertionError("something was trained")

    monkeypatch.setattr("aucbook._evaluation.folds.fit_weighted", never)
    path, out = table(tmp_path / "t.csv"), tmp_path / "o"
    assert expected in refused(capsys, ["compare", path, "--label", "sick", "--out", out, *options])
    assert not (out / "report.html").exists()


def test_messages_name_options_instead_of_arguments():
    for message, expected in (
        ("sample_weight must be 3 real numbers", "--weight must be 3 real numbers"),
        ("max_fpr=0.01 needs", "--max-fpr 0.01 needs"),
        ("n_jobs == 0 in Parallel has no meaning", "--jobs == 0 in Parallel has no meaning"),
        ("pos_label='a' is not a label", "--pos 'a' is not a label"),
        # what only looks like one
        ("column 'pos_label', row 3", "column 'pos_label', row 3"),
        ("there is no file beta/alpha.csv", "there is no file beta/alpha.csv"),
        ("the columns are: alpha, beta, cv", "the columns are: alpha, beta, cv"),
        ("write two_way_auc:max_fpr,min_tpr", "write two_way_auc:max_fpr,min_tpr"),
        (
            "max_fpr=1: pauc(min_fpr=0.0, max_fpr=1.0), tpr(fpr)",
            "--max-fpr 1: pauc(min_fpr=0.0, max_fpr=1.0), tpr(fpr)",
        ),
    ):
        assert compare_command.in_options(message) == expected


class Warns(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        warnings.warn("max_fpr=0.5 is wide", UserWarning, stacklevel=1)
        return super().fit(X, y, sample_weight)


def test_warnings_are_lines_without_a_place_in_the_code(tmp_path, capsys, monkeypatch):
    rng = np.random.default_rng(0)
    rows = [f"{v},1,{label}" for v, label in zip(rng.normal(size=60), np.arange(60) % 2)]
    (tmp_path / "t.csv").write_text("\n".join(["a,same,sick", *rows]))
    monkeypatch.chdir(tmp_path)

    use_rankers(monkeypatch, {"bayes": Warns()})
    assert cli.main(["compare", "t.csv", "--label", "sick", "--cv", "2"]) == 0
    captured = capsys.readouterr()
    assert (captured.out + captured.err).count(
        "one value in all rows"
    ) == 1 and "UserWarning" not in captured.err
    assert "--max-fpr 0.5 is wide" in captured.err


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """(table, folder of a comparison of it with a model)."""
    folder = tmp_path_factory.mktemp("compared")
    path = table(folder / "t.csv", 200)
    return path, compare_line(path, folder / "out")


def test_inputs_are_never_overwritten(tmp_path, capsys, compared):
    path, model = tmp_path / "t.csv", tmp_path / "model.skops"
    path.write_bytes(compared[0].read_bytes())
    model.write_bytes((compared[1] / "model.skops").read_bytes())
    (tmp_path / "soft.csv").symlink_to(path)
    os.link(path, tmp_path / "hard.csv")
    before = path.read_bytes(), model.read_bytes()
    for out in (
        path,
        tmp_path / "soft.csv",
        tmp_path / "hard.csv",
        tmp_path / "." / "t.csv",
        model,
    ):
        assert "choose another --out" in refused(capsys, ["score", model, path, "--out", out])
    scores = tmp_path / "scores.csv"
    scores.write_bytes(before[0])
    for command in (["report"], ["compare"], ["compare", "--scores"]):
        call = [command[0], scores, *command[1:], "--label", "sick", "--out", tmp_path]
        assert "would be overwritten" in refused(capsys, call)
    assert (path.read_bytes(), model.read_bytes(), scores.read_bytes()) == (*before, before[0])
    assert cli.main(["score", str(model), str(path), "--out", str(tmp_path / "new.csv")]) == 0
    (tmp_path / "link.csv").symlink_to(
        tmp_path / "new.csv"
    )  # a link to something else is followed, and stays
    assert cli.main(["score", str(model), str(path), "--out", str(tmp_path / "link.csv")]) == 0
    assert (tmp_path / "link.csv").is_symlink() and not list(tmp_path.glob("*.part"))


# numba writes no compiled kernels: with an empty cache they would be the first files too large
FULL = """
import resource, sys
from numba.core import caching
caching.Cache.save_overload = lambda *arguments: None
from aucbook import cli
import aucbook
from sklearn.naive_bayes import GaussianNB
aucbook.default_rankers = lambda *arguments, **keywords: {"bayes": GaussianNB()}
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))  # a file may grow so far: then OSError
sys.exit(cli.main(sys.argv[2:]))
"""


def on_a_full_disk(tmp_path, room, *call):
    """(exit code, lines of the standard error) of a command whose files may hold a limited number of bytes."""
    # -B: Python would write bytecode up to the limit, and the next process would read half a module
    command = [sys.executable, "-B", "-c", FULL, str(room), *map(str, call)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    return done.returncode, done.stderr.splitlines()


@pytest.mark.slow
def test_a_full_disk_is_reported_and_leaves_no_partial_file(tmp_path, compared):
    path, out = compared[0], tmp_path / "o"
    old = tmp_path / "scored.csv"
    old.write_text("from last month")
    code, error = on_a_full_disk(
        tmp_path, 1000, "score", compared[1] / "model.skops", path, "--out", old
    )
    assert code == 2 and error == [f"aucbook: cannot write to {old}: File too large"]
    code, error = on_a_full_disk(tmp_path, 1000, "compare", path, "--label", "sick", "--out", out)
    assert code == 2 and error == [
        f"aucbook: cannot write to {out}: File too large; choose another --out"
    ]
    code, error = on_a_full_disk(
        tmp_path, 70_000, "report", path, "--label", "sick", "--out", out
    )  # the page is larger
    assert code == 2 and error[-1].startswith(
        f"aucbook: cannot write to {out}: File too large; free some space"
    )
    code, error = on_a_full_disk(tmp_path, 3000, "lab", tmp_path / "book", "--copy-only")
    assert code == 2 and error == [f"aucbook: cannot write to {tmp_path / 'book'}: File too large"]
    assert old.read_text() == "from last month" and not (out / "report.html").exists()
    assert not [p for p in tmp_path.rglob("*") if p.suffix == ".part"]
    names = list((tmp_path / "book").rglob("*.ipynb"))
    assert not names or all(json.loads(p.read_text(encoding="utf8")) for p in names)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EDQUOT])
def test_any_full_disk_gets_advice_to_free_space(capsys, monkeypatch, tmp_path, number):
    """Also where another library writes, such as numba its cache, and raises its own error."""
    path = table(tmp_path / "t.csv")

    def fails(*arguments, **options):
        try:
            raise OSError(number, os.strerror(number), "kernel.nbi")
        except OSError as error:
            raise TypeError("no cache") from error

    monkeypatch.setattr(compare_command, "cross_validate", fails)
    error = refused(capsys, ["compare", path, "--label", "sick", "--out", tmp_path / "o"])
    assert "could not write a file kernel.nbi" in error and os.strerror(number) in error
    assert "free some space" in error and "check the files" not in error


@pytest.mark.usefixtures("three_pages")
def test_folders_that_cannot_be_written_to(tmp_path, capsys, monkeypatch):
    path, out = table(tmp_path / "t.csv"), tmp_path / "o"
    (tmp_path / "file").write_text("mine")
    assert "it is a file" in refused(
        capsys, ["compare", path, "--label", "sick", "--out", tmp_path / "file"]
    )
    assert "cannot write" in refused(capsys, ["lab", tmp_path / "file", "--copy-only"])
    assert (tmp_path / "file").read_text() == "mine"

    def read_only(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    def read_only_here(*arguments, dir=None, **options):
        """Numba tries the folder of its cache with a temporary file, too."""
        if dir is not None and Path(dir).is_relative_to(tmp_path):
            read_only()
        return temporary_file(*arguments, dir=dir, **options)

    temporary_file = tempfile.TemporaryFile
    with monkeypatch.context() as locked:
        locked.setattr("tempfile.TemporaryFile", read_only_here)
        for call in (["compare", path, "--label", "sick"], ["report", path, "--label", "sick"]):
            assert f"cannot write to {out}: Permission denied" in refused(
                capsys, [*call, "--out", out]
            )
    monkeypatch.setattr("aucbook.lab.edition.atomic_file", read_only)
    assert "cannot write to" in refused(capsys, ["lab", tmp_path / "book", "--copy-only"])
    assert not [p for p in (tmp_path / "book").rglob("*") if p.is_file()]


def test_numbers_that_floats_would_tie(tmp_path, capsys):
    rng, y = np.random.default_rng(0), np.arange(60) % 2
    rank = rng.permutation(60) + 20 * y
    path, out = tmp_path / "t.csv", tmp_path / "o"
    path.write_text("s,sick\n" + "".join(f"{2**60 + r},{v}\n" for r, v in zip(rank, y)))
    error = refused(capsys, ["report", path, "--label", "sick", "--out", out])
    assert (
        "column 's', row 2: " in error
        and "is beyond 2**53" in error
        and "give ranks instead" in error
    )
    path.write_text(
        "s,sick\n" + "".join(f"{2**60 + 1024 * r},{v}\n" for r, v in zip(rank, y))
    )  # these are kept apart
    assert cli.main(["report", str(path), "--label", "sick", "--out", str(out)]) == 0
    capsys.readouterr()
    path.write_text("s,sick\n1_000,0\n2,1\n")
    assert "row 2: the value is '1_000', not a number" in refused(
        capsys, ["report", path, "--label", "sick"]
    )
    late = [str(1_700_000_000_000_000_000 + k) for k in (5, 3, 4)]  # nanoseconds
    assert compare_command.time_order(late, "when").tolist() == [1, 2, 0]
    assert compare_command.time_order(["10", "9", "-1"], "when").tolist() == [2, 1, 0]
    assert table_input.labels({"y": [str(2**60), str(2**60 + 1)]}, "y", "t.csv").size == 2


def leaky(path, n=120):
    """A table with duplicate rows and an amount that is known of positives only."""
    rng, y = np.random.default_rng(0), np.arange(n) % 2
    rows = [f"{rng.normal(v):.4f},{'' if v == 0 else f'{rng.lognormal():.3f}'},{v}\n" for v in y]
    path.write_text("age,loss,sick\n" + "".join(rows + rows[:30]))
    return path


def test_a_leak_is_reported_before_a_recommendation(tmp_path, capsys, monkeypatch):
    use_rankers(monkeypatch, {"line": LINE})
    call = [
        "compare",
        leaky(tmp_path / "t.csv"),
        "--label",
        "sick",
        "--cv",
        "3",
        "--guarantee",
        "0.3",
    ]
    assert cli.main([*map(str, call), "--out", str(tmp_path / "o")]) == 1
    output = capsys.readouterr().out
    loss = "AB4 Column 'loss' is filled in 100.0% of the positives and in none of the others: is it known before"
    copies = "AB2 30 rows are an exact copy of another in every column, and "
    page = (tmp_path / "o/report.html").read_text(encoding="utf8")
    assert output.index(loss) < output.index("AUC ") and copies in output
    assert "No decision is recommended, because of AB2, AB4" in output
    assert "decision threshold" not in output and "Recommended decision" not in page
    assert (
        page.index("No decision is recommended")
        < page.index("Column &#x27;loss&#x27; is filled")
        < page.index("Comparison of all rankers")
    )
    assert copies[4:] in page and not (tmp_path / "o/model.skops").exists()
    ignored = [*map(str, call), "--ignore", "AB2", "AB4", "--out", str(tmp_path / "i")]
    assert cli.main(ignored) == 0
    assert "decision threshold" in capsys.readouterr().out
    assert "Recommended decision" in (tmp_path / "i/report.html").read_text(encoding="utf8")


def test_checks_name_options(tmp_path, capsys):
    table = tmp_path / "readers.csv"
    table.write_text("anna,outcome\n" + "1,benign\n2,malignant\n3,benign\n" * 20)
    assert (
        cli.main(["report", str(table), "--label", "outcome", "--out", str(tmp_path / "out")]) == 0
    )
    assert (
        "AB8 'malignant' is used as the positive class, because it is sorted after 'benign': give --pos"
        in capsys.readouterr().out
    )


def test_warm_up_says_what_it_compiled(capsys, monkeypatch):
    from aucbook._kernels.compiling import COMPILATION
    from aucbook.model_selection import warm_up

    def in_turn(kernels):
        yield "decision"
        COMPILATION.n_kernels += kernels
        yield "AUCBoost"

    monkeypatch.setattr(COMPILATION, "is_due", True)
    for kernels, sentence in ((3, "3 kernels compiled in "), (0, "All kernels had been")):
        monkeypatch.setattr(warm_up, "compile_in_turn", lambda kernels=kernels: in_turn(kernels))
        assert cli.main(["warm-up"]) == 0
        printed = capsys.readouterr()
        assert printed.out.startswith(sentence)
        assert "compiling" in printed.err
