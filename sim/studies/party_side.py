"""How the party of a fight plays: policies, and what can be changed of them in the game's own language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sim.core.policy import inherit, split_dial
from sim.errors import ScenarioError
from sim.scenario import Scenario
from sim.scenario.toml_writer import to_toml
from sim.scenario.wording import readable
from sim.studies.policy_changes import ABOUT, Change, Kind, Language, Policy, written

NAME = "improved"  # what the policy is called, where the fight has none of this name


@dataclass(frozen=True)
class PartySide:
    """The party of a fight."""

    base: Scenario
    language: Language
    policies: Mapping[str, Policy]  # to begin with, that of the fight among them; `like` worked in
    name: str = NAME
    sign = 1

    @classmethod
    def of(cls, base: Scenario) -> PartySide:
        """In the language of all policies that the game and the fight have."""
        known = known_policies(base)
        numbered = (NAME if number == 1 else f"{NAME}_{number}" for number in range(1, len(known) + 2))
        return cls(base, Language.of(known), known, next(name for name in numbered if name not in known))

    @property
    def now(self) -> str:
        """The policy of the fight, and how often it slips."""
        return self.base.policy

    @property
    def own_name(self) -> str:
        """The policy of the fight."""
        return split_dial(self.base.policy)[0]

    @property
    def own(self) -> Policy:
        """The policy of the fight."""
        return self._told(self.policies[self.own_name])

    @property
    def others(self) -> dict[str, Policy]:
        """All other policies, by what taking one is called."""
        return {
            f"plays as {readable(name)} does, not as {readable(self.own_name)}": self._told(policy)
            for name, policy in self.policies.items()
            if name != self.own_name
        }

    def changes(self, play: Policy) -> Mapping[Kind, Sequence[Change]]:
        """Every single change, by its kind."""
        return self.language.changes(play)

    def fight_of(self, play: Policy) -> Scenario | None:
        """The fight played so; None where the game refuses it. Who slips goes on slipping."""
        dial = self.base.policy.partition("@")[1:]
        try:
            return self.base.changed(values={f"policies.{self.name}": play}, policy=self.name + "".join(dial))
        except ScenarioError:
            return None

    def written(self, play: Policy) -> str:
        """As one text."""
        return written(play)

    def as_toml(self, play: Policy) -> str:
        """What to write into the file."""
        dial = "".join(self.base.policy.partition("@")[1:])
        tables = to_toml({"policies": {self.name: play}}).removeprefix("[policies]\n\n")  # a header of nothing
        return f'policy = "{self.name}{dial}"  # at the top of the file; the tables at its end\n\n{tables}'

    def _told(self, policy: Mapping[str, object]) -> Policy:
        return {ABOUT: f"found by fairfight improve, beginning with {self.own_name}"} | {
            key: value for key, value in policy.items() if key != ABOUT
        }


def known_policies(scenario: Scenario) -> dict[str, Policy]:
    """The policies of the game and of the fight, `like` worked in."""
    own = scenario.data.get("policies", {})
    full, _ = inherit(scenario.ruleset.read_table("policies.toml") | own)
    return {name: json.loads(json.dumps(policy)) for name, policy in full.items()}
