"""Columns of whatever library, as the native part reads them: in host memory or on a GPU."""

from __future__ import annotations

import sys
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


class OnGpu:
    """A column on a GPU with its interface, which some libraries make anew whenever it is asked for.

    Parameters
    ----------
    owner : object
        Whose memory it is: it lives as long as this does.
    interface : dict
    """

    __slots__ = ("__cuda_array_interface__", "owner")

    def __init__(self, owner: object, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__cuda_array_interface__ = interface

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("the column is on a GPU; copy it to host memory")


#: Types of PyTorch that ends of edges have, as NumPy writes them; and how many bytes they are.
_INTEGERS = {
    "torch.int64": ("<i8", 8),
    "torch.int32": ("<i4", 4),
    "torch.uint32": ("<u4", 4),
    "torch.uint64": ("<u8", 8),
}

#: The same by the types themselves, once they were seen; none of others.
_KINDS: dict[Any, tuple[str, int] | None] = {}


def _on_gpu(obj: Any) -> OnGpu | None:
    """Return a column on a GPU, if it is one."""
    # (A module that is being imported has none.) What PyTorch says itself takes it 4 us a tensor: a tenth
    # of what a batch of one edge takes.
    tensor = getattr(sys.modules.get("torch"), "Tensor", None)
    if tensor is not None and type(obj) is tensor and obj.is_cuda and not obj.is_sparse and obj.ndim == 1:
        dtype = obj.dtype
        if dtype not in _KINDS:
            _KINDS[dtype] = _INTEGERS.get(str(dtype))
        kind = _KINDS[dtype]
        if kind is not None:
            typestr, size = kind
            shape, strides = (obj.numel(),), (obj.stride(0) * size,)
            return OnGpu(
                obj, {"data": (obj.data_ptr(), False), "shape": shape, "typestr": typestr, "strides": strides}
            )
    interface = _interface(obj, "__cuda_array_interface__")
    return None if interface is None else OnGpu(obj, interface)


def is_on_gpu(obj: object) -> bool:
    """Whether the memory of a column is on a GPU."""
    return _interface(obj, "__cuda_array_interface__") is not None


def missing(column: NDArray[Any]) -> str:
    """Return, for messages, where a column of floats has its first missing value, if it has one."""
    if column.dtype.kind != "f" or not np.isnan(column).any():
        return ""
    return f": at place {int(np.flatnonzero(np.isnan(column))[0])} a value is missing"


def _is_missing(item: Any) -> bool:
    """Whether an item is none, not a number, or what pandas has for those."""
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, (float, np.floating)) and bool(np.isnan(item))


def _check_items(items: Any, name: str) -> None:
    """Refuse items of which one is missing, or of which some are texts and others are not.

    They would become texts: ``nan``, or ``1`` of a number, which then is the label of the text.
    """
    are_texts = [isinstance(item, str) for item in items]
    if all(are_texts):
        # NumPy drops zeros at the end of a text.
        for place, item in enumerate(items):
            if item.endswith("\0"):
                raise TypeError(f"`{name}` has {item!r} at place {place}: a text must not end with a zero")
        return
    for place, item in enumerate(items):
        if _is_missing(item):
            raise TypeError(f"`{name}` has {item!r} at place {place}: a value is missing")
    if any(are_texts):
        place = are_texts.index(not are_texts[0])
        raise TypeError(
            f"`{name}` has {items[place]!r} at place {place}, and {items[0]!r} at place 0: "
            "texts and others are not taken in one column"
        )


def as_array(obj: object, name: str) -> Column:
    """Return a column as an array of NumPy, or where it is if it is on a GPU.

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
    if isinstance(obj, OnGpu):
        return obj
    on_gpu = None if isinstance(obj, np.ndarray) else _on_gpu(obj)
    if on_gpu is not None:
        return on_gpu
    if isinstance(obj, np.ma.MaskedArray):
        if np.ma.is_masked(obj):
            place = int(np.flatnonzero(np.ma.getmaskarray(obj))[0])
            raise TypeError(f"`{name}` is masked at place {place}: a value is missing")
        obj = obj.data
    if isinstance(obj, (list, tuple)):
        array = np.asarray(obj)
        if array.ndim == 1 and array.dtype.kind in "USO":
            _check_items(obj, name)
    elif isinstance(obj, (np.ndarray, range)):
        array = np.asarray(obj)
    elif _interface(obj, "__array__") is not None or _interface(obj, "__array_interface__") is not None:
        array = np.asarray(obj)
    elif _interface(obj, "__arrow_c_array__") is not None or (
        _interface(obj, "__arrow_c_stream__") is not None
    ):
        columns = _meerkat.import_arrow(obj, name)
        if len(columns) != 1 or columns[0][0] is not None:
            raise TypeError(f"`{name}` is a table and not a column; name one of its columns")
        array = np.asarray(columns[0][1])
    elif _interface(obj, "__dlpack__") is not None:
        array = np.from_dlpack(obj)  # type: ignore[arg-type]
    else:
        array = np.asarray(obj)
    if array.ndim != 1:
        raise ValueError(f"`{name}` is to have one dimension, and has {array.ndim}")
    if array.dtype.kind in "OT" and not isinstance(obj, (list, tuple)):
        _check_items(array.tolist(), name)
    return array


def as_edges(edges: Any, name: str) -> tuple[Any, Any, Any]:
    """Return the ends and the weights of edges in columns; no weights if there are none.

    Raises
    ------
    TypeError
        For anything but a tuple: a list of two pairs would be taken as two columns.
    """
    if not isinstance(edges, tuple):
        raise TypeError(
            f"`{name}` is to be a tuple of columns, `(src, dst)` or `(src, dst, weight)`, and not "
            f"{type(edges).__name__}; of a list of pairs `tuple(zip(*pairs))` makes one"
        )
    if len(edges) not in (2, 3):
        raise TypeError(f"`{name}` is to have 2 or 3 columns, and has {len(edges)}")
    src, dst, *others = edges
    return src, dst, others[0] if others else None


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
        raise TypeError(
            f"`{name}` has vertices, which are integers, and not {column.dtype}{missing(column)}"
        )
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
    _check_numbers(column)
    return "<f4"


def _check_numbers(column: NDArray[Any]) -> None:
    if column.dtype.kind not in "biuf" and column.size:
        raise TypeError(f"weights are numbers, and not {column.dtype}")


def as_weights(column: Column, kind: str | None) -> Column:
    """Return weights in the type of a graph."""
    if kind is None:
        raise ValueError("the graph has no weights; leave them out")
    if not isinstance(column, np.ndarray):
        weight_type(column)
        return column
    _check_numbers(column)
    with np.errstate(invalid="ignore", over="ignore"):
        converted: NDArray[Any] = column.astype(kind, copy=False)
    if column.dtype == converted.dtype or not column.size:
        return converted
    if kind == "<u4" and not np.array_equal(converted.astype(np.float64), column.astype(np.float64)):
        raise ValueError("the graph has integers from 0 as weights, and these are others")
    if kind == "<f4" and column.dtype.kind == "f":
        beyond = np.flatnonzero(np.isinf(converted) & np.isfinite(column))
        if beyond.size:
            place = int(beyond[0])
            raise ValueError(f"`weight` has {column[place]} at place {place}, which is beyond float32")
    return converted
