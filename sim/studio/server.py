"""The server: from the one line that it prints to Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import uvicorn

from sim.errors import SimError
from sim.studio.app import app_of
from sim.studio.folder import Folder
from sim.studio.security import Guard, Keys
from sim.studio.workbench import Workbench

HOST = "127.0.0.1"  # nobody else's machine reaches it
GRACE = 1  # seconds for requests that are being answered when it ends
WAITING = 128  # connections that may wait to be taken


class _Server(uvicorn.Server):
    """A server that ends politely on Ctrl-C, and says when it is ready."""

    def __init__(self, config: uvicorn.Config, bench: Workbench, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.bench, self.ready = bench, ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are heard by `_serve`, which also tells the streams."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            self.ready()

    def end(self) -> None:
        """Stop: streams are told at once, so that nobody waits for them; a second wish does not wait at all."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self.bench.closing.set()


def serve(folder: Folder, port: int, ready: Callable[[Keys], None]) -> None:
    """Serve until somebody presses Ctrl-C. `ready` is told when the studio listens."""
    listening = _listen(port)
    asyncio.run(_serve(folder, listening, ready))


async def _serve(folder: Folder, listening: socket.socket, ready: Callable[[Keys], None]) -> None:
    bench, keys = Workbench(folder), Keys(listening.getsockname()[1])
    config = uvicorn.Config(
        Guard(app_of(bench), keys),
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        lifespan="on",
        ws="none",
    )
    server = _Server(config, bench, lambda: ready(keys))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: Ctrl-C is a KeyboardInterrupt there
            loop.add_signal_handler(number, server.end)
    with suppress(KeyboardInterrupt):
        await server.serve([listening])


def _listen(port: int) -> socket.socket:
    """A socket on this machine alone; port 0 takes a free one."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise SimError(f"port {port} cannot be used: {error.strerror}; without --port a free one is taken") from error
    listening.listen(WAITING)
    return listening
