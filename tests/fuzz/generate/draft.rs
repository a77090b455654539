//! A kernel as far as it is written: what it calls first, then itself.

use super::{Scale, Writer, bare, family};
use crate::fuzz::language::{Family, Fetch, Function, Kernel, Operator, SCHEDULES, Scalar};
use crate::fuzz::random::Random;
use std::collections::BTreeMap;

/// Names of functions that mean something to C or CUDA.
const WORDS: [&str; 12] = [
    "step",
    "min",
    "round",
    "isnan",
    "r#struct",
    "float2",
    "dim3",
    "template",
    "char",
    "printf",
    "abs",
    "atomicAdd",
];

/// Names of methods, some of them words of C++.
const METHODS: [&str; 11] = [
    "plus", "r#type", "through", "swapped", "code", "better", "union", "operator", "double",
    "template", "this_",
];

/// A kernel as far as it is written.
pub(super) struct Draft {
    seed: u64,
    pub(super) random: Random,
    functions: Vec<Function>,
    operations: BTreeMap<Scalar, Fetch>,
    pub(super) family: Option<Family>,
    has_couple: bool,
    operator: Option<Operator>,
    scale: Scale,
    palette: Vec<Scalar>,
}

impl Draft {
    pub(super) fn writer(&mut self) -> Writer<'_> {
        let width = self.random.pick(&[1, 2, 2, 3, 4, 12]);
        Writer {
            scale: self.scale,
            palette: &self.palette,
            width,
            family: self.family.as_ref(),
            has_couple: self.has_couple,
            is_operator: self.operator.is_some(),
            ..Writer::new(&mut self.random, &self.functions, &mut self.operations)
        }
    }

    /// Functions that know nothing generic but may call it.
    fn device_functions(&mut self, count: usize, word: &str, modules: usize) {
        for _ in 0..count {
            let (seed, at) = (self.seed, self.functions.len());
            let mut function = self.writer().device(format!("f{seed:x}_{at}"));
            bare::write(&mut function, &mut self.random);
            if at < modules && !function.is_method {
                function.module = Some(format!("m{seed:x}_{at}"));
                function.name = word.to_owned();
            }
            self.functions.push(function);
        }
    }

    /// A trait, a generic struct and generic functions, or some of these.
    fn generic_functions(&mut self) {
        let (first, seed) = (self.random.below(METHODS.len()), self.seed);
        let mut names = (first..).map(|at| METHODS[at % METHODS.len()].to_owned());
        self.has_couple = self.random.percent(if self.scale == Scale::Small { 25 } else { 45 });
        if self.random.percent(if self.scale == Scale::Small { 30 } else { 60 }) {
            self.family = Some(self.writer().family());
            for name in names.by_ref().take(1 + self.random.below(self.scale.up_to(4) + 1)) {
                let method = family::method(self, name);
                self.family.as_mut().expect("it was made above").methods.push(method);
            }
        }
        let methods = if self.has_couple { 1 + self.random.below(self.scale.up_to(3)) } else { 0 };
        for name in names.take(methods) {
            let head = self.writer().couple_head(name);
            let function = family::written(self.writer(), head);
            self.functions.push(function);
        }
        for at in 0..self.random.below(1 + self.scale.up_to(3)) {
            let head = self.writer().generic_head(format!("g{seed:x}_{at}"));
            let function = family::written(self.writer(), head);
            self.functions.push(function);
        }
    }
}

/// The number types of a kernel: a few, or all.
fn palette(random: &mut Random) -> Vec<Scalar> {
    if random.percent(10) {
        return Scalar::ALL.to_vec();
    }
    let others = (0..1 + random.below(3)).map(|_| random.pick(&Scalar::ALL));
    let mut palette: Vec<_> = others.chain([Scalar::U32]).collect();
    palette.sort_unstable();
    palette.dedup();
    palette
}

pub(super) fn candidate(seed: u64, mut random: Random) -> Kernel {
    let (scale, palette) = (Scale::any(&mut random), palette(&mut random));
    let mut draft = Draft {
        seed,
        random,
        functions: Vec::new(),
        operations: BTreeMap::new(),
        family: None,
        has_couple: false,
        operator: None,
        scale,
        palette,
    };
    if draft.random.percent(15) {
        let items = draft.random.pick(&[64, 64, 256, 50, 33, 1]);
        draft.operator = Some(Operator { items, schedule: draft.random.pick(&SCHEDULES) });
    }
    let word = draft.random.pick(&WORDS);
    let modules = draft.random.below(3);
    let count = draft.random.below(1 + draft.scale.up_to(3));
    draft.device_functions(count, word, modules);
    if draft.random.percent(if scale == Scale::Small { 45 } else { 70 }) {
        draft.generic_functions();
    }
    let count = draft.random.below(1 + draft.scale.up_to(2));
    draft.device_functions(count, word, modules);
    let mut main = draft.writer().main(format!("k{seed:x}"));
    bare::write(&mut main, &mut draft.random);
    let arguments = main.params.iter().map(|&var| {
        let scalar = main.vars[var].ty.scalar();
        crate::fuzz::memory::value(&mut draft.random, scalar)
    });
    let arguments = arguments.collect();
    let mut types = Vec::new();
    for generic in &main.generics {
        let chosen = match generic.of {
            None => draft.writer().type_of(generic.bound),
            Some(at) => draft.writer().code_of(types[at]),
        };
        types.push(chosen.expect("the bound is of some type"));
    }
    let given = draft.random.pick(&[1, 2, 4, 4, 8]);
    let Draft { functions, family, has_couple, operator, .. } = draft;
    Kernel { seed, family, has_couple, functions, operator, main, types, given, arguments }
}
