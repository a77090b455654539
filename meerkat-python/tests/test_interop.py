"""Memory of other libraries, in and out."""

from __future__ import annotations

import numpy as np
import pytest

import meerkat
from meerkat import Graph, _meerkat

SRC, DST, WEIGHT = [0, 1, 2], [1, 2, 0], [0.5, 1.5, 2.5]


def check(graph: Graph) -> None:
    src, dst, weight = graph.edges()
    assert (src.tolist(), dst.tolist(), weight.tolist()) == (SRC, DST, WEIGHT)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u4", "i8", "u8", ">i8"])
def test_numpy(dtype: str) -> None:
    ends = np.array([SRC, DST], dtype).T  # columns are strided
    check(Graph.from_edges(ends[:, 0], ends[:, 1], np.array(WEIGHT), device="cpu"))


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": SRC, "b": DST, "w": WEIGHT})
    check(Graph.from_edges(frame.a, frame.b, frame.w, device="cpu"))
    check(Graph.from_table(frame, "a", "b", "w", device="cpu"))
    names = pandas.DataFrame({"a": ["x", "y"], "b": ["y", "z"]})
    assert Graph.from_table(names, "a", "b", device="cpu").vertices.tolist() == ["x", "y", "z"]


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"src": SRC, "dst": DST, "w": WEIGHT})
    check(Graph.from_edges(frame["src"], frame["dst"], frame["w"], device="cpu"))
    check(Graph.from_table(frame, weight="w", device="cpu"))
    graph = Graph.from_edges(SRC, DST, WEIGHT, device="cpu")
    assert polars.DataFrame(graph.to_arrow())["dst"].to_list() == DST


class Capsules:
    """An object that has nothing but Arrow's capsules."""

    def __init__(self, inner: object, names: tuple[str, ...]) -> None:
        for name in names:
            setattr(self, name, getattr(inner, name))


def test_arrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"src": SRC, "dst": pyarrow.array(DST, "uint32"), "w": WEIGHT})
    check(Graph.from_edges(table["src"], table["dst"], table["w"], device="cpu"))
    only = Capsules(pyarrow.concat_tables([table[:1], table[1:]]), ("__arrow_c_stream__",))
    check(Graph.from_table(only, weight="w", device="cpu"))
    column = Capsules(pyarrow.array(SRC, "int64"), ("__arrow_c_array__",))
    check(Graph.from_edges(column, Capsules(table["dst"], ("__arrow_c_stream__",)), WEIGHT, device="cpu"))
    graph = Graph.from_edges(SRC, DST, WEIGHT, device="cpu")
    back = pyarrow.table(graph.to_arrow())
    assert back.to_pydict() == {"src": SRC, "dst": DST, "weight": WEIGHT}
    assert pyarrow.schema(graph.to_arrow()).names == ["src", "dst", "weight"]
    texts = Capsules(pyarrow.array(["x", "y"]), ("__arrow_c_array__",))
    assert Graph.from_edges(texts, ["y", "z"], device="cpu").vertex_count == 3
    with pytest.raises(TypeError, match="`some` has a null at row 1"):
        _meerkat.import_arrow(pyarrow.array([1, None]), "some")
    with pytest.raises(TypeError, match="`some` cannot be of the type"):
        _meerkat.import_arrow(pyarrow.array([[1]]), "some")


def test_scipy() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_array((WEIGHT, (SRC, DST)), shape=(4, 4)).tocsr()
    graph = Graph.from_scipy(matrix, device="cpu")
    assert graph.vertex_count == 4
    check(graph)
    assert (graph.to_scipy() != matrix).nnz == 0
    with pytest.raises(ValueError, match="square"):
        Graph.from_scipy(sparse.coo_array((2, 3)), device="cpu")


def test_buffers_and_sequences() -> None:
    import array

    check(Graph.from_edges(array.array("q", SRC), memoryview(array.array("I", DST)), tuple(WEIGHT), device="cpu"))
    check(Graph.from_edges(range(3), DST, WEIGHT, device="cpu"))


def test_dlpack_in_and_out() -> None:
    class Tensor:
        def __init__(self, values: list[int]) -> None:
            self.values = np.array(values)

        def __dlpack__(self, **options: object) -> object:
            return self.values.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.values.__dlpack_device__()

    graph = Graph.from_edges(Tensor(SRC), Tensor(DST), WEIGHT, device="cpu")
    check(graph)
    native = graph._native.edges()[2]
    assert native.__dlpack_device__() == (1, 0)
    weights = np.from_dlpack(native)
    del graph, native
    assert weights.tolist() == WEIGHT
    _meerkat.Graph.build((np.array(SRC), np.array(DST), None), None, None, True, "slabs", "cpu").edges()[
        0
    ].__dlpack__()  # a capsule that nobody takes


def test_torch(device: str) -> None:
    torch = pytest.importorskip("torch")
    on = torch.device(device)
    src, dst = (torch.tensor(ends, device=on) for ends in (SRC, DST))
    weight = torch.tensor(WEIGHT, device=on)
    graph = Graph.from_edges(src, dst, weight, device=device)
    check(graph)
    change = graph.apply(insert=(dst, src, weight), delete=(src.int(), dst))
    assert sorted(torch.as_tensor(change.inserted.weight, device=on).tolist()) == WEIGHT
    ranks = graph.track("pagerank")
    tensor = torch.as_tensor(ranks.result, device=on)
    assert tensor.device.type == on.type
    assert abs(float(tensor.sum()) - 1) < 1e-9
    graph.apply(insert=(src, dst, weight))
    assert abs(float(tensor.sum()) - 1) < 1e-9
    with pytest.raises(ValueError, match="vertex"):
        graph.apply(insert=(src - 1, dst, weight))


def test_cupy() -> None:
    cupy = pytest.importorskip("cupy")
    graph = Graph.from_edges(
        cupy.array(SRC), cupy.array(DST, "u4"), cupy.array(WEIGHT, "f4"), device="cuda"
    )
    check(graph)
    levels = meerkat.bfs(graph, source=0)
    assert cupy.asarray(graph.track("bfs", source=0).result).get().tolist() == levels.result.tolist()


def test_results_outlive_the_graph() -> None:
    graph = Graph.from_edges(SRC, DST, device="cpu")
    levels = graph.track("bfs", source=0)
    result = levels.result
    graph.apply(delete=([0], [1]))
    assert result.tolist() == [0, 1, 2]
    del graph, levels
    assert result.tolist() == [0, 1, 2]
