"""Times of the Python package, on one device.

    python benches/measure.py [cpu | cuda] [--edges 1000000]

Prints a line for each figure; needs NumPy and NetworkX, and PyTorch and pyg-lib for some. Times are the
median of several runs, after one that compiles kernels.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

import meerkat
from meerkat.networkx import DiGraph
from meerkat.networkx._convert import to_meerkat
from meerkat.sampling import sample_subgraph


def median(act: Callable[[], Any], runs: int = 7) -> float:
    """Return the median time of runs in seconds, after one that does not count."""
    act()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def say(name: str, seconds: float, note: str = "") -> None:
    """Print a figure."""
    print(f"{name:58} {seconds * 1e3:12.3f} ms  {note}", flush=True)


def columns(ends: np.ndarray, device: str) -> tuple[Any, Any]:
    """Return ends of edges, on the GPU if that is the device."""
    if device == "cpu":
        return ends[0], ends[1]
    import torch

    on_gpu = torch.as_tensor(ends.astype(np.int32), device=device)
    return on_gpu[0].contiguous(), on_gpu[1].contiguous()


def apply(device: str, random: np.random.Generator, vertices: int, edges: int) -> None:
    """Batches of 2^20 edges and of one."""
    for count in (1 << 20, 1):
        base = random.integers(0, vertices, (2, edges), dtype=np.uint32)
        graph = meerkat.Graph.from_edges(*base, vertices=vertices, device=device)
        new = columns(random.integers(0, vertices, (2, count), dtype=np.uint32), device)
        graph.apply(insert=new)
        graph.apply(delete=new)

        def both(new: Any = new, graph: meerkat.Graph = graph) -> None:
            graph.apply(insert=new)
            graph.apply(delete=new)

        def native(new: Any = new, graph: meerkat.Graph = graph) -> None:
            lent = (*new, None)
            graph._native.apply(None, lent)
            graph._native.apply(lent, None)

        runs = 9 if count > 1 else 2001
        say(f"apply, insert and delete {count} edges", median(both, runs) / 2, "each of two")
        say("  the same of the native class", median(native, runs) / 2, "each of two")


def networkx(device: str, random: np.random.Generator, vertices: int, edges: int) -> None:
    """PageRank of a graph that changes, and conversions."""
    pairs = random.integers(0, vertices, (edges, 2)).tolist()
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(vertices))
    theirs.add_edges_from(pairs)
    ours = DiGraph(map(tuple, pairs), nodes=range(vertices), device=device)
    nx.pagerank(ours)
    mine, networkxs, worst = [], [], 0.0
    for turn in range(4):
        batch = [tuple(pair) for pair in random.integers(0, vertices, (1000, 2)).tolist()]
        ours.apply(insert=batch)
        theirs.add_edges_from(batch)
        start = time.perf_counter()
        found = nx.pagerank(ours)
        middle = time.perf_counter()
        expected = nx.pagerank(theirs, weight=None, backend="networkx")
        end = time.perf_counter()
        if turn:
            mine.append(middle - start)
            networkxs.append(end - middle)
        exact = nx.pagerank(theirs, weight=None, tol=1e-12 / vertices, max_iter=500, backend="networkx")
        worst = max(worst, max(abs(found[v] - exact[v]) for v in exact))
        del expected
    say("nx.pagerank of the backend's class, after 1000 edges", statistics.median(mine))
    factor = statistics.median(networkxs) / statistics.median(mine)
    say("nx.pagerank of NetworkX", statistics.median(networkxs), f"{factor:.0f} times, off by {worst:.1e}")
    nx.config.backends.meerkat.device = device
    converted = median(lambda: to_meerkat(theirs), 3)
    scipy = median(lambda: nx.to_scipy_sparse_array(theirs, weight=None), 3)
    say("conversion of a plain graph", converted, f"{converted / scipy:.2f} times that of SciPy")


def sampling(device: str, random: np.random.Generator, vertices: int, edges: int) -> None:
    """15 x 10 neighbours of 1,024 seeds, with batches between."""
    ends = random.integers(0, vertices, (2, edges), dtype=np.uint32)
    graph = meerkat.Graph.from_edges(*ends, vertices=vertices, device=device)
    batches = [columns(random.integers(0, vertices, (2, 1000), dtype=np.uint32), device) for _ in range(4)]
    seeds = random.permutation(vertices)[:1024]
    turn = 0

    def ours() -> None:
        nonlocal turn
        graph.apply(insert=batches[turn % 4])
        sample_subgraph(graph, seeds, [15, 10], seed=turn)
        if device != "cpu":
            import torch

            torch.cuda.synchronize()
        turn += 1

    mine = median(ours, 15)
    say("a batch of 1000 edges and a sample of 15 x 10 for 1024", mine)
    try:
        import pyg_lib
        import torch
    except ImportError:
        print("(pyg-lib is not there)")
        return
    into = np.lexsort((ends[0], ends[1]))
    offsets = torch.as_tensor(np.searchsorted(ends[1][into], np.arange(vertices + 1)))
    neighbors, chosen = torch.as_tensor(ends[0][into].astype(np.int64)), torch.as_tensor(seeds)
    # A call of pyg-lib has one thread, but what copies its answer may have all.
    for threads in (torch.get_num_threads(), 1):
        torch.set_num_threads(threads)
        theirs = median(lambda: pyg_lib.sampler.neighbor_sample(offsets, neighbors, chosen, [15, 10]), 15)
        say(f"a sample of pyg-lib on the CPU, {threads} threads", theirs, f"{theirs / mine:.1f} times ours")


def main() -> None:
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("device", nargs="?", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--edges", type=int, default=1_000_000)
    asked = parser.parse_args()
    vertices, random = asked.edges // 8, np.random.default_rng(1)
    print(f"meerkat {meerkat.__version__} on {meerkat.Graph.from_edges([0], [1], device=asked.device).device}")
    for part in (apply, networkx, sampling):
        part(asked.device, random, vertices, asked.edges)


if __name__ == "__main__":
    main()
