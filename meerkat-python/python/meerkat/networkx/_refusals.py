"""Which calls the backend can run, and which it should."""

from __future__ import annotations

import inspect
from typing import Any

from . import _functions
from ._classes import Graph
from ._convert import config

#: Parameters that are refused unless they are none.
_ONLY_NONE = {
    "pagerank": ("personalization", "nstart", "dangling"),
    "clustering": ("weight",),
    "average_clustering": ("weight",),
}

#: Functions of undirected graphs, of which NetworkX has others for directed ones.
_UNDIRECTED = frozenset({"clustering", "average_clustering", "transitivity", "triangles", "k_truss"})

#: Functions in which edges that are there several times count.
_SIMPLE = frozenset({"pagerank", "clustering", "average_clustering", "transitivity", "triangles", "k_truss"})


def _arguments(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | str:
    function = getattr(_functions, name)
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError as error:
        return str(error)
    bound.apply_defaults()
    return dict(bound.arguments)


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether a call can be served, or why not."""
    arguments = _arguments(name, args, kwargs)
    if isinstance(arguments, str):
        return arguments
    graph = arguments["G"]
    for parameter in _ONLY_NONE.get(name, ()):
        if arguments[parameter] is not None:
            return f"`{parameter}` is not served"
    if name in _UNDIRECTED and graph.is_directed():
        return "directed graphs are not served"
    if name in _SIMPLE and graph.is_multigraph():
        return "multigraphs are not served"
    if "weight" in arguments and callable(arguments["weight"]):
        return "a function as `weight` is not served"
    if name == "pagerank" and not 0 <= arguments["alpha"] < 1:
        return "`alpha` is to be from 0 to below 1"
    if name == "pagerank" and not arguments["tol"] > 0:
        return "`tol` is to be above 0"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether a call is worth a conversion, or why not."""
    graph = args[0] if args else kwargs["G"]
    if isinstance(graph, Graph):
        return True
    least = config("least_edges", 10_000)
    if graph.number_of_edges() < least:
        return f"the graph has fewer than {least} edges"
    return True
