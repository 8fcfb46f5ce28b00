"""Each notebook as plain Markdown, `roc.md` beside `roc.html`: to copy, to hand to a language model, to read in an editor.

Made from the notebook, not from the page: its text, code and printed outputs, figures as links to the files that the page uses.
What only our renderers know (labels, references, citations, callouts) becomes what every reader of Markdown knows.
"""

import json
import re
from dataclasses import dataclass, field

from website.content.cells import SHOW_DOC, fenced, is_picture, split_options, visible
from website.project import BuildError
from website.reference.cards import card
from website.render.pandoc import pandoc

QUIET = r"`+[^`]+`+|\$[^$]+\$"  # code and formulas within a line: their signs mean something else
LABEL = re.compile(r"\$\$\s*\{#(eq-[\w-]+)\}")
REFERENCE = re.compile(rf"{QUIET}|@(eq|fig)-[\w-]*\w")
CITATION = re.compile(rf"{QUIET}|\[(-?@[a-z]+\d{{4}}\w*[^\]]*)\]|(?<!\w)@([a-z]+\d{{4}}\w*)")
LINK = re.compile(rf"{QUIET}|\]\(([^\s()]+)\)")
CALLOUT = re.compile(r"^:::+ *\{[^}]*\bcallout-(\w+)([^}]*)\}$")
FENCE = re.compile(r"^(`{3,})(.*)$")


def sources(bibliography):
    "{key: (short, long)} of a BibTeX file: (Long and Servedio 2007), and the line of a list."
    found = {}
    for entry in json.loads(
        pandoc(bibliography.read_text(encoding="utf8"), "-t", "csljson", reader="bibtex")
    ):
        names = [
            one.get("family") or one.get("literal", "")
            for one in entry.get("author", entry.get("editor", []))
        ]
        who = (
            f"{names[0]} et al."
            if len(names) > 3
            else " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
        )
        year = entry.get("issued", {}).get("date-parts", [["n.d."]])[0][0]
        where = entry.get("container-title") or entry.get("publisher", "")
        address = f"https://doi.org/{entry['DOI']}" if entry.get("DOI") else entry.get("URL", "")
        line = ". ".join(
            filter(None, [f"{', '.join(names)} ({year})", entry.get("title"), where, address])
        )
        found[entry["id"]] = f"{who} {year}", re.sub(r"</?\w+[^>]*>", "", line)
    return found


@dataclass
class Copy:
    "The Markdown of one page; `figures`: the files of its pictures, in order."

    page: object
    figures: list
    sources: dict
    url: str = ""
    numbers: dict = field(default_factory=dict)
    cited: list = field(default_factory=list)

    def text(self):
        self.number()
        parts = [
            f"# {self.page.title}",
            f"*{self.page.description}*" if self.page.description else "",
        ]
        figures = iter(self.figures)
        for cell in self.page.notebook["cells"]:
            if cell["cell_type"] == "markdown":
                parts.append(self.prose("".join(cell["source"])))
            elif cell["cell_type"] == "code":
                parts += self.code(cell, figures)
        if self.cited:
            parts += [
                "## References",
                "\n".join(f"- {self.sources[key][1]}" for key in sorted(self.cited)),
            ]
        return "\n\n".join(part for part in parts if part.strip()) + "\n"

    def number(self):
        "Equations and figures are numbered as they come, as on the page."
        counts = {"eq": 0, "fig": 0}
        for cell in self.page.notebook["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                labels = LABEL.findall(source)
            else:
                options, _, outputs = visible(cell) if cell["cell_type"] == "code" else ({}, "", [])
                labels = (
                    [str(options["label"])] * any(map(is_picture, outputs))
                    if "label" in options
                    else []
                )
            for label in labels:
                kind = label.partition("-")[0]
                if kind in counts:
                    counts[kind] += 1
                    self.numbers[label] = counts[kind]

    # ---- text
    def prose(self, text):
        "Markdown outside fences, with our own marks gone; what is HTML for our pages alone is left out."
        out, fence, skip = [], "", False
        text = LABEL.sub(lambda m: rf"\tag{{{self.numbers[m[1]]}}} $$", text)
        for line in text.split("\n"):
            marked = FENCE.match(line)
            if fence:
                if line.strip() == fence:
                    out, fence, skip = out if skip else [*out, line], "", False
                elif not skip:
                    out.append(line)
            elif marked:
                fence, skip = marked[1], "{=html}" in marked[2]
                if not skip:
                    out.append(
                        marked[1]
                        + re.sub(
                            r"^\{\.(\w+).*\}$",
                            lambda m: m[1].replace("output", ""),
                            marked[2].strip(),
                        )
                    )
            elif called := CALLOUT.match(line):
                title = re.search(r'title="([^"]*)"', called[2])
                out.append(f"**{title[1] if title else called[1].title()}**")
            elif not re.match(r"^:::|^</?div\b[^>]*>$", line):
                out.append(self.line(line))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip("\n")

    def line(self, text):
        text = re.sub(r"\s*\{#[\w-]+\}|<a id=[^>]*></a>", "", text)
        words = {"eq": "Equation", "fig": "Figure"}
        text = REFERENCE.sub(
            lambda m: f"{words[m[1]]} {self.numbers.get(m[0][1:], '')}" if m[1] else m[0], text
        )
        text = CITATION.sub(
            lambda m: self.citation(m[1] or m[2], bool(m[2])) if m[1] or m[2] else m[0], text
        )
        return LINK.sub(lambda m: f"]({self.link(m[1])})" if m[1] else m[0], text)

    def citation(self, inside, spoken=False):
        "What stands in [@key; @key], or the key of a source that the sentence speaks of: (Who 2007), Who (2007)."
        for key in [inside] if spoken else re.findall(r"@([a-z]+\d{4}\w*)", inside):
            if key not in self.sources:
                raise BuildError(f"no such reference: @{key}")
            self.cited += [key] * (key not in self.cited)
        if spoken:
            return re.sub(r" (\S+)$", r" (\1)", self.sources[inside][0])
        return "(" + re.sub(r"-?@([a-z]+\d{4}\w*)", lambda m: self.sources[m[1]][0], inside) + ")"

    def link(self, href):
        "Another page leads to its copy, a place on one to the page itself, which has the anchor."
        if self.url and href.startswith(self.url + "/"):
            href = self.page.link(*href.removeprefix(self.url + "/").partition("#")[::2])
        if re.match(r"[a-z]+:", href):
            return href
        address, anchor = self.page.resolve(href.replace(".ipynb", ".html", 1))
        if anchor:
            return self.page.link(address) + f"#{anchor}"
        return self.page.link(
            address if address.startswith("reference/") else re.sub(r"\.html$", ".md", address)
        )

    # ---- code
    def code(self, cell, figures):
        options, source = split_options("".join(cell["source"]))
        if options.get("live-check"):
            return []
        if shown := SHOW_DOC.match(source):
            return [self.prose(card(shown[1], self.page.module))]
        options, source, outputs = visible(cell)
        parts = [fenced(source, "python")] if source else []
        if source and options.get("code-fold"):
            parts.insert(0, f"**{options.get('code-summary', 'Code')}**")
        return parts + [self.output(output, options, figures) for output in outputs]

    def output(self, output, options, figures):
        if output["output_type"] == "stream":
            return (
                fenced("".join(output["text"]).rstrip("\n"), "")
                if output["name"] == "stdout"
                else ""
            )
        if output["output_type"] == "error":
            return fenced(f"{output['ename']}: {output['evalue']}", "")
        if is_picture(output):
            number = self.numbers.get(options.get("label"))
            caption = (f"**Figure {number}.** " if number else "") + self.line(
                str(options.get("fig-cap") or "")
            )
            alt = str(options.get("fig-alt") or "").replace("[", "(").replace("]", ")")
            return f"![{alt}]({next(figures)})\n\n{caption}".strip()
        data = {
            mime: "".join(text)
            for mime, text in output.get("data", {}).items()
            if isinstance(text, (str, list))
        }
        plain = data.get("text/plain", "")
        if "text/html" in data and (
            named := re.match(r"<(predict|explorable): (.*)>$", plain, re.S)
        ):
            words = {
                "predict": "A question; its answer is on",
                "explorable": "A picture to play with, on",
            }[named[1]]
            return f"> **{named[2]}** ({words} [the page]({self.page.stem}.html).)"
        if "text/markdown" in data and "text/html" not in data:
            return self.prose(data["text/markdown"])
        return fenced(plain, "") if plain else ""


def script(text):
    "The same text as a script, loaded when the button is pressed: a page read from disk may load nothing else."
    return "window.pageText=" + json.dumps(text, ensure_ascii=False).replace("</", "<\\/") + ";\n"
