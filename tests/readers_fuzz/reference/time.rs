//! Times: numbers and the usual dates.

use meerkat_runtime::read::TimeUnit;

use super::Refusal;
use super::text::float;

const BILLION: i128 = 1_000_000_000;

/// A time in 10^-9 of its unit; digits after those are dropped.
pub(crate) fn time(field: &[u8], unit: TimeUnit) -> Result<i128, Refusal> {
    let text = std::str::from_utf8(field).map_err(|_| "not a time")?;
    let (sign, magnitude) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if are_digits(whole) && are_digits(fraction) && whole.len() + fraction.len() > 0 {
        let whole = whole.trim_start_matches('0');
        if whole.len() > 20 {
            return Err("a time beyond 64 bits");
        }
        let number = |text: &str| text.parse().unwrap_or(0_i128);
        if number(whole) > i128::from(i64::MAX) + i128::from(sign < 0) {
            return Err("a time beyond 64 bits");
        }
        let billionths = number(&format!("{fraction:0<9}")[..9]);
        return Ok(sign * (number(whole) * BILLION + billionths));
    }
    if text.contains(['e', 'E']) && !text.contains(':') {
        let number = float(field).ok_or("not a time")?;
        return match number.fract() == 0.0 && number.abs() < 9e18 {
            true => Ok(number as i128 * BILLION),
            false => Err("a fraction with an exponent: left out"),
        };
    }
    let nanoseconds = date(text)?;
    let unit = match unit {
        TimeUnit::Nanoseconds => 1,
        TimeUnit::Microseconds => 1_000,
        TimeUnit::Milliseconds => 1_000_000,
        TimeUnit::Seconds => BILLION,
        TimeUnit::Minutes => 60 * BILLION,
        TimeUnit::Hours => 3_600 * BILLION,
        TimeUnit::Days => 86_400 * BILLION,
    };
    Ok((nanoseconds * BILLION).div_euclid(unit))
}

/// Whether all times fit in 64 bits as whole numbers of one tick: the unit, or 10^-3, 10^-6
/// or 10^-9 of it.
pub(crate) fn fit(times: impl Iterator<Item = i128> + Clone) -> bool {
    let ticks = [BILLION, 1_000_000, 1_000, 1];
    let is_whole = |tick: &i128| times.clone().all(|time| time % tick == 0);
    let tick = ticks.into_iter().find(is_whole).unwrap_or(1);
    times.clone().all(|time| i64::try_from(time.div_euclid(tick)).is_ok())
}

/// `2010-11-08`, or with `T18:45:11.5` after it, perhaps with `Z`; others are left out.
pub(crate) fn date(text: &str) -> Result<i128, Refusal> {
    const LEFT_OUT: Refusal = "a date in another form: left out";
    let bytes = text.as_bytes();
    let number = |range: std::ops::Range<usize>| {
        let part = text.get(range).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        part.and_then(|part| part.parse::<i128>().ok()).ok_or(LEFT_OUT)
    };
    let has = |at: usize, byte: &[u8]| bytes.get(at).is_some_and(|found| byte.contains(found));
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let is_date = has(4, b"-") && has(7, b"-") && year > 0;
    if !is_date || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
        return Err(LEFT_OUT);
    }
    let days = (1970..year).map(days_of).sum::<i128>() - (year..1970).map(days_of).sum::<i128>()
        + (1..month).map(|month| days_in(year, month)).sum::<i128>()
        + day
        - 1;
    let days = days * 86_400 * BILLION;
    if bytes.len() == 10 {
        return Ok(days);
    }
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let is_time = has(10, b"T ") && has(13, b":") && has(16, b":");
    if !is_time || hour > 23 || minute > 59 || second > 59 {
        return Err(LEFT_OUT);
    }
    let rest = text.get(19..).ok_or(LEFT_OUT)?;
    let rest = rest.strip_suffix('Z').unwrap_or(rest);
    let fraction = match rest.strip_prefix('.') {
        None if rest.is_empty() => 0,
        Some(digits)
            if (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            format!("{digits:0<9}").parse::<i128>().map_err(|_| LEFT_OUT)?
        }
        _ => return Err(LEFT_OUT),
    };
    Ok(days + (hour * 3_600 + minute * 60 + second) * BILLION + fraction)
}

fn is_leap(year: i128) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i128) -> i128 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_in(year: i128, month: i128) -> i128 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
