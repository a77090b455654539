//! Names of variables.

use super::Writer;

impl Writer<'_> {
    /// A name for a variable: few, so that they shadow each other, some of them
    /// words of C++ or names that generated code might use.
    pub(super) fn name(&mut self) -> String {
        const NAMES: [&str; 56] = [
            "x",
            "x",
            "x",
            "y",
            "y",
            "z",
            "i",
            "i",
            "i_end",
            "x_2",
            "n",
            "k",
            "lane",
            "warp",
            "mask",
            "value",
            "sum",
            "result",
            "int",
            "class",
            "float",
            "data",
            "min",
            "max",
            "template",
            "threadIdx",
            "auto",
            "queue",
            "live",
            "out",
            "Slice",
            "u32x",
            "index",
            "length",
            "x_3",
            "y_2",
            "double",
            "first",
            "ops",
            "matched",
            "isnan",
            "float2",
            "dim3",
            "r#struct",
            "round",
            "r#type",
            "unsigned",
            "short",
            "this",
            "operator",
            "warpSize",
            "signbit",
            "make_int2",
            "near",
            "far",
            "word",
        ];
        self.random.pick(&NAMES).to_owned()
    }
}
