"""Other forms of the book: Markdown, llms.txt, README.md, EPUB, PDF, and a kit for teachers."""
