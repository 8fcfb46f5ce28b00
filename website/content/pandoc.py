"""Pandoc, as PyPI has it."""

import subprocess

import pypandoc

from website.project import BuildError

READER = "markdown-implicit_figures"
# Control characters, which a cell may print and no page may hold, as the signs that stand for them.
SIGNS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n\r"}


def pandoc(text, *arguments, reader=READER):
    """What pandoc makes of a text; a warning (about TeX, or a citation) is an error here."""
    path = pypandoc.get_pandoc_path()
    done = subprocess.run(
        [path, "-f", reader, "--wrap=none", "--fail-if-warnings", *arguments],
        input=text.translate(SIGNS),
        capture_output=True,
        text=True,
        encoding="utf8",
    )
    if done.returncode:
        raise BuildError(done.stderr.strip())
    return done.stdout
