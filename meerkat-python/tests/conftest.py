"""What the tests share."""

from __future__ import annotations

import os
import warnings

import pytest

import meerkat


def _devices() -> list[str]:
    """Return the devices that tests run on: the CPU, and the first GPU if there is one."""
    asked = os.environ.get("MEERKAT_TEST_DEVICES")
    if asked:
        return asked.split(",")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [name for name in meerkat.devices() if name in ("cpu", "cuda:0")]


@pytest.fixture(params=_devices())
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["compact", "slabs", "blocks"])
def container(request: pytest.FixtureRequest) -> str:
    return str(request.param)
