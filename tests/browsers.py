"""A headless Chromium for tests, however busy the machine is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = os.environ.get("FAIRFIGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
LIMIT = 240_000  # milliseconds until a start, a page or a click has failed; if all is well nothing takes that long


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; the test is skipped where there is none. A start that fails is tried once more."""
    if CHROMIUM is None:
        pytest.skip("no Chromium found: install Debian's package 'chromium', or name one in FAIRFIGHT_CHROMIUM")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:

        def launch() -> Any:
            return playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET, timeout=LIMIT)

        try:
            browser = launch()
        except sync_api.Error:
            browser = launch()
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Any, **options: Any) -> Iterator[Any]:
    """A page in a profile of its own, with time for everything it does."""
    context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
    context.set_default_timeout(LIMIT)
    context.set_default_navigation_timeout(LIMIT)
    try:
        yield context.new_page()
    finally:
        context.close()
