//! Lengths of time as people and kubectl write them.

/// Reads `90s`, `5m`, `2h30m`, `3d4h`, `1w` or `1y10d` in milliseconds; `None` where it is none.
pub(super) fn parse(text: &str) -> Option<i64> {
    let (mut total, mut rest) = (0_i64, text);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: i64 = rest[..digits].parse().ok()?;
        let unit = rest[digits..].chars().next()?;
        let seconds = match unit.to_ascii_lowercase() {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            'w' => 7 * 86_400,
            'y' => 365 * 86_400,
            _ => return None,
        };
        total = total.checked_add(number.checked_mul(seconds * 1000)?)?;
        rest = &rest[digits + unit.len_utf8()..];
    }
    (!text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lengths_of_time_are_read() {
        let check = |text: &str, seconds: Option<i64>| assert_eq!(parse(text), seconds.map(|it| it * 1000), "{text}");
        check("0s", Some(0));
        check("90s", Some(90));
        check("5m", Some(300));
        check("2h30m", Some(9000));
        check("3D4h", Some(3 * 86_400 + 4 * 3600));
        check("1w", Some(7 * 86_400));
        check("1y10d", Some(375 * 86_400));
        for wrong in ["", "5", "m", "5x", "5m3", "-5m", "5 m", "5é", "99999999999999999y"] {
            check(wrong, None);
        }
    }
}
