"""What a simulation yields: numbers with intervals, tables, warnings, and a report.

result = sim.run("overhill/playtest-1", runs=20_000, seed=7)
result.summary()                    # headline numbers, a pandas frame
result.runs, result.units           # the tables of the single runs
result.abilities                    # what each unit did with what it can do
result.report("reports/playtest-1")
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.evening import Evening
from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.core.version import VERSION
from sim.errors import SimError
from sim.results import report_hook, tables, verdict
from sim.results import scenes as evenings
from sim.results.adjusted import Adjusted
from sim.results.best_known import best_known
from sim.results.rooms import Room, rooms_of
from sim.results.scenes import SceneResult
from sim.results.statistics import CONFIDENCE, Estimate, mean, rate, ratio
from sim.results.summary import ENCOUNTERS, FIGHTS, Summary
from sim.results.verdict import Caution
from sim.scenario.changes import command_for
from sim.storage.json_text import json_text, json_values

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from rich.console import Console

    from sim.scenario import Scenario

SCHEMA = 1  # of `to_json` and of the manifest; raised when a field changes its meaning or goes away

# What a number can be taken of: all fights, or only those that ended so.
WHEN: dict[str, tuple[Outcome, ...]] = {
    "all": FIGHTS,
    "win": (Outcome.WIN,),
    "loss": (Outcome.LOSS,),
    "draw": (Outcome.DRAW,),
}


@dataclass(frozen=True, slots=True)
class Provenance:
    """How the runs were played."""

    seed: int
    asked_runs: int | None  # None: to a precision
    precision: float | None  # percentage points; None: a fixed number of runs
    reached: bool  # whether the number or the precision was reached
    stopped: bool  # by the user
    jobs: int  # processes
    started: str  # date and time, UTC
    elapsed_s: float
    peak_memory_bytes: dict[str, int]
    command: str | None
    resumed_runs: int = 0  # runs that were in the folder already


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a result."""

    measure: str
    who: str  # a unit, or "unit: ability"; empty for the fight as a whole
    when: str  # a key of WHEN
    estimate: Estimate
    unit: str  # of measurement


class Result:
    """The runs of one scenario, summed up."""

    def __init__(
        self,
        scenario: Scenario,
        cast: Cast,
        sums: Summary,
        provenance: Provenance,
        kept: list[Outcomes] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.scenario = scenario
        self.cast = cast
        self.sums = sums
        self.provenance = provenance
        self.folder = folder  # holds the tables of the single runs, if they were written
        self.kept = kept  # the tables of the single runs, if they are held in memory
        self.tells_why = True  # whether its page says what decides the fight, for which more is played

    def __repr__(self) -> str:
        return f"<Result of {verdict.counted(self.runs_played, 'run')} of {self.scenario.name}: {self.verdict}>"

    # ------------------------------------------------------------------------------------------------------- numbers

    @property
    def runs_played(self) -> int:
        """How many runs there are."""
        return self.sums.runs

    @property
    def win_rate(self) -> Estimate:
        """Wins among the encounters, empty ones left out."""
        return self.outcome_rate(Outcome.WIN)

    @property
    def adjusted(self) -> Adjusted | None:
        """The win rate with the known luck taken out; None where no account was kept of it, or it did not help."""
        return self.sums.adjusted

    def outcome_rate(self, outcome: Outcome) -> Estimate:
        """How often an encounter ends so, empty ones left out."""
        return rate(self.sums.ended(outcome), self.sums.encounters)

    def ending(self, of: str, when: str = "all") -> Estimate:
        """The mean of `rounds` or `party_hp` at the end."""
        return mean(*self.sums.endings.sums(of, WHEN[when]))

    def nobody_down(self, when: str = "all") -> Estimate:
        """How often no hero goes down in a fight."""
        fallen = self.sums.fallen[:, list(WHEN[when])].sum(axis=1)  # (heroes + 1,)
        return rate(int(fallen[0]), int(fallen.sum()))

    def heroes_down(self, when: str = "all") -> Estimate:
        """How many heroes go down in a fight."""
        fallen = self.sums.fallen[:, list(WHEN[when])].sum(axis=1).tolist()
        total = sum(heroes * runs for heroes, runs in enumerate(fallen))
        return mean(sum(fallen), total, sum(heroes**2 * runs for heroes, runs in enumerate(fallen)))

    def count(self, name: str, when: str = "all") -> Estimate:
        """The mean of `xp` or of another count of the game."""
        row = ["xp", *self.cast.counts].index(name)
        return mean(self.sums.ended(*WHEN[when]), *self._both(self.sums.counts, row, when))

    def met_rate(self, what: int) -> Estimate:
        """How often chance brings something into an encounter; `what` is its place in `Cast.met`."""
        return rate(int(self.sums.met[what, list(ENCOUNTERS)].sum()), self.sums.encounters)

    def wins_by_met(self, what: int) -> tuple[Estimate, Estimate]:
        """The win rate of the encounters into which chance brought something, and that of all others."""
        won, there = int(self.sums.met[what, Outcome.WIN]), int(self.sums.met[what, list(ENCOUNTERS)].sum())
        wins, all_of_them = self.sums.ended(Outcome.WIN), self.sums.encounters
        return rate(won, there), rate(wins - won, all_of_them - there)

    @property
    def rooms(self) -> list[Room]:
        """How it went in each room of a gauntlet; empty for a fight in one place."""
        return rooms_of(self.sums, self.cast)

    @property
    def in_scenes(self) -> bool:
        """Whether this is an evening of several scenes, and not one fight."""
        return bool(self.cast.kinds)

    @cached_property
    def scenes(self) -> list[SceneResult]:
        """How it went in each scene of an adventure, or room of a gauntlet; empty for a fight in one place.

        How an adventure goes with a fresh party, and without a scene, is played now, on the first runs.
        """
        found = evenings.scenes_of(self.sums, self.cast)
        evening, seed, runs = self.scenario.encounter(), self.provenance.seed, self.runs_played
        if not isinstance(evening, Evening):
            alone = evenings.fresh_in_rooms(self.scenario, self.cast, seed, runs)
            return [replace(scene, fresh=fresh) for scene, fresh in zip(found, alone, strict=True)]
        fresh = evenings.fresh_rates(evening, seed, runs, found)
        without = self._without[1]
        pairs = zip(found, fresh, without, strict=True)
        return [replace(scene, fresh=alone, without=others) for scene, alone, others in pairs]

    @cached_property
    def _without(self) -> tuple[Estimate | None, list[Estimate | None]]:
        evening = self.scenario.encounter()
        assert isinstance(evening, Evening)
        return evenings.rates_without(evening, self.provenance.seed, self.runs_played)

    @property
    def costliest(self) -> str:
        """One sentence: the scene of an adventure that costs most; empty for anything else."""
        return evenings.costliest(self.scenes, self._without[0]) if self.in_scenes else ""

    def unit_mean(self, name: str, unit: int, when: str = "all") -> Estimate:
        """The mean of one of UNIT_SUMS over the fights in which the unit took part."""
        return mean(self.appearances(unit, when), *self._both(self.sums.unit_sums(name), unit, when))

    def appearances(self, unit: int, when: str = "all") -> int:
        """In how many fights the unit took part."""
        return int(self.sums.present[unit, list(WHEN[when])].sum())

    def down_rate(self, unit: int, when: str = "all") -> Estimate:
        """How often the unit goes down at least once in a fight it takes part in."""
        return rate(int(self.sums.down[unit, list(WHEN[when])].sum()), self.appearances(unit, when))

    def death_rate(self, unit: int, when: str = "all") -> Estimate:
        """How often the unit is dead at the end of a fight it took part in."""
        return rate(int(self.sums.dead[unit, list(WHEN[when])].sum()), self.appearances(unit, when))

    def ability_mean(self, name: str, ability: int, when: str = "all") -> Estimate:
        """The mean per fight of one of ABILITY_SUMS, over the fights in which the unit took part."""
        unit = self.cast.abilities[ability].unit
        return mean(self.appearances(unit, when), *self._both(self.sums.ability_sums(name), ability, when))

    def used_rate(self, ability: int, when: str = "all") -> Estimate:
        """How often the ability is used at all in a fight its unit takes part in."""
        unit = self.cast.abilities[ability].unit
        return rate(int(self.sums.used[ability, list(WHEN[when])].sum()), self.appearances(unit, when))

    def per_use(self, name: str, ability: int, when: str = "all") -> Estimate:
        """`hits` or `damage` per use of an ability."""
        products = self.sums.hits_times_uses if name == "hits" else self.sums.damage_times_uses
        total, squares = self._both(self.sums.ability_sums(name), ability, when)
        uses, uses_squares = self._both(self.sums.ability_sums("uses"), ability, when)
        unit = self.cast.abilities[ability].unit
        together = int(products[ability, list(WHEN[when])].sum())
        return ratio(self.appearances(unit, when), total, uses, squares, uses_squares, together)

    @staticmethod
    def _both(sums: Any, row: int, when: str) -> tuple[int, int]:
        columns = list(WHEN[when])
        return int(sums.total[row, columns].sum()), int(sums.squares[row, columns].sum())

    def survival(self, unit: int) -> list[Estimate]:
        """How often the unit has not gone down by the end of round 0, 1, 2 ... of a fight; one value per round."""
        n = self.appearances(unit)
        longest, counted = int(self.sums.endings.rounds.max(initial=0)), self.sums.fell.shape[1]
        fell = np.zeros(max(longest + 1, counted), dtype=np.int64)  # (rounds,)
        fell[:counted] = self.sums.fell[unit]
        return [rate(n - int(so_far), n) for so_far in np.cumsum(fell)]

    # --------------------------------------------------------------------------------------------------- in words

    @cached_property
    def verdict(self) -> str:
        """One sentence: how often the party wins, loses and draws, and what that means; a second one on many draws."""
        why = verdict.why_undecided(self.sums, self.cast, self.scenario.ruleset.against_draws)
        return " ".join(filter(None, [verdict.headline(self.sums, evening=self.in_scenes), why]))

    @cached_property
    def luck_taken_out(self) -> str:
        """One sentence: the win rate with the known luck taken out; empty where there is none."""
        return "" if self.adjusted is None else verdict.adjusted(self.adjusted)

    @cached_property
    def better_play(self) -> str:
        """One sentence: what `improve` has found for this fight, if its answer lies beside the folder of the result."""
        known = None if self.folder is None else best_known(self.scenario.digest, self.folder)
        return "" if known is None else known.sentence

    @cached_property
    def price(self) -> str:
        """One sentence: how long a fight takes and what it costs the party."""
        return verdict.price(self.sums, self.cast)

    @cached_property
    def warnings(self) -> list[Caution]:
        """What looks off; read before trusting the numbers."""
        remarks = self.scenario.ruleset.remarks(self.scenario.model)
        found = [Caution("not_as_written", remark) for remark in remarks] + verdict.cautions(self.sums, self.cast)
        wanted, played = self.provenance.precision, verdict.counted(self.runs_played, "run")
        if self.provenance.stopped:
            found.insert(0, Caution("stopped", f"Stopped by the user after {played}."))
        elif wanted is not None and not self.provenance.reached and self.sums.encounters:
            found.insert(
                0,
                Caution(
                    "precision",
                    f"The win rate is known to ±{100 * self._best_margin:.2f} points, not to ±{wanted:g}: "
                    f"{self.runs_played:,} runs were the limit.",
                ),
            )
        return found

    @property
    def _best_margin(self) -> float:
        return (self.win_rate if self.adjusted is None else self.adjusted.rate).margin

    @cached_property
    def picks(self) -> dict[str, int]:
        """The numbers of the runs worth looking at: median, best, worst, loss, draw, closest."""
        return self.sums.picks()

    @property
    def command(self) -> str:
        """What to type to get this result again: on the command line, or in Python for a fight that has no file."""
        if self.provenance.command:
            return self.provenance.command
        return self._command("run", "runs", self.runs_played)

    def replay_command(self, run: int) -> str:
        """What to type to see a run move by move."""
        return self._command("replay", "run", run)

    def _command(self, what: str, option: str, number: int) -> str:
        return command_for(self.scenario, what, option, number, self.provenance.seed)

    # ------------------------------------------------------------------------------------------------------ tables

    def numbers(self) -> Iterator[Number]:
        """Every number with its interval, the fight as a whole first."""
        for outcome in Outcome:
            if outcome is not Outcome.EMPTY and (outcome is not Outcome.TURNED_BACK or self.cast.kinds):
                name = f"{outcome.name.lower()}_rate"
                yield Number(name, "", "all", self.outcome_rate(outcome), "share of encounters")
        for when in WHEN:
            yield Number("rounds", "", when, self.ending("rounds", when), "rounds")
            yield Number("party_hp", "", when, self.ending("party_hp", when), "hit points")
            yield Number("heroes_down", "", when, self.heroes_down(when), "heroes")
            yield Number("nobody_down", "", when, self.nobody_down(when), "share of fights")
            for name in ("xp", *self.cast.plain_counts):
                yield Number(name, "", when, self.count(name, when), "per fight")
        for room in self.rooms:
            yield Number("room_reached_rate", room.name, "all", room.reached, "share of encounters")
            yield Number("room_won_rate", room.name, "all", room.won, "share of those who came there")
            yield Number("room_rounds", room.name, "all", room.rounds, "rounds")
            yield Number("room_party_hp", room.name, "win", room.hp, "hit points")
        for row, unit in enumerate(self.cast.units):
            for when in WHEN:
                yield Number("down_rate", unit.name, when, self.down_rate(row, when), "share of fights")
                yield Number("death_rate", unit.name, when, self.death_rate(row, when), "share of fights")
                yield Number("hp", unit.name, when, self.unit_mean("hp", row, when), "hit points")
                for name in ("damage_dealt", "damage_taken", "healing", "kills", "downs"):
                    yield Number(name, unit.name, when, self.unit_mean(name, row, when), "per fight")
        for row, ability in enumerate(self.cast.abilities):
            who = f"{self.cast.units[ability.unit].name}: {ability.name}"
            for when in WHEN:
                yield Number("used_rate", who, when, self.used_rate(row, when), "share of fights")
                for name in ("uses", "hits", "damage"):
                    yield Number(name, who, when, self.ability_mean(name, row, when), "per fight")
                for name in ("hits", "damage"):
                    yield Number(f"{name}_per_use", who, when, self.per_use(name, row, when), "per use")

    def summary(self, everything: bool = False) -> pd.DataFrame:
        """The headline numbers, one per row: measure, who, when, value, low, high, unit, n, why.

        `why` says why there is no interval where there is none. With `everything` also those of each unit and ability.
        """
        import pandas as pd

        rows = [
            {"measure": number.measure, "who": number.who, "when": number.when}
            | {name: getattr(number.estimate, name) for name in ("value", "low", "high")}
            | {"unit": number.unit, "n": number.estimate.n, "why": number.estimate.why}
            for number in self.numbers()
            if everything or not number.who
        ]
        return pd.DataFrame(rows)

    @property
    def runs(self) -> pd.DataFrame:
        """One row per run: outcome, rounds, hit points left, heroes down and dead, and what else the game counts."""
        return self._table(tables.RUNS_FILE, tables.run_columns)

    @property
    def units(self) -> pd.DataFrame:
        """One row per run and unit that took part: damage dealt and taken, healing, kills, downs, hit points left."""
        return self._table(tables.UNITS_FILE, tables.unit_columns)

    def _table(self, file: str, columns: Any) -> pd.DataFrame:
        if self.kept is not None:
            self.kept = [tables.joined(self.kept)]
            return tables.frame(*columns(self.kept[0], self.cast))
        if self.folder is not None and (self.folder / file).exists():
            import pandas as pd

            return pd.read_parquet(self.folder / file)
        raise SimError(
            f"This result holds the sums of {self.runs_played:,} runs, not the single runs. "
            "Ask for them with sim.run(..., keep='runs'), or with out='FOLDER' to have them on disk."
        )

    @property
    def abilities(self) -> pd.DataFrame:
        """One row per unit, ability and kind of ending: uses, hits and damage as sums and as means with intervals."""
        import pandas as pd

        return pd.DataFrame(list(self._ability_rows(tuple(WHEN))))

    def _ability_rows(self, whens: Sequence[str]) -> Iterator[dict[str, Any]]:
        for row, ability in enumerate(self.cast.abilities):
            unit = self.cast.units[ability.unit]
            for when in whens:
                facts: dict[str, Any] = {"unit": unit.name, "side": unit.side, "ability": ability.name, "when": when}
                facts["fights"] = self.appearances(ability.unit, when)
                facts["fights_used"] = int(self.sums.used[row, list(WHEN[when])].sum())
                for name in ("uses", "hits", "damage"):
                    facts[name] = self._both(self.sums.ability_sums(name), row, when)[0]
                    facts |= _ends(f"{name}_mean", self.ability_mean(name, row, when))
                for name in ("hits", "damage"):
                    facts |= _ends(f"{name}_per_use", self.per_use(name, row, when))
                yield facts

    def print(self, console: Console | None = None, *, everything: bool = False, where: str = "") -> None:
        """The verdict, the warnings and the few tables that matter, or all; `where` says where the rest is."""
        report_hook.print_result(self, console, everything, where)

    def plot(self, what: str | None = None) -> Axes | list[Axes]:
        """A figure of the report, for a notebook: its axes, or a list of them where the figure has several.

        Args:
            what: outcome (if not given), rounds, party_hp, damage, abilities or survival.
        """
        return report_hook.plot_result(self, what)

    # ------------------------------------------------------------------------------------------------------ for files

    @property
    def manifest(self) -> dict[str, Any]:
        """Everything needed to play it again, and how it went."""
        return {
            "schema": SCHEMA,
            "scenario": self.scenario.name,
            "digest": self.scenario.digest,
            "ruleset": self.scenario.ruleset.name,
            "ruleset_version": self.scenario.ruleset.version,
            "runs": self.runs_played,
            **asdict(self.provenance),
            "runs_per_s": self.runs_per_s,
            "command_again": self.command,
            "versions": versions(),
            "resolved": self.scenario.resolved(),
        }

    @property
    def runs_per_s(self) -> float:
        """Runs played in a second, everything included; those that were there already do not count."""
        return (self.runs_played - self.provenance.resumed_runs) / max(self.provenance.elapsed_s, 1e-9)

    def to_markdown(self) -> str:
        """The verdict and how it ends, for a forum or a pull request."""
        return report_hook.result_markdown(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values: what `--json` prints."""
        scenario = self.scenario
        return {
            "schema": SCHEMA,
            "scenario": scenario.name,
            "title": scenario.title,
            "digest": scenario.digest,
            "ruleset": scenario.ruleset.name,
            "ruleset_version": scenario.ruleset.version,
            "preset": scenario.preset,
            "policy": scenario.policy,
            "switches": dict(scenario.settings),
            "runs": self.runs_played,
            "seed": self.provenance.seed,
            "precision": self.provenance.precision,
            "precision_reached": self.provenance.reached,
            "confidence": CONFIDENCE,
            "wins": self.sums.ended(Outcome.WIN),
            "losses": self.sums.ended(Outcome.LOSS),
            "draws": self.sums.ended(Outcome.DRAW),
            "avoided": self.sums.ended(Outcome.AVOIDED),
            "empty": self.sums.ended(Outcome.EMPTY),
            **({"turned_back": self.sums.ended(Outcome.TURNED_BACK)} if self.cast.kinds else {}),
            "encounters": self.sums.encounters,
            "verdict": self.verdict,
            **_ends("win_rate", self.win_rate),
            **self._adjusted_facts(),
            **_ends("loss_rate", self.outcome_rate(Outcome.LOSS)),
            **_ends("draw_rate", self.outcome_rate(Outcome.DRAW)),
            **_ends("rounds_mean", self.ending("rounds")),
            **_ends("party_hp_mean", self.ending("party_hp")),
            **_ends("nobody_down_rate", self.nobody_down()),
            "counts": {name: _ends("mean", self.count(name)) for name in ("xp", *self.cast.plain_counts)},
            **({"met": self._met_facts()} if self.cast.met else {}),
            "rooms": [
                {
                    "name": room.name,
                    **_ends("reached_rate", room.reached),
                    **_ends("won_rate", room.won),
                    **_ends("rounds_mean", room.rounds),
                    **_ends("party_hp_mean", room.hp),
                }
                for room in self.rooms
            ],
            **({"scenes": self._scene_facts()} if self.cast.rooms else {}),
            "units": [self._unit_facts(row) for row in range(len(self.cast.units))],
            "abilities": [
                {key: value for key, value in facts.items() if key != "when"} for facts in self._ability_rows(["all"])
            ],
            "by_outcome": {
                when: {
                    "fights": self.sums.ended(*WHEN[when]),
                    **_ends("rounds_mean", self.ending("rounds", when)),
                    **_ends("party_hp_mean", self.ending("party_hp", when)),
                    "units": [self._unit_facts(row, when) for row in range(len(self.cast.units))],
                }
                for when in ("win", "loss", "draw")
            },
            "picks": self.picks,
            "warnings": [asdict(caution) for caution in self.warnings],
            "elapsed_s": self.provenance.elapsed_s,
            "runs_per_s": self.runs_per_s,
        }

    def _scene_facts(self) -> list[dict[str, Any]]:
        """The scenes of an adventure, or the rooms of a gauntlet, for scripts."""
        return [
            {
                "scene": scene.number,
                "name": scene.name,
                "kind": scene.kind,
                "reached": scene.reached.value,
                **_ends("through", scene.through),
                "fresh": None if scene.fresh is None else scene.fresh.value,
                "hp_left": scene.hp_left.value if scene.hp_left.known else None,
                "rounds": scene.rounds.value if scene.rounds.known else None,
                "lost": scene.lost,
                "drawn": scene.drawn,
                "turned_back": scene.turned_back,
                "missing": {name: away.value if away.known else None for name, away in scene.missing.items()},
                "left": {name: left.value if left.known else None for name, left in scene.left.items()},
                "without": None if scene.without is None else scene.without.value,
            }
            for scene in self.scenes
        ]

    def _adjusted_facts(self) -> dict[str, float | None]:
        """The win rate with the known luck taken out, and how many times its variance is smaller; null without one."""
        if self.adjusted is None:
            names = ("win_rate_adjusted", "win_rate_adjusted_low", "win_rate_adjusted_high", "adjusted_gain")
            return dict.fromkeys(names)
        return {**_ends("win_rate_adjusted", self.adjusted.rate), "adjusted_gain": self.adjusted.gain}

    def _met_facts(self) -> dict[str, Any]:
        """By what chance brings: how often, and the win rates with and without it."""
        facts = {}
        for what, name in enumerate(self.cast.met):
            there, apart = self.wins_by_met(what)
            share = _ends("share", self.met_rate(what))
            facts[name] = share | _ends("win_rate", there) | _ends("win_rate_without", apart)
        return facts

    def _unit_facts(self, row: int, when: str = "all") -> dict[str, Any]:
        unit = self.cast.units[row]
        facts: dict[str, Any] = {"name": unit.name, "side": unit.side, "kind": unit.kind}
        facts["fights"] = self.appearances(row, when)
        for name in ("damage_dealt", "damage_taken", "healing", "kills", "hp"):
            facts |= _ends(f"{name}_mean", self.unit_mean(name, row, when))
        facts |= _ends("down_rate", self.down_rate(row, when))
        facts |= _ends("death_rate", self.death_rate(row, when))
        return facts

    def to_json(self) -> str:
        """The result as one JSON object."""
        return json_text(self.to_dict())

    def write(self, folder: str | Path) -> Path:
        """Everything into a folder: tables, manifest and report. Returns the report's path."""
        return report_hook.write_result(self, Path(folder))

    def report(self, path: str | Path) -> Path:
        """The report: one HTML file if the path ends in .html, else a folder with everything in it."""
        path = Path(path)
        return report_hook.write_page(self, path) if path.suffix == ".html" else self.write(path)


def versions() -> dict[str, str]:
    """The versions of everything that could change a digit."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version(), "system": platform.platform()}
    found["fairfight"] = VERSION
    for package in ("numpy", "joblib", "pandas", "pyarrow", "matplotlib"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _ends(name: str, estimate: Estimate) -> dict[str, float | None]:
    """`name`, `name_low`, `name_high`."""
    ends: dict[str, float | None] = json_values(
        {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
    )
    return ends
