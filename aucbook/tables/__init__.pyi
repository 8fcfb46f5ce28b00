"""The public names of aucbook.tables."""

from .encoder import TableEncoder as TableEncoder
from .encoder import describe_columns as describe_columns
from .frames import FileError as FileError
from .frames import read_table as read_table
