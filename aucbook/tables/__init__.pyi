"""The public names of aucbook.tables, and the rooms they live in."""

from .encoder import TableEncoder as TableEncoder
from .encoder import describe_columns as describe_columns
