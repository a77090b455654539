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
from ._answer import UNREACHED
from ._columns import as_array, as_vertices, is_on_gpu
from ._graph import Graph

__all__ = ["Subgraph", "random_walk", "sample_neighbors", "sample_subgraph"]


#: The last time that a weight, which is a uint32, can be.
_LAST = 2**32 - 1

#: Walks have fewer steps.
_STEPS = 2**24

#: How much more one step of a walk may weigh than another.
_RATIO = 1e12


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

    def keep(self, array: _meerkat.Array) -> Any:
        """Return an array of int64 of the caller's own."""
        return np.array(array)

    def integers(self, array: Any, name: str, largest: int) -> Any:
        """Return integers as int64, those that are larger than the largest as that one."""
        array = np.asarray(as_vertices(as_array(array, name), name))
        return np.minimum(array, array.dtype.type(min(largest, np.iinfo(array.dtype).max))).astype(np.int64)

    def lent(self, array: Any) -> Any:
        """Return integers from 0 to 2^32 - 1 as the native part takes them."""
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


class _Torch:
    """The same of tensors on a GPU."""

    def __init__(self, torch: Any, device: str) -> None:
        self.torch, self.device = torch, torch.device(device)

    def take(self, array: _meerkat.Array) -> Any:
        # Words of 32 bits below 2^31, or what is above them and masked out.
        words = self.torch.as_tensor(_Words(array, "<i4"), device=self.device)
        return words.to(self.torch.int64)

    def keep(self, array: _meerkat.Array) -> Any:
        return self.torch.as_tensor(array, device=self.device)

    def integers(self, array: Any, name: str, largest: int) -> Any:
        if not is_on_gpu(array):
            numbers = _Numpy().integers(array, name, largest)
            return self.torch.as_tensor(numbers, device=self.device)
        tensor = self.torch.as_tensor(array, device=self.device)
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex or tensor.dtype == self.torch.bool:
            raise TypeError(f"`{name}` has integers, and not {tensor.dtype}")
        return tensor.to(self.torch.int64).clamp(max=largest)

    def lent(self, array: Any) -> Any:
        # PyTorch can do little with unsigned words; those from 2^31 on are the same bits as negative ones.
        words = self.torch.where(array >= 2**31, array - 2**32, array)
        return _Words(words.to(self.torch.int32).contiguous(), "<u4")

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


class _Words:
    """Words on a GPU under another type: libraries can do little with unsigned ones."""

    def __init__(self, array: Any, typestr: str) -> None:
        self._array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "typestr": typestr}


def _check_range(numbers: Any, name: str, end: int) -> None:
    """Refuse numbers that are no vertices of a graph of so many."""
    outside = (numbers < 0) | (numbers >= end)
    if bool(outside.any()):
        place = int(outside.nonzero()[0][0])
        raise IndexError(
            f"`{name}` has {int(numbers[place])} at place {place}, and the graph vertices from 0 to {end - 1}"
        )


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
        Edges whose weight is above it are left out: times, of a graph whose weights are uint32. Below 0
        there are none; on a GPU they are to be from 0, and a column there of type uint32.
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
    too_early = None
    if latest is not None and not is_on_gpu(latest):
        limits = _Numpy().integers(latest, "latest", _LAST)
        if (limits < 0).any():
            if graph.device != "cpu":
                place = int(np.flatnonzero(limits < 0)[0])
                raise ValueError(f"`latest` has {limits[place]} at place {place}; on a GPU times are from 0")
            too_early = limits < 0
        latest = np.maximum(limits, 0).astype(np.uint32)
    native = graph._native.sample(side, numbers, latest, fanout, seed % 2**64)
    if graph.device != "cpu":
        return native
    counts = np.asarray(native[1])
    sampled = np.asarray(native[0]).reshape(len(counts), fanout)
    if too_early is not None:
        sampled = np.where(too_early[:, None], np.uint32(UNREACHED), sampled)
        counts = np.where(too_early, np.uint32(0), counts)
    return sampled, counts


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
        How many steps, fewer than 2^24.
    p, q : float
        As in node2vec: a step back has the weight ``1 / p``, one to a neighbour of the vertex before 1,
        any other ``1 / q``. With 1 and 1 neighbours are drawn uniformly. One of the three weights may
        be up to 10^12 times another.
    seed : int

    Returns
    -------
    array of uint32, shape (n, length + 1)
        Numbers of vertices. On a GPU a `meerkat.Array` of ``n * (length + 1)``.

    Notes
    -----
    Cost: for each step the neighbours up to the one that is drawn; with `p` or `q` several draws, more
    of them the more the weights differ, and where 256 are in vain all neighbours, each weighed.
    """
    if not 0 <= length < _STEPS:
        raise ValueError(f"`length` is to be from 0 to below 2^24, and not {length}")
    if not (0 < p < np.inf and 0 < q < np.inf):
        raise ValueError(f"`p` and `q` are to be numbers above 0, and not {p} and {q}")
    weights = np.array([1.0, p, p / q]) if p <= q else np.array([q / p, q, 1.0])
    weights /= weights.max()
    if not weights.min() * _RATIO >= 1:
        raise ValueError(f"the weights 1 / {p}, 1 and 1 / {q} differ by more than {_RATIO:g}")
    numbers = graph.vertices_of(starts, "starts")
    native = graph._native.walk(numbers, length, weights.tolist(), seed % 2**64)
    if graph.device != "cpu":
        return native
    walks = np.asarray(native)
    return walks.reshape(len(walks) // (length + 1), length + 1)


def _seed_of_hop(seed: int, hop: int) -> int:
    return (seed * 0x9E3779B97F4A7C15 + hop + 1) % 2**64


@dataclass
class Subgraph:
    """What was drawn around seeds: arrays of NumPy, or tensors of PyTorch on the GPU.

    Attributes
    ----------
    node : array of int64
        The vertices: the seeds, one that is there twice twice, then those that each hop has found.
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
        How many neighbours each vertex of a hop gets, at most; from 0.
    side : {"in", "out"}
    times : array_like of integers, shape (n,), optional
        Edges whose time, their weight, is after that of the seed are left out: all of them if it is
        below 0. Samples are disjoint then.
    disjoint : bool
        Whether each seed has vertices of its own, also where others have found the same.
    seed : int

    Returns
    -------
    Subgraph

    Raises
    ------
    IndexError
        For a seed that is no vertex of the graph.

    Notes
    -----
    A seed that is there twice keeps both places, with neighbours of its own each; an edge from it leads
    from the first of them.
    """
    for fanout in fanouts:
        if fanout < 0:
            raise ValueError(f"`fanouts` are to be 0 or more, and not {fanout}; all neighbours are not drawn")
    of, vertices = _library(graph), graph.vertex_count
    if times is None and not disjoint:
        return _sample_together(graph, of, seeds, fanouts, side, seed)
    node = of.integers(graph.vertices_of(seeds, "seeds"), "seeds", 2**63 - 1)
    _check_range(node, "seeds", vertices)
    count = len(node)
    batch = of.arange(count)
    limits = None if times is None else of.integers(times, "times", _LAST)
    if limits is not None and len(limits) != count:
        raise ValueError(f"there are {count} seeds and {len(limits)} times; pass one for each")
    frontier = of.arange(len(node))
    rows, cols, nodes_of_hops, edges_of_hops = [], [], [len(node)], []
    for hop, fanout in enumerate(fanouts):
        asked = node[frontier]
        until = None if limits is None else limits[batch[frontier]]
        latest = None if until is None else of.lent(until.clip(0))
        hop_seed = _seed_of_hop(seed, hop)
        sampled, counts = graph._native.sample(side, of.lent(asked), latest, fanout, hop_seed)
        counts = of.take(counts)
        if until is not None:
            # Before the first time there are no edges.
            counts = counts * (until >= 0)
        found = of.take(sampled).reshape(len(asked), fanout)
        found = found[of.arange(fanout)[None, :] < counts[:, None]]
        col = of.repeat(frontier, counts)
        keys, new = batch * vertices + node, of.repeat(batch[frontier], counts) * vertices + found
        before = len(node)
        everything = of.cat([keys, new])
        first, places = of.first_places(everything)
        places = places[places >= before]
        # What a vertex is by the place where it is first: seeds that repeat keep theirs.
        numbers = of.arange(len(everything))
        numbers[places] = of.arange(len(places)) + before
        rows.append(numbers[first[before:]])
        cols.append(col)
        added = everything[places]
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


def _sample_together(
    graph: Graph, of: _Numpy | _Torch, seeds: Any, fanouts: Sequence[int], side: str, seed: int
) -> Subgraph:
    """Do the same without times, for all seeds together: by kernels alone."""
    numbers = graph.vertices_of(seeds, "seeds")
    if isinstance(of, _Torch) and is_on_gpu(numbers):
        # Kernels read words that lie one after another.
        column = as_array(numbers, "seeds").__cuda_array_interface__
        typestr, strides = column["typestr"], column.get("strides")
        if typestr not in ("<u4", "<i4", "<u8", "<i8") or strides not in (None, (int(typestr[2:]),)):
            numbers = of.integers(numbers, "seeds", 2**63 - 1)
    elif not is_on_gpu(numbers):
        _check_range(numbers, "seeds", graph.vertex_count)
    hops = [(fanout, _seed_of_hop(seed, hop)) for hop, fanout in enumerate(fanouts)]
    arrays, nodes_of_hops, edges_of_hops = graph._native.sample_subgraph(side, numbers, hops)
    node, row, col = (of.keep(array) for array in arrays)
    return Subgraph(node, row, col, None, nodes_of_hops, edges_of_hops)
