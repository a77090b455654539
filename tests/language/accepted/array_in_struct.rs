//! An array in a struct of the lane's own is written element by element.

use crate::support::devices::devices;
use meerkat::prelude::*;

#[derive(Clone, Copy, Debug, DeviceStruct, PartialEq)]
#[repr(C)]
struct Walk {
    length: u32,
    path: [u32; 4],
}

#[kernel]
pub(super) fn step(walks: &mut [Walk], order: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < walks.len() {
        let at = order[i];
        let mut copy = walks[i];
        copy.path[at & 3] = i + 10;
        copy.path[(at + 1) & 3] += 1;
        walks[i] = copy;
        copy.path[2] = 7;
        copy.path[at & 1] += order[i];
        let mut new = Walk { length: 1, path: [0u32; 4] };
        new.path[at & 3] = copy.path[2];
        out[i] = new.path[at & 3] * 1000 + copy.path[2] * 100 + copy.path[at & 1];
        walks[i].length = new.length;
    }
}

#[test]
fn elements_are_written_one_by_one() -> Result<(), Error> {
    for device in devices() {
        let walks = [Walk { length: 0, path: [1, 2, 3, 4] }; 3];
        let mut walks = DeviceBuffer::from_slice(&device, &walks)?;
        let order = DeviceBuffer::from_slice(&device, &[0, 1, 3])?;
        let mut out = DeviceBuffer::zeroed(&device, 3)?;
        step::launch(&device, 3, &mut walks, &order, &mut out)?;
        assert_eq!(out.to_vec()?, [7000 + 700 + 10, 7000 + 700 + 12, 7000 + 700 + 5]);
        let expected = [
            Walk { length: 1, path: [10, 3, 3, 4] },
            Walk { length: 1, path: [1, 11, 4, 4] },
            Walk { length: 1, path: [2, 2, 3, 12] },
        ];
        assert_eq!(walks.to_vec()?, expected);
    }
    Ok(())
}
