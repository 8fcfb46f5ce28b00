"""README calls a page by its title, and links the functions of its table to the reference."""

import json
import re

from discovery import PUBLIC


def lesson_title(page):
    """The first heading of a lesson."""
    cells = json.loads(page.read_text(encoding="utf8"))["cells"]
    return "".join(cells[0]["source"]).splitlines()[0].removeprefix("# ")


def test_readme_calls_lessons_by_their_titles(root):
    """In the paths and in the list of lessons; a title may be cut at its colon."""
    text = (root / "README.md").read_text(encoding="utf8")
    paths = re.findall(r"(?m)^(?:There is one path|If you only report|- \*\*).*", text)
    links = re.findall(r"\[([^\]]+)\]\([^)]*/(lessons/\w+\.ipynb)\)", "\n".join(paths))
    assert len(links) > 50
    for words, page in links:
        title = lesson_title(root / "nbs" / page)
        assert words in (title, title.partition(":")[0]), f"{page}: {title}"


def test_readme_links_functions_to_the_reference(root):
    """The table of tasks."""
    text = (root / "README.md").read_text(encoding="utf8")
    table = text[text.index("| task |") :].partition("\n\n")[0]
    links = re.findall(r"\[`(\w+)`\]\(([^)]*)\)", table)
    assert len(links) > 8
    for name, address in links:
        package = PUBLIC[name].__module__.split(".")[1]
        assert address.endswith(f"/reference/{package}.html#{name}")
