//! The bytes of one cache file, and the proof that they are whole.
//!
//! | bytes | field |
//! | --- | --- |
//! | 8 | magic |
//! | 4 | version of this layout |
//! | 4 | kind: 1 cubin, 2 PTX |
//! | 32 | key |
//! | 8 | length of the image |
//! | 32 | SHA-256 of all the fields above and the image |
//! | the rest | the image |
//!
//! Integers are little-endian. The hash covers the header too, so no flipped bit anywhere
//! can turn one valid entry into another.

use sha2::{Digest, Sha256};

use super::super::key::Key;
use super::super::nvrtc::Image;

/// Changes whenever the layout or the meaning of a field does; part of every key.
pub(super) const LAYOUT_VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"MKCUBIN\n";
const FIELDS: usize = 8 + 4 + 4 + 32 + 8;
const HEADER: usize = FIELDS + 32;

/// The file's bytes for an image.
pub(super) fn encode(key: &Key, kind: Image, image: &[u8]) -> Vec<u8> {
    let fields = fields(key, kind, image.len());
    let mut bytes = Vec::with_capacity(HEADER + image.len());
    bytes.extend_from_slice(&fields);
    bytes.extend_from_slice(&checksum(&fields, image));
    bytes.extend_from_slice(image);
    bytes
}

/// The image in a file's bytes, or `None` unless every byte is as [`encode`] wrote it for
/// this key.
pub(super) fn decode(key: &Key, bytes: &[u8]) -> Option<(Image, Vec<u8>)> {
    let (header, image) = bytes.split_at_checked(HEADER)?;
    let (found, found_checksum) = header.split_at(FIELDS);
    // The header of a whole entry is known but for its kind, so try both.
    let kind = [Image::Cubin, Image::Ptx]
        .into_iter()
        .find(|&kind| found == fields(key, kind, image.len()))?;
    let whole = found_checksum == checksum(found, image);
    whole.then(|| (kind, image.to_vec()))
}

fn fields(key: &Key, kind: Image, image_len: usize) -> Vec<u8> {
    let kind: u32 = match kind {
        Image::Cubin => 1,
        Image::Ptx => 2,
    };
    let mut bytes = Vec::with_capacity(FIELDS);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&LAYOUT_VERSION.to_le_bytes());
    bytes.extend_from_slice(&kind.to_le_bytes());
    bytes.extend_from_slice(&key.0);
    bytes.extend_from_slice(&(image_len as u64).to_le_bytes());
    bytes
}

fn checksum(fields: &[u8], image: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(fields);
    hash.update(image);
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key([7; 32]);
    const IMAGE: &[u8] = b"\x7fELF and some code";

    #[test]
    fn both_kinds_come_back_as_written() {
        for (kind, image) in [(Image::Cubin, IMAGE), (Image::Ptx, b"".as_slice())] {
            assert_eq!(decode(&KEY, &encode(&KEY, kind, image)), Some((kind, image.to_vec())));
        }
    }

    #[test]
    fn every_single_bit_flip_is_found() {
        let whole = encode(&KEY, Image::Cubin, IMAGE);
        for position in 0..whole.len() * 8 {
            let mut damaged = whole.clone();
            damaged[position / 8] ^= 1 << (position % 8);
            assert_eq!(decode(&KEY, &damaged), None, "bit {position}");
        }
    }

    #[test]
    fn a_valid_header_of_the_other_kind_is_found() {
        let mut forged = encode(&KEY, Image::Cubin, IMAGE);
        forged[12] = 2;
        assert_eq!(decode(&KEY, &forged), None);
    }

    #[test]
    fn every_truncation_and_an_added_byte_are_found() {
        let whole = encode(&KEY, Image::Cubin, IMAGE);
        for len in 0..whole.len() {
            assert_eq!(decode(&KEY, &whole[..len]), None, "{len} bytes");
        }
        let mut longer = whole;
        longer.push(0);
        assert_eq!(decode(&KEY, &longer), None);
    }

    #[test]
    fn an_entry_of_another_key_is_refused() {
        assert_eq!(decode(&Key([8; 32]), &encode(&KEY, Image::Cubin, IMAGE)), None);
    }
}
