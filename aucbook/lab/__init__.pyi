"""The public names of aucbook.lab."""

from .curves import roc as roc
from .edition import write_edition as write_edition
from .forest_size import forest as forest
from .tree_cells import tree as tree
