"""The public names of aucbook.thresholds."""

from .benefit import CostCurve as CostCurve
from .benefit import DecisionCurve as DecisionCurve
from .benefit import DecisionCurves as DecisionCurves
from .benefit import OptimalThreshold as OptimalThreshold
from .benefit import adjust_prevalence as adjust_prevalence
from .benefit import cost_curve as cost_curve
from .benefit import decision_curve as decision_curve
from .benefit import max_fpr_for_precision as max_fpr_for_precision
from .benefit import net_benefit as net_benefit
from .benefit import net_benefit_of_rates as net_benefit_of_rates
from .benefit import optimal_threshold as optimal_threshold
from .bounded_risk import BoundedRisk as BoundedRisk
from .by_subgroup import Subgroups as Subgroups
from .by_subgroup import subgroups as subgroups
from .fpr_thresholds import FprGuarantee as FprGuarantee
from .fpr_thresholds import GuaranteedThreshold as GuaranteedThreshold
from .fpr_thresholds import alarm_budget_threshold as alarm_budget_threshold
from .fpr_thresholds import fpr_threshold as fpr_threshold
from .fpr_thresholds import precision_threshold as precision_threshold
from .guarantees import GuaranteedThresholds as GuaranteedThresholds
from .guarantees import guaranteed_thresholds as guaranteed_thresholds
from .operating_points import OperatingPoint as OperatingPoint
from .operating_points import operating_point as operating_point
from .operating_points import tpr_threshold as tpr_threshold
