"""The sections of a rendered page with their text, its numbered equations, and its references to equations."""

from dataclasses import dataclass, field

from lxml.html import tostring

BLOCKS = {"p", "li", "div", "pre", "td", "th", "dt", "dd", "br", "summary", "figcaption", "h4", "aside", "details"}
UNSAID = {"annotation", "script", "style", "svg", "button"}
UNSAID_CLASSES = {"rich", "output", "used", "around", "take"}


@dataclass(eq=False)
class Section:
    id: str = ""
    title: str = ""
    text: str = ""


@dataclass(eq=False)
class Equation:
    label: str
    number: str
    html: str  # the formula itself
    before: str  # the words that introduce it
    section: Section


@dataclass(eq=False)
class Reader:
    "Walks once through the main part of a page."

    page: object
    sections: list = field(default_factory=lambda: [Section()])
    equations: list = field(default_factory=list)
    references: list = field(default_factory=list)  # (address, label, section)
    paragraph: str = ""
    last: str = ""  # the paragraph before this one

    def __post_init__(self):
        self.walk(self.page.tree.get_element_by_id("main"))
        for section in self.sections:
            section.title, section.text = " ".join(section.title.split()), " ".join(section.text.split())

    def walk(self, element, place="", unsaid=False, heading=False):
        "`place`: the id of the innermost section; `heading`: text belongs to the title."
        tag, classes = element.tag, set((element.get("class") or "").split())
        unsaid = unsaid or tag in UNSAID or bool(classes & UNSAID_CLASSES) or not isinstance(tag, str)
        place = element.get("id", place) if tag == "section" else place
        if (tag in ("h2", "h3") and not unsaid) or (tag == "dt" and element.get("id")):
            self.sections.append(Section(element.get("id") or place))
            heading = True
        if tag == "p":
            self.last, self.paragraph = self.paragraph, ""
        if tag in BLOCKS:
            self.sections[-1].text += " "
        if "equation" in classes and element.get("id"):
            self.equation(element)
        if tag == "a" and "#eq-" in (element.get("href") or ""):
            self.references.append((*self.page.resolve(element.get("href")), self.sections[-1]))
        unsaid = unsaid or "eqno" in classes or (tag == "math" and element.get("display") == "block")
        self.hear(element.text, unsaid, heading)
        for child in element:
            self.walk(child, place, unsaid, heading)
            self.hear(child.tail, unsaid, heading)

    def hear(self, text, unsaid, heading):
        if text and not unsaid:
            if heading:
                self.sections[-1].title += text
            else:
                self.paragraph += text
                self.sections[-1].text += text

    def equation(self, element):
        number = element.find(".//span[@class='eqno']")
        formula = next(e for e in element.iter("span", "math") if e.tag == "math" or e.get("class") == "parts")
        html = tostring(formula, encoding="unicode", with_tail=False)
        before = self.paragraph.strip() or self.last
        self.equations.append(
            Equation(element.get("id"), number.text_content().strip("()"), html, before, self.sections[-1])
        )
