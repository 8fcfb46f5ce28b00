"""Notebooks processed by nbdev: hidden cells dropped, links to documented names."""

import re
import shutil
from pathlib import Path

from website.project import BuildError

OWN_OPTIONS = ("guess", "live-check", "live")  # that content/cells.py and live/ read
MODULE = "aucbook_module"  # in the metadata of a processed notebook: the module that it exports
EXPORTED = re.compile(r"^#\|\s*default_exp\s+([\w.]+)", re.M)
EXPORTED_IN_FILE = re.compile(r'"#\| default_exp ([\w.]+)')  # in the text of a notebook's file


def exported_module(notebook, package):
    """The module that a notebook exports, as Python imports it; '' if it exports none."""
    for cell in notebook["cells"]:
        export = EXPORTED.search("".join(cell["source"])) if cell["cell_type"] == "code" else None
        if export:
            return f"{package}.{export[1]}"
    return ""


def check_options(cell):
    """Stop at an option of ours without a value: nbdev drops it, and an answer would be shown."""
    for word in OWN_OPTIONS:
        if word in (cell.get("directives_") or {}):
            raise BuildError(f"write `#| {word}: true`, as nbdev drops `#| {word}`:\n{cell.source}")


def own_filters():
    """Nbdev's filters without those whose work is done here.

    Cards come from the library itself, where a page asks for one (reference/cards.py); the
    notebooks have their own folds; and nobody edits what is made here, so nobody is warned.
    """
    from nbdev.processors import (
        FilterDefaults,
        add_fold,
        add_show_docs,
        exec_show_docs,
        insert_warning,
        mv_exports,
    )

    dropped = (add_show_docs, exec_show_docs, mv_exports, add_fold, insert_warning)

    class Filters(FilterDefaults):
        def base_procs(self):
            return [step for step in super().base_procs() if step not in dropped] + [check_options]

    return Filters()


def process():
    """Run nbdev over the notebooks, folders included. Returns the folder of processed notebooks."""
    from execnb.nbio import read_nb, write_nb
    from nbdev.config import get_config
    from nbdev.doclinks import _build_modidx, nbglob

    _build_modidx()
    config = get_config()
    filters = own_filters()
    source = Path(config.nbs_path)
    processed = Path(config.config_path) / "_proc"
    shutil.rmtree(processed, ignore_errors=True)
    for path in nbglob(source, func=Path):
        notebook = read_nb(path)
        module = exported_module(notebook, config.lib_path.name)
        filters(notebook)
        notebook.metadata[MODULE] = module
        target = processed / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_nb(notebook, target)
    shutil.copy(source / "_quarto.yml", processed)
    return processed
