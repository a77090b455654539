"""Labels of vertices: any integers or texts, mapped to the numbers of vertices and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._columns import is_text


def as_labels(column: Any, name: str) -> NDArray[Any]:
    """Return labels as an array of integers or of texts."""
    if not isinstance(column, np.ndarray):
        raise TypeError(f"`{name}` has labels, and those are to be in host memory")
    if is_text(column):
        return column.astype(np.str_)
    if column.size == 0:
        return np.empty(0, np.int64)
    if column.dtype.kind == "u" and column.dtype.itemsize == 8 and int(column.max()) >= 2**63:
        return column.astype(np.uint64)
    if column.dtype.kind in "iu":
        return column.astype(np.int64, copy=False)
    raise TypeError(f"`{name}` has labels, which are integers or texts, and not {column.dtype}")


class Labels:
    """The labels of vertices from 0 on, each once.

    A look-up is a binary search; new labels cost a sort of all of them.

    Parameters
    ----------
    values : numpy.ndarray
        The label of each vertex, all different.
    """

    def __init__(self, values: NDArray[Any]) -> None:
        self._values = values
        self._is_live = np.ones(len(values), np.bool_)
        self._sort()
        if len(values) > 1 and (self._sorted[1:] == self._sorted[:-1]).any():
            raise ValueError("a label is there twice")

    def _sort(self) -> None:
        live = np.flatnonzero(self._is_live).astype(np.uint32)
        order = np.argsort(self._values[live], kind="stable")
        self._vertices = live[order]
        self._sorted = self._values[self._vertices]

    @property
    def values(self) -> NDArray[Any]:
        """The label of each vertex."""
        return self._values

    def _check(self, labels: NDArray[Any]) -> None:
        if labels.size and len(self._values) and (labels.dtype.kind in "US") != (
            self._values.dtype.kind in "US"
        ):
            kinds = ["integers", "texts"]
            have, given = (kinds[array.dtype.kind in "US"] for array in (self._values, labels))
            raise TypeError(f"the labels of the graph are {have}, and these are {given}")

    def find(self, labels: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
        """Return the vertices of labels, and which of them are known."""
        self._check(labels)
        if len(self._sorted) == 0 or labels.size == 0:
            return np.zeros(len(labels), np.uint32), np.zeros(len(labels), np.bool_)
        at = np.searchsorted(self._sorted, labels)
        at[at == len(self._sorted)] = 0
        return self._vertices[at], self._sorted[at] == labels

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

    def give(self, vertices: NDArray[np.uint32], labels: NDArray[Any]) -> None:
        """Give labels to vertices that have none, the new ones included."""
        self._check(labels)
        if len(self._values) == 0:
            self._values = np.empty(0, labels.dtype)
        count = max(len(self._values), int(vertices.max(initial=0)) + 1)
        more = np.zeros(count - len(self._values), labels.dtype)
        values = np.concatenate([self._values, more])
        if values.dtype != labels.dtype:
            values = values.astype(np.result_type(values.dtype, labels.dtype))
        values[vertices] = labels
        live = np.zeros(count, np.bool_)
        live[: len(self._is_live)] = self._is_live
        live[vertices] = True
        self._values, self._is_live = values, live
        self._sort()

    def take(self, vertices: NDArray[np.uint32]) -> None:
        """Take the labels of vertices away."""
        self._is_live[vertices] = False
        self._sort()
