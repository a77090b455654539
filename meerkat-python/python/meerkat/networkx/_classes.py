"""The graph classes of the backend: NetworkX functions take them without a conversion."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from .. import errors
from .._answer import Tracked
from .._columns import as_array, as_weights
from .._graph import Change
from .._graph import Graph as Native


class Graph:
    """An undirected graph whose vertices are any hashable objects.

    NetworkX functions that the backend serves take it as it is, and their answers follow `apply`:
    a second call costs what the batches between cost, not a computation from scratch.

    Parameters
    ----------
    edges : iterable of pairs, optional
        Edges; triples with a weight where `weighted`.
    nodes : iterable, optional
        Vertices that may have no edges.
    weighted : bool
        Whether edges have weights, which are whole numbers from 0.
    device, container : str
        As in `meerkat.Graph.from_edges`.

    Examples
    --------
    >>> import networkx as nx
    >>> from meerkat.networkx import DiGraph
    >>> graph = DiGraph([("a", "b"), ("b", "c"), ("c", "a")], device="cpu")
    >>> sorted(nx.descendants(graph, "a"))
    ['b', 'c']
    >>> graph.apply(delete=[("b", "c")])
    Change(1 deleted, 0 inserted)
    >>> sorted(nx.descendants(graph, "a"))
    ['b']
    """

    __networkx_backend__ = "meerkat"
    __networkx_cache__: dict[str, Any] | None = None

    _directed = False

    def __init__(
        self,
        edges: Iterable[tuple[Any, ...]] = (),
        nodes: Iterable[Hashable] = (),
        *,
        weighted: bool = False,
        device: str = "auto",
        container: str = "compact",
    ) -> None:
        self.graph: dict[str, Any] = {}
        self._nodes: list[Hashable] = list(dict.fromkeys(map(_checked, nodes)))
        self._index: dict[Hashable, int] = {node: at for at, node in enumerate(self._nodes)}
        edges = list(edges)
        columns = self._columns(edges, weighted, grow=True)
        weight = as_weights(as_array(columns[2], "weight"), "<u4") if weighted else None
        self.native = Native.from_edges(
            columns[0],
            columns[1],
            weight,
            directed=self._directed,
            vertices=len(self._nodes),
            device=device,
            container=container,
        )
        self._begin()

    def _begin(self) -> None:
        self._tracked: dict[tuple[Any, ...], Tracked] = {}
        #: The attribute of edges that is their weight here, and whether all weigh 1, all are whole
        #: numbers, or there are others.
        self._weight: str | None = "weight"
        self._lengths = "ints" if self.native.weighted else "ones"
        #: Whether edges of the graph that this was converted from may have other attributes.
        self._has_others = False
        self._has_attributes = False
        self._is_converted = False

    @classmethod
    def _of(cls, nodes: list[Hashable], index: dict[Hashable, int], native: Native) -> Graph:
        """Return a graph that was converted, of whose attributes nothing is known."""
        graph = cls.__new__(cls)
        graph.graph, graph._nodes, graph._index, graph.native = {}, nodes, index, native
        graph._begin()
        graph._weight, graph._has_others, graph._is_converted = None, True, True
        return graph

    def _lengths_by(self, weight: str | None) -> str:
        """Return what an attribute of edges is: ones (also where no edge has it), ints or others.

        Raises
        ------
        NotImplementedError
            If it was not converted.
        """
        if weight is None:
            return "ones"
        if weight == self._weight:
            return self._lengths
        if self._has_others:
            raise NotImplementedError(f"the attribute `{weight}` of edges was not converted")
        return "ones"

    # Batches.

    def _columns(
        self, edges: list[tuple[Any, ...]], weighted: bool, *, grow: bool
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], list[Any]]:
        """Return ends and weights of edges; those of deletions may be triples, too."""
        lengths = (3,) if weighted else (2,) if grow else (2, 3)
        for edge in edges:
            if len(edge) not in lengths:
                kind = "triples with a weight" if weighted else "pairs"
                raise nx.NetworkXError(f"edges of the graph are {kind}, and not {edge!r}")
            _checked(edge[0]), _checked(edge[1])
        ends = list(chain.from_iterable(edge[:2] for edge in edges))
        if grow:
            for node in dict.fromkeys(ends):
                if node not in self._index:
                    self._index[node] = len(self._nodes)
                    self._nodes.append(node)
        numbers = np.fromiter(map(self._index.__getitem__, ends), np.uint32, len(ends))
        weights = [edge[2] for edge in edges] if weighted else []
        return numbers[0::2], numbers[1::2], weights

    def apply(
        self, insert: Iterable[tuple[Any, ...]] = (), delete: Iterable[tuple[Any, ...]] = ()
    ) -> Change:
        """Delete edges, then insert some: all of it, or nothing.

        Parameters
        ----------
        insert : iterable of pairs
            Triples with a weight where edges have weights. Vertices that are new are added.
        delete : iterable of pairs
            Those that are not there are left out.

        Returns
        -------
        meerkat.Change
            What really changed, by numbers of vertices: `nodes_of` has the vertices.
        """
        insert, delete = list(insert), list(delete)
        known = [edge for edge in delete if all(end in self._index for end in edge[:2])]
        gone = self._columns(known, False, grow=False)[:2] if known else None
        before = len(self._nodes)
        new: Any = None
        try:
            if insert:
                src, dst, weights = self._columns(insert, self.native.weighted, grow=True)
                new = (src, dst, weights) if self.native.weighted else (src, dst)
            if len(self._nodes) > before:
                self.native.add_vertices(len(self._nodes) - before)
            try:
                return self.native.apply(insert=new, delete=gone)
            except errors.NotConvergedError:
                # No reason to refuse a batch: who asks for the ranks again gets them from scratch.
                for key in [key for key in self._tracked if key[0] == "pagerank"]:
                    self._tracked.pop(key).stop()
                return self.native.apply(insert=new, delete=gone)
        except BaseException:
            # Vertices without edges may stay; they have names, so nothing is out of step.
            try:
                count = self.native.vertex_count
            except RuntimeError:
                # A signal handler, whose batch was refused at once.
                count = before
            for node in self._nodes[count:]:
                del self._index[node]
            del self._nodes[count:]
            raise

    def add_edges_from(self, edges: Iterable[tuple[Any, ...]]) -> None:
        """Add edges, as a batch."""
        self.apply(insert=edges)

    def remove_edges_from(self, edges: Iterable[tuple[Any, ...]]) -> None:
        """Remove edges, as a batch."""
        self.apply(delete=edges)

    def add_nodes_from(self, nodes: Iterable[Hashable]) -> None:
        """Add vertices."""
        new = [node for node in dict.fromkeys(map(_checked, nodes)) if node not in self._index]
        if new:
            self.native.add_vertices(len(new))
            for node in new:
                self._index[node] = len(self._nodes)
                self._nodes.append(node)

    def nodes_of(self, vertices: Any) -> list[Hashable]:
        """Return the vertices of numbers."""
        return [self._nodes[vertex] for vertex in np.asarray(vertices).tolist()]

    # What NetworkX asks of any graph.

    def is_directed(self) -> bool:
        """Whether edges have a direction."""
        return self._directed

    def is_multigraph(self) -> bool:
        """Whether there are several edges between two vertices: no."""
        return False

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._nodes)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self._index
        except TypeError:
            return False

    @property
    def nodes(self) -> list[Hashable]:
        """The vertices."""
        return list(self._nodes)

    def number_of_nodes(self) -> int:
        """Return how many vertices there are."""
        return len(self._nodes)

    order = number_of_nodes

    @property
    def edges(self) -> list[tuple[Hashable, Hashable]]:
        """The edges, each once."""
        src, dst, _ = self.native.edges()
        if not self._directed:
            src, dst = src[src <= dst], dst[src <= dst]
        return list(zip(self.nodes_of(src), self.nodes_of(dst), strict=True))

    def number_of_edges(self) -> int:
        """Return how many edges there are."""
        if self._directed:
            return self.native.edge_count
        src, dst, _ = self.native.edges()
        return int((src <= dst).sum())

    size = number_of_edges

    def has_node(self, node: object) -> bool:
        """Whether a vertex is there."""
        return node in self

    def has_edge(self, u: Hashable, v: Hashable) -> bool:
        """Whether an edge is there."""
        return u in self and v in self and self.native.has_edge(self._index[u], self._index[v])

    def neighbors(self, node: Hashable) -> Iterator[Hashable]:
        """Return the out-neighbours of a vertex."""
        return iter(self.nodes_of(self.native.neighbors(self._number(node))))

    def to_networkx(self) -> nx.Graph:
        """Return a graph of NetworkX."""
        copy = nx.DiGraph() if self._directed else nx.Graph()
        copy.graph.update(self.graph)
        copy.add_nodes_from(self._nodes)
        src, dst, weight = self.native.edges()
        ends = zip(self.nodes_of(src), self.nodes_of(dst), strict=True)
        if weight is None:
            copy.add_edges_from(ends)
        else:
            copy.add_weighted_edges_from(
                (u, v, w) for (u, v), w in zip(ends, weight.tolist(), strict=True)
            )
        return copy

    def _number(self, node: Hashable) -> int:
        if node not in self:
            raise nx.NodeNotFound(f"Node {node} is not in the graph")
        return self._index[node]

    # Answers.

    def _answer(self, name: str, *, asked: tuple[Any, ...] | None = None, **parameters: Any) -> Any:
        """Return an answer: one that follows, unless the graph is a copy that nobody changes.

        What was asked, if not the parameters, is what a later call must ask to get the same.
        """
        if self._is_converted:
            return self.native.compute(name, **parameters)
        key = (name, *(sorted(parameters.items()) if asked is None else asked))
        if key not in self._tracked:
            if len(self._tracked) >= 8:
                # The one that was asked for first goes.
                del self._tracked[next(iter(self._tracked))]
            self._tracked[key] = self.native.track(name, **parameters)
        return self._tracked[key].answer

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} nodes, {self.native!r})"


class DiGraph(Graph):
    """The same with directed edges."""

    _directed = True


def _checked(node: Hashable) -> Hashable:
    if node is None:
        raise ValueError("None cannot be a node")
    return node
