//! What edges carry.

use meerkat_macros::device;

/// What an edge can carry: nothing (`()`), or 32 bits.
///
/// An unweighted slab holds 31 keys; a weighted one 15 pairs of key and weight
/// (Awad et al., section 3; the last lane links to the next slab).
#[device]
pub trait Weight {
    /// Whether edges carry a weight.
    const IS_WEIGHTED: bool;
    /// The lanes of a slab that hold keys.
    const KEY_LANES: u32;
    /// How many keys fit in a slab.
    const KEYS_PER_SLAB: u32;
    /// A weight to start from.
    const ZERO: Self;
    /// The weight that these 32 bits stand for.
    fn from_bits(bits: u32) -> Self;
    /// The weight as 32 bits; in a kernel it is the language's word.
    #[host]
    fn to_bits(self) -> u32;
    /// Whether it has an order among others, as all but NaN have.
    fn is_ordered(weight: Self) -> bool;
}

#[device]
impl Weight for () {
    const IS_WEIGHTED: bool = false;
    const KEY_LANES: u32 = 0x7fff_ffff;
    const KEYS_PER_SLAB: u32 = 31;
    const ZERO: () = ();
    fn from_bits(_bits: u32) {}
    #[host]
    fn to_bits(self) -> u32 {
        0
    }
    fn is_ordered(_weight: ()) -> bool {
        true
    }
}

macro_rules! weights {
    ($($ty:ident $zero:literal, |$bits:ident| $from:expr, |$weight:ident| $is_ordered:expr;)*) => {$(
        #[device]
        impl Weight for $ty {
            const IS_WEIGHTED: bool = true;
            const KEY_LANES: u32 = 0x1555_5555;
            const KEYS_PER_SLAB: u32 = 15;
            const ZERO: $ty = $zero;
            fn from_bits($bits: u32) -> $ty {
                $from
            }
            #[host]
            fn to_bits(self) -> u32 {
                u32::from_ne_bytes(self.to_ne_bytes())
            }
            fn is_ordered($weight: $ty) -> bool {
                $is_ordered
            }
        }
    )*};
}

weights! {
    u32 0, |bits| bits, |_weight| true;
    i32 0, |bits| bits as i32, |_weight| true;
    f32 0.0, |bits| f32::from_bits(bits), |weight| weight == weight;
}
