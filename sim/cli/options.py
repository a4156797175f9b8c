"""Options that several commands share."""

from __future__ import annotations

import shlex
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import wraps
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from sim.core.plain_text import CODES
from sim.scenario import Scenario, load
from sim.storage.json_text import json_text

Command = TypeVar("Command", bound=Callable[..., Any])

LARGEST_SEED = 2**64 - 1
LARGEST_COUNT = 10**15


class HowMany(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic in newer versions of click only
    """A count as people write it: 20000, 20_000, 20k, 1.5M."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The whole number, at least 1."""
        if isinstance(value, int):
            return value
        text = str(value).strip().lower()
        for letter, zeros in (("k", "e3"), ("m", "e6")):
            text = text.replace(letter, zeros)
        try:
            number = Decimal(text)  # as written: 1.1M has no fraction left
            if 1 <= number <= LARGEST_COUNT and number == int(number):
                return int(number)
        except InvalidOperation:
            pass
        return self.fail(f"expected a whole number from 1 up, such as 20000, 20k or 1M, found '{value}'", param, ctx)


class Folder(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic in newer versions of click only
    """Where to write. An empty name is most often a variable that nobody has set."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, which need not be there yet."""
        if str(value) == "":
            self.fail("expected a folder, found ''; '.' is the current one", param, ctx)
        return Path(value)


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Several options as one, in the order in which the help shows them."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@dataclass(frozen=True, slots=True)
class AskedFight:
    """The fight that a command is about, as it was typed."""

    scenario: str
    sets: tuple[str, ...]
    preset: str | None
    policy: str | None

    @property
    def changed(self) -> bool:
        """Whether anything in it is to be changed."""
        return bool(self.sets or self.preset or self.policy)

    def load(self) -> Scenario:
        """The scenario itself, checked."""
        return load(self.scenario, sets=self.sets, preset=self.preset, policy=self.policy)


def fight(command: Callable[..., Any]) -> Callable[..., Any]:
    """SCENARIO and everything that changes it: --set, --preset, --policy. The command gets them as `fight`."""

    @wraps(command)
    def with_fight(scenario: str, sets: tuple[str, ...], preset: str | None, policy: str | None, **options: Any) -> Any:
        return command(fight=AskedFight(scenario, sets, preset, policy), **options)

    return _of_a_fight(with_fight)


_of_a_fight = together(
    click.argument("scenario"),
    click.option(
        "--set",
        "sets",
        multiple=True,
        metavar="PATH=VALUE",
        help="Change one value, as in --set enemies.skeleton.count=4 or --set heroes.*.level=3; "
        "may be given several times.",
    ),
    click.option("--preset", metavar="NAME", help="Play with this set of house rules."),
    click.option("--policy", metavar="NAME", help="Let the party play like this; NAME@0.2 slips in 20 % of rounds."),
)

seed = click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    default=1,
    show_default=True,
    metavar="S",
    help="Which luck: the same seed gives the same result, whatever the jobs and chunks.",
)

jobs = click.option(
    "--jobs",
    type=click.IntRange(min=-1),
    metavar="J",
    help="Processes to use; -1 for one per core. Chosen by itself if not given. Never changes a result.",
)

resuming = together(
    click.option(
        "--resume",
        is_flag=True,
        help="Go on with what is in the --out folder: after an interruption, or to add more runs.",
    ),
    click.option("--fresh", is_flag=True, help="Throw away what an interruption has left in the --out folder."),
)

backend = together(
    click.option(
        "--backend",
        type=click.Choice(["local", "dask"]),
        default="local",
        help="Where to play: 'dask' on a cluster (docs/cluster.md). Never changes a result.",
    ),
    click.option(
        "--address",
        metavar="URL",
        help="The cluster's scheduler, as in tcp://10.0.0.5:8786; a small one is started here if not given.",
    ),
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


Form = Literal["terminal", "json", "markdown"]  # how an answer is printed


def form(command: Callable[..., Any]) -> Callable[..., Any]:
    """--json and --markdown. The command gets which of them as `form`."""

    @wraps(command)
    def with_form(as_json: bool, as_markdown: bool, **options: Any) -> Any:
        if as_json and as_markdown:
            raise click.UsageError("--json and --markdown are two forms of the same answer: give one of them")
        chosen: Form = "json" if as_json else "markdown" if as_markdown else "terminal"
        return command(form=chosen, **options)

    return _forms(with_form)


_forms = together(
    as_json,
    click.option(
        "--markdown",
        "as_markdown",
        is_flag=True,
        help="Print the verdict and the main table as Markdown and nothing else: for a forum or a pull request.",
    ),
)


def runs(about: str, default: int | None = None) -> Callable[[Command], Command]:
    """--runs: how many encounters."""
    return click.option(
        "--runs", type=HowMany(), default=default, show_default=default is not None, metavar="N", help=about
    )


def out(about: str) -> Callable[[Command], Command]:
    """--out: the folder to write to."""
    return click.option("--out", type=Folder(), metavar="DIR", help=f"{about} What is finished is safe there at once.")


_OPEN = f"{__name__}.open"  # where a command keeps that its report is to be opened


def opening(needs_out: bool = True, what: str = "report") -> Callable[[Command], Command]:
    """--open: the report, or what else a command writes, in a browser. Refused where nothing is written."""

    def add(command: Command) -> Command:
        @wraps(command)
        def with_opening(*, open_report: bool, out: Path | None, **options: Any) -> Any:
            if open_report and out is None and needs_out:
                raise click.UsageError(f"--open opens the {what}: say where to write it with --out")
            click.get_current_context().meta[_OPEN] = what if open_report else ""
            return command(out=out, **options)

        about = f"Open the {what} in a browser when it is written."
        return click.option("--open", "open_report", is_flag=True, help=about)(with_opening)  # type: ignore[return-value]

    return add


def open_if_asked(page: Path) -> None:
    """Opens a written report in the browser, if --open asked for it."""
    what = click.get_current_context().meta.get(_OPEN)
    if what and not webbrowser.open(page.resolve().as_uri()):
        click.echo(f"no browser could be opened; the {what} is in {page}", err=True)


def typed() -> str:
    """What the user typed, for the report."""
    return shlex.join(["fairfight", *sys.argv[1:]])


def print_json(document: dict[str, Any]) -> None:
    """One JSON object on standard output. A number that JSON does not have is null."""
    text = json_text(document)
    click.echo(CODES.sub(lambda code: f"\\u{ord(code[0]):04x}", text))  # only in texts, where this is the same in JSON
