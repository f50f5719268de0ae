//! The length, the pattern and the format of strings.

use std::net::{Ipv4Addr, Ipv6Addr};

use regex_lite::Regex;
use serde_json::Value;

use crate::cause::Cause;

/// What is wrong with a string: the first thing that is.
pub(super) fn wrong_text(schema: &Value, text: &str, path: &str) -> Option<Cause> {
    let (length, limit) = (text.chars().count() as u64, |name: &str| schema[name].as_u64());
    let refuse =
        |why: String| Some(Cause::invalid(path, format_args!("{text:?}"), format!("{path} in body should {why}")));
    if let Some(most) = limit("maxLength").filter(|most| length > *most) {
        return Some(Cause::too_long(path, usize::try_from(most).unwrap_or(usize::MAX)));
    }
    if let Some(least) = limit("minLength").filter(|least| length < *least) {
        return refuse(format!("be at least {least} chars long"));
    }
    if let Some(asked) =
        schema["pattern"].as_str().filter(|asked| pattern(asked).is_ok_and(|fits| !fits.is_match(text)))
    {
        return refuse(format!("match '{asked}'"));
    }
    let format = schema["format"].as_str().filter(|format| !has_format(format, text))?;
    Some(Cause::ill_typed(path, &format!("{text:?}"), &format!("{path} in body must be of type {format}: {text:?}")))
}

/// A pattern that strings must match somewhere.
pub(crate) fn pattern(text: &str) -> Result<Regex, regex_lite::Error> {
    Regex::new(text)
}

/// Whether a string is what a format says. Formats that are not known fit everything.
fn has_format(format: &str, text: &str) -> bool {
    match format {
        "date-time" | "datetime" => is_date_time(text),
        "date" => is_date(text),
        "duration" => is_duration(text),
        "byte" => is_base64(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "cidr" => is_cidr(text),
        "uuid" | "uuid3" | "uuid4" | "uuid5" => is_uuid(text),
        "email" => text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty()),
        "hostname" => is_host(text),
        "uri" => is_uri(text),
        "mac" => text.split([':', '-']).count() == 6 && text.split([':', '-']).all(|pair| is_hex(pair, 2)),
        _ => true,
    }
}

fn is_uri(text: &str) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    (named || text.starts_with('/')) && !text.chars().any(|c| c.is_control() || c == ' ')
}

fn is_host(text: &str) -> bool {
    let label = |part: &str| {
        !part.is_empty()
            && part.len() <= 63
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    text.len() <= 255 && text.trim_end_matches('.').split('.').all(label)
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let within = |most: u8| bits.parse::<u8>().is_ok_and(|bits| bits <= most);
    (address.parse::<Ipv4Addr>().is_ok() && within(32)) || (address.parse::<Ipv6Addr>().is_ok() && within(128))
}

fn is_uuid(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| *c != '-').collect();
    is_hex(&bare, 32)
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.chars().all(|c| c.is_ascii_hexdigit())
}

fn is_base64(text: &str) -> bool {
    let bare = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - bare.len() <= 2
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '/'))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, length: usize| if part.len() == length { part.parse::<u32>().ok() } else { None };
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else { return false };
    let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone);
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let parts: Vec<Option<u32>> = whole.split(':').map(|part| part.parse().ok().filter(|_| part.len() == 2)).collect();
    let in_day = matches!(parts.as_slice(), [Some(0..=23), Some(0..=59), Some(0..=60)]);
    let offset = matches!(zone, "" | "Z" | "z") || (zone.len() == 6 && zone.as_bytes()[3] == b':');
    let digits = !fraction.is_empty() && fraction.chars().all(|c| c.is_ascii_digit());
    is_date(date) && in_day && digits && offset
}

/// As Go writes durations, such as `1h30m` or `1.5 s`.
fn is_duration(text: &str) -> bool {
    const UNITS: [&str; 20] = [
        "ns", "us", "µs", "ms", "s", "m", "h", "d", "w", "sec", "secs", "second", "seconds", "minute", "minutes",
        "hour", "hours", "day", "days", "weeks",
    ];
    let mut rest = text.trim_start_matches(['-', '+']);
    if rest == "0" {
        return true;
    }
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let tail = unit.trim_start().trim_start_matches(|c: char| c.is_alphabetic());
        let name = unit.trim_start().strip_suffix(tail).unwrap_or_default();
        if unit.len() == rest.len() || !UNITS.contains(&name) {
            return false;
        }
        rest = tail.trim_start();
    }
    !text.is_empty()
}
