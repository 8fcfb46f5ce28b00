"""The sections of a rendered page with their text, its numbered equations, and its references."""

from dataclasses import dataclass, field

from lxml.html import tostring

# Elements whose text is apart from what stands before them.
BLOCKS = {
    "p",
    "li",
    "div",
    "pre",
    "td",
    "th",
    "dt",
    "dd",
    "br",
    "summary",
    "figcaption",
    "h4",
    "aside",
    "details",
}
SKIPPED = {"annotation", "script", "style", "svg", "button"}
SKIPPED_CLASSES = {"rich", "output", "used", "around", "page-footer"}


@dataclass(eq=False)
class Section:
    """A section of a page: its anchor, title and text."""

    id: str = ""
    title: str = ""
    text: str = ""


@dataclass(eq=False)
class Equation:
    """A numbered equation.

    `html` is the formula itself, `before` the words that introduce it.
    """

    label: str
    number: str
    html: str
    before: str
    section: Section


def classes_of(element):
    """The classes of an element."""
    return set((element.get("class") or "").split())


def is_skipped(element):
    """Whether the text of an element belongs to no section."""
    if not isinstance(element.tag, str) or element.tag in SKIPPED:
        return True
    return bool(classes_of(element) & SKIPPED_CLASSES)


def is_number_or_display(element):
    """Whether an element is the number of an equation, or a displayed formula."""
    is_display = element.tag == "math" and element.get("display") == "block"
    return "eqno" in classes_of(element) or is_display


@dataclass(eq=False)
class Reader:
    """The sections, equations and references of a page, read in one walk through its main part.

    `references` are (address, label, section) of links to equations; `paragraph` and `previous`
    the paragraph being read and the one before it.
    """

    page: object
    sections: list = field(default_factory=lambda: [Section()])
    equations: list = field(default_factory=list)
    references: list = field(default_factory=list)
    paragraph: str = ""
    previous: str = ""

    def __post_init__(self):
        self.walk(self.page.tree.get_element_by_id("main"))
        for section in self.sections:
            section.title = " ".join(section.title.split())
            section.text = " ".join(section.text.split())

    def walk(self, element, place="", skipped=False, heading=False):
        """Read an element and what is in it.

        `place`: the id of the innermost section; `heading`: its text belongs to the title.
        """
        tag = element.tag
        skipped = skipped or is_skipped(element)
        if tag == "section":
            place = element.get("id", place)
        is_heading = tag in ("h2", "h3") and not skipped
        if is_heading or (tag == "dt" and element.get("id")):
            self.sections.append(Section(element.get("id") or place))
            heading = True
        if tag == "p":
            self.previous = self.paragraph
            self.paragraph = ""
        if tag in BLOCKS:
            self.sections[-1].text += " "
        if "equation" in classes_of(element) and element.get("id"):
            self.add_equation(element)
        if tag == "a" and "#eq-" in (element.get("href") or ""):
            address, label = self.page.resolve(element.get("href"))
            self.references.append((address, label, self.sections[-1]))
        skipped = skipped or is_number_or_display(element)
        self.add_text(element.text, skipped, heading)
        for child in element:
            self.walk(child, place, skipped, heading)
            self.add_text(child.tail, skipped, heading)

    def add_text(self, text, skipped, heading):
        """Add text to the section: to its title, or to its text."""
        if not text or skipped:
            return
        if heading:
            self.sections[-1].title += text
        else:
            self.paragraph += text
            self.sections[-1].text += text

    def add_equation(self, element):
        """Add a numbered equation."""
        number = element.find(".//span[@class='eqno']").text_content().strip("()")
        candidates = element.iter("span", "math")
        formula = next(e for e in candidates if e.tag == "math" or e.get("class") == "parts")
        self.equations.append(
            Equation(
                label=element.get("id"),
                number=number,
                html=tostring(formula, encoding="unicode", with_tail=False),
                before=self.paragraph.strip() or self.previous,
                section=self.sections[-1],
            )
        )
