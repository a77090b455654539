//! Names of a program: every item gets one that no other item, no word of C++
//! and nothing of the prelude has. Items differ by their types, so two
//! functions of one name may come from any two modules or crates.

use super::PRELUDE;
use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// The reserved words of C++, which the language fixes.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "final", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "override", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
    "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
    "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
];

/// Names that a kernel's entry point cannot have: it is a C function, and NVRTC
/// declares these itself. Other items lie in a namespace, where nothing clashes.
#[rustfmt::skip]
const C_FUNCTIONS: &[&str] = &[
    "abort", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "brkpt", "cbrt",
    "ceil", "clock", "clock64", "copysign", "cos", "cosh", "cospi", "cyl_bessel_i0",
    "cyl_bessel_i1", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1",
    "fabs", "fdim", "fdivide", "floor", "fma", "fmax", "fmin", "fmod", "free", "frexp", "hypot",
    "ilogb", "isfinite", "isinf", "isnan", "j0", "j1", "jn", "labs", "ldexp", "lgamma", "llabs",
    "llmax", "llmin", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint",
    "lround", "main", "malloc", "max", "memcpy", "memset", "min", "modf", "nan", "nanosleep",
    "nearbyint", "nextafter", "norm", "norm3d", "norm4d", "normcdf", "normcdfinv", "pow", "powi",
    "printf", "rcbrt", "remainder", "remquo", "rhypot", "rint", "rnorm", "rnorm3d", "rnorm4d",
    "round", "rsqrt", "saturate", "scalbln", "scalbn", "signbit", "sin", "sincos", "sincospi",
    "sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma", "trap", "trunc", "ullmax", "ullmin", "umax",
    "umin", "vprintf", "y0", "y1", "yn",
];

/// Words that mean something of their own in a program's text.
#[derive(Default)]
struct Words {
    /// Everywhere: C++'s own, and macros.
    reserved: HashSet<&'static str>,
    /// Where nothing hides them: what the prelude declares.
    declared: HashSet<&'static str>,
}

impl Words {
    fn contains(&self, name: &str) -> bool {
        self.reserved.contains(name) || self.declared.contains(name)
    }
}

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words = Words::default();
        words.reserved.extend(KEYWORDS);
        // The one macro that every C header defines.
        words.reserved.insert("NULL");
        for text in [PRELUDE, super::CHECKS] {
            read(text, &mut words);
        }
        words
    })
}

/// What a text declares outside of all braces and parentheses: functions, types,
/// constants, macros. Single capitals are its type parameters.
fn read(text: &'static str, words: &mut Words) {
    let mut depth = 0i32;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        if let Some(rest) = line.strip_prefix("#define ") {
            words.reserved.extend(identifiers(rest).next());
        }
        if line.starts_with('#') {
            continue;
        }
        let words = &mut words.declared;
        let mut from = 0;
        for (at, letter) in line.char_indices() {
            let step = match letter {
                '{' | '(' => 1,
                '}' | ')' => -1,
                _ => continue,
            };
            if depth == 0 {
                words.extend(identifiers(&line[from..at]).filter(|word| word.len() > 1));
            }
            depth += step;
            from = at + 1;
        }
        if depth == 0 {
            words.extend(identifiers(&line[from..]).filter(|word| word.len() > 1));
        }
    }
}

pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_other = |letter: char| !(letter.is_alphanumeric() || letter == '_');
    text.split(is_other).filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

/// The identifiers in a piece of C++ but those of members, `.load`.
pub(super) fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    identifiers(text).filter(|word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        !text[..at].ends_with('.')
    })
}

/// Letters that C++ has no room for, spelled out: NVRTC 13.0 refuses some of them.
pub(super) fn ascii(name: &str) -> String {
    let name = name.trim_start_matches("r#");
    let spelled = name.chars().map(|letter| match letter.is_ascii() {
        true => letter.to_string(),
        false => format!("u{:04x}", u32::from(letter)),
    });
    spelled.collect()
}

/// `wanted`, or with the first number that makes it free.
fn first_free(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2u32..).map(|number| format!("{wanted}_{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// A variable's name beside what its function mentions, items and the prelude's own,
/// and beside its other variables. What is not mentioned it may hide.
pub(super) fn of_variable(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    first_free(&ascii(wanted), |name| words().reserved.contains(name) || is_taken(name))
}

/// A field's name: within a struct only C++'s own words, macros and types clash, and the
/// functions that set its fields, `with_x`.
pub(super) fn of_field(wanted: &str) -> String {
    let name = ascii(wanted);
    let is_taken = words().contains(name.as_str()) || name.starts_with("with_");
    if is_taken { format!("{name}_") } else { name }
}

/// The names of a program's items.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    by_type: HashMap<TypeId, String>,
    constants: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Names {
    fn allot(&mut self, wanted: &str) -> String {
        let name =
            first_free(&ascii(wanted), |name| words().contains(name) || self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }

    /// The name of the item that a type stands for, and whether it is new.
    pub(super) fn of_type(&mut self, item: TypeId, wanted: &str) -> (String, bool) {
        if let Some(name) = self.by_type.get(&item) {
            return (name.clone(), false);
        }
        let name = self.allot(wanted);
        self.by_type.insert(item, name.clone());
        (name, true)
    }

    /// The name of a generic struct with its arguments: `Edge<u32>`. All that are
    /// declared at one place share the name in front of the arguments.
    pub(super) fn of_struct(
        &mut self,
        item: TypeId,
        (wanted, place): (&str, &str),
        arguments: &[String],
    ) -> (String, bool) {
        if arguments.is_empty() {
            return self.of_type(item, wanted);
        }
        if let Some(name) = self.by_type.get(&item) {
            return (name.clone(), false);
        }
        let arguments = arguments.join(", ");
        // Where one place declares two structs of one name, as a macro in two
        // functions may, the second is a template of its own.
        for attempt in 0u32.. {
            let key = format!("template {wanted} {place} {attempt}");
            let base = self.constants.get(&key).cloned().unwrap_or_else(|| self.allot(wanted));
            self.constants.insert(key, base.clone());
            let name = format!("{base}<{arguments}>");
            if self.taken.insert(name.clone()) {
                self.by_type.insert(item, name.clone());
                return (name, true);
            }
        }
        unreachable!("some number is free")
    }

    /// The name of a constant of this type and value, and whether it is new.
    pub(super) fn of_constant(&mut self, wanted: &str, ty: &str, value: &str) -> (String, bool) {
        let key = format!("{ty} {wanted} = {value}");
        if let Some(name) = self.constants.get(&key) {
            return (name.clone(), false);
        }
        let name = self.allot(wanted);
        self.constants.insert(key, name.clone());
        (name, true)
    }

    /// The name of a kernel's entry point.
    pub(super) fn of_entry(&mut self, wanted: &str) -> String {
        let is_c = C_FUNCTIONS.contains(&wanted);
        self.allot(&if is_c { format!("{wanted}_kernel") } else { wanted.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, ascii, of_variable, words};
    use std::any::TypeId;

    #[test]
    fn what_the_prelude_declares_is_taken_and_its_parameters_are_not() {
        for taken in ["wrapping_add", "FULL_MASK", "Slice", "u32", "DEVICE", "divide", "Fault"] {
            assert!(words().contains(taken), "{taken}");
        }
        for free in ["value", "index", "T", "level", "shared"] {
            assert!(!words().contains(free), "{free}");
        }
    }

    #[test]
    fn two_items_of_one_name_get_two_names() {
        let mut names = Names::default();
        assert_eq!(names.of_type(TypeId::of::<u8>(), "visit"), ("visit".to_owned(), true));
        assert_eq!(names.of_type(TypeId::of::<u16>(), "visit"), ("visit_2".to_owned(), true));
        assert_eq!(names.of_type(TypeId::of::<u8>(), "visit"), ("visit".to_owned(), false));
        assert_eq!(names.of_constant("LIMIT", "u32", "3u"), ("LIMIT".to_owned(), true));
        assert_eq!(names.of_constant("LIMIT", "u32", "4u"), ("LIMIT_2".to_owned(), true));
        assert_eq!(names.of_constant("LIMIT", "u32", "3u"), ("LIMIT".to_owned(), false));
        assert_eq!(names.of_entry("round"), "round_kernel");
    }

    #[test]
    fn generic_structs_share_a_name_where_they_share_a_place() {
        let mut names = Names::default();
        let arguments = |ty: &str| [ty.to_owned()];
        let name = |names: &mut Names, item, place, ty| {
            names.of_struct(item, ("Pair", place), &arguments(ty)).0
        };
        assert_eq!(name(&mut names, TypeId::of::<u8>(), "a.rs:1", "u32"), "Pair<u32>");
        assert_eq!(name(&mut names, TypeId::of::<u16>(), "a.rs:1", "f32"), "Pair<f32>");
        assert_eq!(name(&mut names, TypeId::of::<u32>(), "b.rs:1", "u32"), "Pair_2<u32>");
        assert_eq!(name(&mut names, TypeId::of::<u64>(), "a.rs:1", "u32"), "Pair_3<u32>");
    }

    #[test]
    fn variables_keep_clear_of_cuda_and_of_the_items_they_meet() {
        assert_eq!(of_variable("level", |_| false), "level");
        assert_eq!(of_variable("round", |_| false), "round");
        assert_eq!(of_variable("DEVICE", |_| false), "DEVICE_2");
        assert_eq!(of_variable("visit", |name| name == "visit"), "visit_2");
        assert_eq!(of_variable("r#struct", |_| false), "struct_2");
        assert_eq!(ascii("größe"), "gru00f6u00dfe");
    }
}
