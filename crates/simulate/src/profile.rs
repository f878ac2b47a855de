//! A simulation as a profile.

use bigtpu_messages::{Message, message};
use bigtpu_timeline::{Note, Profile, Severity, TimedCommand, TimedCore, TimedRun};

use crate::program::ENGINES;
use crate::simulation::Simulation;

impl<'d> Simulation<'d> {
    /// The profile: what all views take. It has no records, so that no measured column is filled.
    #[must_use]
    pub fn profile(&self) -> Profile<'d> {
        let program = &self.program;
        let core = |(index, core): (usize, &crate::ProgramCore<'d>)| {
            let engines = std::array::from_fn(|engine| self.commands(index, engine));
            TimedCore { file: core.file, tags: core.tags.clone(), engines }
        };
        Profile::simulated(TimedRun {
            chip: program.chip,
            clocks: program.clocks,
            is_static: program.is_static,
            cores: program.cores.iter().enumerate().map(core).collect(),
            tags: program.tags.clone(),
            kernels: program.kernels.clone(),
            notes: self.notes(),
        })
    }

    /// What is said of the run in every view: first of all that it is simulated.
    fn notes(&self) -> Vec<Note> {
        let message = match self.marks().warning() {
            Some(warning) => message!("note-simulated-unsure", warning = warning),
            None => Message::new("note-simulated"),
        };
        let note = Note::of_dump(Severity::Note, message);
        std::iter::once(note).chain(self.program.notes.iter().cloned()).collect()
    }

    fn mhz(&self, engine: usize) -> f64 {
        ENGINES.get(engine).map_or(1000.0, |engine| self.program.clocks.mhz(*engine))
    }

    /// Start and end in ns as a record has them: it names the last cycle.
    pub(crate) fn recorded(&self, engine: usize, (start, end): (i64, i64)) -> (i64, i64) {
        let cycle = (1_000_000.0 / self.mhz(engine).max(1.0)) as i64;
        (start / 1000, (end - cycle).max(start) / 1000)
    }

    fn commands(&self, core: usize, engine: usize) -> Vec<TimedCommand> {
        let queue = self.program.cores.get(core).and_then(|core| core.queues.get(engine));
        let times = self.times.get(core).and_then(|core| core.get(engine));
        let mhz = self.mhz(engine);
        let both = queue.into_iter().flatten().zip(times.into_iter().flatten()).enumerate();
        both.map(|(index, (queued, &(start, end)))| {
            let recorded = self.recorded(engine, (start, end));
            let bytes = self.cost_of(core, engine, index).and_then(|cost| cost.transfer);
            TimedCommand {
                offset: queued.offset,
                code: queued.code,
                id: i64::from(queued.number) - 1,
                start: recorded.0,
                end: recorded.1,
                cycles: ((end - start) as f64 * mhz / 1e6).round() as i64,
                bytes: bytes.map_or(0, |transfer| transfer.bytes),
                tag: queued.tag,
            }
        })
        .collect()
    }
}
