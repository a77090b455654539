"""Pictures, and the notebook."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import meerkat
from meerkat import Graph

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

NOTEBOOK = Path(__file__).parents[2] / "examples" / "stream.ipynb"


def graph() -> Graph:
    return Graph.from_edges([0, 1, 2, 3, 5], [1, 2, 0, 0, 6], directed=False, vertices=8, device="cpu")


@pytest.mark.parametrize("name", ["bfs", "sssp", "wcc", "triangles", "pagerank", "ktruss"])
def test_every_answer_can_be_drawn(name: str, tmp_path: Path) -> None:
    parameters = {"source": 0} if name in ("bfs", "sssp") else {}
    axes = graph().compute(name, **parameters).plot(labels=True)
    assert axes.get_title() == name
    axes.figure.savefig(tmp_path / "picture.png")
    matplotlib.pyplot.close("all")


def test_an_answer_that_follows_is_drawn_as_it_is() -> None:
    drawn = graph()
    components = drawn.track("wcc")
    before = components.plot(pos=np.zeros((8, 2))).collections[-1].get_array().tolist()
    assert before[5] == before[6] != before[7]
    drawn.apply(insert=([6], [7]))
    after = components.plot(pos=np.zeros((8, 2))).collections[-1].get_array().tolist()
    assert before[:7] == after[:7]
    assert after[7] == after[6]
    meerkat.plot(drawn, title="plain")
    with pytest.raises(ValueError, match="pictures at most"):
        meerkat.plot(Graph.from_edges([0], [10_000], device="cpu"))
    matplotlib.pyplot.close("all")


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not NOTEBOOK.is_file():
        pytest.skip(f"SKIPPED: {NOTEBOOK} is not there")
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: dict[str, object] = {}
    for number, cell in enumerate(code):
        exec(compile(cell, f"{NOTEBOOK.name}, cell {number}", "exec"), names)  # noqa: S102
    assert (tmp_path / "stream-components.svg").stat().st_size > 10_000
    matplotlib.pyplot.close("all")
