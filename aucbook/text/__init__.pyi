"""The public names of aucbook.text."""

from .documents import KNNRanker as KNNRanker
from .documents import PoissonVectors as PoissonVectors
from .documents import poisson_tf_similarity as poisson_tf_similarity
from .nscore import Nscore as Nscore
from .word_weights import BinaryNaiveBayes as BinaryNaiveBayes
from .word_weights import Cmass as Cmass
from .word_weights import Cmls as Cmls
