"""Policies of one's own: what is wrong with them, all at once."""

from __future__ import annotations

import pytest

from sim.errors import ScenarioError
from sim.scenario import from_dict, load


def test_every_mistake_of_every_policy_of_a_file_is_told_at_once() -> None:
    policies = {
        "mine": {"like": "focus_fire", "recicle": "never", "then": "focs_fire"},
        "unused": {"about": "nobody follows it", "action": [{"do": "engag"}]},
    }

    with pytest.raises(ScenarioError) as caught:
        from_dict(load("second_era/se_duel").data | {"policy": "mine", "policies": policies})

    told_of = {problem.key: problem.message for problem in caught.value.problems}
    assert "did you mean 'recycle'?" in told_of["policies.mine.recicle"]
    assert "did you mean 'focus_fire'?" in told_of["policies.mine.then"]
    assert "did you mean 'engage'?" in told_of["policies.unused.action[0].do"]
