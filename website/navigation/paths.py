"""Reading paths: data/paths.yml as links."""

from html import escape

from website.content.minutes import minutes
from website.reference.glossary import slug


def existing(groups, pages):
    """The paths whose pages exist: (group, title, [page, …])."""
    named = {page.name: page for page in pages}
    paths_with_pages = []
    for group, paths in groups.items():
        for title, names in paths.items():
            steps = [named[name] for name in names if name in named]
            if len(steps) > 1:
                paths_with_pages.append((group, title, steps))
    return paths_with_pages


def path_item(title, steps, page):
    """One path as an item of a list, with its minutes where all steps are lessons."""
    links = " → ".join(f'<a href="{page.link(step)}">{escape(step.title)}</a>' for step in steps)
    time = ""
    if all(step.folder == "lessons" for step in steps):
        time = f" (about {sum(minutes(step.notebook)[0] for step in steps)} minutes)"
    return f"<li><strong>{escape(title)}</strong>{time}: {links}</li>"


def as_list(paths, page):
    """All paths, by group, as HTML for `page`."""
    groups = {}
    for group, title, steps in paths:
        groups.setdefault(group, []).append(path_item(title, steps, page))
    parts = []
    for group, items in groups.items():
        heading = f'<h3 id="{slug(group)}">{escape(group)}</h3>'
        parts.append(f'{heading}\n<ul class="paths">{"".join(items)}</ul>')
    return "\n".join(parts)


def next_steps(paths, page):
    """Where each path through this page goes next, as items of a list."""
    items = []
    for _, title, steps in paths:
        for step, after in zip(steps, steps[1:]):
            if step is page:
                link = f'<a href="{page.link(after)}">{escape(after.title)}</a>'
                items.append(f"<li>{escape(title)}: {link}</li>")
    return "".join(items)
