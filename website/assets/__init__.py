"""Style, script and typefaces of the pages."""
