"""Explorables: interactive figures for lessons, each returned by one function.

An explorable is a self-contained block of HTML, SVG and JavaScript. It shows itself as the last
value of a notebook cell, in JupyterLab and on the site, without network or kernel. `predict` asks a
question before it shows the answer.

A picture of single cases holds a few of them. Given more, an explorable returns the widget of
`aucbook.lab` that shows the same for data of any size, or draws groups of neighbours; where there
is neither, the error names the function to use. Each docstring says which.
"""

from .additive import additive_explorer
from .alarm import alarm_explorer
from .asking import asking_explorer
from .boosting import boosting_explorer
from .bowl import bowl_explorer, overlap_explorer
from .clusters import clusters_explorer
from .corners import corners_explorer
from .crossing import crossing_explorer
from .curves import curves_explorer
from .delong import delong_explorer
from .dots import dots_explorer
from .forest import forest_explorer
from .gaussians import gaussians_explorer
from .honest import honest_explorer
from .hull import hull_explorer
from .labels import labels_explorer
from .lemma4 import lemma4_explorer
from .link import link_explorer
from .martirank import martirank_explorer
from .noise import noise_explorer
from .opponent import opponent_explorer
from .pav import pav_explorer
from .pruning import pruning_explorer
from .questions import predict
from .roc import pairs_explorer, pauc_explorer, roc_explorer
from .rooms import rooms_explorer
from .shatter import shatter_explorer
from .swap import swap_explorer
from .top import top_explorer
from .tree import tree_explorer
from .turn import turn_explorer
from .violated import violated_explorer
from .violator import violator_explorer

__all__ = [
    "additive_explorer",
    "alarm_explorer",
    "asking_explorer",
    "boosting_explorer",
    "bowl_explorer",
    "clusters_explorer",
    "corners_explorer",
    "crossing_explorer",
    "curves_explorer",
    "delong_explorer",
    "dots_explorer",
    "forest_explorer",
    "gaussians_explorer",
    "honest_explorer",
    "hull_explorer",
    "labels_explorer",
    "lemma4_explorer",
    "link_explorer",
    "martirank_explorer",
    "noise_explorer",
    "opponent_explorer",
    "overlap_explorer",
    "pairs_explorer",
    "pauc_explorer",
    "pav_explorer",
    "predict",
    "pruning_explorer",
    "roc_explorer",
    "rooms_explorer",
    "shatter_explorer",
    "swap_explorer",
    "top_explorer",
    "tree_explorer",
    "turn_explorer",
    "violated_explorer",
    "violator_explorer",
]
