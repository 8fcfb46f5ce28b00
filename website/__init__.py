"""The site builder: notebooks to a site that works from disk, without Quarto.

nbdev processes the notebooks, pandoc (from PyPI) renders them, lxml corrects the pages. The sources
stay inside Quarto's documented dialect; a job of publish.yml renders the same files with Quarto.
nbs/_extensions/aucbook is a filter for both. Navigation comes from _quarto.yml. An unresolved
reference or citation, TeX that pandoc cannot convert, a dead internal link, a resource from the
network or an image without alternative text stops the build.

Folders, each of which imports only from those before it:

content      notebooks, pages, cells, lessons and how long they take
reference    public names and their cards, formulas, glossary, gallery
navigation   contents, order of the workshop, reading paths, moved addresses, footer
live         cells that a reader runs in the page
render       a notebook as pandoc's Markdown, pandoc's HTML as a page
search       sections of the rendered pages, and the index of the search
checks       dead links, missing files; what stands in the way of a lesson's reader
export       Markdown copies, llms.txt, README.md, EPUB, PDF, the kit for teachers
data         what is written by hand: glossary, paths, subjects, moved addresses
assets       style, script and typefaces of the pages

site.py puts a site together; `python -m website` (__main__.py) is the command.
"""
