"""The line at the foot of a notebook's page: its files, and where it runs."""

from html import escape
from urllib.parse import quote

from website.project import settings

GITHUB = "https://github.com/"
COLAB = "https://colab.research.google.com/github"
BINDER = "https://mybinder.org/v2/gh"
RAW = "https://raw.githubusercontent.com"
FILES = ["its notebook", "its copy for JupyterLab"]


def addresses(name, facts):
    """{word: address} of a notebook where the repository is published.

    Its source, the copy for JupyterLab as a file, Binder and Colab; nothing when the repository
    is not on GitHub. Binder and Colab open the copies for JupyterLab: Binder writes them, Colab
    has them in a branch of their own.
    """
    git = facts["git_url"]
    branch = facts["branch"]
    file = f"nbs/{name}.ipynb"
    copied = f"notebooks/{name}.ipynb"  # binder/postBuild
    if not git.startswith(GITHUB):
        return {}
    repository = git.removeprefix(GITHUB)
    place = f"{repository}/{quote(branch, safe='')}?labpath={quote(copied, safe='')}"
    return {
        "its notebook": f"{git}/blob/{branch}/{file}",
        "its copy for JupyterLab": f"{RAW}/{repository}/notebooks/{name}.ipynb",
        "Binder": f"{BINDER}/{place}",
        "Colab": f"{COLAB}/{repository}/blob/notebooks/{name}.ipynb",
    }


def link(word, address):
    """A link as HTML."""
    return f'<a href="{escape(address)}">{word}</a>'


def line(page, how):
    """HTML of the line; `how`: the page that says more about running notebooks."""
    published = addresses(page.name, settings())
    files = [link(word, published.pop(word)) for word in FILES if word in published]
    files.append(link("its text", page.stem + ".md"))
    places = [link(word, address) for word, address in published.items()]
    jupyter = link("JupyterLab", page.link(how, "run-it"))
    places.append(f"{jupyter}: <code>aucbook lab</code>, then <code>{page.name}.ipynb</code>")
    run = ", ".join(places[:-1]) + (" or " if len(places) > 1 else "") + places[-1]
    button = '<button type="button" id="copy-page" hidden>Copy as Markdown</button>'
    return f"Take this page along: {button} {', '.join(files)} as a file. Run it in {run}."
