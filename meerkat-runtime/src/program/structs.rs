//! Structs in CUDA: each with the layout that Rust has, and CUDA's word for it.

use super::{Program, names};
use std::any::TypeId;
use std::fmt::Write;

/// A struct, as the derive wrote it.
#[derive(Debug)]
pub struct StructText<'a> {
    /// Its name in Rust.
    pub name: &'a str,
    /// Where it was declared.
    pub place: &'a str,
    /// Its type arguments in CUDA.
    pub arguments: Vec<String>,
}

/// A field of a struct.
#[derive(Debug)]
pub struct FieldText {
    /// Its name in Rust.
    pub name: &'static str,
    /// Its type in CUDA.
    pub ty: String,
    /// Its first byte in Rust.
    pub offset: usize,
    /// Its bytes in Rust.
    pub size: usize,
}

impl Program {
    /// The name of the struct `T`, which is declared first if it is not yet: `fields`
    /// are its own, after whatever they need.
    pub fn structure<T: 'static>(
        &mut self,
        text: &StructText<'_>,
        fields: impl FnOnce(&mut Program) -> Vec<FieldText>,
    ) -> String {
        let key = (text.name, text.place);
        let (name, is_new) = self.names.of_struct(TypeId::of::<T>(), key, &text.arguments);
        if is_new {
            let fields = fields(self);
            let definition = definition(&name, &fields);
            self.note_fields(&name, &fields);
            if let Some((base, _)) = name.split_once('<') {
                let template = format!("template <typename...> struct {base};\n");
                if !self.structs.contains(&template) {
                    self.structs.push_str(&template);
                }
                self.structs.push_str("template <>\n");
            }
            self.structs.push_str(&definition);
            self.layout(&name, size_of::<T>(), align_of::<T>(), &fields);
        }
        name
    }

    /// Has CUDA check the layout that Rust uses, once for each type.
    pub fn layout(&mut self, ty: &str, size: usize, align: usize, fields: &[FieldText]) {
        let mut text = format!(
            "static_assert(sizeof({ty}) == {size} && alignof({ty}) == {align}, \
             \"{ty} differs between Rust and CUDA\");\n"
        );
        // A field without bytes lies wherever C++ likes.
        for field in fields.iter().filter(|field| field.size > 0) {
            let (field, offset) = (names::of_field(field.name), field.offset);
            let _ = writeln!(
                text,
                "static_assert(offset_of({field}, {ty}) == {offset}, \
                 \"{ty}::{field} differs between Rust and CUDA\");"
            );
        }
        if !self.layouts.contains(&text) {
            self.layouts.push(text);
        }
    }
}

/// The definition. A field of no bytes is a static member: C++ gives every other at
/// least one, and NVRTC 13.0 miscounts the stride of arrays of structs with
/// `[[no_unique_address]]` members.
fn definition(name: &str, fields: &[FieldText]) -> String {
    let mut text = format!("struct {name} {{\n");
    for FieldText { name, ty, size, .. } in fields {
        let field = names::of_field(name);
        let _ = match size {
            0 => writeln!(text, "    static constexpr {ty} {field} = {{}};"),
            _ => writeln!(text, "    {ty} {field};"),
        };
    }
    let own = name.split('<').next().unwrap_or(name);
    for FieldText { name, ty, size, .. } in fields {
        let (word, field) = (names::ascii(name), names::of_field(name));
        let _ = match size {
            0 => writeln!(text, "    DEVICE {own} with_{word}({ty}) {{ return *this; }}"),
            _ => writeln!(
                text,
                "    DEVICE {own} with_{word}({ty} value) {{ this->{field} = value; return *this; }}"
            ),
        };
    }
    text.push_str("};\n");
    text
}
