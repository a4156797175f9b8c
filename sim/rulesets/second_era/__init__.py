"""Second Era: hex battles with skill dice that cool down, against enemies that follow a fixed routine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.engine import Encounter
from sim.core.policy import Vocabulary, problems_of_each, read_each
from sim.core.ruleset import Coverage, Ruleset
from sim.errors import Problem, ScenarioError
from sim.rulesets.second_era import data
from sim.rulesets.second_era.build import build_creature, build_hero, party_xp, pool_points
from sim.rulesets.second_era.plan import Plan, read_plan
from sim.rulesets.second_era.schema import Companion, Enemy, SecondEraScenario


class SecondEra(Ruleset[SecondEraScenario]):
    """The ruleset object."""

    name = "second_era"
    title = "Second Era"
    about = "hex battles with skill dice that cool down, against enemies that follow a fixed routine"
    version = 1
    starter = "se_jailbreak"
    folder = data.FOLDER
    scenario_model = SecondEraScenario
    coverage = Coverage(
        modelled=(
            "Hex maps of tiles, range, sight by tile or by line, occupied hexes",
            "Enemy turns: destinations, routes, fallback, priority targeting, one roll for several targets",
            "Skill dice, forms, active slots, the cooldown track, fatigue and overfatigue",
            "All 27 enemy skills, the six statuses, reactions",
            "Companions, enemy pools, quest units, conquer and eliminate",
            "Racial and class abilities behind their switches",
        ),
        simplified=(
            "Choices of the party are by lot, or by a stated rule (party_choice)",
            "Guard, Purge and Shadow Cloak dice are spent by stated rules",
            "A retreat is counted as a loss, and apart as 'retreated'",
        ),
        not_modelled=(
            "Overland travel, delves, towns and campaigns between battles",
            "Item cards, weapons, armour, enchantments",
            "Skill lines and dice beyond the eleven, master sides of classes",
        ),
        house_figures=(
            "Most enemies and both companions; the enemy Combat die; the maps",
            "Archetypes, purchase lists and costs beyond cooldown",
            "How racial and class abilities are used",
        ),
    )

    @property
    def vocabulary(self) -> Vocabulary:
        """What policy lines can ask and do."""
        from sim.rulesets.second_era.player import VOCABULARY

        return VOCABULARY

    def plans(self, scenario: SecondEraScenario) -> list[Plan]:
        """Every adventurer's policy, read and checked; policies of the scenario's own go before the built-in ones."""
        policies = data.table("policies.toml") | scenario.policies

        def read(name: str, key: str) -> Plan:
            return read_plan(name, policies, self.vocabulary, key)

        return read_each([hero.policy for hero in scenario.heroes], scenario.policy, read)

    def problems(self, scenario: SecondEraScenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        from sim.rulesets.second_era.facts import RETREAT, make_facts

        found = []
        if not scenario.enemies and scenario.pool is None:
            found.append(Problem("enemies", "nobody to fight: add [[enemies]] or a [pool]"))
        marked = any(enemy.objective for enemy in scenario.enemies)
        quest = any(build_creature(enemy).level == "quest" for enemy in scenario.enemies)
        if scenario.objective == "eliminate" and not marked and not quest:
            found.append(Problem("objective", "'eliminate' needs an enemy marked as objective, or a quest unit"))
        for side, entries in (("companions", scenario.companions), ("enemies", scenario.enemies)):
            for number, entry in enumerate(entries):
                if entry.count > 1 and entry.hex is not None:
                    found.append(Problem(f"{side}[{number}].hex", "only one unit can stand on a hex; leave out count"))
        found += self.problems_with_tracks(scenario)
        retreat = scenario.switches.get("retreat", "never")
        if retreat != "never" and not RETREAT.fullmatch(str(retreat)):
            found.append(Problem("switches.retreat", f"expected 'never' or 'hp<k' such as 'hp<5', found {retreat!r}"))
        try:
            self.plans(scenario)
        except ScenarioError as error:
            found += error.problems
        if not found and not self.switchboard.problems(scenario.preset, scenario.switches):
            try:
                make_facts(scenario, self.switches(scenario))
            except ScenarioError as error:
                found += error.problems
        return found

    def policy_problems(self, policies: Mapping[str, Any]) -> list[Problem]:
        """Everything that is wrong with the scenario's own policies, used or not."""
        known = data.table("policies.toml") | dict(policies)
        return problems_of_each(policies, lambda name: read_plan(name, known, self.vocabulary))

    def problems_with_tracks(self, scenario: SecondEraScenario) -> list[Problem]:
        """Skill dice in a track must be among the adventurer's dice, and a status lies there once."""
        if self.switchboard.problems(scenario.preset, scenario.switches):
            return []  # without good switches nobody knows the XP of a part
        found = []
        xp = party_xp(scenario, self.switches(scenario))
        for number, entry in enumerate(scenario.heroes):
            hero = build_hero(entry, scenario.policy, xp)
            for code, left in enumerate(hero.available):
                if left < 0:
                    found.append(
                        Problem(f"heroes[{number}].track", f"holds more {data.DICE[code]} dice than the adventurer has")
                    )
            for status in data.STATUSES:
                if entry.track.count(status) > 1:
                    found.append(Problem(f"heroes[{number}].track", f"holds {status} twice"))
        return found

    def resolve(self, scenario: SecondEraScenario) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        switches = self.switches(scenario)
        xp = party_xp(scenario, switches)
        full = scenario.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
        full["level"] = xp
        full["map"] = scenario.map if isinstance(scenario.map, str) else full["map"]
        full["objective"], full["reward"] = scenario.objective, scenario.reward
        full["heroes"] = []
        for entry in scenario.heroes:
            hero = build_hero(entry, scenario.policy, xp)
            figures = {"class": hero.hero_class, "name": hero.name, "race": hero.race, "form": data.FORMS[hero.form]}
            numbers = ("health", "stamina", "magicka", "cooldown", "hp", "bonus_hp", "tenacity")
            own = {"policy": entry.policy} if entry.policy else {}
            place = {"hex": entry.hex} if entry.hex else {}
            tracked = {"track": entry.track} if entry.track else {}
            values = {key: getattr(hero, key) for key in numbers}
            full["heroes"].append({**figures, **own, **values, "dice": hero.dice, **tracked, **place})
        for side, entries in (("companions", scenario.companions), ("enemies", scenario.enemies)):
            if entries:
                full[side] = [self.creature(entry) for entry in entries]
        if scenario.pool is not None:
            points = xp * len(scenario.heroes) if scenario.pool.points is None else scenario.pool.points
            full["pool"] = {"points": points}
        return full

    def as_played(self, scenario: SecondEraScenario) -> dict[str, Any]:
        """The same with the enemy points that are spent, after `ep_mult`."""
        full = self.resolve(scenario)
        if "pool" in full:
            switches = self.switches(scenario)
            full["pool"] = {"points": pool_points(full["pool"]["points"], switches["ep_mult"])}
        return full

    def creature(self, entry: Companion | Enemy) -> dict[str, Any]:
        """A companion or an enemy with every number written out."""
        facts = build_creature(entry)
        figures: dict[str, Any] = {"type": entry.type, "name": facts.name, "count": entry.count}
        if isinstance(entry, Enemy):
            figures |= {"level": facts.level, "priority": facts.priority}
            figures |= {"objective": True} if entry.objective else {}
        figures |= {key: getattr(facts, key) for key in ("health", "hp", "range", "combat", "defense")}
        figures["targets"] = "all" if facts.targets == data.ALL_TARGETS else facts.targets
        figures["skills"] = [f"{name} {n}" if name in data.NUMBERED else name for name, n in facts.skills.items()]
        figures |= {"statuses": list(entry.statuses)} if entry.statuses else {}
        figures |= {"hex": entry.hex} if entry.hex else {}
        return figures

    def compile(self, scenario: SecondEraScenario) -> Encounter[Any]:
        """The battle ready to be played."""
        from sim.rulesets.second_era.encounter import SecondEraEncounter

        switches = self.switches(scenario)
        return SecondEraEncounter(scenario, switches, self.plans(scenario))


RULESET = SecondEra()
