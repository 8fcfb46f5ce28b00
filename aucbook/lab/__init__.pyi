"""The public names of aucbook.lab."""

from .edition import write_edition as write_edition
