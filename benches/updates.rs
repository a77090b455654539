//! Batches of insertions, searches and deletions on the slab graph.
//!
//! `cargo bench --bench updates -- [--device cuda:0] [--graph uniform:V:E | rmat:SCALE:E]
//! [--weighted] [--json]`. Batches lie on the device; times are between events
//! (CUDA) or by the clock (CPU), the median of five batches.
#![allow(clippy::print_stdout)] // A bench prints.

use meerkat::runtime::{Device, DeviceBuffer, Edge, Error, SlabGraph, SlabOptions, Weight};

const BATCHES: [usize; 4] = [1 << 16, 1 << 18, 1 << 20, 1 << 22];
const ROUNDS: u64 = 5;

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().collect();
    let after = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let device = match after("--device").as_deref() {
        Some("cuda:0") => Device::cuda(0)?,
        _ => Device::cpu(),
    };
    let kind = after("--graph").unwrap_or_else(|| "uniform:100000:800000".to_owned());
    let json = words.iter().any(|word| word == "--json");
    if words.iter().any(|word| word == "--weighted") {
        run::<u32>(&device, &kind, json, |random| random as u32)
    } else {
        run::<()>(&device, &kind, json, |_| ())
    }
}

/// Where edges come from.
#[derive(Clone, Copy)]
enum Source {
    Uniform { vertices: u32 },
    Rmat { scale: u32 },
}

fn parse(kind: &str) -> (Source, usize) {
    let parts: Vec<&str> = kind.split(':').collect();
    let number = |at: usize| parts.get(at).and_then(|text| text.parse::<usize>().ok());
    match parts.first() {
        Some(&"rmat") => {
            let scale = number(1).unwrap_or(16) as u32;
            (Source::Rmat { scale }, number(2).unwrap_or(16 << scale))
        }
        _ => {
            let vertices = number(1).unwrap_or(100_000) as u32;
            (Source::Uniform { vertices }, number(2).unwrap_or(8 * vertices as usize))
        }
    }
}

impl Source {
    fn vertices(self) -> u32 {
        match self {
            Source::Uniform { vertices } => vertices,
            Source::Rmat { scale } => 1 << scale,
        }
    }

    /// Edge number `at` of the stream `seed`.
    fn edge(self, seed: u64, at: u64) -> (u32, u32) {
        let mut state = mix(seed ^ mix(at));
        match self {
            Source::Uniform { vertices } => {
                let pick = |bits: u64| (((bits >> 32) * u64::from(vertices)) >> 32) as u32;
                (pick(state), pick(mix(state)))
            }
            Source::Rmat { scale } => {
                let (mut src, mut dst) = (0u32, 0u32);
                for _ in 0..scale {
                    state = mix(state);
                    let at = (state >> 40) as f64 / f64::from(1u32 << 24);
                    // a .57, b .19, c .19
                    let (down, right) = (at >= 0.76, (0.57..0.76).contains(&at) || at >= 0.95);
                    src = (src << 1) | u32::from(down);
                    dst = (dst << 1) | u32::from(right);
                }
                (scramble(src, scale), scramble(dst, scale))
            }
        }
    }

    fn edges<W: Weight>(self, seed: u64, count: usize, weight: fn(u64) -> W) -> Vec<Edge<W>> {
        let make = |at: usize| {
            let (src, dst) = self.edge(seed, at as u64);
            Edge { src, dst, weight: weight(mix(at as u64)) }
        };
        (0..count).map(make).collect()
    }
}

/// A permutation of the vertices, so that hubs are not neighbours in memory.
fn scramble(vertex: u32, scale: u32) -> u32 {
    let mask = (1u64 << scale) - 1;
    let mut v = u64::from(vertex);
    v = (v * 0x9E37_79B1) & mask;
    v ^= v >> (scale / 2);
    ((v * 0x85EB_CA6B) & mask) as u32
}

fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn run<W: Weight>(
    device: &Device,
    kind: &str,
    json: bool,
    weight: fn(u64) -> W,
) -> Result<(), Error> {
    let (source, count) = parse(kind);
    let base = source.edges(0, count, weight);
    let mut graph =
        SlabGraph::from_edges(device, source.vertices(), &base, &SlabOptions::default())?;
    graph.reserve_slabs((BATCHES.iter().sum::<usize>() as u32) * 3)?;
    if !json {
        println!("{} ({}), {kind}, MEdge/s", device.name(), device.description());
        println!("{:>9} {:>9} {:>9} {:>9} {:>9}", "batch", "insert", "query", "miss", "delete");
    }
    for (at, &batch) in BATCHES.iter().enumerate() {
        let mut times = [const { Vec::new() }; 4];
        for round in 0..=ROUNDS {
            let seed = 1 + round + 100 * at as u64;
            let edges = source.edges(seed, batch, weight);
            let absent = source.edges(seed + 50, batch, weight);
            let (edges, absent) = (
                DeviceBuffer::from_slice(device, &edges)?,
                DeviceBuffer::from_slice(device, &absent)?,
            );
            let found = DeviceBuffer::zeroed(device, batch)?;
            let insert = device.measure(|| graph.queue_insertions(&edges))?;
            let query = device.measure(|| graph.queue_searches(&edges, &found))?;
            let all = found.to_vec()?.iter().all(|&found| found == 1);
            assert!(all, "an inserted edge is not found");
            let miss = device.measure(|| graph.queue_searches(&absent, &found))?;
            let delete = device.measure(|| graph.queue_deletions(&edges))?;
            // The first round compiles and warms up.
            if round > 0 {
                for (list, time) in times.iter_mut().zip([insert, query, miss, delete]) {
                    list.push(batch as f64 / time / 1e3);
                }
            }
        }
        let [insert, query, miss, delete] = times.map(median);
        if json {
            let line = serde_json::json!({
                "device": device.description(), "graph": kind, "batch": batch,
                "medge_per_s": { "insert": insert, "query": query, "miss": miss, "delete": delete },
            });
            println!("{line}");
        } else {
            println!("{batch:>9} {insert:>9.0} {query:>9.0} {miss:>9.0} {delete:>9.0}");
        }
    }
    Ok(())
}
