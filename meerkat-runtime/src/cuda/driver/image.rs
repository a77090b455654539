//! Whether a cubin is whole: the driver is told no length, and reads what the headers say.

/// Where a header has the place of its table of segments, of its sections, and how long and how many
/// their entries are (ELF-64).
const SEGMENTS: (usize, usize) = (32, 54);
const SECTIONS: (usize, usize) = (40, 58);
/// Where an entry has its place and length, and where its kind.
const OF_SEGMENT: (usize, usize) = (8, 32);
const OF_SECTION: (usize, usize) = (24, 32);
const KIND_OF_SECTION: usize = 4;
/// A section that lies on the device alone.
const NO_BITS: u64 = 8;
/// The kinds of no section and no segment.
const NULL: u64 = 0;

/// Whether all that the headers of an ELF file name lies within it.
pub(super) fn is_whole(image: &[u8]) -> bool {
    image.starts_with(b"\x7fELF\x02\x01") && names_what_is_there(image).is_some()
}

fn names_what_is_there(image: &[u8]) -> Option<()> {
    for entry in entries(image, SEGMENTS)? {
        if number::<4>(entry, 0)? != NULL {
            within(image, entry, OF_SEGMENT)?;
        }
    }
    for entry in entries(image, SECTIONS)? {
        if ![NULL, NO_BITS].contains(&number::<4>(entry, KIND_OF_SECTION)?) {
            within(image, entry, OF_SECTION)?;
        }
    }
    Some(())
}

/// The entries of a table.
fn entries(image: &[u8], (place, size): (usize, usize)) -> Option<Vec<&[u8]>> {
    let first = usize::try_from(number::<8>(image, place)?).ok()?;
    let count = number::<2>(image, size + 2)?;
    let size = usize::try_from(number::<2>(image, size)?).ok()?;
    (0..count as usize)
        .map(|at| {
            let begin = first.checked_add(at.checked_mul(size)?)?;
            image.get(begin..begin.checked_add(size)?)
        })
        .collect()
}

/// Whether what an entry names lies within the file.
fn within(image: &[u8], entry: &[u8], (place, length): (usize, usize)) -> Option<()> {
    let end = number::<8>(entry, place)?.checked_add(number::<8>(entry, length)?)?;
    (end <= image.len() as u64).then_some(())
}

/// A little-endian number of so many bytes.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(N)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header, a section of four bytes behind it, one that lies on the device, and a segment.
    fn image() -> Vec<u8> {
        let mut image = b"\x7fELF\x02\x01".to_vec();
        image.resize(64 + 4 + 2 * 64 + 56, 0);
        let mut put = |at: usize, number: u64, size: usize| {
            image[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
        };
        put(40, 68, 8);
        put(58, 64, 2);
        put(60, 2, 2);
        put(32, 196, 8);
        put(54, 56, 2);
        put(56, 1, 2);
        put(68 + 4, 1, 4);
        put(68 + 24, 64, 8);
        put(68 + 32, 4, 8);
        put(132 + 4, 8, 4);
        put(132 + 32, 1 << 40, 8);
        put(196, 1, 4);
        put(196 + 8, 64, 8);
        put(196 + 32, 4, 8);
        image
    }

    #[test]
    fn a_cubin_that_ends_before_what_its_headers_name_is_not_whole() {
        let whole = image();
        assert!(is_whole(&whole));
        for length in 0..whole.len() {
            assert!(!is_whole(&whole[..length]), "{length} bytes");
        }
        // Places and lengths of the section, of its table, and of the segment.
        for at in [68 + 24, 68 + 32, 40, 32, 196 + 8, 196 + 32] {
            let mut other = image();
            other[at + 6] = 1;
            assert!(!is_whole(&other), "byte {at}");
            other[at..at + 8].fill(0xff);
            assert!(!is_whole(&other), "bytes from {at}");
        }
        for at in [60, 56] {
            let mut other = image();
            other[at + 1] = 1;
            assert!(!is_whole(&other), "more entries than there are");
        }
    }
}
