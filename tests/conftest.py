"""Shared fixtures. Hypothesis runs without deadlines (the first call compiles) and repeats the same examples every time."""
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "agg")
settings.register_profile("book", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("book")
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def root():
    return ROOT
