"""What holds for all tests."""

from __future__ import annotations

import signal
import threading

from hypothesis import HealthCheck, settings

# On a busy machine an example, or making one up, may take any time: that is no failure.
settings.register_profile("fairfight", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fairfight")


def pytest_configure() -> None:
    """A suite that is started in the background of a script is told to ignore Ctrl-C; some tests press it."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
