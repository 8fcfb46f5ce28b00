"""The public names of aucbook.lab."""

from .boosting_rounds import boosting as boosting
from .curves import roc as roc
from .edition import write_edition as write_edition
from .forest_size import forest as forest
from .shape_functions import additive as additive
from .tree_cells import tree as tree
