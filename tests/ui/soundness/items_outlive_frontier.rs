// The items of a launch, beyond the frontier that has them.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::VertexItems;
use meerkat::runtime::launch::HostArg;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let frontiers = Frontiers::<Vertex>::new(&device, 4, &[1])?;
    let items: VertexItems = HostArg::to_device_arg(frontiers.current(), &device)?;
    drop(frontiers);
    println!("{items:?}");
    Ok(())
}
