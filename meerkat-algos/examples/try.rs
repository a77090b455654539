#![allow(clippy::print_stdout, missing_docs)]
use meerkat_runtime::prelude::*;
use meerkat_runtime::read::{read, Direction};
use std::time::Instant;
fn main() {
    let d = Device::auto();
    for k in meerkat_algos::kernels() { println!("{} {:?}", k.name(), k.ptx().map(|p| p.len()).map_err(|e| println!("{e}"))); }
    for (f, dir, s) in [("USA-road-FLA.mtx.gz", Direction::Undirected, 0u32), ("soc-Slashdot0902.txt.gz", Direction::Directed, 0), ("cnr-2000.mtx.gz", Direction::Directed, 217849)] {
        let g = read(std::path::Path::new(&format!("../shared/data/{f}")), &mut |_| {}).unwrap().simple(dir);
        let e: Vec<Edge> = g.sources.iter().zip(&g.destinations).map(|(&src, &dst)| Edge { src, dst, weight: () }).collect();
        let t = Instant::now();
        let sg = SlabGraph::from_edges(&d, g.n, &e, &SlabOptions::default()).unwrap();
        println!("{f}: build {:?} edges {} slabs {}", t.elapsed(), sg.edge_count().unwrap(), sg.slab_count().unwrap());
        for _ in 0..3 { let t = Instant::now(); let l = meerkat_algos::bfs::levels(&sg, s).unwrap(); println!("bfs {:?} reached {} max {}", t.elapsed(), l.iter().filter(|&&x| x != u32::MAX).count(), l.iter().filter(|&&x| x != u32::MAX).max().unwrap()); }
        let mut off = vec![0usize; g.n as usize + 1];
        for &s in &g.sources { off[s as usize + 1] += 1; }
        for i in 0..g.n as usize { off[i + 1] += off[i]; }
        for _ in 0..2 { let t = Instant::now();
        let mut lv = vec![u32::MAX; g.n as usize]; lv[s as usize] = 0; let mut q = vec![s]; let mut h = 0;
        while h < q.len() { let v = q[h] as usize; h += 1; for &u in &g.destinations[off[v]..off[v + 1]] { if lv[u as usize] == u32::MAX { lv[u as usize] = lv[v] + 1; q.push(u); } } }
        println!("queue {:?} {}", t.elapsed(), q.len()); }
    }
}
