"""More cases than a picture can show one by one: the same figure as a widget of aucbook.lab."""

from importlib import import_module

MAX_CASES = 60  # that a reader can tell apart in a picture


def lab_widget(name, *data, **settings):
    """Return a widget of aucbook.lab, for data of any size.

    The laboratory is imported here and not before: it needs anywidget, which a page with a figure
    of few cases does not.

    Parameters
    ----------
    name : str
        Name of the function, such as "roc".
    *data, **settings
        Its arguments.

    Returns
    -------
    LabWidget
        It shows itself in JupyterLab and on the site, like an explorable.

    Raises
    ------
    ModuleNotFoundError
        Without anywidget; the message says how to install it.
    """
    return getattr(import_module("aucbook.lab"), name)(*data, **settings)
