//! How far the server's clock is ahead of this one, as the dates of its answers tell.
//!
//! An answer's date is the server's time, cut to the second, at some moment between question and answer. So each answer says
//! between which bounds the difference lies, and all answers together say it better than any one.

/// What is known of the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skew {
    /// The least and the most that every answer since the last contradiction allows.
    bounds: Option<(i64, i64)>,
    /// What is believed, in milliseconds. Stays while it is possible, so that the time on the page does not waver.
    believed: i64,
}

impl Skew {
    /// Takes in that what was asked at `sent` and answered at `received`, by this clock, was dated `date` by the server's.
    pub fn note(&mut self, sent: i64, received: i64, date: i64) {
        let (least, most) = (date - received, date + SECOND - sent);
        if least > most {
            // This clock was set back in between.
            return;
        }
        let (before, after) = self.bounds.unwrap_or((i64::MIN, i64::MAX));
        let narrowed = (before.max(least), after.min(most));
        // A contradiction means that one of the clocks was set.
        let (least, most) = if narrowed.0 <= narrowed.1 { narrowed } else { (least, most) };
        self.bounds = Some((least, most));
        if least <= IGNORED && most >= -IGNORED {
            self.believed = 0;
        } else if !(least..=most).contains(&self.believed) {
            self.believed = least + (most - least) / 2;
        }
    }

    /// How many milliseconds the server's clock is ahead; less than zero where it is behind, zero where they agree well enough.
    pub fn millis(self) -> i64 {
        self.believed
    }
}

/// A date has no more than seconds.
const SECOND: i64 = 999;

/// As much as every age on the page forgives, and kubectl too.
const IGNORED: i64 = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers as `sent-received:date`, in milliseconds; then what is believed after each.
    fn check(script: &str, expect: &[i64]) {
        let mut skew = Skew::default();
        let mut after = Vec::new();
        for step in script.split_whitespace() {
            let (asked, date) = step.split_once(':').unwrap();
            let (sent, received) = asked.split_once('-').unwrap();
            skew.note(sent.parse().unwrap(), received.parse().unwrap(), date.parse().unwrap());
            after.push(skew.millis());
        }
        assert_eq!(after, expect, "{script}");
    }

    #[test]
    fn clocks_that_agree_well_enough_agree() {
        check("", &[]);
        check("10000-10020:10000 14500-14510:14000", &[0, 0]);
        check("10000-10020:11000", &[0]);
        check("10000-10020:8000", &[0]);
    }

    #[test]
    fn a_clock_that_is_off_is_set_right_both_ways() {
        check("10000-10010:190000", &[180_494]);
        check("190000-190010:10000", &[-179_506]);
    }

    #[test]
    fn a_slow_answer_proves_little() {
        check("10000-15000:15000", &[0]);
        check("10000-70000:70000 80000-80010:83000", &[0, 3494]);
    }

    #[test]
    fn what_is_believed_stays_while_it_is_possible() {
        check("10000-10010:190000 14300-14310:194000 18700-18710:199000", &[180_494; 3]);
        check("10000-10010:190000 14900-14910:194000", &[180_494, 180_044]);
    }

    #[test]
    fn a_clock_that_was_set_is_believed_anew() {
        check("10000-10010:190000 194000-194010:194000", &[180_494, 0]);
        check("10000-10010:190000 194010-14000:194000", &[180_494, 180_494]);
    }

    #[test]
    fn many_answers_tell_it_to_the_fraction_of_a_second() {
        let mut skew = Skew::default();
        for turn in 0..60 {
            let sent = turn * 4_137;
            let server = sent + 5 + 181_700;
            skew.note(sent, sent + 10, server / 1000 * 1000);
        }
        assert!((skew.millis() - 181_700).abs() < 100, "{skew:?}");
    }
}
