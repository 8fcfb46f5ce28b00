"""What pandoc's HTML still lacks, done to the element tree of a page. Each function mends one thing."""

import ast
import json
import re
import unicodedata

from lxml.html import fragment_fromstring

QUIET = {"script", "style", "svg", "pre", "code"}  # their text is not prose
LED = {"a", "pre", "svg", "summary", "h1", "h2", "h3", "h4"}  # what leads somewhere already, or is no prose
RUN = re.compile(r"^([^\W\d]+(?: =)?) ([\d.]+)$")
MOUNTED = re.compile(
    r'\(function\(\)\{\n(.*)\n(mount\("[^"]+",[^\n]*\);)\n\}\)\(\);', re.S
)  # the script of aucbook.explore
RANGE = re.compile(r"^(<|-?[\d.]+ to) (-?[\d.]+)$")


def words(element):
    "All text of an element."
    return "".join(element.itertext())


def has_class(element, *names):
    return bool(set((element.get("class") or "").split()) & set(names))


def light_math(tree):
    "HTML knows what a formula is: the address of its namespace would be said at every letter, and inline it is anyway."
    for math in tree.iter("math"):
        math.attrib.pop("xmlns", None)
        if math.get("display") == "inline":
            del math.attrib["display"]


def upright_tildes(tree):
    "A combining tilde would stand beside its letter."
    for mark in tree.iter("mo"):
        if mark.text == "\u0303":
            mark.text = "~"


def one_anchor_each(tree):
    "An empty anchor gives way to a heading, or an earlier anchor, of the same name."
    named = {}
    for element in tree.iter():
        if element.get("id"):
            named.setdefault(element.get("id"), []).append(element)
    for same in named.values():
        empty = [e for e in same if e.tag == "span" and not len(e) and not e.text]
        for element in empty[0 if len(same) > len(empty) else 1 :]:
            element.drop_tag()


def with_percent(text):
    "No line ends between a number and its percent sign."
    return re.sub(r"\s%", "\u00a0%", text)


def percent_signs(element, quiet=False):
    "All prose of an element `with_percent`."
    quiet = quiet or element.tag in QUIET or not isinstance(element.tag, str)
    if element.text and not quiet:
        element.text = with_percent(element.text)
    for child in element:
        percent_signs(child, quiet)
        if child.tail and not quiet:
            child.tail = with_percent(child.tail)


def whole_cells(tree):
    "Cells of a DataFrame such as `m = 0`, `Paper 1`, `0.93 to 1.0` and `< .001` stay on one line."
    for table in tree.iter("table"):
        if has_class(table, "dataframe"):
            for cell in table.iter("th", "td"):
                if cell.text and not len(cell) and (RUN if cell.tag == "th" else RANGE).match(cell.text):
                    cell.text = cell.text.replace(" ", "\u00a0")


def stacked_tables(tree, wide=5):
    "On a narrow page a long or wide table reads as a list of records: its cells learn the heads of their columns. (A DataFrame keeps its shape.)"
    for table in tree.iter("table"):
        heads = [words(head).strip() for head in table.iterfind("thead//th")]
        long = table.getparent() is not None and has_class(table.getparent(), "table")
        if table.get("class") or not heads or not (long or len(heads) >= wide):
            continue
        table.set("class", "stack")
        for row in table.iterfind("tbody/tr"):
            for head, cell in zip(heads, row.iterfind("td")):
                cell.set("data-head", head)


def computed_inside(tree):
    "How the answer to a question is computed belongs in its folded answer: beside the question it would give it away."
    for cell in list(tree.iter("div")):
        if has_class(cell, "computed"):
            answers = [
                details
                for block in cell.iter("div")
                if has_class(block, "predict")
                for details in block.iter("details")
            ]
            code = [details for details in cell.iter("details") if has_class(details, "fold")]
            if answers and code:
                answers[-1].append(code[-1])


def said_once(tree):
    "Each explorable and each question brings its whole style and script, for notebooks; on a page the second of a kind uses those of the first."
    seen = {}
    for element in list(tree.iter("style", "script")):
        text = element.text or ""
        if element.tag == "style":
            if seen.setdefault(text, element) is not element:
                element.drop_tree()
        elif block := MOUNTED.fullmatch(text):
            head, call = block.groups()
            if head in seen:
                element.text = f"{seen[head]}.{call}"
            else:
                seen[head] = f"window.kind{len(seen)}"
                element.text = f"(function(){{\n{head}\n{seen[head]}={{mount}};\n{call}\n}})();"


def docstring_lines(source, link):
    "{line: (link, lines after it, indent)} of the long docstrings in some code that public names have, methods of public classes too."
    found = {}
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a cell that speaks to the shell
        body = []
    for owner in body:
        href = isinstance(owner, (ast.FunctionDef, ast.ClassDef)) and link(owner.name)
        for node in ast.walk(owner) if href else []:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
                text = node.body[0]
                if text.end_lineno > text.lineno:
                    found[text.lineno] = href, text.end_lineno - text.lineno, text.col_offset
    return found


def folded_docstrings(tree, link):
    """In code that is shown, the docstring of a public name is its first line and, below it, a link to its card, `link(name)`.

    The other lines stay in the page, unseen, so that a copy and a print have them all."""
    for block in tree.iter("code"):
        lines = [line for line in block.iter("span") if (line.get("id") or "").startswith("cb")]
        for at, (href, more, indent) in docstring_lines(words(block), link).items():
            rest = fragment_fromstring('<span class="rest"></span>')
            card = fragment_fromstring('<a class="in-full" aria-label="The docstring in full"></a>')
            card.set("href", href)
            card.set("style", f"margin-left: {indent}ch")
            first, hidden = lines[at - 1], lines[at : at + more]
            rest.tail, hidden[-1].tail = hidden[-1].tail, None
            rest.extend(hidden)
            block.insert(block.index(first) + 1, card)
            block.insert(block.index(card) + 1, rest)


def bare_code(tree):
    "Pandoc makes every line of code a place to link to, which is a quarter of a lesson's bytes; nobody links there."
    for line in list(tree.iter("span")):
        anchor = line.find("a")
        if (
            anchor is not None
            and (line.get("id") or "").startswith("cb")
            and anchor.get("href") == f"#{line.get('id')}"
        ):
            anchor.drop_tree()
            line.drop_tag()


def contents_of_the_spine(tree):
    "What stands in closed blocks is not listed beside the page: their titles are at its end."
    deep = {
        f"#{e.get('id')}"
        for block in tree.iter("details")
        if has_class(block, "depth")
        for e in block.iter()
        if e.get("id")
    }
    for item in [item for toc in tree.iter("aside") if has_class(toc, "toc") for item in toc.iter("li")]:
        if len(item) and item[0].get("href") in deep:
            item.drop_tree()
    for empty in [ul for toc in tree.iter("aside") if has_class(toc, "toc") for ul in toc.iter("ul") if not len(ul)]:
        empty.drop_tree()


def shape(element):
    "A piece of a formula as text: what it is made of, without its attributes."
    inside = "".join(map(shape, element))
    return inside if element.tag in ("mrow", "math") else f"{element.tag}({(element.text or '').strip()}{inside})"


def first_letter(element):
    "What a symbol is named by: of s with an index, s; a Greek letter by its name, as explorables say it."
    letter = next((e.text.strip() for e in element.iter("mi") if (e.text or "").strip()), "")
    spelt = unicodedata.name(letter, "").split() if len(letter) == 1 else []
    if "GREEK" not in spelt:
        return letter
    return spelt[-1].capitalize() if "CAPITAL" in spelt else spelt[-2 if spelt[-1] == "SYMBOL" else -1].lower()


def symbols(main):
    """The block `.symbols` (`- $m$, `m`: how many are ill`) as a fold; what it declares is marked in formulas and in code by
    `data-symbol`, and the script `symbols` has the meanings, {"meanings": {symbol: text}, "code": {name: symbol}}.

    A symbol keeps its meaning with another index; one that is declared with its index keeps that."""
    blocks = [div for div in main.iter("div") if has_class(div, "symbols")]
    whole, named, meanings = {}, {}, {}
    for item in (item for block in blocks for item in block.iter("li")):
        line = item[0] if len(item) and item[0].tag == "p" else item
        for pair in [span for span in line.iter("span") if has_class(span, "together")]:
            pair.drop_tag()
        key, meaning = None, words(line).partition(": ")[2]
        for term in list(line):
            if term.tag == "math":
                root = term.find("semantics/mrow")
                root = term.find("semantics")[0] if root is None else root
                key = key or first_letter(root)
                key = key if meanings.get(key, meaning) == meaning else f"{key}-{len(meanings)}"
                base = next((e.text.strip() for e in root.iter("mi") if (e.text or "").strip()), "")
                whole[shape(root)] = key
                whole.setdefault(f"mi({base})", key)
            elif term.tag == "code":
                key = key or words(term)
                named[words(term)] = key
            if ": " in (term.tail or ""):
                break
        if key:
            meanings.setdefault(key, meaning)
            item.set("data-symbol", key)
    for block in blocks:
        title = block.find("p")
        block.tag = "details"
        block.set("class", "fold symbols")
        summary = fragment_fromstring("<summary></summary>")
        summary.text = words(title) if title is not None else "Symbols on this page"
        if title is not None:
            block.remove(title)
        block.insert(0, summary)
    if not meanings:
        return
    for math in main.iter("math"):
        for element in list(math.iter()):
            if not isinstance(element.tag, str) or element.tag in ("math", "annotation"):
                continue
            inside = any(e.get("data-symbol") and e.tag.startswith("m") for e in element.iterancestors())
            found = None if inside else whole.get(shape(element))
            if found:
                element.set("data-symbol", found)
    for element in main.iter("code"):
        around = element.getparent()
        found = None if around.tag == "pre" or has_class(around, "sourceCode") else named.get(words(element))
        if found:
            element.set("data-symbol", found)
    script = fragment_fromstring('<script type="application/json" id="symbols"></script>')
    script.text = json.dumps({"meanings": meanings, "code": named}, ensure_ascii=False).replace("<", "\\u003c")
    main.append(script)


def equations_lead_back(tree, link):
    "The number of each equation leads to its entry in the list; `link(label)` says where that is."
    for equation in tree.iter("span"):
        number = (
            equation.find("span[@class='eqno']") if has_class(equation, "equation") and equation.get("id") else None
        )
        if number is not None:
            back = fragment_fromstring('<a class="back" title="Where this equation is used"></a>')
            back.set("href", link(equation.get("id")))
            back.tail, number.tail = number.tail, None
            equation.replace(number, back)
            back.append(number)


def names_lead_to_cards(tree, link):
    "The first mention of a public name in prose leads to its card, `link(name)`."
    met = set()
    for code in list(tree.iter("code")):
        name, around = words(code).removesuffix("()"), list(code.iterancestors())
        quiet = name in met or len(code) or any(e.tag in LED or has_class(e, "rich") for e in around)
        href = None if quiet else link(name)
        if href:
            met.add(name)
            anchor = fragment_fromstring('<a class="name"></a>')
            anchor.set("href", href)
            anchor.tail, code.tail = code.tail, None
            code.getparent().replace(code, anchor)
            anchor.append(code)


def local_links(tree, page, site_url):
    "Links to notebooks and to the published site become links between pages, so that the site opens from disk."
    for element in tree.iter("a"):
        href = element.get("href")
        if not href:
            continue
        if site_url and href.startswith(site_url + "/"):
            target, _, anchor = href.removeprefix(site_url + "/").partition("#")
            element.set("href", page.link(target, anchor))
        elif re.match(r"(?![a-z]+:)[^#?]+\.ipynb(#|$)", href):
            element.set("href", href.replace(".ipynb", ".html", 1))
