"""Answers in Python equal the command's, on every graph of `../shared/data` and of the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import meerkat
from meerkat import Graph

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
SHARED = Path(os.environ.get("MEERKAT_SHARED_DATA", SHARED))

#: Endings of files that are graphs.
ENDINGS = (".mtx", ".gr", ".graph", ".el", ".wel", ".e", ".txt", ".csv")

#: Larger ones are compared with MEERKAT_TEST_LARGE=1.
LARGE = 1_500_000

#: What LDBC calls the depth of a vertex that is not reached.
UNREACHED_DEPTH = 2**63 - 1


def command() -> str | None:
    """Return the command `meerkat`."""
    asked = os.environ.get("MEERKAT_COMMAND")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = target / "release" / "meerkat"
    return asked or (str(built) if built.is_file() else shutil.which("meerkat"))


def graphs() -> list[Path]:
    """Return the files of graphs."""
    found = []
    for folder in (SHARED, ROOT / "tests" / "graphs"):
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            name = path.name.removesuffix(".gz")
            if path.is_file() and name.endswith(ENDINGS) and ".ref." not in name:
                found.append(path)
    return found


@pytest.fixture(params=graphs(), ids=lambda path: "/".join(path.parts[-2:]))
def path(request: pytest.FixtureRequest) -> Path:
    graph: Path = request.param
    if graph.stat().st_size > LARGE and os.environ.get("MEERKAT_TEST_LARGE") != "1":
        pytest.skip("SKIPPED: a large graph; set MEERKAT_TEST_LARGE=1")
    return graph


def test_the_shared_graphs_are_there() -> None:
    if not SHARED.is_dir():
        pytest.skip(f"SKIPPED: there is no folder {SHARED}")


def values_of(path: Path, algorithm: str, out: Path, *options: str) -> list[str] | None:
    """Return what the command says of each vertex, or none if it refuses the graph."""
    words = [str(command()), "run", algorithm, "--graph", str(path), "--output", str(out), "--device", "cpu"]
    done = subprocess.run([*words, *options], capture_output=True, text=True)
    if done.returncode == 2:
        return None
    assert done.returncode == 0, done.stderr
    return [line.rsplit(maxsplit=1)[-1] for line in out.read_text().splitlines()]


def test_answers_equal_the_commands(path: Path, tmp_path: Path) -> None:
    if command() is None:
        pytest.skip("SKIPPED: the command `meerkat` is not built")
    out = tmp_path / "answer"
    components = values_of(path, "wcc", out)
    if components is None:
        with pytest.raises(meerkat.MeerkatError):
            Graph.read(path, device="cpu")
        pytest.skip("SKIPPED: the command refuses the file, and so does Python")
    assert components is not None
    graph = Graph.read(path, device="cpu")
    labels = graph.vertices
    assert len(components) == graph.vertex_count
    assert components == [str(label) for label in labels[meerkat.wcc(graph).to_numpy()].tolist()]

    source = int(np.argmax(graph.degree() > 0))
    at = ("--source", str(labels[source]))
    depths = meerkat.bfs(graph, source=labels[source]).to_numpy().astype(np.uint64)
    depths[depths == meerkat.UNREACHED] = UNREACHED_DEPTH
    assert values_of(path, "bfs", out, *at) == [str(depth) for depth in depths.tolist()]

    assert values_of(path, "triangles", out) == [
        str(count) for count in meerkat.triangles(graph).to_numpy().tolist()
    ]

    ranks = values_of(path, "pagerank", out)
    assert ranks is not None
    np.testing.assert_allclose(
        meerkat.pagerank(graph).to_numpy(), np.array(ranks, np.float64), rtol=1e-9, atol=1e-15
    )

    truss = meerkat.ktruss(graph).columns
    largest = np.zeros(graph.vertex_count, np.uint32)
    for end in ("src", "dst"):
        np.maximum.at(largest, truss.to_numpy(end), truss.to_numpy("trussness"))
    assert values_of(path, "ktruss", out) == [str(k) for k in largest.tolist()]

    weighted = Graph.read(path, weights=True, device="cpu")
    lengths = values_of(path, "sssp", out, *at)
    if lengths is None:
        with pytest.raises(meerkat.errors.NegativeWeightError):
            meerkat.sssp(weighted, source=labels[source])
    else:
        found = meerkat.sssp(weighted, source=labels[source]).to_numpy()
        reached = np.array([length != "infinity" for length in lengths])
        unreached = np.inf if found.dtype == np.float32 else meerkat.UNREACHED
        assert ((found != unreached) == reached).all()
        expected = np.array([length if length != "infinity" else 0 for length in lengths], np.float64)
        np.testing.assert_array_equal(found[reached], expected.astype(found.dtype)[reached])

    product = values_of(path, "spmv", out)
    assert product is not None
    np.testing.assert_allclose(
        meerkat.spmv(weighted).to_numpy(), np.array(product, np.float64), rtol=1e-9, atol=1e-9
    )
