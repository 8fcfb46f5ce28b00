"""The public names of aucbook.trees."""

from .forest import TreeRankForest as TreeRankForest
from .plots import plot_tree as plot_tree
from .pruning import CVPruning as CVPruning
from .pruning import PruningPath as PruningPath
from .pruning import cross_validated_pruning as cross_validated_pruning
from .pruning import prune as prune
from .pruning import pruning_path as pruning_path
from .pruning import shake as shake
from .treerank import TreeRank as TreeRank
from .treerank_boost import TreeRankBoost as TreeRankBoost
