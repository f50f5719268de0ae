//! The floor: the bytes of all pods, read by curl and thrown away.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::figures::Figures;
use crate::command::{command, read};

/// How a whole list is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Json,
    Protobuf,
}

/// All pods in one answer, compressed as a browser gets it.
pub(super) fn whole(url: &str, answer: Answer) -> Result<Figures> {
    let accept = match answer {
        Answer::Json => "application/json",
        Answer::Protobuf => "application/vnd.kubernetes.protobuf",
    };
    let seconds = fetch(&format!("{url}/api/v1/pods?pretty=false"), accept, Path::new("/dev/null"))?;
    Ok(Figures { seconds, ..Figures::default() })
}

/// All pods in pages of 500, one after the other. Only the transfers count, not what lies between them.
pub(super) fn pages(url: &str, scratch: &Path) -> Result<Figures> {
    let (mut seconds, mut token) = (0.0, String::new());
    loop {
        let address = format!("{url}/api/v1/pods?pretty=false&limit=500&continue={token}");
        seconds += fetch(&address, "application/json", scratch)?;
        let page = fs::read(scratch).with_context(|| format!("could not read {}", scratch.display()))?;
        match continued(&page) {
            Some(next) => token = next,
            None => return Ok(Figures { seconds, ..Figures::default() }),
        }
    }
}

fn fetch(address: &str, accept: &str, into: &Path) -> Result<f64> {
    let mut curl = command("curl");
    curl.args(["--silent", "--show-error", "--fail", "--compressed", "--write-out", "%{time_total}", "--header"]);
    curl.arg(format!("Accept: {accept}")).arg("--output").arg(into).arg(address);
    let seconds = read(&mut curl)?;
    seconds.trim().parse().with_context(|| format!("curl says that it took `{seconds}`"))
}

/// The token that continues a list; its metadata come before its items.
fn continued(page: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&page[..page.len().min(HEAD)]);
    let metadata = head.split("\"items\":").next()?;
    let token = metadata.split("\"continue\":\"").nth(1)?.split('"').next()?;
    (!token.is_empty()).then(|| token.to_owned())
}

/// Tokens have a few hundred bytes.
const HEAD: usize = 4096;

#[cfg(test)]
mod tests {
    use super::continued;

    #[track_caller]
    fn check(page: &str, expect: Option<&str>) {
        assert_eq!(continued(page.as_bytes()).as_deref(), expect);
    }

    #[test]
    fn a_list_goes_on_as_its_metadata_say_and_not_as_an_item_says() {
        let head = r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7""#;
        check(&format!(r#"{head},"continue":"abc","remainingItemCount":1}},"items":[]}}"#), Some("abc"));
        check(&format!(r#"{head}}},"items":[{{"continue":"abc"}}]}}"#), None);
        check(&format!(r#"{head},"continue":""}},"items":[]}}"#), None);
    }
}
