"""The functions of NetworkX that are served, by their names and with their parameters."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from .. import errors
from .._answer import UNREACHED
from ._classes import Graph


def _by_node(graph: Graph, values: NDArray[Any]) -> dict[Hashable, Any]:
    return dict(zip(graph._nodes, values.tolist(), strict=True))


# PageRank.


#: How often ranks that follow batches may be iterated; what is asked of a call counts from scratch only.
_ITERATIONS = 10_000

#: A change of all ranks together that doubles can measure.
_CLOSEST = 1e-12


def _weigh_the_same(G: Graph, weight: str | None) -> bool:
    lengths = G._lengths_by(weight)
    if lengths != "ints":
        return lengths == "ones"
    weights = G.native.edges().weight
    return len(weights) == 0 or 0 < weights.min() == weights.max()


def pagerank(
    G: Graph,
    alpha: float = 0.85,
    personalization: None = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: None = None,
    weight: str | None = "weight",
    dangling: None = None,
) -> dict[Hashable, float]:
    if not _weigh_the_same(G, weight):
        raise NotImplementedError("edges of different weights")
    if len(G) == 0:
        return {}
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    try:
        # As NetworkX, which stops when a step changes less than `tol` for each vertex.
        tolerance, most = len(G) * tol, max_iter
        if not G._is_converted:
            # Ranks that follow batches begin near: they can be closer, as far as numbers reach.
            tolerance, most = max(tol, min(tolerance, _CLOSEST)), max(max_iter, _ITERATIONS)
        ranks = G._answer(
            "pagerank", asked=(alpha, tol), damping=alpha, tolerance=tolerance, max_iterations=most
        )
    except errors.NotConvergedError as error:
        raise nx.PowerIterationFailedConvergence(max_iter) from error
    return _by_node(G, ranks.to_numpy())


# Components.


def _components(G: Graph) -> NDArray[Any]:
    labels: NDArray[Any] = G._answer("wcc").to_numpy()
    return labels


def weakly_connected_components(G: Graph) -> Iterator[set[Hashable]]:
    labels = _components(G)
    order = np.argsort(labels, kind="stable")
    if len(order) == 0:
        return
    begins = np.flatnonzero(np.r_[True, np.diff(labels[order]) != 0]).tolist()
    nodes = G.nodes_of(order)
    for begin, end in zip(begins, [*begins[1:], len(nodes)], strict=True):
        yield set(nodes[begin:end])


def number_weakly_connected_components(G: Graph) -> int:
    labels = _components(G)
    return int((labels == np.arange(len(labels))).sum())


def is_weakly_connected(G: Graph) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_weakly_connected_components(G) == 1


connected_components = weakly_connected_components
number_connected_components = number_weakly_connected_components
is_connected = is_weakly_connected


def node_connected_component(G: Graph, n: Hashable) -> set[Hashable]:
    if n not in G:
        raise KeyError(n)
    labels = _components(G)
    return set(G.nodes_of(np.flatnonzero(labels == labels[G._index[n]])))


# Searches.


def _levels(G: Graph, source: Hashable) -> NDArray[Any]:
    levels: NDArray[Any] = G._answer("bfs", source=G._index[source]).to_numpy()
    return levels


def _reversed(G: Graph) -> Graph:
    """Return the graph with all edges turned round; an undirected one is that itself."""
    if not G.is_directed():
        return G
    from .._graph import Graph as Native

    src, dst, _ = G.native.edges()
    native = Native.from_edges(
        dst, src, vertices=len(G), device=G.native.device, container=G.native.container
    )
    return type(G)._of(G._nodes, G._index, native)


def _lengths_of(
    G: Graph, source: Hashable, levels: NDArray[Any], limit: float | None
) -> dict[Hashable, int]:
    """Return the vertices that are reached within a limit, nearest first; the source always is."""
    is_near = levels != UNREACHED
    if limit is not None:
        # (As NetworkX: a limit that is no number does not end paths.)
        is_near &= ~(levels > limit)
    is_near[G._index[source]] = True
    reached = np.flatnonzero(is_near)
    reached = reached[np.argsort(levels[reached], kind="stable")]
    return dict(zip(G.nodes_of(reached), levels[reached].tolist(), strict=True))


def _whole(cutoff: float | None) -> float | None:
    """Return how many steps a search makes: those that begin below the cutoff."""
    if cutoff is None or cutoff == math.inf:
        return None
    return math.ceil(cutoff) if cutoff > 0 else 0


def single_source_shortest_path_length(
    G: Graph, source: Hashable, cutoff: float | None = None
) -> dict[Hashable, int]:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return _lengths_of(G, source, _levels(G, source), _whole(cutoff))


def single_target_shortest_path_length(
    G: Graph, target: Hashable, cutoff: float | None = None
) -> dict[Hashable, int]:
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return _lengths_of(G, target, _levels(_reversed(G), target), _whole(cutoff))


def has_path(G: Graph, source: Hashable, target: Hashable) -> bool:
    for end, name in ((source, "Source"), (target, "Target")):
        if end not in G:
            raise nx.NodeNotFound(f"{name} {end} is not in G")
    return bool(_levels(G, source)[G._index[target]] != UNREACHED)


def _reached(G: Graph, source: Hashable) -> set[Hashable]:
    levels = _levels(G, source)
    levels = np.flatnonzero(levels != UNREACHED)
    return set(G.nodes_of(levels)) - {source}


def descendants(G: Graph, source: Hashable) -> set[Hashable]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    return _reached(G, source)


def ancestors(G: Graph, source: Hashable) -> set[Hashable]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    return _reached(_reversed(G), source)


def descendants_at_distance(G: Graph, source: Hashable, distance: int) -> set[Hashable]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    levels = _levels(G, source)
    return set(G.nodes_of(np.flatnonzero((levels == distance) & (levels != UNREACHED))))


# Shortest paths.


def _distances(G: Graph, source: Hashable, weight: str | None) -> NDArray[Any]:
    lengths = G._lengths_by(weight)
    if lengths == "others":
        raise NotImplementedError("weights that are no whole numbers from 0")
    if lengths == "ones":
        return _levels(G, source)
    distances: NDArray[Any] = G._answer("sssp", source=G._index[source]).to_numpy()
    if (distances == UNREACHED - 1).any():
        raise NotImplementedError("distances beyond 32 bits")
    return distances


def single_source_dijkstra_path_length(
    G: Graph, source: Hashable, cutoff: float | None = None, weight: str | None = "weight"
) -> dict[Hashable, int]:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    return _lengths_of(G, source, _distances(G, source, weight), cutoff)


def dijkstra_path_length(
    G: Graph, source: Hashable, target: Hashable, weight: str | None = "weight"
) -> int:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    distance = UNREACHED
    if target in G:
        distance = int(_distances(G, source, weight)[G._index[target]])
    if distance == UNREACHED:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distance


# Triangles.


def _picked(G: Graph, nodes: Any) -> tuple[list[Hashable], NDArray[Any], bool]:
    """Return the vertices that are asked for, as `nbunch` of NetworkX; and whether it is one."""
    if nodes is None:
        return G._nodes, np.arange(len(G)), False
    if nodes in G:
        return [nodes], np.array([G._index[nodes]]), True
    try:
        picked = [node for node in nodes if node in G]
    except TypeError as error:
        raise nx.NetworkXError(f"Node {nodes} is not in the graph.") from error
    return picked, np.array([G._index[node] for node in picked], np.int64), False


def triangles(G: Graph, nodes: Any = None) -> Any:
    picked, numbers, is_one = _picked(G, nodes)
    counts = G._answer("triangles").to_numpy()[numbers].tolist()
    return counts[0] if is_one else dict(zip(picked, counts, strict=True))


def _triads(G: Graph) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return, of each vertex, its triangles and the pairs of its neighbours, without loops."""
    degrees = G.native.degree().astype(np.int64)
    everywhere = np.arange(len(G), dtype=np.uint32)
    if len(G):
        degrees -= G.native.has_edge(everywhere, everywhere)
    counts = G._answer("triangles").to_numpy().astype(np.int64)
    return counts, degrees * (degrees - 1) // 2


def _clustering(G: Graph, numbers: NDArray[Any]) -> list[Any]:
    counts, pairs = (values[numbers] for values in _triads(G))
    # As NetworkX: the whole number 0 without triangles.
    return [t / p if t else 0 for t, p in zip(counts.tolist(), pairs.tolist(), strict=True)]


def clustering(G: Graph, nodes: Any = None, weight: None = None) -> Any:
    picked, numbers, is_one = _picked(G, nodes)
    found = _clustering(G, numbers)
    return found[0] if is_one else dict(zip(picked, found, strict=True))


def average_clustering(
    G: Graph, nodes: Any = None, weight: None = None, count_zeros: bool = True
) -> float:
    _, numbers, _ = _picked(G, nodes)
    found = [value for value in _clustering(G, numbers) if count_zeros or abs(value) > 0]
    return float(sum(found) / len(found))


def transitivity(G: Graph) -> float:
    counts, pairs = (int(values.sum()) for values in _triads(G))
    return 0 if counts == 0 else counts / pairs


def k_truss(G: Graph, k: int) -> nx.Graph:
    if G._has_attributes:
        raise NotImplementedError("attributes, which the truss is to keep")
    everywhere = np.arange(len(G), dtype=np.uint32)
    if len(G) and G.native.has_edge(everywhere, everywhere).any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    # As NetworkX, which compares the triangles of an edge with `k - 2`.
    k = math.ceil(min(max(k, 2), UNREACHED))
    edges = G.native.compute("ktruss", k=k).columns
    ends = (G.nodes_of(edges.to_numpy(end)) for end in ("src", "dst"))
    truss = nx.Graph()
    truss.add_edges_from(zip(*ends, strict=True))
    return truss
