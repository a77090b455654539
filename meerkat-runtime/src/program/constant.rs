//! Constants of the user's, as CUDA writes them.

use super::Program;

/// A value that can be a `const` in a kernel: of a device type, or a `usize`.
#[diagnostic::on_unimplemented(
    message = "a kernel reads constants of device types, not of `{Self}`",
    note = "numbers, `bool`, and what has `#[derive(DeviceStruct)]`"
)]
pub trait ConstantValue: Copy {
    /// Its type and its value in CUDA, exact.
    fn in_cuda(self, program: &mut Program) -> (String, String);
}

// Kernels have no `usize` but in constants, where a cast says what it is to be.
impl ConstantValue for usize {
    fn in_cuda(self, _program: &mut Program) -> (String, String) {
        ("u64".to_owned(), number(self as u64))
    }
}

/// A number or a `bool` as CUDA writes it.
pub(crate) trait Number: Copy {
    /// Its type in CUDA.
    fn cuda_type(self) -> &'static str;
    /// Its value in CUDA, exact.
    fn cuda_text(self) -> String;
    /// The value that a Rust literal without suffix has.
    fn of_digits(digits: &str) -> Self;
}

macro_rules! integers {
    ($($ty:ident $suffix:literal)*) => {$(
        impl Number for $ty {
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
            fn of_digits(digits: &str) -> $ty {
                // What does not fit is an error of rustc's, or wraps as the source says.
                digits.parse::<i128>().unwrap_or_default() as $ty
            }
        }
    )*};
}

integers!(u8 "" u16 "" u32 "u" u64 "ull" i8 "" i16 "" i32 "" i64 "ll");

impl Number for bool {
    fn cuda_type(self) -> &'static str {
        "bool"
    }
    fn cuda_text(self) -> String {
        self.to_string()
    }
    fn of_digits(digits: &str) -> bool {
        digits == "true"
    }
}

// The shortest decimal that Rust reads back as the same number: NVRTC 13.0 rounds a
// longer one otherwise. What has no decimal is written by its bits.
impl Number for f32 {
    fn cuda_type(self) -> &'static str {
        "f32"
    }
    fn cuda_text(self) -> String {
        match self.is_finite() {
            true => format!("{self:?}f"),
            false => format!("__builtin_bit_cast(f32, {}u)", self.to_bits()),
        }
    }
    fn of_digits(digits: &str) -> f32 {
        digits.parse().unwrap_or_default()
    }
}

impl Number for f64 {
    fn cuda_type(self) -> &'static str {
        "f64"
    }
    fn cuda_text(self) -> String {
        match self.is_finite() {
            true => format!("{self:?}"),
            false => format!("__builtin_bit_cast(f64, {}ull)", self.to_bits()),
        }
    }
    fn of_digits(digits: &str) -> f64 {
        digits.parse().unwrap_or_default()
    }
}

/// A number without suffix as a value of type `T`: C++ takes a bare one for an `int` or a
/// `double`.
pub(crate) fn literal<T: Number>(digits: &str) -> String {
    number(T::of_digits(digits))
}

/// A number as a value of its type.
pub(crate) fn number<T: Number>(value: T) -> String {
    let (ty, text) = (value.cuda_type(), value.cuda_text());
    match ty {
        "u8" | "u16" | "i8" | "i16" => format!("{ty}({text})"),
        _ if text.starts_with('-') => format!("({text})"),
        _ => text,
    }
}
