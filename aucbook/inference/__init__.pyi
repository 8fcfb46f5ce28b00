"""The public names of aucbook.inference."""

from .bands import PrecisionRecallBand as PrecisionRecallBand
from .bands import RocBand as RocBand
from .bands import TprInterval as TprInterval
from .bands import mean_roc_band as mean_roc_band
from .bands import precision_recall_band as precision_recall_band
from .bands import roc_band as roc_band
from .bands import tpr_interval as tpr_interval
from .intervals import AucInterval as AucInterval
from .intervals import AucTest as AucTest
from .intervals import auc_interval as auc_interval
from .intervals import auc_test as auc_test
from .intervals import auc_test_unpaired as auc_test_unpaired
from .power import auc_power as auc_power
from .power import auc_sample_size as auc_sample_size
from .power import tpr_power as tpr_power
from .power import tpr_sample_size as tpr_sample_size
from .readers import ReaderStudy as ReaderStudy
from .readers import reader_study as reader_study
from .reliability_bands import ReliabilityBand as ReliabilityBand
from .reliability_bands import reliability_band as reliability_band
from .signals import SignalTest as SignalTest
from .signals import signal_test as signal_test
