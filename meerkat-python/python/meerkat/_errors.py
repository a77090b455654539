"""The exceptions: a class for each kind of error, with Rust's message."""

from __future__ import annotations


class MeerkatError(Exception):
    """Any error of Meerkat."""


class CudaError(MeerkatError, RuntimeError):
    """The CUDA back end failed: a library, the driver, NVRTC or the cache."""


class ReadError(MeerkatError, ValueError):
    """A graph file could not be read, or breaks a rule of its format."""


#: The built-in exception that an error is, too, by the name of its kind in Rust.
_BASES: dict[str, type[Exception]] = {
    "ArrowColumn": ValueError,
    "BatchTooLong": ValueError,
    "BlockSizes": ValueError,
    "BrokenCsr": ValueError,
    "BrokenInvariant": RuntimeError,
    "BufferTooLong": ValueError,
    "ColumnExists": ValueError,
    "ColumnLength": ValueError,
    "ColumnType": TypeError,
    "Damping": ValueError,
    "Environment": RuntimeError,
    "FlagsOfBatch": ValueError,
    "FrontierOverflow": RuntimeError,
    "Interrupted": RuntimeError,
    "ItemsOutOfRange": IndexError,
    "KernelCompile": RuntimeError,
    "LoadFactor": ValueError,
    "NanWeight": ValueError,
    "NeedsGpu": ValueError,
    "NeedsUndirected": ValueError,
    "NegativeWeight": ValueError,
    "NoGenerator": ValueError,
    "NoSuchColumn": KeyError,
    "NoSuchVertex": IndexError,
    "NotConverged": ArithmeticError,
    "OrientationMissing": ValueError,
    "OutOfBounds": IndexError,
    "OutOfMemory": MemoryError,
    "OutOfStep": RuntimeError,
    "PartsDiffer": ValueError,
    "RankCount": ValueError,
    "RankLost": RuntimeError,
    "RankNotStarted": RuntimeError,
    "RankPanicked": RuntimeError,
    "RankTimeout": TimeoutError,
    "RanksOutOfStep": RuntimeError,
    "Recursion": RuntimeError,
    "RefusedByRank": RuntimeError,
    "Rendezvous": ConnectionError,
    "RepeatedItem": ValueError,
    "SharedGpu": ValueError,
    "SlabLimit": MemoryError,
    "Snapshot": ValueError,
    "StaleChange": RuntimeError,
    "StateOfAnotherGraph": ValueError,
    "TimeGoesBack": ValueError,
    "TooManyBlocks": ValueError,
    "TooManyCompactSlabs": ValueError,
    "TooManyCompactVertices": ValueError,
    "TooManySlabs": ValueError,
    "TooManyVertices": ValueError,
    "Trap": RuntimeError,
    "UnsupportedSchedule": ValueError,
    "UpdatesNotTracked": ValueError,
    "VectorLength": ValueError,
    "VertexDeleted": ValueError,
    "VertexOutOfRange": IndexError,
    "ViewStored": TypeError,
    "WrongDevice": ValueError,
}

_CUDA_BASES: dict[str, type[Exception]] = {
    "Bundle": ValueError,
    "Cache": OSError,
    "LibraryMissing": ImportError,
    "OutOfMemory": MemoryError,
}

_READ_BASES: dict[str, type[Exception]] = {
    "IsDirectory": IsADirectoryError,
    "NotFound": FileNotFoundError,
    "Unreadable": OSError,
}

_GROUPS: dict[str, tuple[type[MeerkatError], dict[str, type[Exception]]]] = {
    "": (MeerkatError, _BASES),
    "Cuda": (CudaError, _CUDA_BASES),
    "Read": (ReadError, _READ_BASES),
}

_made: dict[str, type[MeerkatError]] = {}


def class_of(group: str, kind: str) -> type[MeerkatError]:
    """Return the class of an error.

    Parameters
    ----------
    group : str
        Where it comes from: ``""``, ``"Cuda"`` or ``"Read"``.
    kind : str
        The name of its kind in Rust.

    Returns
    -------
    type
        ``VertexOutOfRangeError`` of ``VertexOutOfRange``, which is an `IndexError`, too.
    """
    name = f"{group}{kind}Error"
    if name not in _made:
        base, others = _GROUPS[group]
        other = others.get(kind)
        # A message is shown as it is, which `KeyError` does not.
        bases: tuple[type, ...] = (base,) if other is None else (base, other)
        body = {"__module__": "meerkat.errors", "__str__": lambda self: str(self.args[0]), "__doc__": None}
        _made[name] = type(name, bases, body)
    return _made[name]
