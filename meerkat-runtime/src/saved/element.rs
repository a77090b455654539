//! What arrays in files are made of.

mod sealed {
    /// What is known to the format alone.
    pub trait Bytes: Copy {
        /// The number of the type in the format.
        const TAG: u32;
        /// Bytes of an element.
        const SIZE: usize;
        /// Appends the element.
        fn append_to(self, bytes: &mut Vec<u8>);
        /// The element of so many bytes.
        fn of_bytes(bytes: &[u8]) -> Self;
    }
}

pub(super) use sealed::Bytes;

/// A number that a file can hold arrays of: `u8`, `u32`, `u64`, `i64`, `f32`, `f64`.
pub trait SavedElement: Bytes {}

macro_rules! elements {
    ($($ty:ident $tag:literal)*) => {$(
        impl Bytes for $ty {
            const TAG: u32 = $tag;
            const SIZE: usize = size_of::<$ty>();
            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
            fn of_bytes(bytes: &[u8]) -> $ty {
                let mut own = [0; size_of::<$ty>()];
                own.copy_from_slice(bytes);
                $ty::from_le_bytes(own)
            }
        }
        impl SavedElement for $ty {}
    )*};
}

elements!(u8 0 u32 1 u64 2 i64 3 f32 4 f64 5);

/// Bytes of an element of a type, if there is such a type.
pub(super) fn size_of_tag(tag: u32) -> Option<u64> {
    [1, 4, 8, 8, 4, 8].get(tag as usize).copied()
}
