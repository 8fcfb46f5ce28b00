"""Pandoc, as PyPI has it."""

import subprocess

import pypandoc

from website.project import BuildError


def pandoc(text, *arguments, reader="markdown-implicit_figures"):
    "Run pandoc; a warning (TeX, citation) is an error here."
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "-f", reader, "--wrap=none", "--fail-if-warnings", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf8",
    )
    if done.returncode:
        raise BuildError(done.stderr.strip())
    return done.stdout
