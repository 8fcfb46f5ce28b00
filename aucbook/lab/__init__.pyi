"""The public names of aucbook.lab."""

from .comparing import comparison as comparison
from .curves import roc as roc
from .edited_rows import what_if as what_if
from .edition import write_edition as write_edition
from .monitoring import monitor as monitor
from .opening import open as open
from .planning import sample_size as sample_size
