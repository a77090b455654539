"""The backend of NetworkX, beside NetworkX's own tests (`networkx_suite.py`)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

nx = pytest.importorskip("networkx")

from meerkat.networkx import BackendInterface, DiGraph, Graph  # noqa: E402
from meerkat.networkx import _convert  # noqa: E402
from meerkat.networkx._info import FUNCTIONS, get_info  # noqa: E402


@pytest.fixture(autouse=True)
def _settings(device: str) -> Iterator[None]:
    before = nx.config.backends.meerkat.device
    nx.config.backends.meerkat.device = device
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    nx.config.backends.meerkat.device = before


def both(seed: int = 1, **options: object) -> tuple[nx.DiGraph, DiGraph]:
    pairs = [tuple(pair) for pair in np.random.default_rng(seed).integers(0, 40, (120, 2)).tolist()]
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(40))
    theirs.add_edges_from(pairs)
    return theirs, DiGraph(pairs, nodes=range(40), device=nx.config.backends.meerkat.device)


def test_functions_are_those_that_are_said_to_be() -> None:
    assert set(get_info()["functions"]) == set(FUNCTIONS)
    for name in FUNCTIONS:
        assert callable(getattr(BackendInterface, name))
        assert "meerkat" in getattr(nx, name).backends


def test_answers_of_the_own_class_follow_batches() -> None:
    theirs, ours = both()
    random = np.random.default_rng(2)
    for _ in range(5):
        new = [tuple(pair) for pair in random.integers(0, 45, (15, 2)).tolist()]
        gone = [tuple(pair) for pair in random.integers(0, 45, (40, 2)).tolist()]
        theirs.remove_edges_from(gone)
        theirs.add_edges_from(new)
        ours.apply(insert=new, delete=gone)
        assert set(ours.nodes) == set(theirs)
        assert set(ours.edges) == set(theirs.edges)
        ranks, expected = nx.pagerank(ours), nx.pagerank(theirs, tol=1e-12, max_iter=500)
        assert max(abs(ranks[v] - expected[v]) for v in expected) < 1e-6
        components = sorted(map(sorted, nx.weakly_connected_components(theirs)))
        assert sorted(map(sorted, nx.weakly_connected_components(ours))) == components
        assert nx.descendants(ours, 3) == nx.descendants(theirs, 3)
        assert nx.ancestors(ours, 3) == nx.ancestors(theirs, 3)
        lengths = nx.single_source_shortest_path_length(theirs, 5)
        assert nx.single_source_shortest_path_length(ours, 5) == lengths
    assert len(ours._tracked) >= 3
    back = ours.to_networkx()
    assert set(back.edges) == set(theirs.edges)
    assert nx.is_weakly_connected(back) == nx.is_weakly_connected(theirs)


def test_a_refused_batch_leaves_the_own_class_as_it_was() -> None:
    graph = Graph([("a", "b", 2)], weighted=True, device="cpu")
    with pytest.raises((TypeError, ValueError)):
        graph.apply(insert=[("a", "c", "heavy")])
    assert "c" not in graph or graph.native.vertex_count == len(graph)
    graph.apply(insert=[("b", "d", 5)])
    assert nx.dijkstra_path_length(graph, "a", "d") == 7
    assert list(graph.neighbors("d")) == ["b"]
    with pytest.raises(nx.NodeNotFound):
        graph.neighbors("z")


def test_a_plain_graph_is_converted_once_and_again_after_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    conversions = []
    inner = _convert.to_meerkat

    def counted(*args: object, **kwargs: object) -> object:
        conversions.append(1)
        return inner(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(_convert, "to_meerkat", counted)
    plain = nx.path_graph(5)
    for _ in range(3):
        assert nx.number_connected_components(plain, backend="meerkat") == 1
    assert len(conversions) == 1
    plain.remove_edge(1, 2)
    assert nx.number_connected_components(plain, backend="meerkat") == 2
    assert len(conversions) == 2


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("pagerank", {"personalization": {0: 1}}, "`personalization` is not served"),
        ("pagerank", {"alpha": 1.0}, "`alpha`"),
        ("clustering", {"weight": "weight"}, "`weight` is not served"),
        ("dijkstra_path_length", {"source": 0, "target": 1, "weight": lambda *_: 1}, "a function"),
    ],
)
def test_parameters_are_refused_with_a_reason(name: str, options: dict[str, object], reason: str) -> None:
    found = BackendInterface.can_run(name, (nx.path_graph(3),), options)
    assert isinstance(found, str)
    assert reason in found


def test_weights_are_honoured_or_refused() -> None:
    plain = nx.Graph([(0, 1, {"weight": 4}), (1, 2, {"weight": 3})])
    assert nx.single_source_dijkstra_path_length(plain, 0, backend="meerkat") == {0: 0, 1: 4, 2: 7}
    plain[0][1]["weight"] = 0.5
    plain.__networkx_cache__.clear()
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra_path_length(plain, 0, backend="meerkat")
    with pytest.raises(NotImplementedError):
        nx.pagerank(plain, backend="meerkat")
    assert len(nx.pagerank(plain, weight=None, backend="meerkat")) == 3


def test_small_graphs_are_left_to_networkx() -> None:
    small, large = nx.path_graph(10), nx.gnm_random_graph(300, 12_000, seed=1)
    assert "fewer than" in str(BackendInterface.should_run("triangles", (small,), {}))
    assert BackendInterface.should_run("triangles", (large,), {}) is True
    with nx.config(backend_priority=["meerkat"]):
        assert nx.triangles(large) == nx.triangles(large, backend="networkx")


def test_views_and_multigraphs() -> None:
    plain = nx.gnm_random_graph(30, 60, seed=3)
    some = plain.subgraph(range(12))
    assert nx.number_connected_components(some, backend="meerkat") == nx.number_connected_components(some)
    multi = nx.MultiDiGraph([(0, 1, {"weight": 5}), (0, 1, {"weight": 2}), (1, 2, {"weight": 1})])
    assert nx.dijkstra_path_length(multi, 0, 2, backend="meerkat") == 3
    assert isinstance(BackendInterface.can_run("pagerank", (multi,), {}), str)


def test_a_truss_is_a_graph_of_networkx() -> None:
    plain = nx.karate_club_graph()
    bare = nx.Graph(plain.edges)
    truss = nx.k_truss(bare, 4, backend="meerkat")
    assert set(map(frozenset, truss.edges)) == set(map(frozenset, nx.k_truss(bare, 4).edges))
    with pytest.raises(NotImplementedError):
        nx.k_truss(plain, 4, backend="meerkat")
