//! When a job comes again, in the five fields of cron.

/// What is wrong with a schedule, in the words of the real server's reader.
pub(super) fn complaint(schedule: &str) -> Option<String> {
    if let Some(name) = schedule.strip_prefix('@') {
        return descriptor(schedule, name);
    }
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    if fields.len() != 5 {
        return Some(format!("expected exactly 5 fields, found {}: [{}]", fields.len(), fields.join(" ")));
    }
    fields.iter().zip(BOUNDS).find_map(|(field, bounds)| {
        field.split(',').filter(|part| !part.is_empty()).find_map(|part| range(part, bounds).err())
    })
}

fn descriptor(schedule: &str, name: &str) -> Option<String> {
    if matches!(name, "yearly" | "annually" | "monthly" | "weekly" | "daily" | "midnight" | "hourly") {
        return None;
    }
    match name.strip_prefix("every ") {
        Some(duration) if duration.ends_with(['h', 'm', 's']) && duration.starts_with(|c: char| c.is_ascii_digit()) => {
            None
        }
        Some(duration) => Some(format!("failed to parse duration {schedule}: time: invalid duration \"{duration}\"")),
        None => Some(format!("unrecognized descriptor: {schedule}")),
    }
}

fn range(part: &str, (least, most, names): Bounds) -> Result<(), String> {
    let steps: Vec<&str> = part.split('/').collect();
    let ends: Vec<&str> = steps[0].split('-').collect();
    let (start, mut end) = match ends[..] {
        ["*" | "?", ..] => (least, most),
        [one] => {
            let one = number(one, names)?;
            (one, one)
        }
        [from, to] => (number(from, names)?, number(to, names)?),
        _ => return Err(format!("too many hyphens: {part}")),
    };
    let step = match steps[..] {
        [_] => 1,
        [_, step] => {
            if ends.len() == 1 {
                end = most;
            }
            number(step, &[])?
        }
        _ => return Err(format!("too many slashes: {part}")),
    };
    if start < least {
        return Err(format!("beginning of range ({start}) below minimum ({least}): {part}"));
    }
    if end > most {
        return Err(format!("end of range ({end}) above maximum ({most}): {part}"));
    }
    if start > end {
        return Err(format!("beginning of range ({start}) beyond end of range ({end}): {part}"));
    }
    if step == 0 {
        return Err(format!("step of range should be a positive number: {part}"));
    }
    Ok(())
}

fn number(text: &str, names: &[&str]) -> Result<u64, String> {
    let lower = text.to_lowercase();
    if let Some(at) = names.iter().position(|name| *name == lower) {
        return Ok(at as u64 + u64::from(names.len() == 12));
    }
    let parsed: i64 = text
        .parse()
        .map_err(|_| format!("failed to parse int from {text}: strconv.Atoi: parsing \"{text}\": invalid syntax"))?;
    u64::try_from(parsed).map_err(|_| format!("negative number ({parsed}) not allowed: {text}"))
}

/// The least and the most that a field may be, and the names that it may have instead.
type Bounds = (u64, u64, &'static [&'static str]);

const BOUNDS: [Bounds; 5] = [
    (0, 59, &[]),
    (0, 23, &[]),
    (1, 31, &[]),
    (1, 12, &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    (0, 6, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn schedules_are_read_as_the_real_server_reads_them() {
        for good in ["* * * * *", "*/5 0-6 1,15 JAN-mar sun", "@daily", "@every 5m", "0 0 ? * 1-5/2"] {
            assert_eq!(complaint(good), None, "{good}");
        }
        let check = |bad: &str, expect: &str| assert_eq!(complaint(bad).as_deref(), Some(expect), "{bad}");
        check("now and then", "expected exactly 5 fields, found 3: [now and then]");
        check("60 * * * *", "end of range (60) above maximum (59): 60");
        check("* * 0 * *", "beginning of range (0) below minimum (1): 0");
        check("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1");
        check("*/0 * * * *", "step of range should be a positive number: */0");
        check("x * * * *", "failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax");
        check("@often", "unrecognized descriptor: @often");
    }
}
