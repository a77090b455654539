"""Sampling for learning on graphs: neighbours, subgraphs around seeds, random walks.

All of it reads the graph as it is, wherever it is: batches may come between any two calls. The same
seed draws the same from the same graph, however its edges came there or not, on one device.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _meerkat
from ._columns import as_array, as_vertices
from ._graph import Graph

__all__ = ["Subgraph", "random_walk", "sample_neighbors", "sample_subgraph"]


def _library(graph: Graph) -> Any:
    """Return what the arrays of samples are made by: NumPy, or PyTorch where the graph is on a GPU."""
    if graph.device == "cpu":
        return _Numpy()
    import torch

    return _Torch(torch, graph.device)


class _Numpy:
    """The few operations that samples need."""

    def take(self, array: _meerkat.Array) -> Any:
        return np.asarray(array).astype(np.int64)

    def vertices(self, array: Any, name: str) -> Any:
        return np.asarray(as_vertices(as_array(array, name), name)).astype(np.int64)

    def lent(self, array: Any) -> Any:
        return array.astype(np.uint32)

    def arange(self, count: int) -> Any:
        return np.arange(count, dtype=np.int64)

    def cat(self, arrays: list[Any]) -> Any:
        return np.concatenate(arrays)

    def repeat(self, array: Any, counts: Any) -> Any:
        return np.repeat(array, counts)

    def first_places(self, keys: Any) -> tuple[Any, Any]:
        """Return where each key is first, and the places of keys that are first."""
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        return first[inverse.reshape(-1)], np.sort(first)

    def ranks(self, places: Any, count: int) -> Any:
        """Return, for each place that is listed, its number in the list."""
        ranks = np.zeros(count, np.int64)
        ranks[places] = np.arange(len(places))
        return ranks


class _Torch:
    """The same of tensors on a GPU."""

    def __init__(self, torch: Any, device: str) -> None:
        self.torch, self.device = torch, torch.device(device)

    def take(self, array: _meerkat.Array) -> Any:
        # Words of 32 bits below 2^31, or what is above them and masked out.
        words = self.torch.as_tensor(_Signed(array), device=self.device)
        return words.to(self.torch.int64)

    def vertices(self, array: Any, name: str) -> Any:
        return self.torch.as_tensor(array, device=self.device).to(self.torch.int64)

    def lent(self, array: Any) -> Any:
        return array.to(self.torch.int32).contiguous()

    def arange(self, count: int) -> Any:
        return self.torch.arange(count, device=self.device)

    def cat(self, arrays: list[Any]) -> Any:
        return self.torch.cat(arrays)

    def repeat(self, array: Any, counts: Any) -> Any:
        return self.torch.repeat_interleave(array, counts)

    def first_places(self, keys: Any) -> tuple[Any, Any]:
        torch = self.torch
        unique, inverse = torch.unique(keys, return_inverse=True)
        first = torch.full((len(unique),), len(keys), dtype=torch.int64, device=self.device)
        first.scatter_reduce_(0, inverse, self.arange(len(keys)), "amin")
        return first[inverse], first.sort().values

    def ranks(self, places: Any, count: int) -> Any:
        ranks = self.torch.zeros(count, dtype=self.torch.int64, device=self.device)
        ranks[places] = self.arange(len(places))
        return ranks


class _Signed:
    """An array of words on a GPU for libraries in which unsigned ones can do little."""

    def __init__(self, array: _meerkat.Array) -> None:
        self._array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "typestr": "<i4"}


def sample_neighbors(
    graph: Graph,
    vertices: Any,
    fanout: int,
    *,
    side: str = "in",
    latest: Any = None,
    seed: int = 0,
) -> tuple[Any, Any]:
    """Draw up to `fanout` different neighbours of each vertex.

    Each set of them is as likely as another.

    Parameters
    ----------
    graph : Graph
    vertices : array_like, shape (n,)
        Numbers, or labels of a graph that has them.
    fanout : int
    side : {"in", "out"}
        Where an edge comes from, or where it leads.
    latest : array_like of integers, shape (n,), optional
        Edges whose weight is above it are left out: times, of a graph whose weights are uint32.
    seed : int

    Returns
    -------
    sampled : array of uint32, shape (n, fanout)
        Numbers of vertices; `meerkat.UNREACHED` where there are fewer. On a GPU a `meerkat.Array` of
        ``n * fanout``.
    counts : array of uint32, shape (n,)
        How many there are.

    Notes
    -----
    Cost: the neighbours of these vertices, each read once by one lane.
    """
    if fanout < 0:
        raise ValueError(f"`fanout` is to be 0 or more, and not {fanout}")
    numbers = graph.vertices_of(vertices)
    if latest is not None:
        latest = as_vertices(as_array(latest, "latest"), "latest")
    sampled, counts = graph._native.sample(side, numbers, latest, fanout, seed % 2**64)
    if graph.device != "cpu":
        return sampled, counts
    return np.asarray(sampled).reshape(-1, fanout), np.asarray(counts)


def random_walk(
    graph: Graph, starts: Any, length: int, *, p: float = 1.0, q: float = 1.0, seed: int = 0
) -> Any:
    """Walk from each start to neighbours at random; where there is none the walk stays.

    Parameters
    ----------
    graph : Graph
    starts : array_like, shape (n,)
        Numbers, or labels of a graph that has them.
    length : int
        How many steps.
    p, q : float
        As in node2vec: a step back has the weight ``1 / p``, one to a neighbour of the vertex before 1,
        any other ``1 / q``. With 1 and 1 neighbours are drawn uniformly.
    seed : int

    Returns
    -------
    array of uint32, shape (n, length + 1)
        Numbers of vertices. On a GPU a `meerkat.Array` of ``n * (length + 1)``.

    Notes
    -----
    Cost: for each step the neighbours up to the one that is drawn; with `p` or `q` several draws, more
    of them the more the weights differ.
    """
    if length < 0 or p <= 0 or q <= 0:
        raise ValueError("`length` is to be 0 or more, `p` and `q` above 0")
    weights = np.array([1 / p, 1.0, 1 / q])
    likely = (weights / weights.max()).astype(np.float32).tolist()
    numbers = graph.vertices_of(starts, "starts")
    walks = graph._native.walk(numbers, length, likely, seed % 2**64)
    return walks if graph.device != "cpu" else np.asarray(walks).reshape(-1, length + 1)


@dataclass
class Subgraph:
    """What was drawn around seeds: arrays of NumPy, or tensors of PyTorch on the GPU.

    Attributes
    ----------
    node : array of int64
        The vertices: the seeds, then those that each hop has found.
    row, col : array of int64
        The edges, by places in `node`: from the neighbour to the vertex that it was drawn for.
    batch : array of int64, optional
        Of disjoint samples the seed that each vertex belongs to.
    nodes_of_hops, edges_of_hops : list of int
        How many vertices there are of the seeds and of each hop, and edges of each hop.
    """

    node: Any
    row: Any
    col: Any
    batch: Any
    nodes_of_hops: list[int]
    edges_of_hops: list[int]


def sample_subgraph(
    graph: Graph,
    seeds: Any,
    fanouts: Sequence[int],
    *,
    side: str = "in",
    times: Any = None,
    disjoint: bool = False,
    seed: int = 0,
) -> Subgraph:
    """Draw neighbours of seeds, neighbours of those, and so on.

    Parameters
    ----------
    graph : Graph
    seeds : array_like, shape (n,)
        Numbers, or labels of a graph that has them.
    fanouts : sequence of int
        How many neighbours each vertex of a hop gets, at most.
    side : {"in", "out"}
    times : array_like of integers, shape (n,), optional
        Edges whose time, their weight, is after that of the seed are left out. Samples are disjoint
        then.
    disjoint : bool
        Whether each seed has vertices of its own, also where others have found the same.
    seed : int

    Returns
    -------
    Subgraph
    """
    of = _library(graph)
    node = of.vertices(graph.vertices_of(seeds, "seeds"), "seeds")
    disjoint = disjoint or times is not None
    count = len(node)
    batch = of.arange(count) if disjoint else None
    limits = None if times is None else of.vertices(times, "times")
    if limits is not None and len(limits) != count:
        raise ValueError(f"there are {count} seeds and {len(limits)} times; pass one for each")
    if not disjoint:
        # A seed that is there twice is one vertex.
        first, places = of.first_places(node)
        if len(places) != count:
            node = node[places]
    vertices = graph.vertex_count
    frontier = of.arange(len(node))
    rows, cols, nodes_of_hops, edges_of_hops = [], [], [len(node)], []
    for hop, fanout in enumerate(fanouts):
        asked = node[frontier]
        latest = None if limits is None or batch is None else of.lent(limits[batch[frontier]])
        hop_seed = (seed * 0x9E3779B97F4A7C15 + hop + 1) % 2**64
        sampled, counts = graph._native.sample(side, of.lent(asked), latest, fanout, hop_seed)
        counts = of.take(counts)
        found = of.take(sampled).reshape(-1, fanout)
        found = found[of.arange(fanout)[None, :] < counts[:, None]]
        col = of.repeat(frontier, counts)
        keys, new = node, found
        if batch is not None:
            keys, new = batch * vertices + node, of.repeat(batch[frontier], counts) * vertices + found
        before = len(node)
        everything = of.cat([keys, new])
        first, places = of.first_places(everything)
        ranks = of.ranks(places, len(everything))
        rows.append(ranks[first[before:]])
        cols.append(col)
        added = everything[places[before:]]
        if batch is not None:
            batch = of.cat([batch, added // vertices if vertices else added])
            added = added % vertices if vertices else added
        node = of.cat([node, added])
        frontier = of.arange(len(node))[before:]
        nodes_of_hops.append(len(node) - before)
        edges_of_hops.append(len(col))
    nothing = of.arange(0)
    row = of.cat(rows) if rows else nothing
    col = of.cat(cols) if cols else nothing
    return Subgraph(node, row, col, batch, nodes_of_hops, edges_of_hops)
