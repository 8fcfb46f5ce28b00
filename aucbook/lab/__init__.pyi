"""The public names of aucbook.lab."""

from .boosting_rounds import boosting as boosting
from .calibration import calibration as calibration
from .comparing import comparison as comparison
from .curves import roc as roc
from .edited_rows import what_if as what_if
from .forest_size import forest as forest
from .groups import subgroups as subgroups
from .label_noise import noise as noise
from .monitoring import monitor as monitor
from .opening import open as open
from .planning import sample_size as sample_size
from .ranges import difference as difference
from .ranges import pauc as pauc
from .shape_functions import additive as additive
from .threshold import threshold as threshold
from .tree_cells import tree as tree
