//! `bigtpuprofile simulate`.

mod answer;
mod calibrate;
mod commands;
mod input;
mod show;
mod views;

use anyhow::{Result, bail};
use bigtpu_chip::Chip;
use bigtpu_command_cost::Model;
use bigtpu_output::{ByLibrary, Written};
use bigtpu_session::dumps::open_only;
use bigtpu_session::{Run, Session, output_directory};
use bigtpu_simulate::{Comparison, Error, Program, Simulation, program_of_dump, simulate};

use crate::args::simulate::Args;
use crate::console::ignore_broken_pipe;
use crate::standard;
use answer::Answer;
use input::{Input, at};

/// Simulates, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let session = Session::default();
    if !args.calibrate.is_empty() {
        return calibrate::run(args, &session);
    }
    let input = Input::of(args)?;
    if let Some(program) = input.program(args.input())? {
        return one(args, &session, program, None);
    }
    if args.chip.is_some() || args.net.is_some() || args.stage.is_some() {
        bail!(
            "{}: --chip, --net and --stage are for command files and .bmodel: a dump names its chip and has one model",
            args.input().display()
        );
    }
    let dump = open_only(args.input(), &session, &standard::note)?;
    let measured = session.analyze(&dump);
    let program = program_of_dump(&dump, &measured.profile);
    one(args, &session, program.map_err(|error| at(args.input(), error))?, Some(&measured))
}

fn one(
    args: &Args,
    session: &Session,
    program: Program<'_>,
    measured: Option<&Run<'_>>,
) -> Result<()> {
    let model = model(args, program.chip)?;
    let simulation = time_line(program, &model, measured.is_some());
    let simulation = simulation.map_err(|error| at(args.input(), error))?;
    let comparison = match measured {
        Some(measured) => Comparison::of(&simulation, &measured.profile),
        None => Comparison::unmeasured(&simulation),
    };
    let answer = Answer::of(&simulation, &comparison);
    let written = write(args, session, &simulation, &comparison, &answer, measured)?;
    ignore_broken_pipe(show::show(args, &answer, &simulation, &written))
}

/// Gives the commands their times. Records show that all of them ran: what waits for commands that are not there is
/// then left out, and said.
fn time_line<'d>(
    program: Program<'d>,
    model: &Model,
    has_records: bool,
) -> Result<Simulation<'d>, Error> {
    let again = (has_records && program.is_whole).then(|| program.clone());
    match (simulate(program, model), again) {
        (Err(_), Some(program)) => simulate(Program { is_whole: false, ..program }, model),
        (result, _) => result,
    }
}

/// The constants: those of `--model`, or the chip's own.
fn model(args: &Args, chip: &'static Chip) -> Result<Model> {
    let Some(file) = &args.model else { return Ok(Model::of(chip)) };
    let text = std::fs::read_to_string(file).map_err(|error| at(file, error))?;
    let model = Model::of_json(&text).map_err(|error| at(file, error))?;
    if model.chip.name != chip.name {
        bail!(
            "{}: has constants of {}, but the commands are {}'s",
            file.display(),
            model.chip.name,
            chip.name
        );
    }
    Ok(model)
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
    let simulated = session.analyze_simulated(args.input(), simulation.profile());
    let out = output_directory(dir)?;
    let mut written = vec![out.write(answer::FILE, &ByLibrary(answer.json()?.as_bytes()))?];
    let profile = measured.map(|run| &run.profile);
    written.push(commands::write(simulation, comparison, profile, &out)?);
    written.extend(views::write(&args.emit, measured, &simulated, &out)?);
    out.publish()?;
    Ok(written)
}
