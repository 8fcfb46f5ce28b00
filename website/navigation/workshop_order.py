"""Two sections of _quarto.yml. The workshop: every notebook of nbs/workshop, wing by wing, in order of dependency. How to: every notebook
of nbs/howto, in the order in which _quarto.yml has them; one that is new comes last.

A wing stands after the wings that it imports, a room after the rooms of its wing that it imports. Where that leaves a choice, what
imports nothing comes first, then the order of the course."""

import ast
import re

import yaml

from website.navigation.contents import contents
from website.project import ROOT, load

SECTIONS = ["How to", "The workshop", "Evidence"]  # in this order; what comes after the workshop is written by hand


def modules(folder):
    "{module: the page that exports it} of the notebooks in a folder; a page that exports none stands under its own name."
    found = {}
    for path in sorted(folder.rglob("[!.]*.ipynb")):
        page = path.relative_to(folder).with_suffix("").as_posix()
        export = re.search(r'"#\| default_exp ([\w.]+)', path.read_text(encoding="utf8"))
        found[export[1] if export else page] = page
    return found


def imports(package, module):
    "The modules of the package that a module imports anywhere in its text: `metrics`, `_core.checks`."
    path, found = package / f"{module.replace('.', '/')}.py", set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))) if path.exists() else []:
        if isinstance(node, ast.ImportFrom):
            start = [package.name, *module.split(".")][: -node.level] if node.level else []
            first, *inside = [*start, *(node.module or "").split(".")]
            if first == package.name and any(inside):
                found.add(".".join(filter(None, inside)))
    return found


def ordered(needs, wished):
    "The keys of `needs` {thing: things it needs}, each after what it needs, otherwise as `wished`."
    done = []

    def place(thing, above=()):
        if thing in done or thing in above or thing not in needs:
            return
        for needed in sorted(needs[thing], key=lambda m: (m not in wished, wished.index(m) if m in wished else 0, m)):
            place(needed, (*above, thing))
        done.append(thing)

    free = sorted(m for m in needs if not needs[m] & needs.keys() and m not in wished)
    for thing in [*free, *wished, *sorted(needs)]:
        place(thing)
    return done


def workshop(root=ROOT):
    "[(wing, files of its pages from nbs), …] in order; what lies in no wing has the wing '': the first page, and after all wings the rest."
    pages = modules(root / "nbs/workshop")
    named = {page: module for module, page in pages.items()}
    subjects = load("subjects.yml")
    config = yaml.safe_load((root / "_quarto.yml").read_text(encoding="utf8"))
    course = [file[8:-6] for _, file in contents(config) if file.startswith("lessons/")]
    wished = [named[page] for lesson in course for page in subjects.get(lesson, []) if page in named]
    rooms = {module: imports(root / "aucbook", module) for module, page in pages.items() if "/" in page}
    wing = lambda module: module.partition(".")[0]
    wings = {wing(module): set() for module in rooms}
    for module, needed in rooms.items():
        wings[wing(module)] |= set(map(wing, needed)) - {wing(module)}
    found = []
    for name in ordered(wings, list(map(wing, wished))):
        inside = ordered({m: needed for m, needed in rooms.items() if wing(m) == name}, wished)
        found.append((pages[inside[0]].partition("/")[0], [f"workshop/{pages[m]}.ipynb" for m in inside]))
    around = [f"workshop/{page}.ipynb" for page in sorted(named, key=lambda p: (p != "index", p)) if "/" not in page]
    return [("", around[:1]), *found, ("", around[1:])]


def howto(root=ROOT):
    "The pages of nbs/howto from nbs: those that _quarto.yml lists as it has them, then the others by name."
    config = yaml.safe_load((root / "_quarto.yml").read_text(encoding="utf8"))
    there = [path.relative_to(root / "nbs").as_posix() for path in sorted((root / "nbs/howto").glob("[!.]*.ipynb"))]
    listed = [file for _, file in contents(config) if file in there]
    return [*listed, *(file for file in there if file not in listed)]


def placed(text, title, lines):
    "The text of _quarto.yml in which the section of this title has these lines, and stands before the one that follows it."
    start, after = (f'      - section: "{name}"\n' for name in SECTIONS[SECTIONS.index(title) :][:2])
    before, rest = text.partition(start)[0].partition(after)[0], after + text.partition(after)[2]
    return before + "".join(line + "\n" for line in [start[:-1], "        contents:", *lines]) + rest


def rewrite(root=ROOT):
    "Put both sections into _quarto.yml. True if the file changed."
    path, lines = root / "_quarto.yml", []
    for wing, files in workshop(root):
        if wing:
            lines += [f'          - section: "{wing}"', "            contents:"]
        lines += [f"          {'    ' if wing else ''}- {file}" for file in files]
    old = path.read_text(encoding="utf8")
    new = placed(old, "The workshop", lines)
    if pages := howto(root):
        new = placed(new, "How to", [f"          - {file}" for file in pages])
    path.write_text(new, encoding="utf8")
    return new != old
