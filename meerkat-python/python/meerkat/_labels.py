"""Labels of vertices: any integers or texts, mapped to the numbers of vertices and back."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._columns import is_text, missing

#: The largest label of type int64.
_INT64 = 2**63 - 1


def as_labels(column: Any, name: str) -> NDArray[Any]:
    """Return labels as an array of int64, of uint64 where one is beyond int64, or of texts."""
    if not isinstance(column, np.ndarray):
        raise TypeError(f"`{name}` has labels, and those are to be in host memory")
    if is_text(column):
        return column.astype(np.str_)
    if column.size == 0:
        return np.empty(0, np.int64)
    if column.dtype.kind == "u" and column.dtype.itemsize == 8 and int(column.max()) > _INT64:
        return column.astype(np.uint64)
    if column.dtype.kind in "iu":
        return column.astype(np.int64, copy=False)
    raise TypeError(
        f"`{name}` has labels, which are integers or texts, and not {column.dtype}{missing(column)}"
    )


def join_labels(columns: list[NDArray[Any]], name: str) -> NDArray[Any]:
    """Return labels of several columns in one array, of one type that has all of them.

    Raises
    ------
    OverflowError
        If some are negative and others beyond int64.
    TypeError
        If some are integers and others texts.
    """
    columns = [column for column in columns if column.size] or columns[:1]
    kinds = {column.dtype.kind for column in columns}
    if "U" in kinds and len(kinds) > 1:
        raise TypeError(f"`{name}` has integers and texts; labels are the ones or the others")
    if kinds == {"i", "u"}:
        if any(column.dtype.kind == "i" and int(column.min()) < 0 for column in columns):
            raise OverflowError(f"`{name}` has labels below 0 and labels from 2^63; no type has both")
        columns = [column.astype(np.uint64, copy=False) for column in columns]
    return np.concatenate(columns)


class Labels:
    """The labels of vertices from 0 on, each once. It never changes: `give` and `take` return others.

    A look-up is a binary search; new labels cost a sort of all of them.

    Parameters
    ----------
    values : numpy.ndarray
        The label of each vertex; those of vertices that are live are all different.
    is_live : numpy.ndarray of bool, optional
        Which vertices are there; all if it is not given.
    """

    __slots__ = ("_sorted", "_vertices", "is_live", "values")

    def __init__(self, values: NDArray[Any], is_live: NDArray[np.bool_] | None = None) -> None:
        self.values = values
        self.is_live = np.ones(len(values), np.bool_) if is_live is None else is_live
        live = np.flatnonzero(self.is_live).astype(np.uint32)
        order = np.argsort(values[live], kind="stable")
        self._vertices = live[order]
        self._sorted = values[self._vertices]
        if (self._sorted[1:] == self._sorted[:-1]).any():
            raise ValueError("a label is there twice")

    @property
    def live(self) -> NDArray[Any]:
        """The labels of vertices that are there, ascending by their numbers."""
        return self.values if self.is_live.all() else self.values[self.is_live]

    def _converted(self, labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
        """Return labels in the type of these, and which of them that type has; none if it has all."""
        if not labels.size or not len(self.values):
            return labels, None
        kind, own = labels.dtype.kind, self.values.dtype.kind
        if (kind == "U") != (own == "U"):
            have, given = ("texts" if each == "U" else "integers" for each in (own, kind))
            raise TypeError(f"the labels of the graph are {have}, and these are {given}")
        if kind == own:
            return labels, None
        fits = labels >= 0 if own == "u" else labels <= np.uint64(_INT64)
        return np.where(fits, labels, 0).astype(self.values.dtype), fits

    def find(self, labels: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
        """Return the vertices of labels, and which of them are known."""
        labels, fits = self._converted(labels)
        if len(self._sorted) == 0 or labels.size == 0:
            return np.zeros(len(labels), np.uint32), np.zeros(len(labels), np.bool_)
        at = np.searchsorted(self._sorted, labels)
        at[at == len(self._sorted)] = 0
        known = self._sorted[at] == labels
        return self._vertices[at], known if fits is None else known & fits

    def vertices(self, labels: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the vertices of labels that are all known.

        Raises
        ------
        KeyError
            For one that is not.
        """
        vertices, known = self.find(labels)
        if not known.all():
            raise KeyError(labels[~known][0].item())
        return vertices

    def check(self, labels: NDArray[Any]) -> NDArray[Any]:
        """Return labels as `give` takes them.

        Raises
        ------
        OverflowError
            For one that the type of the graph's labels does not have.
        """
        converted, fits = self._converted(labels)
        if fits is not None and not fits.all():
            label, kind = labels[~fits][0].item(), self.values.dtype
            raise OverflowError(f"the labels of the graph are of type {kind}, which has no {label}")
        return converted

    def give(self, vertices: NDArray[np.uint32], labels: NDArray[Any]) -> Labels:
        """Return the same with labels of vertices that have none, the new ones included."""
        labels = self.check(labels)
        count = max(len(self.values), int(vertices.max(initial=0)) + 1)
        kind = np.result_type(self.values.dtype, labels.dtype) if len(self.values) else labels.dtype
        values, is_live = np.zeros(count, kind), np.zeros(count, np.bool_)
        values[: len(self.values)], is_live[: len(self.values)] = self.values, self.is_live
        values[vertices], is_live[vertices] = labels, True
        return Labels(values, is_live)

    def take(self, vertices: NDArray[np.uint32]) -> Labels:
        """Return the same without the labels of some vertices."""
        is_live = self.is_live.copy()
        is_live[vertices] = False
        return Labels(self.values, is_live)

    def named(self, vertices: NDArray[Any]) -> NDArray[Any]:
        """Return the labels of vertices, of those that are deleted the ones they had last."""
        named: NDArray[Any] = self.values[vertices]
        return named

    # Files.

    def write(self, path: str) -> None:
        """Write the labels, and which vertices are there, to a file."""
        kind = np.dtype([("label", self.values.dtype), ("live", np.bool_)])
        table = np.empty(len(self.values), kind)
        table["label"], table["live"] = self.values, self.is_live
        with open(path, "wb") as file:
            np.save(file, table, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def read(path: str, count: int, deleted: NDArray[np.uint32]) -> Labels:
        """Read the labels of a graph of so many vertices, of which some are deleted.

        Raises
        ------
        ValueError
            If the file is of another graph.
        """
        table = np.load(path, allow_pickle=False)
        if table.dtype.names is None:
            values, is_live = table, np.ones(len(table), np.bool_)
            is_live[deleted[deleted < len(table)]] = False
        else:
            values, is_live = table["label"].copy(), table["live"].copy()
        # Vertices at the end may have come with a batch that was refused, and have no labels.
        is_shorter = len(values) < count and not np.isin(np.arange(len(values), count), deleted).all()
        if len(values) > count or is_shorter or is_live[deleted[deleted < len(values)]].any():
            raise ValueError(f"{path} has {len(values)} labels, and the graph {count} vertices: it is of another")
        return Labels(values, is_live)


class Vertices:
    """The vertices of a graph at one time: what they are called, and which are there.

    Parameters
    ----------
    labels : Labels or None
        None of a graph without labels.
    deleted : numpy.ndarray of uint32
        The vertices that were deleted, of a graph without labels.
    """

    __slots__ = ("_deleted", "labels")

    def __init__(self, labels: Labels | None, deleted: NDArray[np.uint32]) -> None:
        self.labels = labels
        self._deleted = deleted

    def named(self, vertices: NDArray[Any]) -> NDArray[Any]:
        """Return the labels of vertices, or the vertices."""
        return vertices if self.labels is None else self.labels.named(vertices)

    def live(self, count: int) -> NDArray[np.uint32]:
        """Return the vertices that are there, of so many."""
        if self.labels is not None:
            return np.flatnonzero(self.labels.is_live[:count]).astype(np.uint32)
        everything = np.arange(count, dtype=np.uint32)
        return np.delete(everything, self._deleted[self._deleted < count])
