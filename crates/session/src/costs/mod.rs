//! What one execution of each part of a model costs, measured from dumps: the content of `costs.json`.
//!
//! A part is a kernel, a layer of a static model, or a scope that groups parts by name. An execution is one run of a
//! part on all cores that took part in it. [`measure()`] finds the executions of one dump and what each took;
//! [`costs_of`] brings those of several dumps together. Pipelines, strategies and estimates start from the result.
//! `docs/prediction/costs.md` has the definitions, `docs/costs.schema.json` the layout.
//!
//! Times are ns, energies pJ.

mod energy;
mod error;
mod execution;
mod host;
mod join;
mod kernels;
mod layers;
mod level;
mod measure;
mod phase;
mod scope;
mod summary;
mod table;
mod work;

use std::path::{Path, PathBuf};

use bigtpu_answers::Depth;
use bigtpu_machine::{Hardware, Machine, resolve_for};
use bigtpu_messages::{Arg, Message, error_message, message};
use bigtpu_model::costs::Costs;
use bigtpu_output::{Json, OutputError, Written};
use bigtpu_timeline::Severity;

use crate::dumps::open_only;
use crate::note::{Say, remark};
use crate::outputs::{file_or_in_directory, write_file};
use crate::run::Run;
use crate::settings::Session;
use crate::unused::Unused;

pub use error::CostsRunError;
pub use measure::{Executions, MeasureError, measure};
pub use phase::{HostEvent, PhaseMarker};
pub use scope::{ScopeError, ScopeRule};
pub use summary::costs_of;

/// Name of the file in a directory.
const FILE: &str = "costs.json";

/// What is measured.
#[derive(Debug, Clone, Default)]
pub struct CostsRequest {
    /// The dumps.
    pub dumps: Vec<PathBuf>,
    /// Rules that group parts.
    pub scopes: Vec<ScopeRule>,
    /// Where decode begins.
    pub marker: Option<PhaseMarker>,
    /// Host trace with the event of the marker.
    pub host: Option<PathBuf>,
    /// Executions of each part of each dump that are left out, the first.
    pub drop_warmup: u64,
    /// Passes of the model in each dump.
    pub passes: u64,
    /// Machine whose energies are used: a file, or the name of a preset.
    pub hardware: Option<PathBuf>,
    /// File for the result, or a directory for it.
    pub out: Option<PathBuf>,
}

/// What was measured.
#[derive(Debug)]
pub struct MeasuredCosts {
    /// The costs.
    pub costs: Costs,
    /// `costs` as JSON.
    pub json: String,
    /// The file.
    pub written: Option<Written>,
}

/// Measures and writes.
///
/// # Errors
/// [`CostsRunError`] when a dump can't be read, has no parts, or the file can't be written.
pub fn measure_dumps(request: &CostsRequest, say: Say<'_>) -> Result<MeasuredCosts, CostsRunError> {
    if matches!(request.marker, Some(PhaseMarker::Index(_) | PhaseMarker::AfterPart(_))) {
        let place = error_message!("problem-marker-of-dump");
        Unused::refuse(&place, &[("--trace_file", request.host.is_some())])?;
    }
    let mut dumps = Vec::with_capacity(request.dumps.len());
    let mut hardware: Option<Machine> = None;
    for path in &request.dumps {
        let (executions, own) = of_dump(path, request, say)?;
        if let Some(file) = request.hardware.as_ref().filter(|_| hardware.is_none()) {
            hardware = Some(resolve_for(&file.display().to_string(), &own, own.cores)?);
        }
        if let Some(share) = executions.share_without_rule().filter(|share| *share > 0.0) {
            let (path, share) = (path.display().to_string(), Arg::Share(share));
            say(remark(message!("costs-no-scope", path = path, share = share)));
        }
        dumps.push(executions);
    }
    let (costs, dropped) = costs_of(&dumps, request.passes, request.drop_warmup, hardware.as_ref());
    if costs.parts.is_empty() {
        return Err(CostsRunError::AllDropped(request.drop_warmup));
    }
    let json = serde_json::to_string_pretty(&costs)? + "\n";
    let written = request.out.as_deref().map(|path| write(path, &json)).transpose()?;
    for name in dropped {
        let times = request.drop_warmup;
        say(remark(message!("costs-warmup", name = name, times = times)));
    }
    if hardware.is_some() && costs.parts.iter().all(|part| part.energy_pj.is_none()) {
        say(remark(Message::new("costs-no-energy")));
    }
    Ok(MeasuredCosts { costs, json, written })
}

fn of_dump(
    path: &Path,
    request: &CostsRequest,
    say: Say<'_>,
) -> Result<(Executions, Hardware), CostsRunError> {
    let name = path.display().to_string();
    let session = Session::default();
    let dump = open_only(path, &session, say)?;
    let (Run { profile, analysis, layers, .. }, predictor) =
        session.predictor(&dump, Depth::Causes);
    // Where the run can't be replayed, it is not known what depends on a bandwidth.
    let predictor = predictor.ok();
    for note in profile.ledger.notes.iter().filter(|note| note.severity > Severity::Note) {
        say(remark(message!(
            "costs-note",
            dump = &name,
            note = Message::from(note.said_with_place())
        )));
    }
    let host = request.host.as_ref().map(|file| host::events(file, &profile)).transpose()?;
    let marker = request.marker.as_ref().map(|marker| (marker, host.as_deref().unwrap_or(&[])));
    let (layers, predictor) = (layers.as_deref(), predictor.as_ref());
    let executions =
        measure(&name, &profile, &analysis, layers, predictor, &request.scopes, marker)
            .map_err(|source| CostsRunError::Measure { dump: name.clone(), source })?;
    Ok((executions, analysis.chip_hardware(&profile)))
}

fn write(path: &Path, text: &str) -> Result<Written, OutputError> {
    write_file(&file_or_in_directory(path, FILE), &Json::in_file(text))
}
