"""A notebook as pandoc's Markdown, and pandoc's HTML as a page."""
