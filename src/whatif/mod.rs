//! `bigtpuprofile whatif`.

mod answer;
mod changes;
mod show;
mod trace;

use anyhow::Result;
use bigtpu_answers::Analysis;
use bigtpu_emit::OutDir;
use bigtpu_hardware::Overrides;
use bigtpu_timeline::{Dump, Options, Profile};

use crate::args::whatif::Args;
use crate::console::ignore_broken_pipe;
use answer::Answer;

pub(crate) use changes::{machine, ratios};
pub(crate) use trace::retimed;

/// Predicts, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let dump = Dump::open(&args.dump)?;
    let profile = Profile::build(&dump, &Options::default());
    let (analysis, replay) = Analysis::with_replay(&profile, &Overrides::default());
    let replay = replay?;
    let changes = changes::of(args, &profile)?;
    let prediction = replay.predict(&changes)?;
    let sensitivity = (args.sensitivity || changes.is_empty()).then(|| replay.sensitivity());
    let answer = Answer::new(&changes, &prediction, sensitivity, &replay);
    let mut written = Vec::new();
    if let Some(dir) = &args.out {
        let out = OutDir::create(dir)?;
        let mut file = out.file(answer::FILE)?;
        file.append(answer.json()?.as_bytes())?;
        written.push(file.commit()?);
        written.push(trace::write(args, &dump, &profile, &analysis, &prediction, &out)?);
        out.publish()?;
    }
    ignore_broken_pipe(show::show(args, &answer, &written))
}
