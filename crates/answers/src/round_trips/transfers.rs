//! The transfers of a run that read or write a memory outside the cores.

use bigtpu_chip::{Engine, Memory, Precision, Slot};
use bigtpu_measure::{
    Access, Accesses, CommandTable, Kind, LocalMemory, Model, Side, TrackCommand,
};
use bigtpu_timeline::{EngineId, Profile};

use super::area::Area;

/// A transfer from or to a memory outside the cores.
#[derive(Debug, Clone)]
pub(super) struct Transfer {
    pub(super) engine_id: EngineId,
    /// Index in its track.
    pub(super) event: usize,
    /// ns.
    pub(super) start: i64,
    /// ns.
    pub(super) end: i64,
    /// Number of its core's launch; 0 where the run has none.
    pub(super) launch: usize,
    /// Outside memory that it reads.
    pub(super) reads: Option<Area>,
    /// Whether that is DDR.
    pub(super) reads_ddr: bool,
    /// Outside memory that it writes.
    pub(super) writes: Option<Area>,
    /// Whether its areas are tensors: of others the bytes are known, but not which lane has them.
    pub(super) is_tensor: bool,
    /// Its side in local memory.
    pub(super) local: Option<Access>,
}

/// A run with more transfers is not looked at.
const MOST_TRANSFERS: usize = 50_000;
/// Tensor transfers have this type, and this sub-type where they move data as it is.
const TENSOR: (u8, u8) = (0, 0);

/// The transfers of all cores by start; none where there are too many.
pub(super) fn transfers(
    profile: &Profile<'_>,
    table: &CommandTable,
    model: &Model<'_>,
    memory: LocalMemory,
) -> Vec<Transfer> {
    let dma = |engine| matches!(engine, Engine::Gdma | Engine::Sdma);
    let tracks = || table.all_commands(profile).filter(|t| dma(t.track.engine_id.engine));
    if tracks().map(|track| track.len()).sum::<usize>() > MOST_TRANSFERS {
        return Vec::new();
    }
    let mut accesses = Accesses::new(memory);
    let mut all = Vec::new();
    for commands in tracks() {
        let launches = model.core_launches.get(commands.track.engine_id.index as usize);
        let launches = launches.map_or(&[][..], Vec::as_slice);
        for command in commands.iter().filter(|command| command.kind.activity.is_work()) {
            let launch = launches.partition_point(|launch| launch.start <= command.start());
            all.extend(Transfer::of_command(&command, launch, &mut accesses));
        }
    }
    all.sort_by_key(|transfer| (transfer.start, transfer.engine_id.engine as u8));
    all
}

/// Whether it moves a tensor as it is.
fn is_tensor(kind: &Kind) -> bool {
    (kind.task, kind.function) == TENSOR
}

/// Sizes of a side; those of the other one where it has none.
fn sizes(side: &Side, other: &Side) -> Option<[u64; 4]> {
    let known = |side: &Side| {
        let [n, c, h, w] = side.sizes;
        let sizes = [n?, c?, h?, w?];
        sizes.iter().any(|size| *size > 0).then_some(sizes)
    };
    known(side).or_else(|| known(other))
}

impl Transfer {
    /// `None` where the full bits are not known, or no side is outside.
    fn of_command(
        command: &TrackCommand<'_, '_>,
        launch: usize,
        accesses: &mut Accesses,
    ) -> Option<Self> {
        let direction = command.kind.direction()?;
        let bits = command.bits()?;
        // Some chips name local memory as the source of a constant.
        let has_rows = bits.register.has(Slot::SrcW);
        let is_fill = is_tensor(command.kind) && has_rows && bits.get(Slot::SrcW) == 0;
        let is_outside = |memory| matches!(memory, Memory::Ddr | Memory::L2m | Memory::L2);
        let is_tensor = is_tensor(command.kind);
        let moved = command.kind.moved_bytes(command.bytes());
        let element = Precision(command.kind.transfer?.data_format?).whole_bytes().into();
        let (sides, [source, destination]) = (command.sides(), command.known_addresses());
        let area = |side: &Side, other: &Side, address: Option<u64>| {
            let sizes = sizes(side, other).filter(|_| is_tensor);
            let area = sizes.and_then(|sizes| Area::of_tensor(side, sizes, address?, element));
            area.map(|area| (area, true)).or_else(|| Some((Area::of_bytes(address?, moved), false)))
        };
        let reads = if is_outside(direction.from) && !is_fill {
            Some(area(&sides.source, &sides.destination, source)?)
        } else {
            None
        };
        let writes = if is_outside(direction.to) {
            Some(area(&sides.destination, &sides.source, destination)?)
        } else {
            None
        };
        (reads.is_some() || writes.is_some()).then(|| Self {
            engine_id: command.all.track.engine_id,
            event: command.index,
            start: command.start(),
            end: command.end(),
            launch,
            is_tensor: [reads, writes].iter().flatten().all(|(_, is_tensor)| *is_tensor),
            reads: reads.map(|(area, _)| area),
            reads_ddr: direction.from == Memory::Ddr,
            writes: writes.map(|(area, _)| area),
            local: accesses.of_command(command).next().filter(|_| !is_fill),
        })
    }

    /// ns that it takes.
    pub(super) fn ns(&self) -> i64 {
        self.end - self.start
    }

    /// A load into local memory.
    pub(super) fn is_load(&self) -> bool {
        self.reads.is_some() && self.writes.is_none()
    }

    /// A store from local memory; else what writes outside is a copy or a fill.
    pub(super) fn is_store(&self) -> bool {
        self.writes.is_some() && self.reads.is_none() && self.local.is_some()
    }
}
