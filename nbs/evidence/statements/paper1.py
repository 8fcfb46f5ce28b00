"""Paper 1, Long and Servedio: every numbered statement, in the paper's order.

`NUMBERED` says how far each of the paper's own numberings runs, so that a row that was forgotten shows."""

from .statement import Statement, Trial

# Definitions, theorems and lemmas share one sequence, 1 to 10. The algorithms are named and not numbered; there is no footnote.
NUMBERED = {
    "Section": ["1", "2", "2, chance", "3", "4", "5", "5, draws", "5, guesses"],
    "Definition": ["1", "3", "6"],
    "Theorem": ["2", "8", "9", "10"],
    "Lemma": ["4", "5", "7"],
    "Algorithm": ["AUCBoost", "Basic MartiBoost", "Basic MartiRank", "SMartiRank"],
    "Eq.": ["1", "2", "3"],
    "Figure": ["1", "2"],
}

STATEMENTS = [
    Statement(
        "Section",
        "1",
        r"A noise-tolerant weak learner cannot be boosted past the accuracy $1-\eta$; a noise-tolerant weak ranker can be "
        r"boosted to any AUC below 1.",
        "used",
        ("evidence/noise_results#sec-barrier",),
        ("aucbook.MartiRank",),
        because="The first half is a theorem of Kalai and Servedio (2005), quoted without proof; a cell shows why it does not bind a "
        "weak ranker. The second half is Theorem 8, which needs the noise rate, or a guess that is checked.",
    ),
    Statement(
        "Section",
        "2",
        r"$D^+$ and $D^-$ are the positives and the negatives of $D$. A threshold of $h$ gives a point of the ROC curve, and "
        r"the AUC, $\Pr[h(u) > h(v)] + \frac12\Pr[h(u) = h(v)]$ with $u$ from $D^+$ and $v$ from $D^-$, is the area under it.",
        "checked",
        (
            "lessons/scan#sec-scan",
            "workshop/metrics/roc#sec-auc",
            "lessons/roc#sec-ties",
            "lessons/roc#eq-p3-auc",
        ),
        ("aucbook.roc_auc", "aucbook.roc_curve"),
        tried=(
            Trial("two hundred lists", "lessons/scan#sec-scan-checked"),
            Trial(
                "ties, infinities, scores that differ in the last bit",
                "tests/metrics/test_roc.py::test_auc_counts_pairs",
                hard="pairs that only just differ, or do not",
            ),
        ),
    ),
    Statement(
        "Section",
        "2, chance",
        r"A constant ranking function has AUC $\frac12$; and if $\pi$ is a random permutation of a finite $X$, the expected AUC of "
        r"$h(\pi(\cdot))$ is $\frac12$ for every $h$.",
        "proved",
        ("workshop/metrics/roc#sec-chance",),
        ("aucbook.roc_auc",),
        because="With ties and weights; a cell goes through all permutations of a small $X$.",
    ),
    Statement(
        "Definition",
        "1",
        r"A weak ranker with advantage $\gamma$ is an algorithm that returns, for every nontrivial distribution, a function "
        r"with AUC at least $\frac12 + \gamma$ on it.",
        "used",
        ("lessons/aucboost#sec-weak",),
        ("aucbook.boosting.FeatureRanker", "aucbook.boosting.ProjectionRanker"),
    ),
    Statement(
        "Section",
        "3",
        r"An abstract model: the booster hands a reweighted distribution $D_t$ to the weak ranker in every round, and gets "
        r"a ranking function $h_t$ back.",
        "used",
        ("lessons/aucboost#sec-loop",),
        (
            "aucbook.boosting.weak_rankers.SortedColumns",
            "aucbook.boosting.weak_rankers.BinnedColumns",
            "aucbook.boosting.weak_rankers.RefittedRanker",
        ),
    ),
    Statement(
        "Theorem",
        "2",
        r"With a weak ranker of advantage $\gamma$, AUCBoost reaches an AUC of at least $1-\epsilon$ on $D$ after "
        r"$T = O(\log(1/\epsilon)/\gamma^2)$ calls; on $m$ examples it takes time $O(mT\log m)$.",
        "proved",
        (
            "lessons/aucboost#eq-p1-theorem2",
            "evidence/noise_results#sec-time",
            "evidence/noise_results#sec-bound",
        ),
        ("aucbook.AUCBoost",),
        because="The AUC is proved for the paper's vote and for our margin, on the rows that train; the time on another page, beside "
        "the weak ranker's own. Both are run, too: on easy data and on rare, tied and nearly hopeless ones.",
    ),
    Statement(
        "Definition",
        "3",
        r"A $\gamma$ two-sided weak learner returns, for every nontrivial distribution, a classifier that is right with "
        r"probability at least $\frac12+\gamma$ on the positives, and on the negatives.",
        "used",
        ("lessons/aucboost#sec-lemma4",),
        ("aucbook.boosting.weak_rankers.two_sided",),
    ),
    Statement(
        "Lemma",
        "4",
        r"A weak ranker of advantage $\gamma$ gives a two-sided weak learner of advantage $\gamma/4$ whose errors on the two "
        r"classes are equal: cut where $D^+ - D^-$ is highest, and let a coin with $\zeta = \frac{p_+-p_-}{1+p_+-p_-}$ even them out.",
        "proved",
        (
            "lessons/aucboost#sec-lemma4",
            "lessons/aucboost#eq-p1-zeta",
            "lessons/aucboost#sec-which-cut",
        ),
        ("aucbook.boosting.weak_rankers.two_sided",),
        because=r"The bound of Theorem 2 is better for the cut with the largest $r = J/(1 + \vert p_+ - p_-\vert)$; measured on sixteen tables, the AUC is not.",
    ),
    Statement(
        "Eq.",
        "1",
        r"Both errors of Lemma 4: $\epsilon_- = \epsilon_+ = \frac{p_+}{1+p_+-p_-}$, where $p_+ \ge p_-$.",
        "proved",
        ("lessons/aucboost#eq-p1-1",),
        ("aucbook.boosting.weak_rankers.two_sided",),
    ),
    Statement(
        "Figure",
        "1",
        r"Lemma 4 on a ROC curve: the cut (a) $= (p_-, 1-p_+)$, and (b) $= (\epsilon, 1-\epsilon)$, where the line from (a) "
        r"to $(1,1)$ meets the falling diagonal.",
        "used",
        ("lessons/aucboost#sec-lemma4",),
        ("aucbook.explore.lemma4_explorer",),
        because="A drawing without numbers; ours can be moved.",
    ),
    Statement(
        "Lemma",
        "5",
        r"A classifier with errors $\epsilon_+$ and $\epsilon_-$ has, as a ranking function, the AUC $1-\frac{\epsilon_++\epsilon_-}2$.",
        "proved",
        ("lessons/aucboost#eq-p1-lemma5",),
        ("aucbook.roc_auc",),
    ),
    Statement(
        "Algorithm",
        "AUCBoost",
        r"AdaBoost on $\frac12D^++\frac12D^-$, where each round's classifier is Lemma 4's; ranks by the vote's sign.",
        "used",
        ("lessons/aucboost#sec-loop", "lessons/aucboost#eq-p1-update", "lessons/aucboost#eq-p1-r"),
        ("aucbook.AUCBoost",),
        because="We answer the coin's mean and rank by the margin; answers and ranking can be set to the paper's.",
    ),
    Statement(
        "Section",
        "4",
        r"Independent misclassification noise: every label of $D$ is flipped with the same probability $\eta < \frac12$, which "
        r"gives $D^\eta$.",
        "used",
        ("lessons/martirank#sec-why", "lessons/martirank#eq-noise-factor"),
        ("aucbook.theory.toys.make_flipped",),
    ),
    Statement(
        "Definition",
        "6",
        r"A noise-tolerant weak ranker with advantage $\gamma$ returns, given $D^\eta$ for any $\eta < \frac12$, a function "
        r"whose AUC on the true labels is at least $\frac12+\gamma$.",
        "used",
        ("lessons/martirank#sec-why",),
        ("aucbook.MartiRank",),
        because="The paper does not ask for both classes in $D$; without both the AUC means nothing, and nodes may lack one.",
    ),
    Statement(
        "Algorithm",
        "Basic MartiBoost",
        r"Of the nodes $v_{0,t}, \dots, v_{t-1,t}$ of round $t$ each trains a two-sided classifier on the examples that reach "
        r"it; $-1$ leads to $v_{i,t+1}$, $+1$ to $v_{i+1,t+1}$; the output is $1$ if the last index is at least $T/2$.",
        "used",
        ("lessons/martirank#sec-walk",),
        ("aucbook.boosting.branching.BranchingProgram", "aucbook.MartiRank"),
        because="Our levels are counted from 0, the paper's rounds from 1.",
    ),
    Statement(
        "Figure",
        "2",
        r"The branching program: a triangle of nodes, left edges for $-1$, right edges for $+1$, and the vote below.",
        "used",
        ("lessons/martirank#sec-walk",),
        ("aucbook.explore.martirank_explorer", "aucbook.boosting.plot_program"),
        because="The text refers to it as Figure 3, which does not exist.",
    ),
    Statement(
        "Lemma",
        "7",
        r"If every node's classifier has two-sided advantage $\gamma$, Basic MartiBoost with $T = O(\log(1/\epsilon)/\gamma^2)$ "
        r"errs on at most $\epsilon$ of the positives and of the negatives.",
        "proved",
        ("lessons/martirank#sec-why",),
        ("aucbook.boosting.branching.BranchingProgram",),
        because="The paper quotes it from its authors' martingale boosting (2005); our proof is Hoeffding's inequality for martingales.",
    ),
    Statement(
        "Algorithm",
        "Basic MartiRank",
        r"Basic MartiBoost, in whose nodes a noise-tolerant weak ranker is made two-sided by Lemma 4; ranks by its vote.",
        "used",
        ("lessons/martirank#sec-live", "lessons/martirank#sec-walk"),
        ("aucbook.MartiRank",),
        because="We send mass instead of tossing coins, and rank by the mean last index; both can be set to the paper's.",
    ),
    Statement(
        "Theorem",
        "8",
        r"For any $\eta < \frac12$ and $\epsilon > 0$, Basic MartiRank with a noise-tolerant weak ranker, given $D^\eta$, "
        r"outputs $H$ with $\mathrm{AUC}(H; D) \ge 1-\epsilon$.",
        "contradicted",  # the printed program, in plain Python, beside the library: weak columns and two patients, odd and even T
        (
            "evidence/errata#sec-theorem8",
            "evidence/errata#sec-one-class",
            "lessons/smartirank#sec-coin",
        ),
        ("aucbook.MartiRank",),
        because="Where a class is rarer in a node, noisy rates bias Lemma 4's coin, and the vote stalls; a node that one class reaches "
        "tosses a fair coin. True if the coin is balanced by the true rates, for which $\\eta$ must be known or guessed and checked, and if such a node "
        "answers its class; then Lemma 7's proof holds.",
    ),
    Statement(
        "Section",
        "5",
        r"From an oracle for $D^\eta$ true shares are estimated from noisy ones: $D[c=b] = \frac{D^\eta[y=b]-\eta}{1-2\eta}$, "
        r"and likewise in every node.",
        "checked",  # what is corrected must be what there was; and whole programs those of the true labels
        (
            "workshop/boosting/branching#sec-correcting",
            "workshop/boosting/martirank#sec-noise-rate",
            "lessons/smartirank#eq-p1-correct",
        ),
        (
            "aucbook.boosting.branching.corrected",
            "aucbook.boosting.branching.true_rates",
            "aucbook.MartiRank",
            "aucbook.boosting.SMartiRank",
        ),
        because="The paper corrects shares; the rates of a cut must be corrected, too, before the coin is balanced.",
        tried=(
            Trial(
                "weak columns, one positive in ten, three labels in ten wrong",
                "workshop/boosting/martirank#sec-noise-rate",
            ),
            Trial(
                "one positive in a hundred; nineteen in twenty, four labels in ten wrong",
                "tests/boosting/test_martirank.py::test_with_a_known_noise_rate_it_grows_the_program_of_the_true_labels",
                hard="nearly all that look like the rarer class are not",
            ),
        ),
    ),
    Statement(
        "Algorithm",
        "SMartiRank",
        r"Basic MartiRank on fresh draws, which freezes a node that too few of a class $b$ reach, and lets it answer the other class.",
        "contradicted",
        (
            "evidence/errata#sec-label",
            "lessons/smartirank#sec-smartirank",
            "workshop/boosting/smartirank#smartirank",
        ),
        ("aucbook.boosting.SMartiRank",),
        because=r"The printed label $1-b$ of a frozen node is no class, as $b$ is $-1$ or $1$; $-b$ is meant, and computed.",
    ),
    Statement(
        "Eq.",
        "2",
        r"Freeze $v_{i,t}$ if $p^b_{i,t} < \frac{\epsilon\,D[c=b]}{T(T+1)}$ for a class $b$; $p^b_{i,t}$ is the share of all "
        r"examples that are of class $b$ and reach the node.",
        "used",
        ("lessons/smartirank#eq-p1-freeze",),
        ("aucbook.boosting.SMartiRank",),
        because="Estimates are compared with a quarter of it, as the paper says further down; they would have to be finer than any sample.",
    ),
    Statement(
        "Theorem",
        "9",
        r"If every node that is not frozen has two-sided advantage $\gamma$, SMartiRank with $T = O(\log(1/\epsilon)/\gamma^2)$ "
        r"errs on at most $\epsilon$ of each class.",
        "proved",
        ("lessons/smartirank#sec-smartirank",),
        ("aucbook.boosting.SMartiRank",),
    ),
    Statement(
        "Eq.",
        "3",
        r"Less than $\epsilon/2$ of the positives meet a frozen node: $T(T+1)/2$ nodes, each with at most "
        r"$\frac{\epsilon}{T(T+1)}$ of them.",
        "contradicted",  # two patients: all positives freeze, in a node that no negative reaches
        (
            "evidence/errata#sec-eq3",
            "evidence/noise_results#sec-freezing",
            "lessons/smartirank#sec-smartirank",
        ),
        ("aucbook.boosting.SMartiRank",),
        because=r"True of the frozen nodes that answer $-1$. One that is frozen for want of negatives may hold all positives, "
        r"and rightly answers $+1$; Theorem 9 needs no more. With the quarter that estimates use it is $\epsilon/8$; a cell "
        "measures what is really lost, on three problems: more, where estimates are not as fine as the paper asks.",
    ),
    Statement(
        "Theorem",
        "10",
        r"SMartiRank reaches an AUC of at least $1-\epsilon$ with probability $1-\delta$, from $m_A$ times a polynomial in "
        r"$\frac1p$, $\frac1{1-2\eta}$, $\frac1\epsilon$ and $\frac1\gamma$ calls of the oracle; $p$ is the share of the rarer class.",
        "contradicted",  # two patients whom no fixed number of labels tells apart with every probability
        (
            "evidence/errata#sec-theorem10",
            "lessons/smartirank#sec-smartirank",
            "workshop/boosting/smartirank#sec-cost",
            "evidence/noise_results#sec-freezing",
        ),
        ("aucbook.boosting.SMartiRank",),
        because=r"The number of calls cannot be independent of $\delta$: a factor $\log\frac1\delta$ is missing. The polynomials stand in §5: "
        r"$O(T^2 m_A/(\epsilon p))$ draws for a node, $O(T^4 m_A/(\epsilon p))$ in all, $O(1/(\tau^3(1-2\eta)^3))$ for a node's share to "
        r"within $\tau$. The proof is a sketch, and balances by noisy rates, as in Theorem 8; ours are corrected. The number of draws is a "
        "setting here, and its cost is counted.",
    ),
    Statement(
        "Section",
        "5, draws",
        r"$D[c=b]$ to within $\pm\frac{p}{10}$ takes $O(1/(p^2(1-2\eta)^2))$ draws; a node's share $p^b_{i,t}$ to within $\pm\tau$ takes "
        r"$O(1/(\tau^3(1-2\eta)^3))$; $m_A$ examples of each class in a node that is not frozen take $O(T^2 m_A/(\epsilon p))$, and so all "
        r"nodes $O(T^4 m_A/(\epsilon p))$.",
        "proved",
        ("workshop/boosting/smartirank#sec-draws",),
        ("aucbook.boosting.SMartiRank", "aucbook.boosting.branching.corrected"),
        because=r"As expected numbers, or for a fixed confidence. Two of them can be smaller: $O(1/(\tau^2(1-2\eta)^2))$ for a share, and "
        r"$O(T^3 m_A/(\epsilon p))$ in all, since the nodes of a level share their draws, as ours do.",
    ),
    Statement(
        "Section",
        "5, guesses",
        r"If $p$ is not given, guess and halve finds it within a factor of two; $\eta$ can be found by guess and check.",
        "used",
        ("workshop/boosting/smartirank#sec-cost", "workshop/boosting/smartirank#smartirank"),
        ("aucbook.boosting.SMartiRank",),
        because='Of the estimated share; the guesses for $\\eta$ are 0, .1, .2, .3, .4 (`noise_rate="auto"`), and fresh labels choose among them.',
    ),
]
