"""The examples of the book's page, as they are written."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["docs/PYTHON.md", "meerkat-python/README.md"])
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / name
    if not page.is_file():
        pytest.skip(f"SKIPPED: {name} is not there")
    for library in ("networkx", "pandas"):
        pytest.importorskip(library)
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
    assert blocks
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.summarize().failed == 0
