"""The package as its users meet it: names, imports, the wheel."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import packages_distributions, requires

import pytest
from discovery import MODULES, PACKAGE, PACKAGES_WITH_API, PUBLIC, PUBLIC_HOME
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from warm_kernels import imports

import aucbook
from website.reference.names import UNDOCUMENTED

STUBS = {
    "aucbook": PACKAGE / "__init__.pyi",
    **{w.__name__: PACKAGE / name / "__init__.pyi" for name, w in PACKAGES_WITH_API.items()},
}
EVERYDAY = 60  # names in dir(aucbook) beside the packages: what fits a head, and a screen


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_import_is_lazy():
    heavy = "numba", "scipy", "sklearn", "matplotlib", "ipywidgets", "pandas"
    assert run(f"import sys, aucbook; print([m for m in {heavy} if m in sys.modules])") == "[]"


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_resolve(name):
    home = importlib.import_module(PUBLIC_HOME[name])
    assert getattr(home, name) is PUBLIC[name] and name in dir(home)
    if callable(PUBLIC[name]):
        assert PUBLIC[name].__doc__
        assert PUBLIC[name].__module__.startswith("aucbook.")


@pytest.mark.parametrize("package", STUBS)
def test_the_stub_is_the_list(package):
    """Sorted as ruff does (AUC before Brier), each name once and re-exported as type checkers want it (`as` itself)."""
    rows = [
        (node.module or "", alias.name, alias.asname)
        for node in ast.parse(STUBS[package].read_text(encoding="utf8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]

    def order(row):
        return (row[0], not row[1].isupper(), row[1][0].islower(), row[1].lower())

    assert rows == sorted(rows, key=order) and all(name == again for _, name, again in rows)
    assert sorted(name for _, name, _ in rows) == sorted(importlib.import_module(package).__all__)


def test_everyday_names_are_few_and_each_name_has_one_module():
    assert len(set(aucbook.__all__) - {*PACKAGES_WITH_API, "explore", "datasets"}) <= EVERYDAY
    # a widget bears the name of what it draws, such as lab.subgroups; the calibrator by isotonic
    # regression is documented there, and can be imported from where all calibrators are
    homes = [
        name
        for key, package in PACKAGES_WITH_API.items()
        if key != "lab"
        for name in package.__all__
        if (key, name) != ("calibration", "PAVCalibrator")
    ]
    assert len(homes) == len(set(homes)), "a name at two homes"
    for name in set(aucbook.__all__) & set(homes):
        assert any(
            getattr(package, name, None) is PUBLIC[name]
            for package in PACKAGES_WITH_API.values()
            if name in package.__all__
        )
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize(
    "home, word, says",
    [
        ("aucbook", "nothing", "has no 'nothing'$"),
        ("aucbook", "roc_aucc", "Did you mean roc_auc, from aucbook"),
        ("aucbook", "Binormal", "from aucbook.theory import Binormal"),
        ("aucbook.metrics", "auc_interval", "from aucbook import auc_interval"),
        ("aucbook.trees", "TreeRankForrest", "Did you mean TreeRankForest, from aucbook"),
    ],
)
def test_an_unknown_name_suggests_the_right_one(home, word, says):
    with pytest.raises(AttributeError, match=says):
        getattr(importlib.import_module(home), word)


def test_the_changelog_begins_with_what_matters_most(root):
    """Ten highlights, then what breaks, with the table of names; each thing is said once."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf8")
    versions = dict(re.findall(r"(?ms)^## (\S+)(.*?)(?=^## |\Z)", text))
    assert "unreleased" not in versions["0.2.0"].splitlines()[0]
    sections = re.findall(r"(?ms)^### (.+?)\n(.*?)(?=^### |\Z)", versions["0.3.0"])
    titles = [title for title, _ in sections]
    assert titles[:2] == ["Highlights", "Breaking changes"]
    assert re.findall(r"(?m)^(\d+)\.", sections[0][1]) == [str(k) for k in range(1, 11)]
    assert "\n| 0.2.0 | 0.3.0 |\n" in sections[1][1]
    items = re.findall(r"(?m)^- (.{60})", versions["0.3.0"])
    assert len(items) == len(set(items))


def migration_rows(root):
    """(0.2.0, 0.3.0) of each row of the migration table of 0.3.0 in CHANGELOG.md."""
    versions = (root / "CHANGELOG.md").read_text(encoding="utf8").split("\n## ")
    section = next(text for text in versions if text.startswith("0.3.0"))
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    assert lines[0] == "| 0.2.0 | 0.3.0 |"
    return [line.strip("| ").split(" | ") for line in lines[1:]]


def test_names_of_the_version_before_are_answered_with_ours(root):
    """The hint names something of the migration table's right column, or where the name is now."""
    count = 0
    for before, now in migration_rows(root):
        for name in re.findall(r"`(?:from aucbook import )?([A-Za-z_]\w*)(?=[`(])", before):
            if hasattr(aucbook, name):
                continue
            count += 1
            with pytest.raises(AttributeError) as error:
                getattr(aucbook, name)
            hint = str(error.value).partition(": ")[2]
            home = re.fullmatch(rf"from aucbook\.\w+ import {name}", hint)
            ours = re.findall(r"in this library it is (\w+)", hint)
            known = home or any(word.lower() in now.lower() for word in ours)
            assert known, error.value
    assert count > 90


def test_one_version(root, config):
    version = config["version"]
    assert aucbook.__version__ == version
    assert f"\nversion: {version}\n" in (root / "CITATION.cff").read_text(encoding="utf8")
    assert f"\n## {version}" in (root / "CHANGELOG.md").read_text(encoding="utf8"), (
        "what is new in this version?"
    )


def test_dependencies(config):
    assert {re.split("[<>=]", r)[0] for r in config["requirements"].split()} == {
        "numpy",
        "scipy",
        "numba",
        "matplotlib",
        "scikit-learn",
        "threadpoolctl",
        "lazy_loader",
        "tqdm",
    }


OFFERED = {"lightgbm", "xgboost", "catboost"}  # pages look whether they are there


def distributions_with(config, *keys):
    """Names of the distributions that these requirements bring, directly or through others."""
    comes = set()
    more = {canonicalize_name(Requirement(r).name) for key in keys for r in config[key].split()}
    while more:
        comes |= more
        requirements = [Requirement(r) for name in more for r in requires(name) or ()]
        more = {
            canonicalize_name(r.name)
            for r in requirements
            if not r.marker or r.marker.evaluate({"extra": ""})
        } - comes
    return comes


def without_distribution(modules, comes):
    """Those of a set of modules that no distribution in `comes` provides."""
    owners = packages_distributions()
    return {m for m in modules if not comes & {canonicalize_name(owner) for owner in owners[m]}}


def imported_at_once(tree):
    """Modules, without their submodules, that are imported when a module's source is executed."""
    wanted = set()
    nodes = list(tree.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            wanted |= {one.name.split(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            wanted.add(node.module.split(".")[0])
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)
    return wanted


def test_the_book_can_be_built_with_the_docs_alone(root, config):
    """The reference imports every documented module: what they, and the builder, import comes with `aucbook[docs]`."""
    paths = [
        *(root / "website").rglob("*.py"),
        *(
            path
            for path in (root / "aucbook").rglob("*.py")
            if path.relative_to(root / "aucbook").parts[0] not in UNDOCUMENTED
        ),
    ]
    paths = [path for path in paths if "node_modules" not in path.parts]
    wanted = set()
    for path in paths:
        wanted |= imported_at_once(ast.parse(path.read_text(encoding="utf8")))
    wanted -= {*sys.stdlib_module_names, "aucbook", "website", "__future__"}
    assert len(wanted) > 8
    comes = distributions_with(config, "requirements", "docs_requirements")
    assert without_distribution(wanted, comes) == set()


def test_who_installs_the_lab_can_run_every_page(root, config):
    """What pages import comes with `aucbook[lab]`, directly or with something that does, or lies beside them."""
    wanted = {name.partition(".")[0] for name in imports()}
    beside = {path.parent.name for path in (root / "nbs").rglob("__init__.py")}
    wanted -= {*sys.stdlib_module_names, *beside, *OFFERED, "aucbook", "__future__"}
    assert len(wanted) > 8
    comes = distributions_with(config, "requirements", "lab_requirements")
    assert without_distribution(wanted, comes) == set()


def tracked(root, *folders):
    """The files in some folders that git knows, or would take; links left out."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders]
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a checkout: git lists no files")
    return {
        n for n in listed.stdout.split("\0") if (root / n).is_file() and not (root / n).is_symlink()
    }


def contents(wheel):
    """{name: bytes} of a wheel, without its list of checksums."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            n: archive.read(n)
            for n in archive.namelist()
            if not n.endswith((".dist-info/RECORD", "/"))
        }


def test_every_file_is_in_sdist_and_wheel(root, distributions):
    """Whatever git tracks in aucbook/ and nbs/ travels, and nothing that lies there by accident."""
    (sdist,), (wheel,) = distributions.glob("*.tar.gz"), distributions.glob("*.whl")
    with tarfile.open(sdist) as archive:
        carried = {member.name.partition("/")[2] for member in archive if member.isfile()}
    files = tracked(root, "aucbook", "nbs")
    assert len(files) > 200 and files - carried == set()
    assert {name for name in carried if name.startswith(("aucbook/", "nbs/"))} == files
    installed = {name if name.startswith("aucbook/") else f"aucbook/{name}" for name in files}
    assert installed ^ {name for name in contents(wheel) if ".dist-info/" not in name} == set()


def test_the_sdist_builds_the_same_wheel(distributions):
    (from_sdist,), (from_tree,) = (
        distributions.glob("*.whl"),
        (distributions / "tree").glob("*.whl"),
    )
    assert contents(from_sdist) == contents(from_tree)


def test_no_link_of_the_description_leads_nowhere(distributions):
    """A package index shows README.md without the repository around it."""
    (wheel,) = distributions.glob("*.whl")
    about = next(
        text for name, text in contents(wheel).items() if name.endswith("METADATA")
    ).decode()
    assert not re.findall(r"\]\((?!https?:|#).*?\)", about)


@pytest.mark.parametrize(
    "module", [name for name in MODULES if not name.startswith(("cli", "explore"))]
)
def test_an_import_runs_nothing(module):
    """A lesson's example in an exported cell would run, and compile its kernels, at every import."""
    intended = {"_kernels.compiling": ["register('numba:compile', COMPILATION)"]}
    loose = [
        ast.unparse(node)
        for node in ast.parse(MODULES[module].read_text(encoding="utf8")).body
        if isinstance(node, (ast.For, ast.While, ast.With, ast.Assert))
        or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
    ]
    assert loose == intended.get(module, [])


def ranged():
    """{name: callable} of the public functions, classes and methods that take a range of false positive rates."""
    functions = {}
    for name, value in PUBLIC.items():
        for key, function in {"": value, **(vars(value) if inspect.isclass(value) else {})}.items():
            if (
                callable(function)
                and not key.startswith("_")
                and {"min_fpr", "max_fpr"} <= set(parameters(function))
            ):
                functions[f"{name}.{key}".rstrip(".")] = function
    return functions


def parameters(value):
    try:
        return inspect.signature(value).parameters
    except (TypeError, ValueError):  # a class whose metaclass does not say
        return {}


def test_the_range_has_one_name_and_the_old_words_are_answered():
    exceptions = {
        "log_auc",
        "LogAUC",
        "RocCurveDisplay.plot",
        "Comparison",
    }  # alpha means something else there, or it is not called by users
    for name, function in ranged().items():
        if name not in exceptions and name.partition(".")[0] not in exceptions:
            with pytest.raises(TypeError, match="min_fpr and max_fpr"):
                function(alpha=0.0, beta=0.1)


@pytest.mark.parametrize(
    "document", ["README.md", "CONTRIBUTING.md", ".github/RULES.md", ".github/RECIPES.md"]
)
def test_paths_that_a_document_names_exist(root, document):
    """A path in code style; those with NAME in them stand for many."""
    text = (root / document).read_text(encoding="utf8")
    folders = "aucbook|benchmarks|experiments|nbs|tests|tools|website"
    paths = re.findall(rf"`((?:{folders})/[\w./]+)`", text)
    missing = [path for path in paths if "NAME" not in path and not (root / path).exists()]
    assert not missing
