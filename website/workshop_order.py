"""The workshop's section of _quarto.yml: every notebook of nbs/workshop, in order of dependency.

A module stands after the modules it imports. Where that leaves a choice, the modules that import nothing come first, then the order of the course."""

import ast
import re

import yaml
from navigation import contents
from project import HERE, ROOT

TITLE = "The workshop"


def modules(folder):
    "{stem of a notebook: module it exports, or None}."
    found = {}
    for path in folder.glob("*.ipynb"):
        export = re.search(r'"#\| default_exp ([\w.]+)', path.read_text(encoding="utf8"))
        found[path.stem] = export and export[1]
    return found


def imports(package, module):
    "The modules of the package that a module imports anywhere in its text."
    path = package / f"{module}.py"
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))) if path.exists() else []:
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] == package.name):
            inside = node.module.split(".")[0 if node.level else 1 :] if node.module else []
            found |= {inside[0]} if inside else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith(package.name + ".")}
    return found - {module}


def ordered(needs, wished):
    "The keys of `needs` {module: modules it needs}, each after what it needs, otherwise as `wished`."
    done = []

    def place(module, above=()):
        if module in done or module in above or module not in needs:
            return
        for needed in sorted(needs[module], key=lambda m: (m not in wished, wished.index(m) if m in wished else 0, m)):
            place(needed, (*above, module))
        done.append(module)

    for module in [
        *sorted(m for m in needs if not needs[m] & needs.keys() and m not in wished),
        *wished,
        *sorted(needs),
    ]:
        place(module)
    return done


def workshop(root=ROOT):
    "The notebooks of the workshop in order, from nbs: the first page, the modules, whatever exports nothing."
    exported = modules(root / "nbs/workshop")
    pages = {module: stem for stem, module in exported.items() if module}
    subjects = yaml.safe_load((HERE / "subjects.yml").read_text(encoding="utf8"))
    lessons = [
        file.removeprefix("lessons/").removesuffix(".ipynb")
        for _, file in contents(yaml.safe_load((root / "_quarto.yml").read_text(encoding="utf8")))
        if file.startswith("lessons/")
    ]
    wished = [stem for lesson in lessons for stem in [lesson, *subjects.get(lesson, [])] if stem in pages]
    stems = [
        pages[module]
        for module in ordered(
            {module: imports(root / "aucbook", module) for module in pages}, list(dict.fromkeys(wished))
        )
    ]
    others = sorted((stem for stem, module in exported.items() if not module), key=lambda stem: (stem != "index", stem))
    return [f"workshop/{stem}.ipynb" for stem in [*others[:1], *stems, *others[1:]]]


def rewrite(root=ROOT):
    "Put the section into _quarto.yml, before the evidence. True if the file changed."
    path = root / "_quarto.yml"
    old = path.read_text(encoding="utf8")
    lines = "".join(f"          - {file}\n" for file in workshop(root))
    section = f'      - section: "{TITLE}"\n        contents:\n{lines}' if lines else ""
    without = re.sub(rf'      - section: "{TITLE}"\n        contents:\n(?:          - .*\n)*', "", old)
    new = without.replace('      - section: "Evidence"\n', section + '      - section: "Evidence"\n', 1)
    path.write_text(new, encoding="utf8")
    return new != old
