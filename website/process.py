"""nbdev's part of the build: hidden cells dropped, exported code and API entries in place, links to documented names."""
from pathlib import Path


def process():
    "Run nbdev over the notebooks, folders included. Returns the folder of processed notebooks."
    from nbdev.doclinks import _build_modidx
    from nbdev.quarto import nbdev_sidebar, refresh_quarto_yml
    from nbdev.serve import proc_nbs

    refresh_quarto_yml()
    _build_modidx()
    nbdev_sidebar.__wrapped__()
    return Path(proc_nbs(n_workers=2, force=True))
