"""Dead links, missing files, images without words, anything from a network."""

import re
from collections import Counter
from dataclasses import dataclass, field

LOADS = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src"}
ELSEWHERE = re.compile(r"(https?:)?//")


@dataclass
class Facts:
    """What the checks need of a page; `anchors` counts each, `bare` are images without words."""

    anchors: Counter = field(default_factory=Counter)
    links: list = field(default_factory=list)
    bare: list = field(default_factory=list)
    resources: list = field(default_factory=list)


def has_words(image):
    """Whether a picture has alternative text, or stands in a link with text of its own."""
    return (image.get("alt") or "").strip() or image.getparent().tag == "a"


def facts(page):
    """The Facts of a page."""
    collected = Facts()
    for element in page.tree.iter():
        if not isinstance(element.tag, str):
            continue
        if element.get("id"):
            collected.anchors[element.get("id")] += 1
        if element.tag == "a" and element.get("href"):
            collected.links.append(element.get("href"))
        if element.tag == "img" and not has_words(element):
            collected.bare.append(element.get("src"))
        resource = element.get(LOADS.get(element.tag, "src"))
        if resource and not resource.startswith("data:"):
            collected.resources.append(resource)
    return collected


def page_problems(page, known, out):
    """Problems of one page; `known`: {address: Facts} of all."""
    own = known[page.address]
    for name, times in own.anchors.items():
        if times > 1:
            yield f"the anchor {name} is there {times} times"
    for source in own.bare:
        yield f"image without alternative text: {source} (give its cell a fig-alt)"
    for source in own.resources:
        if ELSEWHERE.match(source):
            yield f"loads from the network: {source}"
        elif not (out / page.resolve(source)[0]).is_file():
            yield f"missing file: {source}"
    for link in own.links:
        if re.match(r"[a-z]+:", link):
            continue
        address, anchor = page.resolve(link)
        is_page = address in known
        if not (out / address).is_file() or (
            anchor and is_page and anchor not in known[address].anchors
        ):
            yield f"dead link: {link}"


def problems(pages, out):
    """Problems of a built site, one line each."""
    known = {page.address: facts(page) for page in pages}
    lines = []
    for page in pages:
        lines += [f"{page.address}: {problem}" for problem in page_problems(page, known, out)]
    return lines
