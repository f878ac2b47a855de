//! Commands in the order in which their engines take them.

use std::ops::Range;

use bigtpu_chip::{Chip, Command, Engine, OpCode};
use bigtpu_timeline::{Clocks, Note, Tag};

/// Engines of a core, in the order of [`ProgramCore::queues`].
pub(crate) const ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// A command in its engine's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queued {
    /// Where its bits start in the core's command bytes.
    pub offset: u64,
    /// Which operation it is; `None` where the bits do not decode.
    pub code: Option<OpCode>,
    /// Command group, from 0.
    pub group: u32,
    /// Number in its group, from 1: what dependences name.
    pub number: u32,
    /// Index into [`Program::tags`].
    pub tag: u32,
    /// How often the same bits were queued before: the launch.
    pub launch: u32,
    /// Whether its core issues it word by word; else it is in a stream that the engine reads.
    pub is_word: bool,
}

/// The commands of a core.
#[derive(Debug, Clone)]
pub struct ProgramCore<'d> {
    /// The bytes that offsets count in.
    pub file: &'d [u8],
    /// The core's part of [`Program::tags`].
    pub tags: Range<u32>,
    /// Commands of TIU, GDMA and SDMA.
    pub queues: [Vec<Queued>; 3],
}

impl ProgramCore<'_> {
    /// A core without commands, whose empty tag is the tag of this index.
    #[must_use]
    pub fn empty(tag: u32) -> Self {
        Self { file: &[], tags: tag..tag + 1, queues: Default::default() }
    }
}

/// Commands in the order in which their engines take them.
#[derive(Debug, Clone)]
pub struct Program<'d> {
    /// The chip.
    pub chip: &'static Chip,
    /// Clocks.
    pub clocks: Clocks,
    /// The commands are a static model's.
    pub is_static: bool,
    /// All commands are there: a dependence on one that is not is an error.
    pub is_whole: bool,
    /// The cores, by number.
    pub cores: Vec<ProgramCore<'d>>,
    /// What commands belong to.
    pub tags: Vec<Tag>,
    /// Kernel names.
    pub kernels: Vec<String>,
    /// What is wrong with the commands.
    pub notes: Vec<Note>,
}

impl<'d> Program<'d> {
    /// A static model's program of this many cores, still without commands.
    #[must_use]
    pub fn of_model(chip: &'static Chip, clocks: Clocks, cores: usize) -> Self {
        Self {
            chip,
            clocks,
            is_static: true,
            is_whole: true,
            cores: (0..cores as u32).map(ProgramCore::empty).collect(),
            tags: vec![Tag::default(); cores],
            kernels: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Appends command groups to an engine's queue. `file`: the bytes that offsets count in.
    pub fn push(
        &mut self,
        (core, engine): (u32, Engine),
        file: &'d [u8],
        groups: impl IntoIterator<Item = impl IntoIterator<Item = (u64, Option<OpCode>)>>,
        first_group: u32,
        launch: u32,
    ) {
        let Some(core_commands) = self.cores.get_mut(core as usize) else { return };
        core_commands.file = file;
        let place = ENGINES.iter().position(|known| *known == engine);
        let Some(queue) = place.and_then(|place| core_commands.queues.get_mut(place)) else {
            return;
        };
        for (group, commands) in (first_group..).zip(groups) {
            for (number, (offset, code)) in (1..).zip(commands) {
                let is_word = false;
                queue.push(Queued { offset, code, group, number, tag: core, launch, is_word });
            }
        }
    }

    /// Cores issue the commands of these groups word by word.
    pub(crate) fn issue_words(&mut self, core: u32, groups: Range<u32>) {
        let Some(core) = self.cores.get_mut(core as usize) else { return };
        for queued in core.queues.iter_mut().flatten() {
            queued.is_word |= groups.contains(&queued.group);
        }
    }

    /// Number of commands.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cores.iter().flat_map(|core| &core.queues).map(Vec::len).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A command's bits.
    #[must_use]
    pub fn command(
        &self,
        core: &ProgramCore<'d>,
        engine: Engine,
        queued: &Queued,
    ) -> Option<Command<'d>> {
        let bits = core.file.get(usize::try_from(queued.offset).ok()?..)?;
        self.chip.ops(engine).command(queued.code?, bits)
    }
}
