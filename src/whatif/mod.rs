//! `bigtpuprofile whatif`.

mod answer;
mod cache;
mod changes;
mod commands;
mod page;
mod predicted;
mod show;
mod trace;

use anyhow::Result;
use bigtpu_output::ByLibrary;
use bigtpu_session::dumps::open_only;
use bigtpu_session::{Session, output_directory};

use crate::args::whatif::Args;
use crate::console::ignore_broken_pipe;
use crate::standard;
use answer::Answer;
pub(crate) use cache::Cache;

pub(crate) use changes::changes;
pub(crate) use predicted::predicted;

/// Predicts, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let session = Session::default();
    let dump = open_only(&args.dump, &session, &standard::note)?;
    let (measured, predictor) = session.predictor(&dump);
    let mut predictor = predictor?;
    let commands = commands::of(args, &measured)?;
    let (mut labels, mut rules) = (Vec::new(), None);
    if let Some(commands) = commands {
        predictor = predictor.with_commands(commands.factors);
        (labels, rules) = (commands.labels, Some(commands.rules));
    }
    let mut served = None;
    if let Some(cache) = args.cache {
        let cached = cache::of(cache, &measured)?;
        predictor = predictor.with_commands(cached.factors);
        labels.push(cached.label);
        served = Some(cached.served);
    }
    let (changes, ratios) = changes::of(args, &measured)?;
    let prediction = predictor.predict(&changes)?;
    let sensitivity = (args.sensitivity || changes.is_empty() && labels.is_empty())
        .then(|| predictor.sensitivity());
    let range = ratios.and_then(|ratios| ratios.range(prediction.predicted_ns as f64));
    let path = &measured.analysis.report.critical_path.pieces;
    let answer = Answer::new(&changes, &prediction, range, sensitivity, &predictor, path);
    let answer = answer.with_commands(labels, rules, served);
    let mut written = Vec::new();
    if let Some(dir) = &args.out {
        let out = output_directory(dir)?;
        written.push(out.write(answer::FILE, &ByLibrary(answer.json()?.as_bytes()))?);
        let predicted = predicted(&session, &dump, predictor.times(&prediction));
        written.push(trace::write(args, &measured, &predicted, &out)?);
        written.push(page::write(&measured, &predicted, &answer.changes, &out)?);
        out.publish()?;
    }
    ignore_broken_pipe(show::show(args, &answer, &written))
}
