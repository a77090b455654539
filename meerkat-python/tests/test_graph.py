"""A graph and its batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import meerkat
from meerkat import Graph


def pairs(edges: meerkat.Edges) -> list[tuple[object, ...]]:
    columns = [np.asarray(c.to_host()) if isinstance(c, meerkat.Array) else c for c in edges if c is not None]
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def test_edges_come_and_go_exactly(device: str, container: str) -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], device=device, container=container)
    assert (graph.vertex_count, graph.edge_count, graph.directed) == (3, 3, True)
    change = graph.apply(insert=([0, 0], [1, 2]), delete=([1, 2], [2, 1]))
    assert pairs(change.deleted) == [(1, 2)]
    assert pairs(change.inserted) == [(0, 2)]
    assert graph.has_edge([0, 0, 1], [1, 2, 2]).tolist() == [True, True, False]
    assert not graph.apply(delete=([1], [2]))
    assert graph.has_edge(0, 1) is True


def test_the_last_weight_counts(device: str, container: str) -> None:
    graph = Graph.from_edges([0, 0], [1, 1], [5, 7], device=device, container=container)
    assert graph.weight_dtype == np.uint32
    assert graph.edges().weight.tolist() == [7]
    change = graph.apply(insert=([0], [1], [9]))
    assert pairs(change.deleted) == [(0, 1, 7)]
    assert pairs(change.inserted) == [(0, 1, 9)]
    with pytest.raises(ValueError, match="integers from 0"):
        graph.apply(insert=([0], [1], [0.5]))
    with pytest.raises(ValueError, match="pass one for each edge"):
        graph.apply(insert=([0], [1]))


def test_an_undirected_edge_is_two_arcs(device: str, container: str) -> None:
    graph = Graph.from_edges([0, 1], [1, 2], [0.5, 1.5], directed=False, device=device, container=container)
    assert graph.edge_count == 4
    assert graph.neighbors(1).tolist() == [0, 2]
    assert graph.degree().tolist() == [1, 2, 1]
    assert pairs(graph.apply(delete=([1], [0])).deleted) == [(0, 1, 0.5), (1, 0, 0.5)]


@pytest.mark.parametrize("seed", range(5))
def test_random_batches_match_a_set(device: str, container: str, seed: int) -> None:
    random, n = np.random.default_rng(seed), 40
    graph = Graph.from_edges([], [], device=device, container=container, vertices=n)
    expected: set[tuple[int, int]] = set()
    for _ in range(8):
        gone = [tuple(e) for e in random.integers(0, n, (30, 2)).tolist()]
        new = [tuple(e) for e in random.integers(0, n, (60, 2)).tolist()]
        before = set(expected)
        expected = (expected - set(gone)) | set(new)
        change = graph.apply(insert=tuple(zip(*new, strict=True)), delete=tuple(zip(*gone, strict=True)))
        assert set(pairs(change.deleted)) == before - expected
        assert set(pairs(change.inserted)) == expected - before
        assert pairs(graph.edges()) == sorted(expected)
    out, into = np.zeros(n, int), np.zeros(n, int)
    for src, dst in expected:
        out[src] += 1
        into[dst] += 1
    assert graph.degree().tolist() == out.tolist()
    assert graph.degree(side="in").tolist() == into.tolist()
    some = random.integers(0, n, 17)
    assert graph.degree(some).tolist() == out[some].tolist()
    rows = graph.neighbors(some)
    for row, vertex in enumerate(some.tolist()):
        found = rows.neighbors[int(rows.offsets[row]) : int(rows.offsets[row + 1])]
        assert found.tolist() == sorted(dst for src, dst in expected if src == vertex)
    assert graph.neighbors(3, side="in").tolist() == sorted(src for src, dst in expected if dst == 3)


def test_a_refused_batch_changes_nothing(device: str, container: str) -> None:
    graph = Graph.from_edges([0, 1], [1, 2], device=device, container=container)
    with pytest.raises(meerkat.errors.VertexOutOfRangeError) as raised:
        graph.apply(insert=([0, 3], [2, 99]), delete=([0], [1]))
    assert isinstance(raised.value, IndexError)
    assert "99" in str(raised.value)
    assert pairs(graph.edges()) == [(0, 1), (1, 2)]
    with pytest.raises(ValueError, match=r"`dst` has -1 at place 1"):
        graph.apply(insert=([0, 1], [2, -1]))


def test_rows_tables_and_files(device: str, container: str, tmp_path: Path) -> None:
    graph = Graph.from_edges([2, 0, 0], [0, 2, 1], [1.5, 2.5, 3.5], device=device, container=container)
    rows = graph.to_csr()
    assert rows.offsets.tolist() == [0, 2, 2, 3]
    assert rows.neighbors.tolist() == [1, 2, 0]
    assert rows.weights is not None
    assert rows.weights.tolist() == [3.5, 2.5, 1.5]
    graph.save(tmp_path / "graph.mkt")
    loaded = Graph.load(tmp_path / "graph.mkt", container="slabs", device=device)
    assert pairs(loaded.edges()) == pairs(graph.edges())
    assert (loaded.container, loaded.weight_dtype) == ("slabs", np.float32)
    with pytest.raises(meerkat.errors.SnapshotError):
        Graph.load(Path(__file__), device=device)


def test_vertices_come_and_go(device: str, container: str) -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], device=device, container=container)
    levels = graph.track("bfs", source=0)
    assert graph.add_vertices(2).tolist() == [3, 4]
    graph.apply(insert=([2], [4]))
    assert np.asarray(levels).tolist() == [0, 1, 2, meerkat.UNREACHED, 3]
    assert pairs(graph.delete_vertices([1]).deleted) == [(0, 1), (1, 2)]
    assert np.asarray(levels).tolist() == [0] + [meerkat.UNREACHED] * 4
    with pytest.raises(meerkat.errors.VertexDeletedError):
        graph.apply(insert=([0], [1]))
    assert graph.add_vertices(1).tolist() == [1]


def test_labels_are_mapped_and_mapped_back(device: str, tmp_path: Path) -> None:
    graph = Graph.from_edges(["ann", "bob"], ["bob", "cid"], device=device)
    assert graph.labels is not None
    assert graph.labels.tolist() == ["ann", "bob", "cid"]
    change = graph.apply(insert=(["cid", "dot"], ["ann", "ann"]), delete=(["ann", "zoe"], ["bob", "bob"]))
    assert pairs(change.deleted) == [("ann", "bob")]
    assert pairs(change.inserted) == [("cid", "ann"), ("dot", "ann")]
    assert graph.neighbors("dot").tolist() == ["ann"]
    assert graph.has_edge(["dot", "dot", "zoe"], ["ann", "bob", "ann"]).tolist() == [True, False, False]
    levels = graph.track("bfs", source="dot")
    assert dict(zip(graph.labels.tolist(), levels.to_numpy().tolist(), strict=True))["ann"] == 1
    graph.apply(insert=(["ann"], ["bob"]))
    assert levels.changed.ids.tolist() == ["bob", "cid"]
    with pytest.raises(KeyError, match="zoe"):
        graph.degree(["zoe"])
    with pytest.raises(TypeError, match="labels of the graph are texts"):
        graph.apply(insert=([1], [2]))
    graph.save(tmp_path / "people")
    assert pairs(Graph.load(tmp_path / "people", device=device).edges()) == pairs(graph.edges())
    graph.delete_vertices(["ann"])
    assert not graph.has_edge("dot", "ann")
    assert graph.add_labels(["ann", "eve"]).tolist() == [0, 4]


def test_integer_labels(device: str) -> None:
    graph = Graph.from_edges([10**12, -5], [-5, 7], labels=True, directed=False, device=device)
    assert graph.vertices.tolist() == [-5, 7, 10**12]
    assert sorted(graph.neighbors(-5).tolist()) == [7, 10**12]
    with pytest.raises(meerkat.errors.NanWeightError):
        Graph.from_edges([1], [2], [float("nan")], labels=True, device=device)


def test_a_refused_batch_adds_no_labels(device: str) -> None:
    graph = Graph.from_edges([10], [20], [1.0], labels=True, device=device)
    with pytest.raises(meerkat.errors.NanWeightError):
        graph.apply(insert=([10], [30], [float("nan")]))
    assert not graph.has_edge(10, 30)
    graph.apply(insert=([40], [10], [2.0]))
    assert graph.neighbors(40).tolist() == [10]


def test_wrong_words_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no container 'rows'"):
        Graph.from_edges([0], [1], container="rows", device="cpu")
    with pytest.raises(ValueError, match="there is no device 'tpu'"):
        Graph.from_edges([0], [1], device="tpu")
    with pytest.raises(ValueError, match="`src` has 1 numbers and `dst` 2"):
        Graph.from_edges([0], [1, 2], device="cpu")
    with pytest.raises(TypeError, match="integers, and not float64"):
        Graph.from_edges([0.5], [1], device="cpu")
