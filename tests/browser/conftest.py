"""What the browser tests share: one Chromium for all of them."""

import pytest
from page_browser import started


@pytest.fixture(scope="session", autouse=True)
def browser():
    """Running from the first test to the last, so that check_page need not start one for every page."""
    with started() as chromium:
        yield chromium
