"""What would embarrass us: dead links, missing files, images without words, anything from a network."""

import re
from collections import Counter

LOADS = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src"}
ELSEWHERE = re.compile(r"(https?:)?//")


def facts(page):
    "(how often there is each anchor, links, images without alternative text, resources) of a page."
    ids, links, bare, resources = Counter(), [], [], []
    for element in page.tree.iter():
        if not isinstance(element.tag, str):
            continue
        if element.get("id"):
            ids[element.get("id")] += 1
        if element.tag == "a" and element.get("href"):
            links.append(element.get("href"))
        if element.tag == "img" and not (element.get("alt") or "").strip() and element.getparent().tag != "a":
            bare.append(element.get("src"))
        resource = element.get(LOADS.get(element.tag, "src"))
        if resource and not resource.startswith("data:"):
            resources.append(resource)
    return ids, links, bare, resources


def problems(pages, out):
    "Problems of a built site, one line each."
    known, found = {page.address: facts(page) for page in pages}, []
    for page in pages:
        ids, links, bare, resources = known[page.address]
        found += [
            f"{page.address}: the anchor {name} is there {times} times" for name, times in ids.items() if times > 1
        ]
        found += [f"{page.address}: image without alternative text: {src} (give its cell a fig-alt)" for src in bare]
        found += [f"{page.address}: loads from the network: {src}" for src in resources if ELSEWHERE.match(src)]
        found += [
            f"{page.address}: missing file: {src}"
            for src in resources
            if not ELSEWHERE.match(src) and not (out / page.resolve(src)[0]).is_file()
        ]
        for link in links:
            if re.match(r"[a-z]+:", link):
                continue
            address, anchor = page.resolve(link)
            if not (out / address).is_file() or (anchor and address in known and anchor not in known[address][0]):
                found.append(f"{page.address}: dead link: {link}")
    return found
