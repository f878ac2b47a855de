//! `bigtpuprofile whatif`.

mod answer;
mod changes;
mod page;
mod predicted;
mod show;
mod trace;

use anyhow::Result;
use bigtpu_emit::OutDir;
use bigtpu_session::Session;

use crate::args::whatif::Args;
use crate::console::ignore_broken_pipe;
use crate::multi_dump::open_only;
use answer::Answer;

pub(crate) use changes::{machine, ratios};
pub(crate) use predicted::predicted;

/// Predicts, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let session = Session::default();
    let dump = open_only(&args.dump, &session)?;
    let (measured, predictor) = session.predictor(&dump);
    let predictor = predictor?;
    let changes = changes::of(args, &measured.profile)?;
    let prediction = predictor.predict(&changes)?;
    let sensitivity = (args.sensitivity || changes.is_empty()).then(|| predictor.sensitivity());
    let answer = Answer::new(&changes, &prediction, sensitivity, &predictor);
    let mut written = Vec::new();
    if let Some(dir) = &args.out {
        let out = OutDir::create(dir)?;
        let mut file = out.file(answer::FILE)?;
        file.append(answer.json()?.as_bytes())?;
        written.push(file.commit()?);
        let predicted = predicted(&session, &dump, predictor.times(&prediction));
        written.push(trace::write(args, &measured, &predicted, &out)?);
        written.push(page::write(&measured, &predicted, &answer.changes, &out)?);
        out.publish()?;
    }
    ignore_broken_pipe(show::show(args, &answer, &written))
}
