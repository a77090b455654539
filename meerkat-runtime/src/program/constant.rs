//! Constants of the user's, as CUDA writes them.

/// A value that can be a `const` in a kernel: a number or a `bool`.
#[diagnostic::on_unimplemented(
    message = "a kernel reads constants of number types and `bool`, not `{Self}`",
    note = "give each part of it a constant of its own"
)]
pub trait ConstantValue: Copy {
    /// Its type in CUDA.
    fn cuda_type(self) -> &'static str;
    /// Its value in CUDA, exact.
    fn cuda_text(self) -> String;
}

macro_rules! integers {
    ($($ty:ident $suffix:literal)*) => {$(
        impl ConstantValue for $ty {
            fn cuda_type(self) -> &'static str {
                stringify!($ty)
            }
            fn cuda_text(self) -> String {
                // The smallest number has no literal of its own type in C++.
                #[allow(unused_comparisons)]
                if self < 0 && self == <$ty>::MIN {
                    return format!("({}{} - 1)", self + 1, $suffix);
                }
                format!("{self}{}", $suffix)
            }
        }
    )*};
}

integers!(u8 "" u16 "" u32 "u" u64 "ull" i8 "" i16 "" i32 "" i64 "ll");

impl ConstantValue for bool {
    fn cuda_type(self) -> &'static str {
        "bool"
    }
    fn cuda_text(self) -> String {
        self.to_string()
    }
}

impl ConstantValue for f32 {
    fn cuda_type(self) -> &'static str {
        "f32"
    }
    fn cuda_text(self) -> String {
        // By its bits: no decimal in between to round.
        format!("__builtin_bit_cast(f32, {}u)", self.to_bits())
    }
}

impl ConstantValue for f64 {
    fn cuda_type(self) -> &'static str {
        "f64"
    }
    fn cuda_text(self) -> String {
        format!("__builtin_bit_cast(f64, {}ull)", self.to_bits())
    }
}
