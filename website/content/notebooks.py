"""nbdev's part of the build: hidden cells dropped, exported code in place, links to documented names."""

import shutil
from pathlib import Path


def keep_live(cell):
    "nbdev drops the directives it has read; those of lessons are for us (content/cells.py, live/)."
    for word in ("guess", "live-check", "live"):
        if word in (cell.get("directives_") or {}):
            cell.source = f"#| {word}\n{cell.source}"


def own_filters():
    """nbdev's filters without those that make cards, or run cells for them (ours come from the library itself, where a page asks:
    reference/cards.py), without its folds (the notebooks have their own), and without its warning to whoever would edit what is made here."""
    from nbdev.processors import FilterDefaults, add_fold, add_show_docs, exec_show_docs, insert_warning, mv_exports

    class Filters(FilterDefaults):
        def base_procs(self):
            dropped = (add_show_docs, exec_show_docs, mv_exports, add_fold, insert_warning)
            return [step for step in super().base_procs() if step not in dropped] + [keep_live]

    return Filters()


def process():
    "Run nbdev over the notebooks, folders included. Returns the folder of processed notebooks."
    from execnb.nbio import read_nb, write_nb
    from nbdev.config import get_config
    from nbdev.doclinks import _build_modidx, nbglob

    _build_modidx()
    facts, filters = get_config(), own_filters()
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
