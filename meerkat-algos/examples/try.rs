#![allow(clippy::print_stdout, missing_docs)]
use meerkat_runtime::prelude::*;
fn main() {
    let d = Device::cpu();
    let e: Vec<Edge> =
        (0..100u32).map(|i| Edge { src: i, dst: (i + 1) % 101, weight: () }).collect();
    let g = SlabGraph::from_edges(&d, 101, &e, &SlabOptions::default()).unwrap();
    println!("{} {:?}", g.edge_count().unwrap(), meerkat_algos::bfs::levels(&g, 3).unwrap());
    println!("{:?}", meerkat_algos::bfs::tree(&g, 3).unwrap());
    for k in meerkat_algos::kernels() {
        println!("==== {}\n{}", k.name(), k.cuda_body());
        match k.ptx() {
            Ok(p) => println!("ptx {} bytes", p.len()),
            Err(e) => println!("{e}"),
        }
    }
}
