"""One run to look at, and what if from there."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sim.core.branch import Fork
from sim.core.luck import MOST_CONTINUATIONS
from sim.errors import SimError
from sim.replays.page import ENDINGS, source
from sim.replays.what_if import AGAIN
from sim.studio.address import Address
from sim.studio.answers import page_of_ours, while_waited_for
from sim.studio.crew import NOW
from sim.studio.fights import open_fight
from sim.studio.folder import Refused
from sim.studio.see import MOST_AGAIN, MOST_ROUND, MOST_RUN, PlayOn, Watch
from sim.studio.workbench import Workbench


@dataclass(frozen=True, slots=True)
class SeePages:
    """Runs to watch."""

    bench: Workbench

    async def see(self, request: Request) -> Response:
        """One run, move by move; with `round` and `continuation` as it might have gone on from there."""
        address, run = Address.of(request.url.query), _number(request, "run", 0, MOST_RUN)
        scenario = open_fight(address.variant, self.bench.folder).scenario
        this_run = f"{address.query}&{urlencode({'run': run})}"
        if "continuation" not in request.query_params:
            watch = Watch(scenario, address.seed, run, f"/fight?{address.query}", f"/what-if?{this_run}")
        else:
            first = _number(request, "round", 1, MOST_ROUND)
            fork = Fork(first, _number(request, "continuation", 0, MOST_CONTINUATIONS - 1))
            policy = request.query_params.get("policy", "")
            watch = Watch(scenario, address.seed, run, f"/see?{this_run}", fork=fork, then_policy=policy)
        page = await while_waited_for(request, self.bench.crew.do(watch, NOW))
        return page_of_ours(page, source("viewer.js"), connects=bool(watch.what_if))

    async def what_if(self, request: Request) -> Response:
        """How a run would have gone on from a round: sentences, and one continuation to watch."""
        address, run = Address.of(request.url.query), _number(request, "run", 0, MOST_RUN)
        first = _number(request, "round", 1, MOST_ROUND)
        again = _number(request, "again", 1, MOST_AGAIN, AGAIN)
        policy = request.query_params.get("policy", "")
        scenario = open_fight(address.variant, self.bench.folder).scenario
        try:
            play_on = PlayOn(scenario, address.seed, run, first, again, policy)
            found = await while_waited_for(request, self.bench.crew.do(play_on, NOW))
        except SimError as error:
            return JSONResponse({"sentences": str(error).splitlines()}, 422)
        fork = {"run": run, "round": first, "continuation": found.watch} | ({"policy": policy} if policy else {})
        end = ENDINGS.get(found.ends, "It ends").lower()
        watch = {"address": f"/see?{address.query}&{urlencode(fork)}", "words": f"Watch one of them, in which {end}"}
        return JSONResponse({"sentences": found.sentences(), "watch": watch})


def _number(request: Request, name: str, least: int, most: int, otherwise: int | None = None) -> int:
    """A whole number that a request must bring along."""
    text = request.query_params.get(name, "")
    if text == "" and otherwise is not None:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) <= 20 and least <= int(text) <= most):
        raise Refused(f"expected the number of a {name}, found {text!r}")
    return int(text)
