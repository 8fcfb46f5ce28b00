"""Build the site without Quarto: nbdev processes the notebooks, pandoc (from PyPI) renders them, lxml mends the pages.

The sources stay inside Quarto's documented dialect, so `quarto render` accepts the very same files. Navigation comes from
_quarto.yml. Any unresolved reference or citation, TeX that pandoc cannot convert, dead internal link, resource from the
network or image without alternative text stops the build.

The way of a page: process (nbdev) → cells, cards, docstrings (markdown) → render (pandoc with filter.lua and template.html)
→ polish, glossary (element tree) → sections (what it says, read back) → symbols, formulas, search, llms (made from all pages).
Beside each page goes its text as plain Markdown (copies); take leads to it, and to where the notebook runs.
pages, navigation and paths know what leads where; site_pages puts it together; checks looks at the result.

    python website/build.py            the site, into _site/, and README.md
    python website/build.py --readme   only README.md
    python website/build.py --nav      rewrite the sections of _quarto.yml for how-to pages and the workshop
"""

import shutil
import sys

from process import process
from project import BIBLIOGRAPHY, ROOT, BuildError, site_url
from readme import readme
from site_pages import Site, load
from workshop_order import rewrite


def build(processed, out, bibliography=BIBLIOGRAPHY, url="", names=None, moved=None):
    "Render the processed notebooks listed in `processed`/_quarto.yml into `out`; raises BuildError listing every problem."
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    return Site(processed, out, bibliography, url, names or {}, moved or {}).write()


def main(arguments):
    if "--nav" in arguments:
        print("_quarto.yml: " + ("sections are new" if rewrite() else "nothing to change"))
        return 0
    from names import public_names

    try:
        processed = process()
        (ROOT / "README.md").write_text(readme(processed), encoding="utf8")
        if "--readme" in arguments:
            return 0
        out = ROOT / "_site"
        print("Building the pages (about half a minute)", flush=True)
        pages = build(processed, out, url=site_url(), names=public_names(), moved=load("moved.yml"))
    except BuildError as error:
        print(f"The book was not built:\n{error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6
    first = out / "index.html"
    print(
        f"{len(pages)} pages, {size:.1f} MB. Open _site/index.html in a browser, for example:\n    {sys.executable} -m webbrowser -t {first.as_uri()}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
