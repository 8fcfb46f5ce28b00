"""The gallery: every explorable and every figure of the lessons, each a link to its place."""

import re
from html import escape

from website.content.cells import raw, texts

EXPLORABLE = re.compile(r'<figure id="(ax-[\w-]+)"[^>]*>')
TITLE = re.compile(r"<explorable: (.*)>$")
NUMBER = re.compile(r"^Figure \d+\. ")


def explorables(page):
    """[(anchor, title)] of a lesson."""
    titled = []
    for cell in page.notebook["cells"]:
        for output in cell.get("outputs", []):
            data = texts(output)
            anchor = EXPLORABLE.search(data.get("text/html", ""))
            title = TITLE.match(data.get("text/plain", ""))
            if anchor and title:
                titled.append((anchor[1], title[1]))
    return titled


def pictures(page):
    """[(file, anchor or '', caption)] of a lesson's figures; drawings lie beside them."""
    figures = []
    for figure in page.tree.iter("figure"):
        if figure.get("class") == "ax":
            continue
        image = figure.find(".//img")
        caption = figure.find("figcaption")
        file = f"figures/{page.stem}/{len(figures) + 1}.svg" if image is None else image.get("src")
        words = " ".join(caption.text_content().split()) if caption is not None else ""
        figures.append((file, figure.get("id") or "", words))
    return figures


def explorable_list(page, lesson):
    """The explorables of a lesson as an entry of a list; '' if it has none."""
    links = []
    for anchor, title in explorables(lesson):
        links.append(f'<li><a href="{page.link(lesson, anchor)}">{escape(title)}</a></li>')
    if not links:
        return ""
    return f"<dt>{escape(lesson.title)}</dt><dd><ul>{''.join(links)}</ul></dd>"


def thumbnail(page, lesson, picture):
    """A figure of a lesson with the first sentence of its caption."""
    file, anchor, caption = picture
    words = NUMBER.sub("", caption) or lesson.title
    first = f"{escape(lesson.title)}: {escape(words.partition('.')[0])}"
    image = f'<img src="{page.link(f"{lesson.folder}/{file}")}" alt="" loading="lazy">'
    return f'<li><a href="{page.link(lesson, anchor)}">{image}<span>{first}</span></a></li>'


def body(page, lessons):
    """Markdown of the page: the explorables lesson by lesson, then the figures."""
    played = "".join(explorable_list(page, lesson) for lesson in lessons)
    figures = "".join(
        thumbnail(page, lesson, picture) for lesson in lessons for picture in pictures(lesson)
    )
    parts = [
        "## Pictures to play with {#play}",
        raw(f"<dl>{played}</dl>"),
        "## Figures {#figures}",
        raw(f'<ul class="gallery">{figures}</ul>'),
    ]
    return "\n\n".join(parts)
