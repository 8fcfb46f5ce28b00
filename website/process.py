"""nbdev's part of the build: hidden cells dropped, exported code and API entries in place, links to documented names."""

import shutil
from pathlib import Path


def keep_live(cell):
    "nbdev drops the directives it has read; those of live cells are for us (live.py)."
    for word in ("live", "live-check"):
        if word in (cell.get("directives_") or {}):
            cell.source = f"#| {word}\n{cell.source}"


def without_execution():
    "nbdev's filters, except those that run cells: our API cards come from the library itself (cards.py), and folds are the notebooks' own."
    from nbdev.processors import FilterDefaults, add_fold, exec_show_docs

    class Filters(FilterDefaults):
        def base_procs(self):
            return [step for step in super().base_procs() if step not in (exec_show_docs, add_fold)] + [keep_live]

    return Filters()


def process():
    "Run nbdev over the notebooks, folders included. Returns the folder of processed notebooks."
    from execnb.nbio import read_nb, write_nb
    from nbdev.config import get_config
    from nbdev.doclinks import _build_modidx, nbglob

    _build_modidx()
    facts, filters = get_config(), without_execution()
    source, processed = Path(facts.nbs_path), Path(facts.config_path) / "_proc"
    shutil.rmtree(processed, ignore_errors=True)
    for path in nbglob(source, func=Path):
        notebook = read_nb(path)
        filters(notebook)
        target = processed / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_nb(notebook, target)
    shutil.copy(source / "_quarto.yml", processed)
    return processed
