//! The compiled commands of a dump that was written, as a `.bmodel` or as command files.

use std::path::Path;

use bigtpu_chip::Engine;
use bigtpu_output::{ByLibrary, Written};
use bigtpu_synth::{CompiledGroup, bmodel, command_files};
use bigtpu_timeline::{Dump, model_streams};

use super::{Request, SynthError};
use crate::dumps::open_only;
use crate::note::Say;
use crate::outputs::{output_directory, write_file};
use crate::settings::Session;

/// Label of command files, and name of the net.
const LABEL: &str = "synth";

/// Writes what the request asks for.
pub(super) fn write(request: &Request<'_>, say: Say<'_>) -> Result<Vec<Written>, SynthError> {
    let mut written = Vec::new();
    if request.bmodel.is_none() && request.cmodel.is_none() {
        return Ok(written);
    }
    let dump = open_only(request.out, &Session::default(), say)?;
    let groups = groups(&dump, request.out)?;
    if let Some(file) = request.bmodel {
        written.push(write_file(file, &ByLibrary(&bmodel(dump.chip.name, LABEL, &groups)))?);
    }
    if let Some(dir) = request.cmodel {
        let out = output_directory(dir)?.for_any_name();
        for (name, bytes) in command_files(LABEL, &groups) {
            written.push(out.write(&name, &ByLibrary(&bytes))?);
        }
        out.publish()?;
    }
    Ok(written)
}

/// The command groups of a dump's static model.
fn groups(dump: &Dump, path: &Path) -> Result<Vec<CompiledGroup>, SynthError> {
    let (streams, _) = model_streams(dump);
    let mut all = Vec::new();
    for stream in &streams {
        for (number, places) in (0..).zip(&stream.groups) {
            let (Some(first), Some(last)) = (places.first(), places.last()) else { continue };
            let length = |engine: Engine| {
                let bits = stream.file.get(usize::try_from(last.offset).ok()?..)?;
                Some(dump.chip.ops(engine).command(last.code?, bits)?.bits.len() as u64)
            };
            let end = length(stream.engine).map(|length| last.offset + length);
            let range = end.and_then(|end| {
                Some(usize::try_from(first.offset).ok()?..usize::try_from(end).ok()?)
            });
            let Some(bits) = range.and_then(|range| stream.file.get(range)) else { continue };
            let (core, engine) = (stream.core, stream.engine);
            all.push(CompiledGroup { core, group: number, engine, bits: bits.to_vec() });
        }
    }
    if all.is_empty() {
        return Err(SynthError::NotCompiled(path.to_owned()));
    }
    Ok(all)
}
