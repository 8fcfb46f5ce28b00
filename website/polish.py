"""What pandoc's HTML still lacks, done to the element tree of a page. Each function mends one thing."""

import re

from lxml.html import fragment_fromstring

QUIET = {"script", "style", "svg", "pre", "code"}  # their text is not prose
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
