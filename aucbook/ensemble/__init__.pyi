"""The public names of aucbook.ensemble."""

from .ranking_ensemble import RankingEnsemble as RankingEnsemble
from .ranking_ensemble import ensemble_members as ensemble_members
