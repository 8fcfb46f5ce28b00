"""What runs on the server: permissions, pins, and the facts that settings.ini also states."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
FILES = ["publish", "release"]
WRITERS = {"publish": {"pages", "id-token"}, "colab": {"contents"}}  # jobs that may write, and what


@pytest.fixture(scope="module", params=FILES)
def workflow(root, request):
    return yaml.safe_load(
        (root / f".github/workflows/{request.param}.yml").read_text(encoding="utf8")
    )


def test_each_job_says_what_it_may(workflow):
    assert workflow["permissions"] == {} and workflow["concurrency"]
    for name, job in workflow["jobs"].items():
        rights = {right for right, level in job["permissions"].items() if level == "write"}
        assert rights <= WRITERS.get(name, set()), name
        if rights:
            commands = [line for step in job["steps"] for line in step.get("run", "").splitlines()]
            used = [step.get("uses", "") for step in job["steps"]]
            assert all(line.startswith("git ") for line in commands) and not any(
                action.startswith("actions/checkout") for action in used
            ), f"{name} may write: it runs no code of the repository"
        assert job["timeout-minutes"] <= 60


@pytest.mark.parametrize("name", FILES)
def test_actions_are_pinned(root, name):
    """A tag or a branch can be moved to other code; a commit cannot. The comment says which version it is, and dependabot moves both."""
    lines = (root / f".github/workflows/{name}.yml").read_text(encoding="utf8").splitlines()
    used = [line.partition("uses: ")[2] for line in lines if "uses:" in line]
    loose = [
        action
        for action in used
        if not re.fullmatch(
            r"(actions/[\w-]+|pypa/[\w-]+|quarto-dev/quarto-actions/setup)@[0-9a-f]{40} # v\d+\.\d+\.\d+",
            action,
        )
    ]
    assert used and loose == []


def test_a_checkout_keeps_no_credentials(workflow):
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout"):
                assert step["with"]["persist-credentials"] is False


PACKAGES_OF_NPM = ["tests/browser", "website/live"]


@pytest.mark.parametrize("folder", PACKAGES_OF_NPM)
def test_packages_of_npm_are_locked(root, folder):
    """Each by its checksum, from whichever registry the reader has: a lock file that names a host would fetch from there."""
    package, lock = (
        json.loads((root / folder / name).read_text(encoding="utf8"))
        for name in ("package.json", "package-lock.json")
    )
    assert lock["packages"][""]["dependencies"] == package["dependencies"]
    assert all(
        one["integrity"].startswith("sha512-") for name, one in lock["packages"].items() if name
    )
    assert "://" not in json.dumps(lock) and not any(
        "resolved" in one for one in lock["packages"].values()
    )
    assert "omit-lockfile-registry-resolved=true" in (root / folder / ".npmrc").read_text(
        encoding="utf8"
    )


def test_nothing_is_installed_past_a_lock(root):
    assert {
        path.parent.relative_to(root).as_posix() for path in root.glob("*/*/package.json")
    } == set(PACKAGES_OF_NPM)
    runs = [root / "Makefile", root / ".ci/run", *(root / ".github/workflows").glob("*.yml")]
    commands = re.findall(
        r"npm (?:i|install|ci|add)\b.*", "\n".join(path.read_text(encoding="utf8") for path in runs)
    )
    assert len(commands) == 5 and all(command.startswith("npm ci --prefix") for command in commands)


def test_what_is_published_was_built_and_tested(root):
    jobs = yaml.safe_load((root / ".github/workflows/publish.yml").read_text(encoding="utf8"))[
        "jobs"
    ]
    assert "test" in jobs["book"]["needs"] and jobs["publish"]["needs"] == "book"
    steps = jobs["book"]["steps"]
    assert any(step.get("run") == "make book" for step in steps) and steps[-1]["with"] == {
        "path": "_site"
    }


def test_tested_pythons_are_the_declared_ones(root, config):
    jobs = yaml.safe_load((root / ".github/workflows/publish.yml").read_text(encoding="utf8"))[
        "jobs"
    ]
    pythons = config["pythons"].split()
    assert (
        jobs["test"]["strategy"]["matrix"]["python"] == pythons
        and pythons[0] == config["min_python"]
    )


@pytest.mark.parametrize(
    "tag, heading, fine",
    [
        ("v1.2.3", "## 1.2.3 (2030-01-31)", True),
        ("v1.2.4", "## 1.2.3 (2030-01-31)", False),
        ("1.2.3", "## 1.2.3 (2030-01-31)", False),
        ("v1.2.3", "## 1.2.3 (unreleased)", False),
    ],
)
def test_a_tag_must_name_the_version(root, tmp_path, tag, heading, fine):
    """The step itself, run on a small repository."""
    steps = yaml.safe_load((root / ".github/workflows/release.yml").read_text(encoding="utf8"))[
        "jobs"
    ]["build"]["steps"]
    script = next(step["run"] for step in steps if "GITHUB_REF_NAME" in step.get("run", ""))
    (tmp_path / "settings.ini").write_text("[DEFAULT]\nversion = 1.2.3\nmin_python = 3.10\n")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=tmp_path,
        env={"GITHUB_REF_NAME": tag, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode == 0) == fine, done.stdout


def test_hooks_are_valid(root):
    pytest.importorskip("pre_commit")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pre_commit",
            "validate-config",
            str(root / ".pre-commit-config.yaml"),
        ],
        check=True,
    )
    hooks = [
        hook
        for repo in yaml.safe_load((root / ".pre-commit-config.yaml").read_text(encoding="utf8"))[
            "repos"
        ]
        for hook in repo["hooks"]
    ]
    for hook in hooks:  # they run what `make` installed: nothing is fetched at a commit
        assert hook["language"] == "system" and hook["entry"].startswith(".venv/bin/python ")


SAID = """\
SKIPPED [2] tests/test_a.py:12: node or chromium is not installed
SKIPPED [40] tests/conftest.py:259: node or chromium is not installed
SKIPPED [1] tests/test_b.py:7: could not import 'skops': No module named 'skops'
100 passed, 43 skipped in 9.00s
every line of the kernels ran
"""


@pytest.mark.parametrize("code", [0, 2])
def test_a_clean_clones_run_ends_with_what_was_skipped(root, tmp_path, code):
    """The script itself, with stand-ins for what it calls."""
    (tmp_path / "repository/.ci").mkdir(parents=True)
    shutil.copy(root / ".ci/run", tmp_path / "repository/.ci/run")
    (tmp_path / "said").write_text(SAID)
    for name, does in {
        "make": f"cat {tmp_path}/said; exit {code}",
        "npm": "exit 1",
        "chromium": "exit 1",
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["bash", str(tmp_path / "repository/.ci/run")],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines()[-4:] == [
        "    84  node or chromium is not installed",
        "     2  could not import 'skops': No module named 'skops'",
        "100 passed, 43 skipped in 9.00s",
        "100 passed, 43 skipped in 9.00s",
    ]  # of both commands
    assert "npm packages of the browser tests were not installed" in done.stdout


@pytest.mark.slow
def test_the_readme_holds_on_other_systems(root):
    """The step that macOS and Windows take with the wheel, run here."""
    jobs = yaml.safe_load((root / ".github/workflows/publish.yml").read_text(encoding="utf8"))[
        "jobs"
    ]
    assert jobs["elsewhere"]["strategy"]["matrix"]["system"] == ["macos-latest", "windows-latest"]
    assert {"elsewhere", "lines", "test"} <= set(jobs["book"]["needs"])
    (script,) = (
        step["run"] for step in jobs["elsewhere"]["steps"] if "README.md" in step.get("run", "")
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # its `python` is the one that runs this
    subprocess.run(
        ["bash", "-e", "-c", script], cwd=root, check=True, env=os.environ | {"PATH": path}
    )
