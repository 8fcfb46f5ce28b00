"""The search index: one script, loaded on the first search, so that it works from disk. (site.js ranks: lessons, then how-to, then the rest.)"""

import json


def index(readers, glossary=(), asked=None, leave_out=()):
    "Pages as [address, name, what is asked for it (asked.yml)], sections as [page, anchor, title, text], words that mean the same. `leave_out`: addresses whose text stands elsewhere."
    sections = [
        [i, section.id, section.title, section.text]
        for i, reader in enumerate(readers)
        if reader.page.address not in leave_out
        for section in reader.sections
        if section.text or section.title
    ]
    same = [[entry["term"], *entry.get("also", []), *entry.get("asked", [])] for entry in glossary]
    data = {
        "pages": [
            [reader.page.address, reader.page.label, (asked or {}).get(reader.page.name, "")] for reader in readers
        ],
        "sections": sections,
        "same": [words for words in same if len(words) > 1],
    }
    return "window.bookIndex=" + json.dumps(data, ensure_ascii=False, separators=(",", ":")) + ";\n"
