//! `--sweep NAME=VALUES`: every combination of values.

use anyhow::{Result, anyhow};

use crate::args::pipeline::Args;

/// Combinations that are tried at most.
const MOST: usize = 4096;

/// The options with each combination of the swept values.
pub(crate) fn variants(args: &Args) -> Result<Vec<Args>> {
    let mut all = vec![args.clone()];
    for sweep in &args.sweep {
        let wrong = |why: &str| {
            anyhow!(
                "--sweep {sweep}: {why}; write it like microbatches=4,8,16 (or stages, chunks, comm)"
            )
        };
        let (name, values) = sweep.split_once('=').ok_or_else(|| wrong("has no '='"))?;
        let mut next = Vec::new();
        for text in values.split(',') {
            let value: u32 =
                text.trim().parse().map_err(|_| wrong("has a value that is not a number"))?;
            for args in &all {
                let mut args = args.clone();
                match name.trim() {
                    "microbatches" => args.microbatches = Some(value),
                    "stages" => args.stages = Some(value),
                    "chunks" => args.chunks = Some(value),
                    "comm" => args.comm = Some(value.into()),
                    _ => return Err(wrong("has an option that can't be swept")),
                }
                next.push(args);
            }
        }
        if next.len() > MOST {
            return Err(wrong("makes too many combinations"));
        }
        all = next;
    }
    Ok(all)
}
