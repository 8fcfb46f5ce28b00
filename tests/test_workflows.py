"""What runs on the server: permissions, pins, and the facts that settings.ini also states."""

import re
import subprocess
import sys

import pytest

yaml = pytest.importorskip("yaml")
FILES = ["publish", "release"]


@pytest.fixture(scope="module", params=FILES)
def workflow(root, request):
    return yaml.safe_load((root / f".github/workflows/{request.param}.yml").read_text(encoding="utf8"))


def test_each_job_says_what_it_may(workflow):
    assert workflow["permissions"] == {} and workflow["concurrency"]
    for name, job in workflow["jobs"].items():
        rights = {right for right, level in job["permissions"].items() if level == "write"}
        assert rights <= {"pages", "id-token"} and (not rights or name == "publish"), name
        assert not rights or all("run" not in step for step in job["steps"]), (
            f"{name} may write: it runs no code of the repository"
        )
        assert job["timeout-minutes"] <= 60


def test_actions_are_pinned(workflow):
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"actions/[\w-]+@v\d+|pypa/gh-action-pypi-publish@release/v1", step["uses"]), step[
                    "uses"
                ]
            if step.get("uses", "").startswith("actions/checkout"):
                assert step["with"]["persist-credentials"] is False


def test_what_is_published_was_built_and_tested(root):
    jobs = yaml.safe_load((root / ".github/workflows/publish.yml").read_text(encoding="utf8"))["jobs"]
    assert "test" in jobs["book"]["needs"] and jobs["publish"]["needs"] == "book"
    steps = jobs["book"]["steps"]
    assert any(step.get("run") == "make book" for step in steps) and steps[-1]["with"] == {"path": "_site"}


def test_tested_pythons_are_the_declared_ones(root, config):
    jobs = yaml.safe_load((root / ".github/workflows/publish.yml").read_text(encoding="utf8"))["jobs"]
    pythons = config["pythons"].split()
    assert jobs["test"]["strategy"]["matrix"]["python"] == pythons and pythons[0] == config["min_python"]


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
    "The step itself, run on a small repository"
    steps = yaml.safe_load((root / ".github/workflows/release.yml").read_text(encoding="utf8"))["jobs"]["build"][
        "steps"
    ]
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
        [sys.executable, "-m", "pre_commit", "validate-config", str(root / ".pre-commit-config.yaml")], check=True
    )
    hooks = [
        hook
        for repo in yaml.safe_load((root / ".pre-commit-config.yaml").read_text(encoding="utf8"))["repos"]
        for hook in repo["hooks"]
    ]
    for hook in hooks:  # they run what `make` installed: nothing is fetched at a commit
        assert hook["language"] == "system" and hook["entry"].startswith(".venv/bin/python ")
