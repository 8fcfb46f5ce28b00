"""Live cells: code that the reader edits and runs in the page, offline."""
