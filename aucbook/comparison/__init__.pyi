"""The public names of aucbook.comparison, and the rooms they live in."""

from .ensemble import RankingEnsemble as RankingEnsemble
from .ensemble import ensemble_members as ensemble_members
from .findings import Finding as Finding
from .findings import check_table as check_table
from .protocol import Comparison as Comparison
from .protocol import compare as compare
from .protocol import compare_scores as compare_scores
from .rankers import default_rankers as default_rankers
from .rankers import tuned as tuned
from .reasons import Reasons as Reasons
from .verdict import Decision as Decision
from .verdict import load_decision as load_decision
