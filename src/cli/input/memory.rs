//! How much memory a graph takes, before any is allocated.

use std::fs;
use std::path::Path;

use meerkat::runtime::Device;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::GraphFile;

use crate::cli::failure::Failure;

/// A vertex takes one slab at least, its entry in the dictionary and its degree.
const BYTES_PER_VERTEX: u64 = 128 + 8 + 4;

/// An arc takes a key of this size while the arcs are sorted.
const BYTES_PER_ARC: u64 = 8;

/// Refuses a graph whose vertices, or whose arcs, take more memory than there is. A header may
/// declare any number of vertices.
pub(in crate::cli) fn check(
    device: &Device,
    path: &Path,
    file: &GraphFile,
    direction: Direction,
) -> Result<(), Failure> {
    if device.is_cuda() {
        // Its own allocation fails at once.
        return Ok(());
    }
    let (vertices, records) = (file.ids.len(), file.sources.len() as u64);
    let arcs = match direction {
        Direction::Directed => records,
        Direction::Undirected => 2 * records,
    };
    let needed = at_least(vertices, arcs);
    match available() {
        Some(available) if needed > available => {
            let graph = path.to_owned();
            Err(Failure::TooLarge { graph, vertices, records, needed, available })
        }
        _ => Ok(()),
    }
}

/// The bytes that these vertices take once they are built, or these arcs while they are sorted.
fn at_least(vertices: u32, arcs: u64) -> u64 {
    (u64::from(vertices) * BYTES_PER_VERTEX).max(arcs * BYTES_PER_ARC)
}

/// The bytes that this process may still use, where the system says so.
fn available() -> Option<u64> {
    let free = fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(mem_available);
    let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|text| text.trim().parse().ok());
    free.into_iter().chain(limit).min()
}

/// The value of the line `MemAvailable: N kB`.
fn mem_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_in_bytes() {
        let text = "MemTotal:  16 kB\nMemAvailable:   12345 kB\nBuffers: 1 kB\n";
        assert_eq!(mem_available(text), Some(12_345 * 1024));
        assert_eq!(mem_available("MemTotal: 16 kB\n"), None);
    }

    #[test]
    fn a_billion_vertices_take_140_gb_and_a_billion_arcs_8() {
        assert_eq!(at_least(1_000_000_000, 7), 140_000_000_000);
        assert_eq!(at_least(10, 1_000_000_000), 8_000_000_000);
    }
}
