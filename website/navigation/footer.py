"""The line at the foot of a notebook's page: how to take it along, and where to run it."""

from html import escape
from urllib.parse import quote

from website.project import settings


def addresses(name, facts):
    "{word: address} of a notebook where the repository is published: its source, Binder and Colab. Nothing when that is not GitHub."
    git, branch, file = facts["git_url"], facts["branch"], f"nbs/{name}.ipynb"
    repository = git.removeprefix("https://github.com/")
    if repository == git:
        return {}
    return {
        "its notebook": f"{git}/blob/{branch}/{file}",
        "Binder": f"https://mybinder.org/v2/gh/{repository}/{quote(branch, safe='')}?labpath={quote(file, safe='')}",
        "Colab": f"https://colab.research.google.com/github/{repository}/blob/{branch}/{file}",
    }


def line(page, how):
    "HTML of that line; `how`: the page that says more about running notebooks."
    there = addresses(page.name, settings())
    link = lambda word, address: f'<a href="{escape(address)}">{word}</a>'
    source = link("its notebook", there.pop("its notebook")) + ", " if there else ""
    run = [link(word, address) for word, address in there.items()]
    run.append(
        f"{link('JupyterLab', page.link(how, 'run-it'))}: <code>aucbook lab</code>, then <code>{page.name}.ipynb</code>"
    )
    return (
        f'Take this page along: <button type="button" id="copy-page" hidden>Copy as Markdown</button> '
        f"{source}{link('its text', page.stem + '.md')} as a file. Run it in {', '.join(run[:-1])}{' or ' if run[1:] else ''}{run[-1]}."
    )
