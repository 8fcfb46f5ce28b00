"""Paper 4, Clémençon and Vayatis (the preprint hal-00268068v5): every numbered statement, in the paper's order.

`NUMBERED` says how far each of the paper's own numberings runs, so that a row that was forgotten shows. The printed article
(IEEE Transactions on Information Theory 55(9), 2009) may differ."""

from .paper4_later import LATER
from .statement import Statement, Trial

# Definitions, propositions, the corollary, theorems and lemmas share one sequence, 1 to 27; remarks, figures and the one
# equation with a number have their own. The algorithms are named and not numbered; there is no footnote. What a section
# states without a number has a row of its own, called after the section.
NUMBERED = {
    "Definition": ["1", "4", "5", "9", "12", "14", "16", "17", "18"],
    "Proposition": ["2", "3", "6", "8", "10", "11", "13", "15", "19", "20", "21", "24"],
    "Corollary": ["7"],
    "Theorem": ["22", "23"],
    "Lemma": ["25", "26", "27"],
    "Remark": [*"12345", "5, interval", *(str(number) for number in range(6, 19))],
    "Eq.": ["1"],
    "Algorithm": ["TreeRank", "TreeRank-Boost"],
    "Figure": ["1", "2", "3", "4", "5"],
    "Section": [
        "II-A",
        "II-B",
        "II-B, inverse",
        "II-C",
        "II-C, plug-in",
        "III-A",
        "III-A, constant",
        "III-B",
        "III-C",
        "III-D",
        "III-D, cells",
        "III-D, hats",
        "III-D, area",
        "IV-A",
        "IV-A, output",
        "IV-B",
        "V-A",
        "V-B",
        "V-C",
        "V-D, RankBoost",
        "V-D, rules",
        "V-D, AUC",
        "V-D, duels",
        "V-D",
        "VI",
    ],
}

STATEMENTS = [
    Statement(
        "Section",
        "II-A",
        r"A pair $(X, Y)$ with labels $\pm1$ has $\eta(x) = \mathbb P(Y = 1 \mid X = x)$ and $p = \mathbb P(Y = 1)$; the law "
        r"of $X$ has a density. A ranking should keep the order of $\eta$.",
        "used",
        ("lessons/optimal_roc#sec-optimal", "workshop/theory/problems#problem"),
        ("aucbook.theory.Problem", "aucbook.theory.Problem.posterior"),
        because="Groups of equal $\\eta$ have no density of $\\eta(X)$; nothing that we use needs one.",
    ),
    Statement(
        "Definition",
        "1",
        r"A score $s^*$ is optimal if $s^*(x) > s^*(x')$ implies $\eta(x) > \eta(x')$, for all $x$ and $x'$.",
        "contradicted",  # a constant score passes the definition as printed, and not Proposition 2
        (
            "evidence/errata#sec-definition1",
            "workshop/theory/optimal_roc#sec-slips",
            "lessons/optimal_roc#sec-differences",
        ),
        ("aucbook.theory.Binormal.score",),
        because="As printed, a constant score is optimal. It must hold in the other direction as well, as Proposition 2 says.",
    ),
    Statement(
        "Proposition",
        "2",
        r"The optimal scores are the $T \circ \eta$ with $T$ strictly increasing.",
        "contradicted",  # a constant is optimal by Definition 1, and no increasing function of eta
        (
            "evidence/errata#sec-definition1",
            "workshop/theory/optimal_roc#sec-orders",
            "lessons/optimal_roc#sec-optimal",
        ),
        ("aucbook.tpr_at_fpr", "aucbook.theory.Problem.posterior"),
        because="By Definition 1 as printed a constant is optimal as well. For the definition as it must be meant it holds: all 120 orders of five groups, three increasing functions of η.",
        tried=(
            Trial("five groups, all 120 orders", "workshop/theory/optimal_roc#sec-orders"),
            Trial(
                "four groups, one without negatives, two with the same likelihood ratio",
                "workshop/theory/optimal_roc#sec-orders",
                hard="a vertical start, and a best order that is not the only one",
            ),
        ),
    ),
    Statement(
        "Proposition",
        "3",
        r"A bounded $s^*$ is optimal if and only if $s^*(x) = \inf s^* + \mathbb E(w(V)\,\mathbb 1\{\eta(x) > V\})$, with a "
        r"nonnegative integrable $w$ and a continuous $V$ in $(0, 1)$: ranking is a stack of classifications.",
        "contradicted",  # live: w = 0 above one half ties three rooms; workshop: eta + 1{eta > 1/2} needs an atom of V
        (
            "evidence/errata#sec-proposition3",
            "lessons/optimal_roc#sec-overlaid",
            "lessons/optimal_roc#eq-p4-prop3",
            "workshop/theory/optimal_roc#sec-slips",
        ),
        ("aucbook.theory.Problem.posterior", "aucbook.theory.Problem.rates"),
        because="Where $w$ is zero, cases are tied that an optimal score separates; and a score that jumps at a level has no "
        "continuous $V$. With $w > 0$, a $V$ that leaves out no stretch of posteriors, and scores that do not jump, it holds: "
        "the lesson proves it.",
    ),
    Statement(
        "Remark",
        "1",
        r"$\eta(x) = \mathbb E(w(U)\,\mathbb 1\{\eta(x) > U\})$ with $U$ uniform on $[0, 1]$ and $w$ the indicator of the "
        r"support of $\eta(X)$.",
        "contradicted",  # the workshop's table: too little by the lowest posterior
        (
            "evidence/errata#sec-remark1",
            "workshop/theory/optimal_roc#sec-slips",
            "lessons/optimal_roc#eq-p4-overlaid",
        ),
        ("aucbook.theory.Problem.posterior",),
        because="The indicator leaves out the questions below the lowest posterior, and with finitely many posteriors all of "
        "them. With $w = 1$ it always holds.",
    ),
    Statement(
        "Section",
        "II-B",
        r"$\alpha(t) = \mathbb P(\eta(X) > t \mid Y = -1)$ and $\beta(t) = \mathbb P(\eta(X) > t \mid Y = 1)$; $Q^*(\alpha)$ "
        r"is the level that a share $\alpha$ of the negatives exceeds.",
        "used",
        ("lessons/optimal_roc#eq-p4-slope", "workshop/theory/problems#problem"),
        ("aucbook.theory.Problem.rates", "aucbook.theory.Problem.level"),
    ),
    Statement(
        "Section",
        "II-B, inverse",
        r"$Q^* = \bar H^{*-1}$ with the generalised inverse $F^{-1}(z) = \inf\{t : F(t) \ge z\}$.",
        "contradicted",  # on a grid of levels the printed infimum is 0
        ("evidence/errata#sec-inverse", "workshop/theory/optimal_roc#sec-slips"),
        ("aucbook.theory.Problem.level",),
        because=r"$\bar H^*$ falls, so that infimum is the lowest level there is; $\inf\{t : \bar H^*(t) \le \alpha\}$ is meant.",
    ),
    Statement(
        "Definition",
        "4",
        r"The ROC curve of $s$ has the points $(\bar H_s(z), \bar G_s(z))$ for thresholds $z$, joined by straight segments "
        r"where it jumps; as a function, $\mathrm{ROC}(s, \alpha) = \bar G_s \circ \bar H_s^{-1}(\alpha)$.",
        "used",
        ("lessons/roc#eq-p3-rates", "lessons/roc#sec-ties", "lessons/optimal_roc#sec-optimal"),
        ("aucbook.roc_curve", "aucbook.theory.Problem.roc"),
    ),
    Statement(
        "Definition",
        "5",
        r"$s_1$ ranks better than $s_2$ if its ROC curve is nowhere lower.",
        "used",
        ("workshop/theory/optimal_roc#sec-orders", "lessons/optimal_roc#sec-optimal"),
        ("aucbook.theory.Problem.roc", "aucbook.theory.distance_to_optimum"),
    ),
    Statement(
        "Remark",
        "2",
        r"That is a partial order of the scores: one may be better here, the other there.",
        "used",  # counted: 3131 of 7140 pairs of orders cannot be compared
        ("workshop/theory/optimal_roc#sec-orders",),
        code=("aucbook.roc_curve",),
    ),
    Statement(
        "Proposition",
        "6",
        r"$\mathrm{ROC}^* \ge \mathrm{ROC}(s, \cdot)$ for every $s$, with equality for optimal ones; and the difference at "
        r"$\alpha$ is $\mathbb E(\vert\eta(X) - Q^*(\alpha)\vert\,\mathbb 1\{X \in R^*_\alpha \Delta R_{s,\alpha}\}) / "
        r"p(1 - Q^*(\alpha))$.",
        "checked",  # 120 orders of the rooms; the formula against two curves; hypothesis tests of all orders of random blocks
        (
            "lessons/optimal_roc#eq-p4-prop6",
            "lessons/optimal_roc#eq-p4-deviation",
            "workshop/theory/optimal_roc#sec-promises",
        ),
        ("aucbook.theory.Problem.roc", "aucbook.tpr_at_fpr"),
        because="The lesson gives the argument for the first half (Neyman and Pearson's).",
        tried=(
            Trial("two Gaussians, by temperature", "workshop/theory/optimal_roc#sec-promises"),
            Trial(
                "cold before warm, two positives in a hundred",
                "workshop/theory/optimal_roc#sec-promises",
                hard="nearly all of the order is wrong",
            ),
            Trial(
                "four groups, one without negatives, two with the same likelihood ratio",
                "workshop/theory/optimal_roc#sec-orders",
                hard="a vertical start, and a best order that is not the only one",
            ),
        ),
    ),
    Statement(
        "Corollary",
        "7",
        r"Whoever sees only $(\eta(X), Y)$ has the same optimal ROC curve as whoever sees $(X, Y)$.",
        "proved",
        ("lessons/optimal_roc#sec-optimal", "workshop/theory/optimal_roc#sec-orders"),
        ("aucbook.theory.UniformBlocks",),
    ),
    Statement(
        "Proposition",
        "8",
        r"$\frac{d}{d\alpha}\mathrm{ROC}^*(\alpha) = \frac{1-p}{p} \cdot \frac{Q^*(\alpha)}{1 - Q^*(\alpha)}$, where the "
        r"curve is differentiable and $Q^*(\alpha) < 1$.",
        "checked",  # differences of the curve against the formula, p = 0.2
        ("lessons/optimal_roc#eq-p4-slope", "workshop/theory/optimal_roc#sec-promises"),
        ("aucbook.theory.Problem.slope", "aucbook.theory.Problem.level"),
        tried=(
            Trial(
                "two Gaussians, one positive in five", "workshop/theory/optimal_roc#sec-promises"
            ),
            Trial(
                "one in a thousand, to FPR $10^{-6}$",
                "workshop/theory/optimal_roc#sec-promises",
                hard="the curve starts upright, and all levels are near 0",
            ),
        ),
    ),
    Statement(
        "Section",
        "II-C",
        r"$d_1 = \int_0^1 (\mathrm{ROC}^* - \mathrm{ROC}(s, \cdot))$ and $d_\infty = \sup_\alpha (\mathrm{ROC}^*(\alpha) - "
        r"\mathrm{ROC}(s, \alpha))$; convergence in $d_\infty$ implies that in $d_1$, and in general not the reverse.",
        "checked",  # the clinic of the lesson: the area vanishes, the gap stays at one half
        ("lessons/optimal_roc#eq-p4-distances", "lessons/optimal_roc#sec-plugin"),
        ("aucbook.theory.distance_to_optimum",),
        because=r"The reverse does hold where $\mathrm{ROC}^*$ starts with a finite slope: workshop/theory/optimal_roc, `eq-triangle`.",
        tried=(
            Trial("a ramp, three estimates", "workshop/theory/optimal_roc#sec-promises"),
            Trial(
                "a sign that only positives have",
                "workshop/theory/optimal_roc#sec-promises",
                hard="the curve starts with a jump: the area vanishes, the gap stays",
            ),
        ),
    ),
    Statement(
        "Remark",
        "3",
        r"$d_1$ and $d_\infty$ are distances between ROC curves, not between scores.",
        "used",  # three different scores, one curve
        ("workshop/theory/optimal_roc#sec-orders", "lessons/optimal_roc#sec-adaptive"),
        ("aucbook.theory.distance_to_optimum",),
    ),
    Statement(
        "Definition",
        "9",
        r"$\mathrm{AUC}(s)$ is the area under the ROC curve, and $d_1(s^*, s) = \mathrm{AUC}^* - \mathrm{AUC}(s)$.",
        "used",
        ("lessons/optimal_roc#eq-p4-distances", "lessons/optimal_roc#sec-optimal"),
        ("aucbook.roc_auc", "aucbook.theory.Problem"),
    ),
    Statement(
        "Proposition",
        "10",
        r"$\mathrm{AUC}^* - \mathrm{AUC}(\hat\eta) \le \frac{1}{p(1-p)}\mathbb E\vert\hat\eta(X) - \eta(X)\vert$; and if $H^*$ "
        r"has a density of at least $1/c$, then $\mathrm{ROC}^*(\alpha) - \mathrm{ROC}(\hat\eta, \alpha) \le "
        r"\frac{c\,\mathbb E\vert H^*(\eta(X)) - H_{\hat\eta}(\hat\eta(X))\vert}{p(1 - Q^*(\alpha))}$.",
        "contradicted",  # the condition of the second half is met by no distribution; both bounds are asserted for mended ones
        (
            "evidence/errata#sec-density",
            "workshop/theory/optimal_roc#sec-promises",
            "lessons/optimal_roc#eq-p4-plugin",
            "lessons/optimal_roc#eq-p4-plugin-sup",
        ),
        ("aucbook.theory.distance_to_optimum",),
        because=r"The first half holds. No distribution meets the condition of the second, a density of $H^*$ bounded below on all of $[0, 1]$; with a density bounded below on the range of $\eta$ it holds.",
        tried=(
            Trial("a ramp, an estimate with a ripple", "workshop/theory/optimal_roc#sec-promises"),
            Trial(
                "estimates upside down, and in one step",
                "workshop/theory/optimal_roc#sec-promises",
                hard="all pairs wrong, or most of them tied",
            ),
        ),
    ),
    Statement(
        "Section",
        "II-C, plug-in",
        r"Plug-in rules are not consistent with respect to the supremum norm.",
        "proved",  # by a counterexample; what converges is beside it
        (
            "lessons/optimal_roc#sec-plugin",
            "workshop/theory/optimal_roc#eq-triangle",
            "evidence/errata#sec-plugin",
        ),
        ("aucbook.theory.distance_to_optimum",),
        because=r"Of plug-in rules in general: the lesson's clinic, where $\mathrm{ROC}^*$ starts with a jump, has one that converges in area and not in sup norm. Which are consistent, the paper does not say: where $\mathrm{ROC}^*$ starts at 0 with slope $L$, "
        r"$d_\infty \le \sqrt{2 L d_1}$, and every rule that is consistent in area.",
    ),
    Statement(
        "Proposition",
        "11",
        r"For continuous $H_s$ and $G_s$: $\mathrm{AUC}(s) = \mathbb P(s(X) > s(X') \mid Y = 1, Y' = -1) = "
        r"\frac{1}{2p(1-p)}\mathbb P\{(s(X) - s(X'))(Y - Y') > 0\}$.",
        "checked",  # both counts on 400 rows; with ties they fall short
        (
            "workshop/theory/optimal_roc#sec-orders",
            "lessons/optimal_roc#eq-p4-pairs",
            "lessons/roc#eq-p3-auc",
        ),
        ("aucbook.roc_auc",),
        tried=(
            Trial("two Gaussians", "workshop/theory/optimal_roc#sec-orders"),
            Trial(
                "two positives in a hundred",
                "workshop/theory/optimal_roc#sec-orders",
                hard="$p(1-p)$ is small; and where scores tie the counts do differ",
            ),
        ),
    ),
    Statement(
        "Section",
        "III-A",
        r"A finite sum instead of the expectation of Proposition 3: scores that are constant on the cells of a partition.",
        "used",
        ("lessons/optimal_roc#eq-p4-representations",),
        ("aucbook.theory.adaptive_approximation",),
    ),
    Statement(
        "Section",
        "III-A, constant",
        r"As the corners of the recursive scheme depend on the curve, it possibly has a sharper constant $C$ in $C N^{-2}$ than fixed ones.",
        "checked",
        ("evidence/tree_results#sec-constant",),
        ("aucbook.theory.adaptive_approximation", "aucbook.theory.distance_to_optimum"),
        because="Than equal widths, on smooth curves: for the area and for the gap. Not on every curve: where the second derivative jumps on every scale, the gap of the scheme does not fall like $N^{-2}$ at all.",
        tried=(
            Trial(
                "curves that bend evenly, or more and more", "evidence/tree_results#sec-constant"
            ),
            Trial(
                "a curve with two bends, a hundredfold apart",
                "evidence/tree_results#sec-constant",
                hard="the first corners serve the whole curve, and one bend is a hundred times the other",
            ),
        ),
    ),
    Statement(
        "Definition",
        "12",
        r"$D$-representation: $s_N(x) = \sum_{j=1}^N a_j\,\mathbb 1\{x \in C_j\}$ with a partition $(C_j)$ and falling $a_j$.",
        "used",
        ("lessons/optimal_roc#eq-p4-representations",),
        ("aucbook.TreeRank.decision_function", "aucbook.trees.tree.RankTree.scores"),
    ),
    Statement(
        "Proposition",
        "13",
        r"The ROC curve of a score with $N$ values (i) is piecewise linear with $N$ parts, (ii) depends on the order of the "
        r"values alone.",
        "checked",  # pieces counted for rooms, divided and merged; three scores of one order
        ("workshop/theory/optimal_roc#sec-orders", "lessons/optimal_roc#fig-rooms"),
        ("aucbook.theory.UniformBlocks.curve", "aucbook.roc_curve"),
        because="A part for each value; the parts of neighbours with the same likelihood ratio lie on one straight line.",
        tried=(
            Trial("five groups", "workshop/theory/optimal_roc#sec-orders"),
            Trial(
                "a group divided into two with the same likelihood ratio",
                "workshop/theory/optimal_roc#sec-orders",
                hard="two values make one straight part",
            ),
        ),
    ),
    Statement(
        "Definition",
        "14",
        r"$\mathcal S_N$ is the class of scores with a $D$-representation of order $N$.",
        "used",
        ("lessons/optimal_roc#fig-rooms",),
        ("aucbook.theory.adaptive_approximation",),
    ),
    Statement(
        "Proposition",
        "15",
        r"If $\mathrm{ROC}^*$ is concave with a second derivative in a bounded interval without 0, there are $s_N \in "
        r"\mathcal S_N$ with $d_1(s^*, s_N) \le C N^{-2}$ and $d_\infty(s^*, s_N) \le C N^{-2}$.",
        "proved",  # and checked: both distances of the ramp fall by exactly four
        (
            "lessons/optimal_roc#sec-adaptive",
            "workshop/theory/optimal_roc#sec-promises",
            "workshop/theory/optimal_roc#fig-rate",
        ),
        ("aucbook.theory.adaptive_approximation", "aucbook.theory.distance_to_optimum"),
        because="We prove it with equal widths, for a curve that starts at 0 (after a jump, those with $\\eta = 1$ need a cell of their own). That the adaptive corners are as good, the paper derives from Lemma 25, which "
        "does not carry it; we measure it. The Gaussians of §VI do not meet the condition: their gap falls more slowly.",
    ),
    Statement(
        "Definition",
        "16",
        r"An increasing sequence of sets: $R_1 \subset \dots \subset R_N = \mathcal X$.",
        "used",
        ("lessons/optimal_roc#eq-p4-representations", "workshop/theory/optimal_roc#sec-orders"),
        ("aucbook.theory.adaptive_approximation",),
    ),
    Statement(
        "Definition",
        "17",
        r"$I$-representation: $s_N(x) = \sum_{j=1}^N \mathbb 1\{x \in R_j\}$ for an increasing sequence of sets.",
        "checked",  # sets and their differences give one score
        ("workshop/theory/optimal_roc#sec-orders", "lessons/optimal_roc#eq-p4-representations"),
        code=("aucbook.roc_curve",),
        tried=(
            Trial("five nested sets", "workshop/theory/optimal_roc#sec-orders"),
            Trial(
                "sets that do not grow, so that cells are empty",
                "workshop/theory/optimal_roc#sec-orders",
                hard="a value that no case has",
            ),
        ),
    ),
    Statement(
        "Section",
        "III-B",
        r"From sets to cells: $C_1 = R_1$, $C_i = R_i \setminus R_{i-1}$, $a_j = N - j + 1$; the ROC curve is the broken line "
        r"through $(\alpha(R_j), \beta(R_j))$.",
        "contradicted",
        (
            "evidence/errata#sec-second-ring",
            "workshop/theory/optimal_roc#sec-orders",
            "lessons/optimal_roc#eq-p4-representations",
        ),
        ("aucbook.roc_curve",),
        because="Without the second cell, as printed ($i > 2$), the cells are no partition. With it the statement holds, and was tried on sets that grow and sets that do not.",
        tried=(
            Trial("five nested sets", "workshop/theory/optimal_roc#sec-orders"),
            Trial(
                "sets that do not grow, so that cells are empty",
                "workshop/theory/optimal_roc#sec-orders",
                hard="a value that no case has",
            ),
        ),
    ),
    Statement(
        "Remark",
        "4",
        r"The curve of a piecewise constant score need not be concave; sort its cells by $\beta(C)/\alpha(C)$, and it is.",
        "checked",  # asserted for the rooms; the reproducibility row p4-concave-shaken for a tree
        (
            "workshop/theory/optimal_roc#sec-orders",
            "lessons/shaking#sec-shaking",
            "evidence/reproducibility#sec-p4",
        ),
        ("aucbook.trees.shake", "aucbook.TreeRank", "aucbook.tpr_at_fpr"),
        tried=(
            Trial("five groups, all 120 orders", "workshop/theory/optimal_roc#sec-orders"),
            Trial(
                "a tree on a chessboard",
                "tests/trees/test_pruning.py::test_shaking_rescues_a_chessboard",
                hard="two leaves of four stand on the wrong side",
            ),
        ),
    ),
    Statement(
        "Definition",
        "18",
        r"One-step approximation: $s_{N+1} = s_N + \sigma_N$, where $\sigma_N$ maximises $d_1(s_N, s_N + \sigma)$ over the "
        r"indicators of $\{\eta > t\}$.",
        "contradicted",  # as printed the best step is one that gains nothing
        (
            "evidence/errata#sec-definition18",
            "workshop/theory/optimal_roc#sec-promises",
            "lessons/optimal_roc#sec-adaptive",
        ),
        ("aucbook.theory.adaptive_approximation",),
        because="With the sign of §II-C that is the smallest gain; the largest is meant, as with an absolute value, which the word metric would ask for. The library cuts every piece "
        "at each depth (§III-D); one corner at a time is a cell of the workshop.",
    ),
    Statement(
        "Proposition",
        "19",
        r"The first step is $s_2 = 1 + \mathbb 1\{\eta > p\}$, and $d\beta/d\alpha = 1$ there.",
        "checked",  # the level with the largest AUC on a grid, p = 0.2; the first corner against brute force
        ("workshop/theory/optimal_roc#sec-promises", "lessons/optimal_roc#eq-p4-delta"),
        ("aucbook.theory.adaptive_approximation",),
        tried=(
            Trial(
                "two Gaussians, one positive in five", "workshop/theory/optimal_roc#sec-promises"
            ),
            Trial(
                "one in a thousand",
                "workshop/theory/optimal_roc#sec-promises",
                hard="the level $p$ is nearly 0",
            ),
        ),
    ),
    Statement(
        "Remark",
        "5",
        r"The best cut for the AUC is not Bayes' classifier unless $p = \frac12$: the error of $\eta > t$ is "
        r"$p(1 - \alpha(t)) + (1 - p)\beta(t)$, smallest at $t = \frac12$.",
        "contradicted",  # the printed error has its minimum at an end; and a registered row
        (
            "evidence/errata#sec-remark5",
            "workshop/theory/optimal_roc#sec-promises",
            "evidence/reproducibility#sec-p4",
        ),
        ("aucbook.theory.Problem.rates",),
        because=r"α and β are exchanged: the error is $p(1 - \beta) + (1 - p)\alpha$. With that, the remark is right.",
    ),
    Statement(
        "Remark",
        "5, interval",
        r"With $r_{\max}$ and $r_{\min}$ the slopes of $\mathrm{ROC}^*$ at 0 and at 1: if $p$ is outside $(\frac{1}{1 + r_{\max}}, "
        r"\frac{1}{1 + r_{\min}})$, the classifier $\eta > t$ with the fewest errors has one of the two extreme levels.",
        "proved",
        ("evidence/tree_results#sec-interval",),
        ("aucbook.theory.Problem.rates", "aucbook.theory.Problem.slope"),
        because="In one line, and compared with a grid of levels.",
    ),
    Statement(
        "Proposition",
        "20",
        r"At the first step the increment is the same for $d_1$ and for $d_\infty$.",
        "contradicted",  # as printed every set is best for one of the two; turned, the first corners are equal
        (
            "evidence/errata#sec-definition18",
            "workshop/theory/optimal_roc#sec-promises",
            "lessons/optimal_roc#sec-adaptive",
        ),
        ("aucbook.theory.adaptive_approximation",),
        because="As §II-C prints it, every set is equally good for $d_\\infty$. With the sign turned as in Definition 18, or with absolute values (the paper calls both metrics), it holds, at the first step only: afterwards the two choose different pieces.",
        tried=(
            Trial(
                "two Gaussians, depth 0 to 3, against a fine grid",
                "workshop/theory/optimal_roc#sec-corners",
            ),
            Trial(
                "one positive in a thousand; groups, one at the chord's own slope",
                "workshop/theory/optimal_roc#sec-corners",
                hard="all levels near 0; the best corner is not the only one",
            ),
        ),
    ),
    Statement(
        "Section",
        "III-C",
        r"In a piece with corners $(\alpha_j, \beta_j)$ and $(\alpha_{j+1}, \beta_{j+1})$ the best new knot is at the level "
        r"$\Delta_j = \frac{p(\beta_{j+1} - \beta_j)}{(1-p)(\alpha_{j+1} - \alpha_j) + p(\beta_{j+1} - \beta_j)}$.",
        "checked",  # the corners of depth 1 and 3 against all levels of a grid
        ("workshop/theory/optimal_roc#eq-delta", "lessons/optimal_roc#eq-p4-delta"),
        ("aucbook.theory.adaptive_approximation",),
        tried=(
            Trial(
                "two Gaussians, depth 0 to 3, against a fine grid",
                "workshop/theory/optimal_roc#sec-corners",
            ),
            Trial(
                "one positive in a thousand; groups, one at the chord's own slope",
                "workshop/theory/optimal_roc#sec-corners",
                hard="all levels near 0; the best corner is not the only one",
            ),
        ),
    ),
    Statement(
        "Remark",
        "6",
        r"The new knot splits $R_{j+1}$ by a set $R^*_j$ with $R_j \subset R^*_j \subset R_{j+1}$; in the $D$-representation "
        r"$C_j = \{Q^*(\alpha_{j+1}) < \eta \le Q^*(\alpha_j)\}$ for $j = 1, \dots, N$.",
        "contradicted",  # the cells as printed leave out the best one, with 44 % of the sick of the ramp
        (
            "evidence/errata#sec-remark6",
            "workshop/theory/optimal_roc#sec-slips",
            "lessons/optimal_roc#sec-adaptive",
        ),
        ("aucbook.theory.adaptive_approximation",),
        because=r"The cells stand one place too far: $C_j$ lies between $Q^*(\alpha_j)$ and $Q^*(\alpha_{j-1})$, and the new "
        r"$C^*_j$ between $Q^*(\alpha^*_j)$ and $Q^*(\alpha_j)$. The idea is right.",
    ),
    Statement(
        "Section",
        "III-D",
        r"From depth $d$ to $d + 1$ every piece gets a knot at its $\Delta^*_{d+1,2k+1}$, starting with the level $p$.",
        "checked",  # the ramp's corners halve every interval; tests/theory/test_optimal_roc.py
        ("lessons/optimal_roc#sec-adaptive", "workshop/theory/optimal_roc#sec-promises"),
        ("aucbook.theory.adaptive_approximation",),
        tried=(
            Trial(
                "two Gaussians, depth 0 to 3, against a fine grid",
                "workshop/theory/optimal_roc#sec-corners",
            ),
            Trial(
                "one positive in a thousand; groups, one at the chord's own slope",
                "workshop/theory/optimal_roc#sec-corners",
                hard="all levels near 0; the best corner is not the only one",
            ),
        ),
    ),
    Statement(
        "Section",
        "III-D, cells",
        r"The cells of depth $d$ are $C^*_{d,k} = \{\Delta^*_{d,k} < \eta \le \Delta^*_{d,k+1}\}$ with $\Delta^*_{d,0} = 0$ "
        r"and $\Delta^*_{d,2^d} = 1$.",
        "contradicted",  # the score with these cells has one minus the AUC
        (
            "evidence/errata#sec-cells",
            "workshop/theory/optimal_roc#sec-slips",
            "lessons/optimal_roc#sec-differences",
        ),
        ("aucbook.theory.adaptive_approximation",),
        because=r"In that order $s_D = 2^D - k$ gives the worst cell the highest score. The levels must fall: "
        r"$\{\Delta^*_{d,k+1} < \eta \le \Delta^*_{d,k}\}$ with $\Delta^*_{d,0} = 1$.",
    ),
    Statement(
        "Figure",
        "1",
        r"The corners of the piecewise linear approximation, depth by depth, under the optimal curve.",
        "used",
        ("evidence/tree_results#fig-corners", "lessons/optimal_roc#sec-adaptive"),
        ("aucbook.theory.adaptive_approximation", "aucbook.explore.corners_explorer"),
        because="A drawing without numbers.",
    ),
    Statement(
        "Remark",
        "7",
        r"The recursive interpolation is a binary tree.",
        "used",
        ("lessons/optimal_roc#sec-adaptive", "lessons/triangle#sec-triangle"),
        ("aucbook.TreeRank", "aucbook.trees.tree.RankTree"),
    ),
    Statement(
        "Remark",
        "8",
        r"$\tilde\eta = \sum_k \mathbb P(Y = 1 \mid X \in C^*_{D,k})\,\mathbb 1\{x \in C^*_{D,k}\} = \sum_k \Delta^*_{D+1,2k+1}"
        r"\,\mathbb 1\{x \in C^*_{D,k}\}$ approximates $\eta$; $\tilde s = \sum_j (\alpha^*_{D,j+1} - \alpha^*_{D,j})\,"
        r"\mathbb 1\{x \in R^*_{D,j}\}$ approximates $H^*(\eta)$.",
        "checked",  # shares of the cells on a fine grid against the levels of the next depth; s~ within a cell's width
        (
            "workshop/theory/optimal_roc#sec-promises",
            "lessons/treerank#sec-scores",
            "lessons/treerank#eq-p4-stilde",
        ),
        (
            "aucbook.theory.adaptive_approximation",
            "aucbook.trees.tree.leaf_values",
            "aucbook.TreeRank.predict_proba",
        ),
        because="In a grown tree the share is that of the leaf; $\\tilde s$ ties a leaf without negatives with the next, so we "
        "take the middle of the step.",
        tried=(
            Trial(
                "two Gaussians, one positive in five", "workshop/theory/optimal_roc#sec-promises"
            ),
            Trial(
                "one in a thousand",
                "workshop/theory/optimal_roc#sec-promises",
                hard="the shares of the cells are nearly 0",
            ),
        ),
    ),
    Statement(
        "Section",
        "III-D, hats",
        r"$\mathrm{ROC}(s^*_D, \alpha) = \sum_k \beta^*_{D,k}\,\phi^*_{D,k}(\alpha)$ with the hats $\phi(\cdot; (\alpha_{k-1}, "
        r"\alpha_k)) - \phi(\cdot; (\alpha_k, \alpha_{k+1}))$, where $\phi$ rises from 0 to 1 in its interval and is 0 outside.",
        "contradicted",  # the printed sum misses the polyline by 0.94
        ("evidence/errata#sec-hats", "workshop/theory/optimal_roc#sec-slips"),
        ("aucbook.metrics.RocCurve",),
        because=r"That difference falls to $-1$. With a $\phi$ that stays at 1 to the right of its interval it is a hat, and "
        "the sum is the polyline.",
    ),
    Statement(
        "Section",
        "III-D, area",
        r"$\mathrm{AUC}(s^*_D) = \frac12 \sum_{k=1}^{2^D - 1} (\alpha^*_{D,k+1} - \alpha^*_{D,k-1})\,\beta^*_{D,k}$.",
        "contradicted",  # exercise 2 of the lesson, and the registered rows p4-trapezoids
        (
            "evidence/errata#sec-trapezoids",
            "evidence/reproducibility#sec-p4",
            "lessons/treerank#sec-differences",
        ),
        ("aucbook.metrics.RocCurve.auc",),
        because=r"The term $k = 2^D$, which is $\frac12(1 - \alpha_{D,2^D-1})$, is missing.",
    ),
    Statement(
        "Section",
        "IV-A",
        r"$\hat\alpha(C)$ and $\hat\beta(C)$ are the shares of the negatives and of the positives of the sample in $C$.",
        "used",
        ("lessons/treerank#eq-p4-lambda",),
        ("aucbook.trees.tree.RankTree.rates",),
    ),
    Statement(
        "Algorithm",
        "TreeRank",
        r"Level by level, cut each cell $C_{d,k}$ by the set of the class $\mathcal C$ inside it with the largest "
        r"$\Lambda_{d,k+1}(C) = (\alpha_{d,k+1} - \alpha_{d,k})\hat\beta(C) - (\beta_{d,k+1} - \beta_{d,k})\hat\alpha(C)$; it goes "
        r"to the left. The score is $s_D = \sum_k (2^D - k)\,\mathbb 1\{x \in C_{D,k}\}$.",
        "used",  # the lesson's plain tree and the library agree, asserted in lessons/treerank#sec-estimator
        (
            "lessons/treerank#eq-p4-lambda",
            "lessons/treerank#eq-p4-sd",
            "lessons/treerank#sec-estimator",
        ),
        ("aucbook.TreeRank", "aucbook.trees.growing.best_bin"),
    ),
    Statement(
        "Section",
        "IV-A, output",
        r"$\widehat{\mathrm{AUC}}(s_D) = \frac12 \sum_{k=1}^{2^D-1} (\alpha_{D,k+1} - \alpha_{D,k-1})\beta_{D,k} = \frac12 + "
        r"\frac12 \sum_k \Lambda_{D-1,k+1}(C_{D,2k})$; and a sum of hats for the curve.",
        "contradicted",  # the lesson's live cell prints both sums; registered rows p4-auc-last and p4-trapezoids
        (
            "evidence/errata#sec-trapezoids",
            "evidence/errata#sec-hats",
            "evidence/errata#sec-levels",
            "lessons/treerank#eq-p4-auc",
            "evidence/reproducibility#sec-p4",
        ),
        ("aucbook.trees.tree.RankTree.curve",),
        because=r"The trapezoids lack their last term, the triangles must be summed over all levels and not the last one only, "
        "and the hats are those of §III-D.",
    ),
    Statement(
        "Remark",
        "9",
        r"The leaves, read from left to right, are the ranking.",
        "used",
        ("workshop/trees/tree#leaves_in_order", "evidence/tree_results#fig-cells"),
        ("aucbook.trees.tree.leaves_in_order",),
    ),
    Statement(
        "Remark",
        "10",
        r"Of several best sets take the larger; if none improves the AUC, the left child is the whole cell and the right one "
        r"empty.",
        "used",
        (
            "lessons/triangle#sec-triangle",
            "lessons/treerank#sec-differences",
            "workshop/trees/growing#sec-best-bin",
        ),
        ("aucbook.trees.growing.best_bin",),
        because="We stop at a cell that no cut improves, which is the same ranking.",
    ),
    Statement(
        "Remark",
        "11",
        r"Unlike CART's, the criterion depends on the node through the parent's $\hat\alpha(C)$ and $\hat\beta(C)$, since the "
        r"goal is global.",
        "checked",  # the gain is mn (TPR - FPR); four times the negatives move no cut, and 42 of 100 of Gini's
        ("workshop/trees/growing#sec-unions", "lessons/triangle#sec-triangle"),
        ("aucbook.TreeRank", "aucbook.trees.growing.best_bin"),
        because="It depends on nothing else: divided by $mn$, it is TPR − FPR inside the cell.",
        tried=(
            Trial(
                "random columns, four times the negatives",
                "tests/trees/test_treerank.py::test_more_negatives_change_no_first_split",
            ),
            Trial(
                "two positives in a hundred; ties",
                "tests/trees/test_treerank.py::test_more_negatives_change_no_first_split",
                hard="a cut for purity would move",
            ),
        ),
    ),
    Statement(
        "Remark",
        "12",
        r"Half-spaces make a rich class $\mathcal C$; in practice one cuts a single coordinate, which is cheap and less rich.",
        "used",
        ("lessons/treerank#sec-splitters", "workshop/trees/splitters#sec-linear"),
        ("aucbook.TreeRank", "aucbook.trees.splitters.FisherDirection"),
    ),
    Statement(
        "Remark",
        "13",
        r"The true AUC is $\frac12 \sum_{k=1}^{2^D-1} (\alpha(C_{D,k}) + \alpha(C_{D,k-1}))\,\beta(R_{D,k-1})$, the true curve a "
        r"sum of hats with the true rates.",
        "contradicted",  # registered rows p4-trapezoids; true_curve against 200 000 rows
        (
            "evidence/errata#sec-trapezoids",
            "evidence/errata#sec-hats",
            "evidence/reproducibility#sec-p4",
            "evidence/tree_results#fig-corners",
        ),
        ("aucbook.metrics.RocCurve.auc",),
        because=r"The sum lacks its last term, $\frac12 \alpha(C_{D,2^D-1})$, and the hats are those of §III-D.",
    ),
    Statement(
        "Proposition",
        "21",
        r"If the class $\mathcal C$ is stable under unions, the empirical ROC curve of $s_D$ is concave.",
        "proved",  # and checked on random classes, where intervals fail
        (
            "lessons/treerank#sec-breaks",
            "workshop/trees/growing#sec-unions",
            "evidence/reproducibility#sec-p4",
        ),
        ("aucbook.TreeRank",),
        because="For candidates inside the cell, as printed; for cuts $C \\cap B$ it fails. The paper proves depth 2 and leaves the rest to a recurrence; ours is for every depth. The boxes of axis cuts "
        "do not meet the condition, and their curves have dents.",
    ),
    Statement(
        "Figure",
        "2",
        r"The numbering of the nodes, and the order in which the ranks are read.",
        "used",
        ("evidence/tree_results#fig-cells",),
        ("aucbook.trees.tree.RankTree",),
        because="A drawing.",
    ),
    Statement(
        "Figure",
        "3",
        r"The partition of the plane by a tree with perpendicular cuts.",
        "used",
        ("evidence/tree_results#fig-cells",),
        ("aucbook.TreeRank.apply",),
        because="A drawing.",
    ),
    Statement(
        "Remark",
        "14",
        r"Ranking as a test whether two groups differ at all: project a fresh sample by $s_D$, and apply a rank test.",
        "checked",  # 300 samples without a difference: both tests keep their level
        ("evidence/tree_results#sec-homogeneity",),
        ("aucbook.TreeRank.decision_function",),
        tried=(
            Trial("five columns, nothing differs", "evidence/tree_results#sec-homogeneity"),
            Trial(
                "the spreads differ, the means do not",
                "evidence/tree_results#sec-homogeneity",
                hard="a test of means is blind there",
            ),
        ),
    ),
    Statement(
        "Theorem",
        "22",
        r"If $\mathcal X$ is bounded, the partitions have a finite VC dimension and all cells shrink to points, then $d_1(s^*, "
        r"s_n) \to 0$ almost surely; if also $H^*$ has a density bounded below on $[0, 1]$ and $Q^* < 1 - \epsilon$, then "
        r"$d_\infty(s^*, s_n) \to 0$.",
        "contradicted",  # asserted: the area stays below what the first cut leaves
        (
            "evidence/errata#sec-theorem22",
            "evidence/tree_results#sec-theorem22",
            "evidence/tree_results#eq-p4-theorem22",
            "evidence/errata#sec-cumulative",
            "evidence/errata#sec-density",
        ),
        ("aucbook.TreeRank", "aucbook.trees.shake"),
        because="On the unit square with cuts along the axes all conditions hold, and the AUC stays where the first cut leaves it. It holds for the leaves sorted by their share of positives, if their number times log n is small beside n: proved on the page, without the bounded space and without the density, for the gap with η ≤ 1 − ε almost surely (not only $Q^*$). As printed the two conditions on the gap exclude each other, and no distribution meets the first.",
        tried=(
            Trial("a ramp, one column", "evidence/tree_results#sec-theorem23"),
            Trial(
                "the unit square, η the mean of two columns",
                "evidence/tree_results#sec-theorem22",
                hard="no cut along an axis follows a best set, however small the cells",
            ),
        ),
    ),
    Statement(
        "Remark",
        "15",
        r"That $\mathcal X$ is bounded can be given up, at the cost of a longer proof.",
        "contradicted",  # what it extends is false in a bounded space already
        ("evidence/errata#sec-theorem22", "evidence/tree_results#sec-theorem22"),
        ("aucbook.trees.shake",),
        because="Theorem 22 fails in a bounded space already. Of the mended theorem it is true, and the proof on the page never asks for a bounded space. Two Gaussians in the plane are measured beside the square.",
    ),
    Statement(
        "Remark",
        "16",
        r"A weaker condition on the combinatorial entropy of the partitions can replace the finite VC dimension.",
        "contradicted",
        because="Theorem 22 fails with a finite VC dimension already. Of the mended theorem it is true: the proof on the page counts trees with axis cuts, for other cuts the sets that unions of leaves pick from n points, and asks that the logarithm of that number vanishes beside n.",
        where=("evidence/errata#sec-theorem22", "evidence/tree_results#sec-theorem22"),
        code=("aucbook.trees.shake",),
    ),
    Statement(
        "Section",
        "IV-B",
        r"The bound for $d_\infty(\hat s_D, s^*)$ corresponds to a confidence band for $\mathrm{ROC}(\hat s_D, \cdot)$, that for $d_1$ to a "
        r"confidence interval for $\mathrm{AUC}(\hat s_D)$; it is the first result of this nature.",
        "not in the book",
        because="The bounds do not name their constants, and these depend on the unknown distribution, so no band can be drawn from them; bands that can be drawn are those of the chapter on inference, for a score that was fixed before. Who was first, no cell can check.",
    ),
    Statement(
        "Theorem",
        "23",
        r"Under Proposition 15's condition, if $\mathcal C$ holds all level sets, is stable under intersections and has VC "
        r"dimension $V$: (i) $d_1(\hat s_D, s_D) \le c_0^D \{(c_1^2 V/n)^{1/2D} + (c_2^2 \log(1/\delta)/n)^{1/2D}\}$ with "
        r"probability $1 - \delta$, and the same for $d_\infty$ with $1/2(D+1)$; (ii) with $D_n \sim \sqrt{\log n}$, "
        r"$d_i(\hat s_{D_n}, s^*) \le \exp(-\kappa\sqrt{\log n})$.",
        "contradicted",
        (
            "evidence/errata#sec-subsets",
            "evidence/tree_results#sec-lemma26",
            "evidence/tree_results#eq-p4-theorem23",
            "evidence/errata#sec-theorem23",
            "evidence/errata#sec-lemma26",
            "evidence/errata#sec-cells-shrink",
        ),
        ("aucbook.TreeRank", "aucbook.theory.adaptive_approximation"),
        because=r"As printed, with cells cut by sets inside them, it fails from depth two on. With $\mathrm{ROC}^*(0) = 0$ and cells cut by $C \cap B$ (Remark 12) it holds, and is proved for all $n$ and $D$ at once: by another induction than the printed one, which carries (i) to depth two for the area, one for the gap, and for each $n$ only. Both distances are at most of the order $(\log n/n)^{1/3}$ at every depth. Part (ii) holds as printed; the printed (i) does not give it. The Gaussians of §VI do not meet Proposition 15's condition, and in case (ii) boxes hold no level set.",
        tried=(
            Trial("a ramp, depth one to four", "evidence/tree_results#sec-lemma26"),
            Trial(
                "a ramp with two positives in a hundred",
                "evidence/tree_results#sec-lemma26",
                hard="the rates of the positives come from a few rows",
            ),
        ),
    ),
    Statement(
        "Remark",
        "17",
        r"With $D_n \sim \sqrt{\log n}$ the empirical curve of the tree converges to $\mathrm{ROC}^*$ as well, at the same rate.",
        "contradicted",
        (
            "evidence/errata#sec-subsets",
            "evidence/tree_results#sec-lemma26",
            "evidence/tree_results#sec-theorem23",
        ),
        ("aucbook.TreeRank",),
        because=r"As Theorem 23: with cells cut by sets inside them the curve keeps its distance. For cells cut by $C \cap B$, and with $\mathrm{ROC}^*(0) = 0$, it is proved. The largest distance is measured on the ramp.",
    ),
    # Section V and what follows
]
STATEMENTS += LATER
