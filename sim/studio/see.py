"""One run, to look at."""

from __future__ import annotations

from dataclasses import dataclass

from sim.replays.replay import Telling, replay
from sim.scenario import Scenario
from sim.studio.pages import rendered
from sim.studio.tasks import Task

MOST_RUN = 2**53  # numbers of runs that a page can name


@dataclass(frozen=True, slots=True)
class Tell(Task[Telling]):
    """Play one run again, with somebody listening."""

    scenario: Scenario
    seed: int
    run: int

    def do(self) -> Telling:
        """What happened."""
        return replay(self.scenario, self.run, self.seed)


def page_of_a_run(telling: Telling, back: str) -> str:
    """The page on which a run is seen; `back` is the address of the fight."""
    return rendered("see.html.jinja", telling=telling, story="\n".join(telling.lines()), back=back)
