"""The command of the site builder.

python -m website              the site, into _site/, and README.md
python -m website readme       only README.md
python -m website nav          rewrite the sections of _quarto.yml for how-to pages and the workshop
python -m website names        rewrite the boxes "What others call this" from the glossary
python -m website epub         the built site in one file, _site/aucbook.epub
python -m website pdf          the built site in one file, _site/aucbook.pdf (needs Chromium)
python -m website kit          slides, handouts and graded notebooks for teachers, into _site/kit/
python -m website quarto       the scripts of live cells for Quarto's pages, into nbs/_extensions/
python -m website lessons nbs/lessons/roc.ipynb …    what stands in the way of a reader
"""

import argparse
import sys

from website.project import EXTENSION, ROOT, BuildError, load, site_url

SITE = ROOT / "_site"


def write_readme():
    """Write README.md. Returns the folder of the processed notebooks."""
    from website.content.notebooks import process
    from website.export.readme import readme

    processed = process()
    (ROOT / "README.md").write_text(readme(processed), encoding="utf8")
    return processed


def write_site():
    """Write README.md and the site."""
    from website.reference.names import documented_names
    from website.site import build

    processed = write_readme()
    print("Building the pages (about half a minute)", flush=True)
    pages = build(
        processed, SITE, url=site_url(), names=documented_names(), moved=load("moved.yml")
    )
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file()) / 1e6
    address = (SITE / "index.html").as_uri()
    print(f"{len(pages)} pages, {size:.1f} MB. Open _site/index.html in a browser, for example:")
    print(f"    {sys.executable} -m webbrowser -t {address}")


def write_navigation():
    """Rewrite the sections of _quarto.yml that follow from the notebooks."""
    from website.navigation.workshop_order import rewrite

    print("_quarto.yml: " + ("sections are new" if rewrite() else "nothing to change"))


def write_names():
    """Rewrite the boxes of other names."""
    from website.content.names import rewrite

    print("boxes written: " + (", ".join(rewrite()) or "nothing to change"))


def write_book(kind):
    """Write the built site as one file: `kind` is epub or pdf."""
    from website.export.book import one_page, pdf
    from website.export.epub import epub

    if not (SITE / "index.html").exists():
        raise BuildError("There is no site yet: python -m website")
    target = SITE / f"aucbook.{kind}"
    if kind == "epub":
        epub(SITE, target, *one_page(SITE))
    else:
        pdf(SITE, target)
    print(f"{target.relative_to(ROOT)}, {target.stat().st_size / 1e6:.1f} MB")


def write_kit():
    """Write the kit for teachers."""
    from website.content.notebooks import process
    from website.export.book import print_pdf
    from website.export.kit import write

    out = SITE / "kit"
    pages = write(process(), out)
    print_pdf(out / "cheatsheet.html", out / "cheatsheet.pdf")
    where = out.relative_to(ROOT)
    print(
        f"{len(pages)} lessons: slides, handouts, graded notebooks and a cheat sheet, in {where}/"
    )


def write_for_quarto():
    """Write what live cells need on Quarto's pages."""
    from website.live.scripts import write_for_quarto

    write_for_quarto(EXTENSION)
    print(f"{EXTENSION.relative_to(ROOT)}: the scripts of live cells")


def report_lessons(files):
    """Print what stands in the way of the readers of some lessons."""
    from website.checks.lessons import report

    print(*report(files), sep="\n")


def main(arguments=None):
    """Run one command. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m website", description="The site builder.")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("site", help="the site into _site/, and README.md (default)")
    commands.add_parser("readme", help="only README.md")
    commands.add_parser("nav", help="sections of _quarto.yml for how-to pages and the workshop")
    commands.add_parser("names", help="the boxes of other names in the lessons")
    commands.add_parser("epub", help="the built site as _site/aucbook.epub")
    commands.add_parser("pdf", help="the built site as _site/aucbook.pdf (needs Chromium)")
    commands.add_parser("kit", help="slides, handouts and graded notebooks, into _site/kit/")
    commands.add_parser("quarto", help="the scripts of live cells, for Quarto's pages")
    lessons = commands.add_parser("lessons", help="what stands in the way of a lesson's reader")
    lessons.add_argument("files", nargs="+", metavar="notebook")
    given = parser.parse_args(arguments)
    try:
        match given.command:
            case "readme":
                write_readme()
            case "nav":
                write_navigation()
            case "names":
                write_names()
            case "epub" | "pdf":
                write_book(given.command)
            case "kit":
                write_kit()
            case "quarto":
                write_for_quarto()
            case "lessons":
                report_lessons(given.files)
            case _:
                write_site()
    except BuildError as error:
        print(f"Nothing was built:\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
