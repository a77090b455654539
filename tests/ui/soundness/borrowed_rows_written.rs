// Rows in buffers of somebody else: these cannot be written while the rows are there.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let offsets = DeviceBuffer::from_slice(&device, &[0u32, 1])?;
    let mut neighbors = DeviceBuffer::from_slice(&device, &[0u32])?;
    let none = DeviceBuffer::<()>::zeroed(&device, 0)?;
    let rows = BorrowedRows::new(&offsets, &neighbors, &none)?;
    neighbors.write(0, &[7])?;
    println!("{}", rows.edge_count());
    Ok(())
}
