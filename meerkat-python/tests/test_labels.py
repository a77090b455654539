"""Labels: of any integers, in files, while batches come and go, and after they were refused."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import meerkat
from meerkat import Graph


def people(**options: object) -> Graph:
    return Graph.from_edges(["ann", "bob", "cid"], ["bob", "cid", "ann"], device="cpu", **options)  # type: ignore[arg-type]


def arcs(graph: Graph) -> list[tuple[object, object]]:
    src, dst, *_ = graph.edges()
    return sorted(zip(src.tolist(), dst.tolist(), strict=True))


def test_large_integers_are_labels_beside_small_ones() -> None:
    src, dst = np.array([2**63 + 1, 2**63 + 2], np.uint64), np.array([7, 8], np.int64)
    graph = Graph.from_edges(src, dst, labels=True, device="cpu")
    assert graph.vertices.dtype == np.uint64
    assert graph.vertices.tolist() == [7, 8, 2**63 + 1, 2**63 + 2]
    assert graph.has_edge([2**63 + 1, 2**63 + 2], [7, 7]).tolist() == [True, False]
    assert graph.neighbors(2**63 + 2).tolist() == [8]
    assert not graph.has_edge([-1], [7])[0]
    graph.apply(insert=([9], [2**63 + 3]))
    assert graph.has_edge([9], [2**63 + 3])[0]
    with pytest.raises(OverflowError, match="uint64, which has no -1"):
        graph.apply(insert=([-1], [7]))
    with pytest.raises(OverflowError, match="below 0 and labels from 2"):
        Graph.from_edges(src, np.array([-7, 8]), labels=True, device="cpu")


def test_labels_beyond_the_type_of_the_graph_are_unknown_or_refused() -> None:
    graph = Graph.from_edges([-5, 2**53], [2**53 + 1, 6], labels=True, device="cpu")
    assert len(graph.vertices) == 4
    large = np.array([2**63 + 5], np.uint64)
    assert graph.has_edge(large, [6]).tolist() == [False]
    assert not graph.apply(delete=(large, [6]))
    with pytest.raises(KeyError, match=str(2**63 + 5)):
        graph.degree(large)
    for change in (lambda: graph.apply(insert=(large, [6])), lambda: graph.add_labels(large)):
        with pytest.raises(OverflowError, match="int64, which has no"):
            change()
    assert graph.vertex_count == 4


def test_a_saved_graph_keeps_which_labels_are_there(tmp_path: Path) -> None:
    graph = people()
    graph.delete_vertices(["bob"])
    graph.add_labels(["dot", "eve"])
    graph.delete_vertices(["dot", "eve"])
    graph.save(tmp_path / "people")
    loaded = Graph.load(tmp_path / "people", device="cpu")
    assert loaded.vertices.tolist() == ["ann", "cid"]
    assert arcs(loaded) == [("cid", "ann")]
    loaded.apply(insert=(["bob"], ["ann"]))
    assert sorted(loaded.vertices.tolist()) == ["ann", "bob", "cid"]


def test_a_graph_whose_labels_were_refused_can_be_loaded(tmp_path: Path) -> None:
    graph = Graph.from_edges(["a"], ["b"], [1.0], device="cpu")
    for name in ("x", "y"):
        with pytest.raises(meerkat.errors.NanWeightError):
            graph.apply(insert=([name], ["a"], [float("nan")]))
    graph.save(tmp_path / "graph")
    assert Graph.load(tmp_path / "graph", device="cpu").vertices.tolist() == ["a", "b"]


def test_labels_of_a_graph_that_was_saved_over_are_gone(tmp_path: Path) -> None:
    people().save(tmp_path / "graph")
    plain = Graph.from_edges([0, 1, 2], [1, 2, 0], device="cpu")
    plain.save(tmp_path / "graph")
    assert Graph.load(tmp_path / "graph", device="cpu").labels is None
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]


def test_labels_of_another_graph_are_refused(tmp_path: Path) -> None:
    people().save(tmp_path / "three")
    Graph.from_edges(["a"], ["b"], device="cpu").save(tmp_path / "two")
    (tmp_path / "two.labels.npy").replace(tmp_path / "three.labels.npy")
    with pytest.raises(ValueError, match="has 2 labels, and the graph 3 vertices"):
        Graph.load(tmp_path / "three", device="cpu")


def test_a_save_that_fails_leaves_the_labels_that_were_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = people()
    graph.save(tmp_path / "graph")
    before = (tmp_path / "graph.labels.npy").read_bytes()
    graph.apply(insert=(["dot"], ["ann"]))

    class Full:
        def save(self, path: str) -> None:
            raise OSError("the disk is full")

    monkeypatch.setattr(graph, "_native", Full())
    with pytest.raises(OSError, match="full"):
        graph.save(tmp_path / "graph")
    assert (tmp_path / "graph.labels.npy").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph", "graph.labels.npy"]


def test_a_refused_batch_leaves_no_vertices(device: str) -> None:
    graph = Graph.from_edges(["a"], ["b"], [1.0], device=device)
    for weights in (["heavy"], [1.0, 2.0], [1e300]):
        with pytest.raises((TypeError, ValueError)):
            graph.apply(insert=(["x"], ["a"], weights))
    with pytest.raises(ValueError, match="pass one for each edge"):
        graph.apply(insert=(["x"], ["a"]))
    assert graph.vertex_count == 2
    levels = graph.track("bfs", source="a")
    with pytest.raises(meerkat.errors.NanWeightError):
        graph.apply(insert=(["x"], ["a"], [float("nan")]))
    assert graph.labels is not None
    assert graph.labels.tolist() == graph.vertices.tolist() == ["a", "b"]
    pytest.importorskip("pandas")
    assert levels.to_pandas().index.tolist() == ["a", "b"]


def test_deleted_vertices_are_left_out() -> None:
    pytest.importorskip("pandas")
    graph, plain = people(), Graph.from_edges([0, 1, 2], [1, 2, 0], device="cpu")
    for each, gone in ((graph, "bob"), (plain, 1)):
        before = each.compute("wcc")
        each.delete_vertices([gone])
        assert len(each.vertices) == 2
        assert gone not in each.vertices.tolist()
        assert each.compute("wcc").to_pandas().index.tolist() == each.vertices.tolist()
        # An answer is as the graph was.
        assert len(before.to_pandas()) == 3


def test_answers_and_changes_keep_the_labels_that_they_have() -> None:
    pytest.importorskip("pandas")
    graph = people()
    levels = graph.compute("bfs", source="ann")
    change = graph.apply(delete=(["ann"], ["bob"]))
    graph.delete_vertices(["bob"])
    graph.add_labels(["zoe"])
    graph.apply(insert=(["yan"], ["zoe"]))
    assert graph.labels is not None
    assert sorted(graph.labels.tolist()) == ["ann", "cid", "yan", "zoe"]
    assert (change.deleted.src.tolist(), change.deleted.dst.tolist()) == (["ann"], ["bob"])
    frame = levels.to_pandas()
    assert frame.index.tolist() == ["ann", "bob", "cid"]
    assert frame["parent"].tolist() == ["ann", "ann", "bob"]


def test_labels_of_numbers_are_the_reverse_of_numbers_of_labels() -> None:
    graph = people()
    numbers = graph.vertices_of(["cid", "ann"])
    assert graph.labels_of(numbers).tolist() == ["cid", "ann"]
    plain = Graph.from_edges([0], [1], device="cpu")
    assert plain.labels_of([1, 0]).tolist() == [1, 0]


def test_readers_see_no_state_between_two_while_labels_come() -> None:
    graph, errors, done = people(), [], threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                src, dst, *_ = graph.edges()
                # A vertex that another one's number was given to would be an end here.
                assert all(str(end)[0] in "abcx" for end in (*src.tolist(), *dst.tolist()))
                assert "bob" in graph.neighbors("ann").tolist()
                graph.compute("bfs", source="ann").to_pandas()
                assert graph.has_edge(["ann", "no"], ["bob", "no"]).tolist() == [True, False]
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for turn in range(60):
        names = [f"x{turn}-{i}" for i in range(20)]
        graph.apply(insert=(names, ["ann"] * 20))
        graph.delete_vertices(names[:15])
    done.set()
    for reader in readers:
        reader.join()
    assert not errors
