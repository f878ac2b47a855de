//! A measured run, predicted with changes.

mod answer;
mod cache;
mod changes;
mod commands;
mod error;
mod page;
mod predicted;
mod sentences;
mod trace;

use std::path::PathBuf;

use bigtpu_answers::Depth;
use bigtpu_chip::Chip;
use bigtpu_output::{Json, Written};
use bigtpu_predict::estimate::ERRORS_OF_COMMANDS;
use bigtpu_replay::{CommandFactor, ResourceChange};

use crate::dumps::open_only;
use crate::note::Say;
use crate::outputs::output_directory;
use crate::settings::Session;

pub use answer::{Answer, Bounds};
pub use cache::{Cache, NoCache, Served};
pub use changes::UnknownLinks;
pub(crate) use changes::{changes, check_links};
pub use commands::Rules;
pub use error::WhatifError;
pub(crate) use predicted::predicted;

/// What is changed.
#[derive(Debug, Clone, Default)]
pub struct WhatifRequest {
    /// The dump.
    pub dump: PathBuf,
    /// Changes of single parts.
    pub changes: Vec<ResourceChange>,
    /// Another TIU clock, in MHz.
    pub tiu_mhz: Option<u64>,
    /// Another machine: a file, or the name of a preset.
    pub hardware: Option<PathBuf>,
    /// Another chip that the commands run on.
    pub chip: Option<&'static Chip>,
    /// Number of lanes that the commands run with.
    pub lanes: Option<u64>,
    /// Bytes a cycle that each lane handles.
    pub line: Option<u64>,
    /// A cache of constants in front of the DDR.
    pub cache: Option<Cache>,
    /// Also the sensitivity to each part; always without changes.
    pub sensitivity: bool,
    /// Directory for the results.
    pub out: Option<PathBuf>,
    /// Host trace that the trace also shows.
    pub host: Option<PathBuf>,
}

/// Predicts and writes.
///
/// # Errors
/// [`WhatifError`] when the dump can't be read, a change has no meaning for it, or a file can't be written.
pub fn whatif(
    request: &WhatifRequest,
    say: Say<'_>,
) -> Result<(Answer, Vec<Written>), WhatifError> {
    let session = Session::default();
    let dump = open_only(&request.dump, &session, say)?;
    let (measured, predictor) = session.predictor(&dump, Depth::Answers);
    let mut predictor = predictor?;
    let commands = commands::requested_commands(request, &measured)?;
    let (mut labels, mut rules) = (Vec::new(), None);
    if let Some(commands) = commands {
        predictor = predictor.with_commands(commands.factors);
        (labels, rules) = (commands.labels, Some(commands.rules));
    }
    let mut served = None;
    if let Some(cache) = request.cache {
        let cached = cache::simulate_cache(cache, &measured)?;
        let of_command = |(engine, event, factor)| (engine, event, CommandFactor::exact(factor));
        predictor = predictor.with_commands(cached.factors.into_iter().map(of_command));
        labels.push(cached.label);
        served = Some(cached.served);
    }
    let (changes, ratios) = changes::requested_changes(request, &measured)?;
    let prediction = predictor.predict(&changes)?;
    let sensitivity = (request.sensitivity || changes.is_empty() && labels.is_empty())
        .then(|| predictor.sensitivity());
    let range =
        ratios.and_then(|ratios| ratios.range(prediction.predicted_ns as f64, &ERRORS_OF_COMMANDS));
    let path = measured.report().critical_path.pieces.clone();
    let answer = Answer::new(&changes, &prediction, range, sensitivity, &predictor, path);
    let answer = answer.with_commands(labels, rules, served);
    let mut written = Vec::new();
    if let Some(dir) = &request.out {
        let out = output_directory(dir)?;
        written.push(out.write(answer::FILE, &Json::in_file(&answer.json()?))?);
        let predicted = predicted(&session, &dump, predictor.times(&prediction));
        written.push(trace::write(request.host.as_deref(), &measured, &predicted, &out)?);
        written.push(page::write(&measured, &predicted, &answer.changes, &out)?);
        out.publish()?;
    }
    Ok((answer, written))
}
