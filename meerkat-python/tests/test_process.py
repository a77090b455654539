"""Threads, signals, errors and the installed package."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import meerkat
from meerkat import Graph, _meerkat, _nvrtc

SOURCES = Path(__file__).parents[2] / "meerkat-runtime" / "src"


def random_graph(n: int, m: int, **options: object) -> Graph:
    ends = np.random.default_rng(1).integers(0, n, (2, m), dtype=np.uint32)
    return Graph.from_edges(*ends, vertices=n, device="cpu", **options)  # type: ignore[arg-type]


def test_threads_share_a_graph() -> None:
    graph = random_graph(500, 2000)
    components, errors = graph.track("wcc"), []

    def change(seed: int) -> None:
        random = np.random.default_rng(seed)
        try:
            for _ in range(20):
                graph.apply(
                    insert=tuple(random.integers(0, 500, (2, 50))),
                    delete=tuple(random.integers(0, 500, (2, 50))),
                )
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    def look() -> None:
        try:
            for _ in range(20):
                assert len(components.result) == 500
                assert len(components.changed.ids) == len(components.changed.values)
                graph.degree([1, 2, 3])
                meerkat.bfs(graph, source=1)
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=change, args=(seed,)) for seed in range(3)]
    threads += [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    np.testing.assert_array_equal(components.to_numpy(), meerkat.wcc(graph).to_numpy())


def test_other_threads_run_meanwhile() -> None:
    graph, beats, done = random_graph(20_000, 200_000), [], threading.Event()

    def beat() -> None:
        while not done.is_set():
            beats.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    start = time.perf_counter()
    meerkat.pagerank(graph, iterations=100)
    end = time.perf_counter()
    done.set()
    thread.join()
    inside = [b for b in beats if start < b < end]
    assert len(inside) > 5 or end - start < 0.05


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_work_and_leaves_the_graph_as_it_was() -> None:
    graph = random_graph(20_000, 200_000)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        meerkat.pagerank(graph, iterations=2**31)
    assert time.perf_counter() - start < 30
    timer.join()
    before = graph.edge_count
    ranks = graph.track("pagerank", iterations=10, method="static")
    assert abs(float(ranks.to_numpy().sum()) - 1) < 1e-9
    assert graph.edge_count == before


def test_every_kind_of_error_has_a_class() -> None:
    if not SOURCES.is_dir():
        pytest.skip("SKIPPED: the sources of meerkat-runtime are not there")
    found = re.findall(r"^    ([A-Z]\w+)(?: \{|,|\()", (SOURCES / "error.rs").read_text(), re.M)
    kinds = set(found) - {"Cuda", "Read"}
    assert kinds
    assert kinds == set(meerkat._errors._BASES)
    for kind in kinds:
        name = f"{kind}Error"
        assert issubclass(getattr(meerkat.errors, name), meerkat.MeerkatError)


def test_errors_of_files_are_what_python_has() -> None:
    with pytest.raises(FileNotFoundError) as raised:
        Graph.read("no-such-file.txt")
    assert isinstance(raised.value, meerkat.ReadError)
    assert type(raised.value).__name__ == "ReadNotFoundError"


def test_nvrtc_of_the_wheel_is_found_without_a_path() -> None:
    library = _nvrtc.preload()
    if library is None:
        pytest.skip("SKIPPED: the wheel nvidia-cuda-nvrtc is not installed")
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    code = "from meerkat import _meerkat; print(_meerkat.nvrtc_version(), _meerkat.check_kernels())"
    output = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert re.match(r"\(1[2-9], \d+\) \d+", output)


def test_the_version_is_that_of_the_crates() -> None:
    from importlib.metadata import version

    assert meerkat.__version__ == version("meerkat-graph") == _meerkat.__version__


def test_examples_in_docstrings() -> None:
    import doctest

    for module in (meerkat, meerkat._graph):
        assert doctest.testmod(module).failed == 0
