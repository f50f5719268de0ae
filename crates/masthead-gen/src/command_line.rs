//! What the words behind `masthead-gen` ask for.

use std::{path::PathBuf, slice::Iter};

use anyhow::{Context, Result, anyhow, bail};
use masthead_gen::Generation;

pub(crate) const USAGE: &str = "\
masthead-gen COMMAND --input PATH ... --output PATH [FLAG ...]
masthead-gen all --crd FILE ... --types PATH --output PATH [FLAG ...]
masthead-gen all --config FILE [--check]

  crd-types     types with their tags from definitions of custom resources, into a folder with a mod.rs
  client-gen    typed clients and the ClientSet, into a folder
  lister-gen    typed listers, into a folder
  informer-gen  typed informers and their factory, into a folder
  fake-gen      the ClientSet on a simulated server, into a file
  all           clients, listers and informers, into a folder with a mod.rs

  --input PATH        a file with tags, or a folder of them; as often as need be. For crd-types, a file with definitions
  --output PATH       where it goes; only generated files there are changed or removed
  --check             write nothing, and fail if what is there is not what would be written
  --crd FILE          definitions, in YAML or JSON, whose types are written first and then read
  --types PATH        the folder of the types of --crd
  --module MODULE     the module of the input, where its path below `src` does not tell
  --clients MODULE    the module of the clients, for fake-gen
  --listers MODULE    the module of the listers, for informer-gen [super::super::listers]
  --plural KIND=NAME  the plural of a kind that follows no rule
  --features          each group only with the Cargo feature of its name
  --masthead PATH     how the library is called [masthead]
  --no-format         leave the output as it is, without rustfmt
  --config FILE       read all this for several packages from a TOML file";

/// A whole command line.
#[derive(Debug)]
pub(crate) struct Asked {
    /// Types to write before anything else.
    pub(crate) types: Option<Types>,
    pub(crate) job: Job,
    /// Whether to compare instead of writing.
    pub(crate) check: bool,
    /// Whether rustfmt is wanted.
    pub(crate) format: bool,
}

/// Types to make from definitions.
#[derive(Debug)]
pub(crate) struct Types {
    pub(crate) definitions: Vec<PathBuf>,
    pub(crate) folder: PathBuf,
}

/// What to do.
#[derive(Debug)]
pub(crate) enum Job {
    Help,
    /// Nothing but the types.
    Types,
    Generate(Box<Generation>),
    Config(PathBuf),
}

impl Asked {
    pub(crate) fn parse(words: &[String]) -> Result<Asked> {
        let mut words = words.iter();
        let command = match words.next().map(String::as_str) {
            None | Some("--help" | "-h" | "help") => return Ok(Asked::help()),
            Some(command) => command,
        };
        let (mut generation, mut output, mut config, mut check) = (Generation::default(), None, None, false);
        let (mut definitions, mut folder): (Vec<PathBuf>, Option<PathBuf>) = (Vec::new(), None);
        while let Some(word) = words.next() {
            let flag = word.as_str();
            match flag {
                "--input" => generation.inputs.push(value(flag, &mut words)?.into()),
                "--output" => output = Some(PathBuf::from(value(flag, &mut words)?)),
                "--crd" => definitions.push(value(flag, &mut words)?.into()),
                "--types" => folder = Some(value(flag, &mut words)?.into()),
                "--config" => config = Some(PathBuf::from(value(flag, &mut words)?)),
                "--module" => generation.module = Some(value(flag, &mut words)?),
                "--clients" => generation.clients_module = Some(value(flag, &mut words)?),
                "--listers" => generation.listers_module = value(flag, &mut words)?,
                "--masthead" => generation.masthead = value(flag, &mut words)?,
                "--plural" => {
                    let pair = value(flag, &mut words)?;
                    let (kind, plural) = pair.split_once('=').context("--plural takes KIND=NAME, as in Sheep=Sheep")?;
                    generation.plurals.except(kind, plural);
                }
                "--features" => generation.features = true,
                "--no-format" => generation.format = false,
                "--check" => check = true,
                "--help" | "-h" => return Ok(Asked::help()),
                other => bail!("there is no `{other}`; `masthead-gen --help` lists what there is"),
            }
        }
        let format = generation.format;
        if let Some(config) = config {
            let is_alone = generation.inputs.is_empty() && output.is_none() && definitions.is_empty();
            if command != "all" || !is_alone {
                bail!("--config goes with `all` alone: the file says inputs and outputs");
            }
            return Ok(Asked { types: None, job: Job::Config(config), check, format });
        }
        let output = output.ok_or_else(|| anyhow!("{command} needs --output"))?;
        if command == "crd-types" {
            definitions.append(&mut generation.inputs);
            let types = types(definitions, Some(output))?;
            return Ok(Asked { types, job: Job::Types, check, format });
        }
        let types = types(definitions, folder)?;
        generation.inputs.extend(types.as_ref().map(|types| types.folder.clone()));
        if generation.inputs.is_empty() {
            bail!("{command} needs --input: a file with tags, or a folder of them");
        }
        Ok(Asked { types, job: Job::Generate(Box::new(placed(command, generation, output)?)), check, format })
    }

    fn help() -> Asked {
        Asked { types: None, job: Job::Help, check: false, format: true }
    }
}

fn types(definitions: Vec<PathBuf>, folder: Option<PathBuf>) -> Result<Option<Types>> {
    match (definitions.is_empty(), folder) {
        (true, None) => Ok(None),
        (false, Some(folder)) => Ok(Some(Types { definitions, folder })),
        (false, None) => bail!("--crd needs --types, the folder where the types go"),
        (true, Some(_)) => bail!("there is nothing to make types from: a file with definitions is missing"),
    }
}

/// The same with its place.
fn placed(command: &str, generation: Generation, output: PathBuf) -> Result<Generation> {
    Ok(match command {
        "client-gen" => Generation { clients: Some(output), ..generation },
        "lister-gen" => Generation { listers: Some(output), ..generation },
        "informer-gen" => Generation { informers: Some(output), ..generation },
        "fake-gen" => Generation { fake: Some(output), ..generation },
        "all" => {
            let all = Generation::all(&generation.inputs, output);
            let Generation { clients, listers, informers, root, .. } = all;
            Generation { clients, listers, informers, root, ..generation }
        }
        unknown => bail!("there is no command `{unknown}`; `masthead-gen --help` lists them"),
    })
}

fn value(flag: &str, words: &mut Iter<'_, String>) -> Result<String> {
    let value = words.next().filter(|value| !value.starts_with("--"));
    value.cloned().with_context(|| format!("{flag} needs a value; `masthead-gen --help` shows how"))
}
