"""Samples and walks over a graph that changes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import meerkat
from meerkat import Graph
from meerkat.sampling import random_walk, sample_neighbors, sample_subgraph


def host(array: object) -> np.ndarray:
    return np.asarray(array.to_host()) if isinstance(array, meerkat.Array) else np.asarray(array)


def star(k: int, device: str, container: str = "compact") -> Graph:
    return Graph.from_edges(np.arange(1, k + 1), np.zeros(k, int), device=device, container=container)


@pytest.mark.parametrize(("k", "fanout"), [(5, 2), (6, 3), (3, 3), (2, 4), (40, 1)])
def test_every_set_of_neighbours_is_as_likely(device: str, container: str, k: int, fanout: int) -> None:
    graph, draws = star(k, device, container), 6000
    sampled, counts = (host(a) for a in sample_neighbors(graph, np.zeros(draws, int), fanout, seed=3))
    size = min(k, fanout)
    assert counts.tolist() == [size] * draws
    sets = Counter(tuple(sorted(row[:size])) for row in sampled.reshape(draws, fanout).tolist())
    possible = list(combinations(range(1, k + 1), size))
    assert set(sets) <= set(possible)
    expected = draws / len(possible)
    chi = sum((sets[each] - expected) ** 2 / expected for each in possible)
    # Far beyond what chance does: the mean is the number of sets less 1.
    assert chi < len(possible) + 6 * np.sqrt(2 * len(possible)) + 6


def test_draws_repeat_and_follow_batches(device: str) -> None:
    graph = star(100, device)
    first, again, other = (
        host(sample_neighbors(graph, [0], 10, seed=seed)[0]).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other
    graph.apply(delete=(np.arange(2, 101), np.zeros(99, int)))
    sampled, counts = sample_neighbors(graph, [0, 1], 2)
    assert host(counts).tolist() == [1, 0]
    assert host(sampled).reshape(2, 2).tolist() == [[1, meerkat.UNREACHED], [meerkat.UNREACHED] * 2]
    assert host(sample_neighbors(graph, [1], 3, side="out")[1]).tolist() == [1]


def test_edges_after_a_time_are_left_out(device: str, container: str) -> None:
    times = np.arange(1, 51)
    graph = Graph.from_edges(times, np.zeros(50, int), times, device=device, container=container)
    sampled, counts = (host(a) for a in sample_neighbors(graph, [0] * 4, 8, latest=[0, 5, 20, 50]))
    assert counts.tolist() == [0, 5, 8, 8]
    rows = sampled.reshape(4, 8)
    assert sorted(rows[1, :5].tolist()) == [1, 2, 3, 4, 5]
    assert rows[2].max() <= 20
    drawn = host(sample_neighbors(graph, [0] * 3000, 8, latest=[20] * 3000)[0])
    counted = np.bincount(drawn.reshape(-1), minlength=21)[1:]
    assert counted.min() > 1000
    with pytest.raises(ValueError, match="uint32"):
        sample_neighbors(star(3, device), [0], 1, latest=[1])


def test_vertices_outside_the_graph_are_refused(device: str) -> None:
    graph = star(3, device)
    with pytest.raises(IndexError, match="place 1"):
        sample_neighbors(graph, [0, 4], 2)
    with pytest.raises(IndexError, match="place 0"):
        random_walk(graph, [9], 2)


@pytest.mark.parametrize("disjoint", [False, True])
def test_subgraphs_are_of_edges_that_are_there(device: str, disjoint: bool) -> None:
    if device != "cpu":
        pytest.importorskip("torch")
    ends = np.random.default_rng(5).integers(0, 200, (2, 2000))
    graph = Graph.from_edges(*ends, vertices=200, device=device)
    seeds = np.array([3, 50, 7, 120])
    drawn = sample_subgraph(graph, seeds, [4, 3], disjoint=disjoint, seed=9)
    node, row, col = (np.asarray(a.cpu() if hasattr(a, "cpu") else a) for a in (drawn.node, drawn.row, drawn.col))
    assert node[:4].tolist() == seeds.tolist()
    assert graph.has_edge(node[row], node[col]).all()
    assert sum(drawn.nodes_of_hops) == len(node)
    assert sum(drawn.edges_of_hops) == len(row) == len(col)
    assert np.bincount(col)[:4].tolist() == np.minimum(graph.degree(seeds, side="in"), 4).tolist()
    assert len(set(zip(row.tolist(), col.tolist(), strict=True))) == len(row)
    assert row.max() == len(node) - 1
    if disjoint:
        batch = np.asarray(drawn.batch.cpu() if hasattr(drawn.batch, "cpu") else drawn.batch)
        assert (batch[row] == batch[col]).all()
        assert len(set(zip(batch.tolist(), node.tolist(), strict=True))) == len(node)
    else:
        assert len(set(node.tolist())) == len(node)


def test_temporal_subgraphs_never_look_ahead() -> None:
    random = np.random.default_rng(6)
    src, dst, when = random.integers(0, 100, (3, 1500))
    graph = Graph.from_edges(src, dst, when, vertices=100, device="cpu")
    edges = graph.edges()
    time_of = {(u, v): t for u, v, t in zip(*(c.tolist() for c in edges), strict=True)}
    times = np.array([10, 50, 90])
    drawn = sample_subgraph(graph, [1, 2, 3], [5, 5], times=times)
    for u, v in zip(drawn.row.tolist(), drawn.col.tolist(), strict=True):
        assert time_of[int(drawn.node[u]), int(drawn.node[v])] <= times[drawn.batch[v]]


def test_walks_follow_edges(device: str, container: str) -> None:
    ends = np.random.default_rng(7).integers(0, 50, (2, 300))
    graph = Graph.from_edges(*ends, vertices=51, device=device, container=container)
    walks = host(random_walk(graph, np.arange(51), 12, seed=4)).reshape(51, 13)
    assert walks[:, 0].tolist() == list(range(51))
    assert walks[50].tolist() == [50] * 13
    stays = walks[:, :-1] == walks[:, 1:]
    there = graph.has_edge(walks[:, :-1].reshape(-1), walks[:, 1:].reshape(-1)).reshape(51, 12)
    ends_here = graph.degree(walks[:, :-1].reshape(-1)).reshape(51, 12) == 0
    assert (there | (stays & ends_here)).all()


def test_steps_of_node2vec_have_their_weights(device: str) -> None:
    # From 1, after 0: back to 0; to 2, a neighbour of 0; to 3, which is none.
    src, dst = [0, 1, 1, 1, 0], [1, 0, 2, 3, 2]
    graph = Graph.from_edges(src, dst, device=device)
    p, q, draws = 4.0, 0.5, 30_000
    walks = host(random_walk(graph, np.zeros(draws, int), 2, p=p, q=q, seed=8)).reshape(draws, 3)
    steps = Counter(walks[walks[:, 1] == 1][:, 2].tolist())
    weights = {0: 1 / p, 2: 1.0, 3: 1 / q}
    total = sum(steps.values())
    for vertex, weight in weights.items():
        assert abs(steps[vertex] / total - weight / sum(weights.values())) < 0.02


def test_a_sampler_for_pytorch_geometric(device: str) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    from torch_geometric.data import Data
    from torch_geometric.loader import NodeLoader

    from meerkat.pyg import NeighborSampler

    ends = np.random.default_rng(5).integers(0, 200, (2, 2000))
    graph = Graph.from_edges(*ends, vertices=200, device=device)
    data = Data(x=torch.arange(200).float()[:, None], edge_index=torch.as_tensor(ends), num_nodes=200)
    loader = NodeLoader(
        data, node_sampler=NeighborSampler(graph, [4, 3], seed=1), input_nodes=torch.arange(40), batch_size=8
    )
    batches = 0
    for batch in loader:
        nodes = batch.x[:, 0].long().numpy()
        assert graph.has_edge(*(nodes[end] for end in batch.edge_index.numpy())).all()
        assert nodes[:8].tolist() == batch.input_id.tolist()
        graph.apply(insert=tuple(np.random.default_rng(batches).integers(0, 200, (2, 10))))
        batches += 1
    assert batches == 5


# What is refused, and ends of ranges.


def times_of(src: list[int], when: list[int]) -> Graph:
    return Graph.from_edges(src, [0] * len(src), np.array(when, np.uint32), device="cpu")


@pytest.mark.parametrize(
    ("time", "found"), [(-1, 0), (0, 1), (5, 2), (2**32 - 1, 3), (2**32 + 5, 3), (2**63 - 1, 3), (-(2**33), 0)]
)
def test_times_beyond_the_weights_are_not_wrapped(time: int, found: int) -> None:
    graph = times_of([1, 2, 3], [0, 5, 2**32 - 1])
    sampled, counts = sample_neighbors(graph, [0], 4, latest=[time])
    assert counts.tolist() == [found]
    assert (sampled != meerkat.UNREACHED).sum() == found
    drawn = sample_subgraph(graph, [0], [4, 4], times=[time])
    assert drawn.edges_of_hops[0] == found
    assert sorted(drawn.node.tolist()) == [0, *range(1, found + 1)]


def test_times_are_integers_and_one_for_each_seed() -> None:
    graph = times_of([1, 2], [3, 4])
    with pytest.raises(TypeError, match="times"):
        sample_subgraph(graph, [0], [2], times=[0.5])
    with pytest.raises(ValueError, match="pass one for each"):
        sample_subgraph(graph, [0], [2], times=[1, 2])


@pytest.mark.parametrize("seed", [-1, 3, 2**32, 2**32 + 1, 2**63])
@pytest.mark.parametrize("fanouts", [[2], []])
def test_seeds_outside_the_graph_are_refused(seed: int, fanouts: list[int]) -> None:
    graph = times_of([1, 2], [3, 4])
    with pytest.raises(IndexError, match=r"`seeds` has -?\d+ at place 1"):
        sample_subgraph(graph, np.array([0, seed], np.int64 if seed < 0 else np.uint64), fanouts)


def test_a_fanout_of_none_and_one_below() -> None:
    graph = star(4, "cpu")
    sampled, counts = sample_neighbors(graph, [0, 1], 0)
    assert sampled.shape == (2, 0)
    assert counts.tolist() == [0, 0]
    drawn = sample_subgraph(graph, [0, 1], [0, 3])
    assert (drawn.node.tolist(), drawn.edges_of_hops) == ([0, 1], [0, 0])
    for call in (lambda: sample_neighbors(graph, [0], -1), lambda: sample_subgraph(graph, [0], [2, -1])):
        with pytest.raises(ValueError, match="0 or more, and not -1"):
            call()
    assert sample_neighbors(graph, [], 3)[0].shape == (0, 3)
    assert random_walk(graph, [], 3).shape == (0, 4)


@pytest.mark.parametrize(
    "options", [{"p": float("nan")}, {"q": float("nan")}, {"p": 0.0}, {"q": -1.0}, {"p": float("inf")}, {"p": 1e-13}]
)
def test_weights_of_steps_are_checked(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="above 0|differ by more"):
        random_walk(star(3, "cpu"), [1], 2, **options)


def test_lengths_of_walks_are_checked() -> None:
    for length in (-1, 2**24):
        with pytest.raises(ValueError, match="below 2"):
            random_walk(star(3, "cpu"), [1], length)
    native = star(3, "cpu")._native
    with pytest.raises(ValueError, match="fewer than 2"):
        native.walk(np.array([1], np.uint32), 2**24, [1.0, 1.0, 1.0], 0)


def test_walks_far_apart_draw_differently() -> None:
    # Counters of walks from 2^24 on were those of others.
    graph = Graph.from_edges([0] * 64, np.arange(1, 65), device="cpu")
    walks = random_walk(graph, np.zeros(2**24 + 64, np.uint32), 1, seed=5)[:, 1]
    assert not np.array_equal(walks[:64], walks[2**24 :])


@pytest.mark.parametrize(("p", "q"), [(1e-4, 1.0), (1.0, 1e-4), (1e4, 1.0), (1e-3, 1e3)])
def test_steps_of_node2vec_from_a_hub_have_their_weights(p: float, q: float) -> None:
    # 0 leads to the hub, and to half of the vertices that the hub leads to.
    spokes, draws = 400, 4000
    others = np.arange(2, spokes + 2)
    near = others[: spokes // 2]
    src = np.concatenate([[0, 1], np.full(len(near), 0), np.full(spokes, 1)])
    dst = np.concatenate([[1, 0], near, others])
    graph = Graph.from_edges(src, dst, device="cpu")
    walks = random_walk(graph, np.zeros(draws * 210, int), 2, p=p, q=q, seed=8)
    ends = walks[walks[:, 1] == 1][:, 2]
    assert len(ends) > draws / 2
    weights = {"back": 1 / p, "near": len(near) * 1.0, "far": (spokes - len(near)) / q}
    found = {"back": (ends == 0).mean(), "near": np.isin(ends, near).mean()}
    found["far"] = 1 - found["back"] - found["near"]
    for name, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(found[name] - share) < 4 * np.sqrt(share * (1 - share) / len(ends)) + 1e-3, name


@pytest.mark.parametrize("disjoint", [False, True])
def test_seeds_that_repeat_keep_their_places(disjoint: bool) -> None:
    ends = np.random.default_rng(5).integers(0, 50, (2, 400))
    graph = Graph.from_edges(*ends, vertices=50, device="cpu")
    seeds = np.array([7, 3, 7, 7, 9])
    drawn = sample_subgraph(graph, seeds, [4, 3], disjoint=disjoint, seed=2)
    assert drawn.node[:5].tolist() == seeds.tolist()
    assert drawn.nodes_of_hops[0] == 5
    assert graph.has_edge(drawn.node[drawn.row], drawn.node[drawn.col]).all()
    into = np.minimum(graph.degree(seeds, side="in"), 4)
    assert np.bincount(drawn.col, minlength=5)[:5].tolist() == into.tolist()
    if not disjoint:
        assert len(set(drawn.node[5:].tolist()) | set(seeds.tolist())) == len(drawn.node) - 2
        assert 2 not in drawn.row.tolist()


def test_seeds_that_repeat_in_a_batch_of_pytorch_geometric() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    from torch_geometric.data import Data
    from torch_geometric.loader import NodeLoader

    from meerkat.pyg import NeighborSampler

    ends = np.random.default_rng(5).integers(0, 50, (2, 400))
    graph = Graph.from_edges(*ends, vertices=50, device="cpu")
    data = Data(x=torch.arange(50).float()[:, None], edge_index=torch.as_tensor(ends), num_nodes=50)
    seeds = torch.tensor([7, 7, 3, 7])
    sampler = NeighborSampler(graph, [4, 3], seed=1)
    for batch in NodeLoader(data, node_sampler=sampler, input_nodes=seeds, batch_size=4):
        assert batch.x[: batch.batch_size, 0].long().tolist() == seeds.tolist()


def test_seeds_on_a_gpu_are_read_in_all_their_types(device: str) -> None:
    if device == "cpu":
        pytest.skip("SKIPPED: there is no GPU")
    torch = pytest.importorskip("torch")
    graph = Graph.from_edges(*np.random.default_rng(3).integers(0, 50, (2, 400)), vertices=50, device=device)
    seeds = [7, 3, 7, 9]
    expected = sample_subgraph(graph, seeds, [4, 3], seed=2)
    wide = torch.as_tensor([[seed, 0] for seed in seeds], device="cuda")
    tensors = [torch.as_tensor(seeds, device="cuda").to(kind) for kind in (torch.int16, torch.int32, torch.int64)]
    for given in (*tensors, wide[:, 0]):
        drawn = sample_subgraph(graph, given, [4, 3], seed=2)
        for found, wanted in ((drawn.node, expected.node), (drawn.row, expected.row), (drawn.col, expected.col)):
            assert found.tolist() == wanted.tolist()
    assert len(sample_subgraph(graph, tensors[0][:0], [4, 3]).node) == 0
    for wrong in (-1, 50, 2**32, 2**32 + 1):
        with pytest.raises(IndexError, match="`seeds` has no vertex of the graph at place 1: there are 50"):
            sample_subgraph(graph, torch.as_tensor([0, wrong, 3], device="cuda"), [2])
    assert sample_subgraph(graph, seeds, [4, 3], seed=2).node.tolist() == expected.node.tolist()


def test_a_sample_after_vertices_are_added_has_those(device: str) -> None:
    if device != "cpu":
        pytest.importorskip("torch")
    graph = Graph.from_edges([0, 1], [1, 0], device=device)
    for count in (1, 1, 40):
        assert sorted(sample_subgraph(graph, [0], [3, 3]).node.tolist())[:2] == [0, 1]
        new = graph.add_vertices(count)[-1]
        graph.apply(insert=([new], [0]))
        assert int(new) in sample_subgraph(graph, [0], [99]).node.tolist()
        with pytest.raises(IndexError):
            sample_subgraph(graph, [int(new) + 1], [3])
