"""P52: a deck of cards instead of dice, on a board of spots, with enemies that follow a fixed list."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.luck import Luck
from sim.core.policy import Vocabulary
from sim.core.ruleset import NO_CHANGES, Coverage, Ruleset, Thing
from sim.core.starts import Start
from sim.core.telling import Scene
from sim.errors import Problem
from sim.rulesets.p52 import checks, classes, data, evening, monsters
from sim.rulesets.p52.build import build_heroes
from sim.rulesets.p52.encounter import P52Encounter
from sim.rulesets.p52.plan import plan_problems
from sim.rulesets.p52.remarks import remarks
from sim.rulesets.p52.resolve import as_played, resolved
from sim.rulesets.p52.schema import P52Scenario, encounters_of
from sim.rulesets.p52.starts import starts
from sim.rulesets.p52.things import all_things
from sim.rulesets.p52.vocabulary import VOCABULARY


class P52(Ruleset[P52Scenario]):
    """The ruleset object."""

    name = "p52"
    title = "P52"
    about = "a deck of cards instead of dice, on a board, with enemies that follow a fixed list"
    version = 1
    starter = "great-room"
    against_draws = "Weak enemies that flee for ever are ended by a flee limit (the switch flee limit)."
    folder = data.FOLDER
    scenario_model = P52Scenario
    monster_model = monsters.Monster
    monster_needs = monsters.NEEDS
    class_model = classes.HeroClass
    class_needs = classes.NEEDS
    party_keys = ("heroes", "level", "policy", "policies", "classes")
    enemies_by_lot = ("enemy_deck",)
    place_key = "spot"
    coverage = Coverage(
        modelled=(
            "The 52-card deck shared by flips and stamina piles, reshuffled when it runs low",
            "Boards with holes, obstructed, hidden and trap spots; line of sight, wading, passing attacks",
            "The enemy decision list of both drafts: flee, recover, attack, advance, idle",
            "All twelve enemies, the Apprentice, Calico and the Warlock, minor bosses of the draft",
            "Enemies and hero classes of one's own, made of the same parts",
            "Every listed ability, defence and item; counter attacks up to three in a chain; stun and death",
            "Standard heroes of five classes at any level; gauntlets and adventures with rests between the fights",
        ),
        simplified=(
            "All spots are revealed and lit",
            "Drops and core gains are counted and not applied; levels stay fixed in a gauntlet",
            "Nobody changes gear in a fight; a thrown knife is picked up by walking onto it",
        ),
        not_modelled=(
            "Room generation, light, chests, locks, trading, quests and quirks",
            "Waiting in the order of play, and the abilities and items listed as out of scope in the rules",
        ),
        house_figures=(
            "Growth, ability choices and gear of the standard heroes",
            "Ranges of the draft's enemies, extra King damage of the draft, the Warlock's healing",
            "Round cap, reshuffle threshold, ties by lot",
        ),
    )

    @property
    def vocabulary(self) -> Vocabulary:
        """What policy lines can ask and do."""
        return VOCABULARY

    @property
    def things(self) -> Mapping[str, Mapping[str, Thing]]:
        """Enemies, classes, and what can be combined in an enemy of one's own."""
        return all_things()

    def own_monsters(self) -> Mapping[str, dict[str, Any]]:
        """The enemies of both data sets, those of the draft's cards under "mountain J hearts" and the like."""
        return monsters.cards_of("calico")

    def own_classes(self) -> Mapping[str, dict[str, Any]]:
        """The classes of the current scenario; with the data set `mountain` the same names are those of the draft."""
        return data.of_set("calico", "classes")

    def problems(self, scenario: P52Scenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        return checks.problems(scenario, self.switches(scenario))

    def remarks(self, scenario: P52Scenario) -> list[str]:
        """What of it is not played as it is written."""
        return remarks(scenario, self.switches(scenario))

    def policy_problems(self, policies: Mapping[str, Any]) -> list[Problem]:
        """Everything that is wrong with the scenario's own policies, used or not."""
        return plan_problems(policies)

    def resolve(self, scenario: P52Scenario) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        return resolved(scenario, self.switches(scenario))

    def as_played(self, scenario: P52Scenario) -> dict[str, Any]:
        """The same with the level put into the enemies' formulas."""
        return as_played(scenario, self.switches(scenario))

    def enemy_choices(self, scenario: P52Scenario) -> Mapping[str, tuple[Any, ...]]:
        """P52-E6: whom each of them attacks first."""
        return {
            f"{f'encounters[{room}].' if scenario.encounters else ''}enemies[{number}].target_order": monsters.ORDERS
            for room, part in enumerate(encounters_of(scenario))
            for number in range(len(part.enemies))
        }

    def compile(self, scenario: P52Scenario) -> P52Encounter:
        """The fight ready to be played; remembered, as rests of an evening ask for its first fight again."""
        return _compiled(scenario.model_dump_json(by_alias=True, exclude_none=True))

    def rest(
        self, scenario: P52Scenario, party: Carried, kind: str, luck: Luck, changed: Mapping[str, int] = NO_CHANGES
    ) -> Carried:
        """P52-V2: the party after a rest in a space, or a night."""
        return self.compile(scenario).rested(party, kind, luck, self.house(changed))

    def xp_of_heroes(self, scenario: P52Scenario, party: Carried, xp: NDArray[Any]) -> NDArray[Any]:
        """P52-V5: each hero has its own; the dead gain no levels."""
        return np.where(party["hp"] >= 0, party["xp"], 0)

    def level_costs(self, scenario: P52Scenario, changed: Mapping[str, int] = NO_CHANGES) -> list[int | None]:
        """P52-D5, P52-V5: what the next level costs."""
        return evening.level_costs(build_heroes(scenario, self.switches(scenario)), self.house(changed))

    def one_level_up(self, table: dict[str, Any], changed: Mapping[str, int] = NO_CHANGES) -> dict[str, Any] | None:
        """P52-V3: the heroes of a scenario's table one level higher; as it is where they cannot be built."""
        keys = (*self.party_keys, "preset", "switches")
        said = {key: table[key] for key in keys if key in table}
        try:
            whole = {"policy": "", **said, "ruleset": self.name, "title": "a party", "board": "one"}
            party = P52Scenario.model_validate_json(json.dumps(whole))
            return evening.one_level_up(table, party, self.switches(party))
        except (KeyError, ValueError):
            return table  # what is wrong with them is told by the checks

    def grown(self, before: P52Scenario, after: P52Scenario, party: Carried) -> Carried:
        """P52-V3: what a level adds to what is carried."""
        old, new = (build_heroes(scenario, self.switches(scenario)) for scenario in (before, after))
        return evening.grown(old, new, party)

    def condition(self, scenario: P52Scenario, party: Carried) -> dict[str, NDArray[Any]]:
        """P52-V4: what a scene can ask of a party."""
        return evening.condition(build_heroes(scenario, self.switches(scenario)), party)

    def room_alone(self, scenario: P52Scenario, room: int) -> dict[str, Any] | None:
        """P52-X5: a gauntlet of one encounter."""
        part = scenario.encounters[room].model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"encounters": [part]}

    def starts(self, scenario: P52Scenario, opening: Scene, room: int) -> list[Start]:
        """Which key of a file says where each token begins."""
        return starts(scenario, opening, room)


RULESET = P52()


@lru_cache(maxsize=32)
def _compiled(content: str) -> P52Encounter:
    """A fight by what it says."""
    scenario = P52Scenario.model_validate_json(content)
    return P52Encounter(scenario, RULESET.switches(scenario))
