//! A command stream without hardware: simulated, and beside its measured run.

mod answer;
mod calibrate;
mod commands;
mod error;
mod input;
mod views;

use std::path::{Path, PathBuf};

use bigtpu_chip::Chip;
use bigtpu_command_cost::CostModel;
use bigtpu_format::{MOST_SETTINGS, read_given_text};
use bigtpu_messages::LocalizedText;
use bigtpu_output::{Json, Written};
use bigtpu_simulate::{
    Error, Program, RecordComparison, Simulation, program_of_dump, simulate as simulate_program,
};

use bigtpu_timeline::Note;

use crate::dumps::open_only;
use crate::note::Say;
use crate::outputs::output_directory;
use crate::run::Run;
use crate::settings::Session;
use input::Input;

pub use answer::{Answer, Dma, Issue, SimulatedCore, Tiu};
pub use calibrate::{CalibrateRequest, Calibrated, calibrate};
pub use error::{CompiledModelError, SimulateError};

/// What is simulated.
#[derive(Debug, Clone, Default)]
pub struct SimulateRequest {
    /// A dump with descriptors, a `.bmodel`, or command files.
    pub input: PathBuf,
    /// Chip of command files, or instead of that of a `.bmodel`.
    pub chip: Option<&'static Chip>,
    /// Only this net of a `.bmodel`.
    pub net: Option<String>,
    /// Only this stage of its nets.
    pub stage: Option<usize>,
    /// Constants instead of the chip's own: a file.
    pub model: Option<PathBuf>,
    /// Directory for the results.
    pub out: Option<PathBuf>,
    /// Views of the simulated run.
    pub views: Vec<String>,
}

/// A simulated run.
#[derive(Debug)]
pub struct Simulated {
    /// Its times, and how well they are known.
    pub answer: Answer,
    /// Its chip.
    pub chip: &'static Chip,
    /// Dependences and waits for commands that are not there.
    pub ignored_dependences: u64,
    /// What is to be said of the commands.
    pub notes: Vec<LocalizedText>,
    /// Its files.
    pub written: Vec<Written>,
}

/// Simulates and writes.
///
/// # Errors
/// [`SimulateError`] when the input can't be read, its commands have no time line, or a file can't be written.
pub fn simulate(request: &SimulateRequest, say: Say<'_>) -> Result<Simulated, SimulateError> {
    let session = Session::default();
    let path = request.input.as_path();
    let input = Input::read(request)?;
    if let Some(program) = input.program(path)? {
        return of_program(request, &session, program, None);
    }
    if request.chip.is_some() || request.net.is_some() || request.stage.is_some() {
        return Err(SimulateError::OfDump(path.to_owned()));
    }
    let dump = open_only(path, &session, say)?;
    let measured = session.analyze(&dump);
    let program = program_of_dump(&dump, &measured.profile);
    of_program(request, &session, program.map_err(SimulateError::simulate(path))?, Some(&measured))
}

fn of_program(
    request: &SimulateRequest,
    session: &Session,
    program: Program<'_>,
    measured: Option<&Run<'_>>,
) -> Result<Simulated, SimulateError> {
    let model = model(request.model.as_deref(), program.chip)?;
    let simulation = time_line(program, &model, measured.is_some());
    let simulation = simulation.map_err(SimulateError::simulate(&request.input))?;
    let comparison = match measured {
        Some(measured) => RecordComparison::compare(&simulation, &measured.profile),
        None => RecordComparison::unmeasured(&simulation),
    };
    let answer = Answer::new(&simulation, &comparison);
    let written = write(request, session, &simulation, &comparison, &answer, measured)?;
    Ok(Simulated {
        answer,
        chip: simulation.program.chip,
        ignored_dependences: simulation.ignored_dependences,
        notes: simulation.program.notes.iter().map(Note::said_with_place).collect(),
        written,
    })
}

/// Gives the commands their times. Records show that all of them ran: what waits for commands that are not there is
/// then left out, and said.
fn time_line<'d>(
    program: Program<'d>,
    model: &CostModel,
    has_records: bool,
) -> Result<Simulation<'d>, Error> {
    let again = (has_records && program.is_whole).then(|| program.clone());
    match (simulate_program(program, model), again) {
        (Err(_), Some(program)) => simulate_program(Program { is_whole: false, ..program }, model),
        (result, _) => result,
    }
}

/// The constants: those of a file, or the chip's own.
fn model(file: Option<&Path>, chip: &'static Chip) -> Result<CostModel, SimulateError> {
    let Some(file) = file else { return Ok(CostModel::compiled_in(chip)) };
    let text = read_given_text(file, MOST_SETTINGS).map_err(SimulateError::read(file))?;
    let path = || file.to_owned();
    let model = CostModel::of_json(&text)
        .map_err(|source| SimulateError::NoModel { path: path(), source })?;
    if model.chip.name != chip.name {
        let (model, chip) = (model.chip.name, chip.name);
        return Err(SimulateError::OtherChip { path: path(), model, chip });
    }
    Ok(model)
}

fn write(
    request: &SimulateRequest,
    session: &Session,
    simulation: &Simulation<'_>,
    comparison: &RecordComparison,
    answer: &Answer,
    measured: Option<&Run<'_>>,
) -> Result<Vec<Written>, SimulateError> {
    let Some(dir) = &request.out else { return Ok(Vec::new()) };
    let simulated = session.analyze_simulated(&request.input, simulation.profile());
    let out = output_directory(dir)?;
    let mut written = vec![out.write(answer::FILE, &Json::in_file(&answer.json()?))?];
    let profile = measured.map(|run| &run.profile);
    written.push(commands::write(simulation, comparison, profile, &out)?);
    written.extend(views::write(&request.views, measured, &simulated, answer, &out)?);
    out.publish()?;
    Ok(written)
}
