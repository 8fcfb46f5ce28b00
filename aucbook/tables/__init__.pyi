"""The public names of aucbook.tables."""

from .encoder import TableEncoder as TableEncoder
from .encoder import describe_columns as describe_columns
