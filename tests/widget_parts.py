"""What a widget shows and hands over, for tests that read it."""

from aucbook.lab.drawing import picture
from aucbook.lab.widget import picture_text


def pasted(widget, **names):
    """What the last line of a widget's code evaluates to."""
    *lines, last = widget.code().strip().splitlines()
    exec("\n".join(lines), names)
    return eval(last, names)


def cell_text(cell, **steps):
    """A cell or a part of the sentence, as a page shows it at these steps of the controls."""
    shown = picture_text(picture("", sentence=[cell]), steps)
    return shown.split("<p>")[-1].removesuffix("</p>")
