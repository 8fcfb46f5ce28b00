"""The whole book in one file, from the built site: EPUB through pandoc, PDF through Chromium's print.

    python website/book.py epub     _site/aucbook.epub
    python website/book.py pdf      _site/aucbook.pdf
"""
import html
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

import build

SKIP = ("reading.html", "formulas.html")      # they are about the site
EPUB_CSS = """body { font-family: serif; line-height: 1.5; } h1, h2, h3 { font-family: sans-serif; line-height: 1.2; text-align: left; }
pre { font-size: .75em; white-space: pre-wrap; border-left: 2px solid #ccc; padding-left: .6em; } code { font-size: .9em; } img, svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .8em; } th, td { border-bottom: 1px solid #ccc; padding: .2em .5em; text-align: left; } figcaption { font-size: .85em; } .summary { font-weight: bold; font-size: .9em; }
"""


def chapters(site):
    "The pages of a built site in the order of its navigation, without SKIP."
    nav = (site / "index.html").read_text(encoding="utf8").partition('<nav id="nav"')[2].partition("</nav>")[0]
    return [name for name in re.findall(r'href="([\w-]+\.html)"', nav) if name not in SKIP]


def chapter(site, name, names):
    "The text of one page with its anchors made unique in the book, links inside the book, folds open and nothing to operate."
    text = (site / name).read_text(encoding="utf8").partition('<main id="main">')[2].partition('<nav class="around"')[0]
    stem = name.removesuffix(".html")
    text = re.sub(r"<(script|button|form)\b.*?</\1>| role=.list(item)?\"", "", text, flags=re.S)
    text = re.sub(r'(<a\b[^>]*?) title="[^"]*"', r"\1", re.sub(r' (?:data-tip|aria-labelledby|aria-describedby|aria-controls|for)="[^"]*"', "", text))
    text = re.sub(r"<details(?![^>]*\bopen\b)", "<details open", text)
    text = re.sub(r'(\sid=")([^"]+)', rf"\1{stem}--\2", text)

    def link(match):
        page, _, anchor = match[2].partition("#")
        page = page or name
        if page not in names:
            return f"<a{match[1]}" if not page.endswith(":") else match[0]
        return f'<a{match[1]}href="#{page.removesuffix(".html")}{"--" + anchor if anchor else ""}"'

    text = re.sub(r'<a(\s(?:[^>]*?\s)?)href="((?:[\w-]+\.html)?(?:#[^"]*)?)"', link, text)
    return re.sub("</?header[^>]*>", "", text).replace("<h1>", f'<h1 id="{stem}">', 1)


def one_page(site):
    "The book as one page, without scripts."
    names = chapters(site)
    config = build.yaml.safe_load((build.ROOT / "_quarto.yml").read_text(encoding="utf8"))["website"]
    title, body = config["title"], [chapter(site, name, names) for name in names]
    contents = "".join(f'<li><a href="#{name.removesuffix(".html")}">{re.search("<h1 id=[^>]*>(.*?)</h1>", text)[1]}</a></li>' for name, text in zip(names, body))
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title><link rel="stylesheet" href="style.css"></head>\n'
            f'<body class="book"><nav class="contents" aria-label="Contents"><h1>{html.escape(title)}</h1><p class="subtitle">{html.escape(config.get("description", ""))}</p><ol>{contents}</ol></nav>\n'
            + "\n".join(f"<main>{text}</main>" for text in body) + "\n</body></html>\n")


def drawing_style(css):
    "The rules of the explorables' style that concern drawings, and the light colours: what a picture on its own needs."
    light = dict(re.findall(r"--([\w-]+):light-dark\(([^,()]+),", css))
    rules = re.findall(r"^\.ax svg [^{}]+\{[^}]*\}", css, re.M)
    return "\n".join(rules).replace(".ax svg ", ""), light


class Plain(HTMLParser):
    "A page as pandoc's reader wants it: folds become paragraphs, drawings become images."

    def __init__(self, folder):
        super().__init__(convert_charrefs=False)
        self.out, self.folder, self.svg, self.depth, self.drawings, self.styles, self.look = [], folder, [], 0, 0, None, ("", {})

    def handle_starttag(self, tag, attributes):
        text = self.get_starttag_text()
        if tag == "style":
            self.styles = ""
            return
        if tag == "dt":      # pandoc keeps no attributes there
            text = f'<dt><span id="{dict(attributes).get("id", "")}"></span>'
        if tag == "svg":
            self.depth += 1
        if self.depth:
            self.svg.append(text)
        else:
            self.out.append({"summary": '<p class="summary"><strong>', "details": "<div>", "aside": "<div>"}.get(tag, text))

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag == "style":
            self.look, self.styles = drawing_style(self.styles) if ".ax svg" in self.styles else self.look, None
        elif self.depth:
            self.svg.append(f"</{tag}>")
            if tag == "svg":
                self.depth -= 1
                if not self.depth:
                    self.drawing("".join(self.svg))
        else:
            self.out.append({"summary": "</strong></p>", "details": "</div>", "aside": "</div>"}.get(tag, f"</{tag}>"))

    def drawing(self, svg):
        self.svg = []
        if 'aria-hidden="true"' in svg.partition(">")[0]:
            return
        self.drawings += 1
        path = self.folder / f"drawing{self.drawings}.svg"
        opening, _, rest = svg.partition(">")
        rules, light = self.look
        svg = f'{opening} xmlns="http://www.w3.org/2000/svg"><style>{rules}</style>{rest}'
        path.write_text(re.sub(r"var\(--([\w-]+)\)", lambda m: light.get(m[1], "inherit"), svg), encoding="utf8")
        said = " ".join(re.findall(r"<(?:title|desc)\b[^>]*>(.*?)</", svg, re.S))
        self.out.append(f'<img src="{path}" alt="{said}">')

    def handle_data(self, data):
        if self.styles is not None:
            self.styles += data
        else:
            (self.svg if self.depth else self.out).append(data)

    def handle_entityref(self, name):
        self.handle_data(f"&{name};")

    def handle_charref(self, name):
        self.handle_data(f"&#{name};")


def epub(site, target):
    page = one_page(site)
    title = re.search("<title>(.*?)</title>", page)[1]
    with tempfile.TemporaryDirectory() as folder:
        plain = Plain(Path(folder))
        plain.feed(page[page.index("<main>"):page.rindex("</body>")].replace("<main>", "").replace("</main>", ""))
        (Path(folder) / "epub.css").write_text(EPUB_CSS)
        subprocess.run([build.pypandoc.get_pandoc_path(), "-f", "html", "-t", "epub3", "--mathml", "--toc", "--toc-depth=2", "--split-level=1", f"--resource-path={site}",
                        f"--css={folder}/epub.css", f"--metadata=title:{title}", "--metadata=lang:en", "-o", str(target)],
                       input="".join(plain.out), text=True, encoding="utf8", check=True)
    return target


def pdf(site, target):
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not chromium:
        raise build.BuildError("printing needs Chromium: on Debian, apt-get install chromium")
    page = site / "book.html"      # beside the pages, for their pictures and style
    page.write_text(one_page(site), encoding="utf8")
    try:
        subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-pdf-header-footer", "--generate-pdf-document-outline",
                        f"--print-to-pdf={target}", page.as_uri()], check=True, capture_output=True, timeout=300)
    finally:
        page.unlink()
    return target


if __name__ == "__main__":
    site = build.ROOT / "_site"
    if sys.argv[1:] not in (["epub"], ["pdf"]) or not (site / "index.html").exists():
        sys.exit("Build the site first, then: python website/book.py epub | pdf")
    try:
        made = {"epub": epub, "pdf": pdf}[sys.argv[1]](site, site / f"aucbook.{sys.argv[1]}")
    except build.BuildError as error:
        sys.exit(str(error))
    print(f"{made.relative_to(build.ROOT)}, {made.stat().st_size / 1e6:.1f} MB")
