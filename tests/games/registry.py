"""Registers Coin Duel for the length of a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sim.core import registry


def with_coin_duel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`coins` is known beside the built-in rulesets, and forgotten afterwards."""
    monkeypatch.setitem(registry.BUILT_IN, "coins", "tests.games.coins:RULESET")
    registry.ruleset_names.cache_clear()
    yield
    registry.ruleset_names.cache_clear()
