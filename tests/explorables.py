"""What the tests of the explorables share: all of them, steps for the browser, and how a text is read."""

import re
from html import unescape

from aucbook import explore

EXPLORERS = [getattr(explore, name) for name in explore.__all__ if name.endswith("_explorer")]
# steps for the fixture `drive`: read the sentence that describes the state, or the page's width
SENTENCE = ["text", ".ax-say"]
WIDTH = ["width", "body"]


def static_sentence(block):
    """The sentence of a figure as it is without scripts, as plain text."""
    sentence = re.search(r'<p [^>]*class="ax-say"[^>]*>(.*?)</p>', block._repr_html_(), re.S)[1]
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", sentence)))


def decimals(text):
    """The numbers with decimals in a text; its minus signs may be hyphens."""
    return [float(number.replace("−", "-")) for number in re.findall(r"[-−+]?\d+\.\d+", text)]
