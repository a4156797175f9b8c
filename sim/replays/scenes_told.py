"""The scenes of an evening as they are told: with which event each begins, and how many rounds were played before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sim.core.telling import SCENE_BEGINS, Event


@dataclass(frozen=True, slots=True)
class SceneTold:
    """A scene of the run that is told."""

    event: int  # with which it begins
    number: int  # from 1
    of: int  # how many scenes the evening has
    name: str
    rounds_before: int  # of the scenes before it: its own rounds count on from there

    @property
    def words(self) -> str:
        """'scene 2 (the swarm)'."""
        return f"scene {self.number} ({self.name})"

    @property
    def title(self) -> str:
        """'Scene 2 of 5: the swarm'."""
        return f"Scene {self.number} of {self.of}: {self.name}"


def scenes_told(events: Sequence[Event]) -> list[SceneTold]:
    """Every scene that the party came to, in order; none for a fight."""
    return [
        SceneTold(place, int(facts["scene"]), int(facts["of"]), str(facts["name"]), event.round)
        for place, event in enumerate(events)
        if event.kind == SCENE_BEGINS and (facts := event.facts)
    ]


def scene_at(scenes: Sequence[SceneTold], event: int) -> SceneTold | None:
    """The scene to which an event belongs; None in a fight."""
    return next((scene for scene in reversed(scenes) if scene.event <= event), None)
