//! The types a kernel can name.

use proc_macro2::Ident;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Bool,
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Scalar {
    pub(crate) const ALL: [Scalar; 11] = [
        Scalar::Bool,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The name in Rust and, by the prelude's `using`s, in CUDA.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    pub(crate) fn is_integer(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// CUDA's operators on these wrap as Rust's do: unsigned and not promoted.
    pub(crate) fn wraps_in_cuda(self) -> bool {
        matches!(self, Scalar::U32 | Scalar::U64)
    }

    pub(crate) fn bits(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::U8 | Scalar::I8 => 8,
            Scalar::U16 | Scalar::I16 => 16,
            Scalar::U32 | Scalar::I32 | Scalar::F32 => 32,
            Scalar::U64 | Scalar::I64 | Scalar::F64 => 64,
        }
    }
}

/// What a kernel may do through a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// `&[T]`
    Read,
    /// `&mut [T]`: written only at the operator's own item
    OwnItem,
}

/// The number of a witness: rustc infers what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot(pub(crate) usize);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    /// Known to rustc, not to the macro: a field of a user's struct, a call.
    Unknown,
    /// What rustc finds, by a witness that is tied to it; and what the macro takes it
    /// for, which may lack type arguments.
    Rustc(Slot, Box<Type>),
    /// That of a number without suffix right under a cast to this type.
    Hint(Box<Type>),
    Unit,
    Scalar(Scalar),
    /// A type parameter of the function.
    Param(Ident),
    /// A device struct, with its type arguments.
    Named {
        path: syn::TypePath,
        name: String,
        args: Vec<Type>,
    },
    Slice(Access, Box<Type>),
    Atomic(Box<Type>),
    /// `(A, B)`: in registers only, since Rust gives it no layout.
    Tuple(Vec<Type>),
    /// `[T; N]`, the length as written.
    Array(Box<Type>, String),
    /// `&T` of a device struct: a graph or a frontier.
    Ref(Box<Type>),
}

/// What the length of an array is, unless it is a number.
pub(crate) fn computed_length(length: &str) -> Option<syn::Expr> {
    match syn::parse_str(length).ok()? {
        syn::Expr::Lit(_) => None,
        length => Some(length),
    }
}

impl Type {
    pub(crate) const BOOL: Type = Type::Scalar(Scalar::Bool);
    pub(crate) const U32: Type = Type::Scalar(Scalar::U32);

    pub(crate) fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Whether a parameter of it is a view, which is the same one for the whole launch.
    pub(crate) fn is_view(&self) -> bool {
        matches!(self, Type::Slice(..) | Type::Ref(_))
    }

    /// Whether the macro itself knows something of it.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self, Type::Unknown | Type::Rustc(..) | Type::Hint(_))
    }

    /// Whether all of it can be written down: by the macro, or by rustc.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Type::Unknown => false,
            Type::Rustc(..) | Type::Unit | Type::Scalar(_) | Type::Param(_) => true,
            Type::Named { args, .. } | Type::Tuple(args) => args.iter().all(Type::is_whole),
            Type::Slice(_, inner)
            | Type::Atomic(inner)
            | Type::Array(inner, _)
            | Type::Hint(inner)
            | Type::Ref(inner) => inner.is_whole(),
        }
    }

    /// Whether the look of a value says all of it: the path of a struct literal may
    /// leave type arguments to rustc.
    pub(crate) fn is_sure(&self) -> bool {
        match self {
            Type::Named { path, args, .. } => {
                // Arguments that only the fields of a literal say are not in its path.
                let last = path.path.segments.last();
                last.is_some_and(|last| !last.arguments.is_none()) && args.iter().all(Type::is_sure)
            }
            Type::Tuple(parts) => parts.iter().all(Type::is_sure),
            Type::Slice(_, inner) | Type::Atomic(inner) | Type::Array(inner, _) => inner.is_sure(),
            _ => self.is_whole(),
        }
    }

    /// Calls `f` on the type and on every type in it.
    pub(crate) fn each_part(&mut self, f: &mut dyn FnMut(&mut Type)) {
        match self {
            Type::Slice(_, inner)
            | Type::Atomic(inner)
            | Type::Array(inner, _)
            | Type::Hint(inner)
            | Type::Rustc(_, inner)
            | Type::Ref(inner) => inner.each_part(f),
            Type::Named { args, .. } | Type::Tuple(args) => {
                args.iter_mut().for_each(|part| part.each_part(f));
            }
            Type::Unknown | Type::Unit | Type::Scalar(_) | Type::Param(_) => {}
        }
        f(self);
    }

    /// The type inside references and atomics: what a value of it holds.
    pub(crate) fn value(&self) -> &Type {
        match self {
            Type::Ref(inner) | Type::Atomic(inner) => inner.value(),
            other => other,
        }
    }

    pub(crate) fn element(&self) -> Type {
        match self {
            Type::Slice(_, element) | Type::Array(element, _) => (**element).clone(),
            Type::Ref(inner) | Type::Rustc(_, inner) => inner.element(),
            _ => Type::Unknown,
        }
    }

    /// A field whose type the language itself fixes.
    pub(crate) fn field(&self, field: &str) -> Type {
        match self {
            Type::Ref(inner) | Type::Rustc(_, inner) => inner.field(field),
            Type::Tuple(parts) => {
                let at = field.strip_prefix('_').and_then(|at| at.parse::<usize>().ok());
                at.and_then(|at| parts.get(at).cloned()).unwrap_or(Type::Unknown)
            }
            Type::Named { name, args, .. } if name == "Edge" => match (field, args.first()) {
                ("src" | "dst", _) => Type::U32,
                ("weight", Some(weight)) => weight.clone(),
                _ => Type::Unknown,
            },
            Type::Named { name, .. } if name == "SlabLists" => Type::U32,
            Type::Named { name, .. } if name == "Graph" && field == "vertices" => {
                let path = syn::parse_quote!(::meerkat_runtime::graph::SlabLists);
                let lists = Type::Named { path, name: "SlabLists".to_owned(), args: vec![] };
                Type::Slice(Access::Read, Box::new(lists))
            }
            _ => Type::Unknown,
        }
    }
}
