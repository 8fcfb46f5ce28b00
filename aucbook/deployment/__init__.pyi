"""The public names of aucbook.deployment."""

from .decision import Decision as Decision
from .decision import load_decision as load_decision
from .explanation import Reasons as Reasons
from .joint_monitoring import JointMonitor as JointMonitor
from .monitoring import CalibrationMonitor as CalibrationMonitor
from .monitoring import Monitor as Monitor
from .monitoring import calibration_monitor as calibration_monitor
from .monitoring import rate_monitor as rate_monitor
from .onnx_models import to_onnx as to_onnx
from .performance import Performance as Performance
from .shapley import shap_explanation as shap_explanation
from .shapley import shap_trees as shap_trees
