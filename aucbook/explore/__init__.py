"""Explorables: pictures to play with, each one function that returns a self-contained block of HTML, SVG and JavaScript.

They show themselves as the last value of a notebook cell, in JupyterLab and in the site alike, without network or kernel.
`predict` asks a question before showing its answer.
"""

from .alarm import alarm_explorer
from .asking import asking_explorer
from .boosting import boosting_explorer
from .corners import corners_explorer
from .curves import curves_explorer
from .delong import delong_explorer
from .honest import honest_explorer
from .hull import hull_explorer
from .lemma4 import lemma4_explorer
from .link import link_explorer
from .martirank import martirank_explorer
from .noise import noise_explorer
from .pav import pav_explorer
from .questions import predict
from .roc import pairs_explorer, pauc_explorer, roc_explorer
from .shatter import shatter_explorer
from .tree import tree_explorer
from .violated import violated_explorer

__all__ = [
    "alarm_explorer",
    "asking_explorer",
    "boosting_explorer",
    "corners_explorer",
    "curves_explorer",
    "delong_explorer",
    "honest_explorer",
    "hull_explorer",
    "lemma4_explorer",
    "link_explorer",
    "martirank_explorer",
    "noise_explorer",
    "pairs_explorer",
    "pauc_explorer",
    "pav_explorer",
    "predict",
    "roc_explorer",
    "shatter_explorer",
    "tree_explorer",
    "violated_explorer",
]
