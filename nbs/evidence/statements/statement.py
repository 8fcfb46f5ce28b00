"""One statement of a paper: what it says, what became of it in this book, and where. What makes a statement whole is checked here, once."""

from typing import NamedTuple

# The printed text decides. A statement that holds only after a sign, a letter or a condition was changed, in it or in a definition
# that it rests on, is contradicted, however little was missing; `because` says what holds instead.
STATUSES = {
    "proved": "a page of this book proves it, as it is printed",
    "checked": "it holds as it is printed wherever it was tried: the library's own code ran on at least two problems, one of them "
    "chosen to break it, and cells or tests would fail",
    "used": "a page states it, and the library computes with it",
    "contradicted": "it fails as printed, or its conditions exclude each other, so that it says nothing; a cell shows where, and the "
    "row says what holds instead",
    "not in the book": "left out, for the reason given",
}


class Trial(NamedTuple):
    "One problem on which the library's own code ran, so that a cell or a test would have failed"

    problem: str  # in a few words: "two Gaussians, oblique"
    place: str  # where it ran: a heading or a labelled cell, "lessons/roc#sec-ties", or "tests/metrics/test_roc.py::test_ties"
    hard: str = ""  # why it might break the statement (ties, extreme rates, …); empty for a friendly problem


class Statement(NamedTuple):
    kind: str  # as the paper calls it: "Lemma", "Eq.", "OP", "Table", "Footnote", …
    number: str  # the paper's own: "4", "V-A"
    says: str  # one line; formulas between $…$, no vertical bar outside them
    status: str  # one of STATUSES
    where: tuple[
        str, ...
    ] = ()  # addresses from the folder of all notebooks, the best first: "lessons/aucboost#sec-lemma4"
    code: tuple[
        str, ...
    ] = ()  # what computes with it, as Python imports it: "aucbook.boosting.weak_rankers.two_sided"
    because: str = ""  # why it fails, or why it is left out; else what a reader should know
    tried: tuple[Trial, ...] = ()  # of a checked row: where its code ran

    def faults(self):
        "What is missing for the status it claims, in words; empty when it is whole"
        anchored = any("#" in address for address in self.where)
        found = []
        if self.status not in STATUSES:
            found.append(f"unknown status {self.status!r}")
        if self.status in ("proved", "checked", "contradicted") and not anchored:
            found.append(f"{self.status}: name the place, down to its anchor")
        if self.status == "used" and not (self.where and self.code):
            found.append("used: name the page that states it and the code that computes with it")
        if self.status in ("contradicted", "not in the book") and not self.because:
            found.append(f"{self.status}: say why")
        if self.status == "not in the book" and (self.where or self.code):
            found.append("not in the book, but it has a place")
        if self.status == "checked":
            found += self._untried()
        if not self.says or "\n" in self.says:
            found.append("says: one line")
        return found

    def _untried(self):
        "What a checked row lacks: its code, a second problem, one that was chosen to break it"
        found = []
        if not self.code:
            found.append("checked: name the code that ran")
        if len({trial.problem for trial in self.tried}) < 2:
            found.append("checked: name two problems on which the code ran")
        if not any(trial.hard for trial in self.tried):
            found.append("checked: no problem was chosen to break it")
        return found
