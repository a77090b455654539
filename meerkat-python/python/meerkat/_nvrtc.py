"""NVRTC of the wheel ``nvidia-cuda-nvrtc``, found without ``LD_LIBRARY_PATH``."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path


def _folders() -> Iterator[Path]:
    """Yield the folders in which the wheel's libraries are: of CUDA 13, then of 12."""
    spec = importlib.util.find_spec("nvidia")
    if spec is None or spec.submodule_search_locations is None:
        return
    for root in spec.submodule_search_locations:
        for inside in ("cu13/lib", "cu13/bin/x86_64", "cuda_nvrtc/lib", "cuda_nvrtc/bin"):
            folder = Path(root, inside)
            if folder.is_dir():
                yield folder


def preload() -> Path | None:
    """Load NVRTC of the wheel, if it is there, for all of the process.

    The loader then finds it by its name, wherever it lies, when the first kernel is compiled.

    Returns
    -------
    pathlib.Path or None
        The library.
    """
    pattern = "nvrtc64_*.dll" if sys.platform == "win32" else "libnvrtc.so*"
    builtins = "nvrtc-builtins64_*.dll" if sys.platform == "win32" else "libnvrtc-builtins.so*"
    for folder in _folders():
        for library in sorted(folder.glob(pattern)):
            try:
                for part in sorted(folder.glob(builtins)):
                    ctypes.CDLL(str(part), mode=ctypes.RTLD_GLOBAL)
                ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
            except OSError:
                continue
            return library
    return None
