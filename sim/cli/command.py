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
import os
import signal
import sys

import click

from sim.cli.asking import diff, gate, ladder, sensitivity, study, tune
from sim.cli.library import list_, show
from sim.cli.playing import exact, replay, run
from sim.cli.rules import rules
from sim.cli.studying import compare, scale, sweep
from sim.cli.writing import check, new, schema
from sim.errors import Interrupted, SimError, did_you_mean
from sim.runs.signals import BEYOND, StopAsked, Wish

_CANNOT_PRINT = (errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF)
ISSUES = "the project's issue tracker"


class Commands(click.Group):
    """Commands in the order in which a designer meets them; a mistyped one names the nearest."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As they were added."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of this name."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            known = f" (commands: {', '.join(self.commands)})"
            raise click.UsageError(f"unknown command '{args[0]}'{did_you_mean(args[0], self.commands) or known}", ctx)
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from sim.core.version import VERSION

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
      fairfight list                                   what there is
      fairfight show overhill/playtest-1               one fight with all its numbers
      fairfight run overhill/playtest-1                who wins?
      fairfight run overhill/playtest-1 --set enemies.skeleton.count=6
      fairfight replay overhill/playtest-1 --pick loss one run, told move by move
      fairfight rules overhill OU-A3                   one rule, with the switches that touch it
      fairfight new overhill my-fight.toml             a file of your own to begin with
    """


_first = (run, show, list_, rules, new, check, replay, exact, schema)
_questions = (compare, sweep, scale, tune, sensitivity, ladder, gate, study, diff)
for _command in (*_first, *_questions):
    fairfight.add_command(_command)


def run_command(words: list[str], wish: Wish) -> int:
    """Run `fairfight` with these words; the exit status. The wish is that of somebody who asks it to stop."""
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]  # it may stand anywhere
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without our letters is no reason to stop
    status = _status(words, debug)
    return status if wish.signal is None else BEYOND + wish.signal


def _status(words: list[str], debug: bool) -> int:
    try:
        status = fairfight.main(words, prog_name="fairfight", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        error.show()
        return 2
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
    click.echo(message, err=True)
    return status


def _our_mistake(error: Exception) -> str:
    from sim.core.version import VERSION

    return (
        f"fairfight {VERSION} made a mistake that is not yours: {type(error).__name__}: {error}\n"
        f"Run the same command with --debug to see where, and report it with that text to {ISSUES}."
    )
