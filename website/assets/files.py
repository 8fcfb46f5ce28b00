"""The style, script and typefaces of the pages, as files of the site."""

import re
import shutil

from website.project import HERE, read_text

COMMENT = re.compile(r"(^|\s{3,})// .*")


def compact(text):
    """Style or script without indentation and comments."""
    lines = [COMMENT.sub("", line.strip()) for line in text.split("\n")]
    return "\n".join(filter(None, lines)) + "\n"


def write(out):
    """Put style.css, site.js and the typefaces into the site; site.js begins with ranking.js."""
    style = read_text("assets/style.css")
    script = read_text("assets/ranking.js") + read_text("assets/site.js")
    for name, text in (("style.css", style), ("site.js", script)):
        (out / name).write_text(compact(text), encoding="utf8")
    shutil.copytree(HERE / "assets/fonts", out / "fonts")
