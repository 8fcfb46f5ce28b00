"""The public names of aucbook.measures."""

from .measures import Measure as Measure
from .measures import MeasureInterval as MeasureInterval
from .measures import MeasureTest as MeasureTest
from .topics import TopicMean as TopicMean
from .topics import TopicTest as TopicTest
from .topics import topic_mean as topic_mean
from .topics import topic_test as topic_test
from .values import AP as AP
from .values import AUC as AUC
from .values import BEDROC as BEDROC
from .values import EF as EF
from .values import PAUC as PAUC
from .values import PRAUC as PRAUC
from .values import RIE as RIE
from .values import TPR as TPR
from .values import Brier as Brier
from .values import ClippedBrier as ClippedBrier
from .values import FMeasure as FMeasure
from .values import LogAUC as LogAUC
from .values import LogLoss as LogLoss
from .values import NetBenefit as NetBenefit
from .values import Precision as Precision
from .values import Recall as Recall
from .values import TwoWay as TwoWay
from .words import check_measures as check_measures
