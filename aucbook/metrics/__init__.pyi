"""The public names of aucbook.metrics."""

from .displays import RocDisplay as RocDisplay
from .displays import ScoreDisplay as ScoreDisplay
from .engines import auc_query as auc_query
from .head_of_list import PrecisionRecallCurve as PrecisionRecallCurve
from .head_of_list import average_precision as average_precision
from .head_of_list import bedroc as bedroc
from .head_of_list import enrichment_factor as enrichment_factor
from .head_of_list import log_auc as log_auc
from .head_of_list import precision_at_k as precision_at_k
from .head_of_list import precision_recall_curve as precision_recall_curve
from .head_of_list import recall_at_k as recall_at_k
from .out_of_core import AucBounds as AucBounds
from .out_of_core import BinnedCounts as BinnedCounts
from .out_of_core import binned_counts as binned_counts
from .out_of_core import exact_auc as exact_auc
from .out_of_core import score_edges as score_edges
from .roc import RocCurve as RocCurve
from .roc import average_precision_11pt as average_precision_11pt
from .roc import partial_auc as partial_auc
from .roc import roc_auc as roc_auc
from .roc import roc_curve as roc_curve
from .roc import tpr_at_fpr as tpr_at_fpr
from .roc import youden_threshold as youden_threshold
from .two_way import two_way_auc as two_way_auc
