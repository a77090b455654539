//! Which Rust types device memory and kernels can hold.
#![allow(unsafe_code)] // The layout module: each implementation says why it holds.

use crate::program::{Argument, ConstantValue, FieldText, Program};
use std::mem::{size_of, transmute_copy};

/// A value that kernels pass, load and store: the same bytes in Rust and CUDA.
/// Derive it with `#[derive(DeviceStruct)]`.
///
/// # Safety
/// The type has a fixed layout that its CUDA text repeats, all-zero bytes are a
/// value of it, and a copy of its bytes is another. One that has the address of device memory in it
/// says so ([`IS_VIEW`](Self::IS_VIEW)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no layout that CUDA knows",
    note = "use numbers and `bool`, or `#[derive(DeviceStruct)]` on a `#[repr(C)]` struct"
)]
pub unsafe trait DeviceType: Copy + Send + Sync + 'static {
    /// Whether there may be bytes between or after its fields that belong to none. Nothing
    /// looks at those: they have no value in Rust. `true` is always right.
    const HAS_PADDING: bool = true;
    /// Whether it sees device memory that somebody else owns, as [`DeviceSlice`](crate::DeviceSlice)
    /// does and whatever has one in it. Device memory holds no such value: the host could read
    /// it there, and launch it when its owner is gone.
    const IS_VIEW: bool = false;
    /// Whether any bytes of its size are a value of it, as of numbers, and not of `bool`.
    const ANY_BYTES: bool = false;

    /// Its name in CUDA, with type arguments, after its definition has been put into
    /// the program.
    fn cuda_name(program: &mut Program) -> String;

    /// [`cuda_name`](Self::cuda_name), for a type that also lies in memory.
    fn cuda_name_in_memory(program: &mut Program) -> String {
        Self::cuda_name(program)
    }

    /// A number without suffix as CUDA writes it where Rust takes it for this type.
    #[doc(hidden)]
    fn literal(digits: &str) -> String {
        digits.to_owned()
    }

    /// The same right under a cast to this type: rustc takes a number from there only
    /// where it is one of its kind.
    #[doc(hidden)]
    fn literal_under_cast(digits: &str) -> String {
        if has_point(digits) { f64::literal(digits) } else { i32::literal(digits) }
    }

    /// The value in CUDA, exact, for a constant.
    #[doc(hidden)]
    fn cuda_value(self, program: &mut Program) -> String {
        let name = Self::cuda_name(program);
        format!("{name}{{{}}}", self.cuda_parts(program).join(", "))
    }

    /// The values that it is made of; views are never constants.
    #[doc(hidden)]
    fn cuda_parts(self, _program: &mut Program) -> Vec<String> {
        Vec::new()
    }

    /// The same without the memory that it sees: lengths stay, and nothing can be read or launched. This is
    /// what host code of a container gets, which could keep it.
    #[doc(hidden)]
    #[must_use]
    fn detached(self) -> Self {
        self
    }

    /// Whether it was made by [`detached`](Self::detached) out of something that saw memory.
    #[doc(hidden)]
    fn is_detached(&self) -> bool {
        false
    }

    /// The order of `fetch_min` and `fetch_max`: numbers by value, structs as
    /// one little-endian number, whose last field counts most.
    fn atomic_less(a: Self, b: Self) -> bool {
        bits_of(a) < bits_of(b)
    }

    /// Whether it is a NaN, which `fetch_min` and `fetch_max` give up for any number.
    fn atomic_nan(_a: Self) -> bool {
        false
    }
}

/// What an element of a [`DeviceSlice`](crate::DeviceSlice) can be: a [`DeviceType`], or an
/// [`Atomic`](crate::Atomic) of one.
///
/// # Safety
/// The element has the layout of its `Value`.
pub unsafe trait Element: Sized + Send + Sync + 'static {
    /// The type that the host reads and writes.
    type Value: DeviceType;
    /// Of how many bytes the words are that lanes share, which kernels of other threads may
    /// write while the host reads; 0 where no shared reference writes.
    #[doc(hidden)]
    const SHARED_WORD: usize = 0;
    /// The element's name in CUDA, after its definition has been put into the program.
    fn element_name(program: &mut Program) -> String;
}

// SAFETY: the element is its own value.
unsafe impl<T: DeviceType> Element for T {
    type Value = T;
    fn element_name(program: &mut Program) -> String {
        T::cuda_name_in_memory(program)
    }
}

macro_rules! scalars {
    ($($ty:ident $any_bytes:literal $is_kind:expr;)*) => {$(
        // SAFETY: the prelude defines the name as CUDA's type of this layout.
        unsafe impl DeviceType for $ty {
            const HAS_PADDING: bool = false;
            const ANY_BYTES: bool = $any_bytes;
            fn cuda_name(_program: &mut Program) -> String {
                stringify!($ty).to_owned()
            }
            fn literal(digits: &str) -> String {
                crate::program::literal::<$ty>(digits)
            }
            fn cuda_value(self, _program: &mut Program) -> String {
                crate::program::number(self)
            }
            fn literal_under_cast(digits: &str) -> String {
                match ($is_kind(digits), has_point(digits)) {
                    (true, _) => Self::literal(digits),
                    (false, true) => f64::literal(digits),
                    (false, false) => i32::literal(digits),
                }
            }
            fn atomic_less(a: Self, b: Self) -> bool {
                a < b
            }
            #[allow(clippy::eq_op, reason = "a NaN alone differs from itself")]
            fn atomic_nan(a: Self) -> bool {
                a != a
            }
        }
    )*};
}

/// Whether a number has a point, as those of floats do.
fn has_point(digits: &str) -> bool {
    digits.contains(['.', 'e'])
}

fn is_whole(digits: &str) -> bool {
    !has_point(digits)
}

scalars! {
    bool false |_| false;
    u8 true is_whole; u16 true is_whole; u32 true is_whole; u64 true is_whole;
    i8 true is_whole; i16 true is_whole; i32 true is_whole; i64 true is_whole;
    f32 true has_point; f64 true has_point;
}

// SAFETY: no bytes in Rust; in CUDA the empty struct `Unit`, which structs hold
// as a static member and so in no bytes either.
unsafe impl DeviceType for () {
    const HAS_PADDING: bool = false;
    const ANY_BYTES: bool = true;
    fn cuda_name(_program: &mut Program) -> String {
        "Unit".to_owned()
    }
}

// SAFETY: no bytes, as CUDA's `Unit` in a struct has none.
unsafe impl<T: Send + Sync + 'static> DeviceType for std::marker::PhantomData<T> {
    const HAS_PADDING: bool = false;
    const ANY_BYTES: bool = true;
    fn cuda_name(_program: &mut Program) -> String {
        "Unit".to_owned()
    }
}

// SAFETY: elements one after another, as CUDA's `Array` has them.
unsafe impl<T: DeviceType, const N: usize> DeviceType for [T; N] {
    const HAS_PADDING: bool = T::HAS_PADDING;
    const IS_VIEW: bool = T::IS_VIEW;
    const ANY_BYTES: bool = T::ANY_BYTES;
    fn detached(self) -> Self {
        self.map(T::detached)
    }
    fn is_detached(&self) -> bool {
        self.iter().any(T::is_detached)
    }
    fn cuda_name(program: &mut Program) -> String {
        format!("Array<{}, {N}>", T::cuda_name(program))
    }
    fn cuda_parts(self, program: &mut Program) -> Vec<String> {
        let items: Vec<_> = self.into_iter().map(|item| item.cuda_value(program)).collect();
        vec![format!("{{{}}}", items.join(", "))]
    }
}

macro_rules! tuples {
    ($(($($part:ident $at:tt),*))*) => {$(
        // SAFETY: part by part, as CUDA's `Tuple`. Rust may order them otherwise,
        // so tuples stay in registers: the macros refuse one in memory, and a
        // generic kernel's program checks the layout that it finds.
        unsafe impl<$($part: DeviceType),*> DeviceType for ($($part,)*) {
            const HAS_PADDING: bool = $($part::HAS_PADDING)||*
                || size_of::<Self>() != 0 $(+ size_of::<$part>())*;
            const IS_VIEW: bool = $($part::IS_VIEW)||*;
            const ANY_BYTES: bool = $($part::ANY_BYTES)&&*;
            fn detached(self) -> Self {
                ($(self.$at.detached(),)*)
            }
            fn is_detached(&self) -> bool {
                $(self.$at.is_detached())||*
            }
            fn cuda_name(program: &mut Program) -> String {
                let parts = [$($part::cuda_name(program)),*];
                format!("Tuple<{}>", parts.join(", "))
            }
            fn cuda_parts(self, program: &mut Program) -> Vec<String> {
                vec![$(self.$at.cuda_value(program)),*]
            }
            fn cuda_name_in_memory(program: &mut Program) -> String {
                let name = Self::cuda_name(program);
                let fields = vec![$(FieldText {
                    name: concat!("_", $at),
                    ty: $part::cuda_name(program),
                    offset: std::mem::offset_of!(Self, $at),
                    size: size_of::<$part>(),
                }),*];
                program.layout(&name, size_of::<Self>(), align_of::<Self>(), &fields);
                name
            }
        }
    )*};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
}

/// The value's bytes as a number, zero-extended; 0 of a value that is no number of bits.
#[inline(always)]
pub(crate) fn bits_of<T: DeviceType>(value: T) -> u64 {
    match size_of::<T>() {
        _ if T::HAS_PADDING => 0,
        // SAFETY: both are 4 bytes, and those of `T` all have values.
        4 => u64::from(unsafe { transmute_copy::<T, u32>(&value) }),
        // SAFETY: both are 8 bytes, likewise.
        8 => unsafe { transmute_copy::<T, u64>(&value) },
        _ => 0,
    }
}

/// The value of these bytes.
///
/// # Safety
/// They are 0, or from [`bits_of`] a `T` of 4 or 8 bytes.
#[inline(always)]
pub(crate) unsafe fn of_bits<T: DeviceType>(bits: u64) -> T {
    const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
    match size_of::<T>() {
        // SAFETY: the caller's promise; both are 4 bytes.
        4 => unsafe { transmute_copy::<u32, T>(&(bits as u32)) },
        // SAFETY: the caller's promise; both are 8 bytes.
        _ => unsafe { transmute_copy::<u64, T>(&bits) },
    }
}

impl<T: DeviceType> Argument for T {
    fn name(program: &mut Program) -> String {
        T::cuda_name(program)
    }
}

impl<T: DeviceType> ConstantValue for T {
    fn in_cuda(self, program: &mut Program) -> (String, String) {
        (T::cuda_name(program), self.cuda_value(program))
    }
}
