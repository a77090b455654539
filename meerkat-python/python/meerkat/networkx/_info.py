"""What NetworkX is told of the backend before it is loaded. Nothing is imported here."""

from __future__ import annotations

from typing import Any

_LENGTHS = "Weights are whole numbers from 0; others are refused."

#: The functions that are served, with what differs.
FUNCTIONS: dict[str, str] = {
    "ancestors": "",
    "average_clustering": "Undirected graphs; weights are refused.",
    "clustering": "Undirected graphs; weights are refused.",
    "connected_components": "",
    "descendants": "",
    "descendants_at_distance": "",
    "dijkstra_path_length": _LENGTHS,
    "has_path": "",
    "is_connected": "",
    "is_weakly_connected": "",
    "k_truss": "Graphs whose vertices and edges have no attributes.",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_weakly_connected_components": "",
    "pagerank": "Edges weigh the same; `personalization`, `nstart` and `dangling` are refused.",
    "single_source_dijkstra_path_length": _LENGTHS,
    "single_source_shortest_path_length": "",
    "single_target_shortest_path_length": "",
    "transitivity": "Undirected graphs.",
    "triangles": "",
    "weakly_connected_components": "",
}


def get_info() -> dict[str, Any]:
    """Return what the entry point ``networkx.backend_info`` is to return."""
    functions = {
        name: {"additional_docs": note} if note else {} for name, note in FUNCTIONS.items()
    }
    return {
        "backend_name": "meerkat",
        "project": "meerkat-graph",
        "package": "meerkat",
        "short_summary": "Dynamic graph algorithms on GPUs, whose answers follow the graph.",
        "default_config": {"device": "auto", "container": "compact", "least_edges": 10_000},
        "functions": functions,
    }
