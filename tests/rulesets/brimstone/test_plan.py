"""Policies, read and checked."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import ScenarioError
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.plan import read_plan


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"do": "treat"}, r"start\[0\].token: 'treat' needs a token, one of bandages, herbs"),
        ({"do": "treat", "token": "bandage"}, "unknown word 'bandage'; did you mean 'bandages'"),
        ({"do": "treat", "token": "herbs", "share": [1, 0]}, r"start\[0\].share: expected two whole numbers"),
        ({"do": "treat", "token": "herbs", "share": [3, 2]}, r"found \[3, 2\]"),
        ({"do": "treat", "token": "herbs", "share": [True, 2]}, r"found \[True, 2\]"),
        ({"do": "spice", "share": [1, 2]}, "share: unknown key"),
        ({"do": "attack"}, "'attack' belongs under 'action', not 'start'"),
        ({"do": "cigar"}, "unknown verb 'cigar'"),
    ],
)
def test_mistakes_in_start_lines_are_named(line: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_plan("told", {"told": {"start": [line]}})


@pytest.mark.parametrize(
    ("policy", "place"),
    [({"reroll": "health_left >= 3"}, r"told\.reroll"), ({"order": ["least their_range * grit"]}, r"told\.order\[0\]")],
)
def test_re_rolls_and_orders_can_only_ask_what_is_known_then(policy: dict[str, Any], place: str) -> None:
    with pytest.raises(ScenarioError, match=place):
        read_plan("told", {"told": policy})


def test_random_legal_has_no_start_lines_and_the_provider_has_eight() -> None:
    policies = data.table("policies.toml")

    assert [len(read_plan(name, policies).start) for name in policies] == [0, 0, 0, 0, 0, 8]
