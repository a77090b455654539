//! Keys of compiled images: hashes of all that an image depends on.

use std::fmt;

use sha2::{Digest, Sha256};

use super::nvrtc::{Options, Source};

/// The hash of what an image was made from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key(pub(super) [u8; 32]);

impl Key {
    /// Of the image that a version of NVRTC makes. `layout` is the version of the file that
    /// it is kept in.
    pub(super) fn of_image(
        source: &Source<'_>,
        options: &Options,
        nvrtc_version: (i32, i32),
        layout: u32,
    ) -> Key {
        let mut fields = Fields(Sha256::new());
        fields.add(b"meerkat cubin");
        fields.add(&layout.to_le_bytes());
        fields.add(env!("CARGO_PKG_VERSION").as_bytes());
        fields.add(&nvrtc_version.0.to_le_bytes());
        fields.add(&nvrtc_version.1.to_le_bytes());
        fields.add_program(source, options, &options.arch.to_string());
        fields.key()
    }

    /// Of a program and how it is compiled, for whatever architecture and by whatever NVRTC: so
    /// it is known without NVRTC.
    pub(super) fn of_program(source: &Source<'_>, options: &Options) -> Key {
        let mut fields = Fields(Sha256::new());
        fields.add(b"meerkat program");
        fields.add_program(source, options, "");
        fields.key()
    }
}

struct Fields(Sha256);

impl Fields {
    fn add(&mut self, bytes: &[u8]) {
        // The length first: no two lists of fields then hash the same bytes.
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn add_program(&mut self, source: &Source<'_>, options: &Options, target: &str) {
        // The name too: an image carries it in its line table.
        self.add(source.name.as_bytes());
        self.add(source.text.as_bytes());
        for option in options.command_line(target) {
            self.add(option.as_bytes());
        }
    }

    fn key(self) -> Key {
        Key(self.0.finalize().into())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::arch::Arch;
    use super::*;

    const SOURCE: Source<'static> = Source { name: "one.cu", text: "the text" };

    #[test]
    fn a_program_has_one_key_on_all_architectures_and_another_with_other_options() {
        let sm_90 = Options::new(Arch::new(9, 0));
        let key = Key::of_program(&SOURCE, &sm_90);
        assert_eq!(key, Key::of_program(&SOURCE, &Options::new(Arch::new(8, 0))));
        let fast = Options { fast_math: true, ..sm_90.clone() };
        let few = Options { extra: vec!["--maxrregcount=32".into()], ..sm_90.clone() };
        let other = Source { text: "the texts", ..SOURCE };
        let named = Source { name: "two.cu", ..SOURCE };
        let keys = [
            key,
            Key::of_program(&SOURCE, &fast),
            Key::of_program(&SOURCE, &few),
            Key::of_program(&other, &sm_90),
            Key::of_program(&named, &sm_90),
        ];
        for (i, a) in keys.iter().enumerate() {
            assert!(keys[..i].iter().all(|b| a != b), "key {i} is not new");
        }
    }
}
