"""A lock that is never waited for from inside of work."""

from __future__ import annotations

import threading
from types import TracebackType

from . import _meerkat


class Lock:
    """A lock that its thread may take again.

    Who is called from inside of work of its own thread, as a signal handler is, gets a `RuntimeError`:
    the lock may be held by a thread that waits for that work. So does a process that was forked.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        _meerkat.check_thread()
        self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()
