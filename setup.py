"""Packaging. Every fact lives in settings.ini, which nbdev reads too; this file only translates it for setuptools."""
from configparser import ConfigParser
from pathlib import Path

from setuptools import setup

here = Path(__file__).parent
ini = ConfigParser(delimiters=["="])
ini.read(here / "settings.ini", encoding="utf8")
cfg = ini["DEFAULT"]
extras = {name: cfg[f"{name}_requirements"].split() for name in ("lab", "files", "cluster", "docs", "dev")}
extras["dev"] = sorted({*extras["dev"], *extras["docs"], *extras["files"]})

setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    long_description=(here / "README.md").read_text(encoding="utf8"),
    long_description_content_type="text/markdown",
    author=cfg["author"],
    author_email=cfg["author_email"],
    url=cfg["git_url"],
    license="Apache-2.0",
    keywords=cfg["keywords"],
    python_requires=f">={cfg['min_python']}",
    install_requires=cfg["requirements"].split(),
    extras_require=extras,
    entry_points={"console_scripts": cfg["console_scripts"].split()},
    # The notebooks and the stored results they read travel as aucbook.nbs, so that `aucbook lab` has them for someone who only ran pip.
    packages=["aucbook", "aucbook.explore", "aucbook.nbs"],
    package_dir={"aucbook.nbs": "nbs"},
    package_data={"aucbook": ["py.typed", "*.pyi"], "aucbook.explore": ["*.js", "*.css"],
                  "aucbook.nbs": ["*.ipynb", "lessons/*.ipynb", "workshop/*.ipynb", "evidence/*.ipynb", "results/*.json"]},
    include_package_data=False,
    zip_safe=False,
)
