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


def weighted_triangle() -> nx.Graph:
    return nx.Graph([(0, 1, {"weight": 10}), (0, 2, {"weight": 1}), (1, 2, {"weight": 1, "cost": 5})])


def test_a_copy_with_all_attributes_has_the_weights() -> None:
    # NetworkX keeps the copy that `k_truss` asks for, and takes it for every later call.
    plain = weighted_triangle()
    with pytest.raises(NotImplementedError):
        nx.k_truss(plain, 3, backend="meerkat")
    assert nx.dijkstra_path_length(plain, 0, 1, backend="meerkat") == 2
    assert nx.single_source_dijkstra_path_length(plain, 0, backend="meerkat") == {0: 0, 2: 1, 1: 2}
    with pytest.raises(NotImplementedError):
        nx.pagerank(plain, backend="meerkat")
    for weight in ("cost", "none"):
        with pytest.raises(NotImplementedError):
            nx.dijkstra_path_length(plain, 0, 1, weight=weight, backend="meerkat")
    assert nx.dijkstra_path_length(plain, 0, 1, weight=None, backend="meerkat") == 1
    bare = nx.Graph(plain.edges)
    nx.k_truss(bare, 3, backend="meerkat")
    assert nx.dijkstra_path_length(bare, 0, 1, weight="cost", backend="meerkat") == 1


def test_without_a_weight_distances_are_steps() -> None:
    plain = weighted_triangle()
    ours = Graph([(0, 1, 10), (0, 2, 1), (1, 2, 1)], weighted=True, device="cpu")
    assert nx.dijkstra_path_length(plain, 0, 1, backend="meerkat") == 2
    for graph in (plain, ours):
        expected = nx.single_source_dijkstra_path_length(plain, 0, weight=None, backend="networkx")
        found = nx.single_source_dijkstra_path_length(graph, 0, weight=None, backend="meerkat")
        assert found == expected
        assert nx.dijkstra_path_length(graph, 0, 1, weight=None, backend="meerkat") == 1
    assert nx.dijkstra_path_length(ours, 0, 1) == 2
    assert nx.dijkstra_path_length(ours, 0, 1, weight="cost") == 1


def test_ranks_of_the_own_class_do_not_ignore_weights() -> None:
    ours = Graph([(0, 1, 10), (0, 2, 1), (1, 2, 1)], weighted=True, device="cpu")
    with pytest.raises(NotImplementedError):
        nx.pagerank(ours, backend="meerkat")
    assert len(nx.pagerank(ours, weight=None)) == 3
    ours.apply(insert=[(0, 1, 1)])
    assert abs(nx.pagerank(ours)[0] - 1 / 3) < 1e-6


@pytest.mark.parametrize("weight", [1.7, "7", -1, 2**32, None])
def test_weights_of_the_own_class_are_whole_numbers(weight: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        Graph([("a", "b", 1), ("b", "c", weight)], weighted=True, device="cpu")
    graph = Graph([("a", "b", 1)], weighted=True, device="cpu")
    with pytest.raises((TypeError, ValueError)):
        graph.apply(insert=[("b", "c", weight)])
    assert graph.native.edges().weight.tolist() == [1, 1]


def test_edges_and_vertices_of_the_own_class_are_checked() -> None:
    graph = Graph([("a", "b")], device="cpu")
    for edge in (("a",), ("a", "b", 3), ()):
        with pytest.raises(nx.NetworkXError, match="are pairs"):
            graph.apply(insert=[("a", "c"), edge])
        with pytest.raises(nx.NetworkXError, match="are pairs"):
            Graph([("a", "b"), edge], device="cpu")
    with pytest.raises(nx.NetworkXError, match="triples with a weight"):
        Graph([("a", "b")], weighted=True, device="cpu")
    for call in (
        lambda: graph.apply(insert=[("a", None)]),
        lambda: graph.add_nodes_from([None]),
        lambda: Graph([], nodes=[None], device="cpu"),
        lambda: Graph([(None, "a")], device="cpu"),
    ):
        with pytest.raises(ValueError, match="None cannot be a node"):
            call()
    assert graph.nodes == ["a", "b"]
    assert graph.native.vertex_count == 2
    assert len(graph.apply(delete=[("a", "b", 1)]).deleted) == 2


def test_ranks_that_follow_do_not_refuse_batches() -> None:
    n = 300
    graph = DiGraph([(v, (v + 1) % n) for v in range(n)], device="cpu")
    nx.pagerank(graph, alpha=0.95)
    graph.apply(insert=[(0, n // 2)], delete=[(5, 6)])
    ranks = nx.pagerank(graph, alpha=0.95)
    expected = nx.pagerank(graph.to_networkx(), alpha=0.95, max_iter=10_000, tol=1e-12, backend="networkx")
    assert max(abs(ranks[v] - expected[v]) for v in expected) < 1e-4


def test_a_batch_that_ranks_cannot_follow_is_applied_without_them() -> None:
    n = 300
    graph = DiGraph([(v, (v + 1) % n) for v in range(n)], device="cpu")
    graph._answer("pagerank", damping=0.95, tolerance=1e-9, max_iterations=2)
    assert len(graph._tracked) == 1
    graph.apply(delete=[(5, 6)])
    assert not graph.has_edge(5, 6)
    assert not graph._tracked


def test_ranks_are_found_where_networkx_finds_them() -> None:
    # NetworkX stops when a step changes less than `tol` for each vertex.
    plain = nx.DiGraph([(v, v + 1) for v in range(400)])
    expected = nx.pagerank(plain, alpha=0.97, tol=1e-5, backend="networkx")
    found = nx.pagerank(plain, alpha=0.97, tol=1e-5, backend="meerkat")
    assert max(abs(found[v] - expected[v]) for v in plain) < 1e-3
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.pagerank(plain, alpha=0.97, tol=1e-12, backend="meerkat")


@pytest.mark.parametrize("cutoff", [None, -1, 0, 0.5, 1, 1.5, 2.0, float("inf"), float("nan")])
def test_cutoffs_are_those_of_networkx(cutoff: float | None) -> None:
    plain = nx.path_graph(5)
    nx.set_edge_attributes(plain, 1, "weight")
    plain[0][1]["weight"] = 0
    for name in (
        "single_source_shortest_path_length",
        "single_target_shortest_path_length",
        "single_source_dijkstra_path_length",
    ):
        function = getattr(nx, name)
        expected = function(plain, 1, cutoff=cutoff, backend="networkx")
        assert function(plain, 1, cutoff=cutoff, backend="meerkat") == expected, name


def test_distances_that_there_are_not() -> None:
    plain = nx.Graph([(0, 1), (2, 3)])
    for distance in (0.5, 7, 2**32 - 1):
        assert nx.descendants_at_distance(plain, 0, distance, backend="meerkat") == set()


@pytest.mark.parametrize("k", [2, 2.5, 3, 3.5, 4, -1, float("inf")])
def test_trusses_of_a_number_that_is_not_whole(k: float) -> None:
    plain = nx.Graph(nx.karate_club_graph().edges)
    expected = nx.k_truss(plain, k, backend="networkx")
    found = nx.k_truss(plain, k, backend="meerkat")
    assert set(map(frozenset, found.edges)) == set(map(frozenset, expected.edges))


def test_a_batch_of_the_own_class_that_a_signal_handler_makes_is_refused_whole() -> None:
    graph = DiGraph([("a", "b")], device="cpu")

    class Busy:
        weighted = False

        def __getattr__(self, name: str) -> object:
            raise RuntimeError("at work")

    native, graph.native = graph.native, Busy()
    with pytest.raises(RuntimeError, match="at work"):
        graph.apply(insert=[("c", "d")])
    graph.native = native
    assert graph.nodes == ["a", "b"]
    graph.apply(insert=[("c", "a")])
    assert nx.descendants(graph, "c") == {"a", "b"}
