//! One file of tagged types: a version of an API group.

use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use syn::{Item, spanned::Spanned};

use crate::{
    case::snake,
    comment::{Comment, comments},
    kind::{self, Kind},
    mistake::{Found, Mistake, Mistakes},
    tag::{self, Tags},
};

/// The tagged types of a file, which are the kinds of one version of an API group.
///
/// ```
/// let source = "
///     // +groupName=example.com
///
///     // +genclient
///     pub struct Widget { status: u8 }
/// ";
/// let package = masthead_gen::Package::parse("src/v1.rs", source, "crate::v1")?;
/// assert_eq!((package.group.as_str(), package.version.as_str()), ("example.com", "v1"));
/// assert_eq!(package.kinds[0].name, "Widget");
/// # Ok::<(), masthead_gen::Mistakes>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The API group; empty for the core group.
    pub group: String,
    /// What the group is called in generated names, in snake case: `core`, `rbac`.
    pub group_name: String,
    /// The version.
    pub version: String,
    /// The path of the file's module, as generated code names it.
    pub module: String,
    /// The kinds, in the order of the file.
    pub kinds: Vec<Kind>,
}

impl Package {
    /// Reads files, and every file with tags below folders, in the order of their names.
    ///
    /// # Errors
    ///
    /// All mistakes of all files; a file that cannot be read; a folder without tags.
    pub fn read(inputs: &[PathBuf], module: Option<&str>) -> Result<Vec<Package>> {
        let mut files = Vec::new();
        for input in inputs {
            let before = files.len();
            collect(input, input.is_file(), &mut files)?;
            if files.len() == before {
                bail!("{}: no file here has a tag `+genclient`", input.display());
            }
        }
        if module.is_some() && files.len() > 1 {
            bail!("--module names the module of one file, and there are {}", files.len());
        }
        let (mut packages, mut mistakes) = (Vec::new(), Vec::new());
        for (path, text) in &files {
            let module = module.map_or_else(|| module_of(path), |module| Ok(module.to_owned()))?;
            match Package::parse(&path.display().to_string(), text, &module) {
                Ok(package) => packages.push(package),
                Err(found) => mistakes.extend(found.0),
            }
        }
        if !mistakes.is_empty() {
            return Err(Mistakes(mistakes).into());
        }
        Ok(packages)
    }

    /// Reads the text of a file. `file` is its path: the version is its name, or that of its folder for a `mod.rs`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong in it.
    pub fn parse(file: &str, text: &str, module: &str) -> Result<Package, Mistakes> {
        let told = |found: Vec<Found>| {
            let mut found = found;
            found.sort();
            let told = |(line, message)| Mistake { file: file.to_owned(), line, message };
            Mistakes(found.into_iter().map(told).collect())
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = TokenStream::from_str(text).map_err(|error| (error.span().start().line, error.to_string()));
        let parsed = parsed.and_then(|tokens| {
            let file = syn::parse2::<syn::File>(tokens.clone());
            file.map(|file| (file, tokens)).map_err(|error| (error.span().start().line, error.to_string()))
        });
        let (parsed, tokens) = parsed.map_err(|(line, why)| told(vec![(line, format!("no Rust: {why}"))]))?;
        let mut reading = Reading { comments: comments(text, &tokens), ..Reading::default() };
        let package = reading.package(file, module, &parsed.items);
        if reading.mistakes.is_empty() { Ok(package) } else { Err(told(reading.mistakes)) }
    }

    /// What generated modules and functions of this version are called: `core_v1`.
    pub fn name(&self) -> String {
        format!("{}_{}", self.group_name, self.version)
    }

    /// As people say it: `apps/v1`, `core/v1`.
    pub fn title(&self) -> String {
        format!("{}/{}", if self.group.is_empty() { "core" } else { &self.group }, self.version)
    }
}

#[derive(Default)]
struct Reading {
    comments: Vec<Comment>,
    mistakes: Vec<Found>,
}

impl Reading {
    fn package(&mut self, file: &str, module: &str, items: &[Item]) -> Package {
        let first = items.first().map_or(usize::MAX, |item| item.span().byte_range().start);
        let group = self.package_tag("groupName", first);
        let go_name = self.package_tag("groupGoName", first);
        let version = self.package_tag("versionName", first).unwrap_or_else(|| version_of(file));
        if !is_version(&version) {
            let why = format!("`{version}` is no version: name the file like `v1.rs`, or say `// +versionName=v1`");
            self.mistakes.push((0, why));
        }
        if group.is_none() {
            let why = "no `// +groupName=example.com` above the first item (empty for the core group)";
            self.mistakes.push((0, why.to_owned()));
        }
        let group = group.unwrap_or_default();
        let group_name = go_name.map_or_else(|| group_name(&group), |name| snake(&name));
        if !group.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)) {
            self.mistakes.push((0, format!("`{group}` is no API group: they are written like `example.com`")));
        }
        let mut kinds = self.kinds(items, &group, &version);
        let imported = kind::imported(items);
        for method in kinds.iter_mut().flat_map(|kind| &mut kind.tags.methods) {
            for name in method.input.iter_mut().chain(&mut method.result) {
                if let Some(path) = imported.get(name) {
                    name.clone_from(path);
                }
            }
        }
        for comment in self.comments.iter().filter(|comment| tag::is_own(&comment.text)) {
            let why = "this tag belongs to nothing: tags stand above a struct or a `pub use`, on lines of their own";
            self.mistakes.push((comment.line, why.to_owned()));
        }
        if kinds.is_empty() && self.mistakes.is_empty() {
            self.mistakes.push((0, "no type has a tag `// +genclient`".to_owned()));
        }
        Package { group, group_name, version, module: module.to_owned(), kinds }
    }

    /// Takes a tag of the package out of the comments before the first item, or before the end of its own comments.
    fn package_tag(&mut self, name: &str, first: usize) -> Option<String> {
        let is_it = |comment: &Comment| comment.at < first && tag::package_value(&comment.text, name).is_some();
        let mut found: Vec<Comment> = self.comments.extract_if(.., |comment| is_it(comment)).collect();
        if found.len() > 1 {
            let line = found.pop().map_or(0, |comment| comment.line);
            self.mistakes.push((line, format!("`+{name}=` stands twice")));
        }
        found.first().and_then(|comment| tag::package_value(&comment.text, name)).map(str::to_owned)
    }

    fn kinds(&mut self, items: &[Item], group: &str, version: &str) -> Vec<Kind> {
        let (mut kinds, mut end): (Vec<Kind>, _) = (Vec::new(), 0);
        for item in items {
            let span = item.span();
            // A comment may stand among the attributes too, but not inside the braces.
            let head = head_end(item).unwrap_or(span.byte_range().start);
            let above = |comment: &Comment| (end..head).contains(&comment.at) && !comment.is_trailing;
            let above: Vec<Comment> = self.comments.extract_if(.., |comment| above(comment)).collect();
            end = span.byte_range().end;
            let own = above.iter().filter(|comment| tag::is_own(&comment.text));
            let Some(line) = own.map(|comment| comment.line).next_back() else {
                self.doc_tags(item);
                continue;
            };
            let tags = Tags::parse(above.iter().map(|comment| (comment.line, comment.text.as_str())));
            match (tags, kind::declared(item)) {
                (Ok(mut tags), Ok(declared)) => {
                    let contradicted = declared.derived.map(|derived| derived.agree(group, version, &mut tags));
                    self.mistakes.extend(contradicted.into_iter().flatten().map(|why| (line, why)));
                    let kind = Kind {
                        name: declared.name,
                        origin: declared.origin,
                        tags,
                        has_status: declared.has_status,
                        needs_resource: declared.has_metadata && !kind::has_resource(items, item),
                        line: line + 1,
                    };
                    self.mistakes.extend(kind::contradictions(&kind));
                    if kinds.iter().any(|known| known.name == kind.name) {
                        self.mistakes.push((line, format!("there are two kinds {}", kind.name)));
                    }
                    kinds.push(kind);
                }
                (tags, declared) => {
                    self.mistakes.extend(tags.err().into_iter().flatten());
                    self.mistakes.extend(declared.err().map(|why| (line, why)));
                }
            }
        }
        kinds
    }

    /// A tag in a doc comment would be shown to readers and do nothing.
    fn doc_tags(&mut self, item: &Item) {
        let Item::Struct(it) = item else { return };
        for attribute in it.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")) {
            if let syn::Meta::NameValue(pair) = &attribute.meta
                && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value
                && text.value().trim_start().starts_with("+genclient")
            {
                let why = "tags stand in plain comments: `//`, not `///`";
                self.mistakes.push((attribute.span().start().line, why.to_owned()));
            }
        }
    }
}

/// Where the head of an item ends, which comments above its name lie before.
fn head_end(item: &Item) -> Option<usize> {
    match item {
        Item::Struct(it) => Some(it.struct_token.span.byte_range().start),
        Item::Enum(it) => Some(it.enum_token.span.byte_range().start),
        Item::Use(it) => Some(it.use_token.span.byte_range().start),
        Item::Type(it) => Some(it.type_token.span.byte_range().start),
        _ => None,
    }
}

/// The first label of the group, as client-go has it.
fn group_name(group: &str) -> String {
    let first = group.split('.').next().unwrap_or_default();
    if first.is_empty() { "core".to_owned() } else { first.replace('-', "_") }
}

fn version_of(file: &str) -> String {
    let path = Path::new(file);
    let named = if path.file_stem().is_some_and(|stem| stem == "mod") { path.parent() } else { Some(path) };
    named.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// `v1`, `v2beta3`, as API servers order them.
pub(crate) fn is_version(version: &str) -> bool {
    let Some(rest) = version.strip_prefix('v') else { return false };
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let stage = digits.strip_prefix("alpha").or_else(|| digits.strip_prefix("beta"));
    let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    digits.len() < rest.len() && (digits.is_empty() || stage.is_some_and(number))
}

/// The module of a source file. Types of other crates are reached without one, so that it may be nowhere.
fn module_of(path: &Path) -> Result<String> {
    let absolute = path.canonicalize().with_context(|| format!("could not find {}", path.display()))?;
    Ok(module_below_src(&absolute).unwrap_or_default())
}

/// The module of a file or folder with an absolute path: what lies below `src`, if anything does.
pub(crate) fn module_below_src(path: &Path) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.with_extension("").iter().rev() {
        match part.to_string_lossy().into_owned() {
            part if part == "src" => {
                parts.push("crate".to_owned());
                parts.reverse();
                return Some(parts.join("::"));
            }
            part if parts.is_empty() && ["mod", "lib", "main"].contains(&part.as_str()) => {}
            part => parts.push(part),
        }
    }
    None
}

/// The Rust files at a path: itself, or those with tags below it, in the order of their names.
fn collect(path: &Path, named: bool, files: &mut Vec<(PathBuf, String)>) -> Result<()> {
    if path.is_dir() {
        let entries = fs::read_dir(path).with_context(|| format!("could not read {}", path.display()))?;
        let mut below: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        below.sort();
        return below.iter().try_for_each(|path| collect(path, false, files));
    }
    if !named && path.extension().is_none_or(|extension| extension != "rs") {
        return Ok(());
    }
    let text = fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
    // A file in a folder may be about something else; one that was named is not.
    if named
        || text.lines().any(|line| line.trim_start().trim_start_matches('/').trim_start().starts_with("+genclient"))
    {
        files.push((path.to_owned(), text));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
