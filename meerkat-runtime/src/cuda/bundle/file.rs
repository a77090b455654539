//! The bytes of a bundle.
//!
//! | bytes | field |
//! | --- | --- |
//! | 8 | magic |
//! | 4 | version of this layout |
//! | 32 | SHA-256 of all that follows |
//! | 4, then so many | the version of Meerkat, in UTF-8 |
//! | 4 | number of images |
//! | 48 each | key (32), architecture (4, 4), kind (4: 1 cubin, 2 PTX), length in the file (4) |
//! | the rest | the images one after another: length (8), then the image by deflate |
//!
//! Integers are little-endian.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};

use super::super::arch::Arch;
use super::super::error::BundleFault;
use super::super::key::Key;
use super::super::nvrtc::Image;

/// Changes whenever the layout or the meaning of a field does.
const LAYOUT_VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"MKBUNDLE";

/// Where an image is in the file.
pub(super) struct Place {
    pub(super) kind: Image,
    bytes: Range<usize>,
}

/// An image as it is in the file: its length, then deflate.
pub(super) fn compress(image: &[u8]) -> Vec<u8> {
    let bytes = (image.len() as u64).to_le_bytes().to_vec();
    let mut encoder = DeflateEncoder::new(bytes, Compression::default());
    let written = encoder.write_all(image).and_then(|()| encoder.finish());
    written.expect("a vector takes all that is written")
}

/// The file's bytes.
pub(super) fn encode(images: &BTreeMap<(Key, Arch), (Image, Vec<u8>)>) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let mut body = Vec::new();
    put_length(&mut body, version.len());
    body.extend_from_slice(version.as_bytes());
    put_length(&mut body, images.len());
    for ((key, arch), (kind, image)) in images {
        body.extend_from_slice(&key.0);
        body.extend_from_slice(&arch.major.to_le_bytes());
        body.extend_from_slice(&arch.minor.to_le_bytes());
        body.extend_from_slice(&number_of(*kind).to_le_bytes());
        put_length(&mut body, image.len());
    }
    images.values().for_each(|(_, image)| body.extend_from_slice(image));
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&LAYOUT_VERSION.to_le_bytes());
    bytes.extend_from_slice(&Sha256::digest(&body));
    bytes.extend_from_slice(&body);
    bytes
}

/// What the file says.
pub(super) struct Index {
    /// The version of Meerkat that made it.
    pub(super) version: String,
    /// Where the images are.
    pub(super) images: BTreeMap<(Key, Arch), Place>,
}

/// Verifies all bytes of a file.
pub(super) fn decode(bytes: &[u8]) -> Result<Index, BundleFault> {
    let mut rest = Rest { bytes, at: 0 };
    if rest.take(8).ok() != Some(&MAGIC[..]) {
        return Err(BundleFault::NotABundle);
    }
    let found = rest.number()?;
    if found != LAYOUT_VERSION {
        return Err(BundleFault::OtherLayout { found, expected: LAYOUT_VERSION });
    }
    let checksum = rest.take(32)?;
    if checksum != &Sha256::digest(&bytes[rest.at..])[..] {
        return Err(BundleFault::Damaged);
    }
    // Whoever made a checksum that fits may still have written something else.
    let length = rest.number()? as usize;
    let version = String::from_utf8(rest.take(length)?.to_vec());
    let version = version.map_err(|_| BundleFault::Damaged)?;
    let mut entries = Vec::new();
    for _ in 0..rest.number()? {
        let key = Key(rest.take(32)?.try_into().map_err(|_| BundleFault::Damaged)?);
        let arch = Arch::new(rest.number()?, rest.number()?);
        let kind = kind_of(rest.number()?).ok_or(BundleFault::Damaged)?;
        entries.push(((key, arch), kind, rest.number()? as usize));
    }
    let mut images = BTreeMap::new();
    for (key, kind, length) in entries {
        let from = rest.at;
        rest.take(length)?;
        images.insert(key, Place { kind, bytes: from..rest.at });
    }
    if rest.at == bytes.len() { Ok(Index { version, images }) } else { Err(BundleFault::Damaged) }
}

/// The image of a place, or none if it is not what [`compress`] made.
pub(super) fn image(bytes: &[u8], place: &Place) -> Option<Vec<u8>> {
    let (length, deflated) = bytes.get(place.bytes.clone())?.split_first_chunk()?;
    let length = u64::from_le_bytes(*length);
    let mut image = Vec::new();
    // One more than there should be, so that more is seen.
    let most = length.checked_add(1)?;
    DeflateDecoder::new(deflated).take(most).read_to_end(&mut image).ok()?;
    (image.len() as u64 == length).then_some(image)
}

/// A bundle has far fewer images and bytes of one than 2^32.
fn put_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

fn number_of(kind: Image) -> u32 {
    match kind {
        Image::Cubin => 1,
        Image::Ptx => 2,
    }
}

fn kind_of(number: u32) -> Option<Image> {
    [Image::Cubin, Image::Ptx].into_iter().find(|&kind| number_of(kind) == number)
}

/// The bytes that have not been read.
struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], BundleFault> {
        let end = self.at.checked_add(length).ok_or(BundleFault::Damaged)?;
        let taken = self.bytes.get(self.at..end).ok_or(BundleFault::Damaged)?;
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, BundleFault> {
        let bytes = self.take(4)?.try_into().map_err(|_| BundleFault::Damaged)?;
        Ok(u32::from_le_bytes(bytes))
    }
}
