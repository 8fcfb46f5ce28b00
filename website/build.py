"""Build the site without Quarto: nbdev processes the notebooks, pandoc (from PyPI) renders them.

The sources stay inside Quarto's documented dialect, so `quarto render` accepts the very same files. Navigation comes from
_quarto.yml. Any unresolved reference or citation, TeX that pandoc cannot convert, dead internal link, resource from the
network or image without alternative text stops the build.

    python website/build.py            the site, into _site/, and README.md
    python website/build.py --readme   only README.md
"""
import base64
import html
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pypandoc
import yaml

import extras

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
OPTION = re.compile(r"^#\|\s*([\w-]+)\s*(?::\s*(.*))?$")


class BuildError(Exception):
    pass


def process(root=ROOT):
    "nbdev's part: hidden cells dropped, exported code and API entries in place. Returns the folder of processed notebooks."
    from nbdev.doclinks import _build_modidx
    from nbdev.quarto import nbdev_sidebar, refresh_quarto_yml
    from nbdev.serve import proc_nbs

    refresh_quarto_yml()
    _build_modidx()
    nbdev_sidebar.__wrapped__()
    return Path(proc_nbs(n_workers=2, force=True))


# ---------------------------------------------------------------- one notebook to markdown
def split_options(source):
    "The `#| key: value` lines at the top of a cell, as a dictionary, and the rest."
    lines, options = source.split("\n"), {}
    while lines and (match := OPTION.match(lines[0])):
        value = match[2]
        options[match[1]] = True if value is None else yaml.safe_load(value)
        lines.pop(0)
    return options, "\n".join(lines).strip("\n")


def fenced(text, attributes):
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{attributes}\n{text}\n{fence}"


def text_output(text):
    "Printed text. A single line, and lines in which nothing is lined up by spaces, may wrap on a narrow page."
    return fenced(text, "{.output}" if "\n" in text and re.search(r"\S  ", text) else "{.output .words}")


def output_markdown(output, options, save_image):
    "One stored output as markdown. Richest form first, as Jupyter chooses."
    kind, data = output["output_type"], output.get("data", {})
    join = lambda value: value if isinstance(value, str) else "".join(value)
    if kind == "stream":
        return text_output(join(output["text"]).rstrip("\n")) if output["name"] == "stdout" else ""
    if kind == "error":
        return fenced(f"{output['ename']}: {output['evalue']}", "{.output .error}")
    for mime in ("image/svg+xml", "image/png"):
        if mime in data:
            raw = join(data[mime]).encode() if "svg" in mime else base64.b64decode(join(data[mime]))
            alt = html.escape(str(options.get("fig-alt") or ""), quote=True)
            image = f'<img src="{save_image(raw, mime)}" alt="{alt}">'
            caption = options.get("fig-cap") or ""
            label = f"#{options['label']} " if str(options.get("label", "")).startswith("fig-") else ""
            return f"::: {{{label}.figure}}\n{fenced(image, '{=html}')}\n\n::: figcaption\n{caption}\n:::\n:::"
    if "text/html" in data:
        return fenced(f'<div class="rich">{extras.keep_together(join(data["text/html"]))}</div>', "{=html}")
    if "text/markdown" in data:
        text = join(data["text/markdown"])
        return "::: api\n" + extras.card(text.removeprefix("---\n")) + "\n:::" if options.get("output") == "asis" else text
    return text_output(join(data["text/plain"])) if "text/plain" in data else ""


def code_markdown(cell, save_image):
    options, source = split_options("".join(cell["source"]))
    if options.get("include") is False:
        return ""
    parts = []
    if options.get("echo") is not False and source:
        block, fold = fenced(source, "{.python}"), options.get("code-fold", False)
        if fold:
            opened = " open" if fold == "show" else ""
            block = fenced(f'<details class="fold"{opened}><summary>{options.get("code-summary", "Code")}</summary>', "{=html}") + f"\n\n{block}\n\n</details>"
        parts.append(block)
    if options.get("output") is not False:
        shown = [output_markdown(output, options, save_image) for output in cell.get("outputs", [])]
        if str(options.get("code-summary")) == "Solution" and parts:      # a visible answer would spoil the exercise
            parts[-1] = parts[-1].removesuffix("</details>") + "\n\n".join(shown) + "\n\n</details>"
        else:
            parts += shown
    return "::: cell\n" + "\n\n".join(part for part in parts if part) + "\n:::"


def to_markdown(notebook, save_image, names=()):
    "A processed notebook as pandoc markdown, front matter first. Cells are joined, so a div may span several. The cell that defines one of `names` without an API card becomes its anchor."
    sources = ["".join(cell["source"]) for cell in notebook["cells"]]
    cards = set(re.findall(r"^show_doc\((\w+)\)", "\n".join(sources), re.M))
    parts = []
    for cell, source in zip(notebook["cells"], sources):
        if cell["cell_type"] == "code":
            anchors = [f"[]{{#{name.lower()}}}" for name in extras.defined_in(source) if name in names and name not in cards]
            parts += [*anchors, code_markdown(cell, save_image)]
        else:
            parts.append(source)
    return "\n\n".join(parts)


# ---------------------------------------------------------------- the site
def navigation(config):
    "The pages of _quarto.yml in order: a list of (section or None, notebook file name)."
    for entry in config["website"]["sidebar"]["contents"]:
        if isinstance(entry, str):
            yield None, entry
        else:
            yield from ((entry["section"], page) for page in entry["contents"])


def front_matter(notebook):
    return yaml.safe_load("".join(notebook["cells"][0]["source"]).strip().strip("-"))


def localise(text, base, html_names):
    "Absolute documentation links become relative, and notebook links become page links: the site opens from disk."
    text = re.sub(re.escape(base) + r"/?([\w-]+\.html)", r"\1", text)
    return re.sub(r"\]\(([\w-]+)\.ipynb(#[\w-]+)?\)", lambda m: f"]({html_names.get(m[1] + '.ipynb', m[1] + '.html')}{m[2] or ''})", text)


def pandoc(text, *arguments):
    "Run pandoc; a warning (TeX, citation) is an error here."
    done = subprocess.run([pypandoc.get_pandoc_path(), "-f", "markdown-implicit_figures", "--wrap=none", "--fail-if-warnings", *arguments],
                          input=text, capture_output=True, text=True, encoding="utf8")
    if done.returncode:
        raise BuildError(done.stderr.strip())
    return done.stdout


def sidebar(pages, current):
    items, open_section = [], None
    for page in pages:
        if page["section"] != open_section:
            items.append(("</ul></li>" if open_section else "") + (f'<li><span>{html.escape(page["section"])}</span><ul>' if page["section"] else ""))
            open_section = page["section"]
        here = ' aria-current="page"' if page is current else ""
        chapter = " data-chapter" if "notebook" in page else ""
        items.append(f'<li><a href="{page["html"]}"{here}{chapter}>{html.escape(page["title"])}</a></li>')
    return "<ul>" + "".join(items) + ("</ul></li>" if open_section else "") + "</ul>"


def build(processed, out, bibliography, base_url="", package=None):
    "Render the processed notebooks listed in `processed`/_quarto.yml into `out`; raises BuildError listing every problem."
    config = yaml.safe_load((processed / "_quarto.yml").read_text(encoding="utf8"))
    chapters = []
    for section, name in navigation(config):
        notebook = json.loads((processed / name).read_text(encoding="utf8"))
        meta = front_matter(notebook)
        chapters.append({"section": section, "file": name, "notebook": notebook, "title": meta["title"], "description": meta.get("description", ""),
                         "html": meta.get("output-file", name.replace(".ipynb", ".html"))})
    others = [{"section": "Reference", "html": file, "title": title, "description": text} for file, title, text in extras.PAGES]
    files = {"90_equations.ipynb": "formulas.html", **{page["file"]: page["html"] for page in chapters}}      # chapters link to the list as to a notebook
    names = extras.public_names(package) if package else {}
    glossary = yaml.safe_load(extras.percent((HERE / "glossary.yml").read_text(encoding="utf8")))
    paths = extras.known_paths(yaml.safe_load((HERE / "paths.yml").read_text(encoding="utf8")), chapters)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for asset in ("style.css", "site.js"):
        shutil.copy(HERE / asset, out)
    shutil.copytree(HERE / "fonts", out / "fonts")
    problems = []

    def render(page, text, *more):
        "One page through pandoc and the template; terms of the glossary linked; problems noted."
        variables = {"nav": sidebar(chapters + others, page), "site": config["website"]["title"], "home": chapters[0]["html"], "page": page["html"]}
        try:
            body = pandoc(text, "-t", "html5", "--mathml", "--standalone", "--toc", "--toc-depth=3", f"--template={HERE / 'template.html'}",
                          f"--lua-filter={HERE / 'filter.lua'}", "--citeproc", f"--bibliography={bibliography}", "-M", "link-citations=true",
                          *(f"--variable={key}:{value}" for key, value in variables.items()), *more)
        except BuildError as error:
            problems.append(f"{page.get('file', page['html'])}: {error}")
            body = '<main id="main"><nav class="around">'
        body = body.replace('<mo accent="true">\u0303</mo>', '<mo accent="true">~</mo>')      # combining, the tilde stands beside its letter
        for twice in {name for name in re.findall(r'<span id="([^"]+)"></span>', body) if body.count(f'id="{name}"') > 1}:      # a heading has that name already
            body = body.replace(f'<span id="{twice}"></span>', "")
        body = extras.stack_tables(extras.percent(body))
        page["body"] = extras.link_back(page["html"], extras.link_terms(body, glossary, page["file"].removesuffix(".ipynb"))) if page in chapters else body
        page["ids"] = set(re.findall(r'\bid="([^"]+)"', body))
        (out / page["html"]).write_text(page["body"], encoding="utf8")

    for i, page in enumerate(chapters):
        folder = out / "figures" / page["html"].removesuffix(".html")
        images = []

        def save_image(raw, mime):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{len(images) + 1}.{'svg' if 'svg' in mime else 'png'}"
            path.write_bytes(raw)
            images.append(path)
            return path.relative_to(out).as_posix()

        page["text"] = text = localise(to_markdown(page["notebook"], save_image, names), base_url, files)
        if re.search(r"@[a-z]+\d{4}", text):
            text += "\n\n## References\n\n::: {#refs}\n:::\n"
        around = [f"--variable={key}:{json_link(chapters[j])}" for key, j in (("prev", i - 1), ("next", i + 1)) if 0 <= j < len(chapters)]
        render(page, text, "--variable=chapter:true", f"--variable=paths:{extras.next_on_paths(paths, page)}", *around)

    facts = [extras.Chapter(page["html"], page["body"]) for page in chapters]
    texts = [(HERE / "reading.md").read_text(encoding="utf8").replace("PATHS", fenced(extras.paths_list(paths), "{=html}")).replace("HOME", chapters[0]["html"]),
             fenced(extras.symbols_page(chapters, names), "{=html}"), fenced(extras.equations_page(chapters, facts), "{=html}"),
             fenced(extras.glossary_page(glossary, {p["file"].removesuffix(".ipynb"): p for p in chapters}), "{=html}")]
    for page, text in zip(others, texts):
        render(page, f"---\ntitle: {page['title']}\ndescription: {page['description']!r}\n---\n\n{text}")
    facts += [extras.Chapter(page["html"], page["body"]) for page in others]
    (out / "search.js").write_text(extras.search_index(chapters + others, facts), encoding="utf8")
    (out / "llms.txt").write_text(extras.llms(config["website"]["title"], config["website"].get("description", ""), chapters, names), encoding="utf8")
    (out / "llms-full.txt").write_text("\n\n".join(re.sub(r"```\{=html\}\n.*?\n```\n*", "", p["text"], flags=re.S) for p in chapters), encoding="utf8")
    problems += check(out)
    if problems:
        raise BuildError("\n".join(problems))
    return [out / page["html"] for page in chapters + others]


def json_link(page):
    return f'<a href="{page["html"]}">{html.escape(page["title"])}</a>'


# ---------------------------------------------------------------- what would embarrass us
class PageFacts(HTMLParser):
    "The anchors, links, images and loaded resources of one page."

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.bare_images, self.remote = set(), [], [], []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.add(a.get("id"))
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
        if tag == "img" and not (a.get("alt") or "").strip():
            self.bare_images.append(a.get("src"))
        source = a.get("src") or (a.get("href") if tag == "link" else None)
        if source and re.match(r"(https?:)?//", source):
            self.remote.append(source)


def check(out):
    "Problems of a built site, one line each."
    facts = {}
    for path in sorted(out.glob("*.html")):
        facts[path.name] = PageFacts()
        facts[path.name].feed(path.read_text(encoding="utf8"))
    problems = []
    for name, page in facts.items():
        problems += [f"{name}: image without alternative text: {src} (give its cell a fig-alt)" for src in page.bare_images]
        problems += [f"{name}: loads from the network: {src}" for src in page.remote]
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            target = target or name
            if not (out / target).exists() or (anchor and target in facts and anchor not in facts[target].ids):
                problems.append(f"{name}: dead link: {link}")
    return problems


# ---------------------------------------------------------------- README.md
def readme(processed, bibliography, base_url=""):
    "README.md from the index page: GitHub markdown, links to the notebooks, without outputs and figures."
    notebook = json.loads((processed / "index.ipynb").read_text(encoding="utf8"))
    meta = front_matter(notebook)
    cells = [{**cell, "outputs": [o for o in cell.get("outputs", []) if "text/plain" in o.get("data", {}) and "image/png" not in o["data"]]} if cell["cell_type"] == "code" else cell
             for cell in notebook["cells"][1:] if "fig-alt" not in "".join(cell["source"])]
    text = to_markdown({"cells": cells}, None)
    text = re.sub(r"\]\((\w+\.ipynb)", r"](nbs/\1", re.sub(r" \[@[\w; @]+\]", "", text))
    text = re.sub(re.escape(base_url) + r"/?(\w+)\.html#\w+", lambda m: notebook_of(processed, m[1]), text)
    text = re.sub(r"^::: cell\n|^:::$|<!--.*?-->\n*", "", text, flags=re.M)
    body = pandoc(text, "-t", "gfm")
    return f"# {meta['title']}\n\n<!-- Written by website/build.py from nbs/index.ipynb: edit that notebook. -->\n\n*{meta['description']}*\n\n{body}"


def notebook_of(processed, page):
    return next(f"nbs/{path.name}" for path in processed.glob("*.ipynb") if re.sub(r"^\d+_", "", path.stem) == page)


def main(arguments):
    settings = dict(line.split(" = ", 1) for line in (ROOT / "settings.ini").read_text(encoding="utf8").splitlines() if " = " in line)
    base_url = settings["doc_host"] + settings["doc_baseurl"]
    try:
        processed = process()
        (ROOT / "README.md").write_text(readme(processed, ROOT / "nbs/references.bib", base_url), encoding="utf8")
        if "--readme" in arguments:
            return 0
        pages = build(processed, ROOT / "_site", ROOT / "nbs/references.bib", base_url, ROOT / "aucbook")
    except BuildError as error:
        print(f"The book was not built:\n{error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in (ROOT / "_site").rglob("*") if path.is_file()) / 1e6
    print(f"{len(pages)} pages, {size:.1f} MB. Open _site/index.html in a browser, for example:\n    {sys.executable} -m webbrowser -t {(ROOT / '_site/index.html').as_uri()}")
    return 0


if __name__ == "__main__":      # nbdev's workers import this file
    sys.exit(main(sys.argv[1:]))
