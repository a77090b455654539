"""Graphs of NetworkX to those of the backend, and back."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from .._graph import Graph as Native
from ._classes import DiGraph, Graph


def config(name: str, usual: Any) -> Any:
    """Return a setting of ``networkx.config.backends.meerkat``."""
    backends = getattr(nx.config, "backends", None)
    return getattr(getattr(backends, "meerkat", None), name, usual)


def _plain(adjacency: Any) -> dict[Hashable, dict[Hashable, Any]]:
    """Return the dictionaries of a graph; those of a view, which filters, are made."""
    if type(adjacency) is dict:
        return adjacency
    return {node: dict(nbrs.items()) for node, nbrs in adjacency.items()}


def _lengths(
    adjacency: dict[Hashable, dict[Hashable, Any]], is_multi: bool, weight: str, default: Any
) -> tuple[NDArray[Any] | None, str]:
    """Return the weights of all arcs in order, and what they are: ones, ints or others."""
    if is_multi:
        data = [
            min(d.get(weight, default) for d in keyed.values())
            for nbrs in adjacency.values()
            for keyed in nbrs.values()
        ]
    else:
        data = [d.get(weight, default) for nbrs in adjacency.values() for d in nbrs.values()]
    if all(isinstance(value, (int, float, np.number)) and value == 1 for value in data):
        return None, "ones"
    if all(type(value) is int and 0 <= value < 2**32 - 1 for value in data):
        return np.array(data, np.uint32), "ints"
    return None, "others"


def to_meerkat(
    graph: nx.Graph, edge_attrs: dict[str, Any] | None = None, *, preserve: bool = False
) -> Graph:
    """Return a copy of a graph of NetworkX.

    Cost: a pass over its dictionaries, one over the weights if they are asked for, and a build.
    """
    nodes: list[Hashable] = list(graph)
    index = dict(zip(nodes, range(len(nodes)), strict=True))
    adjacency = _plain(graph._adj)
    degrees = np.fromiter(map(len, adjacency.values()), np.int64, len(nodes))
    neighbors = chain.from_iterable(adjacency.values())
    dst = np.fromiter(map(index.__getitem__, neighbors), np.uint32, int(degrees.sum()))
    src = np.repeat(np.arange(len(nodes), dtype=np.uint32), degrees)
    # A copy with all attributes is asked for any of them later: it has the usual one.
    ((name, default),) = edge_attrs.items() if edge_attrs else (("weight" if preserve else None, 1),)
    weights, lengths = None, "ones"
    if name is not None:
        weights, lengths = _lengths(adjacency, graph.is_multigraph(), name, 1 if default is None else default)
    directed = graph.is_directed()
    if not directed:
        once = src <= dst
        src, dst = src[once], dst[once]
        weights = None if weights is None else weights[once]
    native = Native.from_edges(
        src,
        dst,
        weights,
        directed=directed,
        vertices=len(nodes),
        device=config("device", "auto"),
        container=config("container", "compact"),
    )
    kind = DiGraph if directed else Graph
    converted = kind._of(nodes, index, native)
    converted._weight, converted._lengths = name, lengths
    if preserve:
        converted._has_others = _has_data(graph)
        converted._has_attributes = converted._has_others or bool(graph.graph or any(graph._node.values()))
    return converted


def _has_data(graph: nx.Graph) -> bool:
    """Whether an edge has attributes; of a multigraph its edges have keys, which count."""
    return any(data for nbrs in graph._adj.values() for data in nbrs.values())


def convert_from_nx(
    graph: Any,
    *,
    edge_attrs: dict[str, Any] | None = None,
    node_attrs: dict[str, Any] | None = None,
    preserve_edge_attrs: bool | dict[str, Any] = False,
    preserve_node_attrs: bool | dict[str, Any] = False,
    preserve_graph_attrs: bool | set[str] = False,
    name: str | None = None,
    graph_name: str | None = None,
    **_: Any,
) -> Graph:
    """Return a graph of the backend, which NetworkX keeps until the graph changes."""
    if isinstance(graph, Graph):
        return graph
    preserve = bool(preserve_edge_attrs or preserve_node_attrs or preserve_graph_attrs)
    return to_meerkat(graph, edge_attrs, preserve=preserve)


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Return a result as NetworkX has it."""
    return result.to_networkx() if isinstance(result, Graph) else result
