"""What the site knows about itself: search index, symbol and equation indexes, glossary, reading paths, llms.txt.

Everything is read off the rendered chapters, so nothing here has to be kept in step by hand.
"""
import ast
import html
import inspect
import json
import re
import textwrap
import tokenize
import unicodedata
from functools import reduce
from html.parser import HTMLParser
from importlib import import_module
from io import StringIO

import aucbook
from aucbook._modidx import d

# The pages made here, after the chapters: (file, title, subtitle)
PAGES = [("reading.html", "How to read this book", "Paths, keys, and ways to take it along"),
         ("symbols.html", "Symbols", "Every public name: what it does, where it is explained, who uses it"),
         ("formulas.html", "Formulas", "Every numbered formula, and where it is used"),
         ("glossary.html", "Glossary", "The words of the book, a sentence or two each")]
BLOCKS = {"p", "li", "div", "pre", "td", "th", "dt", "dd", "br", "summary", "figcaption", "h4", "aside", "details"}
VOID = {"img", "br", "hr", "input", "meta", "link", "col", "wbr", "source"}
CLAIM = r"(Eqs?\.|Theorem|Lemma|Corollary|Definition|Proposition|Algorithm|OP)\s?([\d.]*\d)"
MENTION = re.compile(rf"Paper (\d),\s{CLAIM}(?:\s(?:to|and)\s(\d+))?|{CLAIM}\s(?:\(|of )Paper (\d)")


class Chapter(HTMLParser):
    "The sections of a rendered page with their text, its equations and the references to equations."

    def __init__(self, name, text):
        super().__init__()
        self.name = name
        self.sections = [{"id": "", "title": "", "text": []}]
        self.equations, self.references = [], []      # {label, number, mathml, before, section}; (page, label, section)
        self.open, self.heading, self.paragraph, self.last = [], None, "", ""
        self.feed(text.partition('<main id="main">')[2].partition('<nav class="around"')[0])
        for equation in self.equations:
            at = text.index(f'id="{equation["label"]}"')
            equation["mathml"] = re.search(r'<span class="parts">.*?</span>|<math.*?</math>', text[at:], re.S)[0]
        for section in self.sections:
            section["text"] = " ".join("".join(section["text"]).split())

    def inside(self, *tags):
        return any(tag in tags for tag, _ in self.open)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        classes = (a.get("class") or "").split()
        if (tag in ("h2", "h3") and not self.inside("svg", "rich")) or (tag == "dt" and "id" in a):
            parent = next((i for t, i in reversed(self.open) if t == "section"), "")
            self.sections.append({"id": a.get("id") or parent, "title": "", "text": []})
            self.heading = tag
        if tag == "p":
            self.last, self.paragraph = self.paragraph, ""
        if tag in BLOCKS:
            self.sections[-1]["text"].append(" ")
        if "equation" in classes and "id" in a:
            self.equations.append({"label": a["id"], "number": "", "before": self.paragraph.strip() or self.last, "section": self.sections[-1]})
        if tag == "a" and "#eq-" in (a.get("href") or ""):
            page, _, label = a["href"].partition("#")
            self.references.append((page or self.name, label, self.sections[-1]))
        if tag not in VOID:
            self.open.append(("rich" if "rich" in classes else "quiet" if {"output", "used"} & set(classes) else "eqno" if "eqno" in classes else "quiet" if a.get("display") == "block" else tag, a.get("id")))

    def handle_endtag(self, tag):
        if tag not in VOID and self.open:
            self.open.pop()
        if tag == self.heading:
            self.heading = None

    def handle_data(self, data):
        if self.inside("annotation", "script", "style", "svg", "rich", "quiet", "button"):
            return
        if self.inside("eqno"):
            if self.equations:
                self.equations[-1]["number"] = data.strip("()")
        elif self.heading:
            self.sections[-1]["title"] += data
        else:
            self.paragraph += data
            self.sections[-1]["text"].append(data)


def claims(text):
    "The numbered statements of the papers that a text mentions: {('1', 'Lemma', '4'), …}."
    found = set()
    for paper, kind, number, last, kind2, number2, paper2 in MENTION.findall(text):
        kind, number, paper = (kind or kind2).rstrip("s."), number or number2, paper or paper2
        numbers = range(int(number), int(last) + 1) if last and number.isdigit() else [number]
        found |= {(paper, "Eq" if kind == "Eqs" else kind, str(n)) for n in numbers}
    return found


def anchor(page, section):
    return page + (f"#{section['id']}" if section["id"] else "")


# ---------------------------------------------------------------- search
def search_index(pages, chapters):
    "One script to load on the first search: pages as [file, title], sections as [page, anchor, title, text]."
    sections = [[i, s["id"], " ".join(s["title"].split()), s["text"]] for i, chapter in enumerate(chapters) for s in chapter.sections
                if (s["text"] or s["title"]) and chapter.name != "formulas.html"]      # those stand in the chapters
    data = {"pages": [[page["html"], page["title"]] for page in pages], "sections": sections}
    return "window.bookIndex=" + json.dumps(data, ensure_ascii=False, separators=(",", ":")) + ";\n"


# ---------------------------------------------------------------- symbols
def public_names(package):
    "The documented names of a package's modules: {name: (module, kind, first sentence)}."
    names = {}
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package.parent).with_suffix("").as_posix().replace("/", ".")
        if re.search(r"\.(__main__|cli|_modidx)$|^\w+\.__init__$", module):
            continue
        shown = (path.parent / "__init__.py").read_text(encoding="utf8") if path.stem.startswith("_") else None      # a private module: what its package re-exports
        module = re.sub(r"\._\w+$", "", module)
        for node in ast.parse(path.read_text(encoding="utf8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_") and (shown is None or re.search(rf"\b{node.name}\b", shown)):
                doc = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
                names[node.name] = (module, "class" if isinstance(node, ast.ClassDef) else "function", doc)
    return names


def defined_in(source):
    "Public functions and classes that a cell defines at its top level."
    return re.findall(r"^(?:def|class) ([A-Za-z]\w*)", source, re.M)


def used_names(source):
    "The names that Python code reads: no comment, no string, no attribute or method of something else, no name that is assigned or a keyword of a call."
    tokens = []
    try:
        tokens += [t for t in tokenize.generate_tokens(StringIO(source).readline) if t.type not in (tokenize.COMMENT, tokenize.NL)]
    except (tokenize.TokenError, SyntaxError):      # a cell that speaks to the shell
        pass
    strings = ["", "", *(t.string for t in tokens), ""]
    return {name for owner, dot, name, after in zip(strings, strings[1:], strings[2:], strings[3:])
            if name.isidentifier() and after != "=" and (dot != "." or owner == "aucbook")}


def symbols_page(pages, names, many=8):
    "The public names in alphabetical order; a tool of more than `many` chapters gets their number instead of the list."
    rows, initials = [], {}
    cells = {p["html"]: ["".join(c["source"]) for c in p["notebook"]["cells"] if c["cell_type"] == "code"] for p in pages}
    code = {page: set().union(*map(used_names, sources)) - set(sum(map(defined_in, sources), [])) for page, sources in cells.items()}      # a page may have its own of that name
    for name in sorted(names, key=str.lower):
        module, kind, doc = names[name]
        doc += "." if doc[-1:].isalnum() or doc[-1:] in set("`])") else ""
        home = next((p for p in pages if p["html"] == module.split(".")[1] + ".html"), None)
        target = f'{home["html"]}#{name.lower()}' if home and name.lower() in home["ids"] else home and home["html"]
        users = [p for p in pages if p is not home and name in code[p["html"]]]
        target = target or (users and users[0]["html"])      # a module without a chapter: where it is first used
        used = ", ".join(f'<a href="{p["html"]}">{html.escape(p["title"])}</a>' for p in users) if len(users) <= many else f"{len(users)} chapters"
        title = f'<a href="{target}"><code>{name}</code></a>' if target else f"<code>{name}</code>"
        initials.setdefault(name[0].upper(), f"sym-{name}")
        rows.append(f'<dt id="sym-{name}">{title} <small>{kind} of <code>{module}</code></small></dt>'
                    f"<dd>{inline(doc)}" + (f'<span class="used">Used in {used}</span>' if used else "") + "</dd>")
    letters = " ".join(f'<a href="#{first}">{initial}</a>' for initial, first in initials.items())
    return f'<p class="letters">{letters}</p>\n<dl class="index">\n' + "\n".join(rows) + "\n</dl>"


def inline(text):
    "A docstring's line as HTML: code between backticks, and elsewhere the signs that a keyboard lacks."
    signs = lambda words: re.sub(r"\^(\w+)", r"<sup>\1</sup>", html.escape(words.replace("<=", "≤").replace(">=", "≥").replace("->", "→"), quote=False))
    return "".join(f"<code>{html.escape(part, quote=False)}</code>" if i % 2 else signs(part) for i, part in enumerate(text.split("`")))


# ---------------------------------------------------------------- equations
def equations_page(pages, chapters):
    "Equations in the order of the book; uses are references by label, and mentions of the paper's own number elsewhere. A place in the same chapter goes without its title."
    parts = []
    for page, chapter in zip(pages, chapters):
        if chapter.equations:
            parts.append(f'<h2 id="in-{page["html"].removesuffix(".html")}"><a href="{page["html"]}">{html.escape(page["title"])}</a></h2>')
        for e in chapter.equations:
            paper = re.match(r"eq-p(\d)-", e["label"])
            numbered = re.fullmatch(r"eq-p(\d)-(theorem|lemma|op|)(\d+)", e["label"])      # the label may say it, or the words before the formula
            named = {(numbered[1], {"op": "OP", "": "Eq"}.get(numbered[2], numbered[2].title()), numbered[3])} if numbered else set()
            printed = [c for c in sorted(named | claims(e["before"][-300:])) if paper and c[0] == paper[1]]
            uses = {}
            for p, c in zip(pages, chapters):
                if p["file"].startswith("90_"):      # a list like this one
                    continue
                for target, label, section in c.references:
                    if (target, label) == (page["html"], e["label"]):
                        uses[anchor(p["html"], section)] = (p, section)
                for section in c.sections:
                    if section is not e["section"] and printed and set(printed) & claims(section["text"]):
                        uses[anchor(p["html"], section)] = (p, section)
            source = "; ".join(f"Paper {n}, {kind}{ {'Eq': '. ', 'OP': ''}.get(kind, ' ')}{number}" for n, kind, number in printed) or (f"Paper {paper[1]}" if paper else "")
            place = lambda p, s: s["title"] if p is page and s["title"] else " › ".join(filter(None, (p["title"], s["title"])))
            used = ", ".join(f'<a href="{link}">{html.escape(place(p, s))}</a>' for link, (p, s) in uses.items())
            parts.append(f'<div class="entry" id="{eq_anchor(page["html"], e["label"])}"><p class="equation">{e["mathml"]}<a class="eqno" href="{page["html"]}#{e["label"]}" '
                         f'aria-label="Equation {e["number"]} of {html.escape(page["title"], quote=True)}">({e["number"]})</a></p>'
                         f'<p class="used">{source + ". " if source else ""}' + (f"Used in {used}" if used else "") + "</p></div>")
    return "\n".join(parts) or "<p>No numbered equations.</p>"


def link_back(page, body):
    "The number of each equation of a chapter leads to its entry in the list."
    return re.sub(r'(<span id="(eq-[\w-]+)" class="equation">.*?)(<span class="eqno">\(\d+\)</span>)',
                  lambda m: f'{m[1]}<a class="back" href="formulas.html#{eq_anchor(page, m[2])}" title="Where this equation is used">{m[3]}</a>', body, flags=re.S)


def eq_anchor(page, label):
    return f"{page.removesuffix('.html')}-{label}"


# ---------------------------------------------------------------- glossary
def slug(term):
    return "term-" + re.sub(r"\W+", "-", unicodedata.normalize("NFKD", term).lower()).strip("-")


def glossary_page(entries, files):
    items = []
    for e in sorted(entries, key=lambda e: e["term"].lower()):
        home = files.get(e["see"])
        see = f'<span class="used">Explained in <a href="{home["html"]}">{html.escape(home["title"])}</a></span>' if home else ""
        items.append(f'<dt id="{slug(e["term"])}">{html.escape(e["term"])}</dt><dd>{html.escape(e["is"])}{see}</dd>')
    return '<dl class="index">\n' + "\n".join(items) + "\n</dl>"


PERCENT = re.compile(r"<(script|style|svg|pre|code)\b.*?</\1>|<[^>]+>|\s%", re.S)


def percent(body):
    "No line ends between a number and its percent sign."
    return PERCENT.sub(lambda m: "\u00a0%" if m[0].endswith("%") else m[0], body)


def keep_together(table):
    "Cells of a DataFrame such as `m = 0`, `Paper 1`, `0.93 to 1.0` and `< .001` stay on one line."
    table = re.sub(r"(<th>(?:[^\W\d]+|[^\W\d]+ =)) ([\d.]+</th>)", r"\1&nbsp;\2", table)
    table = re.sub(r"(<th>\w+) =&nbsp;", r"\1&nbsp;=&nbsp;", table)
    return re.sub(r"<td>((?:&lt;|-?[\d.]+ to) -?[\d.]+)</td>", lambda cell: cell[0].replace(" ", "&nbsp;"), table)


def stack_tables(body, wide=5):
    "On a narrow page a long or wide table reads as a list of records: its cells learn the heads of their columns. (A DataFrame keeps its shape.)"
    def label(match):
        heads = [re.sub("<.*?>", "", head).replace('"', "&quot;") for head in re.findall(r"<th\b[^>]*>(.*?)</th>", match[2], re.S)]
        if not match[1] and len(heads) < wide:
            return match[0]

        def row(found):
            start, *cells = found[0].split("<td")
            return start + "".join(f'<td data-head="{head}"{cell}' for head, cell in zip(heads, cells))

        rows = re.sub(r"<tr\b.*?</tr>", row, match[3], flags=re.S)
        return f'{match[1] or ""}<table class="stack">{match[2]}{rows}</table>'

    return re.sub(r'(<div class="table">\s*)?<table>(.*?</thead>)(.*?)</table>', label, body, flags=re.S)


QUIET = "script|style|math|svg|pre|table|h[1-6]|figcaption|summary|code|a|button|details|em"
TAGS = re.compile(rf"<(?P<tag>{QUIET})\b.*?</(?P=tag)>|<[^>]+>", re.S)      # a block that keeps its words to itself, or a tag


def link_terms(body, entries, chapter=""):
    """The first mention of each term in a page's running text becomes a link to the glossary that carries its definition.

    Everyday uses stay plain: chapters outside an entry's `in`, phrases of its `not`, parts of hyphenated names, titles in italics, API cards."""
    entries = [e for e in entries if chapter in e.get("in", [chapter])]
    terms = {spelling.lower(): e for e in entries for spelling in [e["term"], *e.get("also", [])]} | {phrase.lower(): None for e in entries for phrase in e.get("not", [])}
    if not terms:
        return body
    pattern = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, terms), key=len, reverse=True)) + r")(?![\w-])", re.I)
    start, end = body.index('<main id="main">'), body.index('<nav class="around"')
    seen, out, at, rich, running = set(), [body[:start]], start, 0, 0

    def link(match):
        entry = terms[match[1].lower()]
        if entry is None or entry["term"] in seen or (entry.get("case") and match[1] not in (entry["term"], *entry.get("also", []))):
            return match[0]
        seen.add(entry["term"])
        return f'<a class="term" href="glossary.html#{slug(entry["term"])}" data-tip="{html.escape(entry["is"], quote=True)}">{match[0]}</a>'

    for tag in TAGS.finditer(body, start, end):
        words = body[at:tag.start()]
        out += [pattern.sub(link, words) if running and not rich else words, tag[0]]
        at = tag.end()
        if tag[0].startswith(("<div", "<section")):
            rich += bool(rich or re.search('class="(rich|api|references)', tag[0]))
        elif tag[0].startswith(("</div", "</section")):
            rich -= bool(rich)
        elif re.match(r"<(p|li)\b(?! class=.(subtitle|figcaption|callout-title))", tag[0]):
            running += 1
        elif re.match(r"</(p|li)>", tag[0]):
            running = max(0, running - 1)
    return "".join(out) + body[at:]


# ---------------------------------------------------------------- reading paths
def known_paths(groups, pages):
    "The reading paths of paths.yml with the pages that exist: (group, title, [page, …])."
    files = {page["file"].removesuffix(".ipynb"): page for page in pages}
    found = [(group, title, [files[name] for name in names if name in files]) for group, paths in groups.items() for title, names in paths.items()]
    return [path for path in found if len(path[2]) > 1]


def paths_list(paths):
    groups, out = {}, []
    for group, title, steps in paths:
        groups.setdefault(group, []).append(f"<li><strong>{html.escape(title)}</strong>: " + " → ".join(f'<a href="{p["html"]}">{html.escape(p["title"])}</a>' for p in steps) + "</li>")
    for group, items in groups.items():
        out.append(f'<h3 id="{slug(group)}">{html.escape(group)}</h3>\n<ul class="paths">' + "".join(items) + "</ul>")
    return "\n".join(out)


def next_on_paths(paths, page):
    "Where each path through this page goes next, unless that is the next page anyway."
    found = [(title, steps[i + 1]) for _, title, steps in paths for i, step in enumerate(steps[:-1]) if step is page]
    return "".join(f'<li>{html.escape(title)}: <a href="{p["html"]}">{html.escape(p["title"])}</a></li>' for title, p in found)


# ---------------------------------------------------------------- llms.txt
def llms(title, description, pages, names):
    lines = [f"# {title}", "", f"> {description}", "", "## Chapters", ""]
    lines += [f"- [{p['title']}]({p['html']}): {p['description']}" for p in pages]
    lines += ["", "## Public names", ""] + [f"- {module}.{name}: {doc}" for name, (module, _, doc) in sorted(names.items(), key=lambda n: (n[1][0], n[0]))]
    lines += ["", "## More", "", "- [Symbols](symbols.html)", "- [Formulas](formulas.html)", "- [Glossary](glossary.html)", "- [The text of all chapters, as markdown](llms-full.txt)"]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- API cards
def _found(name):
    "The object behind a documented name, `Class.method` included."
    first = name.split(".")[0]
    homes = [home for home, names in aucbook._MODULES.items() if first in names.split()]
    modules = (import_module(home) for home in ([f"aucbook.{homes[0]}"] if homes else sorted(d["syms"])))
    return reduce(getattr, name.split("."), next(module for module in modules if hasattr(module, first)))


def card(text):
    "An API card of nbdev's with the signature that Python knows (keyword-only marks, no types guessed from defaults), in short lines, and the whole first paragraph in italics."
    name = re.search(r"^#+ ([\w.]+)$", text, re.M)[1]
    found = _found(name)
    signature = inspect.signature(getattr(found, "py_func", found))
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name != "self"]
    call = f"{name}{signature.replace(parameters=bare, return_annotation=signature.empty)}"
    call = textwrap.fill(call, 40, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    text = re.sub(r"```python\n.*?\n```", lambda _: f"```python\n{call}\n```", text, count=1, flags=re.S)
    return re.sub(r"^\*([^*\n]+)\*\n(?=\S)(?!- )(.+?)(?=\n\n|\n- |\Z)", lambda m: f"*{m[1]} {' '.join(m[2].split())}*", text, count=1, flags=re.M | re.S)
