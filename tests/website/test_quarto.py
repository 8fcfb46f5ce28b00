"""What a page by Quarto hides until a reader opens it: the filter of nbs/_extensions/aucbook, as pandoc runs it.

Quarto itself is not run here; .github/workflows/publish.yml does. `quarto_markdown` writes a cell as Quarto 1.11 does
(src/core/jupyter/jupyter.ts, mdFromCodeCell): options that it does not know are attributes of the cell's div.
"""

import json
import re
import shutil
import subprocess

import pytest
import yaml

pytest.importorskip("pypandoc")
pytest.importorskip("lxml")
from website.checks.quarto import page_problems, report
from website.content.cells import split_options, texts
from website.content.pandoc import pandoc
from website.live import scripts
from website.live.cells import live_cells
from website.project import EXTENSION, ROOT

INTERNAL = ("label", "fig-cap", "fig-alt", "echo", "output", "include", "code-fold", "code-summary")
LESSONS = sorted((ROOT / "nbs/lessons").glob("*.ipynb"))


def cell(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def printed(text):
    return {"output_type": "stream", "name": "stdout", "text": [text]}


def rich(html):
    return {"output_type": "execute_result", "data": {"text/html": [html]}}


def output_markdown(output, label):
    """A stored output as Quarto writes it."""
    if output["output_type"] == "stream":
        return f"::: {{.cell-output .cell-output-stdout}}\n```\n{''.join(output['text'])}\n```\n:::"
    data = texts(output)
    opening = f"::: {{{label}.cell-output .cell-output-display}}"
    if "image/svg+xml" in data:
        return f"{opening}\n![A caption](figure.svg){{fig-alt='words'}}\n:::"
    if "text/html" in data:
        return f"{opening}\n```{{=html}}\n{data['text/html']}\n```\n:::"
    return f"{opening}\n```\n{data.get('text/plain', '')}\n```\n:::"


def quarto_markdown(cells):
    """The Markdown of code cells that Quarto hands to pandoc."""
    parts = []
    for one in cells:
        options, source = split_options("".join(one["source"]))
        forwarded = {key: value for key, value in options.items() if key not in INTERNAL}
        attributes = "".join(f" {key}='{json.dumps(value)}'" for key, value in forwarded.items())
        code = "".join(
            f' {key}="{str(options[key]).lower() if options[key] is True else options[key]}"'
            for key in ("code-fold", "code-summary")
            if key in options
        )
        label = f"#{options['label']} " if "label" in options else ""
        blocks = [f"::: {{#cell-{len(parts)} .cell{attributes} execution_count=1}}"]
        if options.get("echo", True):
            blocks.append(f"```` {{.python .cell-code{code}}}\n{source}\n````")
        blocks += [output_markdown(output, label) for output in one["outputs"]]
        parts.append("\n\n".join([*blocks, ":::"]))
    return "\n\n".join(parts)


def filtered(*cells, to="html"):
    return pandoc(
        quarto_markdown(cells),
        "-t",
        to,
        f"--lua-filter={EXTENSION / 'aucbook.lua'}",
        reader="markdown",
    )


def test_quarto_finds_the_extension():
    """It looks for folders _extensions from a page upwards; nbdev copies nbs/_extensions with the pages."""
    facts = yaml.safe_load((EXTENSION / "_extension.yml").read_text(encoding="utf8"))
    (one,) = facts["contributes"]["filters"]
    assert (EXTENSION / one["path"]).is_file()
    assert one["at"] == "pre-ast"  # later Quarto has made figures of labelled outputs
    config = yaml.safe_load((ROOT / "_quarto.yml").read_text(encoding="utf8"))
    assert config["filters"] == [EXTENSION.name]
    assert EXTENSION.parent.parent == ROOT / "nbs"


def test_a_guess_waits():
    made = filtered(cell("#| guess: true\nprint(6 * 7)", printed("42")))
    before, summary, after = made.partition("<summary>Show what it says</summary>")
    assert summary and "42" in after.split("</details>")[0] and "42" not in before
    assert "print" in before and "guess=" not in made


def test_a_guess_with_a_figure_waits_whole():
    """Quarto takes a labelled output out of its cell: the fold is around both."""
    picture = {"output_type": "display_data", "data": {"image/svg+xml": ["<svg/>"]}}
    source = '#| guess: true\n#| label: fig-a\n#| fig-cap: "A"\n#| fig-alt: "a"\nplot()'
    made = filtered(cell(source, picture))
    assert made.startswith('<details class="fold guess">') and made.endswith("</details>\n")
    assert made.count("<details") == 1 and 'id="fig-a"' in made


def test_a_checker_is_not_shown_and_a_solution_is_folded():
    made = filtered(
        cell("#| live: true\nn = 1\nn", printed("1")),
        cell('#| live-check: true\nprint("all right" if n == 2 else n)', printed("1")),
        cell('#| code-fold: true\n#| code-summary: "Solution"\nn = 2\nn', printed("2")),
    )
    shown = re.sub(r"(?s)<script.*?</script>", "", made)
    assert "all right" not in shown and "live-check" not in shown
    solution = made[made.index("<summary>Solution</summary>") :]
    assert solution.index("2") < solution.index("</details>") and "code-fold" not in solution
    assert made.count("<details") == 1


def test_a_question_stands_above_the_code_of_its_answer():
    question = rich('<div class="predict">Which?</div>')
    made = filtered(cell('#| code-fold: true\n#| code-summary: "How"\nasked()', question))
    assert made.index("Which?") < made.index("asked(")
    assert 'code-fold="true"' in made  # Quarto folds it


def test_other_formats_have_no_html():
    made = filtered(
        cell("#| guess: true\nprint(6 * 7)", printed("42")),
        cell("#| live-check: true\nprint(1)", printed("1")),
        to="latex",
    )
    assert "42" in made and "details" not in made and "print(1)" not in made


def data_of(made):
    """The options of each live cell that the page's script reads."""
    return [
        json.loads(text)
        for text in re.findall(r'(?s)<script type="application/json">(.*?)</script>', made)
    ]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_live_cells_have_the_options_that_our_builder_writes(path):
    """Lua reads the names of a checker as Python's own parser does; folds and checkers of a whole lesson."""
    notebook = json.loads(path.read_text(encoding="utf8"))
    code = [one for one in notebook["cells"] if one["cell_type"] == "code"]
    options = [split_options("".join(one["source"]))[0] for one in code]
    made = filtered(*code)
    ours = [one.as_data() for one in live_cells({"cells": code}).values() if one]
    assert data_of(made) == [{key: one[key] for key in one if key != "code"} for one in ours]
    assert re.findall(r'id="(live-\d+)"', made) == [f"live-{i + 1}" for i in range(len(ours))]
    guesses = sum(
        1
        for one, cell_options in zip(code, options, strict=True)
        if cell_options.get("guess") and one["outputs"]
    )
    assert made.count("<summary>Show what it says</summary>") == guesses
    assert "data-guess" not in made and "data-live" not in made


def test_quartos_pages_get_the_scripts_of_live_cells(tmp_path):
    """The filter asks Quarto for them if `python -m website quarto` has written them."""
    folder = tmp_path / "aucbook"
    shutil.copytree(EXTENSION, folder)
    stub = tmp_path / "stub.lua"
    stub.write_text(
        "quarto = { utils = { resolve_path = function(name) return FOLDER .. '/' .. name end },\n"
        "  doc = { add_html_dependency = function(one) io.stderr:write(one.scripts[1].path, ' ', one.resources[1], '\\n') end } }\n"
        f"FOLDER = '{folder.as_posix()}'\n" + (folder / "aucbook.lua").read_text(encoding="utf8")
    )

    def scripts():
        import pypandoc

        command = [
            pypandoc.get_pandoc_path(),
            "-f",
            "markdown",
            "-t",
            "html",
            f"--lua-filter={stub}",
        ]
        text = quarto_markdown([cell("#| live: true\nn = 1")])
        return subprocess.run(
            command, input=text, capture_output=True, text=True, check=True
        ).stderr

    for name in ("live.js", "live-runtime.js"):
        (folder / name).unlink(missing_ok=True)
    assert scripts() == ""
    (folder / "live.js").write_text("")
    assert scripts() == "live.js live-runtime.js\n"


def test_what_is_wrong_with_quartos_pages(tmp_path):
    notebook = {
        "cells": [
            cell("#| guess: true\nprint(1)", printed("1")),
            cell("#| live: true\nn = 1"),
            cell("#| live-check: true\nprint(n)"),
        ]
    }
    made = filtered(*notebook["cells"])
    assert page_problems(notebook, made + '<script src="x/live.js"></script>') == []
    assert page_problems(notebook, made) == ["live cells, and no script for them"]
    unseen = pandoc(quarto_markdown(notebook["cells"]), "-t", "html", reader="markdown")
    assert len(page_problems(notebook, unseen)) == 4
    rendered = tmp_path / "_rendered"
    rendered.mkdir()
    for name in ("a", "b"):
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(notebook))
    (rendered / "a.html").write_text(made)
    assert report(tmp_path, rendered) == [
        "a: live cells, and no script for them",
        "b: not rendered",
    ]


def test_a_live_cell_becomes_an_editor_on_a_page_as_quartos(tmp_path):
    """The page that pandoc writes from what Quarto hands over, with the scripts of the extension, in Chromium."""
    chromium = shutil.which("chromium")
    if not (chromium and scripts.available()):
        pytest.skip("needs chromium, and npm ci --prefix website/live")
    scripts.write_for_quarto(tmp_path)
    assert ".live-editor" in (tmp_path / "live.css").read_text(encoding="utf8")
    body = filtered(
        cell("#| live: true\n#| guess: true\nn = 1\nn", printed("1")),
        cell("#| live-check: true\nprint(n)", printed("1")),
        cell("#| live: true\nn + 1", printed("2")),
    )
    page = tmp_path / "page.html"
    page.write_text(
        f"<!doctype html><html><body>{body}<script src='live.js'></script></body></html>"
    )
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert shown.count('class="live-run"') == shown.count('class="live-editor"') == 2
    guess, stored = re.findall(
        r'(?s)<div class="live-output" aria-live="polite">(.*?)</div></div>', shown
    )
    assert guess.startswith('<details class="fold guess">') and "cell-output" in stored
