//! The order of members.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// The members in the order that Go's YAML writes them in: letters behind everything else, and numbers within names by what
/// they are worth, so that `disk2` comes before `disk10`.
///
/// This is no total order (`1`, `01` and `0a` go in a circle), so they are not left to a sort that may panic. Putting
/// each in its place takes the square of their number: beyond [`MOST`] they are in the order of their bytes.
pub(super) fn sorted(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    if members.len() > MOST {
        let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
        sorted.sort_unstable_by_key(|(name, _)| *name);
        return sorted;
    }
    let mut sorted: Vec<(&String, &Value)> = Vec::with_capacity(members.len());
    for member in members {
        let place = sorted.partition_point(|(known, _)| natural(known, member.0) == Ordering::Less);
        sorted.insert(place, member);
    }
    sorted
}

/// More members than anybody compares with what kubectl wrote.
const MOST: usize = 1000;

fn natural(one: &str, two: &str) -> Ordering {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let Some(at) = one.iter().zip(&two).position(|(a, b)| a != b) else { return one.len().cmp(&two.len()) };
    match (one[at].is_alphabetic(), two[at].is_alphabetic()) {
        (true, true) => return one[at].cmp(&two[at]),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // A zero is worth something only behind another digit.
    let is_inside = one[..at].iter().rev().take_while(|c| c.is_ascii_digit()).any(|c| *c != '0');
    let lead = u64::from((one[at] == '0' || two[at] == '0') && is_inside);
    let number = |name: &[char]| {
        let digits = name[at..].iter().map_while(|c| c.to_digit(10));
        digits
            .fold((lead, 0), |(worth, count), digit| (worth.wrapping_mul(10).wrapping_add(u64::from(digit)), count + 1))
    };
    number(&one).cmp(&number(&two)).then(one[at].cmp(&two[at]))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value};

    use super::sorted;

    #[test]
    fn members_are_in_the_order_of_kubectl() {
        let check = |text: &str| {
            let members: Map<String, Value> = text.split(' ').map(|name| (name.to_owned(), Value::Null)).collect();
            let names: Vec<&str> = sorted(&members).into_iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names.join(" "), text);
        };
        check("apiVersion kind metadata spec status");
        check("disk1 disk2 disk10 disks");
        check("A B a b");
        check("a a-b a.b a/b a1 aB ab");
        check("app app.kubernetes.io/name");
        check("a00 a1 a01 a10 a100");
        check("1 2 10 é");
    }

    #[test]
    fn many_members_are_in_the_order_of_their_bytes() {
        let members: Map<String, Value> = (0..60_000).rev().map(|at| (format!("l{at}"), Value::Null)).collect();
        let sorted = sorted(&members);
        assert!(sorted.is_sorted_by_key(|(name, _)| *name));
        assert_eq!(sorted.len(), 60_000);
    }
}
