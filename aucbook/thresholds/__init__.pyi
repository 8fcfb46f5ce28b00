"""The public names of aucbook.thresholds."""

from .benefit import Alarm as Alarm
from .benefit import CostCurve as CostCurve
from .benefit import DecisionCurve as DecisionCurve
from .benefit import DecisionCurves as DecisionCurves
from .benefit import affordable_fpr as affordable_fpr
from .benefit import benefit_of_rates as benefit_of_rates
from .benefit import best_alarm as best_alarm
from .benefit import cost_curve as cost_curve
from .benefit import decision_curve as decision_curve
from .benefit import move_prevalence as move_prevalence
from .benefit import net_benefit as net_benefit
from .by_subgroup import Subgroups as Subgroups
from .by_subgroup import subgroups as subgroups
from .fpr_thresholds import FprLimit as FprLimit
from .fpr_thresholds import Promise as Promise
from .fpr_thresholds import budget_threshold as budget_threshold
from .fpr_thresholds import fpr_threshold as fpr_threshold
from .fpr_thresholds import precision_threshold as precision_threshold
from .guarantees import PromisedThresholds as PromisedThresholds
from .guarantees import promised_thresholds as promised_thresholds
from .operating_points import OperatingPoint as OperatingPoint
from .operating_points import operating_point as operating_point
from .operating_points import tpr_threshold as tpr_threshold
