use super::*;
use meerkat_macros::DeviceStruct;

/// 3 bytes of padding after `kind`, none of which has a value.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
struct Padded {
    id: u32,
    kind: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
struct Nested<T: DeviceType> {
    inner: [T; 2],
    count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
struct Pair {
    low: u32,
    high: u32,
}

#[test]
fn padding_is_found_between_and_after_fields_and_inside_them() {
    let with = [Padded::HAS_PADDING, <[Padded; 3]>::HAS_PADDING, <(u32, u8)>::HAS_PADDING];
    assert_eq!(with, [true; 3]);
    assert_eq!([Nested::<Padded>::HAS_PADDING, Nested::<u8>::HAS_PADDING], [true; 2]);
    let without = [Nested::<u32>::HAS_PADDING, Pair::HAS_PADDING, <(u32, u32)>::HAS_PADDING];
    assert_eq!(without, [false; 3]);
    let without = [<[u8; 3]>::HAS_PADDING, bool::HAS_PADDING, <()>::HAS_PADDING];
    assert_eq!(without, [false; 3]);
    assert_eq!([DeviceSlice::<u32>::HAS_PADDING], [false]);
}

/// Under Miri this fails where a byte of padding is looked at.
#[test]
fn values_with_padding_come_back_from_all_ways_into_a_buffer() {
    let device = Device::cpu();
    let value = |id| Padded { id, kind: 7 };
    let values: Vec<_> = (0..5).map(value).collect();
    let mut buffer = DeviceBuffer::<Padded>::from_slice(&device, &values).expect("memory");
    assert_eq!(buffer.to_vec().expect("values"), values);
    buffer.write(3, &[value(9)]).expect("inside");
    assert_eq!(buffer.read(2, 2).expect("values"), [value(2), value(9)]);
    buffer.view().at_own_item(0).kind = 8;
    assert_eq!(buffer.read(0, 1).expect("values"), [Padded { id: 0, kind: 8 }]);
    buffer.reserve(100).expect("memory");
    let longer = buffer.grown(7, 0).expect("memory").to_vec().expect("values");
    assert_eq!(longer[3..], [value(9), value(4), Padded { id: 0, kind: 0 }, longer[5]]);
    assert_eq!(buffer.first(2).expect("memory").to_vec().expect("values"), longer[..2]);
    buffer.fill(value(6)).expect("memory");
    assert_eq!(buffer.to_vec().expect("values"), [value(6); 5]);
    let filled = DeviceBuffer::<Nested<Padded>>::filled(
        &device,
        3,
        Nested { inner: [value(1); 2], count: 4 },
    );
    assert_eq!(filled.expect("memory").to_vec().expect("values")[2].count, 4);
    assert_eq!(repeated_byte(Padded { id: 0, kind: 0 }), None);
}

#[test]
fn a_value_of_one_byte_throughout_is_a_fill() {
    assert_eq!(repeated_byte(u32::MAX), Some(255));
    assert_eq!(repeated_byte(Pair { low: 0x0101_0101, high: 0x0101_0101 }), Some(1));
    assert_eq!((repeated_byte(1u16), repeated_byte(())), (None, Some(0)));
}

/// `Pair` asks for 4 bytes, an atomic of 8 for 8.
#[test]
fn atomics_of_8_bytes_lie_at_multiples_of_8_whatever_their_type_asks_for() {
    let device = Device::cpu();
    assert_eq!(align_of::<Atomic<Pair>>(), 4);
    for length in 1..20 {
        let buffer = DeviceBuffer::<Atomic<Pair>>::zeroed(&device, length).expect("memory");
        for start in 0..length {
            let view = buffer.view_of(start..length);
            assert!(view.address_on_device().is_multiple_of(8));
            let (low, high) = (start as u32, length as u32);
            view.at(0).store(Pair { low, high });
            assert_eq!(view.at(0).load(), Pair { low, high });
        }
    }
}

#[test]
fn atomics_are_read_word_by_word_from_any_element_on() {
    let device = Device::cpu();
    let values: Vec<u64> = (0..9).map(|at| at << 40 | at).collect();
    let wide = DeviceBuffer::<Atomic<u64>>::from_slice(&device, &values).expect("memory");
    assert_eq!(wide.read(3, 4).expect("values"), values[3..7]);
    let narrow = DeviceBuffer::<Atomic<u32>>::from_slice(&device, &[1, 2, 3]).expect("memory");
    assert_eq!(narrow.read(1, 2).expect("values"), [2, 3]);
}
