"""The search index: one script, loaded on the first search, so that it works from disk."""

import json


def index(readers, leave_out=()):
    "Pages as [address, name], sections as [page, anchor, title, text]. `leave_out`: addresses whose text stands elsewhere."
    sections = [
        [i, section.id, section.title, section.text]
        for i, reader in enumerate(readers)
        if reader.page.address not in leave_out
        for section in reader.sections
        if section.text or section.title
    ]
    data = {"pages": [[reader.page.address, reader.page.label] for reader in readers], "sections": sections}
    return "window.bookIndex=" + json.dumps(data, ensure_ascii=False, separators=(",", ":")) + ";\n"
