"""A sampler for PyTorch Geometric over a graph that changes.

It works in the process that has the graph: with ``num_workers=0``, which is the loader's default. Workers
are forked, and in a forked process Meerkat's threads are gone, so there it raises a `RuntimeError`.

>>> from torch_geometric.loader import NodeLoader  # doctest: +SKIP
>>> from meerkat.pyg import NeighborSampler  # doctest: +SKIP
>>> sampler = NeighborSampler(graph, [15, 10], seed=1)  # doctest: +SKIP
>>> loader = NodeLoader(data, node_sampler=sampler, input_nodes=train, batch_size=1024)  # doctest: +SKIP
>>> for batch in loader:  # doctest: +SKIP
...     graph.apply(insert=new_edges())  # the next batch is of the graph as it is then
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch_geometric.sampler import BaseSampler, EdgeSamplerInput, NodeSamplerInput, SamplerOutput

from ._graph import Graph
from .sampling import Subgraph, sample_subgraph

__all__ = ["NeighborSampler"]


class NeighborSampler(BaseSampler):  # type: ignore[misc]
    """Draws neighbours of seed nodes as ``torch_geometric.sampler.NeighborSampler`` does.

    Uniformly and without replacement, on the device where the graph is; a batch may change the graph
    between any two samples.

    Parameters
    ----------
    graph : Graph
        Its vertices are the nodes of the data.
    num_neighbors : sequence of int
        How many neighbours each node of a hop gets, at most; from 0 (``-1``, all, is refused).
    temporal : bool
        Whether the weights are times, and edges after the time of a seed are left out. The times of
        seeds come with the input, as `input_time` of ``NodeLoader``.
    disjoint : bool
        Whether each seed has nodes of its own; it has with `temporal`.
    seed : int
        Of the first sample; each one draws anew.
    device : str or torch.device, optional
        Where samples go; the CPU if it is not given, as ``NodeLoader`` filters data there.
    """

    def __init__(
        self,
        graph: Graph,
        num_neighbors: Sequence[int],
        *,
        temporal: bool = False,
        disjoint: bool = False,
        seed: int = 0,
        device: Any = "cpu",
    ) -> None:
        super().__init__()
        self.graph = graph
        self.num_neighbors = list(num_neighbors)
        self.temporal = temporal
        self.disjoint = disjoint or temporal
        self.device = torch.device(device)
        self._seed = seed
        self._drawn = 0

    @property
    def edge_permutation(self) -> None:
        """Edges have no numbers in a graph that changes."""
        return None

    def sample_from_nodes(self, inputs: NodeSamplerInput, **_: Any) -> SamplerOutput:
        """Draw around the nodes of an input."""
        times = None
        if self.temporal:
            if inputs.time is None:
                raise ValueError("a temporal sampler needs the times of seeds: pass `input_time`")
            times = inputs.time
        self._drawn += 1
        drawn = sample_subgraph(
            self.graph,
            inputs.node,
            self.num_neighbors,
            times=times,
            disjoint=self.disjoint,
            seed=self._seed + self._drawn,
        )
        return self._output(drawn, inputs)

    def sample_from_edges(self, inputs: EdgeSamplerInput, *_: Any, **__: Any) -> SamplerOutput:
        """Refused: a ``NodeLoader`` samples nodes."""
        raise NotImplementedError("samples are drawn around nodes, and not around edges")

    def _output(self, drawn: Subgraph, inputs: NodeSamplerInput) -> SamplerOutput:
        def tensor(array: Any) -> Any:
            return torch.as_tensor(array).to(self.device)

        return SamplerOutput(
            node=tensor(drawn.node),
            row=tensor(drawn.row),
            col=tensor(drawn.col),
            edge=None,
            batch=None if drawn.batch is None else tensor(drawn.batch),
            num_sampled_nodes=drawn.nodes_of_hops,
            num_sampled_edges=drawn.edges_of_hops,
            metadata=(inputs.input_id, inputs.time),
        )
