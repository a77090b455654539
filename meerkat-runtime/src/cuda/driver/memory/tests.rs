use super::super::super::test_support;
use super::*;

fn read(memory: &Memory) -> Vec<u8> {
    let mut bytes = vec![0xAA; memory.len()];
    memory.context().copy_to_host(&mut bytes, memory, 0).unwrap();
    bytes
}

#[test]
fn a_million_bytes_make_the_round_trip() {
    let Some(context) = test_support::context() else {
        return;
    };
    let bytes: Vec<u8> = (0..1_000_003u32).map(|i| ((i * 31) >> 3) as u8).collect();
    let memory = context.allocate(bytes.len()).unwrap();
    assert_eq!(memory.ptr() % 256, 0);
    context.copy_to_device(&memory, 0, &bytes).unwrap();
    assert_eq!(read(&memory), bytes);
}

#[test]
fn offsets_and_fills_touch_their_range_only() {
    let Some(context) = test_support::context() else {
        return;
    };
    let memory = context.allocate(32).unwrap();
    context.fill_u8(&memory, 0..32, 1).unwrap();
    context.fill_u32(&memory, 8..16, 0x0403_0201).unwrap();
    context.copy_to_device(&memory, 29, &[9, 9]).unwrap();
    let mut expected = vec![1u8; 32];
    expected[8..16].copy_from_slice(&[1, 2, 3, 4, 1, 2, 3, 4]);
    expected[29..31].fill(9);
    assert_eq!(read(&memory), expected);
    let mut part = [0; 3];
    context.copy_to_host(&mut part, &memory, 28).unwrap();
    assert_eq!(part, [1, 9, 9]);
}

#[test]
fn device_copies_move_between_and_within_allocations() {
    let Some(context) = test_support::context() else {
        return;
    };
    let (a, b) = (context.allocate(16).unwrap(), context.allocate(16).unwrap());
    context.copy_to_device(&a, 0, &[1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    context.copy_on_device(&a, 8, &a, 0, 8).unwrap();
    context.copy_on_device(&b, 0, &a, 4, 12).unwrap();
    context.fill_u8(&b, 12..16, 0).unwrap();
    assert_eq!(read(&b), [5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0]);
    let overlap = context.copy_on_device(&a, 1, &a, 0, 8).unwrap_err();
    assert!(matches!(overlap, CudaError::Overlap { from: 0, to: 1, len: 8 }), "{overlap}");
}

#[test]
fn zero_bytes_are_an_allocation_like_any_other() {
    let Some(context) = test_support::context() else {
        return;
    };
    let memory = context.allocate(0).unwrap();
    assert!(memory.is_empty() && memory.ptr() == 0);
    context.copy_to_device(&memory, 0, &[]).unwrap();
    context.copy_on_device(&memory, 0, &memory, 0, 0).unwrap();
    context.fill_u8(&memory, 0..0, 1).unwrap();
    context.fill_u32(&memory, 0..0, 1).unwrap();
    assert!(read(&memory).is_empty());
}

#[test]
fn a_range_outside_its_allocation_is_refused() {
    let Some(context) = test_support::context() else {
        return;
    };
    let memory = context.allocate(8).unwrap();
    let errors = [
        context.copy_to_device(&memory, 1, &[0; 8]),
        context.copy_to_host(&mut [0; 1], &memory, 8),
        context.copy_on_device(&memory, usize::MAX, &memory, 0, 2),
        context.fill_u8(&memory, 0..9, 0),
        context.fill_u32(&memory, 8..12, 0),
    ];
    for error in errors {
        assert!(matches!(error, Err(CudaError::OutOfBounds { size: 8, .. })), "{error:?}");
    }
    let odd = context.fill_u32(&memory, 2..6, 0);
    assert!(matches!(odd, Err(CudaError::Misaligned { offset: 2, end: 6 })), "{odd:?}");
}

#[test]
fn an_allocation_of_another_context_is_refused() {
    let Some(context) = test_support::context() else {
        return;
    };
    let Some(other) = test_support::context() else {
        return;
    };
    let memory = context.allocate(8).unwrap();
    let error = other.fill_u8(&memory, 0..8, 0).unwrap_err();
    assert!(matches!(error, CudaError::WrongContext { .. }), "{error}");
}

#[test]
fn more_than_the_device_has_is_out_of_memory_and_harmless() {
    let Some(context) = test_support::context() else {
        return;
    };
    let error = context.allocate(context.total_memory() * 2).unwrap_err();
    assert!(matches!(error, CudaError::OutOfMemory { .. }), "{error}");
    assert!(context.allocate(1024).is_ok());
}

#[test]
fn growth_in_place_keeps_address_and_contents_of_1_to_10_000_000_bytes() {
    let Some(context) = test_support::context() else {
        return;
    };
    let mut memory = context.allocate_growable(1).unwrap();
    context.fill_u8(&memory, 0..1, 1).unwrap();
    let (address, mut len) = (memory.ptr(), 1);
    for next in [1000, 2_000_000, 10_000_000] {
        if !memory.grow(next).unwrap() {
            return;
        }
        context.fill_u8(&memory, len..next, 1).unwrap();
        assert_eq!((memory.ptr(), memory.len()), (address, next));
        len = next;
    }
    assert!(read(&memory).iter().all(|byte| *byte == 1));
    // Smaller is no growth.
    assert!(memory.grow(5).unwrap());
    assert_eq!(memory.len(), len);
    assert!(!context.allocate(8).unwrap().grow(16).unwrap());
}

#[test]
fn more_than_the_device_has_is_refused_and_the_rest_stays() {
    let Some(context) = test_support::context() else {
        return;
    };
    let mut memory = context.allocate_growable(64).unwrap();
    context.fill_u8(&memory, 0..64, 7).unwrap();
    let error = memory.grow(context.total_memory() + 1).unwrap_err();
    assert!(matches!(error, CudaError::OutOfMemory { .. }), "{error}");
    assert_eq!(read(&memory), [7; 64]);
}

#[test]
fn an_empty_allocation_grows_too() {
    let Some(context) = test_support::context() else {
        return;
    };
    let mut memory = context.allocate_growable(0).unwrap();
    if memory.grow(16).unwrap() {
        context.copy_to_device(&memory, 0, &[3; 16]).unwrap();
        assert_eq!(read(&memory), [3; 16]);
    }
}
