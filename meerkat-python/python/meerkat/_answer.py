"""Answers of algorithms: columns, in host memory or on a GPU, with the labels of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _meerkat
from ._lock import Lock

if TYPE_CHECKING:
    import pandas

    from ._graph import Graph
    from ._labels import Vertices

#: Columns whose values are vertices.
_VERTICES = frozenset({"src", "dst", "vertex", "parent", "component"})

#: What is no vertex: the level, the parent and the distance of one that a source does not reach.
UNREACHED = 2**32 - 1


def in_memory(array: _meerkat.Array) -> Any:
    """Return an array of NumPy over host memory, which is read only; what is on a GPU stays there."""
    return np.asarray(array) if array.device == "cpu" else array


def to_numpy(array: Any) -> NDArray[Any]:
    """Return an array in host memory."""
    return np.asarray(array.to_host()) if isinstance(array, _meerkat.Array) else np.asarray(array)


class Columns(Mapping[str, Any]):
    """Named columns of one length.

    Each is an array of NumPy. Those of an answer that follows a graph on a GPU are a `meerkat.Array`
    there, which ``torch.as_tensor``, ``cupy.asarray`` and others take without a copy. Arrays of NumPy are read
    only, as an answer is kept until the graph changes; ``column.copy()`` may be written.
    """

    def __init__(self, vertices: Vertices, columns: dict[str, _meerkat.Array]) -> None:
        self._vertices = vertices
        self._columns = {name: in_memory(array) for name, array in columns.items()}

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_numpy(self, name: str) -> NDArray[Any]:
        """Return a column in host memory."""
        return to_numpy(self._columns[name])

    def to_pandas(self) -> pandas.DataFrame:
        """Return all columns as a data frame of pandas, with the labels of vertices.

        The row of a vertex has its label, or its number, as index; vertices that were deleted have
        none. Vertices in columns (parents, components) are labels, too; one that is none is missing.
        """
        import pandas as pd

        values = {name: self.to_numpy(name) for name in self._columns}
        index = None
        if "vertex" not in values and "src" not in values:
            live = self._vertices.live(len(next(iter(values.values()))))
            values = {name: column[live] for name, column in values.items()}
            index = pd.Index(self._vertices.named(live), name="vertex")
        for name, column in values.items():
            if self._vertices.labels is not None and name in _VERTICES:
                known = column != UNREACHED
                shown = np.full(len(column), None, object)
                shown[known] = self._vertices.named(column[known])
                values[name] = shown if not known.all() else self._vertices.named(column)
        frame = pd.DataFrame(values, index=index)
        return frame.set_index("vertex") if "vertex" in values else frame

    def __repr__(self) -> str:
        return f"Columns({', '.join(self._columns)})"


class Answer:
    """An answer from scratch.

    Attributes
    ----------
    name : str
        The algorithm.
    columns : Columns
        All columns of the answer.
    figures : dict of str to float
        Numbers about all of it, such as ``iterations`` of PageRank.
    """

    def __init__(
        self,
        graph: Graph,
        vertices: Vertices,
        name: str,
        columns: dict[str, _meerkat.Array],
        figures: dict[str, float],
    ) -> None:
        self.graph = graph
        self.name = name
        self.columns = Columns(vertices, columns)
        self.figures = figures

    @property
    def result(self) -> Any:
        """The answer itself: of each vertex its level, distance, component, triangles or rank.

        Of trusses it is the triangles or the trussness of each edge; the ends are in `columns`.
        """
        return self.columns[_main(self.columns)]

    @property
    def parents(self) -> Any:
        """The parent of each vertex, of searches and paths."""
        return self.columns["parent"]

    def to_numpy(self) -> NDArray[Any]:
        """Return `result` in host memory."""
        return to_numpy(self.result)

    def to_pandas(self) -> pandas.DataFrame:
        """Return `columns` as a data frame of pandas, with the labels of vertices."""
        return self.columns.to_pandas()

    def plot(self, **options: Any) -> Any:
        """Draw the graph with the answer as colours; see `meerkat.plot`."""
        from . import _plot

        return _plot.plot(self.graph, self, **options)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype)

    def __len__(self) -> int:
        return len(self.result)

    def __repr__(self) -> str:
        figures = "".join(f", {name} {figure:g}" for name, figure in self.figures.items())
        return f"Answer({self.name}, {len(self)} values{figures})"


class Changed:
    """What moved between two batches.

    Attributes
    ----------
    ids : numpy.ndarray, or a pair of them
        The vertices whose answer is another, ascending: labels of a graph that has them. Of trusses
        both ends of edges.
    values : array
        Their answers as they are now; 0 of an edge that has left a truss.
    columns : Columns
        All columns.
    """

    def __init__(self, vertices: Vertices, columns: dict[str, _meerkat.Array]) -> None:
        self._vertices = vertices
        self.columns = Columns(vertices, columns)

    @property
    def ids(self) -> Any:
        if "src" in self.columns:
            return tuple(self._vertices.named(self.columns.to_numpy(end)) for end in ("src", "dst"))
        return self._vertices.named(self.columns.to_numpy("vertex"))

    @property
    def values(self) -> Any:
        return self.columns[_main(self.columns)]

    def to_pandas(self) -> pandas.DataFrame:
        """Return all columns as a data frame of pandas, with the labels of vertices."""
        return self.columns.to_pandas()

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Changed({len(self)} values)"


class Tracked:
    """An answer that follows its graph; made by `Graph.track`.

    It follows as long as this object lives. Threads may share it.
    """

    def __init__(self, graph: Graph, native: _meerkat.Tracked) -> None:
        self.graph = graph
        self._native = native
        self._answer: tuple[int, Answer] | None = None
        self._changed: tuple[int, Changed] | None = None
        #: Held by who reads what has changed, which the native part says once.
        self._reading = Lock()

    @property
    def name(self) -> str:
        """The algorithm."""
        return self._native.name

    @property
    def answer(self) -> Answer:
        """The answer for the graph as it is: a copy, which later batches do not change.

        It is the same until the graph changes, so its arrays are read only.
        """
        kept = self._answer
        if kept is None or kept[0] != self._native.version:
            kept = self._answer = self.graph._read(self._answer_of)
        return kept[1]

    def _answer_of(self, vertices: Vertices) -> tuple[int, Answer]:
        version, (columns, figures) = self._native.answer()
        return version, Answer(self.graph, vertices, self.name, columns, figures)

    @property
    def result(self) -> Any:
        """The answer itself, as `Answer.result`: an array of NumPy, or a tensor on the GPU."""
        return self.answer.result

    @property
    def columns(self) -> Columns:
        """All columns of the answer."""
        return self.answer.columns

    @property
    def parents(self) -> Any:
        """The parent of each vertex, of searches and paths."""
        return self.answer.parents

    @property
    def changed(self) -> Changed:
        """What moved since the last batch after which this was read, at first since `Graph.track`.

        Cost: a pass over the answers. It is the same until the graph changes again.
        """
        with self._reading:
            kept = self._changed
            if kept is None or kept[0] != self._native.version:
                kept = self._changed = self.graph._read_once(self._changed_of)
            return kept[1]

    def _changed_of(self, vertices: Vertices) -> tuple[int, Changed]:
        version, (columns, _) = self._native.changes()
        return version, Changed(vertices, columns)

    def to_numpy(self) -> NDArray[Any]:
        """Return `result` in host memory."""
        return self.answer.to_numpy()

    def to_pandas(self) -> pandas.DataFrame:
        """Return `columns` as a data frame of pandas, with the labels of vertices."""
        return self.answer.to_pandas()

    def plot(self, **options: Any) -> Any:
        """Draw the graph with the answer as colours; see `meerkat.plot`."""
        return self.answer.plot(**options)

    def stop(self) -> None:
        """Follow no more: batches cost less then."""
        self._native.stop()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.answer.__array__(dtype)

    def __repr__(self) -> str:
        return f"Tracked({self.name} of {self.graph!r})"


def _main(columns: Columns) -> str:
    """Return the name of the column that is the answer."""
    return str(next(name for name in columns if name not in ("src", "dst", "vertex")))
