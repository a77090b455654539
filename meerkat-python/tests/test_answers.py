"""Answers from scratch, and answers that follow."""

from __future__ import annotations

import inspect

import networkx as nx
import numpy as np
import pytest

import meerkat
from meerkat import Graph


def test_every_algorithm_is_a_function_with_its_parameters() -> None:
    for name, entry in meerkat.algorithms().items():
        function = getattr(meerkat, name)
        parameters = inspect.signature(function).parameters
        asked = {parameter["name"]: parameter for parameter in entry["parameters"]}  # type: ignore[attr-defined]
        assert set(asked) | {"graph"} == set(parameters) - ({"x"} if name == "spmv" else set())
        for key, parameter in asked.items():
            default = parameters[key].default
            if parameter["is_needed"]:
                assert default is inspect.Parameter.empty
            else:
                assert default is None or default == parameter["default"]


def expected(nxg: nx.DiGraph) -> dict[str, object]:
    n = nxg.number_of_nodes()
    levels = np.full(n, meerkat.UNREACHED, np.uint32)
    for v, level in nx.single_source_shortest_path_length(nxg, 0).items():
        levels[v] = level
    distances = np.full(n, np.inf, np.float32)
    for v, distance in nx.single_source_dijkstra_path_length(nxg, 0).items():
        distances[v] = distance
    components = np.zeros(n, np.uint32)
    for component in nx.weakly_connected_components(nxg):
        components[list(component)] = min(component)
    simple = nx.Graph(nxg.to_undirected())
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    return {
        "bfs": levels,
        "sssp": distances,
        "wcc": components,
        "pagerank": np.array([r for _, r in sorted(nx.pagerank(nxg, weight=None, tol=1e-12, max_iter=500).items())]),
        "triangles": np.array([t for _, t in sorted(nx.triangles(simple).items())]),
        "ktruss": sorted(tuple(sorted(edge)) for edge in nx.k_truss(simple, 3).edges),
    }


def check(graph: Graph, found: dict[str, object], nxg: nx.DiGraph) -> None:
    for name, answer in expected(nxg).items():
        values = found[name].to_numpy()  # type: ignore[attr-defined]
        if name == "ktruss":
            columns = found[name].columns  # type: ignore[attr-defined]
            pairs = zip(columns.to_numpy("src").tolist(), columns.to_numpy("dst").tolist(), strict=True)
            assert list(pairs) == answer
        elif name in ("pagerank", "sssp"):
            np.testing.assert_allclose(values, answer, rtol=1e-6, atol=1e-9, err_msg=name)
        else:
            np.testing.assert_array_equal(values, answer, err_msg=name)


QUESTIONS = {
    "bfs": {"source": 0},
    "sssp": {"source": 0},
    "wcc": {},
    "pagerank": {},
    "triangles": {},
    "ktruss": {"k": 3},
}


@pytest.mark.parametrize("seed", range(2))
def test_answers_follow_batches(device: str, container: str, seed: int) -> None:
    random, n = np.random.default_rng(seed), 30
    nxg = nx.DiGraph()
    nxg.add_nodes_from(range(n))
    graph = Graph.from_edges([], [], np.empty(0, np.float32), vertices=n, device=device, container=container)
    tracked = {name: graph.track(name, **asked) for name, asked in QUESTIONS.items()}
    before = {name: answer.to_numpy().copy() for name, answer in tracked.items()}
    for _ in range(6):
        new, gone = random.integers(0, n, (2, 40)), random.integers(0, n, (2, 20))
        weights = random.integers(1, 9, 40).astype(np.float32) / 2
        nxg.remove_edges_from(zip(*gone.tolist(), strict=True))
        for u, v, w in zip(*new.tolist(), weights.tolist(), strict=True):
            nxg.add_edge(u, v, weight=w)
        graph.apply(insert=(*new, weights), delete=tuple(gone))
        check(graph, tracked, nxg)  # type: ignore[arg-type]
        scratch = {name: graph.compute(name, **asked) for name, asked in QUESTIONS.items()}
        check(graph, scratch, nxg)  # type: ignore[arg-type]
        for name in ("bfs", "sssp", "wcc", "triangles", "pagerank"):
            now, changed = tracked[name].to_numpy(), tracked[name].changed
            moved = np.flatnonzero(now != before[name])
            assert set(moved.tolist()) <= set(changed.ids.tolist()), name
            np.testing.assert_array_equal(changed.columns.to_numpy(list(changed.columns)[1]), now[changed.ids])
            assert tracked[name].changed is changed
            before[name] = now.copy()


def test_a_truss_says_which_edges_moved(device: str) -> None:
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2], directed=False, device=device)
    truss = graph.track("ktruss", k=3)
    graph.apply(delete=([0], [1]))
    assert len(truss.changed) == 3
    assert truss.changed.values.tolist() == [0, 0, 0]
    assert [ids.tolist() for ids in truss.changed.ids] == [[0, 0, 1], [1, 2, 2]]


def test_a_product_and_its_vector(device: str) -> None:
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], device=device)
    assert meerkat.spmv(graph).to_numpy().tolist() == [5, 4, 0]
    assert meerkat.spmv(graph, [1, 10, 100]).to_numpy().tolist() == [320, 400, 0]
    assert meerkat.spmv(graph, precision="f32").to_numpy().dtype == np.float32
    with pytest.raises(meerkat.errors.VectorLengthError):
        meerkat.spmv(graph, [1, 2])


def test_trussness_and_figures(device: str) -> None:
    graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], directed=False, device=device)
    assert meerkat.ktruss(graph).result.tolist() == [3, 3, 3, 2]
    assert meerkat.triangles(graph).figures == {"total": 1}
    ranks = meerkat.pagerank(graph, iterations=3)
    assert ranks.figures["iterations"] == 3
    assert meerkat.pagerank(graph, precision="f32").to_numpy().dtype == np.float32
    with pytest.raises(ValueError, match="exclude each other"):
        meerkat.pagerank(graph, iterations=3, tolerance=1e-3)


def test_lengths_are_integers_where_weights_are(device: str) -> None:
    graph = Graph.from_edges([0, 1], [1, 2], [3, 4], vertices=4, device=device)
    paths = meerkat.sssp(graph, source=0)
    assert paths.result.tolist() == [0, 3, 7, meerkat.UNREACHED]
    assert paths.parents.tolist() == [0, 0, 1, meerkat.UNREACHED]
    floats = Graph.from_edges([0, 1], [1, 2], [0.5, 4], vertices=4, device=device)
    assert floats.track("sssp", source=0).to_numpy().tolist() == [0, 0.5, 4.5, np.inf]
    with pytest.raises(meerkat.errors.NegativeWeightError):
        meerkat.sssp(Graph.from_edges([0], [1], [-1.0], device=device), source=0)


def test_questions_are_checked(device: str) -> None:
    graph = Graph.from_edges([0], [1], device=device)
    with pytest.raises(ValueError, match="there is no algorithm 'dfs'; there are bfs"):
        graph.track("dfs")
    with pytest.raises(TypeError, match="has no parameter `root`; it has source"):
        graph.track("bfs", root=1)
    with pytest.raises(TypeError, match="needs the parameter `source`"):
        graph.track("bfs")
    with pytest.raises(ValueError, match="from 0 to below 1, and not 1.5"):
        graph.track("pagerank", damping=1.5)
    with pytest.raises(ValueError, match="one of l1, linf, and not l2"):
        graph.track("pagerank", norm="l2")
    with pytest.raises(IndexError):
        meerkat.bfs(graph, source=7)
    with pytest.raises(ValueError, match="follows one truss"):
        graph.track("ktruss")
    with pytest.raises(ValueError, match="does not follow batches"):
        graph.track("spmv")
    assert graph.track("pr").name == "pagerank"


def test_a_batch_that_an_answer_cannot_follow_is_refused(device: str) -> None:
    graph = Graph.from_edges([0], [1], [1.0], vertices=3, device=device)
    paths, levels = graph.track("sssp", source=0), graph.track("bfs", source=0)
    with pytest.raises(meerkat.errors.NegativeWeightError):
        graph.apply(insert=([1], [2], [-1.0]))
    assert graph.edge_count == 1
    assert paths.to_numpy().tolist() == [0, 1, np.inf]
    paths.stop()
    graph.apply(insert=([1], [2], [-1.0]))
    assert levels.to_numpy().tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="not tracked any more"):
        paths.result  # noqa: B018


def test_an_answer_that_nobody_holds_is_forgotten(device: str) -> None:
    graph = Graph.from_edges([0], [1], [1.0], vertices=3, device=device)
    graph.track("sssp", source=0)
    graph.apply(insert=([1], [2], [-1.0]))
    assert graph.edge_count == 2


def test_data_frames_have_labels() -> None:
    graph = Graph.from_edges(["a", "b"], ["b", "c"], device="cpu")
    frame = meerkat.bfs(graph, source="b").to_pandas()
    assert frame.loc["c", "level"] == 1
    assert frame.loc["c", "parent"] == "b"
    assert frame["parent"].isna()["a"]
    tracked = graph.track("wcc")
    graph.apply(delete=(["b"], ["c"]))
    assert tracked.changed.to_pandas().to_dict() == {"component": {"c": "c"}}
