"""Reading paths: paths.yml as links."""

from html import escape

from website.content.minutes import minutes
from website.reference.glossary import slug


def known(groups, pages):
    "The paths whose pages exist: (group, title, [page, …])."
    named = {page.name: page for page in pages}
    found = [
        (group, title, [named[name] for name in names if name in named])
        for group, paths in groups.items()
        for title, names in paths.items()
    ]
    return [path for path in found if len(path[2]) > 1]


def as_list(paths, page):
    "All paths, by group, as HTML for `page`."
    groups = {}
    for group, title, steps in paths:
        links = " → ".join(f'<a href="{page.link(step)}">{escape(step.title)}</a>' for step in steps)
        lessons = all(step.folder == "lessons" for step in steps)
        time = f" (about {sum(minutes(step.notebook)[0] for step in steps)} minutes)" if lessons else ""
        groups.setdefault(group, []).append(f"<li><strong>{escape(title)}</strong>{time}: {links}</li>")
    return "\n".join(
        f'<h3 id="{slug(group)}">{escape(group)}</h3>\n<ul class="paths">{"".join(items)}</ul>'
        for group, items in groups.items()
    )


def next_steps(paths, page):
    "Where each path through this page goes next."
    found = [(title, after) for _, title, steps in paths for step, after in zip(steps, steps[1:]) if step is page]
    return "".join(
        f'<li>{escape(title)}: <a href="{page.link(after)}">{escape(after.title)}</a></li>' for title, after in found
    )
