//! crd-types: Rust types with their tags, from definitions of custom resources.
//!
//! A [`definition`] is read from a manifest, its schema becomes [shapes](shape), each shape that needs a type gets a
//! [`declaration`], and the kinds of each version of a group are written to a file of their own.

mod declaration;
mod definition;
mod doc;
mod ident;
mod layout;
mod manifest;
mod place;
mod render;
mod schema;
mod shape;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use self::{definition::Definition, place::Place};
use crate::{
    mistake::{Mistake, Mistakes},
    output::Output,
    rustfmt,
};

/// The types of every kind that the files define, as modules below `folder`: one for each group, and one in it for each
/// version that is served.
///
/// The files are YAML or JSON with any number of documents, lists among them; what defines nothing is passed over.
/// With `format`, rustfmt formats the types by the settings that hold in the folder.
///
/// ```no_run
/// let types = masthead_gen::crd_types(&["crds.yaml".into()], "src/api".as_ref(), true)?;
/// println!("{}", types.write()?);
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
///
/// Everything that is wrong in the definitions, with file, document and path; files without one; a formatter that is
/// missing.
pub fn crd_types(inputs: &[PathBuf], folder: &Path, format: bool) -> Result<Output> {
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
        Ok((path.display().to_string(), text))
    };
    let files = inputs.iter().map(read).collect::<Result<Vec<_>>>()?;
    let mut output = layout::output(&definitions(&files)?, folder);
    if format {
        for (path, text) in &mut output.files {
            *text = rustfmt::format(text, path)?;
        }
    }
    Ok(output)
}

/// The definitions in files, which are given by name and text.
fn definitions(files: &[(String, String)]) -> Result<Vec<Definition>, Mistakes> {
    let (mut definitions, mut mistakes): (Vec<Definition>, Vec<Mistake>) = (Vec::new(), Vec::new());
    for (file, text) in files {
        let before = (definitions.len(), mistakes.len());
        let mut wrong = |message: String| mistakes.push(Mistake { file: file.clone(), line: 0, message });
        let objects = manifest::objects(text).unwrap_or_else(|error| {
            wrong(format!("neither YAML nor JSON: {error}"));
            Vec::new()
        });
        for (place, object) in &objects {
            match Definition::read(&Place::whole(object)) {
                Ok(Some(found)) if definitions.iter().any(|known| found.is_same(known)) => {
                    wrong(format!("{place}: {}.{} is defined twice", found.plural, found.group));
                }
                Ok(found) => definitions.extend(found),
                Err(found) => found.iter().for_each(|found| wrong(format!("{place}: {found}"))),
            }
        }
        if (definitions.len(), mistakes.len()) == before {
            let message = "no CustomResourceDefinition is in it; `kubectl get crd NAME -o yaml` prints one".to_owned();
            mistakes.push(Mistake { file: file.clone(), line: 0, message });
        }
    }
    if mistakes.is_empty() { Ok(definitions) } else { Err(Mistakes(mistakes)) }
}

#[cfg(test)]
mod tests;
