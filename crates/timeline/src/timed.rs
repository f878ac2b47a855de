//! A profile of commands that were given times: of a simulation, not of records.

use std::collections::BTreeMap;
use std::ops::Range;

use bigtpu_chip::{Chip, OpCode};
use bigtpu_format::Word;

use crate::binding::Binding;
use crate::clocks::Clocks;
use crate::core_engines::CORE_ENGINES;
use crate::ledger::{EngineId, Ledger};
use crate::monitor::Monitor;
use crate::note::Note;
use crate::profile::{Core, EngineEvents, Profile};
use crate::tags::Tag;
use crate::wide_events::WideEvents;

/// A command with times.
#[derive(Debug, Clone, Copy)]
pub struct TimedCommand {
    /// Where its bits start in the core's command bytes.
    pub offset: u64,
    /// Which operation it is; `None` where the bits do not decode.
    pub code: Option<OpCode>,
    /// Its id, counted from 0 in its group.
    pub id: i64,
    /// ns.
    pub start: i64,
    /// ns; its last cycle.
    pub end: i64,
    /// Cycles of its engine's clock.
    pub cycles: i64,
    /// Bytes that it moves.
    pub bytes: u64,
    /// Index into [`TimedRun::tags`].
    pub tag: u32,
}

/// The commands of a core.
#[derive(Debug)]
pub struct TimedCore<'d> {
    /// The bytes that offsets count in.
    pub file: &'d [u8],
    /// The core's part of [`TimedRun::tags`].
    pub tags: Range<u32>,
    /// Commands of TIU, GDMA and SDMA.
    pub engines: [Vec<TimedCommand>; 3],
}

/// A run of commands with times.
#[derive(Debug)]
pub struct TimedRun<'d> {
    /// The chip.
    pub chip: &'static Chip,
    /// Clocks.
    pub clocks: Clocks,
    /// A static model was run.
    pub is_static: bool,
    /// The cores, by number.
    pub cores: Vec<TimedCore<'d>>,
    /// What commands belong to.
    pub tags: Vec<Tag>,
    /// Kernel names.
    pub kernels: Vec<String>,
    /// What is wrong with the commands.
    pub notes: Vec<Note>,
}

impl<'d> Profile<'d> {
    /// The profile of a simulated run: it has no records.
    #[must_use]
    pub fn simulated(run: TimedRun<'d>) -> Self {
        let core = |(index, core): (usize, TimedCore<'d>)| {
            let index = index as u32;
            let mut engines = core.engines.into_iter();
            let tracks = CORE_ENGINES.map(|engine| {
                let commands = engines.next().unwrap_or_default();
                track(EngineId { index, engine }, run.clocks.mhz(engine), &commands)
            });
            Core { tracks, tags: core.tags, file: core.file }
        };
        let cores: Vec<Core<'d>> = run.cores.into_iter().enumerate().map(core).collect();
        let ends = cores.iter().flat_map(|core| &core.tracks).flat_map(|track| &track.events.end);
        let latest_end = ends.copied().max().unwrap_or(0);
        Self {
            chip: run.chip,
            clocks: run.clocks,
            is_static: run.is_static,
            is_simulated: true,
            cores,
            left_out: BTreeMap::new(),
            ports: Vec::new(),
            runtime: Vec::new(),
            has_missing_commands: vec![false; run.tags.len()],
            tags: run.tags,
            kernels: run.kernels,
            latest_end,
            tail_offset_ns: None,
            ledger: Ledger::of_notes(run.notes),
        }
    }
}

fn track<'d>(engine_id: EngineId, mhz: f64, commands: &[TimedCommand]) -> EngineEvents<'d> {
    let mut events = WideEvents { mhz, ..WideEvents::default() };
    for command in commands {
        events.start.push(command.start);
        events.end.push(command.end);
        events.cycles.push(command.cycles);
        events.id.push(command.id);
        events.record.push(0);
        events.word.push(Word(0));
        events.bits.push(command.offset);
        events.code.push(command.code.unwrap_or_default());
        events.tag.push(command.tag);
        let binding = if command.code.is_some() { Binding::Bits } else { Binding::BadBits };
        events.binding.push(binding);
    }
    EngineEvents {
        engine_id,
        events: events.into(),
        monitor: Monitor::empty(engine_id.engine),
        simulated_bytes: commands.iter().map(|command| command.bytes).collect(),
        owner: Vec::new(),
        anchor: None,
        is_placed: true,
    }
}
