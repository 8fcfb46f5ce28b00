"""The public names of aucbook.lab."""

from .curves import roc as roc
from .edition import write_edition as write_edition
from .ranges import difference as difference
from .ranges import pauc as pauc
from .threshold import threshold as threshold
