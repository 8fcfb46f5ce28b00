"""Packaging. Every fact lives in settings.ini, which nbdev reads too; this file only translates it for setuptools."""

import re
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

here = Path(__file__).parent
ini = ConfigParser(delimiters=["="])
ini.read(here / "settings.ini", encoding="utf8")
cfg = ini["DEFAULT"]
extras = {
    name: cfg[f"{name}_requirements"].split()
    for name in (
        *("lab", "files", "excel", "engines", "cluster", "models", "boosters", "shap", "onnx"),
        *("docs", "bench", "dev"),
    )
}
statuses = [
    "1 - Planning",
    "2 - Pre-Alpha",
    "3 - Alpha",
    "4 - Beta",
    "5 - Production/Stable",
    "6 - Mature",
    "7 - Inactive",
]
docs = cfg["doc_host"] + cfg["doc_baseurl"]
optional = ("docs", "files", "excel", "models", "shap", "onnx")
extras["dev"] = sorted({*extras["dev"], *(one for name in optional for one in extras[name])})


class Modules(build_py):
    "Without nbdev's index of the notebooks: each export makes it anew, and no user needs it"

    def find_package_modules(self, package, package_dir):
        found = super().find_package_modules(package, package_dir)
        return [one for one in found if one[:2] != ("aucbook", "_modidx")]


setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    # links to files of the repository lead there from a package index too
    long_description=re.sub(
        r"\]\((?!\w+:|#)",
        f"]({cfg['git_url']}/blob/{cfg['branch']}/",
        (here / "README.md").read_text(encoding="utf8"),
    ),
    long_description_content_type="text/markdown",
    author=cfg["author"],
    author_email=cfg["author_email"],
    url=cfg["git_url"],
    project_urls={
        "Documentation": docs + "/",
        "Source": cfg["git_url"],
        "Issues": cfg["git_url"] + "/issues",
        "Changelog": f"{cfg['git_url']}/blob/{cfg['branch']}/CHANGELOG.md",
    },
    classifiers=[
        f"Development Status :: {statuses[int(cfg['status']) - 1]}",
        f"Intended Audience :: {cfg['audience']}",
        f"Natural Language :: {cfg['language']}",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3 :: Only",
        *(f"Programming Language :: Python :: {python}" for python in cfg["pythons"].split()),
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Scientific/Engineering :: Mathematics",
        "Typing :: Typed",
    ],
    license="Apache-2.0",
    keywords=cfg["keywords"],
    python_requires=f">={cfg['min_python']}",
    install_requires=cfg["requirements"].split(),
    extras_require=extras,
    entry_points={"console_scripts": cfg["console_scripts"].split()},
    # Found, not listed: whatever a package of ours holds is installed. The notebooks, and what they read, travel as aucbook.nbs,
    # so that `aucbook lab` has them for someone who only ran pip.
    packages=[*find_packages(include=["aucbook", "aucbook.*"]), "aucbook.nbs"],
    package_dir={"aucbook.nbs": "nbs"},
    package_data={
        "": ["*.pyi", "py.typed", "*.js", "*.css"],
        "aucbook.nbs": [
            *(f"**/*.{kind}" for kind in ("ipynb", "py", "json", "csv", "bib", "toml")),
            *(f"_extensions/**/*.{kind}" for kind in ("lua", "yml")),
        ],
    },
    exclude_package_data={"aucbook.nbs": ["**/.*/*", "results/*.partial.json"]},
    include_package_data=False,
    cmdclass={"build_py": Modules},
    zip_safe=False,
)
