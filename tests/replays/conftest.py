"""A browser for the tests of the viewer, and fights whose names are full of trouble."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browsers import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """A headless Chromium for all pages of this folder: while it runs, no other event loop can."""
    with chromium() as started:
        yield started
