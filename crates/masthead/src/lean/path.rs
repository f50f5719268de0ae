//! Where a field lies in an object.

use masthead_scan::Step;

use crate::Error;

/// Reads a path: `spec.containers[*].image`, `metadata.labels.app\.kubernetes\.io/name`. A dot in front is allowed.
pub(super) fn parse(path: &str) -> Result<Vec<Step>, Error> {
    let wrong = |why: &str| Error::invalid("read path", format!("{path:?}: {why}"));
    let (mut steps, mut name) = (Vec::new(), String::new());
    let mut rest = path.strip_prefix('.').unwrap_or(path).chars();
    let mut after_each = false;
    while let Some(next) = rest.next() {
        match next {
            '\\' => name.push(rest.next().ok_or_else(|| wrong("nothing follows the backslash"))?),
            '.' | '[' if name.is_empty() && !after_each => return Err(wrong("a name is missing")),
            '.' | '[' => {
                if !name.is_empty() {
                    steps.push(Step::Name(std::mem::take(&mut name).into()));
                }
                after_each = next == '[';
                if next == '[' {
                    if !rest.as_str().starts_with("*]") {
                        return Err(wrong("only [*] may stand in brackets"));
                    }
                    rest.nth(1);
                    steps.push(Step::Each);
                }
            }
            _ if after_each => return Err(wrong("a dot is missing behind [*]")),
            letter => name.push(letter),
        }
    }
    match (name.is_empty(), after_each) {
        (false, _) => steps.push(Step::Name(name.into())),
        (true, true) => {}
        (true, false) => return Err(wrong("a name is missing")),
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use masthead_scan::Step;

    use super::parse;

    #[track_caller]
    fn check(path: &str, expect: &str) {
        let got = match parse(path) {
            Ok(steps) => {
                let told = steps.iter().map(|step| match step {
                    Step::Name(name) => format!("<{name}>"),
                    Step::Each => "*".to_owned(),
                });
                told.collect()
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expect);
    }

    #[test]
    fn reads_paths_as_kubectl_does() {
        check("kind", "<kind>");
        check(".spec.nodeName", "<spec><nodeName>");
        check("spec.containers[*].image", "<spec><containers>*<image>");
        check("a[*][*]", "<a>**");
        check("spec.args[*]", "<spec><args>*");
        check(r"metadata.labels.app\.kubernetes\.io/name", "<metadata><labels><app.kubernetes.io/name>");
        check(r"a\[b\\", r"<a[b\>");
    }

    #[test]
    fn refuses_what_leads_nowhere() {
        check("", "read path: \"\": a name is missing");
        check("a..b", "read path: \"a..b\": a name is missing");
        check("a.", "read path: \"a.\": a name is missing");
        check("[*].a", "read path: \"[*].a\": a name is missing");
        check("a[0]", "read path: \"a[0]\": only [*] may stand in brackets");
        check("a[*]b", "read path: \"a[*]b\": a dot is missing behind [*]");
        check("a\\", "read path: \"a\\\\\": nothing follows the backslash");
    }
}
