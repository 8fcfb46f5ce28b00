"""The public names of aucbook.model_selection."""

from .checks import Check as Check
from .checks import check_table as check_table
from .choice import Choice as Choice
from .comparison import CompareOptions as CompareOptions
from .comparison import Comparison as Comparison
from .comparison import compare as compare
from .comparison import compare_scores as compare_scores
from .rankers import InterruptedFit as InterruptedFit
from .rankers import default_rankers as default_rankers
from .rankers import tuned as tuned
