"""The public names of aucbook.theory."""

from .capacity import ShatteringSet as ShatteringSet
from .capacity import risk_bound as risk_bound
from .capacity import shattering_set as shattering_set
from .capacity import vc_bound as vc_bound
from .optimal_roc import adaptive_approximation as adaptive_approximation
from .optimal_roc import distance_to_optimum as distance_to_optimum
from .problems import Binormal as Binormal
from .problems import GaussianPair as GaussianPair
from .problems import Problem as Problem
from .problems import UniformBlocks as UniformBlocks
from .toys import binormal_auc as binormal_auc
from .toys import binormal_roc as binormal_roc
from .toys import gauss2d_score as gauss2d_score
from .toys import make_alternating as make_alternating
from .toys import make_binormal as make_binormal
from .toys import make_flipped as make_flipped
from .toys import make_gauss2d as make_gauss2d
from .toys import make_groups as make_groups
from .toys import make_separated as make_separated
from .toys import make_three_gaussians as make_three_gaussians
from .toys import make_three_words as make_three_words
from .toys import make_two_doctors as make_two_doctors
