"""The backend for NetworkX: ``nx.pagerank(G, backend="meerkat")``.

>>> import networkx as nx
>>> G = nx.karate_club_graph()
>>> len(nx.node_connected_component(G, 0, backend="meerkat"))
34

NetworkX keeps the converted graph until `G` changes. A graph of `Graph` or `DiGraph` needs no
conversion, changes by batches, and its answers follow.
"""

from __future__ import annotations

from . import _functions
from ._classes import DiGraph, Graph
from ._convert import convert_from_nx, convert_to_nx
from ._info import FUNCTIONS, get_info
from ._refusals import can_run, should_run

__all__ = ["BackendInterface", "DiGraph", "Graph", "get_info"]


class BackendInterface:
    """What the entry point ``networkx.backends`` names."""

    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)
    can_run = staticmethod(can_run)
    should_run = staticmethod(should_run)


for _name in FUNCTIONS:
    setattr(BackendInterface, _name, staticmethod(getattr(_functions, _name)))
