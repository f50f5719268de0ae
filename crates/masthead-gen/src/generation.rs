//! What is generated from which packages, and where it goes.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{
    Kind, Output, Package, Plurals, client_gen, fake_gen, imports::Imports, informer_gen, lister_gen,
    naming::KindNames, output::MARK, package::module_below_src, rustfmt,
};

/// One run of the generators: inputs, outputs, and how the code names what it stands on.
///
/// ```no_run
/// use masthead_gen::Generation;
///
/// let generation = Generation::all(&["src/api".into()], "src/generated");
/// println!("{}", generation.output()?.write()?);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generation {
    /// Files with tags, and folders of such files.
    pub inputs: Vec<PathBuf>,
    /// The module of the one input, where its path does not tell.
    pub module: Option<String>,
    /// The folder of the clients; none are generated without it.
    pub clients: Option<PathBuf>,
    /// The folder of the listers.
    pub listers: Option<PathBuf>,
    /// The folder of the informers.
    pub informers: Option<PathBuf>,
    /// The file of the fake clientset, which needs `masthead-sim` and `serde_json`.
    pub fake: Option<PathBuf>,
    /// The file that declares the three folders as modules.
    pub root: Option<PathBuf>,
    /// The module of the clients, as the fake clientset names it; by default where their folder lies.
    pub clients_module: Option<String>,
    /// The module of the listers, as informers name it; by default it lies beside theirs and is called `listers`.
    pub listers_module: String,
    /// How the library is called: `crate` within itself.
    pub masthead: String,
    /// How the simulator is called.
    pub sim: String,
    /// Whether each group is there only with the Cargo feature of its name.
    pub features: bool,
    /// Whether rustfmt formats the output.
    pub format: bool,
    /// The plurals of kinds.
    pub plurals: Plurals,
}

impl Default for Generation {
    fn default() -> Generation {
        Generation {
            inputs: Vec::new(),
            module: None,
            clients: None,
            listers: None,
            informers: None,
            fake: None,
            root: None,
            clients_module: None,
            listers_module: "super::super::listers".to_owned(),
            masthead: "masthead".to_owned(),
            sim: "masthead_sim".to_owned(),
            features: false,
            format: true,
            plurals: Plurals::default(),
        }
    }
}

impl Generation {
    /// Clients, listers and informers below one folder, whose `mod.rs` declares them.
    pub fn all(inputs: &[PathBuf], folder: impl AsRef<Path>) -> Generation {
        let folder = folder.as_ref();
        Generation {
            inputs: inputs.to_vec(),
            clients: Some(folder.join("clientset")),
            listers: Some(folder.join("listers")),
            informers: Some(folder.join("informers")),
            root: Some(folder.join("mod.rs")),
            ..Generation::default()
        }
    }

    /// Reads the inputs and generates everything that has a place, in memory.
    ///
    /// # Errors
    ///
    /// Every mistake in an input; packages or kinds whose names are the same; a formatter that is missing.
    pub fn output(&self) -> Result<Output> {
        let mut packages = Package::read(&self.inputs, self.module.as_deref())?;
        packages.sort_by_key(|package| (package.name(), package.group.clone()));
        let style = Style {
            masthead: self.masthead.clone(),
            sim: self.sim.clone(),
            listers: self.listers_module.clone(),
            features: self.features,
            plurals: self.plurals.clone(),
        };
        check_names(&packages, &style)?;
        let mut output = Output::default();
        if let Some(folder) = &self.clients {
            let version = |package: &Package| client_gen::version(package, &style, folder);
            tree(folder, &packages, Kind::has_client, version, &mut output);
            output.files.insert(folder.join("mod.rs"), client_gen::set(&packages, &style));
        }
        if let Some(folder) = &self.listers {
            let version = |package: &Package| lister_gen::version(package, &style, folder);
            tree(folder, &packages, Kind::has_lister, version, &mut output);
            output.files.insert(folder.join("mod.rs"), lister_gen::set(&packages, &style));
        }
        if let Some(folder) = &self.informers {
            tree(folder, &packages, Kind::has_informer, |package| informer_gen::version(package, &style), &mut output);
            output.files.insert(folder.join("mod.rs"), informer_gen::set(&packages, &style));
        }
        if let Some(file) = &self.fake {
            output.files.insert(file.clone(), fake_gen::module(&packages, &style, &self.clients_module()?));
        }
        if let Some(file) = &self.root {
            output.files.insert(file.clone(), self.root(file));
        }
        if self.format {
            for (path, text) in &mut output.files {
                *text = rustfmt::format(text, path)?;
            }
        }
        Ok(output)
    }

    fn clients_module(&self) -> Result<String> {
        if let Some(module) = &self.clients_module {
            return Ok(module.clone());
        }
        let folder =
            self.clients.as_ref().context("a fake clientset needs the module of the clients: --clients MODULE")?;
        let module = module_below_src(&std::path::absolute(folder)?);
        module.with_context(|| format!("{} is in no `src`: say its module by --clients MODULE", folder.display()))
    }

    /// A file that is included rather than declared begins with no doc comment, which could not stand there.
    fn root(&self, file: &Path) -> String {
        let folders = [&self.clients, &self.informers, &self.listers].into_iter().flatten();
        let names = folders.filter_map(|folder| folder.file_name()).map(|name| name.to_string_lossy().into_owned());
        let modules: String = names.map(|name| format!("pub mod {name};\n")).collect();
        if file.file_name().is_some_and(|name| name == INCLUDED) {
            return format!("// {MARK}.\n\n{modules}");
        }
        format!("//! Typed clients, listers and informers.\n//!\n//! {MARK}: do not edit.\n\n{modules}")
    }
}

/// The file that a build script writes and a crate includes.
pub(crate) const INCLUDED: &str = "masthead.rs";

/// How generated code names what it stands on.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) masthead: String,
    pub(crate) sim: String,
    /// The module of the listers.
    pub(crate) listers: String,
    pub(crate) features: bool,
    pub(crate) plurals: Plurals,
}

impl Style {
    pub(crate) fn imports(&self) -> Imports {
        Imports::new(&self.masthead)
    }

    pub(crate) fn names(&self, kind: &Kind) -> KindNames {
        KindNames::new(kind, &self.plurals)
    }

    /// The condition on a group's items.
    pub(crate) fn cfg(&self, feature: &str) -> String {
        if self.features { format!("#[cfg(feature = {feature:?})]\n") } else { String::new() }
    }

    /// The modules in `folder` that people have written for kinds.
    pub(crate) fn expansions<'a>(&self, kinds: impl Iterator<Item = &'a KindNames>, folder: &Path) -> Vec<String> {
        let there = kinds.filter(|names| folder.join(&names.expansion).with_extension("rs").is_file());
        there.map(|names| names.expansion.clone()).collect()
    }
}

/// The files of all versions that have something for this generator.
fn tree(
    folder: &Path,
    packages: &[Package],
    has: fn(&Kind) -> bool,
    version: impl Fn(&Package) -> String,
    output: &mut Output,
) {
    output.folders.insert(folder.to_owned());
    for package in packages.iter().filter(|package| package.kinds.iter().any(has)) {
        output.files.insert(folder.join(package.name()).with_extension("rs"), version(package));
    }
}

/// What would be generated under one name twice.
fn check_names(packages: &[Package], style: &Style) -> Result<()> {
    for pair in packages.windows(2) {
        if pair[0].name() == pair[1].name() {
            let (one, other) = (pair[0].title(), pair[1].title());
            bail!("{one} and {other} are both called {}: name one of them by `// +groupGoName=`", pair[0].name());
        }
    }
    for package in packages {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for kind in &package.kinds {
            let KindNames { accessor, .. } = style.names(kind);
            if let Some(other) = known.insert(accessor.clone(), &kind.name) {
                let title = package.title();
                bail!("{other} and {} of {title} are both called {accessor}: give one a plural of its own", kind.name);
            }
        }
    }
    Ok(())
}
