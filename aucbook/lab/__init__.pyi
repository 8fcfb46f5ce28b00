"""The public names of aucbook.lab."""

from .comparing import comparison as comparison
from .curves import roc as roc
from .edited_rows import what_if as what_if
from .edition import write_edition as write_edition
from .forest_size import forest as forest
from .label_noise import noise as noise
from .shape_functions import additive as additive
from .threshold import threshold as threshold
from .tree_cells import tree as tree
