//! Numbers from bytes: vertex ids and weights.

/// Digits that always fit in a `u64`.
const SAFE_ID_DIGITS: usize = 19;
/// Digits of a whole number that an `f64` always holds exactly.
const EXACT_WEIGHT_DIGITS: usize = 15;

/// Why a field is not the number that it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    NotANumber,
    Negative,
    TooLarge,
    NotFinite,
    /// Of an id that is text.
    Text(TextFlaw),
    /// More ids than there can be vertices.
    TooMany,
}

/// A vertex id: digits only.
#[inline]
pub(super) fn parse_id(field: &[u8]) -> Result<u64, Flaw> {
    if field.is_empty() || field.len() > SAFE_ID_DIGITS {
        return parse_unusual_id(field);
    }
    digits(field).ok_or_else(|| flaw_of_id(field))
}

/// A weight: any finite decimal number.
#[inline]
pub(super) fn parse_weight(field: &[u8]) -> Result<f64, Flaw> {
    let (negative, magnitude) = split_sign(field);
    if (1..=EXACT_WEIGHT_DIGITS).contains(&magnitude.len())
        && let Some(whole) = digits(magnitude)
    {
        let weight = whole as f64;
        return Ok(if negative { -weight } else { weight });
    }
    match parse_decimal(field) {
        Some(weight) if weight.is_finite() => Ok(weight),
        Some(_) => Err(Flaw::NotFinite),
        None => Err(Flaw::NotANumber),
    }
}

/// Whether a field is a number of any kind. Slow: for headers and messages.
pub(super) fn is_number(field: &[u8]) -> bool {
    parse_decimal(field).is_some()
}

pub(super) fn split_sign(field: &[u8]) -> (bool, &[u8]) {
    match field.split_first() {
        Some((b'-', magnitude)) => (true, magnitude),
        _ => (false, field),
    }
}

/// The value of up to 19 digits; `None` if another character is among them.
#[inline]
pub(super) fn digits(field: &[u8]) -> Option<u64> {
    let mut value = 0;
    for &byte in field {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    Some(value)
}

fn parse_decimal(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cold]
fn parse_unusual_id(field: &[u8]) -> Result<u64, Flaw> {
    let text = std::str::from_utf8(field).map_err(|_| Flaw::NotANumber)?;
    // `parse` also takes a plus sign, which no format has.
    match text.parse() {
        Ok(id) if !text.starts_with('+') => Ok(id),
        _ => Err(flaw_of_id(field)),
    }
}

#[cold]
fn flaw_of_id(field: &[u8]) -> Flaw {
    let (negative, magnitude) = split_sign(field);
    let whole = !magnitude.is_empty() && magnitude.iter().all(u8::is_ascii_digit);
    match (whole, negative) {
        (true, true) => Flaw::Negative,
        (true, false) => Flaw::TooLarge,
        (false, _) => Flaw::NotANumber,
    }
}

/// Why a field is not an id that is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextFlaw {
    Empty,
    TooLong,
    NotUtf8,
    Control,
    OpenQuote,
}

impl TextFlaw {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Empty => "it is empty; name the vertex, or remove the line",
            Self::TooLong => "it is longer than 1,024 bytes; shorten it, or give `--separator`",
            Self::NotUtf8 => "it is not UTF-8; convert the file",
            Self::Control => "it holds a control character; remove that, or give `--separator`",
            Self::OpenQuote => {
                "its quotes do not end with it; write \"\" for a quote inside of quotes"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_digits_that_fit_in_64_bits() {
        assert_eq!(parse_id(b"0"), Ok(0));
        assert_eq!(parse_id(b"007"), Ok(7));
        assert_eq!(parse_id(b"18446744073709551615"), Ok(u64::MAX));
        assert_eq!(parse_id(b"00000000000000000000000001"), Ok(1));
        assert_eq!(parse_id(b"18446744073709551616"), Err(Flaw::TooLarge));
        assert_eq!(parse_id(b"-1"), Err(Flaw::Negative));
        for text in ["", "+1", "-", "1.0", "1e3", "x", "0x10", "+18446744073709551615"] {
            assert_eq!(parse_id(text.as_bytes()), Err(Flaw::NotANumber), "{text}");
        }
    }

    #[test]
    fn weights_are_finite_decimals_and_equal_the_standard_parse() {
        let numbers = ["0", "-0", "7", "-12", "0.5", ".5", "5.", "1e-3", "+4", "1.5E2"];
        let long = ["999999999999999", "123456789012345678901234567890", "-0.1000000000000000055"];
        for text in numbers.into_iter().chain(long) {
            let expected: f64 = text.parse().expect("a number");
            let weight = parse_weight(text.as_bytes()).expect("a weight");
            assert_eq!(weight.to_bits(), expected.to_bits(), "{text}");
        }
        for text in ["inf", "-Infinity", "NaN", "1e400"] {
            assert_eq!(parse_weight(text.as_bytes()), Err(Flaw::NotFinite), "{text}");
        }
        for text in ["", "-", "1,5", "1d3", "--1", "\u{ff}"] {
            assert_eq!(parse_weight(text.as_bytes()), Err(Flaw::NotANumber), "{text}");
        }
    }
}
