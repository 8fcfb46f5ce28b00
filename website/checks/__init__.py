"""What would embarrass us: dead links, missing files, lessons with something in the reader's way."""
