//! The slab graph and the readers of graph files, against ordered maps and figures of others.

mod batches;
mod block_pool;
mod connected_ranks;
mod copies;
mod crowded_hubs;
mod distributed;
mod hashes;
mod hub_batches;
mod metrics;
mod mutated_files;
mod owner_gather;
mod properties;
mod properties_saved;
mod readers;
#[path = "../readers_fuzz/mod.rs"]
mod readers_fuzz;
mod slab_faults;
mod slab_graph;
mod slab_hubs;
mod slab_model;
mod slab_prefixes;
mod slab_updates;
#[path = "../support/mod.rs"]
mod support;
mod updated_lists;
#[path = "../support/updates.rs"]
mod walk;
mod window;
