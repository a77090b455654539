"""The algorithms as functions: answers from scratch."""

from __future__ import annotations

from typing import Any

from ._answer import Answer
from ._graph import Graph


def bfs(graph: Graph, source: Any) -> Answer:
    """Breadth-first search.

    Parameters
    ----------
    graph : Graph
    source : vertex
        Where it starts; a label of a graph that has labels.

    Returns
    -------
    Answer
        Columns ``level`` and ``parent``, uint32, shape (vertices,); both are `meerkat.UNREACHED` where
        the source does not reach.

    Notes
    -----
    Cost: every edge once, or less.
    """
    return graph.compute("bfs", source=source)


def sssp(graph: Graph, source: Any) -> Answer:
    """Shortest paths from one vertex.

    Parameters
    ----------
    graph : Graph
        Its weights are lengths, which must not be negative; without weights each edge is 1 long.
    source : vertex
        Where paths start.

    Returns
    -------
    Answer
        Columns ``distance``, uint32 or float32, and ``parent``, uint32, shape (vertices,). Where the
        source does not reach, a distance is `meerkat.UNREACHED`, or infinite if it is a float.

    Raises
    ------
    NegativeWeightError
        For a negative weight.
    """
    return graph.compute("sssp", source=source)


def wcc(graph: Graph) -> Answer:
    """Weakly connected components.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    Answer
        Column ``component``, uint32, shape (vertices,): the smallest vertex of the component.
    """
    return graph.compute("wcc")


def triangles(graph: Graph) -> Answer:
    """Triangles of the undirected simple graph.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    Answer
        Column ``triangles``, uint64, shape (vertices,): those that each vertex is a corner of; the
        figure ``total`` counts each once.
    """
    return graph.compute("triangles")


def pagerank(
    graph: Graph,
    *,
    damping: float = 0.85,
    tolerance: float | None = None,
    norm: str = "l1",
    iterations: int | None = None,
    max_iterations: int | None = None,
    dead_ends: str = "teleport",
    precision: str = "f64",
    method: str | None = None,
    frontier_tolerance: float | None = None,
    prune_tolerance: float | None = None,
) -> Answer:
    """PageRank.

    Parameters
    ----------
    graph : Graph
        Its weights do not matter.
    damping : float
        Part of a rank that is passed on along edges, from 0 to below 1.
    tolerance : float, optional
        Stop when a step changes the ranks by less; 1e-12, or 1e-6 in single precision.
    norm : {"l1", "linf"}
        How the change of a step is measured: the sum of all changes, or the largest.
    iterations : int, optional
        Run exactly so many steps.
    max_iterations : int, optional
        Fail if not converged after so many steps; 1000 if it is not given.
    dead_ends : {"teleport", "self-loops"}
        Where the rank of vertices without out-edges goes.
    precision : {"f64", "f32"}
        The numbers it computes in.
    method, frontier_tolerance, prune_tolerance
        How ranks follow batches, which only `Graph.track` does.

    Returns
    -------
    Answer
        Column ``rank``, float64 or float32, shape (vertices,), of sum 1; figures ``iterations``,
        ``l1_last_step`` and ``error_bound``.

    Raises
    ------
    DampingError, NotConvergedError
    """
    return graph.compute(
        "pagerank",
        damping=damping,
        tolerance=tolerance,
        norm=norm if iterations is None or norm != "l1" else None,
        iterations=iterations,
        max_iterations=max_iterations,
        dead_ends=dead_ends,
        precision=precision,
        method=method,
        frontier_tolerance=frontier_tolerance,
        prune_tolerance=prune_tolerance,
    )


def ktruss(graph: Graph, k: int | None = None) -> Answer:
    """k-trusses of the undirected simple graph.

    Parameters
    ----------
    graph : Graph
    k : int, optional
        The truss of which every edge is in at least ``k - 2`` triangles.

    Returns
    -------
    Answer
        Columns ``src`` and ``dst``, uint32, of the edges, ascending; and ``triangles`` of each in the
        truss. Without `k` all edges, and their ``trussness``.
    """
    return graph.compute("ktruss", k=k)


def spmv(graph: Graph, x: Any = None, *, precision: str = "f64") -> Answer:
    """Sparse matrix times vector.

    Parameters
    ----------
    graph : Graph
        Its edges are the entries: their weights, or 1.
    x : array_like, shape (vertices,), optional
        The vector; ones if it is not given.
    precision : {"f64", "f32"}
        The numbers it computes in.

    Returns
    -------
    Answer
        Column ``y``, shape (vertices,): of each vertex the sum of weight times ``x[u]`` over its edges
        to u.

    Raises
    ------
    VectorLengthError
        If `x` has not one element for each vertex.
    """
    return graph.compute("spmv", x=x, precision=precision)
