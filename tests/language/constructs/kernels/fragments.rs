//! `$e:expr` of a `macro_rules!` is one operand, whatever is in it.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// A struct, a trait and functions of expressions that bind less than what is around them.
macro_rules! of_expressions {
    ($sum:expr, $length:expr, $x:ident: $left:expr, $right:expr) => {
        #[derive(Clone, Copy, DeviceStruct)]
        #[repr(C)]
        pub struct Row {
            pub items: [u64; $length * 2],
        }

        #[device]
        pub trait Scaled {
            const TWICE: u64 = $sum * 2;
            fn thrice(self) -> u64;
        }

        #[device]
        impl Row {
            pub const TEN: u64 = $sum * 2;

            pub fn at(self, i: u32) -> u64 {
                self.items[i] * $sum
            }
        }

        #[device]
        impl Scaled for Row {
            fn thrice(self) -> u64 {
                (self.items[0] + 1) * 3 * $sum
            }
        }

        #[device]
        pub fn constants(x: u64) -> u64 {
            let row = Row { items: [x; $length * 2] };
            Row::TEN * 1_000_000 + <Row as Scaled>::TWICE * 10_000 + row.at(3) * 100 + row.thrice()
        }

        #[device]
        pub fn lengths(x: u64) -> u64 {
            let items = [x; $length * 2];
            assert!($sum * 2 == 10);
            items[$length + 1]
        }

        #[device]
        pub fn products($x: u64) -> u64 {
            let product = $left * $right;
            let shifted = !$left & 0xff;
            product * 1000 + shifted + ($right).min(2)
        }
    };
}

of_expressions!(2 + 3, 1 + 1, x: x + 1, 3 + x);

programs! { run: constants lengths products }

pub fn kernels() -> Vec<KernelInfo> {
    vec![run::info()]
}
