"""NetworkX's own tests with the backend: counts those in which it answered.

    python tests/networkx_suite.py            # the folders in which served functions are tested
    python tests/networkx_suite.py --all      # all of NetworkX's tests

Functions that are not served, and calls that are refused, are NetworkX's own. A test counts where the
backend has answered a call. Fails if a test fails that is not listed in `LISTED` with the reason, if
a function that is served has answered none, or as pytest does: if tests cannot be collected, say.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import Any

#: Tests of functions that are served which fail, with the reason.
LISTED: dict[str, str] = {}

#: Where served functions are tested, for most of them in passing.
FOLDERS = (
    "networkx.algorithms.approximation",
    "networkx.algorithms.bipartite",
    "networkx.algorithms.centrality",
    "networkx.algorithms.community",
    "networkx.algorithms.components",
    "networkx.algorithms.connectivity",
    "networkx.algorithms.link_analysis",
    "networkx.algorithms.shortest_paths",
    "networkx.algorithms.tests",
    "networkx.algorithms.traversal",
    "networkx.algorithms.tree",
)


class Watch:
    """A plugin of pytest that notes which functions of the backend answered in which test."""

    def __init__(self) -> None:
        self.test = ""
        self.answered: dict[str, set[str]] = {}
        self.refused: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.failed: list[str] = []

    def wrap(self, backend: type) -> None:
        """Watch all functions of a backend."""
        from meerkat.networkx._info import FUNCTIONS

        for name in FUNCTIONS:
            setattr(backend, name, staticmethod(self._watched(name, getattr(backend, name))))

    def _watched(self, name: str, function: Any) -> Any:
        def watched(*args: Any, **kwargs: Any) -> Any:
            try:
                answer = function(*args, **kwargs)
            except NotImplementedError:
                self.refused[name] += 1
                raise
            except Exception:
                # NetworkX's own exception, which a test expects or fails by.
                self.answered.setdefault(self.test, set()).add(name)
                raise
            self.answered.setdefault(self.test, set()).add(name)
            return answer

        return watched

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.test = nodeid

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1
            if report.outcome == "failed":
                self.failed.append(report.nodeid)


def main() -> int:
    """Run the tests and say what came of them."""
    os.environ["NETWORKX_TEST_BACKEND"] = "meerkat"
    os.environ["NETWORKX_FALLBACK_TO_NX"] = "True"

    import pytest

    from meerkat.networkx import BackendInterface
    from meerkat.networkx._info import FUNCTIONS

    watch = Watch()
    watch.wrap(BackendInterface)
    folders = ["networkx"] if "--all" in sys.argv else list(FOLDERS)
    options = ["-q", "--no-header", "-p", "no:cacheprovider", "-W", "ignore", "--pyargs", *folders]
    code = pytest.main(options, plugins=[watch])
    served = {test: names for test, names in watch.answered.items() if test}
    by_function = Counter(name for names in served.values() for name in names)
    print("\nanswered by meerkat, in how many tests:")
    for name in FUNCTIONS:
        print(f"  {name:40} {by_function[name]:5}  refused {watch.refused[name]}")
    failed = [test for test in watch.failed if test not in LISTED]
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(watch.outcomes.items()))
    print(f"\n{outcomes}; in {len(served)} of them meerkat answered, {len(LISTED)} are listed")
    unused = [name for name in FUNCTIONS if not by_function[name]]
    for name in unused:
        print(f"error: no test has called `{name}`")
    for test in failed:
        print(f"error: failed: {test}")
    if failed or unused:
        return 1
    are_listed = code == pytest.ExitCode.TESTS_FAILED and bool(watch.failed)
    return 0 if are_listed else int(code)


if __name__ == "__main__":
    sys.exit(main())
