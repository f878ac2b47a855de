//! The profile: every core's and port's events on one time line.

use std::collections::BTreeMap;
use std::ops::Range;

use bigtpu_chip::{Chip, Command, Engine, Pmu};

use crate::clocks::Clocks;
use crate::core_engines::CORE_ENGINES;
use crate::events::Events;
use crate::ledger::{EngineId, Ledger};
use crate::monitor::{Clean, Monitor};
use crate::owner::CdmaOwner;
use crate::runtime::RuntimeEvent;
use crate::tags::Tag;

/// One engine's events.
#[derive(Debug)]
pub struct EngineEvents<'d> {
    /// Which engine of which core or port.
    pub engine_id: EngineId,
    /// The events, in the engine's order; an event's index is its global index.
    pub events: Events,
    /// The PMU records that the events come from.
    pub monitor: Monitor<'d>,
    /// Bytes that each event moves, of a simulated run; empty for measured ones, whose records count them.
    pub simulated_bytes: Vec<u64>,
    /// CDMA: the core that each event's command or tag comes from. Empty for other engines.
    pub owner: Vec<Option<CdmaOwner>>,
    /// CDMA: the core whose SDMA gave the port its time.
    pub anchor: Option<u32>,
    /// Its times are on the common time line. A CDMA port is not if neither a sync pair nor a launch binds it to a core: its
    /// times count from an origin of its own.
    pub is_placed: bool,
}

/// One core.
#[derive(Debug)]
pub struct Core<'d> {
    /// TIU, GDMA and SDMA.
    pub tracks: [EngineEvents<'d>; 3],
    /// The core's part of [`Profile::tags`]; its first is the empty tag.
    pub tags: Range<u32>,
    /// The core's file: it contains the commands' full bits. Empty for a core without a file.
    pub file: &'d [u8],
}

impl Core<'_> {
    /// A core without events.
    pub(crate) fn empty(index: u32) -> Self {
        let track = |engine| EngineEvents::new(EngineId { index, engine }, Clean::empty(engine));
        Self { tracks: CORE_ENGINES.map(track), tags: 0..0, file: &[] }
    }
}

/// An aligned dump.
#[derive(Debug)]
pub struct Profile<'d> {
    /// The chip.
    pub chip: &'static Chip,
    /// Clocks in use.
    pub clocks: Clocks,
    /// A static model was run.
    pub is_static: bool,
    /// The times are a simulation's: there are no records.
    pub is_simulated: bool,
    /// The cores, by number; idle ones, those without a file and those that are not shown are empty.
    pub cores: Vec<Core<'d>>,
    /// The cores that an option leaves out, by number: CDMA events may have their commands there.
    pub(crate) left_out: BTreeMap<u32, Core<'d>>,
    /// The CDMA ports that have a file, by port.
    pub ports: Vec<EngineEvents<'d>>,
    /// The runtime's own work around a static model, by core, engine and time.
    pub runtime: Vec<RuntimeEvent>,
    /// What commands belong to: an event's tag is an index into it. Cores in order, no tag twice in a core; the empty
    /// tag is the first of each.
    pub tags: Vec<Tag>,
    /// For each tag, whether its launch lacks commands: records were lost, or may be those of another launch.
    pub has_missing_commands: Vec<bool>,
    /// Kernel names.
    pub kernels: Vec<String>,
    /// ns; the latest end of all records, before trimming: the moment of the PMU's pause.
    pub latest_end: i64,
    /// ns of host time from the PMU's pause to the end of `disable_profile`, if the dump says.
    pub tail_offset_ns: Option<i64>,
    /// What was corrected, left out or lost.
    pub ledger: Ledger,
}

impl<'d> Profile<'d> {
    /// The cores that are shown, with their numbers.
    pub fn shown_cores(&self) -> impl Iterator<Item = (u32, &Core<'d>)> {
        (0..).zip(&self.cores).filter(|(index, _)| self.shows(*index))
    }

    /// The cores that an option leaves out.
    pub fn left_out_cores(&self) -> impl Iterator<Item = &Core<'d>> {
        self.left_out.values()
    }

    /// Whether an option leaves cores out.
    #[must_use]
    pub fn leaves_out_cores(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// Whether a core is shown: no option leaves it out.
    #[must_use]
    pub fn shows(&self, core: u32) -> bool {
        !self.left_out.contains_key(&core)
    }

    /// All tracks: cores in order, then ports.
    pub fn tracks(&self) -> impl Iterator<Item = &EngineEvents<'d>> {
        self.cores.iter().flat_map(|c| &c.tracks).chain(&self.ports)
    }

    /// Number of events.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.tracks().map(|t| t.events.len()).sum()
    }

    /// The core whose file an event's command is in.
    fn command_core(&self, track: &EngineEvents<'d>, i: usize) -> Option<&Core<'d>> {
        let index = match track.engine_id.engine {
            Engine::Cdma => (*track.owner.get(i)?)?.core as usize,
            _ => track.engine_id.index as usize,
        };
        self.left_out.get(&(index as u32)).or_else(|| self.cores.get(index))
    }

    /// The file that the full bits of a core's track are in; `None` of a port, whose commands are in the files of several cores.
    #[must_use]
    pub fn command_file(&self, track: &EngineEvents<'d>) -> Option<&'d [u8]> {
        let is_port = track.engine_id.engine == Engine::Cdma;
        if is_port { None } else { Some(self.command_core(track, 0)?.file) }
    }

    /// What an event's command belongs to.
    #[must_use]
    pub fn tag(&self, track: &EngineEvents<'d>, i: usize) -> Tag {
        let tag = track.events.tag.get(i).copied().unwrap_or(0);
        self.tags.get(tag as usize).copied().unwrap_or_default()
    }

    /// The full bits of an event's command; `None` where they are not known.
    #[must_use]
    pub fn command(&self, track: &EngineEvents<'d>, i: usize) -> Option<Command<'d>> {
        let at = usize::try_from(track.events.bits(i)?).ok()?;
        let bits = self.command_core(track, i)?.file.get(at..)?;
        self.chip.ops(track.engine_id.engine).command(*track.events.code.get(i)?, bits)
    }

    /// The full bits of a port's command that is named by its word, as captures of mode 2 have them; `None` where they
    /// are not known.
    #[must_use]
    pub fn port_command(&self, track: &EngineEvents<'d>, i: usize) -> Option<Command<'d>> {
        let at = track.events.port_bits.get(i).filter(|at| *at > 0)?;
        let bits = self.command_core(track, i)?.file.get(usize::try_from(at).ok()?..)?;
        self.chip.ops(track.engine_id.engine).command(*track.events.code.get(i)?, bits)
    }

    /// A DMA event's counters.
    #[must_use]
    #[inline]
    pub fn pmu(&self, track: &EngineEvents<'d>, i: usize) -> Option<Pmu<'d>> {
        track.monitor.pmu(self.chip, track.events.record.get(i)?)
    }

    /// Name of a tag's kernel.
    #[must_use]
    pub fn kernel(&self, tag: Tag) -> Option<&str> {
        self.kernels.get(tag.kernel? as usize).map(String::as_str)
    }
}

impl<'d> EngineEvents<'d> {
    /// `Cmd Id` of the register texts: ids of cores count from 1, those of ports from 0.
    #[must_use]
    #[inline]
    pub fn command_id(&self, i: usize) -> Option<i64> {
        Some(self.events.id.get(i)? + i64::from(self.engine_id.engine != Engine::Cdma))
    }

    pub(crate) fn new(engine_id: EngineId, clean: Clean<'d>) -> Self {
        Self {
            engine_id,
            events: clean.events.into(),
            monitor: clean.monitor,
            simulated_bytes: Vec::new(),
            owner: Vec::new(),
            anchor: None,
            is_placed: true,
        }
    }
}
