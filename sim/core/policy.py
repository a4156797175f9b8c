"""Policies are data: ordered lines, and the first one that applies is what the unit does.

    [[cautious.action]]
    when = "3 * health <= max_health"                 # a condition in the language of sim/core/expr
    do = "heal"                                       # a verb of the ruleset
    target = { where = "2 * their_health <= their_max_health", by = ["least ratio(their_health, their_max_health)"] }
    bumps = "0"                                       # options of the verb, formulas again

A line applies if its condition holds, its verb is legal and, for a verb with a target, somebody is left to choose.
`target` is "first" (the default), "random", or a table: `where` says who comes into question, `by` ranks them by a
key, or by a list of keys in order ("least ..." or "most ..."), and ties go to the first in line, or by lot with
`ties = "random"`. With `provided` the line applies only if that holds of the one chosen: nobody else is looked at.

`NAME@0.2` is a policy played carelessly: with a chance of 0.2 in every round a hero does anything legal by lot instead
of what the policy says. The slip is drawn at an address of its own, so that `NAME@0` is the policy itself, bit for bit,
and whoever slips at 0.1 slips at 0.2 too.

A ruleset says which names and verbs there are (`Vocabulary`) and carries them out (`Player`). Everything is read,
checked and compiled once; playing a line is a handful of array operations for all runs at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch
from sim.core.choose import draw_lot, narrow, pick, several
from sim.core.expr import Expression, parse
from sim.core.lanes import Lanes, Mask, each, keep, which
from sim.errors import FormulaError, Problem, ScenarioError, did_you_mean

S = TypeVar("S", bound=Batch, contravariant=True)
P = TypeVar("P")  # a plan, as a game has it

Reader: TypeAlias = "Callable[[Any, str], Expression | None]"  # of a formula and the key at which it stands

ALWAYS = 1_000_000  # the chance of a slip is counted in millionths
AIM_KEYS = ("where", "by", "ties", "provided")


@dataclass(frozen=True, slots=True)
class Verb:
    """Something a unit can do. An option is a "formula", "yes_no", a "word", or a list of "words": all if left out."""

    about: str
    target: str | None = None  # the kind of target it needs: a key of Vocabulary.target_names
    options: Mapping[str, str] = field(default_factory=dict)  # name -> its kind
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)  # what a "word(s)" option may say


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the policies of a ruleset can ask and do. Every name comes with one line for the documentation."""

    names: Mapping[str, str]  # about the unit that acts, and the fight
    target_names: Mapping[str, Mapping[str, str]]  # kind of target -> names about each candidate
    verbs: Mapping[str, Verb]


@dataclass(frozen=True, slots=True)
class Aim:
    """Whom a line is for: who comes into question, and who of them first."""

    where: Expression | None = None
    by: tuple[tuple[Expression, bool], ...] = ()  # key, and whether the largest comes first
    at_random: bool = False  # who of the tied: by lot, else the first in line
    provided: Expression | None = None  # must hold of the one chosen, or the line does not apply


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a policy."""

    do: str
    when: Expression | None
    aim: Aim
    options: Mapping[str, Any]  # Expression, tuple of words, word or bool
    slip: int | None = None  # only for those who slip in this round, with this chance in millionths; None for everybody


def asks_for(name: str, lines: Sequence[Line]) -> bool:
    """Whether any line of a policy asks for a name of the vocabulary, in whatever place."""
    return any(name in formula.names for line in lines for formula in _formulas(line))


def _formulas(line: Line) -> list[Expression]:
    """Everything that a line asks."""
    parts = [line.when, line.aim.where, line.aim.provided, *(key for key, _ in line.aim.by), *line.options.values()]
    return [part for part in parts if isinstance(part, Expression)]


class Player(Protocol[S]):
    """A ruleset's side of the policy language."""

    vocabulary: Vocabulary

    def ask(self, s: S, actor: int, name: str, at: Lanes) -> Any:
        """What a name of the vocabulary is worth: a number or truth for all lanes, or (lanes,)."""

    def ask_target(self, s: S, actor: int, kind: str, name: str, at: Lanes) -> Any:
        """What a target name is worth: (targets, lanes), or (targets, 1)."""

    def ever(self, s: S, actor: int, line: Line) -> bool:
        """Whether this unit could ever do this; saves asking in every lane."""

    def choose(self, s: S, actor: int, line: Line, at: Lanes) -> NDArray[np.int64]:
        """(lanes,). What or whom to do it to, -1 where it cannot be done; usually by `choose_target`."""

    def act(self, s: S, actor: int, line: Line, at: Lanes, target: NDArray[np.int64]) -> None:
        """Do it, in these lanes, to these targets."""


def follow(player: Player[S], lines: Sequence[Line], s: S, actor: int, at: Lanes) -> Lanes:
    """The first line that applies decides, lane by lane. Returns the lanes in which none did."""
    for line in lines:
        if not len(at):
            break
        if not player.ever(s, actor, line):
            continue
        holds = True if line.when is None else line.when(_asking(player, s, actor, at))
        if line.slip is not None:
            holds = _by_lane(holds, at) & slips(line.slip, s, actor, at)
        if holds is False:  # decided by numbers alone, so that no lane has to be looked at
            continue
        if holds is True or (whole := _by_lane(holds, at)).all():
            asked, candidates = None, at  # the usual case: the very same lanes, so that a player may recognise them
        else:
            asked = which(whole)  # places in `at`
            if not len(asked):
                continue
            candidates = at[asked]
        target = player.choose(s, actor, line, candidates)
        able = target >= 0
        if able.all():
            player.act(s, actor, line, candidates, target)
            at = at[:0] if asked is None else keep(at, ~whole)
        elif able.any():
            decided = which(able)
            player.act(s, actor, line, candidates[decided], target[decided])
            undecided = np.ones(len(at), dtype=bool)
            undecided[decided if asked is None else asked[decided]] = False
            at = keep(at, undecided)
    return at


def truth(when: Expression | None, player: Player[S], s: S, actor: int, at: Lanes) -> Mask:
    """(lanes,). Where a condition holds; no condition always holds."""
    if when is None:
        return np.ones(len(at), dtype=bool)
    return _by_lane(when(_asking(player, s, actor, at)), at)


def slips(chance: int, s: Batch, actor: int, at: Lanes) -> Mask:
    """(lanes,). Where a hero does not play as well as the policy says in this round; a chance in millionths."""
    return s.luck.below(ALWAYS, "slip", s.round, actor, 0, at) < chance


def _asking(player: Player[S], s: S, actor: int, at: Lanes) -> Callable[[str], Any]:
    """How a condition learns what its names are worth."""
    return lambda name: player.ask(s, actor, name, at)


def _by_lane(holds: Any, at: Lanes) -> Mask:
    """(lanes,). A truth for each lane, from one for all of them or one for each."""
    if isinstance(holds, np.ndarray) and holds.dtype.kind == "b" and holds.shape == at.shape:
        return holds
    return np.broadcast_to(np.asarray(holds, dtype=bool), len(at))


def choose_target(
    player: Player[S], line: Line, verb: Verb, s: S, actor: int, at: Lanes, open_to: Mask
) -> NDArray[np.int64]:
    """(lanes,). Whom of those it is open to (targets, lanes) the line is for; -1 where nobody is left."""
    aim = line.aim

    def about(name: str, some: Lanes) -> Any:
        if verb.target and name in player_names(player, verb.target):
            return player.ask_target(s, actor, verb.target, name, some)
        return player.ask(s, actor, name, some)

    def in_question(at: Lanes, open_to: Mask) -> NDArray[np.int64]:
        if aim.where is None:
            return first_of_them(at, open_to)
        holds = np.asarray(aim.where(lambda name: about(name, at)), dtype=bool)
        return _where_anybody(at, open_to & holds, first_of_them)

    def first_of_them(at: Lanes, open_to: Mask) -> NDArray[np.int64]:
        lot = draw_lot(s.luck, "policy", s.round, actor, 0, at) if aim.at_random else None
        chosen = pick(_first_by(aim.by, open_to, at, about), lot=lot)
        if aim.provided is not None:
            holds = np.broadcast_to(np.asarray(aim.provided(lambda name: about(name, at)), dtype=bool), open_to.shape)
            chosen[which(~each(holds, chosen, np.arange(len(at))))] = -1  # -1 stays -1 whatever the last row says
        return chosen

    return _where_anybody(at, open_to, in_question)


def _where_anybody(at: Lanes, open_to: Mask, choose: Callable[[Lanes, Mask], NDArray[np.int64]]) -> NDArray[np.int64]:
    """(lanes,). A choice among candidates. If few lanes have any, only those are looked at; the others get -1."""
    anybody = np.logical_or.reduce(open_to)
    if 2 * np.count_nonzero(anybody) > len(at):
        return choose(at, open_to)
    some = which(anybody)
    chosen = np.full(len(at), -1, dtype=np.int64)
    if len(some):
        chosen[some] = choose(at[some], open_to.take(some, axis=1))
    return chosen


def _first_by(
    keys: Sequence[tuple[Expression, bool]], open_to: Mask, at: Lanes, about: Callable[[str, Lanes], Any]
) -> Mask:
    """(targets, lanes). Who comes first by these keys. They are worked out only for lanes in which somebody is tied."""
    for number, (key, largest) in enumerate(keys):
        tied = which(several(open_to))
        if not len(tied):
            break
        if 2 * len(tied) <= len(at):
            open_to = open_to.copy()
            open_to[:, tied] = _first_by(keys[number:], open_to.take(tied, axis=1), at[tied], about)
            break
        # A bare name is looked up as it is: its kind of number is smaller, and so faster, than that of formulas.
        found = np.asarray(about(key.text, at) if key.text in key.names else key(lambda name: about(name, at)))
        open_to = narrow(open_to, found if found.ndim == 2 else np.broadcast_to(found, open_to.shape), largest)
    return open_to


def option(
    line: Line,
    name: str,
    player: Player[S],
    s: S,
    actor: int,
    at: Lanes,
    kind: str | None = None,
    target: NDArray[np.int64] | None = None,
) -> Any:
    """What a formula option is worth: a number, or (lanes,). Target names mean the chosen target."""

    def about(asked: str) -> Any:
        if kind and target is not None and asked in player_names(player, kind):
            values = np.asarray(player.ask_target(s, actor, kind, asked, at))  # (targets, lanes) or (targets, 1)
            return values[target, np.arange(len(at)) if values.shape[1] > 1 else 0]
        return player.ask(s, actor, asked, at)

    return line.options[name](about)


def player_names(player: Player[S], kind: str) -> Mapping[str, str]:
    """The target names of a player's vocabulary."""
    return player.vocabulary.target_names[kind]


# Reading.


def split_dial(name: str, key: str = "policy") -> tuple[str, int | None]:
    """A policy's name and how often it slips, in millionths; None where it has no dial.

    >>> split_dial("plain@0.25"), split_dial("plain")
    (('plain', 250000), ('plain', None))

    Raises ScenarioError at `key` if what follows the @ is no chance.
    """
    policy, dial, text = name.partition("@")
    if not dial:
        return name, None
    try:
        chance = float(text)
    except ValueError:
        chance = -1.0
    if not 0 <= chance <= 1:
        raise ScenarioError(Problem(key, f"expected a chance from 0 to 1 after '{policy}@', found '{text}'"))
    return policy, round(chance * ALWAYS)


def with_slips(
    lines: Sequence[Line], by_lot: Sequence[Any], vocabulary: Vocabulary, chance: int | None
) -> tuple[Line, ...]:
    """The lines of a policy that slips: for who slips, those of the policy that plays by lot go before its own."""
    if not chance:
        return tuple(lines)
    careless, _ = read_lines(list(by_lot), vocabulary, "by lot")
    return (*(replace(line, slip=chance) for line in careless), *lines)


def inherit(policies: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, dict[str, Any]], list[Problem]]:
    """Policies with `like = "other"` filled in from the other; every key of their own stands."""
    problems = []
    full: dict[str, dict[str, Any]] = {}

    def fill(name: str, chain: tuple[str, ...]) -> dict[str, Any]:
        if name in full:
            return full[name]
        if not isinstance(policies[name], Mapping):
            problems.append(Problem(f"policies.{name}", "expected a table with `like`, or with the lines of a policy"))
            return full.setdefault(name, {})
        own = dict(policies[name])
        model = own.pop("like", None)
        place = f"policies.{name}.like"
        if model is not None:
            if not isinstance(model, str) or model not in policies:
                problems.append(Problem(place, f"unknown policy {model!r}{did_you_mean(str(model), policies)}"))
            elif model in chain:
                problems.append(Problem(place, f"goes in a circle: {' -> '.join([*chain, model])}"))
            else:
                own = {**fill(model, (*chain, model)), **own}
        full[name] = own
        return own

    for name in policies:
        fill(name, (name,))
    return full, problems


def read_entry(
    name: str, policies: Mapping[str, Any], keys: Sequence[str], asked_by: str = "policy"
) -> tuple[dict[str, Any], list[Problem]]:
    """The table of one policy with `like` filled in, and what is wrong with it so far: `like`, and unknown keys.

    Args:
        keys: what a policy of the game may say.
        asked_by: the key of the scenario that names the policy.

    Raises ScenarioError if there is no such policy.
    """
    full, problems = inherit(policies)
    if name not in full:
        known = ", ".join(full)
        raise ScenarioError(Problem(asked_by, f"unknown policy '{name}'{did_you_mean(name, full)} (known: {known})"))
    return full[name], problems + unknown_keys(full[name], keys, f"policies.{name}")


def read_each(own: Sequence[str | None], common: str, read: Callable[[str, str], P]) -> list[P]:
    """The plan of every hero: of the policy of its own, or of the party's. All mistakes are told at once.

    Args:
        own: the policy of each hero, None where it has none of its own.
        read: reads a policy by its name; the key of the scenario that names it comes second.
    """
    plans: list[P] = []
    problems: list[Problem] = []
    for number, name in enumerate(own):
        try:
            plans.append(read(common, "policy") if name is None else read(name, f"heroes[{number}].policy"))
        except ScenarioError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise ScenarioError(problems)
    return plans


def problems_of_each(policies: Mapping[str, Any], read: Callable[[str], Any]) -> list[Problem]:
    """What is wrong with some policies, each told once; `read` reads one by its name and raises ScenarioError."""
    found: list[Problem] = []
    for name in policies:
        try:
            read(name)
        except ScenarioError as error:
            found += [problem for problem in error.problems if problem not in found]
    return found


def unknown_keys(table: Mapping[str, Any], known: Sequence[str], place: str) -> list[Problem]:
    """The keys that nobody reads, with the nearest that somebody does."""
    return [Problem(f"{place}.{key}", f"unknown key{did_you_mean(key, known)}") for key in table if key not in known]


def read_formula(text: Any, names: Collection[str], place: str, problems: list[Problem]) -> Expression | None:
    """A formula or condition, compiled; None where it is wrong, which is added to the problems."""
    try:
        return parse(str(text).lower() if isinstance(text, bool) else str(text), names, place=place)
    except FormulaError as error:
        problems.extend(error.problems)
        return None


def read_yes_no(table: Mapping[str, Any], key: str, place: str, problems: list[Problem]) -> bool:
    """A value that is true or false, and false if absent."""
    value = table.get(key, False)
    if not isinstance(value, bool):
        problems.append(Problem(f"{place}.{key}", f"expected true or false, found {value!r}"))
    return bool(value)


def read_lines(entries: Any, vocabulary: Vocabulary, place: str) -> tuple[tuple[Line, ...], list[Problem]]:
    """The lines of a policy, compiled, with everything that is wrong in them."""
    if not isinstance(entries, list):
        return (), [Problem(place, "expected a list of lines, each with `do`")]
    lines = []
    problems: list[Problem] = []
    for number, entry in enumerate(entries):
        line = _read_line(entry, vocabulary, f"{place}[{number}]", problems)
        if line is not None:
            lines.append(line)
    return tuple(lines), problems


def _read_line(entry: Any, vocabulary: Vocabulary, place: str, problems: list[Problem]) -> Line | None:
    if not isinstance(entry, dict) or "do" not in entry:
        problems.append(Problem(place, "expected a line with `do`, and perhaps `when` and `target`"))
        return None
    do = entry["do"]
    if not isinstance(do, str) or do not in vocabulary.verbs:
        known = ", ".join(vocabulary.verbs)
        problems.append(
            Problem(f"{place}.do", f"unknown verb '{do}'{did_you_mean(str(do), vocabulary.verbs)} (known: {known})")
        )
        return None
    verb = vocabulary.verbs[do]
    names = set(vocabulary.names)
    target_names = names | set(vocabulary.target_names[verb.target]) if verb.target else names

    def read(text: Any, allowed: set[str], key: str) -> Expression | None:
        return read_formula(text, allowed, f"{place}.{key}", problems)

    when = read(entry["when"], names, "when") if "when" in entry else None
    aim = Aim()
    if "target" in entry:
        if verb.target is None:
            problems.append(Problem(f"{place}.target", f"'{do}' has no target"))
        else:
            aim = _read_aim(entry["target"], lambda text, key: read(text, target_names, key), place, problems)
    options: dict[str, Any] = {key: tuple(verb.words[key]) for key, kind in verb.options.items() if kind == "words"}
    for key, value in entry.items():
        if key in ("do", "when", "target"):
            continue
        if key not in verb.options:
            known_keys = ["when", "target", *verb.options]
            problems.append(Problem(f"{place}.{key}", f"unknown key{did_you_mean(key, known_keys)}"))
            continue
        options[key] = _read_option(value, verb, key, place, lambda text, k: read(text, target_names, k), problems)
    return Line(do, when, aim, options)


def _read_aim(target: Any, read: Reader, place: str, problems: list[Problem]) -> Aim:
    if target in ("first", "random"):
        return Aim(at_random=target == "random")
    if not isinstance(target, dict):
        problems.append(Problem(f"{place}.target", f"expected 'first', 'random' or a table, found {target!r}"))
        return Aim()
    problems += unknown_keys(target, AIM_KEYS, f"{place}.target")
    ties = target.get("ties", "first")
    if ties not in ("first", "random"):
        problems.append(
            Problem(
                f"{place}.target.ties",
                f"expected 'first' or 'random', found {ties!r}{did_you_mean(str(ties), ('first', 'random'))}",
            )
        )
    by = []
    keys = target.get("by", [])
    for number, text in enumerate(keys if isinstance(keys, list) else [keys]):
        direction, _, formula = str(text).partition(" ")
        if direction not in ("least", "most"):
            problems.append(
                Problem(f"{place}.target.by[{number}]", f"expected 'least ...' or 'most ...', found {text!r}")
            )
            continue
        key = read(formula, f"target.by[{number}]")
        if key is not None:
            by.append((key, direction == "most"))
    where = read(target["where"], "target.where") if "where" in target else None
    provided = read(target["provided"], "target.provided") if "provided" in target else None
    return Aim(where, tuple(by), ties == "random", provided)


def _read_option(
    value: Any, verb: Verb, key: str, place: str, read: Reader, problems: list[Problem]
) -> Expression | bool | str | tuple[str, ...] | None:
    """What an option of a line says, by its kind."""
    kind = verb.options[key]
    if kind == "formula":
        return read(value, key)
    if kind == "yes_no":
        if not isinstance(value, bool):
            problems.append(Problem(f"{place}.{key}", f"expected true or false, found {value!r}"))
        return bool(value)
    words = value if kind == "words" and isinstance(value, list) else [value]
    for word in words:
        if word not in verb.words[key]:
            known = ", ".join(verb.words[key])
            problems.append(
                Problem(
                    f"{place}.{key}",
                    f"unknown word {word!r}{did_you_mean(str(word), verb.words[key])} (known: {known})",
                )
            )
    return tuple(words) if kind == "words" else str(value)
