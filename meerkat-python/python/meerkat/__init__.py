"""Meerkat: dynamic graph algorithms for GPUs.

>>> import meerkat
>>> graph = meerkat.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 0], device="cpu")
>>> components = graph.track("wcc")
>>> graph.apply(delete=([3], [0]))
Change(1 deleted, 0 inserted)
>>> components.result
array([0, 0, 0, 3], dtype=uint32)
>>> components.changed.ids
array([3], dtype=uint32)
"""

from __future__ import annotations

import os

from . import _nvrtc

_nvrtc.preload()

from . import _meerkat, errors  # noqa: E402
from ._answer import UNREACHED, Answer, Changed, Columns, Tracked  # noqa: E402
from ._functions import bfs, ktruss, pagerank, spmv, sssp, triangles, wcc  # noqa: E402
from ._graph import Change, Edges, Graph, Rows  # noqa: E402
from ._meerkat import Array, __version__  # noqa: E402
from ._plot import plot  # noqa: E402
from .errors import CudaError, MeerkatError, ReadError  # noqa: E402

__all__ = [
    "UNREACHED",
    "Answer",
    "Array",
    "Change",
    "Changed",
    "Columns",
    "CudaError",
    "Edges",
    "Graph",
    "MeerkatError",
    "ReadError",
    "Rows",
    "Tracked",
    "__version__",
    "algorithms",
    "bfs",
    "devices",
    "errors",
    "ktruss",
    "pagerank",
    "plot",
    "read",
    "spmv",
    "sssp",
    "triangles",
    "wcc",
]

read = Graph.read

if hasattr(os, "register_at_fork"):
    # The threads that work stay in the parent: what would wait for them in the child is refused.
    os.register_at_fork(after_in_child=_meerkat.forked)


def algorithms() -> dict[str, dict[str, object]]:
    """Return the algorithms by name: what each is, and its parameters with their defaults.

    They are those of the command ``meerkat``, where a parameter ``max_iterations`` is the option
    ``--max-iterations``.
    """
    return {str(entry["name"]): entry for entry in _meerkat.algorithms()}


def devices() -> dict[str, str]:
    """Return the devices there are, by name, with what they are.

    Warns
    -----
    RuntimeWarning
        If there is no GPU that can be used, with the reason.
    """
    import warnings

    found, why = _meerkat.devices()
    if why is not None:
        warnings.warn(f"no GPU is used: {why}", RuntimeWarning, stacklevel=2)
    return dict(found)
