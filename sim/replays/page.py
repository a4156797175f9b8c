"""A fight to watch: one self-contained page, or a part of a larger one.

Everything that can be said and drawn without a script stands in the page itself: the story with its dice and cards, the
table as it stood at the beginning. The script only moves it. No request leaves the page, its script is allowed by its
digest and no other, and whatever a scenario says is escaped by Jinja or stays text in JSON.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from sim.core.telling import ROUND_ENDS, START, Event, Roll
from sim.replays import drawing
from sim.replays.curves import Curve, across, chance_curve, health_curve
from sim.replays.fortune import fortune_in_words
from sim.replays.frames import Frames, frames_of, health
from sim.replays.scenes_told import SceneTold, scene_at, scenes_told
from sim.replays.sentences import lower_first
from sim.replays.turning_points import TurningPoint
from sim.replays.what_if import AGAIN, fork_words, policies_of
from sim.results.verdict import counted, percent
from sim.scenario.changes import command_for
from sim.scenario.wording import readable

if TYPE_CHECKING:
    import jinja2

    from sim.replays.replay import Telling

FILES = Path(__file__).parent / "viewer"
GENERATOR = "Fairfight replay"  # by which a page is known to be ours
NOTEBOOK_HEIGHT = 900  # pixels
LARGEST_SCALE = 1.7  # pixels to a length of the drawing
ENDINGS = {
    "win": "The party wins",
    "loss": "The party loses",
    "draw": "Nobody wins",
    "turned_back": "The party turns back",
}


def page_of(telling: Telling, back: str = "", what_if: str = "") -> str:
    """The whole page; `back` is the address of a page that led to it, `what_if` one that plays on from a round."""
    script = source("viewer.js")
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            telling=telling,
            back=back,
            game=telling.fight.ruleset.title if telling.fight else readable(telling.ruleset),
            policy=readable(telling.policy),
            generator=GENERATOR,
            outcome=telling.outcome,
            verdict=f"{verdict(telling)}.",
            command=_command(telling),
            other=fork_words(telling.fork, telling.then_policy, telling.forks_at) if telling.fork else "",
            connects=bool(what_if),
            fight=fight_of(telling, what_if),
            style=Markup(source("viewer.css")),
            script=Markup(script),
            script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )


def in_a_notebook(telling: Telling, page: str) -> str:
    """The page in a frame of its own, so that its style and keys leave the notebook alone."""
    name = escape(f"{telling.title}, run {telling.run}")
    frame = f'width="100%" height="{NOTEBOOK_HEIGHT}" style="border:0" title="{name}"'
    return f'<iframe {frame} srcdoc="{escape(page)}"></iframe>'


def fight_of(telling: Telling, what_if: str = "") -> Markup:
    """The fight alone, for a page that brings `viewer.css` and `viewer.js` along."""
    frames = frames_of(telling.events)
    points, scenes = telling.turning_points, scenes_told(telling.events)
    marks = [*_scene_marks(scenes, len(telling.events)), *slider_marks(telling.events, frames)]
    marks += _turns(points, len(telling.events))
    return Markup(
        _environment()
        .get_template("fight.html.jinja")
        .render(
            telling=telling,
            scenes=scenes,
            table=_table(frames, f"run-{telling.run}"),
            last=len(telling.events) - 1,
            marks=marks,
            mark_key=_mark_key(marks),
            curves=_curves(telling, frames),
            decided=points,
            fortune=fortune_in_words(telling.fortune, telling.names),
            rounds=list(_rounds(telling)),
            what_if=_what_if(telling, what_if),
            ending=f"The end: {lower_first(verdict(telling))}.",
            frames=_as_json(
                {
                    "run": telling.run,
                    "chances": _chances(telling),
                    "scenes": [[one.event, one.number, one.name, one.rounds_before] for one in scenes],
                }
                | frames.as_data(telling.events)
            ),
        )
    )


def start_of(telling: Telling) -> Markup:
    """The table as the fight begins, for a page that brings `viewer.css` along; empty where a game shows no table."""
    begins = [event for event in telling.events if event.kind == START and event.after.tokens]
    if not begins:
        return Markup("")
    frames = frames_of(begins[:1])
    table = _table(frames, "start")
    return Markup(_environment().get_template("start.html.jinja").render(table=table))


def _command(telling: Telling) -> str:
    """What to type to have the same fight again; empty where nobody knows."""
    if telling.fight is None:
        return ""
    command = command_for(telling.fight, "replay", "run", telling.run, telling.seed)
    if telling.fork is None:
        return command
    policy = f" --then-policy={shlex.quote(telling.then_policy)}" if telling.then_policy else ""
    fork = telling.fork
    return f"{command} --from-{telling.forks_at}={fork.round} --continuation={fork.continuation}{policy}"


def _what_if(telling: Telling, address: str) -> dict[str, Any] | None:
    """How the run can be played on from a round: by an address that does it, or else by a command to copy."""
    if telling.fight is None or telling.fork is not None or not telling.rounds:
        return None
    if not address and telling.fight.source is None:  # a fight without a file has no command
        return None
    names = policies_of(telling.fight)
    return {
        "address": address,
        "command": "" if address else _command(telling),
        "again": AGAIN,
        "what": telling.forks_at,
        "policies": [(name if address else shlex.quote(name), readable(name)) for name in names],
    }


def verdict(telling: Telling) -> str:
    """How it ended, without a full stop; of an evening also in which scene."""
    end = ENDINGS.get(telling.outcome, readable(telling.outcome).capitalize())
    if scenes := scenes_told(telling.events):
        if telling.outcome == "win":
            end = "The party comes through the evening"
        elif telling.outcome == "turned_back":
            end = f"The party turns back after {scenes[-1].words},"
        else:
            end = f"{end} in scene {scenes[-1].number} of {scenes[-1].of} ({scenes[-1].name}),"
    return f"{end} after {counted(telling.rounds, 'round')}" if telling.rounds else f"{end} before the first round"


def source(file: str) -> str:
    """The script or the style sheet."""
    return (FILES / file).read_text(encoding="utf-8")


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FILES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _as_json(data: dict[str, Any]) -> Markup:
    """JSON that cannot end the element in which it stands."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


# ---------------------------------------------------------------------------------------------------------------------
# The table at the beginning
# ---------------------------------------------------------------------------------------------------------------------


def _table(frames: Frames, prefix: str) -> dict[str, Any]:
    """Everything that the templates show of the table at the first moment; `prefix` keeps the ids of a page apart."""
    boards = [plan.board for plan in frames.plans if plan.board is not None]
    looks = drawing.looks_of(boards)
    box = frames.plans[frames.moments[0].board].box
    return {
        "hatchings": drawing.hatchings(looks, prefix),
        "view_box": " ".join(f"{length:.1f}" for length in box),
        "width": round(LARGEST_SCALE * box[2]),
        "grounds": [drawing.board_svg(plan, looks, prefix) for plan in frames.plans],
        "notes": "; ".join(frames.moments[0].notes),
        "looks": [
            {"swatch": drawing.swatch(number, prefix), "about": " and ".join(map(readable, sorted(features)))}
            for features, number in looks.items()
        ],
        "walls": any(board.walls for board in boards),
        "tiles": any(len(board.tiles) > 1 for board in boards),
        "groups": any(token.count is not None for token in frames.known.values()),
        "codes": [(readable(mark), code) for mark, code in frames.codes.items()],
        "rosters": _rosters(frames),
        **_tokens(frames),
    }


def _tokens(frames: Frames) -> dict[str, list[Markup]]:
    """Everybody who will ever be there, drawn as they first appear; who has not come yet is not shown."""
    first = frames.moments[0]
    found: dict[str, list[Markup]] = {"fallen": [], "standing": []}
    for key, token in frames.known.items():
        now = first.tokens.get(key, token)
        drawn = drawing.token_svg(now, frames.short[key], frames.codes, first.spots.get(key))
        found["fallen" if now.down and key in first.tokens else "standing"].append(drawn)
    return found


def _rosters(frames: Frames) -> list[tuple[str, list[dict[str, Any]]]]:
    """Both sides as tables."""
    first = frames.moments[0]
    found: dict[str, list[dict[str, Any]]] = {"party": [], "enemy": []}
    for row, (key, token) in enumerate(frames.known.items()):
        now = first.tokens.get(key, token)
        found[token.side].append(
            {
                "row": row,
                "side": token.side,
                "short": frames.short[key],
                "name": drawing.name_of(token),
                "group": drawing.group_size(now),
                "hp": f"{max(now.hp, 0)}/{now.max_hp}",
                "percent": round(100 * max(now.hp, 0) / now.max_hp) if now.max_hp > 0 else 0,
                "state": ", ".join(map(readable, now.marks + now.notes)),
                "present": key in first.tokens,
                "down": now.down,
            }
        )
    return [(title, found[side]) for title, side in (("The party", "party"), ("Enemies", "enemy")) if found[side]]


def _curves(telling: Telling, frames: Frames) -> list[Curve]:
    party, enemies = (health(frames.moments, frames.known, side) for side in ("party", "enemy"))
    scenes = {scene.number: scene.event for scene in scenes_told(telling.events)}
    rounds = {event.round: place for place, event in reversed(list(enumerate(telling.events)))}
    begins = [
        (scenes.get(chance.scene) if chance.scene else rounds.get(chance.round), chance) for chance in telling.chances
    ]
    chances = [(place, chance) for place, chance in begins if place is not None]
    curves = [chance_curve(chances, len(telling.events), telling.outcome == "win")] if chances else []
    return [*curves, *([health_curve(party, enemies)] if frames.known else [])]


def _chances(telling: Telling) -> list[list[Any]]:
    """For the page: round, or scene of an evening, chance and both ends of its interval in percent."""
    found = []
    for chance in telling.chances:
        win = chance.win_rate
        shares = (percent(share, win.margin) for share in (win.value, win.low, win.high))
        found.append([chance.scene or chance.round, *shares])
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Marks on the slider
# ---------------------------------------------------------------------------------------------------------------------

MARKS = {  # kind -> sign and meaning
    "scene": ("┃", "a scene begins"),
    "party-down": ("▼", "one of the party falls"),
    "enemy-down": ("▼", "an enemy falls"),
    "heal": ("+", "somebody is healed"),
    "turn": ("◆", "turning point"),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to see on the slider."""

    kind: str
    event: int
    percent: str
    about: str

    @property
    def sign(self) -> str:
        """How it is drawn."""
        return MARKS[self.kind][0]


def slider_marks(events: Sequence[Event], frames: Frames) -> Iterator[Mark]:
    """Where somebody falls or is healed, in the order of events."""
    for number in range(1, len(events)):
        before, now = frames.moments[number - 1].tokens, frames.moments[number].tokens
        percent = f"{100 * across(number, len(events)):.4g}"
        for key, token in now.items():
            then = before.get(key)
            if then is None:
                continue
            fewer = token.count is not None and then.count is not None and token.count < then.count
            if (token.down and not then.down) or fewer:
                falls = f"{drawing.name_of(token)} {'loses somebody' if not token.down else 'falls'}"
                yield Mark(f"{token.side}-down", number, percent, f"round {events[number].round}: {falls}")
            elif token.hp > then.hp and not fewer:
                yield Mark("heal", number, percent, f"round {events[number].round}: {drawing.name_of(token)} is healed")


def _scene_marks(scenes: Sequence[SceneTold], events: int) -> Iterator[Mark]:
    for scene in scenes:
        yield Mark("scene", scene.event, f"{100 * across(scene.event, events):.4g}", scene.title)


def _turns(points: Sequence[TurningPoint], events: int) -> Iterator[Mark]:
    for point in points:
        yield Mark("turn", point.event, f"{100 * across(point.event, events):.4g}", point.words)


def _mark_key(marks: Sequence[Mark]) -> list[tuple[str, str, str]]:
    kinds = {mark.kind for mark in marks}
    return [(kind, sign, about) for kind, (sign, about) in MARKS.items() if kind in kinds]


# ---------------------------------------------------------------------------------------------------------------------
# The story
# ---------------------------------------------------------------------------------------------------------------------


def _rounds(telling: Telling) -> Iterator[dict[str, Any]]:
    """What happened, round by round: a line for every event."""
    sides = {token.key: token.side for event in telling.events for token in event.after.tokens}
    scenes = scenes_told(telling.events)
    of_event = [scene_at(scenes, event) for event in range(len(telling.events))]
    told = list(zip(telling.events, telling.words, of_event, strict=True))
    for (scene, number), part in groupby(told, key=lambda one: (one[2], one[0].round)):
        lines = [
            {
                "kind": sides.get(event.who, "nobody") if words else "pause",
                "words": f"{words}." if words else _pause(event),
                "rule": event.rule,
                "rolls": [_roll(roll) for roll in event.rolls],
            }
            for event, words, _ in part
        ]
        begins = scene is not None and number == scene.rounds_before
        before = scene.title if scene is not None and begins else "Before the first round"
        yield {"title": f"Round {number}" if number and not begins else before, "lines": lines, "scene": begins}


def _pause(event: Event) -> str:
    """Where nothing is said."""
    if event.kind == START:
        return "Everybody has taken a place."
    return f"Round {event.round} ends." if event.kind == ROUND_ENDS else f"{readable(event.kind).capitalize()}."


def _roll(roll: Roll) -> dict[str, Any]:
    asked = [f"{roll.needed} needed"] if roll.needed else []
    asked += [f"{100 * roll.chance:.0f} %"] if roll.chance is not None else []
    die = f"d{roll.sides}" if roll.sides else ""
    return {
        "cards": roll.cards,
        "faces": roll.faces,
        "counted": roll.counted if len(roll.counted) == len(roll.faces) else (),
        "purpose": " ".join(filter(None, [die, roll.purpose])),
        "asked": ", ".join(asked),
    }
