"""What all tests share."""

import pytest

from simcore import registry


@pytest.fixture(scope="module", autouse=True)
def forgotten_plugins():
    """Games and strategies that a module loads are forgotten after it."""
    with pytest.MonkeyPatch.context() as patch:
        for shelf in ("_plugged", "_plugged_games", "_contents"):
            patch.setattr(registry, shelf, dict(getattr(registry, shelf)))
        yield
