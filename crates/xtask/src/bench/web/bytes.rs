//! What a browser downloads of a finished build.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use crate::command::{command, read};

/// Who explores the demo downloads its program too; all others do not.
const DEMO: &str = "masthead-demo";

/// What other dashboards have people download, in kilobytes: Headlamp compressed by brotli, Radar not at all.
const PEERS: &str = "Headlamp 1546 KB brotli, Radar 3639 KB uncompressed";

const SCRIPT: &str = "const z = require('zlib'), b = require('fs').readFileSync(process.argv[1]); \
                      console.log(b.length, z.gzipSync(b, { level: 9 }).length, z.brotliCompressSync(b).length)";

/// A line a file, the sum of the page's and the sum of the demo's.
pub(super) fn table(dist: &Path) -> Result<String> {
    let (mut page, mut demo, mut lines) = ([0; 3], [0; 3], Vec::new());
    let mut files = files(dist)?;
    files.sort();
    for name in files {
        let told = read(command("node").args(["-e", SCRIPT]).arg(dist.join(&name)))?;
        let mut sizes = [0; 3];
        for (size, word) in sizes.iter_mut().zip(told.split_whitespace()) {
            *size = word.parse().with_context(|| format!("node told `{told}` instead of sizes"))?;
        }
        let sum: &mut [u64; 3] = if name.starts_with(DEMO) { &mut demo } else { &mut page };
        sum.iter_mut().zip(sizes).for_each(|(sum, size)| *sum += size);
        lines.push(line(&name, sizes));
    }
    lines.push(line("the page", page));
    lines.push(line("the demo besides", demo));
    Ok(format!("{:<44}{:>10}{:>10}{:>10}\n{}\n{PEERS}", "bytes", "raw", "gzip", "brotli", lines.join("\n")))
}

fn line(name: &str, [raw, gzip, brotli]: [u64; 3]) -> String {
    format!("{name:<44}{raw:>10}{gzip:>10}{brotli:>10}")
}

fn files(dist: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(dist).with_context(|| format!("could not read {}", dist.display()))?;
    let files = entries.filter_map(|entry| entry.ok().filter(|entry| entry.path().is_file()));
    Ok(files.map(|file| file.file_name().to_string_lossy().into_owned()).collect())
}
