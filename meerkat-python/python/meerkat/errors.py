"""The exceptions of Meerkat.

There is a class for each kind of error of the Rust libraries, with the same message:
``meerkat.errors.VertexOutOfRangeError`` of ``ErrorKind::VertexOutOfRange``. All are a
`MeerkatError`; those of the CUDA back end are a `CudaError`, those of graph files a `ReadError`.
Where Python has an exception that fits, they are that one, too: ``VertexOutOfRangeError`` is an
`IndexError`.
"""

from __future__ import annotations

from . import _errors
from ._errors import CudaError, MeerkatError, ReadError

__all__ = ["CudaError", "MeerkatError", "ReadError"]

for _group, (_base, _kinds) in _errors._GROUPS.items():
    for _kind in _kinds:
        _class = _errors.class_of(_group, _kind)
        globals()[_class.__name__] = _class
        __all__.append(_class.__name__)


def __getattr__(name: str) -> type[MeerkatError]:
    """Return the class of an error that has not been raised yet."""
    if name.endswith("Error") and name[0].isupper():
        for group in ("Cuda", "Read"):
            if name.startswith(group):
                return _errors.class_of(group, name[len(group) : -len("Error")])
    raise AttributeError(f"module 'meerkat.errors' has no attribute '{name}'")
