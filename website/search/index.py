"""The index of the search: one script, loaded on the first search, so that it works from disk.

ranking.js ranks the results: lessons, then how-to pages, then the rest.
"""

import json


def page_entries(readers, search_words):
    """[address, label, words that readers look for it with] of each page."""
    return [[r.page.address, r.page.label, search_words.get(r.page.name, "")] for r in readers]


def section_entries(readers, leave_out):
    """[number of the page, anchor, title, text] of each section."""
    entries = []
    for number, reader in enumerate(readers):
        if reader.page.address in leave_out:
            continue
        for section in reader.sections:
            if section.text or section.title:
                entries.append([number, section.id, section.title, section.text])
    return entries


def synonyms(glossary):
    """Lists of words for one thing."""
    groups = []
    for entry in glossary:
        group = [entry["term"], *entry.get("also", []), *entry.get("others", [])]
        if len(group) > 1:
            groups.append(group)
    return groups


def index(readers, glossary=(), search_words=None, leave_out=()):
    """The script of the index.

    Parameters
    ----------
    readers : list of Reader
    glossary : list of dict
        Its terms have words that mean the same.
    search_words : dict, optional
        {page: words that readers look for it with}, data/search_words.yml.
    leave_out : container of str
        Addresses whose text stands elsewhere.
    """
    data = {
        "pages": page_entries(readers, search_words or {}),
        "sections": section_entries(readers, leave_out),
        "same": synonyms(glossary),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"window.bookIndex={text};\n"
