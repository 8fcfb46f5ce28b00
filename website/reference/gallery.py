"""The gallery: every explorable and every figure of the lessons, each a link to its place."""

import re
from html import escape

AX = re.compile(r'<figure id="(ax-[\w-]+)"[^>]*>')
TITLE = re.compile(r"<explorable: (.*)>$")


def explorables(page):
    "[(anchor, title)] of a lesson."
    found = []
    for cell in page.notebook["cells"]:
        for output in cell.get("outputs", []):
            data = {
                mime: "".join(text) for mime, text in output.get("data", {}).items() if isinstance(text, (str, list))
            }
            anchor, title = AX.search(data.get("text/html", "")), TITLE.match(data.get("text/plain", ""))
            if anchor and title:
                found.append((anchor[1], title[1]))
    return found


def pictures(page):
    "[(file, anchor or '', caption)] of a lesson's figures; a drawing stands in the page, and its file beside it."
    found = []
    for figure in page.tree.iter("figure"):
        if figure.get("class") != "ax":
            image = figure.find(".//img")
            file = f"figures/{page.stem}/{len(found) + 1}.svg" if image is None else image.get("src")
            caption = figure.find("figcaption")
            words = " ".join(caption.text_content().split()) if caption is not None else ""
            found.append((file, figure.get("id") or "", words))
    return found


def body(page, lessons):
    "Markdown of the page: what can be played with, lesson by lesson, then the figures."
    played, seen = [], []
    for lesson in lessons:
        title = escape(lesson.title)
        made = explorables(lesson)
        if made:
            links = "".join(
                f'<li><a href="{page.link(lesson, anchor)}">{escape(name)}</a></li>' for anchor, name in made
            )
            played.append(f"<dt>{title}</dt><dd><ul>{links}</ul></dd>")
        for name, anchor, caption in pictures(lesson):
            file = page.link(f"{lesson.folder}/{name}")
            words = re.sub(r"^Figure \d+\. ", "", caption) or lesson.title
            seen.append(
                f'<li><a href="{page.link(lesson, anchor)}"><img src="{file}" alt="" loading="lazy"><span>{title}: {escape(words.partition(".")[0])}</span></a></li>'
            )
    return (
        "## Pictures to play with {#play}\n\n```{=html}\n<dl>"
        + "".join(played)
        + '</dl>\n```\n\n## Figures {#figures}\n\n```{=html}\n<ul class="gallery">'
        + "".join(seen)
        + "</ul>\n```"
    )
