"""The toy ruleset beside the built-in ones, for the tests of this folder."""

from __future__ import annotations

import pytest

from tests.scenario.toy_registry import with_toy_ruleset

with_toy = pytest.fixture(autouse=True)(with_toy_ruleset)
