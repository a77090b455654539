// A vertex may be in a frontier twice, and is then two lanes' own.

use meerkat::prelude::*;

#[vertex_operator]
fn count(v: Vertex, visits: &mut [u32]) {
    visits[v] += 1;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let frontiers = Frontiers::<Vertex>::new(&device, 4, &[0, 0])?;
    let mut visits = DeviceBuffer::<u32>::zeroed(&device, 4)?;
    count::launch(&device, frontiers.current(), &mut visits)?;
    Ok(())
}
