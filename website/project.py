"""Where things are, and what settings.ini says about them."""

from configparser import ConfigParser
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIBLIOGRAPHY = ROOT / "nbs/references.bib"
EXTENSION = ROOT / "nbs/_extensions/aucbook"  # what Quarto and the builder share


class BuildError(Exception):
    """What is wrong with the sources of the book: one line for each problem."""


def settings(root=ROOT):
    """The facts of settings.ini, as a mapping."""
    ini = ConfigParser(delimiters=["="])
    ini.read(root / "settings.ini", encoding="utf8")
    return ini["DEFAULT"]


def site_url():
    """Where the site is published; nbdev writes it into the links to documented names."""
    facts = settings()
    return facts["doc_host"] + facts["doc_baseurl"]


def read_text(name):
    """The text of a file of the builder: `data/reading.md`."""
    return (HERE / name).read_text(encoding="utf8")


def load(name):
    """The content of a yml file of data/."""
    return yaml.safe_load(read_text(f"data/{name}"))
