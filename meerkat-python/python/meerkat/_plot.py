"""Pictures of small graphs, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._answer import UNREACHED, to_numpy

if TYPE_CHECKING:
    from ._answer import Answer, Tracked
    from ._graph import Graph

#: More vertices are a blot, and take a long time to lay out.
MOST_VERTICES = 5_000

#: Answers that name things, and do not measure them.
_NAMES = frozenset({"component"})

#: Colours of matplotlib's "tab20" that things get in turn.
_COLOURS = 20


def layout(graph: Graph, *, seed: int = 0, pos: Any = None) -> Any:
    """Return places for the vertices, which springs along the edges find.

    Parameters
    ----------
    graph : Graph
    seed : int
        What the places begin from.
    pos : array_like, shape (m, 2), optional
        Places of the first vertices, from which those of a graph that has changed move little.

    Returns
    -------
    numpy.ndarray, shape (vertices, 2)
    """
    import networkx as nx

    drawn = nx.Graph()
    drawn.add_nodes_from(range(graph.vertex_count))
    src, dst, *_ = (np.asarray(column) for column in graph._native.edges())
    drawn.add_edges_from(zip(src.tolist(), dst.tolist(), strict=True))
    begin = None if pos is None else {v: place for v, place in enumerate(np.asarray(pos))}
    places = nx.spring_layout(drawn, pos=begin, seed=seed, iterations=50 if pos is None else 10)
    return np.array([places[v] for v in range(graph.vertex_count)]).reshape(-1, 2)


def plot(
    graph: Graph,
    answer: Answer | Tracked | None = None,
    *,
    ax: Any = None,
    pos: Any = None,
    seed: int = 0,
    size: Any = 30,
    cmap: str | None = None,
    labels: bool = False,
    title: str | None = None,
) -> Any:
    """Draw a graph, its vertices coloured by an answer.

    Parameters
    ----------
    graph : Graph
        Of at most 5,000 vertices.
    answer : Answer or Tracked, optional
        What colours vertices: a level, a distance, a rank or a number of triangles by a scale;
        components by a colour each; of trusses the edges.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new ones if they are not given.
    pos : array_like, shape (vertices, 2), optional
        Places of the vertices; `meerkat._plot.layout` finds some if they are not given.
    seed : int
        For `layout`.
    size : float or array_like, shape (vertices,)
        Of vertices, in points squared.
    cmap : str, optional
        A colour map of matplotlib.
    labels : bool
        Whether to write labels or numbers beside vertices.
    title : str, optional
        The algorithm if it is not given.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        Without matplotlib; without NetworkX, if `pos` is not given.
    ValueError
        For a graph of too many vertices.
    """
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection

    if graph.vertex_count > MOST_VERTICES:
        raise ValueError(
            f"the graph has {graph.vertex_count} vertices, and pictures at most {MOST_VERTICES}"
        )
    places = layout(graph, seed=seed) if pos is None else np.asarray(pos)
    axes = plt.subplots(figsize=(6, 5), layout="constrained")[1] if ax is None else ax
    src, dst, *_ = (np.asarray(column) for column in graph._native.edges())
    lines = np.stack([places[src], places[dst]], axis=1) if len(src) else np.empty((0, 2, 2))
    axes.add_collection(LineCollection(list(lines), colors="0.75", linewidths=0.6, zorder=1))
    name = None if answer is None else answer.name
    if answer is not None and "src" in answer.columns:
        _draw_edges(axes, places, answer)
        answer = None
    colours = {"c": "C0"} if answer is None else _colours(axes, answer, cmap)
    points = axes.scatter(
        places[:, 0], places[:, 1], s=size, zorder=3, edgecolors="white", linewidths=0.5, **colours
    )
    if answer is not None and next(iter(answer.columns)) not in _NAMES:
        axes.figure.colorbar(points, ax=axes, label=next(iter(answer.columns)), shrink=0.8)
    if labels:
        vertices = graph._vertices()
        live = vertices.live(len(places))
        for place, label in zip(places[live], vertices.named(live).tolist(), strict=True):
            axes.annotate(str(label), place, (3, 3), textcoords="offset points", fontsize=7)
    axes.set_title(title if title is not None else name or "")
    axes.autoscale()
    axes.set_aspect("equal")
    axes.set_axis_off()
    return axes


def _colours(axes: Any, answer: Answer | Tracked, cmap: str | None) -> dict[str, Any]:
    values = to_numpy(answer.result)
    if next(iter(answer.columns)) in _NAMES:
        # A name has one colour, whatever others there are, so things keep theirs while they change.
        spread = values.astype(np.uint64) * np.uint64(2654435761) >> np.uint64(16)
        return {"c": spread % np.uint64(_COLOURS), "cmap": cmap or "tab20", "vmin": 0, "vmax": _COLOURS - 1}
    values = values.astype(np.float64)
    values[(values == UNREACHED) | np.isinf(values)] = np.nan
    return {"c": values, "cmap": cmap or "viridis", "plotnonfinite": True}


def _draw_edges(axes: Any, places: Any, answer: Answer | Tracked) -> None:
    from matplotlib.collections import LineCollection

    columns = answer.columns
    src, dst = columns.to_numpy("src"), columns.to_numpy("dst")
    lines = np.stack([places[src], places[dst]], axis=1) if len(src) else np.empty((0, 2, 2))
    values = to_numpy(answer.result).astype(np.float64)
    drawn = LineCollection(list(lines), array=values, cmap="plasma", linewidths=1.4, zorder=2)
    axes.add_collection(drawn)
    name = next(column for column in columns if column not in ("src", "dst"))
    axes.figure.colorbar(drawn, ax=axes, label=name, shrink=0.8)
