"""Columns of whatever library, as the native part reads them: in host memory or on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _meerkat

#: An object with ``__array_interface__`` or ``__cuda_array_interface__``.
Column = Any


def _interface(obj: object, name: str) -> Any:
    """Return an attribute that some objects refuse, for tensors that are on the host, say."""
    try:
        return getattr(obj, name, None)
    except (AttributeError, TypeError, RuntimeError, ValueError):
        return None


def is_on_gpu(obj: object) -> bool:
    """Whether the memory of a column is on a GPU."""
    return _interface(obj, "__cuda_array_interface__") is not None


def check_device(obj: object, name: str, device: str) -> None:
    """Refuse a column that is on another GPU than the graph."""
    if not is_on_gpu(obj) or device == "auto":
        return
    where = _interface(obj, "__dlpack_device__")
    ordinal = 0 if where is None else where()[1]
    if f"cuda:{ordinal}" != ("cuda:0" if device == "cuda" else device):
        raise ValueError(f"`{name}` is on cuda:{ordinal}, and the graph on {device}; copy it there")


def as_array(obj: object, name: str) -> Column:
    """Return a column as an array of NumPy, or as it is if it is on a GPU.

    Parameters
    ----------
    obj : object
        An array of NumPy, a series of pandas or Polars, a column of Arrow, a tensor of PyTorch,
        CuPy or JAX, anything that exports DLPack or a buffer, or a sequence of numbers or texts.
    name : str
        What messages call it.

    Returns
    -------
    object
        Memory is copied only where it is not laid out as an array.
    """
    if is_on_gpu(obj):
        return obj
    if isinstance(obj, (np.ndarray, list, tuple, range)):
        array = np.asarray(obj)
    elif _interface(obj, "__array__") is not None or _interface(obj, "__array_interface__") is not None:
        array = np.asarray(obj)
    elif _interface(obj, "__arrow_c_array__") is not None or (
        _interface(obj, "__arrow_c_stream__") is not None
    ):
        columns = _meerkat.import_arrow(obj)
        if len(columns) != 1 or columns[0][0] is not None:
            raise TypeError(f"`{name}` is a table and not a column; name one of its columns")
        array = np.asarray(columns[0][1])
    elif _interface(obj, "__dlpack__") is not None:
        array = np.from_dlpack(obj)  # type: ignore[arg-type]
    else:
        array = np.asarray(obj)
    if array.ndim != 1:
        raise ValueError(f"`{name}` is to have one dimension, and has {array.ndim}")
    return array


def is_text(column: Column) -> bool:
    """Whether a column has texts."""
    if not isinstance(column, np.ndarray):
        return False
    return column.dtype.kind in "UT" or (
        column.dtype.kind == "O" and column.size > 0 and isinstance(column[0], str)
    )


def as_vertices(column: Column, name: str) -> Column:
    """Return vertices as integers that the native part reads, copied only if they are others."""
    if not isinstance(column, np.ndarray):
        return column
    if column.size == 0:
        return np.empty(0, np.uint32)
    if column.dtype.kind not in "iu":
        raise TypeError(f"`{name}` has vertices, which are integers, and not {column.dtype}")
    if column.dtype.itemsize < 4:
        return column.astype(np.uint32 if column.dtype.kind == "u" else np.int32)
    return column if column.dtype.isnative else column.astype(column.dtype.newbyteorder("="))


def weight_type(column: Column) -> str:
    """Return the type in which a graph keeps weights: 32 bits, of integers or of floats."""
    if not isinstance(column, np.ndarray):
        typestr: str = column.__cuda_array_interface__["typestr"]
        if typestr in ("<u4", "<f4"):
            return typestr
        raise TypeError(
            f"weights on a GPU are to be of type uint32 or float32, and not '{typestr}'; convert them"
        )
    if column.dtype.kind in "bu" or (column.dtype.kind == "i" and not (column < 0).any()):
        fits = column.dtype.itemsize <= 4 or column.size == 0 or int(column.max()) < 2**32
        return "<u4" if fits else "<f4"
    if column.dtype.kind in "if" or column.size == 0:
        return "<f4"
    raise TypeError(f"weights are numbers, and not {column.dtype}")


def as_weights(column: Column, kind: str | None) -> Column:
    """Return weights in the type of a graph."""
    if kind is None:
        raise ValueError("the graph has no weights; leave them out")
    if not isinstance(column, np.ndarray):
        weight_type(column)
        return column
    converted: NDArray[Any] = column.astype(kind, copy=False)
    if kind == "<u4" and column.dtype != converted.dtype and column.size:
        if not np.array_equal(converted.astype(np.float64), column.astype(np.float64)):
            raise ValueError("the graph has integers from 0 as weights, and these are others")
    return converted
