"""Paper 2, Wilbur, Yeganova and Kim: every numbered statement, in the paper's order.

`NUMBERED` says how far each of the paper's own numberings runs, so that a row that was forgotten shows.
The paper has no footnotes. What it says without a number, and a reader may look for, stands under "In the text".
Formulas are read from the author's manuscript, in a copy that has lost roots, sums and products; where that matters, the row says so."""

from .statement import Statement, Trial

NUMBERED = {
    "Algorithm": ["2.1", "2.2", "3.1", "3.2", "3.3", "7.1", "7.2"],
    "Theorem": ["1", "2", "3", "4", "5"],
    "Corollary": ["1", "2", "3"],
    "Example": ["4.1", "4.2", "4.3"],
    "Table": [str(k) for k in range(1, 8)],
    "Figure": [str(k) for k in range(1, 5)],
    "Eq.": [str(k) for k in range(1, 60)],
    "In the text": [
        "§2, pools",
        "§2, example",
        "§3, bound on Z",
        "§3, λ",
        "§3, ties",
        "§5, one score",
        "§7, locking on",
        "Appendix, points",
    ],
}

ISOTONIC, ADABOOST, COMBINING = "lessons/isotonic", "lessons/adaboost", "lessons/score_combination"
CAPACITY, DOCUMENTS, LESSON_ROC = "lessons/capacity", "lessons/documents", "workshop/metrics/roc"
ERRATA = "evidence/errata"
COMBINED, FOUND = "evidence/combination_results", "evidence/document_results"
PRINTED = "evidence/reproducibility#sec-p2"

PAV = "aucbook.isotonic.regression.pav"
CALIBRATOR = "aucbook.isotonic.regression.PAVCalibrator"
LINK = "aucbook.isotonic.links.IsotonicLink"
LINE = "aucbook.isotonic.links.LinearLink"
BOOST = "aucbook.isotonic.adaboost.PAVAdaBoost"
LINES = "aucbook.isotonic.adaboost.LinearAdaBoost"
FINITE = "aucbook.isotonic.score_combination.PAVAdaBoostFinite"
FINITE_LINES = "aucbook.isotonic.score_combination.LinearAdaBoostFinite"
BOUND = "aucbook.theory.capacity.risk_bound"

# fmt: off
STATEMENTS = [
    # ------------------------------------------------------------ 2. Pool adjacent violators
    Statement("Eq.", "1", r"The fitted probabilities never fall: $i < j \Rightarrow q_i \le q_j$.",
              "used", (f"{ISOTONIC}#eq-p2-monotone",), (PAV,)),
    # every non-decreasing sequence of a grid, in the lesson; the min-max formula, in the workshop
    Statement("Eq.", "2", r"The likelihood $\prod_i q_i^{w_i p_i} (1 - q_i)^{w_i (1 - p_i)}$ is to be a maximum.",
              "checked", (f"{ISOTONIC}#sec-optimal", f"{ISOTONIC}#eq-p2-likelihood", "workshop/numerics/pooling#sec-equality"),
              (PAV,), tried=(Trial("six patients, every rising sequence of twelfths", "lessons/isotonic#sec-optimal"), Trial("a falling sequence, ties, weights a thousandfold apart", "tests/isotonic/test_regression.py::test_no_rising_sequence_is_more_likely", hard="all is pooled, or nearly certain values sit between"),)),
    Statement("Eq.", "3", r"On a pool the best value is the weighted mean $\sum w_k p_k / \sum w_k$.",
              "proved", (f"{ISOTONIC}#eq-p2-pool",), (PAV, "aucbook._numerics.pooling.expand_blocks")),
    Statement("Eq.", "4", "In a pool every front part has at least the pool's mean, every back part at most (irreducible).",
              "proved", (f"{ISOTONIC}#eq-p2-irreducible",), (PAV,)),
    Statement("In the text", "§2, pools", "The pools are exactly the maximal irreducible intervals.",
              "proved", ("workshop/numerics/pooling#sec-irreducible",), (PAV, "aucbook._numerics.pooling.pool"),
              "And compared with all intervals of small sequences. The kernels are checked against the max-min formula, too."),
    Statement("Eq.", "5", "Neighbouring pools of which the left mean is not below the right one are adjacent violators, and are "
              "pooled.", "proved", (f"{ISOTONIC}#eq-p2-violators", "workshop/numerics/pooling#sec-reference"),
              ("aucbook._numerics.pooling.pool",)),
    Statement("In the text", "§2, example", r"$\frac14, \frac13, \frac15, \frac14, 1, \frac12$ become $\frac14$, three times "
              r"$\frac{47}{180}$, twice $\frac34$.", "used", (PRINTED, f"{ISOTONIC}#sec-pool"), (PAV,), because="One example, printed with its numbers, which are reproduced; nothing was chosen to break it."),
    # the cell asserts more than 2N tests as printed, at most 2N with the test moved inside
    Statement("Algorithm", "2.1", "PAV with two queues and arrays of pointers: the pools, with at most $2N$ tests.",
              "contradicted", (f"{ERRATA}#sec-queue", "workshop/numerics/pooling#sec-queues", f"{ISOTONIC}#sec-algorithm"),
              ("aucbook._numerics.pooling.pool", PAV),
              "As printed, the last test stands outside the If: the pools are right, but on 0, 1, 0, 1, … it makes $2.5N$ "
              "tests. Moved inside, it keeps the promise. Ours is one pass with a stack."),
    Statement("Algorithm", "2.2", "Interpolated PAV: the fitted value at a training score, the mean of the two neighbours' values "
              "strictly between, constant outside.", "checked", ("workshop/isotonic/links#sec-curve", f"{ISOTONIC}#sec-calibrator"),
              (CALIBRATOR, LINK), tried=(Trial("random scores", "workshop/isotonic/links#sec-curve"), Trial("ties, and one value for all", "workshop/isotonic/links#sec-curve", hard="between equal scores there is no neighbour"),)),

    # ------------------------------------------------------------ 3. AdaBoost
    # the lesson's own loop is asserted equal to the library's
    Statement("Algorithm", "3.1", "Confidence-rated AdaBoost: a weak score, a coefficient, new weights, the sign of the sum.",
              "used", (f"{ADABOOST}#sec-loop", "workshop/isotonic/adaboost#boosting_rounds"),
              ("aucbook.isotonic.adaboost.boosting_rounds", LINES)),
    Statement("Eq.", "6", r"$Z_t = \sum_i D_t(i)\, e^{-\alpha_t y_i h_t(x_i)}$, by which the new weights are divided.",
              "used", (f"{ADABOOST}#eq-p2-z",), ("aucbook.isotonic.adaboost.reweighted",)),
    Statement("Eq.", "7", r"The final hypothesis is the sign of $\sum_t \alpha_t h_t(x)$.",
              "used", (f"{ADABOOST}#sec-loop",), (LINES, BOOST)),
    Statement("Theorem", "1", r"The training error of the sign is at most $\prod_t Z_t$.",
              "proved", (f"{ADABOOST}#sec-loop",), (LINES, BOOST), "Four models on real data are checked against it, too."),
    Statement("Eq.", "8", r"Theorem 1 as an inequality: the share of wrong signs is at most $\prod_t Z_t$.",
              "proved", (f"{ADABOOST}#sec-loop",), (BOOST,)),
    Statement("Eq.", "9", r"The linear form $f(x) = \sum_t \alpha_t h_t(x)$, each $\alpha_t$ at the minimum of $Z_t$.",
              "used", (f"{ADABOOST}#sec-lines", "workshop/isotonic/links#sec-line"), (LINES, "aucbook.isotonic.links.newton_weights")),
    Statement("Eq.", "10", r"$W_+^j$ and $W_-^j$: the weights of the positives and of the negatives in part $j$ of a partition.",
              "used", (f"{ADABOOST}#sec-ideal",), (LINK,)),
    Statement("Eq.", "11", r"The best constant vote of a part is $c_j = \frac12 \ln (W_+^j / W_-^j)$.",
              "proved", (f"{ADABOOST}#sec-ideal",), (LINK,)),
    # the exercise's checker compares with a minimum found numerically
    Statement("Eq.", "12", r"With these votes $Z = 2 \sum_j \sqrt{W_+^j W_-^j} = 2 \sum_j \sqrt{u_j (1 - u_j)}\, \mu(X_j)$.",
              "proved", (f"{ADABOOST}#sec-why",), (LINK,),
              "The copy has lost the roots. An exercise of the page asks for it."),
    # the lesson's own loop and its staircase are asserted equal to the library's
    Statement("Algorithm", "3.2", "PAV-AdaBoost: each weak score is turned into half the log-odds of its PAV fit under the round's "
              "weights.", "used", (f"{ADABOOST}#sec-loop",), (BOOST, LINK)),
    Statement("Eq.", "13", r"The tuples that PAV is applied to: $(h_t(x_i),\ D_t(i),\ (1 + y_i)/2)$.",
              "used", (f"{ADABOOST}#sec-ideal",), (LINK,)),
    Statement("Eq.", "14", r"$k_t(s) = \frac12 \ln \frac{p_t(s)}{1 - p_t(s)}$.",
              "proved", (f"{ADABOOST}#eq-p2-k",), (LINK,)),
    Statement("Eq.", "15", r"$f(x) = \sum_t k_t(h_t(x))$.", "used", (f"{ADABOOST}#sec-loop",), (BOOST,)),
    Statement("Eq.", "16", r"$Z_t = 2 \int \sqrt{p_t (1 - p_t)}\, d\mu$.", "proved", (f"{ADABOOST}#sec-why",), (BOOST,),
              "The copy has lost the root. It holds without a clip."),
    Statement("In the text", "§3, bound on Z", r"$Z_t \le 1 - 2 \int (p_t - \frac12)^2 d\mu$.", "proved",
              (f"{ADABOOST}#sec-why",), (), "The page says it for one group; the integral adds groups up."),
    # beside the proof: all votes of a grid that never fall, in the lesson
    Statement("Theorem", "2", "Of all votes that never fall with the weak score, $k_t$ gives the smallest $Z_t$.",
              "proved", (f"{ADABOOST}#sec-why", "lessons/isotonic#sec-optimal"), (LINK,),
              "In a fold, after a check against all votes of a grid."),
    Statement("Eq.", "17", r"$W'_+/W'_- \ge W_+^j/W_-^j \ge W''_+/W''_-$ for a front and a back part of a pool.",
              "proved", (f"{ADABOOST}#sec-why", f"{ISOTONIC}#eq-p2-irreducible"), (),
              "The copy has lost the signs; it is Eq. 4 in odds."),
    Statement("In the text", "§3, λ", r"To keep $p_t$ within $[\varepsilon, 1 - \varepsilon]$ is to cut $k_t$ off at "
              r"$\lambda = \ln \frac{1 - \varepsilon}{\varepsilon}$.", "contradicted",
              (f"{ERRATA}#sec-lambda", f"{ADABOOST}#sec-ideal"), (LINK, "aucbook._numerics.pooling.resolve_clip"),
              r"By the paper's own Eq. 14 it is half of that."),
    Statement("Eq.", "18", r"$k_{\lambda t}$: $k_t$ cut off at $\pm\lambda$.", "used",
              (f"{ADABOOST}#sec-ideal", "workshop/isotonic/links#sec-curve"), (LINK,),
              "Here the fit is cut off first and interpolated second; read for a score between two others, Eq. 18 has the other "
              "order."),
    # beside the proof: all votes of a grid within ±1/2 that never fall, in the lesson
    Statement("Corollary", "1", r"Of all votes within $\pm\lambda$ that never fall, $k_{\lambda t}$ gives the smallest $Z_t$.",
              "proved", (f"{ADABOOST}#sec-why",), (LINK,), "In a fold, after a check against all votes of a grid."),
    Statement("Eq.", "19", r"What a pool pays for one common vote: $F(c) = W_+ e^{-c} + W_- e^{c}$.", "used",
              (f"{ADABOOST}#sec-ideal",), (LINK,)),
    Statement("Eq.", "20", r"The loss of a sum of curves: $\sum_i \exp[-y_i \sum_j k_{\lambda j}(h_j(x_i))]$.",
              "used", (f"{COMBINING}#eq-p2-20",), (FINITE,)),
    # the lesson's own loop is asserted equal to the library's, after thirty cycles
    Statement("Algorithm", "3.3", "PAV-AdaBoost.finite: one curve for each of a fixed set of scores, refitted in turn.",
              "used", (f"{COMBINING}#sec-loop",), (FINITE, "aucbook.isotonic.curves.refit_in_turn")),
    Statement("Eq.", "21", r"$q_i = \exp[-y_i \sum_j k_{\lambda j}(h_j(x_i))]$.", "used", (f"{COMBINING}#eq-p2-weights",),
              ("aucbook.isotonic.curves.refit_column",)),
    Statement("Eq.", "22", r"The weights of a refit: $D_i = q_i\, e^{y_i k_{\lambda j}(h_j(x_i))} / Z_0$.",
              "used", (f"{COMBINING}#eq-p2-weights",), ("aucbook.isotonic.curves.refit_column",),
              "Here without the common factor $Z_0$, which changes no refit."),
    Statement("Eq.", "23", r"$Z_0$, the sum that makes these weights add up to 1.", "not in the book",
              because="A refit depends on ratios of weights only, so no code divides by it."),
    # beside the proof: the loss never rises; the same sums whichever curve is refitted first
    Statement("Theorem", "3", "The cycles converge: the sums of curves tend to the only sum that minimises the loss, at every row.",
              "proved", (f"{COMBINING}#eq-p2-20", f"{COMBINED}#sec-examples"), (FINITE,),
              "In a fold; and thirty random tables reach the same sums whichever curve is refitted first."),
    Statement("Eq.", "24", r"$\lim_t \sum_j k^t_{\lambda j} \circ h_j = \sum_j k_{\lambda j} \circ h_j$, pointwise.", "proved",
              (f"{COMBINING}#eq-p2-20", f"{COMBINED}#sec-examples"), (FINITE,)),
    Statement("Eq.", "25", r"Proof of Theorem 3: late in the subsequence the loss is within $\varepsilon/4$ of its limit.", "proved",
              (f"{COMBINING}#eq-p2-20",), (), "The page has the argument without the letters."),
    Statement("Eq.", "26", "Proof of Theorem 3: so the next cycle would end below the limit, which it cannot.", "proved",
              (f"{COMBINING}#eq-p2-20",), (), "The page has the argument without the letters."),
    Statement("Eq.", "27", r"Proof of Theorem 3: $F(\alpha)$, the loss on the straight way from one set of curves to another.",
              "proved", (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "28", r"Proof of Theorem 3: $F(\alpha) \le \alpha F(1) + (1 - \alpha) F(0)$, since $F$ is convex.",
              "proved", (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "29", r"Proof of Theorem 3: $F'(0) \le F(1) - F(0) < 0$.", "proved", (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "30", r"Proof of Theorem 3: $G(\alpha_1, \dots, \alpha_n)$, where each curve goes its own part of the way.",
              "proved", (f"{COMBINING}#eq-p2-20",), (), "The page says “each curve moved alone”."),
    Statement("Eq.", "31", r"Proof of Theorem 3: $F(\alpha) = G(\alpha, \dots, \alpha)$.", "proved", (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "32", r"Proof of Theorem 3: $F'(0) = \sum_j \partial G / \partial \alpha_j$ at 0.", "proved",
              (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "33", "Proof of Theorem 3: so one curve alone could be improved.", "proved", (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "34", "Proof of Theorem 3: suppose two minima gave some row different sums.", "proved",
              (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "35", r"Proof of Theorem 3: then $F(\alpha)$ would be below the minimum half-way.", "proved",
              (f"{COMBINING}#eq-p2-20",)),
    Statement("Eq.", "36", "Proof of Theorem 3: the subsequence of sums converges to the minimum's.", "proved",
              (f"{COMBINING}#eq-p2-20",)),
    # the kernel against the definition, on random scores with ties
    Statement("Eq.", "37", "Precision and recall at rank $r$: $P_r = a/r$ and $R_r = a/A$, with $a$ of all $A$ positives among the "
              "first $r$.", "used", (f"{LESSON_ROC}#sec-free",), ("aucbook.metrics.roc.average_precision_11pt",)),
    Statement("Eq.", "38", r"Interpolated precision at recall $R$: the best $P_r$ with $R_r \ge R$; its mean over 0, .1, …, 1.",
              "checked", (f"{LESSON_ROC}#sec-free", f"{LESSON_ROC}#average_precision_11pt"),
              ("aucbook.metrics.roc.average_precision_11pt",), tried=(Trial("random lists", "tests/metrics/test_roc.py::test_11pt_average_precision_spreads_ties"), Trial("ties, infinities, one positive", "workshop/metrics/roc#sec-free", hard="a tie spans several ranks, and recall .3 is no exact number"),)),
    Statement("In the text", "§3, ties", "Rows that tie share their positives evenly over their ranks.", "checked",
              (f"{LESSON_ROC}#sec-free",), ("aucbook.metrics.roc.average_precision_11pt",), tried=(Trial("random lists", "tests/metrics/test_roc.py::test_11pt_average_precision_spreads_ties"), Trial("ties, infinities, one positive", "workshop/metrics/roc#sec-free", hard="a tie spans several ranks, and recall .3 is no exact number"),)),

    # ------------------------------------------------------------ 4. The training advantage
    Statement("Example", "4.1", "Four groups: PAV-AdaBoost.finite reaches the ideal order (.860), linear AdaBoost, converged, .823.",
              "contradicted", (f"{ERRATA}#sec-ex41", f"{COMBINED}#sec-examples", f"{COMBINING}#sec-lines"),
              (FINITE, FINITE_LINES, "aucbook.theory.toys.make_groups"),
              ".860 holds. But .823 is what one cycle of the lines gives; converged, they give .652."),
    Statement("Table", "1", "Example 4.1's groups: 1, 50, 51, 99 positives of 100, with two scores.", "used",
              ("lessons/datasets#sec-groups", PRINTED), ("aucbook.theory.toys.make_groups",)),
    # PAV's figure to seven digits; both lines' in the registry of printed numbers
    Statement("Example", "4.2", "Four groups: PAV-AdaBoost.finite .698; the lines' coefficients are 0, and chance gives .300.",
              "used", (f"{COMBINED}#sec-examples", PRINTED), (FINITE, FINITE_LINES, "aucbook.theory.toys.make_groups"), because="One example, printed with its numbers, which are reproduced; nothing was chosen to break it."),
    Statement("Table", "2", "Example 4.2's groups: 0, 20, 20, 80 positives of 100, with two scores.", "used",
              (f"{COMBINED}#sec-examples", PRINTED), ("aucbook.theory.toys.make_groups",)),
    Statement("Example", "4.3", "Documents of seven kinds made of three words, each kind with a share of positives drawn at random.",
              "used", ("lessons/datasets#sec-groups",), ("aucbook.theory.toys.make_three_words",)),
    Statement("Table", "3", "Mean precision on 1000 such spaces: ideal .7721, PAV .7321, linear .7053, stumps .7047, naive Bayes "
              ".7042, random .5039.", "used", (PRINTED,), ("aucbook.theory.toys.make_three_words", BOOST, LINES),
              "All but PAV's are reproduced within three standard errors. PAV's figure lies between one round and two; the rounds are not "
              "printed. Counts of wins are compared as well; most of PAV's and the line's differ."),

    # ------------------------------------------------------------ 5. Capacity
    Statement("In the text", "§5, one score", "A monotone function of one score shatters no more points than the score can tell "
              "apart.", "used", (f"{CAPACITY}#sec-impressed",), ("aucbook.theory.capacity.vc_bound",),
              "The lesson counts instead: thresholds of one score shatter one point, never two."),
    Statement("Eq.", "39", "Scores replaced by the number of the interval they fall into, the intervals chosen before the sample.",
              "used", (f"{CAPACITY}#sec-bins",), ("aucbook._numerics.binning.Bins",)),
    Statement("Theorem", "4", r"Sums of monotone curves over $n_1, \dots, n_T$ intervals have a VC dimension of at most "
              r"$\prod_t n_t$.", "proved", (f"{CAPACITY}#sec-bins", "workshop/theory/capacity#sec-bins"),
              ("aucbook.theory.capacity.vc_bound",),
              r"With a smaller bound: linear rules on the intervals' indicators give $1 + \sum_t (n_t - 1)$, which is never more "
              r"than the product; the library counts $\sum_t n_t$."),
    Statement("Eq.", "40", r"$\mathrm{VC} \le \prod_t n_t$.", "proved", (f"{CAPACITY}#eq-p2-40",),
              ("aucbook.theory.capacity.vc_bound",), "The copy has lost the sign before $n_t$; Eqs. 41 and 44 are those of a product."),
    Statement("Eq.", "41", "The cells that the intervals of all scores cut the space into, on each of which the rule is constant.",
              "not in the book", because="The page proves the smaller bound without cells, and only names their number."),
    # the cell solves Vapnik's inequality
    Statement("Eq.", "42", r"$R \le R_{\mathrm{emp}} + \frac{E}{2} \Big( 1 + \sqrt{1 + R_{\mathrm{emp}} / E} \Big)$, with "
              r"probability $1 - \eta$.", "contradicted", (f"{ERRATA}#sec-eq42", f"{CAPACITY}#eq-p2-43"), (BOUND,),
              r"Under the root a 4 is missing, $4 R_{\mathrm{emp}} / E$: with it, and not without, it solves "
              r"$(R - R_{\mathrm{emp}})/\sqrt R \le \sqrt E$, which is Vapnik's and quoted, not proved."),
    # on Gaussian scores: the test error of 200,000 rows stays below, the training error below the loss
    Statement("Corollary", "2", r"With probability $1 - \eta$ the risk is at most the bound of Eq. 43, if $N$ is larger than the VC "
              "bound.", "checked", (f"{CAPACITY}#sec-worth", f"{CAPACITY}#eq-p2-43", "workshop/theory/capacity#sec-risk"), (BOUND,),
              "With the 4 that Eq. 43 lacks. It follows from Theorem 4 and Vapnik's inequality, which is quoted. The lesson adds "
              "what it does not guarantee: columns and bins must not be chosen on the sample.", tried=(Trial("three Gaussian columns in eight bins", "lessons/capacity#sec-worth"), Trial("coins for labels", "tests/theory/test_capacity.py::test_the_bound_holds_where_there_is_nothing_to_learn", hard="nothing can be learned, and what is fitted is chance"),)),
    Statement("Eq.", "43", r"$R \le R' + \frac12 \Big( E' + \sqrt{E' (E' + R')} \Big)$.", "contradicted",
              (f"{ERRATA}#sec-eq42", f"{CAPACITY}#eq-p2-43"), (BOUND,),
              "It must be $4 R'$ under the root, as in Eq. 42. (The root itself is lost in our copy only.)"),
    # the cell has V = 8 · 8 · 8, where ln V is the sum of ln 8
    Statement("Eq.", "44", r"$E' = \frac4N \Big[ \prod_t n_t \Big( 1 + \ln 2N - \sum_t \ln n_t \Big) - \ln \frac\eta4 \Big]$.",
              "used", (f"{CAPACITY}#eq-p2-43", f"{CAPACITY}#sec-differences"), (BOUND,),
              "`risk_bound(R, 8 * 8 * 8, n)` gives this form; by default the library has the sum of the $n_t$ in place of the "
              "product."),
    Statement("Eq.", "45", r"$R' = \prod_t Z_t$ for PAV-AdaBoost.", "used", ("workshop/theory/capacity#sec-risk", f"{ADABOOST}#sec-loop"),
              (BOUND, BOOST)),
    Statement("Eq.", "46", r"$R' = N^{-1} \sum_{x \in S} \exp[-y(x) \sum_t k_{\lambda t}(h_t(x))]$ for PAV-AdaBoost.finite.",
              "used", (f"{CAPACITY}#sec-worth",), (BOUND, FINITE), "In the approximate form $h_t$ is the number of the interval, as in Eq. 39."),
    Statement("Eq.", "47", r"$E(N) = \frac4N \Big\{ \mathrm{VC} \Big[ \ln \frac{2N}{\mathrm{VC}} + 1 \Big] - \ln \frac\eta4 \Big\}$.",
              "used", (f"{CAPACITY}#eq-p2-43", "workshop/theory/capacity#sec-risk"), (BOUND,), because="A definition: the library computes it, and nothing could break it."),

    # ------------------------------------------------------------ 6. Combining scores
    Statement("Table", "4", "Six scores of textbook phrases, alone: precision for two judges.", "not in the book",
              because="The judged phrases are not public."),
    Statement("Table", "5", "Five ways to combine them: PAV-AdaBoost.finite .6023 and .3640, before the four others.",
              "not in the book", because="The judged phrases are not public."),
    # asserted for PAV; the other methods in the registry of printed numbers
    Statement("Table", "6", "Three pairs of Gaussian classes: Mahalanobis first (.8556, .7250, .7014), PAV .8357, .6107, .5624.",
              "used", (f"{COMBINED}#sec-gaussians", PRINTED), ("aucbook.theory.toys.make_three_gaussians", FINITE),
              "The paper prints one draw, so the check is coarse: three standard deviations, about .05."),

    # ------------------------------------------------------------ 7. Documents
    Statement("Eq.", "48", "TRAIN and TEST: two thirds and one third of REBASE and of its 100,000 nearest neighbours.",
              "not in the book", because="The two collections, as they were then, are not public. Three public sets of abstracts "
              "stand in for them, in the same shares."),
    Statement("Table", "7", "Precision on REBASE: naive Bayes .775, KNN .783, Cmls .819.", "used",
              (f"{FOUND}#sec-sets", PRINTED),
              ("aucbook.text.word_weights.BinaryNaiveBayes", "aucbook.text.documents.KNNRanker", "aucbook.text.word_weights.Cmls"),
              "Printed beside what the same methods get on other documents, where their order is another."),
    # the derivation is checked by drawing from the two Poisson laws
    Statement("Eq.", "49", r"The local weight of a word: $1 / (1 + \lambda^{\mathit{tf} - 1} e^{\alpha \cdot \mathit{dlen}})$, "
              r"$\lambda = .7$, $\alpha = .0044$.", "proved", (f"{DOCUMENTS}#eq-p2-49", "workshop/text/documents#sec-poisson"),
              ("aucbook.text.documents.PoissonVectors", "aucbook.text.documents.poisson_tf_similarity"),
              "The paper names the Poisson model and no steps; the derivation is ours, and a million draws agree with it."),
    Statement("Algorithm", "7.1", "Cmass: $w$ is the difference of the two classes' weighted centres, and the score is $w \\cdot x$.",
              "used", ("workshop/text/word_weights#sec-centres", f"{FOUND}#sec-weak"), ("aucbook.text.word_weights.Cmass",)),
    Statement("Figure", "1", "PAV lifts Cmass from .512 to just above .8 in 60 rounds; a line fails.", "used",
              (f"{FOUND}#sec-rounds",), ("aucbook.text.word_weights.Cmass", BOOST),
              "Drawn for other documents: there the best round adds no more than .06."),
    # the lesson's own loop is asserted equal to the library's
    Statement("Algorithm", "7.2", "Nscore: in turn the heaviest document of each class is asked, and the answer is its similarity, "
              "with a sign.", "used", (f"{DOCUMENTS}#sec-nscore", "workshop/text/nscore#sec-rounds"), ("aucbook.text.nscore.Nscore",),
              "Documents that tie in weight are not ordered by the paper; here the largest vector is first."),
    Statement("Figure", "2", "Nscore by round: PAV reaches .822 at 4,000, lines with xlap later and lower.", "used",
              (f"{FOUND}#fig-rounds-nscore", f"{DOCUMENTS}#sec-breaks"), ("aucbook.text.nscore.Nscore",),
              "Drawn for other documents, where PAV is before the lines, too, but Nscore behind plain neighbours."),
    Statement("In the text", "§7, locking on", "A line boosting Nscore locks on to a few documents, unless one may be asked again only "
              "after xlap rounds.", "used", (f"{DOCUMENTS}#sec-breaks", f"{FOUND}#sec-library"), ("aucbook.text.nscore.Nscore",)),

    # ------------------------------------------------------------ 8. Discussion
    Statement("Eq.", "50", r"An intrinsic weak score: 1 if the word $w$ is in the document, else 0.", "used",
              because="For one word PAV makes the same of it as of Eq. 51. Yet to choose the best words in twenty rounds is a training, too, and loses the most on new documents.", where=(f"{FOUND}#sec-intrinsic", f"{FOUND}#eq-p2-50"), code=(BOOST,)),
    Statement("Eq.", "51", r"One that is not intrinsic: the word's Bayesian weight $b_w$ if it is in the document, else 0.",
              "used", because="What the paper explains by it, that boosting a trained naive Bayes overfits, is measured: on rows of its own PAV loses less.", where=(f"{FOUND}#sec-intrinsic", f"{FOUND}#eq-p2-50"), code=(BOOST, "aucbook.text.word_weights.BinaryNaiveBayes")),
    Statement("Figure", "3", "Naive Bayes's score, and what PAV and two sigmoids make of it.", "used", (f"{FOUND}#fig-bayes",),
              (LINK, LINE), "Drawn for a made-up library, beside what happens to new documents."),
    Statement("Eq.", "52", r"The sigmoid $\sigma(s) = (1 + e^{-(ws - b)})^{-1}$, with $w$ and $b$ at the minimum of $Z$.", "used",
              (f"{FOUND}#fig-bayes",), (LINE,)),
    Statement("Eq.", "53", r"As a link: $k(s) = \frac12 \ln \frac{\sigma(s)}{1 - \sigma(s)} = \frac12 (ws - b)$.", "used",
              (f"{ADABOOST}#sec-drag", "workshop/isotonic/links#sec-line"), (LINE, LINES)),
    Statement("Figure", "4", "Boosting naive Bayes: PAV has the lowest training error, the optimal line ranks new documents best.",
              "used", (f"{FOUND}#fig-rounds-bayes",), ("aucbook.text.word_weights.BinaryNaiveBayes", LINES, BOOST),
              "Drawn for other documents: there PAV ends lowest on all three sets, and the two lines end close together."),

    # ------------------------------------------------------------ Appendix
    Statement("In the text", "Appendix, points", r"Points ordered one way by one score and the other way by the other: "
              r"$(r_i,\ b - r_{N-i+1})$ with rising $r_i$.", "contradicted",
              (f"{ERRATA}#sec-points", f"{COMBINED}#sec-theorem5", f"{CAPACITY}#sec-differences"),
              ("aucbook.theory.capacity.shattering_set",),
              "As printed they rise together; $(r_i, b - r_i)$ is meant."),
    # Eqs. 54 to 58: eight groups of unequal sizes, fitted
    Statement("Eq.", "54", "The first curve of the solution: one value for the first group, then one for each two groups, one for the "
              "last.", "checked", (f"{COMBINED}#sec-theorem5", f"{CAPACITY}#sec-boosting"), ("aucbook.isotonic.score_combination.PAVAdaBoostFinite",), tried=(Trial("eight groups of two to four points", "evidence/combination_results#sec-theorem5"), Trial("groups of one to twelve points, a small bound", "evidence/combination_results#sec-theorem5", hard="one step nearly vanishes"),), because="Where the bound is so small that the steps are not positive it ends, as the paper says; a column shows it."),
    Statement("Eq.", "55", "The second curve: one value for each two groups, from the first.", "checked",
              (f"{COMBINED}#sec-theorem5", f"{CAPACITY}#sec-boosting"), ("aucbook.isotonic.score_combination.PAVAdaBoostFinite",), tried=(Trial("eight groups of two to four points", "evidence/combination_results#sec-theorem5"), Trial("groups of one to twelve points, a small bound", "evidence/combination_results#sec-theorem5", hard="one step nearly vanishes"),), because="Where the bound is so small that the steps are not positive it ends, as the paper says; a column shows it."),
    Statement("Eq.", "56", r"What a refit that changes nothing means: $\alpha_j = -\frac12 (\beta_{j-1} + \beta_j) + \frac12 \ln "
              r"\frac{m_{2j-2}}{m_{2j-1}}$, and the same for $\beta_j$.", "checked", (f"{COMBINED}#sec-theorem5",), ("aucbook.isotonic.score_combination.PAVAdaBoostFinite",), tried=(Trial("eight groups of two to four points", "evidence/combination_results#sec-theorem5"), Trial("groups of one to twelve points, a small bound", "evidence/combination_results#sec-theorem5", hard="one step nearly vanishes"),), because="Where the bound is so small that the steps are not positive it ends, as the paper says; a column shows it."),
    Statement("Eq.", "57", r"The scores: $\pm\frac12 (\alpha_{j+1} - \alpha_j) + \frac12 \ln \frac{m_{2j}}{m_{2j-1}}$ for the groups "
              r"$m_{2j}$ and $m_{2j-1}$.", "checked", (f"{COMBINED}#sec-theorem5",), ("aucbook.isotonic.score_combination.PAVAdaBoostFinite",),
              "The second forms, by differences of the other curve, follow from Eq. 56. Where the bound is so small that the steps are not positive it ends, as the paper says; a column shows it.", tried=(Trial("eight groups of two to four points", "evidence/combination_results#sec-theorem5"), Trial("groups of one to twelve points, a small bound", "evidence/combination_results#sec-theorem5", hard="one step nearly vanishes"),)),
    Statement("Eq.", "58", r"The steps: $\alpha_{j+1} - \alpha_j = \frac{1}{k-1} \Big[ \alpha_k - \alpha_1 + \sum_p \Big( \ln "
              r"\frac{m_{2j}}{m_{2p}} + \ln \frac{m_{2j-1}}{m_{2p-1}} \Big) \Big]$.", "checked",
              (f"{COMBINED}#eq-p2-58-groups", f"{CAPACITY}#eq-p2-58"), ("aucbook.isotonic.score_combination.PAVAdaBoostFinite",),
              "For equal groups, where all scores are ±λ/(k − 1), it is proved in the lesson. Where the bound is so small that the steps are not positive it ends, as the paper says; a column shows it.", tried=(Trial("eight groups of two to four points", "evidence/combination_results#sec-theorem5"), Trial("groups of one to twelve points, a small bound", "evidence/combination_results#sec-theorem5", hard="one step nearly vanishes"),)),
    # every labelling of up to four points, in the workshop
    Statement("Eq.", "59", "A training set that makes the labelling: two points around each run of equal labels, a pair more at an "
              "end that needs it.", "checked", ("workshop/theory/capacity#sec-theorem5", f"{CAPACITY}#sec-boosting"),
              ("aucbook.theory.capacity.shattering_set",), "Ours has the same pairs at other places: only the order matters.", tried=(Trial("every labelling of up to five points", "tests/theory/test_capacity.py::test_every_labelling_is_learned"), Trial("labels that change at every point, votes of at most .02", "tests/theory/test_capacity.py::test_any_labelling_is_learned_whatever_the_bound", hard="the more changes and the smaller the bound, the nearer the scores to 0"),)),
    # beside the proof: every labelling of up to four points, in the workshop
    Statement("Theorem", "5", r"For any $\lambda$, the sums that PAV-AdaBoost.finite finds over two or more coordinates have infinite VC "
              "dimension.", "proved", (f"{CAPACITY}#sec-boosting", "workshop/theory/capacity#sec-theorem5"),
              ("aucbook.theory.capacity.shattering_set", "aucbook.theory.capacity.vc_bound"), "In a fold, by Theorem 3 and Eq. 58 for equal groups."),
    # beside the argument: all labellings of five points in a patch of a thousandth
    Statement("Corollary", "3", "The same for any scores whose values contain an open piece of a plane along two of them.",
              "proved", (f"{CAPACITY}#sec-border", f"{COMBINED}#sec-theorem5"), ("aucbook.theory.capacity.shattering_set",)),
]
# fmt: on
