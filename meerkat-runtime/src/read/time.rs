//! Times: numbers, whole or with a fraction, and ISO 8601 dates.

use std::str::FromStr;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::Offset;

use super::number::{Flaw, digits, split_sign};

const BILLION: i64 = 1_000_000_000;
/// Digits that always fit in an `i64`.
const SAFE_DIGITS: usize = 18;
const ISO_PARSER: DateTimeParser = DateTimeParser::new();

/// The unit of a column of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    /// 10^-9 seconds.
    Nanoseconds,
    /// 10^-6 seconds.
    Microseconds,
    /// 10^-3 seconds.
    Milliseconds,
    /// As in Unix time.
    #[default]
    Seconds,
    /// 60 seconds.
    Minutes,
    /// 60 minutes.
    Hours,
    /// 24 hours.
    Days,
}

impl TimeUnit {
    const ALL: [(&'static str, Self, i64); 7] = [
        ("ns", Self::Nanoseconds, 1),
        ("us", Self::Microseconds, 1_000),
        ("ms", Self::Milliseconds, 1_000_000),
        ("s", Self::Seconds, BILLION),
        ("m", Self::Minutes, 60 * BILLION),
        ("h", Self::Hours, 3_600 * BILLION),
        ("d", Self::Days, 86_400 * BILLION),
    ];

    /// Its symbol: `ns`, `us`, `ms`, `s`, `m`, `h` or `d`.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    fn nanoseconds(self) -> i64 {
        Self::ALL[self as usize].2
    }
}

impl FromStr for TimeUnit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unit = Self::ALL.into_iter().find(|(symbol, ..)| *symbol == text);
        unit.map(|(_, unit, _)| unit).ok_or("give ns, us, ms, s, m, h or d")
    }
}

/// What 1 means in a list of times: a part of a unit, so that times with a fraction
/// are whole numbers, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeScale {
    /// The unit of the times in the file.
    pub unit: TimeUnit,
    /// Parts of that unit: 1, 10^3, 10^6 or 10^9.
    pub ticks_per_unit: i64,
}

impl Default for TimeScale {
    fn default() -> Self {
        Self { unit: TimeUnit::default(), ticks_per_unit: 1 }
    }
}

impl TimeScale {
    /// How many ticks are in a number of seconds, rounded up: dates are rounded down, and two that are so far
    /// apart may be a tick farther then.
    #[must_use]
    pub fn ticks(self, seconds: u64) -> i64 {
        let parts = i128::from(seconds) * i128::from(BILLION) * i128::from(self.ticks_per_unit);
        let unit = i128::from(self.unit.nanoseconds());
        i64::try_from((parts + unit - 1) / unit).unwrap_or(i64::MAX)
    }
}

/// A time in its unit: `whole + billionths / 10^9`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Time {
    whole: i64,
    billionths: i64,
}

/// Reads a time: a number, or a date of ISO 8601, which without an offset is in UTC.
/// Digits after the ninth of a fraction are dropped.
#[inline]
pub(super) fn parse_time(field: &[u8], unit: TimeUnit) -> Result<Time, Flaw> {
    let (negative, magnitude) = split_sign(field);
    if (1..=SAFE_DIGITS).contains(&magnitude.len())
        && let Some(whole) = digits(magnitude)
    {
        let whole = whole as i64;
        return Ok(Time { whole: if negative { -whole } else { whole }, billionths: 0 });
    }
    parse_unusual_time(field, unit)
}

#[cold]
fn parse_unusual_time(field: &[u8], unit: TimeUnit) -> Result<Time, Flaw> {
    let text = std::str::from_utf8(field).map_err(|_| Flaw::NotANumber)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let magnitude = whole.strip_prefix('-').unwrap_or(whole);
    if is_digits(magnitude) && is_digits(fraction) && magnitude.len() + fraction.len() > 0 {
        return decimal(whole, magnitude, fraction);
    }
    if text.contains(['e', 'E']) && !text.contains(':') {
        return scientific(text);
    }
    iso(field, unit).ok_or(Flaw::NotANumber)
}

/// Whether a field is a date and no number. Slow: for headers.
pub(super) fn is_date(field: &[u8]) -> bool {
    iso(field, TimeUnit::default()).is_some()
}

fn decimal(whole: &str, magnitude: &str, fraction: &str) -> Result<Time, Flaw> {
    let negative = whole.starts_with('-');
    let whole: i64 = match magnitude {
        "" => 0,
        _ => whole.parse().map_err(|_| Flaw::TooLarge)?,
    };
    let billionths: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let billionths = billionths.parse().map_err(|_| Flaw::NotANumber)?;
    match (negative, billionths) {
        // The fraction counts upwards from the next whole number below.
        (true, 1..) => {
            let whole = whole.checked_sub(1).ok_or(Flaw::TooLarge)?;
            Ok(Time { whole, billionths: BILLION - billionths })
        }
        _ => Ok(Time { whole, billionths }),
    }
}

fn scientific(text: &str) -> Result<Time, Flaw> {
    let number: f64 = text.parse().map_err(|_| Flaw::NotANumber)?;
    if number.abs() >= 9e18 {
        return Err(Flaw::TooLarge);
    }
    let whole = number.floor();
    let billionths = ((number - whole) * BILLION as f64) as i64;
    Ok(Time { whole: whole as i64, billionths: billionths.min(BILLION - 1) })
}

fn iso(field: &[u8], unit: TimeUnit) -> Option<Time> {
    let timestamp = ISO_PARSER.parse_timestamp(field).ok().or_else(|| in_utc(field))?;
    let (nanoseconds, unit) = (timestamp.as_nanosecond(), i128::from(unit.nanoseconds()));
    let billionths = nanoseconds.rem_euclid(unit) * i128::from(BILLION) / unit;
    Some(Time {
        whole: i64::try_from(nanoseconds.div_euclid(unit)).ok()?,
        billionths: i64::try_from(billionths).ok()?,
    })
}

fn in_utc(field: &[u8]) -> Option<Timestamp> {
    let time = ISO_PARSER.parse_datetime(field).ok()?;
    Offset::UTC.to_timestamp(time).ok()
}

/// Times of records, as whole numbers of the coarsest tick that holds all so far.
pub(super) struct Times {
    pub(super) values: Vec<i64>,
    pub(super) scale: TimeScale,
}

/// A time that does not fit in 64 bits at the precision of the others.
pub(super) struct TimeTooLarge;

impl Times {
    pub(super) fn with_capacity(unit: TimeUnit, records: usize) -> Self {
        let scale = TimeScale { unit, ticks_per_unit: 1 };
        Self { values: Vec::with_capacity(records), scale }
    }

    #[inline]
    pub(super) fn push(&mut self, time: Time) -> Result<(), TimeTooLarge> {
        if time.billionths * self.scale.ticks_per_unit % BILLION != 0 {
            self.refine(time.billionths)?;
        }
        let ticks = self.scale.ticks_per_unit;
        let whole = time.whole.checked_mul(ticks).ok_or(TimeTooLarge)?;
        let value = whole.checked_add(time.billionths * ticks / BILLION).ok_or(TimeTooLarge)?;
        self.values.push(value);
        Ok(())
    }

    #[cold]
    fn refine(&mut self, billionths: i64) -> Result<(), TimeTooLarge> {
        let fits = |ticks: &i64| billionths % (BILLION / ticks) == 0;
        let ticks = [1_000, 1_000_000].into_iter().find(fits).unwrap_or(BILLION);
        let factor = ticks / self.scale.ticks_per_unit;
        for value in &mut self.values {
            *value = value.checked_mul(factor).ok_or(TimeTooLarge)?;
        }
        self.scale.ticks_per_unit = ticks;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str, unit: TimeUnit) -> Result<(i64, i64), Flaw> {
        parse_time(text.as_bytes(), unit).map(|time| (time.whole, time.billionths))
    }

    #[test]
    fn numbers_are_times_with_nine_digits_of_fraction() {
        for (text, whole, billionths) in [
            ("1254192988", 1_254_192_988, 0),
            ("-9223372036854775808", i64::MIN, 0),
            ("9223372036854775807", i64::MAX, 0),
            ("1289241911.72836", 1_289_241_911, 728_360_000),
            ("-1.25", -2, 750_000_000),
            ("-0.5", -1, 500_000_000),
            (".5", 0, 500_000_000),
            ("7.", 7, 0),
            ("0.1234567899", 0, 123_456_789),
            ("1.5e9", 1_500_000_000, 0),
        ] {
            assert_eq!(time(text, TimeUnit::Seconds), Ok((whole, billionths)), "{text}");
        }
    }

    #[test]
    fn iso_dates_are_times_of_the_unit_and_without_an_offset_in_utc() {
        for (text, unit, expected) in [
            ("1970-01-02", TimeUnit::Seconds, (86_400, 0)),
            ("2010-11-08T18:45:11.72836Z", TimeUnit::Seconds, (1_289_241_911, 728_360_000)),
            ("2010-11-08 18:45:11", TimeUnit::Seconds, (1_289_241_911, 0)),
            ("2010-11-08T19:45:11+01:00", TimeUnit::Milliseconds, (1_289_241_911_000, 0)),
            ("1969-12-31T23:59:59.5Z", TimeUnit::Seconds, (-1, 500_000_000)),
            ("1970-01-01T12:00:00Z", TimeUnit::Days, (0, 500_000_000)),
        ] {
            assert_eq!(time(text, unit), Ok(expected), "{text}");
        }
    }

    #[test]
    fn text_and_numbers_beyond_64_bits_are_no_times() {
        for text in ["", "-", ".", "x", "1.2.3", "nan", "inf", "2010-13-40", "1e", "--1"] {
            assert_eq!(time(text, TimeUnit::Seconds), Err(Flaw::NotANumber), "{text}");
        }
        for text in ["9223372036854775808", "99999999999999999999", "1e300"] {
            assert_eq!(time(text, TimeUnit::Seconds), Err(Flaw::TooLarge), "{text}");
        }
    }

    #[test]
    fn ticks_become_finer_with_the_fractions_and_keep_the_order() {
        let mut times = Times::with_capacity(TimeUnit::Seconds, 0);
        for (text, ticks, values) in [
            ("3", 1, vec![3]),
            ("2.5", 1_000, vec![3_000, 2_500]),
            ("-0.00001", 1_000_000, vec![3_000_000, 2_500_000, -10]),
            ("1", 1_000_000, vec![3_000_000, 2_500_000, -10, 1_000_000]),
        ] {
            let time = parse_time(text.as_bytes(), TimeUnit::Seconds).expect("a time");
            assert!(times.push(time).is_ok());
            assert_eq!((times.scale.ticks_per_unit, &times.values), (ticks, &values), "{text}");
        }
        let far = Time { whole: i64::MAX / 1_000, billionths: 0 };
        assert!(times.push(far).is_err());
    }

    #[test]
    fn a_window_of_seconds_is_counted_in_ticks() {
        let scale = |unit, ticks_per_unit| TimeScale { unit, ticks_per_unit };
        assert_eq!(scale(TimeUnit::Seconds, 1).ticks(90), 90);
        assert_eq!(scale(TimeUnit::Seconds, 1_000_000).ticks(2), 2_000_000);
        assert_eq!(scale(TimeUnit::Milliseconds, 1).ticks(60), 60_000);
        assert_eq!(scale(TimeUnit::Days, 1_000).ticks(43_200), 500);
        assert_eq!(scale(TimeUnit::Nanoseconds, 1).ticks(u64::MAX), i64::MAX);
        assert_eq!(scale(TimeUnit::Minutes, BILLION).ticks(1), 16_666_667);
    }

    /// In minutes both are rounded down, and a window of a second too: the older one had left it.
    #[test]
    fn a_date_as_old_as_a_window_is_long_is_within_it() {
        for unit in TimeUnit::ALL.map(|(_, unit, _)| unit) {
            let mut times = Times::with_capacity(unit, 2);
            for date in ["1970-01-01T00:00:02Z", "1970-01-01T00:00:03Z"] {
                let time = parse_time(date.as_bytes(), unit).unwrap_or_else(|_| panic!("{date}"));
                assert!(times.push(time).is_ok(), "{unit:?}");
            }
            let age = times.values[1] - times.values[0];
            assert!(age <= times.scale.ticks(1), "{unit:?}: {age}");
        }
    }

    #[test]
    fn every_symbol_names_its_unit() {
        for (symbol, unit, _) in TimeUnit::ALL {
            assert_eq!((symbol.parse(), unit.symbol()), (Ok(unit), symbol));
        }
        assert!("weeks".parse::<TimeUnit>().is_err());
    }
}
