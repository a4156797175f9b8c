"""Starting `fairfight`, and what happens when something goes wrong.

exit status 0    done
            1    a mistake of ours: a short message, and the traceback with --debug
            2    something the user can mend: every problem on standard error, no traceback
            3    a gate whose claims do not all hold
          130    stopped with Ctrl-C
          143    stopped by the system (SIGTERM)
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from importlib import import_module

import click

from sim.core.plain_text import cleaned
from sim.core.version import VERSION
from sim.errors import Interrupted, SimError, did_you_mean
from sim.runs.signals import BEYOND, StopAsked, Wish

_CANNOT_PRINT = (errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF)
ISSUES = "the project's issue tracker"


# Where each command is, and the first sentence of its help. They stand in the order in which a designer meets them.
COMMANDS = {
    "run": ("sim.cli.run:run", "Play a fight many times: who wins, by how much, and why."),
    "studio": ("sim.cli.studio:studio", "Open the workbench in the browser: turn a number and watch the odds move."),
    "show": ("sim.cli.catalogue:show", "Show one fight in full, with every number as it will be played."),
    "list": ("sim.cli.catalogue:list_", "List what there is: rulesets, scenarios, policies, switches."),
    "rules": ("sim.cli.rules:rules", "Read the rules of a game as they are played."),
    "new": ("sim.cli.scenario_files:new", "Write a commented scenario file to begin with."),
    "check": ("sim.cli.scenario_files:check", "Check scenario files and report every problem at once."),
    "replay": ("sim.cli.replay:replay", "Tell one run of a fight move by move, or write a page to watch it."),
    "exact": ("sim.cli.exact:exact", "Compute the exact chances of a small fight, without dice."),
    "bestiary": ("sim.cli.bestiary:bestiary", "Take monsters and classes to a spreadsheet and back."),
    "schema": ("sim.cli.scenario_files:schema", "Write the JSON Schema of scenario files, for editors."),
    "compare": ("sim.cli.studies:compare", "Is B better than A? Variants against a fight, with the same luck."),
    "sweep": ("sim.cli.studies:sweep", "How does a fight change with one or two knobs?"),
    "scale": ("sim.cli.studies:scale", "How does a fight go from level to level, and at which level does it break?"),
    "tune": ("sim.cli.studies:tune", "Which value of a knob gives the target? Confirmed on fresh luck."),
    "sensitivity": ("sim.cli.studies:sensitivity", "Which number matters most, and which not at all?"),
    "ladder": ("sim.cli.studies:ladder", "What is skill worth, and what is each ability worth?"),
    "improve": (
        "sim.cli.studies:improve",
        "Can the party win more by playing otherwise, or the enemies be harder, and how?",
    ),
    "parties": ("sim.cli.studies:parties", "Which party is best, what does each class add, and who fits whom?"),
    "price": ("sim.cli.studies:price", "What is each enemy worth, and what does a fair fight cost?"),
    "why": ("sim.cli.studies:why", "What decides a fight: which rounds, which dice, whose luck? And how does it feel?"),
    "gate": ("sim.cli.study_files:gate", "Check a file of claims about fights: balance as a test."),
    "study": ("sim.cli.study_files:study", "Run a study file: a question about a fight, written down."),
    "diff": (
        "sim.cli.study_files:diff",
        "What changed between two results: the fight, the house rules, and the numbers beyond noise.",
    ),
}


class Commands(click.Group):
    """Commands that are loaded when they are called, so that `fairfight --help` and a mistyped one answer at once.

    What the group itself holds are their names and first sentences.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As they were added."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of this name, loaded; a mistyped one names the nearest."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            known = f" (commands: {', '.join(self.commands)})"
            raise click.UsageError(f"unknown command '{args[0]}'{did_you_mean(args[0], self.commands) or known}", ctx)
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else load_command(name), rest


def load_command(name: str) -> click.Command:
    """One of COMMANDS, imported now if it was not yet."""
    module, _, function = COMMANDS[name][0].partition(":")
    command: click.Command = getattr(import_module(module), function)
    return command


def _print_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"fairfight {VERSION}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--debug", is_flag=True, help="Show the whole traceback when something unexpected happens.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def fairfight(debug: bool) -> None:
    """Fairfight tells you how a fight will go before anyone sits down at a table.

    It plays an encounter tens of thousands of times and reports who wins, by how much, why, and which number to
    change.

    \b
    Try it:
      fairfight studio                                 the workbench in the browser
      fairfight list                                   what there is
      fairfight show overhill/playtest-1               one fight with all its numbers
      fairfight run overhill/playtest-1                who wins?
      fairfight run overhill/playtest-1 --set enemies.skeleton.count=6
      fairfight replay overhill/playtest-1 --pick loss one run, told move by move
      fairfight rules overhill OU-A3                   one rule, with the switches that touch it
      fairfight new overhill my-fight.toml             a file of your own to begin with
    """


for _name, (_, _about) in COMMANDS.items():
    fairfight.add_command(click.Command(_name, help=_about))


def run_command(words: list[str], wish: Wish) -> int:
    """Run `fairfight` with these words; the exit status. The wish is that of somebody who asks it to stop."""
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]  # it may stand anywhere
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without our letters is no reason to stop
    status = _status(words, debug) if _are_text(words) else 2
    return status if wish.signal is None else BEYOND + wish.signal


def _are_text(words: list[str]) -> bool:
    """Whether all words are text. A name of a file may be any bytes, but a report that tells it is text."""
    odd = [word.encode("utf-8", "surrogateescape") for word in words if not _is_text(word)]
    for word in odd:
        shown = word.decode("utf-8", "backslashreplace")
        _complain(f"{shown}: this name is not UTF-8; rename the file or folder", 2)
    return not odd


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _status(words: list[str], debug: bool) -> int:
    try:
        status = fairfight.main(words, prog_name="fairfight", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        return _complain(said.getvalue().rstrip("\n"), 2)
    except (KeyboardInterrupt, click.Abort) as error:
        return _complain("stopped", _stopped_by(error))
    except Interrupted as error:
        return _complain(str(error), _stopped_by(error))
    except SimError as error:
        return _complain(str(error), 2)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _CANNOT_PRINT and error.filename is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left goes nowhere
            if error.errno == errno.EPIPE:  # the reader (head, less) has seen enough
                return 1
            return _complain(f"cannot write to standard output: {error.strerror}", 2)
        if debug:
            raise
        if isinstance(error, OSError) and error.filename is not None:
            return _complain(f"{error.filename}: {error.strerror}", 2)
        return _complain(_our_mistake(error), 1)


def _stopped_by(error: BaseException) -> int:
    """The status of a command that somebody has stopped."""
    asked = error if isinstance(error, StopAsked) else error.__cause__
    return BEYOND + (asked.number if isinstance(asked, StopAsked) else signal.SIGINT)


def _complain(message: str, status: int) -> int:
    click.echo(cleaned(message), err=True)
    return status


def _our_mistake(error: Exception) -> str:
    return (
        f"fairfight {VERSION} made a mistake that is not yours: {type(error).__name__}: {error}\n"
        f"Run the same command with --debug to see where, and report it with that text to {ISSUES}."
    )
