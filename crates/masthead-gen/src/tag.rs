//! The tags above a type.

use crate::{
    method::Method,
    mistake::Found,
    verb::{self, Verb},
};

/// What the tags above a type ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Whether anything is generated: `+genclient`.
    pub genclient: bool,
    /// Whether the objects lie in no namespace: `+genclient:nonNamespaced`.
    pub non_namespaced: bool,
    /// Whether status verbs are left out although there is a status: `+genclient:noStatus`.
    pub no_status: bool,
    /// Which verbs there are.
    pub verbs: Verbs,
    /// Methods beyond the verbs, in the order of their tags.
    pub methods: Vec<Method>,
    /// The plural in paths, if it is not the kind's: `+resourceName=`.
    pub resource_name: Option<String>,
    /// The generators that pass this type over.
    pub opt_outs: Vec<Generator>,
}

/// Which verbs the tags leave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verbs {
    /// Those that the type allows.
    #[default]
    All,
    /// None at all: `+genclient:noVerbs`.
    None,
    /// Only these: `+genclient:onlyVerbs=`, `+genclient:readonly`.
    Only(Vec<Verb>),
    /// All but these: `+genclient:skipVerbs=`.
    Skip(Vec<Verb>),
}

/// A generator that a type can opt out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// `+k8s:client-gen=false`
    Client,
    /// `+k8s:lister-gen=false`
    Lister,
    /// `+k8s:informer-gen=false`
    Informer,
}

impl Tags {
    /// Reads the comments above a type: each the text behind its slashes, with its line. What is no tag, or another
    /// tool's, is passed over.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, with its line.
    pub fn parse<'a>(comments: impl IntoIterator<Item = (usize, &'a str)>) -> Result<Tags, Vec<(usize, String)>> {
        let mut reading = Reading::default();
        for (line, comment) in comments {
            if let Some(tag) = comment.strip_prefix('+')
                && let Err(why) = reading.take(tag.trim())
            {
                reading.mistakes.push((line, why));
            }
            reading.last_line = line;
        }
        reading.finish()
    }

    /// The verbs that are left out, as client-go counts them.
    pub fn skip_verbs(&self) -> Vec<Verb> {
        Verb::ALL.into_iter().filter(|verb| !self.leaves(*verb)).collect()
    }

    /// Whether the tags leave this verb; the type may lack a status all the same.
    pub fn leaves(&self, verb: Verb) -> bool {
        let asked = match &self.verbs {
            Verbs::All => true,
            Verbs::None => false,
            Verbs::Only(verbs) => verbs.contains(&verb),
            Verbs::Skip(verbs) => !verbs.contains(&verb),
        };
        asked && !(self.no_status && verb.is_of_status())
    }
}

/// Whether a comment is one of the tags that are read here, or nearly one.
pub(crate) fn is_own(comment: &str) -> bool {
    let Some(tag) = comment.strip_prefix('+') else { return false };
    let name = tag.split('=').next().unwrap_or_default().trim();
    name.starts_with("genclient") || OPT_OUTS.contains(&name) || NAMES.contains(&name) || nearest(name).is_some()
}

/// The value of a tag of a whole package, if `comment` is that tag.
pub(crate) fn package_value<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    comment.strip_prefix('+')?.strip_prefix(name)?.strip_prefix('=').map(str::trim)
}

/// Tags of a package, which stand at the top of its file.
pub(crate) const OF_PACKAGES: [&str; 3] = ["groupName", "groupGoName", "versionName"];

const NAMES: [&str; 12] = [
    "genclient",
    "genclient:nonNamespaced",
    "genclient:noStatus",
    "genclient:noVerbs",
    "genclient:onlyVerbs",
    "genclient:skipVerbs",
    "genclient:readonly",
    "genclient:method",
    "resourceName",
    OF_PACKAGES[0],
    OF_PACKAGES[1],
    OF_PACKAGES[2],
];

const OPT_OUTS: [&str; 4] = ["k8s:client-gen", "k8s:lister-gen", "k8s:informer-gen", "k8s:applyconfiguration-gen"];

#[derive(Default)]
struct Reading {
    tags: Tags,
    /// Tags that may stand once, as they came.
    seen: Vec<String>,
    mistakes: Vec<Found>,
    last_line: usize,
}

impl Reading {
    fn take(&mut self, tag: &str) -> Result<(), String> {
        let (name, value) = match tag.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (tag, None),
        };
        if NAMES.contains(&name) && name != "genclient:method" {
            if self.seen.iter().any(|seen| seen == name) {
                return Err(format!("`+{name}` stands twice above one type"));
            }
            self.seen.push(name.to_owned());
        }
        match name {
            "genclient" => self.tags.genclient = flag(name, value)?,
            "genclient:nonNamespaced" => self.tags.non_namespaced = flag(name, value)?,
            "genclient:noStatus" => self.tags.no_status = flag(name, value)?,
            "genclient:noVerbs" => flag(name, value).and_then(|_| self.verbs(Verbs::None))?,
            "genclient:readonly" => {
                flag(name, value).and_then(|_| self.verbs(Verbs::Only(Verb::READ_ONLY.to_vec())))?;
            }
            "genclient:onlyVerbs" => self.verbs(Verbs::Only(verbs(name, value)?))?,
            "genclient:skipVerbs" => self.verbs(Verbs::Skip(verbs(name, value)?))?,
            "genclient:method" => self.method(Method::parse(value.unwrap_or_default())?)?,
            "resourceName" => self.tags.resource_name = Some(resource_name(value.unwrap_or_default())?),
            name if OF_PACKAGES.contains(&name) => {
                return Err(format!("`+{name}=` is about the whole file: it stands above its first item"));
            }
            name if OPT_OUTS.contains(&name) => self.opt_out(name, value)?,
            name => return unknown(name),
        }
        Ok(())
    }

    fn verbs(&mut self, verbs: Verbs) -> Result<(), String> {
        if self.tags.verbs != Verbs::All {
            return Err("only one of noVerbs, onlyVerbs, skipVerbs and readonly can be above a type".to_owned());
        }
        self.tags.verbs = verbs;
        Ok(())
    }

    fn method(&mut self, method: Method) -> Result<(), String> {
        if self.tags.methods.iter().any(|known| known.function() == method.function()) {
            return Err(format!("there are two methods {}", method.function()));
        }
        self.tags.methods.push(method);
        Ok(())
    }

    fn opt_out(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        match (value, name) {
            (Some("true"), _) | (Some("false"), "k8s:applyconfiguration-gen") => {}
            (Some("false"), "k8s:client-gen") => self.tags.opt_outs.push(Generator::Client),
            (Some("false"), "k8s:lister-gen") => self.tags.opt_outs.push(Generator::Lister),
            (Some("false"), _) => self.tags.opt_outs.push(Generator::Informer),
            _ => return Err(format!("`+{name}` is true or false: `+{name}=false` passes this type over")),
        }
        Ok(())
    }

    /// What no line shows alone: tags that do not go together.
    fn finish(mut self) -> Result<Tags, Vec<Found>> {
        let (tags, line) = (&self.tags, self.last_line);
        let wants = tags != &Tags { genclient: tags.genclient, ..Tags::default() };
        if wants && !tags.genclient {
            self.mistakes.push((line, "these tags do nothing without `+genclient` beside them".to_owned()));
        }
        if let (true, Verbs::Only(only)) = (tags.no_status, &tags.verbs)
            && only.iter().any(|verb| verb.is_of_status())
        {
            let why = "`+genclient:noStatus` and a status verb in onlyVerbs contradict each other";
            self.mistakes.push((line, why.to_owned()));
        }
        for method in &tags.methods {
            let taken = Verb::ALL.into_iter().filter(|verb| tags.leaves(*verb));
            if taken.map(|verb| crate::case::snake(verb.name())).any(|verb| verb == method.function()) {
                let why = format!("method {} has the name of a verb: skip that verb, or name it else", method.name);
                self.mistakes.push((line, why));
            }
        }
        if self.mistakes.is_empty() { Ok(self.tags) } else { Err(self.mistakes) }
    }
}

fn flag(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value {
        None => Ok(true),
        Some(_) => Err(format!("`+{name}` takes no value: it is there or not")),
    }
}

fn verbs(name: &str, value: Option<&str>) -> Result<Vec<Verb>, String> {
    let all = verb::listed(&Verb::ALL);
    let mut verbs = Vec::new();
    for word in value.unwrap_or_default().split(',').map(str::trim) {
        match Verb::named(word) {
            Some(verb) if verbs.contains(&verb) => return Err(format!("{verb} stands twice in `+{name}`")),
            Some(verb) => verbs.push(verb),
            None => return Err(format!("`{word}` is no verb; `+{name}=` takes some of {all}, with commas between")),
        }
    }
    Ok(verbs)
}

fn resource_name(value: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !value.is_empty() && value.chars().all(fits) {
        return Ok(value.to_owned());
    }
    Err(format!("`+resourceName={value}` is no resource: they are written like `networkpolicies`"))
}

/// A name that is not known is another tool's, unless it nearly is one of these.
fn unknown(name: &str) -> Result<(), String> {
    match nearest(name) {
        Some(known) => Err(format!("there is no tag `+{name}`; `+{known}` may be meant")),
        None if name.starts_with("genclient") => {
            let known = NAMES.iter().filter(|known| known.starts_with("genclient:"));
            let known: Vec<&str> = known.filter_map(|known| known.strip_prefix("genclient:")).collect();
            Err(format!("there is no tag `+{name}`; behind `+genclient:` stands one of {}", known.join(", ")))
        }
        None => Ok(()),
    }
}

/// The tag that was probably meant by a name that is none.
fn nearest(name: &str) -> Option<&'static str> {
    let known = NAMES.into_iter().chain(OPT_OUTS).filter(|known| *known != name);
    let near = known.map(|known| (distance(&known.to_lowercase(), &name.to_lowercase()), known));
    near.filter(|(distance, _)| *distance <= 2).min().map(|(_, known)| known)
}

/// How many letters must be changed, added or taken away to make one of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.bytes().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests;
