//! `bigtpuprofile simulate`.

mod answer;
mod commands;
mod input;
mod show;
mod views;

use anyhow::{Result, bail};
use bigtpu_command_cost::Model;
use bigtpu_output::Written;
use bigtpu_session::{Run, Session, output_directory};
use bigtpu_simulate::{Comparison, Program, Simulation, program_of_dump, simulate};

use crate::args::simulate::Args;
use crate::console::ignore_broken_pipe;
use crate::multi_dump::open_only;
use answer::Answer;
use input::{Input, at};

/// Simulates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let session = Session::default();
    let input = Input::of(args)?;
    if let Some(program) = input.program(&args.input)? {
        return one(args, &session, program, None);
    }
    if args.chip.is_some() || args.net.is_some() || args.stage.is_some() {
        bail!(
            "{}: --chip, --net and --stage are for command files and .bmodel: a dump names its chip and has one model",
            args.input.display()
        );
    }
    let dump = open_only(&args.input, &session)?;
    let measured = session.analyze(&dump);
    let program = program_of_dump(&dump, &measured.profile);
    one(args, &session, program.map_err(|error| at(&args.input, error))?, Some(&measured))
}

fn one(
    args: &Args,
    session: &Session,
    program: Program<'_>,
    measured: Option<&Run<'_>>,
) -> Result<()> {
    let model = Model::of(program.chip);
    let simulation = simulate(program, &model).map_err(|error| at(&args.input, error))?;
    let comparison = match measured {
        Some(measured) => Comparison::of(&simulation, &measured.profile),
        None => Comparison::unmeasured(&simulation),
    };
    let answer = Answer::of(&simulation, &comparison);
    let written = write(args, session, &simulation, &comparison, &answer, measured)?;
    ignore_broken_pipe(show::show(args, &answer, &simulation, &written))
}

fn write(
    args: &Args,
    session: &Session,
    simulation: &Simulation<'_>,
    comparison: &Comparison,
    answer: &Answer,
    measured: Option<&Run<'_>>,
) -> Result<Vec<Written>> {
    let Some(dir) = &args.output else { return Ok(Vec::new()) };
    let simulated = session.analyze_simulated(&args.input, simulation.profile());
    let out = output_directory(dir)?;
    let mut written = vec![out.write(answer::FILE, answer.json()?.as_bytes())?];
    let profile = measured.map(|run| &run.profile);
    written.push(commands::write(simulation, comparison, profile, &out)?);
    written.extend(views::write(&args.emit, measured, &simulated, &out)?);
    out.publish()?;
    Ok(written)
}
