"""aucbook: ranking, partial AUC, isotonic boosting and ranking trees, exported by the book.

The most used names are here; every other public name is in its sub-package
(`from aucbook.theory import Binormal`):

metrics          ROC curve, full and partial AUC, precision and recall, exact AUC of large data
measures         the metrics as objects that measure, test, and serve as scorers
inference        confidence intervals, bands, tests, sample sizes
isotonic         isotonic regression, PAV-AdaBoost, additive models (Paper 2)
calibration      reliability, score decompositions, Venn-Abers intervals
boosting         weak rankers boosted: AUCBoost, MartiRank (Paper 1)
pauc             training for a range of false positive rates (Paper 3)
trees            ranking trees, pruned, bagged, boosted (Paper 4)
text             rankers of documents (Paper 2, section 6)
ensemble         several rankers combined
theory           problems with a known optimal curve, capacity, toy data
tables           data frames and files encoded as numbers
thresholds       guaranteed false positive rates, costs, net benefit, subgroups
model_selection  rankers compared by cross-validation
deployment       a decision, its file, its explanation, monitoring
displays         curves and distributions with scikit-learn's interface
datasets         the tables of the lessons
lab              widgets for data and models of your own, in JupyterLab
explore          interactive pictures

Paper 1 is Long and Servedio (2007), Paper 2 Wilbur, Yeganova and Kim (2005), Paper 3 Narasimhan and
Agarwal (2013), Paper 4 Clémençon and Vayatis (2008).

Names are imported when they are first used (PEP 562): `import aucbook` costs no more than reading a
list.
"""

from ._base.lazy import lazy as _lazy

__version__ = "0.3.0"

__getattr__, __dir__, __all__ = _lazy(__name__, __file__)
