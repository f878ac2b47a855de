//! Commands become tasks, tasks get times.

use bigtpu_chip::{Command, Engine, Slot, SyncMessage};
use bigtpu_command_cost::{CommandCost, CostModel, MilliCycles};
use bigtpu_timeline::EngineId;

use crate::Picoseconds;
use crate::costs::CostTable;
use crate::dispatch::{Dispatch, issue};
use crate::error::Error;
use crate::event_loop::{CommandTimes, Pause, Stuck, run_with};
use crate::program::{ENGINES, Program, ProgramCore, Queued};
use crate::sustained;
use crate::task::{Sync, Task};

/// A simulated program.
#[derive(Debug)]
pub struct Simulation<'d> {
    /// What was simulated.
    pub program: Program<'d>,
    /// Start and end of each command, in ps.
    pub times: CommandTimes,
    /// The number of each command's cost.
    pub cost: Vec<[Vec<u32>; 3]>,
    /// The costs.
    pub costs: Vec<CommandCost>,
    /// Dependences on commands that are not there: possible only where the program is not whole.
    pub ignored_dependences: u64,
}

impl Simulation<'_> {
    /// The cost of a command.
    #[must_use]
    pub fn cost_of(&self, core: usize, engine: usize, index: usize) -> Option<&CommandCost> {
        let number = *self.cost.get(core)?.get(engine)?.get(index)?;
        self.costs.get(number as usize)
    }

    /// What issuing the commands takes; `None` where all of them are in streams.
    #[must_use]
    pub fn dispatch(&self) -> Option<Dispatch> {
        Dispatch::count(&self.program)
    }

    /// From the first start to the last end, in ps.
    #[must_use]
    pub fn total(&self) -> Picoseconds {
        let all = || self.times.iter().flatten().flatten();
        let first = all().map(|(start, _)| *start).min().unwrap_or(0);
        all().map(|(_, end)| *end).max().unwrap_or(0) - first
    }
}

/// Gives each command of a program its time.
///
/// # Errors
/// Commands that wait for what never comes, see [`Error`].
pub fn simulate<'d>(program: Program<'d>, model: &CostModel) -> Result<Simulation<'d>, Error> {
    if program.is_empty() {
        return Err(Error::NoCommands);
    }
    let mut table = CostTable::new(model);
    let (mut cost, mut tasks, mut ignored) = (Vec::new(), Vec::new(), 0);
    let mut has_loaded = false;
    let part_of_ddr = sustained::gbps(program.chip);
    for (index, core) in program.cores.iter().enumerate() {
        let groups = [0, 1].map(|engine| Groups::divide(core.queues.get(engine)));
        let mut numbers: [Vec<u32>; 3] = Default::default();
        let mut of_core: [Vec<Task>; 3] = Default::default();
        for (place, engine) in ENGINES.into_iter().enumerate() {
            let engine_id = EngineId { index: index as u32, engine };
            let queue = core.queues.get(place).map_or(&[][..], Vec::as_slice);
            let (mut own, mut own_tasks) = (Vec::new(), Vec::new());
            own.reserve_exact(queue.len());
            own_tasks.reserve_exact(queue.len());
            for queued in queue {
                let command = program.command(core, engine, queued);
                let mut number = table.number(engine, command.as_ref());
                if !has_loaded
                    && let Some(found) = table.get(number).copied()
                    && found.transfer.is_some_and(|transfer| transfer.kind.reads_ddr())
                {
                    has_loaded = true;
                    number = table.add(model.first_from_ddr(found));
                }
                own.push(number);
                let command = command.as_ref();
                let awaits = awaited(&program, place, queued, command, &groups);
                let awaits = match awaits {
                    Ok(awaits) => awaits,
                    Err((awaited, commands)) if program.is_whole => {
                        let number = queued.number;
                        return Err(Error::NoSuchCommand {
                            engine: engine_id,
                            number,
                            awaited,
                            commands,
                        });
                    }
                    Err(_) => {
                        ignored += 1;
                        None
                    }
                };
                let khz = khz(&program, engine);
                let (fixed, shared) = match table.get(number) {
                    Some(cost) => split(cost, khz),
                    None => (0, 0),
                };
                let transfer = table.get(number).and_then(|cost| cost.transfer);
                let sustained = transfer.zip(part_of_ddr);
                let sustained = sustained.map_or(0, |(of, gbps)| sustained::time(&of, gbps));
                let sync = command.map_or(Sync::None, |command| sync(&program, engine, command));
                own_tasks.push(Task {
                    fixed,
                    shared,
                    sustained,
                    group: queued.group,
                    awaits,
                    sync,
                    issued: 0,
                });
            }
            if let (Some(numbers), Some(tasks)) = (numbers.get_mut(place), of_core.get_mut(place)) {
                (*numbers, *tasks) = (own, own_tasks);
            }
        }
        issue(&core.queues, &mut of_core);
        cost.push(numbers);
        tasks.push(of_core);
    }
    let pauses = &model.pauses;
    let pause = Pause {
        tiu_after_tiu: pauses.tiu_after_tiu.value,
        tiu_after_dma: pauses.tiu_after_dma.value,
        dma_after_dma: pauses.dma_after_dma.value,
        dma_after_tiu: pauses.dma_after_tiu.value,
    };
    let sharing = model.dma.sharing_milli.value;
    let (times, released) = run_with(&tasks, pause, sharing, !program.is_whole)
        .map_err(|stuck| error_of(&program, &tasks, stuck))?;
    ignored += released;
    let costs = table.into_costs();
    Ok(Simulation { program, times, cost, costs, ignored_dependences: ignored })
}

/// Clock of an engine in kHz, at least 1.
fn khz(program: &Program<'_>, engine: Engine) -> u64 {
    (program.clocks.mhz(engine) * 1000.0).round().max(1.0) as u64
}

/// Thousandths of cycles in ps.
fn picoseconds(time: MilliCycles, khz: u64) -> Picoseconds {
    let time = i128::from(time) * 1_000_000 / i128::from(khz.max(1));
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// The parts of a command that do not depend on other transfers, and that do.
fn split(cost: &CommandCost, khz: u64) -> (Picoseconds, Picoseconds) {
    let total = picoseconds(cost.total(), khz);
    if !cost.transfer.is_some_and(|transfer| transfer.kind.has_ddr()) {
        return (total, 0);
    }
    let data = picoseconds(cost.data(), khz).clamp(0, total);
    (total - data, data)
}

/// Where each group starts in a queue.
struct Groups(Vec<(u32, usize)>, usize);

impl Groups {
    fn divide(queue: Option<&Vec<Queued>>) -> Self {
        let queue = queue.map_or(&[][..], Vec::as_slice);
        let mut starts: Vec<(u32, usize)> = Vec::new();
        for (index, queued) in queue.iter().enumerate() {
            if starts.last().is_none_or(|(group, _)| *group != queued.group) {
                starts.push((queued.group, index));
            }
        }
        Self(starts, queue.len())
    }

    /// Start and end of a group.
    fn get(&self, group: u32) -> (usize, usize) {
        let place = self.0.partition_point(|(known, _)| *known < group);
        match self.0.get(place) {
            Some((known, start)) if *known == group => {
                (*start, self.0.get(place + 1).map_or(self.1, |(_, next)| *next))
            }
            _ => (0, 0),
        }
    }
}

/// The command that a command of the TIU or GDMA waits for: its index in the other engine's queue. An error has its
/// number and the number of commands that there are.
fn awaited(
    program: &Program<'_>,
    place: usize,
    queued: &Queued,
    command: Option<&Command<'_>>,
    groups: &[Groups; 2],
) -> Result<Option<u32>, (u32, usize)> {
    let Some(command) = command.filter(|command| command.register.has(Slot::IdDep)) else {
        return Ok(None);
    };
    let Some(other) = [1, 0].get(place).and_then(|other| groups.get(*other)) else {
        return Ok(None);
    };
    let field = u32::try_from(command.get(Slot::IdDep)).unwrap_or(u32::MAX);
    let Some(number) = program.chip.awaited_command(field) else { return Ok(None) };
    let (start, end) = other.get(queued.group);
    let index = start + number as usize - 1;
    if index < end { Ok(u32::try_from(index).ok()) } else { Err((number, end - start)) }
}

fn sync(program: &Program<'_>, engine: Engine, command: &Command<'_>) -> Sync {
    match SyncMessage::decode(program.chip, engine, command) {
        None => Sync::None,
        Some(message) if message.is_wait => {
            Sync::Wait { message: message.id, needed: u32::from(message.partners).max(1) }
        }
        Some(message) => Sync::Send(message.id),
    }
}

fn error_of(program: &Program<'_>, tasks: &[[Vec<Task>; 3]], stuck: Stuck) -> Error {
    let Stuck { core, engine, index, sent } = stuck;
    let engine_id = EngineId {
        index: core as u32,
        engine: ENGINES.get(engine).copied().unwrap_or(Engine::Tiu),
    };
    let queued = |core: &ProgramCore<'_>| Some(core.queues.get(engine)?.get(index)?.number);
    let number = program.cores.get(core).and_then(queued).unwrap_or(0);
    let task = tasks.get(core).and_then(|core| core.get(engine)?.get(index));
    match task.map(|task| task.sync) {
        Some(Sync::Wait { message, needed }) if sent < needed => {
            Error::NoSends { engine: engine_id, number, message, needed, sent }
        }
        _ => Error::Cycle { engine: engine_id, number },
    }
}
