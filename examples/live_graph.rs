//! A graph that lives: edges come from a pipe, stay for some seconds, and components follow.
//!
//! ```sh
//! meerkat generate rmat:16 | cargo run --release --example live_graph -- 10
//! ```
//!
//! With a folder as second word, `-- 10 state`, it writes checkpoints there, and goes on from the last
//! one when it is started again: with the same edges in its window, as if no time had gone by.
//!
//! A line is `src dst`; lines that start with `#` or `%` are comments. Each second it prints how many
//! components there are, and the numbers to watch (Prometheus reads them).
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows its result")]

use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::feed::Feed;
use meerkat::runtime::saved::Checkpoints;
use meerkat::runtime::window::Window;
use std::collections::HashSet;
use std::error::Error as StdError;
use std::io::{BufRead, stdin};
use std::time::{Duration, Instant};

/// Edges that may wait before who writes into the pipe waits, too.
const WAITING: usize = 1 << 20;
/// Edges of a batch, at most.
const MOST: usize = 1 << 18;
/// A batch is applied after this time, however small.
const WAIT: Duration = Duration::from_millis(100);
/// How often numbers are printed.
const SHOWN: Duration = Duration::from_secs(1);
/// How often a checkpoint is written.
const SAVED: Duration = Duration::from_secs(10);

/// The edge of a line, unless it is a comment.
fn edge_of(line: &str) -> Option<Result<Edge, String>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '%']) {
        return None;
    }
    let mut ends = line.split([' ', '\t', ',']).filter(|end| !end.is_empty()).map(str::parse);
    Some(match (ends.next(), ends.next()) {
        (Some(Ok(src)), Some(Ok(dst))) => Ok(Edge { src, dst, weight: () }),
        _ => Err(format!("`{line}` is no edge: write two numbers, as in `3 7`")),
    })
}

/// Reads the pipe until it ends; lines that are no edges are told and left out.
fn read(send: impl Fn(Edge) -> bool) {
    for line in stdin().lock().lines().map_while(Result::ok) {
        match edge_of(&line) {
            None => {}
            Some(Err(what)) => eprintln!("{what}"),
            Some(Ok(edge)) if send(edge) => {}
            Some(Ok(_)) => return,
        }
    }
}

/// Makes room for the vertices that edges name for the first time.
fn grow(
    graph: &mut Tracked<CompactGraph, Components>,
    window: &mut Window,
    edges: &[Edge],
) -> Result<(), Error> {
    let wanted = edges.iter().map(|edge| edge.src.max(edge.dst).saturating_add(1)).max();
    let vertices = graph.graph().vertex_count();
    match wanted.and_then(|wanted| wanted.checked_sub(vertices)) {
        None | Some(0) => Ok(()),
        // By doubling: each time, what is kept of all vertices is copied.
        Some(more) => {
            graph.insert_vertices(more.max(vertices))?;
            window.grow(graph.graph().vertex_count())
        }
    }
}

fn show(graph: &Tracked<CompactGraph, Components>, window: &Window) -> Result<(), Error> {
    let components = graph.output()?.into_iter().collect::<HashSet<_>>().len();
    let (metrics, edges) = (graph.graph().metrics()?, window.edge_count()?);
    println!("{metrics}meerkat_window_edges {edges}\nmeerkat_components {components}\n");
    Ok(())
}

/// A graph whose components are followed, its window, and how many milliseconds the window has seen.
type Live = (Tracked<CompactGraph, Components>, Window, i64);

/// As the last whole checkpoint has it, or without edges.
fn start(device: &Device, checkpoints: Option<&Checkpoints>) -> Result<Live, Box<dyn StdError>> {
    if let Some(checkpoints) = checkpoints {
        let latest = checkpoints.latest(|path| {
            Tracked::load_checkpoint_with(device, Components, path, Window::read_from)
        })?;
        latest.skipped.iter().for_each(|why| eprintln!("left out: {why}"));
        if let Some((graph, position, window)) = latest.loaded {
            eprintln!("goes on after {position} ms, with {} edges", window.edge_count()?);
            return Ok((graph, window, i64::try_from(position)?));
        }
    }
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let graph = CompactGraph::from_edges(device, 1, &[], &options)?.track(Components)?;
    let window = Window::of(graph.graph())?;
    Ok((graph, window, 0))
}

/// Writes a checkpoint. The graph lives on without one if the disk is full.
fn save(checkpoints: &Checkpoints, (graph, window, now): &Live) {
    let position = now.unsigned_abs();
    let saved = checkpoints
        .save(|path| graph.save_checkpoint_with(path, position, |to| window.write_to(to)));
    if let Err(error) = saved {
        eprintln!("no checkpoint: {error}");
    }
}

fn main() -> Result<(), Box<dyn StdError>> {
    let seconds: u32 = std::env::args().nth(1).map_or(Ok(10), |text| text.parse())?;
    let folder = std::env::args_os().nth(2);
    let checkpoints = folder.map(|folder| Checkpoints::in_folder(folder, 3)).transpose()?;
    let device = Device::auto();
    let mut live = start(&device, checkpoints.as_ref())?;
    let (sender, feed) = Feed::new(WAITING, MOST, WAIT);
    std::thread::spawn(move || read(|edge| sender.send(edge).is_ok()));
    let (begin, before) = (Instant::now(), live.2);
    let (mut shown, mut saved) = (begin, begin);
    for edges in feed {
        let (graph, window, now) = &mut live;
        grow(graph, window, &edges)?;
        *now = before + i64::try_from(begin.elapsed().as_millis())?;
        let arriving = DeviceBuffer::from_slice(&device, &edges)?;
        let oldest = *now - 1000 * i64::from(seconds);
        window.slide(*now, oldest, arriving, |batch| graph.apply(batch))?;
        if shown.elapsed() >= SHOWN {
            show(graph, window)?;
            shown = Instant::now();
        }
        if let Some(checkpoints) = checkpoints.as_ref().filter(|_| saved.elapsed() >= SAVED) {
            save(checkpoints, &live);
            saved = Instant::now();
        }
    }
    if let Some(checkpoints) = &checkpoints {
        save(checkpoints, &live);
    }
    show(&live.0, &live.1)?;
    Ok(())
}
