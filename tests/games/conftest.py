"""Coin Duel beside the built-in rulesets, for the tests of this folder."""

from __future__ import annotations

import pytest

from tests.games.registry import with_coin_duel

with_coins = pytest.fixture(autouse=True)(with_coin_duel)
