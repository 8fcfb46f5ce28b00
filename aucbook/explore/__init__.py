"""Explorables: pictures to play with, each one function that returns a self-contained block of HTML, SVG and JavaScript.

They show themselves as the last value of a notebook cell, in JupyterLab and in the site alike, without network or kernel.
`predict` asks a question before showing its answer.
"""
from ._corners import corners_explorer
from ._curves import curves_explorer
from ._delong import delong_explorer
from ._hull import hull_explorer
from ._lemma4 import lemma4_explorer
from ._link import link_explorer
from ._martirank import martirank_explorer
from ._pav import pav_explorer
from ._predict import predict
from ._roc import pairs_explorer, pauc_explorer, roc_explorer
from ._tree import tree_explorer
from ._violated import violated_explorer

__all__ = ["corners_explorer", "curves_explorer", "delong_explorer", "hull_explorer", "lemma4_explorer", "link_explorer", "martirank_explorer", "pairs_explorer", "pauc_explorer", "pav_explorer", "predict", "roc_explorer", "tree_explorer", "violated_explorer"]
