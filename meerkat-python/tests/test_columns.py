"""What columns are taken, and what is refused with its name and place."""

from __future__ import annotations

import ctypes
import sys
import types
from typing import Any

import numpy as np
import pytest

from meerkat import Graph, _meerkat
from meerkat._columns import as_array
from meerkat.errors import VertexOutOfRangeError


class OnGpu:
    """A column that says it is on a GPU; its memory is nowhere."""

    def __init__(self, typestr: str = "<u4", length: int = 3) -> None:
        self.__cuda_array_interface__ = {
            "data": (0x7F0000000000, False),
            "shape": (length,),
            "typestr": typestr,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


@pytest.mark.parametrize("place", range(3))
def test_a_column_on_a_gpu_is_never_read_by_the_host(place: int) -> None:
    columns: list[object] = [[0, 1, 2], [1, 2, 0], [1, 2, 3]]
    columns[place] = OnGpu()
    name = ("src", "dst", "weight")[place]
    with pytest.raises(TypeError, match=f"`{name}` is on a GPU"):
        Graph.from_edges(*columns, device="cpu")
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3], device="cpu")
    with pytest.raises(TypeError, match="is on a GPU"):
        graph.apply(insert=tuple(columns))


def test_a_table_of_columns_on_a_gpu_is_refused() -> None:
    host = np.zeros(3, np.uint32)
    for columns in ((OnGpu(), host, None), (host, OnGpu(), None), (host, host, OnGpu("<f4"))):
        with pytest.raises(TypeError, match="is on a GPU"):
            _meerkat.Table(*columns)
    with pytest.raises(TypeError, match="weight"):
        _meerkat.Table(host, host, np.zeros(3, np.float64))


def test_columns_on_a_gpu_are_refused_by_all_calls_that_read_them_on_the_host() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], device="cpu")
    for call in (
        lambda: graph.degree(OnGpu()),
        lambda: graph.has_edge(OnGpu(), [0, 1, 2]),
        lambda: graph.delete_vertices(OnGpu()),
        lambda: graph._native.sample("in", OnGpu(), None, 2, 0),
        lambda: graph._native.walk(OnGpu(), 2, [1.0, 1.0, 1.0], 0),
        lambda: graph._native.compute("spmv", {}, OnGpu("<f8")),
    ):
        with pytest.raises(TypeError, match="is on a GPU"):
            call()


def test_memory_that_is_not_on_the_graphs_gpu_is_refused(device: str) -> None:
    if device == "cpu":
        pytest.skip("SKIPPED: there is no GPU")
    words = (ctypes.c_uint32 * 3)(0, 1, 2)
    column = OnGpu()
    column.__cuda_array_interface__["data"] = (ctypes.addressof(words), False)
    with pytest.raises(ValueError, match="is on no GPU, and the graph on cuda:0"):
        Graph.from_edges(column, column, device=device)
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], device=device)
    with pytest.raises(ValueError, match="is on no GPU"):
        graph._native.sample("in", column, None, 2, 0)


MISSING = [
    (["a", None], r"`src` has None at place 1"),
    (["a", "b", float("nan")], r"`src` has nan at place 2"),
    (["1", 1], r"`src` has 1 at place 1, and '1' at place 0"),
    ([1, "1"], r"`src` has '1' at place 1, and 1 at place 0"),
    (["a", "a\0"], r"`src` has 'a\\x00' at place 1: a text must not end with a zero"),
    (np.array(["a", None], object), r"`src` has None at place 1"),
    (np.array([1, None], object), r"`src` has None at place 1"),
    (np.ma.masked_array([1, 2], [False, True]), r"`src` is masked at place 1"),
    (np.array([0.0, np.nan]), r"`src` .* at place 1 a value is missing"),
]


@pytest.mark.parametrize(("column", "message"), MISSING)
@pytest.mark.parametrize("labels", [None, True])
def test_missing_values_and_mixed_types_are_refused_by_name_and_place(
    column: object, message: str, labels: bool | None
) -> None:
    with pytest.raises(TypeError, match=message):
        Graph.from_edges(column, ["x"] * len(column), labels=labels, device="cpu")  # type: ignore[arg-type]


def test_missing_values_of_pandas_and_polars_are_refused() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for column in (pandas.Series(["a", None]), pandas.Series(["a", pandas.NA]), polars.Series(["a", None])):
        with pytest.raises(TypeError, match=r"`src` has .* at place 1"):
            Graph.from_edges(column, ["b", "c"], device="cpu")
    frame = pandas.DataFrame({"src": ["a", np.nan], "dst": ["b", "c"]})
    with pytest.raises(TypeError, match=r"`src` has nan at place 1"):
        Graph.from_table(frame, device="cpu")
    for column in (pandas.Series([1, None], dtype="Int64"), polars.Series([1, None])):
        with pytest.raises(TypeError, match="place 1"):
            Graph.from_edges(column, [2, 3], labels=True, device="cpu")


def test_masks_that_mask_nothing_are_taken() -> None:
    graph = Graph.from_edges(np.ma.masked_array([0, 1]), [1, 2], device="cpu")
    assert graph.edge_count == 2


def test_a_list_of_pairs_is_not_taken_for_columns() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], device="cpu")
    for edges in ([(0, 2), (1, 0)], np.array([[0, 2], [1, 0]])):
        for name in ("insert", "delete"):
            with pytest.raises(TypeError, match=rf"`{name}` is to be a tuple of columns"):
                graph.apply(**{name: edges})
    with pytest.raises(TypeError, match="2 or 3 columns, and has 1"):
        graph.apply(insert=([0],))
    assert graph.edge_count == 3


def test_what_a_batch_deleted_can_be_inserted_again() -> None:
    for weight in (None, [5, 6]):
        for labels in (False, True):
            graph = Graph.from_edges([0, 1], [1, 2], weight, labels=labels, device="cpu")
            change = graph.apply(delete=([0, 1], [1, 2]))
            assert graph.edge_count == 0
            again = graph.apply(insert=change.deleted)
            assert len(again.inserted) == 2
            assert graph.edges().src.tolist() == [0, 1]


@pytest.mark.parametrize("weight", [["7", "8"], [1j, 2], np.array(["2020", "2021"], "M8[Y]"), [b"1", b"2"]])
def test_weights_are_numbers(weight: object) -> None:
    with pytest.raises(TypeError, match="weights are numbers"):
        Graph.from_edges([0, 1], [1, 2], weight, device="cpu")
    graph = Graph.from_edges([0, 1], [1, 2], [1, 2], device="cpu")
    with pytest.raises(TypeError, match="weights are numbers"):
        graph.apply(insert=([0, 1], [1, 2], weight))


def test_weights_that_would_become_infinite_are_refused() -> None:
    with pytest.raises(ValueError, match=r"`weight` has 1e\+300 at place 1, which is beyond float32"):
        Graph.from_edges([0, 1], [1, 2], [1.5, 1e300], device="cpu")
    graph = Graph.from_edges([0, 1], [1, 2], [1.5, np.inf], device="cpu")
    assert graph.edges().weight.tolist() == [1.5, np.inf]
    with pytest.raises(ValueError, match="beyond float32"):
        graph.apply(insert=([0], [2], [-1e39]))


def test_repeated_entries_of_a_matrix_are_summed() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_array(([2, 3, 4], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    graph = Graph.from_scipy(matrix, device="cpu")
    assert graph.edges().weight.tolist() == [5, 4]
    assert matrix.nnz == 3
    back = graph.to_scipy()
    back.data[:] = 0
    assert graph.edges().weight.tolist() == [5, 4]


def test_rows_of_arrow_that_are_missing_are_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    ends = [pyarrow.array([0, 1], "uint32")] * 2
    rows = pyarrow.StructArray.from_arrays(ends, ["src", "dst"], mask=pyarrow.array([False, True]))
    with pytest.raises(TypeError, match="has a null at row 1"):
        _meerkat.import_arrow(rows, "rows")
    chunked = pyarrow.chunked_array([pyarrow.array([1, 2]), pyarrow.array([3, None])])
    with pytest.raises(TypeError, match="`src` has a null at row 3"):
        _meerkat.import_arrow(chunked, "src")


class Stream:
    """An object that has nothing but Arrow's stream."""

    def __init__(self, inner: object) -> None:
        self.__arrow_c_stream__ = inner.__arrow_c_stream__  # type: ignore[attr-defined]


def test_a_stream_without_batches_is_a_graph_without_edges() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema({"src": "int64", "dst": "int64"})
    reader = pyarrow.RecordBatchReader.from_batches(schema, iter(()))
    graph = Graph.from_table(Stream(reader), device="cpu")
    assert (graph.vertex_count, graph.edge_count) == (0, 0)


def test_a_stream_that_fails_says_why() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema({"src": "int64", "dst": "int64"})

    def batches() -> object:
        yield pyarrow.record_batch({"src": [0], "dst": [1]}, schema=schema)
        raise OSError("the disk is gone")

    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(ValueError, match="the Arrow stream has failed: .*the disk is gone"):
        Graph.from_table(Stream(reader), device="cpu")


def test_answers_in_host_memory_are_read_only() -> None:
    graph = Graph.from_edges([0, 1], [1, 2], [1.5, 2.5], device="cpu")
    levels = graph.track("bfs", source=0)
    for array in (levels.result, levels.parents, graph.compute("wcc").result):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    assert levels.result.tolist() == [0, 1, 2]
    native = graph._native.edges()[2]
    assert np.asarray(native).tolist() == native.__array__().tolist() == [1.5, 2.5]
    assert native.__array__(np.float64).dtype == np.float64


def test_an_array_on_a_gpu_says_how_it_comes_to_numpy(device: str) -> None:
    if device == "cpu":
        pytest.skip("SKIPPED: there is no GPU")
    levels = Graph.from_edges([0, 1], [1, 2], device=device).track("bfs", source=0)
    with pytest.raises(TypeError, match=r"`to_host\(\)`"):
        np.asarray(levels.result)


def tensors(*columns: list[int]) -> tuple[Any, ...]:
    torch = pytest.importorskip("torch")
    return tuple(torch.tensor(column, dtype=torch.int64, device="cuda") for column in columns)


@pytest.mark.parametrize("wide", [-1, 2**32, 2**62])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_batch_of_tensors_with_an_end_that_is_no_vertex_is_refused(
    device: str, wide: int, is_weighted: bool
) -> None:
    if device == "cpu":
        pytest.skip("SKIPPED: there is no GPU")
    torch = pytest.importorskip("torch")
    weights: tuple[Any, ...] = (np.ones(3, np.float32),) if is_weighted else ()
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], *weights, device=device)
    levels = graph.track("bfs", source=0)
    gone, wrong = tensors([0, 1], [1, 2]), tensors([2, 1, 0], [1, wide, 2])
    more = (torch.ones(3, dtype=torch.float32, device="cuda"),) if is_weighted else ()
    new = (*wrong, *more)
    for batch, place in (({"insert": new}, 1), ({"delete": gone, "insert": new}, 3), ({"delete": wrong}, 1)):
        with pytest.raises(ValueError, match=f"the edge at place {place} has an end that is no vertex"):
            graph.apply(**batch)
    with pytest.raises(ValueError, match="the edge at place 1 has an end that is no vertex"):
        Graph.from_edges(*new, device=device)
    assert [column.tolist() for column in graph.edges()[:2]] == [[0, 1, 2], [1, 2, 0]]
    assert np.asarray(levels.result.to_host()).tolist() == [0, 1, 2]


@pytest.mark.parametrize("kind", ["int32", "uint32", "int64"])
def test_a_batch_with_a_vertex_outside_is_refused_alike_wherever_its_columns_are(device: str, kind: str) -> None:
    ends = [np.array([0, 7], kind), np.array([1, 2], kind)]
    columns = ends
    if device != "cpu":
        torch = pytest.importorskip("torch")
        columns = [torch.as_tensor(end.astype(np.int64), device="cuda").to(getattr(torch, kind)) for end in ends]
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], device=device)
    with pytest.raises(VertexOutOfRangeError, match="edge 1 is 7 -> 2"):
        graph.apply(insert=tuple(columns))
    assert graph.edge_count == 3


def test_the_last_word_is_a_vertex_outside(device: str) -> None:
    ends = [np.array([0, 2**32 - 1], np.uint32), np.array([1, 2], np.uint32)]
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], device=device)
    columns = ends
    if device != "cpu":
        torch = pytest.importorskip("torch")
        columns = [torch.as_tensor(end.view(np.int32), device="cuda").view(torch.uint32) for end in ends]
    with pytest.raises(VertexOutOfRangeError, match="edge 1 is 4294967295 -> 2"):
        graph.apply(insert=tuple(columns))


def test_a_column_on_a_gpu_comes_back_as_it_is_and_is_no_array_of_numpy() -> None:
    graph, column = Graph.from_edges([0, 1, 2], [1, 2, 0], device="cpu"), OnGpu("<i8")
    assert graph.vertices_of(column) is column
    with pytest.raises(TypeError, match="on a GPU"):
        np.asarray(as_array(column, "src"))
    with pytest.raises(TypeError, match="on a GPU"):
        graph.labels_of(column)


def test_a_module_called_torch_that_is_none_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    assert Graph.from_edges([0], [1], device="cpu").edge_count == 1


def test_what_is_read_of_a_tensor_is_what_the_tensor_says(device: str) -> None:
    if device == "cpu":
        pytest.skip("SKIPPED: there is no GPU")
    torch = pytest.importorskip("torch")
    for kind in (torch.int64, torch.int32, torch.uint32, torch.uint64):
        whole = torch.zeros(8, dtype=kind, device="cuda")
        for tensor in (whole, whole[3:], whole[::2], whole[5:5]):
            said, read = tensor.__cuda_array_interface__, as_array(tensor, "src").__cuda_array_interface__
            assert (read["shape"], read["typestr"]) == (said["shape"], said["typestr"])
            assert len(tensor) == 0 or read["data"][0] == said["data"][0]
            steps = said["strides"] or (tensor.element_size(),)
            assert read["strides"] == steps
    others = ((3, torch.float32), ((2, 2), torch.int64))
    for other in (torch.zeros(shape, dtype=kind, device="cuda") for shape, kind in others):
        assert as_array(other, "src").__cuda_array_interface__ == other.__cuda_array_interface__
