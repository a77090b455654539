"""The graph."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _meerkat
from ._answer import Answer, Tracked, in_memory, to_numpy
from ._columns import OnGpu, as_array, as_edges, as_vertices, as_weights, is_on_gpu, is_text, weight_type
from ._labels import Labels, Vertices, as_labels, join_labels
from ._lock import Lock

_T = TypeVar("_T")

#: How often a reader that other threads' batches have come in between begins again before it waits.
_TRIES = 3


class Edges(NamedTuple):
    """Edges in columns; `weight` is none of a graph without weights."""

    src: Any
    dst: Any
    weight: Any = None

    def __len__(self) -> int:
        return len(self.src)


class Rows(NamedTuple):
    """Neighbours in compressed sparse rows: row ``i`` is ``neighbors[offsets[i]:offsets[i + 1]]``."""

    offsets: NDArray[np.uint64]
    neighbors: NDArray[Any]
    weights: NDArray[Any] | None


class Change:
    """What a batch changed: an edge whose weight is another has left and has come.

    Attributes
    ----------
    deleted, inserted : Edges
        The arcs that left and those that came, in no order; of an undirected graph both arcs of an
        edge. Arrays of NumPy, or on the GPU where the graph is there; labels of a graph that has them.
    """

    __slots__ = ("_deleted", "_inserted", "_labels")

    def __init__(
        self, labels: Labels | None, lists: tuple[list[_meerkat.Array], list[_meerkat.Array]]
    ) -> None:
        self._labels = labels
        self._deleted, self._inserted = lists

    def _edges(self, columns: list[_meerkat.Array]) -> Edges:
        ends: list[Any] = [in_memory(column) for column in columns]
        if self._labels is not None:
            ends[:2] = [self._labels.named(to_numpy(end)) for end in ends[:2]]
        return Edges(*ends)

    @property
    def deleted(self) -> Edges:
        return self._edges(self._deleted)

    @property
    def inserted(self) -> Edges:
        return self._edges(self._inserted)

    def __bool__(self) -> bool:
        return len(self._deleted[0]) + len(self._inserted[0]) > 0

    def __repr__(self) -> str:
        return f"Change({len(self._deleted[0])} deleted, {len(self._inserted[0])} inserted)"


class Graph:
    """A graph that batches change, with answers that follow it.

    Threads may share it: several read it at a time, or one changes it. Other threads of Python run
    while it works, and Ctrl-C ends what it does; a batch is then taken back. What a signal handler asks
    of a graph while its thread is at work is refused, as is all that a forked process asks of it.

    Make one with `from_edges`, `from_table`, `from_scipy`, `read` or `load`.

    Examples
    --------
    >>> import meerkat
    >>> graph = meerkat.Graph.from_edges([0, 1, 2], [1, 2, 0], device="cpu")
    >>> ranks = graph.track("pagerank", damping=0.85)
    >>> graph.apply(insert=([0], [2]), delete=([0], [1]))
    Change(1 deleted, 1 inserted)
    >>> ranks.result.round(3)
    array([0.464, 0.05 , 0.486])
    """

    def __init__(self, native: _meerkat.Graph, labels: Labels | None = None) -> None:
        self._native = native
        #: Another object after each batch that changes labels; who reads it takes it once.
        self._labels = labels
        #: Held by who changes labels.
        self._lock = Lock()
        #: Of the weights, as NumPy writes it; none without.
        self._weight_type = native.weight_type

    def _vertices(self) -> Vertices:
        """Return what the vertices are called now, and which are there."""
        return self._vertices_of(self._labels)

    def _vertices_of(self, labels: Labels | None) -> Vertices:
        if labels is not None:
            return Vertices(labels, np.empty(0, np.uint32))
        return Vertices(None, np.asarray(self._native.deleted_vertices()))

    def _read(self, act: Callable[[Vertices], _T]) -> _T:
        """Do something with labels that are those of the graph as it is meanwhile."""
        for _ in range(_TRIES):
            version, labels = self._native.version, self._labels
            try:
                done = act(self._vertices_of(labels))
            except (KeyError, IndexError):
                if labels is None or (self._native.version == version and self._labels is labels):
                    raise
                continue
            if labels is None or (self._native.version == version and self._labels is labels):
                return done
        return self._read_once(act)

    def _read_once(self, act: Callable[[Vertices], _T]) -> _T:
        """Do the same while no other thread changes labels."""
        if self._labels is None:
            return act(self._vertices_of(None))
        with self._lock:
            return act(self._vertices())

    # How a graph is made.

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any,
        weight: Any = None,
        directed: bool = True,
        container: str = "compact",
        device: str = "auto",
        *,
        vertices: int | None = None,
        labels: bool | None = None,
    ) -> Graph:
        """Make a graph of edges in columns.

        Parameters
        ----------
        src, dst : array_like, shape (m,)
            The ends of each edge: integers, or texts, which are labels. Arrays of NumPy, series of
            pandas or Polars, columns of Arrow, tensors of PyTorch, CuPy or JAX, sequences. What is on
            the GPU of the graph is read there.
        weight : array_like, shape (m,), optional
            What each edge weighs. Integers from 0 to 2^32 - 1 are kept as uint32, other numbers as
            float32. Of an edge that is named twice the last weight counts.
        directed : bool
            Whether an edge is one arc, or two.
        container : {"compact", "slabs", "blocks"}
            How edges are kept; answers are the same.
        device : str
            ``"cpu"``, ``"cuda"``, ``"cuda:1"``, or ``"auto"``: the first GPU if there is one.
        vertices : int, optional
            How many vertices there are, from 0; one more than the largest end if it is not given.
        labels : bool, optional
            Whether ends are labels: any integers or texts, in place of the numbers of vertices.
            Texts are if it is not given, integers are not.

        Returns
        -------
        Graph

        Raises
        ------
        VertexOutOfRangeError
            For an end that is not below `vertices`.
        NanWeightError
            For a weight that is no number.

        Notes
        -----
        Cost: a build on the device. Columns in host memory are joined there once; those on the GPU
        are joined by a kernel, without a copy to the host.
        """
        src, dst = as_array(src, "src"), as_array(dst, "dst")
        weights = None if weight is None else as_array(weight, "weight")
        kind = None if weights is None else weight_type(weights)
        weights = None if weights is None else as_weights(weights, kind)
        known = None
        if labels or (labels is None and (is_text(src) or is_text(dst))):
            if vertices is not None:
                raise ValueError("`vertices` is the number of labels here; leave it out")
            ends = join_labels([as_labels(src, "src"), as_labels(dst, "dst")], "src, dst")
            values, numbers = np.unique(ends, return_inverse=True)
            known = Labels(values)
            numbers = numbers.reshape(-1).astype(np.uint32)
            src, dst, vertices = numbers[: len(src)], numbers[len(src) :], len(values)
        columns = (as_vertices(src, "src"), as_vertices(dst, "dst"), weights)
        native = _meerkat.Graph.build(columns, kind, vertices, directed, container, device)
        return cls(native, known)

    @classmethod
    def from_table(
        cls,
        table: Any,
        source: str = "src",
        target: str = "dst",
        weight: str | None = None,
        **options: Any,
    ) -> Graph:
        """Make a graph of a table of pandas, Polars or Arrow, or of a dictionary of columns.

        Parameters
        ----------
        table : object
            Anything with named columns, or with ``__arrow_c_stream__``.
        source, target : str
            The columns of the ends.
        weight : str, optional
            The column of the weights.
        **options
            As in `from_edges`.

        Returns
        -------
        Graph
        """
        if hasattr(table, "__getitem__"):
            columns = table
        else:
            columns = dict(_meerkat.import_arrow(table, "table"))
        weights = None if weight is None else columns[weight]
        return cls.from_edges(columns[source], columns[target], weights, **options)

    @classmethod
    def from_scipy(cls, matrix: Any, *, weighted: bool = True, **options: Any) -> Graph:
        """Make a graph of a sparse matrix of SciPy: entry ``(u, v)`` is the edge from u to v.

        Entries that are there twice are summed, as SciPy does.

        Parameters
        ----------
        matrix : scipy.sparse array or matrix, shape (n, n)
        weighted : bool
            Whether entries are weights.
        **options
            As in `from_edges`.

        Returns
        -------
        Graph
        """
        entries = matrix.tocoo(copy=True)
        entries.sum_duplicates()
        rows, columns = entries.shape
        if rows != columns:
            raise ValueError(f"the matrix is to be square, and is {rows} x {columns}")
        weight = entries.data if weighted else None
        return cls.from_edges(entries.row, entries.col, weight, vertices=rows, **options)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        weights: bool = False,
        directed: bool | None = None,
        format: str | None = None,
        columns: str | None = None,
        separator: str | None = None,
        ids: str | None = None,
        header: bool | None = None,
        duplicates: str = "min",
        container: str = "compact",
        device: str = "auto",
    ) -> Graph:
        """Read a graph file, as the command ``meerkat run`` reads it.

        Loops are dropped and edges that repeat are merged. The ids of the file are the labels.

        Parameters
        ----------
        path : path_like
            An edge list (SNAP, KONECT), CSV, MatrixMarket, DIMACS, METIS or LDBC Graphalytics file,
            plain or gzip.
        weights : bool
            Whether edges get the weights of the file, or 1 where it has none. Integers from 0 are
            kept as uint32 if all are such, else all are float32.
        directed : bool, optional
            What a record is, if the file does not say; else as the file says.
        format, columns, separator, ids, header
            As the options ``--format``, ``--columns``, ``--separator``, ``--ids`` and ``--header``.
        duplicates : {"min", "last"}
            Which of several records of one edge gives its weight.
        container, device
            As in `from_edges`.

        Returns
        -------
        Graph

        Raises
        ------
        ReadError
            If the file cannot be read or breaks a rule of its format.
        """
        file = _meerkat.read_file(
            os.fspath(path),
            format=format,
            columns=columns,
            separator=separator,
            ids=ids,
            header=header,
            directed=directed,
            duplicates=duplicates,
        )
        known = as_labels(np.asarray(file["labels"]), "labels")
        weight, kind = None, None
        if weights:
            count = len(file["src"])
            found = np.ones(count, np.uint32) if file["weight"] is None else np.asarray(file["weight"])
            integers = (found == np.floor(found)) & (found >= 0) & (found < 2**32)
            kind = "<u4" if integers.all() else "<f4"
            weight = found.astype(kind)
        native = _meerkat.Graph.build(
            (file["src"], file["dst"], weight), kind, file["vertices"], file["directed"], container, device
        )
        is_plain = known.dtype.kind == "i" and np.array_equal(known, np.arange(len(known)))
        return cls(native, None if is_plain else Labels(known))

    # What it is.

    @property
    def vertex_count(self) -> int:
        """How many vertices there are, those that were deleted included."""
        return self._native.vertex_count

    @property
    def edge_count(self) -> int:
        """How many arcs there are: two for an undirected edge, one for a loop."""
        return self._native.edge_count

    @property
    def directed(self) -> bool:
        """Whether an edge is one arc."""
        return self._native.directed

    @property
    def weighted(self) -> bool:
        """Whether edges have weights."""
        return self._weight_type is not None

    @property
    def weight_dtype(self) -> np.dtype[Any] | None:
        """The type of the weights."""
        kind = self._weight_type
        return None if kind is None else np.dtype(kind)

    @property
    def container(self) -> str:
        """How edges are kept: ``"compact"``, ``"slabs"`` or ``"blocks"``."""
        return self._native.container

    @property
    def device(self) -> str:
        """``"cpu"`` or ``"cuda:0"``."""
        return self._native.device

    @property
    def nbytes(self) -> int:
        """Bytes of device memory of the edges."""
        return self._native.nbytes

    @property
    def version(self) -> int:
        """A number that grows with each change."""
        return self._native.version

    @property
    def labels(self) -> NDArray[Any] | None:
        """The label of each vertex that is there, if the graph has labels."""
        labels = self._labels
        return None if labels is None else labels.live

    @property
    def vertices(self) -> NDArray[Any]:
        """The label of each vertex that is there, or its number."""
        return self._read(lambda vertices: vertices.named(vertices.live(self.vertex_count)))

    def labels_of(self, vertices: Any) -> NDArray[Any]:
        """Return the labels of vertices that are given by their numbers; the reverse of `vertices_of`.

        Parameters
        ----------
        vertices : array_like of integers
            Such as parents and components of answers.

        Returns
        -------
        numpy.ndarray
            Labels of a graph that has them; else the numbers.
        """
        numbers = np.asarray(as_vertices(as_array(vertices, "vertices"), "vertices"))
        return self._vertices().named(numbers)

    def vertices_of(self, labels: Any, name: str = "vertices") -> Any:
        """Return the numbers of vertices that are given by their labels.

        Parameters
        ----------
        labels : array_like
            Labels of a graph that has them; else numbers, which come back.

        Returns
        -------
        array of uint32

        Raises
        ------
        KeyError
            For a label that the graph does not have.
        """
        numbers = self._numbers(self._labels, labels, name)
        return numbers.owner if isinstance(numbers, OnGpu) else numbers

    def _numbers(self, known: Labels | None, labels: Any, name: str) -> Any:
        array = as_array(labels, name)
        if known is None:
            return as_vertices(array, name)
        return known.vertices(as_labels(array, name))

    # What changes it.

    def apply(self, insert: Any = None, delete: Any = None) -> Change:
        """Delete edges, then insert some: all of it, or nothing.

        Parameters
        ----------
        insert : tuple of array_like, optional
            ``(src, dst)``, or ``(src, dst, weight)`` of a graph with weights. An edge that is there
            gets the new weight. Labels that are new become vertices.
        delete : tuple of array_like, optional
            ``(src, dst)``. An edge that is not there is left out.

        Returns
        -------
        Change
            What really left and what really came.

        Raises
        ------
        VertexOutOfRangeError
            For an end outside the graph; the graph and all answers are as they were.

        Notes
        -----
        Cost: that of the batch. All answers that follow are brought up to date.
        """
        if self._labels is not None:
            return self._apply_labels(insert, delete)
        return Change(None, self._native.apply(self._lent(delete, "delete"), self._lent(insert, "insert")))

    def _weights(self, weight: Any) -> Any:
        """Return the weights of an insertion as the graph has them."""
        if weight is not None:
            return as_weights(as_array(weight, "weight"), self._weight_type)
        if self._weight_type is not None:
            raise ValueError("the graph has weights; pass one for each edge")
        return None

    def _lent(self, edges: Any, name: str) -> tuple[Any, Any, Any] | None:
        if edges is None:
            return None
        src, dst, weight = as_edges(edges, name)
        weights = self._weights(weight) if name == "insert" else None
        src, dst = (as_vertices(as_array(end, name), name) for end, name in ((src, "src"), (dst, "dst")))
        return src, dst, weights

    def _apply_labels(self, insert: Any, delete: Any) -> Change:
        with self._lock:
            labels = self._labels
            assert labels is not None
            gone = None
            if delete is not None:
                ends = [as_labels(as_array(end, "delete"), "delete") for end in as_edges(delete, "delete")[:2]]
                if len(ends[0]) != len(ends[1]):
                    raise ValueError(f"`src` has {len(ends[0])} labels and `dst` {len(ends[1])}")
                (src, src_known), (dst, dst_known) = (labels.find(end) for end in ends)
                known = src_known & dst_known
                gone = (src[known], dst[known], None)
            if insert is None:
                return Change(labels, self._native.apply(gone, None))
            # All that can be refused without the graph is, before vertices are added.
            *columns, weight = as_edges(insert, "insert")
            ends = [as_labels(as_array(end, "insert"), "insert") for end in columns]
            weights = self._weights(weight)
            if is_on_gpu(weights):
                raise TypeError("labels are in host memory, so weights are to be there, too")
            for column, name in ((ends[1], "dst"), (weights, "weight")):
                if column is not None and len(column) != len(ends[0]):
                    raise ValueError(
                        f"`src` has {len(ends[0])} labels and `{name}` {len(column)}; pass one for each edge"
                    )
            all_ends = labels.check(join_labels(ends, "insert"))
            _, known = labels.find(all_ends)
            new = np.unique(all_ends[~known])
            added = None
            if len(new):
                added = np.asarray(self._native.insert_vertices(len(new)))
                labels = self._labels = labels.give(added, new)
            try:
                numbers = labels.vertices(all_ends)
                src, dst = numbers[: len(ends[0])], numbers[len(ends[0]) :]
                return Change(labels, self._native.apply(gone, (src, dst, weights)))
            except BaseException:
                if added is not None:
                    self._labels = labels.take(added)
                    self._native.delete_vertices(added)
                raise

    def add_vertices(self, count: int) -> NDArray[np.uint32]:
        """Add vertices without edges, to a graph without labels.

        Parameters
        ----------
        count : int

        Returns
        -------
        numpy.ndarray of uint32, shape (count,)
            Their numbers: those of deleted vertices first, then new ones.
        """
        if self._labels is not None:
            raise ValueError("vertices of a graph with labels come by edges or by `add_labels`")
        return np.asarray(self._native.insert_vertices(count))

    def add_labels(self, labels: Any) -> NDArray[np.uint32]:
        """Add vertices without edges by their labels; those that are there stay.

        Parameters
        ----------
        labels : array_like

        Returns
        -------
        numpy.ndarray of uint32
            The vertex of each label.
        """
        if self._labels is None:
            raise ValueError("the graph has no labels")
        with self._lock:
            known = self._labels
            wanted = known.check(as_labels(as_array(labels, "labels"), "labels"))
            _, is_known = known.find(wanted)
            new = np.unique(wanted[~is_known])
            if len(new):
                known = known.give(np.asarray(self._native.insert_vertices(len(new))), new)
                self._labels = known
            return known.vertices(wanted)

    def delete_vertices(self, vertices: Any) -> Change:
        """Delete vertices with all their edges.

        Their numbers stay, without edges, until `add_vertices` uses them again.

        Parameters
        ----------
        vertices : array_like
            Numbers, or labels of a graph that has them.

        Returns
        -------
        Change
            The edges that left.
        """
        if self._labels is None:
            return Change(None, self._native.delete_vertices(self.vertices_of(vertices)))
        with self._lock:
            labels = self._labels
            numbers = self._numbers(labels, vertices, "vertices")
            change = Change(labels, self._native.delete_vertices(numbers))
            self._labels = labels.take(numbers)
            return change

    def compact(self) -> None:
        """Lay all lists out anew, which gives memory back; answers stay."""
        self._native.compact()

    # What it is asked.

    def degree(self, vertices: Any = None, side: str = "out") -> Any:
        """Return the degrees of vertices.

        Parameters
        ----------
        vertices : array_like, optional
            All vertices if they are not given.
        side : {"out", "in"}

        Returns
        -------
        numpy.ndarray of uint32
        """
        if vertices is None:
            return np.asarray(self._native.degrees(side))
        # Read once: who tries again finds a stream at its end.
        array = as_array(vertices, "vertices")

        def degrees(known: Vertices) -> NDArray[np.uint32]:
            numbers = self._numbers(known.labels, array, "vertices")
            return np.asarray(self._native.degrees_of(side, numbers))

        return self._read(degrees)

    def neighbors(self, vertices: Any, side: str = "out") -> Any:
        """Return the neighbours of vertices, ascending by their numbers.

        Parameters
        ----------
        vertices : array_like, or one vertex
        side : {"out", "in"}

        Returns
        -------
        numpy.ndarray
            Of one vertex its neighbours: numbers or labels.
        Rows
            Of several the rows of all of them, and the weights if there are some.
        """
        if np.ndim(vertices) == 0 and not is_on_gpu(vertices):
            return self.neighbors([vertices], side).neighbors
        array = as_array(vertices, "vertices")
        return self._read(lambda known: self._neighbors(known, array, side))

    def _neighbors(self, known: Vertices, vertices: Any, side: str) -> Rows:
        numbers = self._numbers(known.labels, vertices, "vertices")
        each, place = np.unique(np.asarray(numbers), return_inverse=True)
        offsets, neighbors, weights = self._native.neighbors(side, each)
        rows = Rows(
            np.asarray(offsets), np.asarray(neighbors), None if weights is None else np.asarray(weights)
        )
        place = place.reshape(-1)
        if not np.array_equal(place, np.arange(len(each))):
            rows = _picked(rows, place)
        return rows._replace(neighbors=known.named(rows.neighbors))

    def has_edge(self, src: Any, dst: Any) -> Any:
        """Return whether edges are in the graph.

        Parameters
        ----------
        src, dst : array_like, or one vertex each

        Returns
        -------
        numpy.ndarray of bool, or bool
        """
        if np.ndim(src) == 0 and np.ndim(dst) == 0 and not is_on_gpu(src):
            return bool(self.has_edge([src], [dst])[0])
        ends = as_array(src, "src"), as_array(dst, "dst")
        return self._read(lambda known: self._has_edges(known.labels, *ends))

    def _has_edges(self, labels: Labels | None, src: Any, dst: Any) -> NDArray[np.bool_]:
        if labels is None:
            return np.asarray(self._native.has_edges(as_vertices(src, "src"), as_vertices(dst, "dst")))
        src, src_known = labels.find(as_labels(src, "src"))
        dst, dst_known = labels.find(as_labels(dst, "dst"))
        return np.asarray(self._native.has_edges(src, dst)) & src_known & dst_known

    def edges(self) -> Edges:
        """Return all arcs, ascending by their ends' numbers, in host memory."""

        def edges(known: Vertices) -> Edges:
            src, dst, *weights = (np.asarray(column) for column in self._native.edges())
            return Edges(known.named(src), known.named(dst), *weights)

        return self._read(edges)

    def to_csr(self) -> Rows:
        """Return all arcs as compressed sparse rows of numbers of vertices, in host memory."""
        offsets, neighbors, weights = self._native.to_csr()
        return Rows(
            np.asarray(offsets), np.asarray(neighbors), None if weights is None else np.asarray(weights)
        )

    def to_scipy(self) -> Any:
        """Return the adjacency matrix as a ``scipy.sparse.csr_array``; entries are weights, or 1."""
        from scipy.sparse import csr_array

        rows = self.to_csr()
        weights = np.ones(len(rows.neighbors), np.uint32) if rows.weights is None else rows.weights
        count = self.vertex_count
        entries = (weights, rows.neighbors, rows.offsets.astype(np.int64))
        return csr_array(entries, shape=(count, count), copy=True)

    def to_arrow(self) -> _meerkat.Table:
        """Return all arcs as a table of numbers of vertices with ``__arrow_c_stream__``.

        ``pyarrow.table(graph.to_arrow())`` and ``polars.DataFrame(graph.to_arrow())`` take it.
        """
        return _meerkat.Table(*self._native.edges())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph to a file, which appears whole or not at all.

        Labels are written to a second file, of the same name and ``.labels.npy``, which appears after it.
        """
        name = os.fspath(path)
        with self._lock:
            if self._labels is None:
                self._native.save(name)
                with contextlib.suppress(FileNotFoundError):
                    # Those of a graph that was there before.
                    os.unlink(_labels_file(name))
                return
            written = f"{_labels_file(name)}.{os.getpid()}.new"
            try:
                self._labels.write(written)
                self._native.save(name)
                os.replace(written, _labels_file(name))
            except BaseException:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(written)
                raise

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], container: str = "compact", device: str = "auto"
    ) -> Graph:
        """Read a graph that `save` has written, into any container and onto any device.

        Raises
        ------
        SnapshotError
            If the file is damaged or none of Meerkat's.
        ValueError
            If the file of the labels is of another graph.
        """
        name = os.fspath(path)
        native = _meerkat.Graph.load(name, container, device)
        if not os.path.exists(_labels_file(name)):
            return cls(native)
        deleted = np.asarray(native.deleted_vertices())
        return cls(native, Labels.read(_labels_file(name), native.vertex_count, deleted))

    # Answers.

    def _parameters(self, known: Vertices, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return parameters with vertices as numbers."""
        if "source" in parameters and parameters["source"] is not None:
            (source,) = np.asarray(self._numbers(known.labels, [parameters["source"]], "source"))
            return {**parameters, "source": int(source)}
        return parameters

    def track(self, algorithm: str, **parameters: Any) -> Tracked:
        """Compute an answer and keep it right from here on, whatever batches change.

        Parameters
        ----------
        algorithm : str
            One of `meerkat.algorithms`: ``"bfs"``, ``"sssp"``, ``"wcc"``, ``"triangles"``,
            ``"pagerank"`` or ``"ktruss"``.
        **parameters
            Those of the algorithm, such as ``source=0`` or ``damping=0.85``.

        Returns
        -------
        Tracked
            With `Tracked.result` and `Tracked.changed`.
        """

        def track(known: Vertices) -> _meerkat.Tracked:
            return self._native.track(algorithm, self._parameters(known, parameters))

        return Tracked(self, self._read_once(track))

    def compute(self, algorithm: str, *, x: Any = None, **parameters: Any) -> Answer:
        """Compute an answer from scratch.

        Parameters
        ----------
        algorithm : str
            One of `meerkat.algorithms`.
        x : array_like, shape (vertices,), optional
            The vector of ``"spmv"``; ones if it is not given.
        **parameters
            Those of the algorithm.

        Returns
        -------
        Answer
        """
        vector = None if x is None else np.ascontiguousarray(x, np.float64)

        def compute(known: Vertices) -> Answer:
            asked = self._parameters(known, parameters)
            columns, figures = self._native.compute(algorithm, asked, vector)
            return Answer(self, known, algorithm, columns, figures)

        return self._read(compute)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weighted = f", {self.weight_dtype} weights" if self.weighted else ""
        return (
            f"Graph({kind}, {self.vertex_count} vertices, {self.edge_count} arcs{weighted}, "
            f"{self.container} on {self.device})"
        )


def _labels_file(path: str) -> str:
    """Return the name of the file in which the labels of a saved graph are."""
    return path + ".labels.npy"


def _picked(rows: Rows, place: NDArray[Any]) -> Rows:
    """Return rows in another order, some perhaps several times."""
    offsets = rows.offsets.astype(np.int64)
    begins, ends = offsets[:-1][place], offsets[1:][place]
    picked = np.concatenate([[0], np.cumsum(ends - begins)]).astype(np.uint64)
    each = [np.arange(begin, end) for begin, end in zip(begins, ends, strict=True)]
    at = np.concatenate(each) if each else np.empty(0, np.int64)
    weights = None if rows.weights is None else rows.weights[at]
    return Rows(picked, rows.neighbors[at], weights)
