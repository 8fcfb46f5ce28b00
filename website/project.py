"""Where things are, and what settings.ini says about them."""

from configparser import ConfigParser
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIBLIOGRAPHY = ROOT / "nbs/references.bib"


class BuildError(Exception):
    """Something in the sources that a reader would stumble over; its text is one line for each problem."""


def settings(root=ROOT):
    "The facts of settings.ini, as a mapping."
    ini = ConfigParser(delimiters=["="])
    ini.read(root / "settings.ini", encoding="utf8")
    return ini["DEFAULT"]


def site_url():
    "Where the site is published; nbdev writes it into the links to documented names."
    facts = settings()
    return facts["doc_host"] + facts["doc_baseurl"]


def load(name):
    "What a file of website/data/ says."
    return yaml.safe_load((HERE / "data" / name).read_text(encoding="utf8"))
