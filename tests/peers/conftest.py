"""What all files share that run a peer's own tests."""

import pytest
from peer_modules import expect_failure


@pytest.fixture
def global_random_seed():
    """scikit-learn's fixture of this name."""
    return 42


@pytest.fixture(autouse=True)
def listed(request):
    """What a file lists in DOES_NOT_APPLY is expected to fail."""
    if hasattr(request.module, "DOES_NOT_APPLY"):
        expect_failure(request, request.module.DOES_NOT_APPLY)
