"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sim.scenario import Scenario

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


def fight(command: Command) -> Command:
    """SCENARIO and everything that changes it: --set, --preset, --policy."""
    for add in reversed(
        [
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
            click.option("--policy", metavar="NAME", help="Let the party play like this."),
        ]
    ):
        command = add(command)
    return command


seed = click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    default=1,
    show_default=True,
    metavar="S",
    help="Which luck: the same seed gives the same result, whatever the jobs and chunks.",
)


def resuming(command: Command) -> Command:
    """--resume and --fresh: what to do with what is in the folder."""
    for add in reversed(
        [
            click.option(
                "--resume",
                is_flag=True,
                help="Go on with what is in the --out folder: after an interruption, or to add more runs.",
            ),
            click.option(
                "--fresh", is_flag=True, help="Throw away what an interruption has left in the --out folder."
            ),
        ]
    ):
        command = add(command)
    return command


def backend(command: Command) -> Command:
    """--backend and --address: where to play."""
    for add in reversed(
        [
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
        ]
    ):
        command = add(command)
    return command


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def load_fight(scenario: str, sets: tuple[str, ...], preset: str | None, policy: str | None) -> Scenario:
    """The scenario that the options of `fight` describe."""
    from sim.scenario import load

    return load(scenario, sets=sets, preset=preset, policy=policy)


def print_json(document: dict[str, Any]) -> None:
    """One JSON object on standard output. A number that JSON does not have is null."""
    import json

    click.echo(json.dumps(_plain(document), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):  # a number out of a NumPy array
        value = value.item()
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value
