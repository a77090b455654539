"""Threads, signals, errors and the installed package."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
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


def run(code: str) -> None:
    """Run a program that must end by itself, and well."""
    program = "import gc, os, signal, threading\nimport numpy as np\nimport meerkat\n" + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


#: A graph, and ranks that make each batch take a while: longer than work goes on before it asks for signals,
#: on 16 fast cores, too.
LONG = """
    ends = np.random.default_rng(1).integers(0, 20_000, (2, 200_000), dtype=np.uint32)
    graph = meerkat.Graph.from_edges(*ends, vertices=20_000, device="cpu")
    ranks = graph.track("pagerank", iterations=1000, method="static")
    other = meerkat.Graph.from_edges(["a"], ["b"], device="cpu")
"""

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@posix
def test_a_signal_handler_that_asks_the_graph_is_refused_and_does_not_hang() -> None:
    run(LONG + """
    refused, calls = [], [
        lambda: graph.edge_count, lambda: graph.vertex_count, lambda: graph.device, lambda: repr(graph),
        lambda: ranks.result, lambda: ranks.changed, lambda: graph.apply(insert=([0], [1])),
        lambda: graph.compute("wcc"), lambda: other.edges(), lambda: other.apply(insert=(["c"], ["a"])),
        lambda: graph.save("nowhere"), lambda: ranks.stop(), lambda: graph.track("wcc"),
    ]
    def handler(*_):
        for call in calls:
            try:
                call()
            except RuntimeError as error:
                refused.append(str(error))
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    for turn in range(100):
        graph.apply(insert=([turn], [turn + 1]))
        if refused:
            break
    assert len(refused) == len(calls), refused
    assert "while its thread is at work" in refused[0]
    assert graph.vertex_count == 20_000
    # Ctrl-C still ends what comes later.
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        meerkat.pagerank(graph, iterations=2**31)
    except KeyboardInterrupt:
        os._exit(0)
    os._exit(1)
    """)


@posix
def test_a_signal_handler_is_refused_while_another_thread_waits_for_the_graph() -> None:
    run(LONG + """
    other = meerkat.Graph.from_edges(["a"] * 2, ["b", "c"], device="cpu")
    refused = []
    def handler(*_):
        try:
            ranks.changed
        except RuntimeError as error:
            refused.append(error)
    def look():
        while not refused:
            ranks.changed
    thread = threading.Thread(target=look)
    thread.start()
    signal.signal(signal.SIGALRM, handler)
    # Again and again: one may come between two batches, where nothing is refused.
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    for turn in range(100):
        graph.apply(insert=([turn], [turn + 1]))
        if refused:
            break
    signal.setitimer(signal.ITIMER_REAL, 0)
    refused.append(None)
    thread.join()
    assert len(refused) > 1
    """)


@posix
def test_an_answer_that_is_collected_inside_of_work_does_not_hang() -> None:
    run(LONG + """
    held = [graph.track("wcc"), other.track("wcc")]
    held.append(held)
    done = []
    def handler(*_):
        held.clear()
        gc.collect()
        done.append(1)
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    for turn in range(100):
        graph.apply(insert=([turn], [turn + 1]))
        if done:
            break
    assert done
    graph.apply(insert=([5], [6]))
    """)


@posix
def test_ctrl_c_takes_a_batch_back() -> None:
    run(LONG + """
    levels, before = graph.track("bfs", source=0), graph.edge_count
    version, shown = graph.version, levels.to_numpy().copy()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for turn in range(100):
        signal.setitimer(signal.ITIMER_REAL, 0.15)
        try:
            graph.apply(insert=(np.arange(9_000), np.arange(9_000) + 7), delete=tuple(ends[:, :5_000]))
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            break
        graph = meerkat.Graph.from_edges(*ends, vertices=20_000, device="cpu")
        ranks = graph.track("pagerank", iterations=1000, method="static")
        levels, version = graph.track("bfs", source=0), graph.version
    assert graph.edge_count == before and graph.version == version
    assert (levels.to_numpy() == shown).all()
    assert (levels.to_numpy() == meerkat.bfs(graph, source=0).to_numpy()).all()
    np.testing.assert_allclose(ranks.to_numpy(), meerkat.pagerank(graph, iterations=300).to_numpy())
    """)


@posix
def test_ctrl_c_ends_a_load(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    random_graph(200_000, 4_000_000).save(path)
    run(f"""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for after in (0.3, 0.6, 0.15, 0.08):
        signal.setitimer(signal.ITIMER_REAL, after)
        try:
            meerkat.Graph.load({str(path)!r}, device="cpu")
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            os._exit(0)
    print("each load was faster than the signal, or did not see it")
    os._exit(1)
    """)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_is_refused_and_does_not_hang() -> None:
    run(LONG + """
    calls = [
        lambda: graph.edge_count, lambda: graph.degree([0]), lambda: ranks.result, lambda: other.edges(),
        lambda: meerkat.Graph.from_edges([0] * 100_000, range(100_000), device="cpu"),
        lambda: ranks.changed, lambda: meerkat._meerkat.Table(ends[0], ends[1]), lambda: meerkat.devices(),
    ]
    child = os.fork()
    if child == 0:
        refused = 0
        for call in calls:
            try:
                call()
            except RuntimeError as error:
                refused += "spawn" in str(error) and "num_workers=0" in str(error)
        del ranks, graph
        gc.collect()
        os._exit(0 if refused == len(calls) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    graph.apply(insert=([1], [2]))
    """)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_that_was_forked_before_any_work_works() -> None:
    run("""
    child = os.fork()
    if child == 0:
        graph = meerkat.Graph.from_edges([0, 1], [1, 2], device="cpu")
        os._exit(0 if graph.edge_count == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    """)


@posix
def test_ctrl_c_ends_work_and_leaves_the_graph_as_it_was() -> None:
    # A shell has it ignored by what it runs in the background.
    before_it = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        check_that_ctrl_c_ends_work(random_graph(20_000, 200_000))
    finally:
        signal.signal(signal.SIGINT, before_it)


def check_that_ctrl_c_ends_work(graph: Graph) -> None:
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


def test_threads_get_the_same_changes() -> None:
    graph = random_graph(300, 300)
    levels, found, barrier = graph.track("bfs", source=0), [], threading.Barrier(9)

    def look() -> None:
        for _ in range(40):
            barrier.wait()
            found.append(levels.changed)
            barrier.wait()

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    before = levels.to_numpy()
    for turn in range(40):
        graph.apply(insert=([0], [turn + 10]), delete=([0], [turn + 9]))
        barrier.wait()
        barrier.wait()
        after = levels.to_numpy()
        assert len({id(changed) for changed in found}) == 1
        assert set(np.flatnonzero(before != after).tolist()) <= set(found[0].ids.tolist())
        found.clear()
        before = after
    for thread in threads:
        thread.join()


def test_a_refused_batch_does_not_take_changes_away() -> None:
    graph = Graph.from_edges([0, 1], [1, 2], vertices=4, device="cpu")
    levels = graph.track("bfs", source=0)
    graph.apply(insert=([2], [3]))
    for _ in range(2):
        with pytest.raises(IndexError):
            graph.apply(insert=([0], [99]))
        assert levels.changed.ids.tolist() == [3]
    changed, version = levels.changed, graph.version
    graph.compact()
    assert (levels.changed is changed, graph.version) == (True, version)
    assert levels.answer is levels.answer
