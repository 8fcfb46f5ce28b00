"""Two sections of _quarto.yml, written from the notebooks.

The workshop: every notebook of nbs/workshop, folder by folder, in order of dependency. A
sub-package stands after those that it imports, a module after the modules of its sub-package that
it imports; two sub-packages of one folder (`_tables`, `tables`) stand together. Where that leaves
a choice, what imports nothing comes first, then the order of the course.

How to: every notebook of nbs/howto, in the order of _quarto.yml; one that is new comes last.
"""

import ast

import yaml

from website.content.notebooks import EXPORTED_IN_FILE
from website.navigation.contents import contents
from website.project import ROOT, load

SECTIONS = ["How to", "The workshop", "Evidence"]  # what follows the workshop is written by hand


def modules(folder):
    """{module: the page that exports it} in a folder; a page that exports none has its own name."""
    page_of = {}
    for path in sorted(folder.rglob("[!.]*.ipynb")):
        page = path.relative_to(folder).with_suffix("").as_posix()
        export = EXPORTED_IN_FILE.search(path.read_text(encoding="utf8"))
        page_of[export[1] if export else page] = page
    return page_of


def imports(package, module):
    """The modules of the package that a module imports anywhere in its text: `metrics`, `a.b`."""
    path = package / f"{module.replace('.', '/')}.py"
    if not path.exists():
        return set()
    inside = [package.name, *module.split(".")]
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        start = inside[: -node.level] if node.level else []
        first, *rest = [*start, *(node.module or "").split(".")]
        if first == package.name and any(rest):
            imported.add(".".join(filter(None, rest)))
    return imported


def ordered(needs, preferred):
    """The keys of {name: names it needs}, each after what it needs, otherwise as `preferred`."""
    done = []

    def preference(name):
        if name in preferred:
            return False, preferred.index(name), name
        return True, 0, name

    def place(name, above=()):
        if name in done or name in above or name not in needs:
            return
        for needed in sorted(needs[name], key=preference):
            place(needed, (*above, name))
        done.append(name)

    independent = [name for name in needs if not needs[name] & needs.keys()]
    first = sorted(name for name in independent if name not in preferred)
    for name in [*first, *preferred, *sorted(needs)]:
        place(name)
    return done


def package_of(module):
    """The sub-package of a module."""
    return module.partition(".")[0]


def preferred_modules(root, module_of):
    """The modules of the workshop in the order of the course; `module_of`: {page: its module}."""
    subjects = load("subjects.yml")
    config = yaml.safe_load((root / "_quarto.yml").read_text(encoding="utf8"))
    files = [file for _, file in contents(config) if file.startswith("lessons/")]
    lessons = [file.removeprefix("lessons/").removesuffix(".ipynb") for file in files]
    pages = [page for lesson in lessons for page in subjects.get(lesson, [])]
    return [module_of[page] for page in pages if page in module_of]


def package_needs(needs):
    """{sub-package: the others that its modules import} from the needs of modules."""
    needs_of = {}
    for module, needed in needs.items():
        own = package_of(module)
        needs_of.setdefault(own, set()).update({package_of(one) for one in needed} - {own})
    return needs_of


def workshop(root=ROOT):
    """[(folder, files of its pages from nbs), …] in order.

    Pages in no sub-package have the folder '': the first page, and after all others the rest.
    """
    pages = modules(root / "nbs/workshop")
    module_of = {page: module for module, page in pages.items()}
    preferred = preferred_modules(root, module_of)
    package = root / "aucbook"
    needs = {module: imports(package, module) for module, page in pages.items() if "/" in page}
    exported = {module: needed for module, needed in needs.items() if "/" not in module}
    folders = {}
    for name in ordered(package_needs(exported), [package_of(module) for module in preferred]):
        own = {module: needed for module, needed in exported.items() if package_of(module) == name}
        for module in ordered(own, preferred):
            # `_tables` and `tables` share a folder
            folder = pages[module].partition("/")[0]
            folders.setdefault(folder, []).append(f"workshop/{pages[module]}.ipynb")
    for page in sorted(needs.keys() - exported.keys()):  # pages that export no module
        folders.setdefault(page.partition("/")[0], []).append(f"workshop/{page}.ipynb")
    single = sorted((page for page in module_of if "/" not in page), key=index_first)
    around = [f"workshop/{page}.ipynb" for page in single]
    return [("", around[:1]), *folders.items(), ("", around[1:])]


def index_first(page):
    """A key that sorts the first page before the others."""
    return page != "index", page


def howto(root=ROOT):
    """The pages of nbs/howto: those of _quarto.yml in its order, then the others by name."""
    config = yaml.safe_load((root / "_quarto.yml").read_text(encoding="utf8"))
    nbs = root / "nbs"
    paths = sorted((nbs / "howto").glob("[!.]*.ipynb"))
    existing = [path.relative_to(nbs).as_posix() for path in paths]
    listed = [file for _, file in contents(config) if file in existing]
    return [*listed, *(file for file in existing if file not in listed)]


def with_section(text, title, lines):
    """The text of _quarto.yml with these lines as a section, before the one that follows it."""
    number = SECTIONS.index(title)
    start = f'      - section: "{title}"\n'
    after = f'      - section: "{SECTIONS[number + 1]}"\n'
    before = text.partition(start)[0].partition(after)[0]
    rest = after + text.partition(after)[2]
    section = [start[:-1], "        contents:", *lines]
    return before + "".join(line + "\n" for line in section) + rest


def workshop_lines(root=ROOT):
    """The lines of the workshop's section."""
    lines = []
    for folder, files in workshop(root):
        indent = " " * 10
        if folder:
            lines += [f'{indent}- section: "{folder}"', f"{indent}  contents:"]
            indent += " " * 4
        lines += [f"{indent}- {file}" for file in files]
    return lines


def rewrite(root=ROOT):
    """Put both sections into _quarto.yml. True if the file changed."""
    path = root / "_quarto.yml"
    old = path.read_text(encoding="utf8")
    new = with_section(old, "The workshop", workshop_lines(root))
    if pages := howto(root):
        new = with_section(new, "How to", [f"          - {file}" for file in pages])
    path.write_text(new, encoding="utf8")
    return new != old
