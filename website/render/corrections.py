"""Corrections of pandoc's HTML, done to the element tree of a page: one function each."""

import ast
import json
import re
import unicodedata

from lxml.html import fragment_fromstring

CODE = {"script", "style", "svg", "pre", "code"}  # their text is not prose
LEADING = {"a", "pre", "svg", "summary", "h1", "h2", "h3", "h4"}  # links already, or no prose
LETTER_AND_NUMBER = re.compile(r"^([^\W\d]+(?: =)?) ([\d.]+)$")
RANGE = re.compile(r"^(<|-?[\d.]+ to) (-?[\d.]+)$")
# The script of an explorable or a question (aucbook.explore): what it defines, and its call.
MOUNTED = re.compile(r'\(function\(\)\{\n(.*)\n(mount\("[^"]+",[^\n]*\);)\n\}\)\(\);', re.S)
NO_BREAK = "\u00a0"
COMBINING_TILDE = "\u0303"


def words(element):
    """All text of an element."""
    return "".join(element.itertext())


def has_class(element, *names):
    """Whether an element has one of these classes."""
    return bool(set((element.get("class") or "").split()) & set(names))


def with_class(tree, tag, name):
    """The elements of a tag that have a class, in the order of the page."""
    return tree.xpath(
        f"descendant-or-self::{tag}[contains(concat(' ', normalize-space(@class), ' '), $name)]",
        name=f" {name} ",
    )


def light_math(tree):
    """Take the namespace from formulas, which HTML knows, and `inline`, which is the default."""
    for math in tree.iter("math"):
        math.attrib.pop("xmlns", None)
        if math.get("display") == "inline":
            del math.attrib["display"]


def upright_tildes(tree):
    """Write a plain tilde above a letter: a combining one would stand beside it."""
    for mark in tree.iter("mo"):
        if mark.text == COMBINING_TILDE:
            mark.text = "~"


def single_anchors(tree):
    """Drop an empty anchor where a heading, or an earlier anchor, has the same name."""
    named = {}
    for element in tree.xpath("descendant-or-self::*[@id]"):
        named.setdefault(element.get("id"), []).append(element)
    for elements in named.values():
        empty = [e for e in elements if e.tag == "span" and not len(e) and not e.text]
        needed = 0 if len(elements) > len(empty) else 1
        for element in empty[needed:]:
            element.drop_tag()


def with_percent(text):
    """Text in which no line ends between a number and its percent sign."""
    return re.sub(r"\s%", f"{NO_BREAK}%", text)


def percent_signs(element):
    """All prose of an element `with_percent`."""
    in_code = " or ".join(f"ancestor::{tag}" for tag in sorted(CODE))
    for text in element.xpath(f"descendant::text()[contains(., '%')][not({in_code})]"):
        place = "tail" if text.is_tail else "text"
        setattr(text.getparent(), place, with_percent(text))


def unbroken_cells(tree):
    """Keep cells of a DataFrame such as `m = 0`, `Paper 1` and `< .001` on one line."""
    for table in with_class(tree, "table", "dataframe"):
        for cell in table.iter("th", "td"):
            pattern = LETTER_AND_NUMBER if cell.tag == "th" else RANGE
            if cell.text and not len(cell) and pattern.match(cell.text):
                cell.text = cell.text.replace(" ", NO_BREAK)


def stacked_tables(tree, wide=5):
    """Give the cells of long or wide tables the heads of their columns.

    On a narrow page such a table reads as a list of records. A DataFrame keeps its shape.
    """
    for table in tree.iter("table"):
        heads = [words(head).strip() for head in table.iterfind("thead//th")]
        around = table.getparent()
        is_long = around is not None and has_class(around, "table")
        if table.get("class") or not heads or not (is_long or len(heads) >= wide):
            continue
        table.set("class", "stack")
        for row in table.iterfind("tbody/tr"):
            for head, cell in zip(heads, row.iterfind("td")):
                cell.set("data-head", head)


def computation_in_answer(tree):
    """Move the code that computes an answer into its fold: beside the question it would tell it."""
    for cell in with_class(tree, "div", "computed"):
        questions = with_class(cell, "div", "predict")
        answers = [details for block in questions for details in block.iter("details")]
        code = with_class(cell, "details", "fold")
        if answers and code:
            answers[-1].append(code[-1])


def shared_scripts(tree):
    """Keep the style and the script of each kind of explorable once.

    In a notebook each brings all it needs; on a page the second of a kind uses those of the first.
    """
    styles = set()
    kinds = {}
    for element in list(tree.iter("style", "script")):
        text = element.text or ""
        if element.tag == "style":
            if text in styles:
                element.drop_tree()
            styles.add(text)
        elif block := MOUNTED.fullmatch(text):
            definition, call = block.groups()
            if definition in kinds:
                element.text = f"{kinds[definition]}.{call}"
                continue
            kind = f"window.kind{len(styles) + len(kinds)}"
            kinds[definition] = kind
            lines = ["(function(){", definition, f"{kind}={{mount}};", call, "})();"]
            element.text = "\n".join(lines)


def parsed(source):
    """The statements of some code; none where it has commands for the shell."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


def docstring_lines(source, link):
    """{line: (link, lines after it, indent)} of the long docstrings in some code.

    Those of public names, methods of public classes included; `link(name)` is None for others.
    """
    lines = {}
    for owner in parsed(source):
        if not isinstance(owner, (ast.FunctionDef, ast.ClassDef)):
            continue
        href = link(owner.name)
        for node in ast.walk(owner) if href else []:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                continue
            if not ast.get_docstring(node):
                continue
            text = node.body[0]
            if text.end_lineno > text.lineno:
                lines[text.lineno] = href, text.end_lineno - text.lineno, text.col_offset
    return lines


def folded_docstrings(tree, link):
    """Show the first line of a public name's docstring, and a link to its card, `link(name)`.

    The other lines stay in the page, unseen, so that a copy and a print have them all.
    """
    for block in tree.iter("code"):
        folded = docstring_lines(words(block), link)
        lines = block.xpath("descendant::span[starts-with(@id, 'cb')]") if folded else []
        for number, (href, more, indent) in folded.items():
            first = lines[number - 1]
            hidden = lines[number : number + more]
            rest = fragment_fromstring('<span class="rest"></span>')
            rest.tail = hidden[-1].tail
            hidden[-1].tail = None
            rest.extend(hidden)
            card = fragment_fromstring('<a class="in-full" aria-label="The docstring in full"></a>')
            card.set("href", href)
            card.set("style", f"margin-left: {indent}ch")
            block.insert(block.index(first) + 1, card)
            block.insert(block.index(card) + 1, rest)


def bare_code(tree):
    """Drop the anchor that pandoc gives every line of code: a quarter of a lesson's bytes."""
    for line in tree.xpath("descendant-or-self::span[starts-with(@id, 'cb')]"):
        anchor = line.find("a")
        if anchor is not None and anchor.get("href") == f"#{line.get('id')}":
            anchor.drop_tree()
            line.drop_tag()


def contents_of_the_spine(tree):
    """Take what stands in closed blocks from the list beside the page: the blocks have titles."""
    deep = set()
    for block in with_class(tree, "details", "depth"):
        deep |= {f"#{element.get('id')}" for element in block.iter() if element.get("id")}
    for contents in with_class(tree, "aside", "toc"):
        for item in list(contents.iter("li")):
            if len(item) and item[0].get("href") in deep:
                item.drop_tree()
        for empty in [part for part in contents.iter("ul") if not len(part)]:
            empty.drop_tree()


# ---- symbols


def shape(element):
    """A piece of a formula as text: what it is made of, without its attributes."""
    inside = "".join(map(shape, element))
    if element.tag in ("mrow", "math"):
        return inside
    return f"{element.tag}({(element.text or '').strip()}{inside})"


def first_letter(element):
    """The first letter of a formula; '' if it has none."""
    for identifier in element.iter("mi"):
        if (identifier.text or "").strip():
            return identifier.text.strip()
    return ""


def symbol_name(element):
    """The name of a symbol: of s with an index, s; a Greek letter by its name."""
    letter = first_letter(element)
    name = unicodedata.name(letter, "").split() if len(letter) == 1 else []
    if "GREEK" not in name:
        return letter
    if "CAPITAL" in name:
        return name[-1].capitalize()
    return name[-2 if name[-1] == "SYMBOL" else -1].lower()


class Symbols:
    """The symbols that a page declares.

    A symbol keeps its meaning with another index; one declared with its index keeps that.
    """

    def __init__(self):
        self.formulas = {}  # {shape: symbol}
        self.code = {}  # {name in code: symbol}
        self.meanings = {}  # {symbol: text}

    def declare(self, item):
        """Read a line such as `- $m$, `m`: how many are ill`."""
        line = item[0] if len(item) and item[0].tag == "p" else item
        for pair in with_class(line, "span", "together"):
            pair.drop_tag()
        meaning = words(line).partition(": ")[2]
        symbol = None
        for term in list(line):
            if term.tag == "math":
                symbol = self.declare_formula(term, symbol, meaning)
            elif term.tag == "code":
                symbol = symbol or words(term)
                self.code[words(term)] = symbol
            if ": " in (term.tail or ""):
                break
        if symbol:
            self.meanings.setdefault(symbol, meaning)
            item.set("data-symbol", symbol)

    def declare_formula(self, math, symbol, meaning):
        """Read a formula of a line. Returns the symbol of the line."""
        root = math.find("semantics/mrow")
        if root is None:
            root = math.find("semantics")[0]
        symbol = symbol or symbol_name(root)
        if self.meanings.get(symbol, meaning) != meaning:
            symbol = f"{symbol}-{len(self.meanings)}"
        self.formulas[shape(root)] = symbol
        self.formulas.setdefault(f"mi({first_letter(root)})", symbol)
        return symbol

    def mark_formulas(self, main):
        """Set `data-symbol` in formulas: the largest piece that is declared."""
        for math in main.iter("math"):
            for element in list(math.iter()):
                if not isinstance(element.tag, str) or element.tag in ("math", "annotation"):
                    continue
                around = element.iterancestors()
                if any(e.get("data-symbol") and e.tag.startswith("m") for e in around):
                    continue
                symbol = self.formulas.get(shape(element))
                if symbol:
                    element.set("data-symbol", symbol)

    def mark_code(self, main):
        """Set `data-symbol` in code within the text."""
        for element in main.iter("code"):
            around = element.getparent()
            if around.tag == "pre" or has_class(around, "sourceCode"):
                continue
            symbol = self.code.get(words(element))
            if symbol:
                element.set("data-symbol", symbol)

    def script(self):
        """What the page's script reads: {'meanings': …, 'code': …}."""
        script = fragment_fromstring('<script type="application/json" id="symbols"></script>')
        data = {"meanings": self.meanings, "code": self.code}
        script.text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
        return script


def fold_block(block):
    """The block of symbols as a fold under its first paragraph."""
    title = block.find("p")
    summary = fragment_fromstring("<summary></summary>")
    summary.text = "Symbols on this page"
    if title is not None:
        summary.text = words(title)
        block.remove(title)
    block.tag = "details"
    block.set("class", "fold symbols")
    block.insert(0, summary)


def symbols(main):
    """Mark the symbols that a page declares in its block `.symbols`, and fold that block.

    In formulas and code they get `data-symbol`; the script `symbols` has their meanings.
    """
    blocks = with_class(main, "div", "symbols")
    declared = Symbols()
    for block in blocks:
        for item in block.iter("li"):
            declared.declare(item)
    for block in blocks:
        fold_block(block)
    if declared.meanings:
        declared.mark_formulas(main)
        declared.mark_code(main)
        main.append(declared.script())


# ---- links


def equations_lead_back(tree, link):
    """Make the number of each equation a link to its entry in the list, `link(label)`."""
    for equation in with_class(tree, "span", "equation"):
        number = equation.find("span[@class='eqno']")
        if number is None or not equation.get("id"):
            continue
        back = fragment_fromstring('<a class="back" title="Where this equation is used"></a>')
        back.set("href", link(equation.get("id")))
        back.tail = number.tail
        number.tail = None
        equation.replace(number, back)
        back.append(number)


def citations_say_what(tree):
    """Give each citation the text of its reference, without the address, as its title.

    The page's script shows it where the citation is pointed at or focused; without scripts the
    browser shows the title.
    """
    references = {}
    for entry in with_class(tree, "div", "csl-entry"):
        text = " ".join(words(entry).split())
        references["#" + entry.get("id")] = re.sub(r"\s*https?://\S+$", "", text)
    for citation in tree.xpath("descendant-or-self::a[@role='doc-biblioref']"):
        citation.set("title", references[citation.get("href")])


def names_lead_to_cards(tree, link):
    """Make the first mention of a public name in prose a link to its card, `link(name)`."""
    linked = set()
    for code in tree.xpath("descendant-or-self::code[not(*)]"):
        name = words(code).removesuffix("()")
        href = link(name) if name not in linked else None
        around = code.iterancestors()
        if href and not any(e.tag in LEADING or has_class(e, "rich") for e in around):
            linked.add(name)
            anchor = fragment_fromstring('<a class="name"></a>')
            anchor.set("href", href)
            anchor.tail = code.tail
            code.tail = None
            code.getparent().replace(code, anchor)
            anchor.append(code)


def local_links(tree, page, site_url):
    """Make links to notebooks and to the published site work from disk."""
    for element in tree.iter("a"):
        href = element.get("href")
        if not href:
            continue
        if site_url and href.startswith(site_url + "/"):
            target, _, anchor = href.removeprefix(site_url + "/").partition("#")
            element.set("href", page.link(target, anchor))
        elif re.match(r"(?![a-z]+:)[^#?]+\.ipynb(#|$)", href):
            element.set("href", href.replace(".ipynb", ".html", 1))
