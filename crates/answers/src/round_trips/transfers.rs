//! The transfers of a run that read or write a memory outside the cores.

use bigtpu_chip::{Engine, Memory, Precision, Slot};
use bigtpu_measure::{
    Access, Accesses, AddressReader, Addresses, CommandKind, CommandTable, DumpModel, KernelSlice,
    LocalMemory, Side, TrackCommand, TrackCommands,
};
use bigtpu_timeline::{EngineId, Profile};

use super::area::Area;
use super::stretches::Stretches;

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
    /// It writes a constant.
    pub(super) is_fill: bool,
    /// Its side in local memory.
    pub(super) local: Option<Access>,
}

/// A run with more transfers is not looked at.
const MOST_TRANSFERS: usize = 50_000;
/// Tensor transfers have this type, and this sub-type where they move data as it is.
const TENSOR: (u8, u8) = (0, 0);

/// The transfers of all cores by start, none where there are too many; and whether a load may read what was stored, without
/// which no transfer has its side in local memory.
pub(super) fn transfers(
    profile: &Profile<'_>,
    table: &CommandTable,
    model: &DumpModel<'_>,
    memory: LocalMemory,
) -> (Vec<Transfer>, bool) {
    let dma = |engine| matches!(engine, Engine::Gdma | Engine::Sdma);
    let tracks = || table.all_commands(profile).filter(|t| dma(t.track.engine_id.engine));
    if tracks().map(|track| track.len()).sum::<usize>() > MOST_TRANSFERS {
        return (Vec::new(), false);
    }
    let mut forms = Forms::default();
    let mut all: Vec<Transfer> = Vec::new();
    for commands in tracks() {
        let launches = model.core_launches.get(commands.track.engine_id.index as usize);
        let launches = launches.map_or(&[][..], Vec::as_slice);
        let mut addresses = AddressReader::new(profile, commands.track);
        all.extend(work(commands).filter_map(|command| {
            let form = forms.of_command(&command)?;
            Some(Transfer::of_command(&command, form, addresses.get(command.index), launches))
        }));
    }
    // This is known sooner than the sides in local memory.
    let may_return = may_return(&all);
    if may_return {
        let mut accesses = Accesses::new(memory);
        let mut rest = all.iter_mut().peekable();
        for command in tracks().flat_map(work) {
            let key = (command.all.track.engine_id, command.index);
            let own = rest.next_if(|transfer| (transfer.engine_id, transfer.event) == key);
            if let Some(transfer) = own.filter(|transfer| !transfer.is_fill) {
                transfer.local = accesses.of_command(&command).next();
            }
        }
    }
    (by_start(&all), may_return)
}

/// The commands of a track that do work.
fn work<'p, 'd>(commands: TrackCommands<'p, 'd>) -> impl Iterator<Item = TrackCommand<'p, 'd>> {
    commands.iter().filter(|command| command.kind.activity.is_work())
}

/// Sorts transfers by start, then by engine; those of each engine are in order already. A transfer is large, so that each is moved once, when
/// its place is known.
fn by_start(all: &[Transfer]) -> Vec<Transfer> {
    let key = |(at, of): (usize, &Transfer)| (of.start, of.engine_id.engine as u8, at);
    let mut order: Vec<(i64, u8, usize)> = all.iter().enumerate().map(key).collect();
    order.sort();
    order.into_iter().filter_map(|(.., at)| all.get(at).cloned()).collect()
}

/// Whether any load reads what a store wrote, by the bounds of both.
fn may_return(all: &[Transfer]) -> bool {
    let stored = Stretches::written(all.iter().filter(|transfer| transfer.may_be_store()));
    let mut reads = all.iter().filter_map(|transfer| Some(transfer.reads?.bounds()));
    reads.any(|read| stored.meet(&read))
}

/// Whether it moves a tensor as it is.
fn is_tensor(kind: &CommandKind) -> bool {
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

/// A side outside of the cores, but for its address.
#[derive(Debug, Clone, Copy)]
enum Outside {
    Tensor(Area),
    /// As many bytes in a row as the transfer moves.
    Bytes,
}

impl Outside {
    fn area(self, address: u64, command: &TrackCommand<'_, '_>) -> (Area, bool) {
        match self {
            Self::Tensor(area) => (area.with_address(address), true),
            Self::Bytes => {
                let moved = command.kind.moved_bytes(command.bytes());
                (Area::of_bytes(address, moved), false)
            }
        }
    }
}

/// What the transfers of a kind have in common.
#[derive(Debug, Clone, Copy)]
struct Form {
    is_fill: bool,
    reads: Option<Outside>,
    reads_ddr: bool,
    writes: Option<Outside>,
}

impl Form {
    /// `None` where the full bits are not known, or no side is outside.
    fn of_kind(command: &TrackCommand<'_, '_>) -> Option<Self> {
        let direction = command.kind.direction()?;
        let bits = command.bits()?;
        // Some chips name local memory as the source of a constant.
        let has_rows = bits.register.has(Slot::SrcW);
        let is_tensor = is_tensor(command.kind);
        let is_fill = is_tensor && has_rows && bits.get(Slot::SrcW) == 0;
        let is_outside = |memory| matches!(memory, Memory::Ddr | Memory::L2m | Memory::L2);
        let element = Precision(command.kind.transfer?.data_format?).whole_bytes().into();
        let sides = command.sides();
        let outside = |side: &Side, other: &Side| {
            let sizes = sizes(side, other).filter(|_| is_tensor);
            let area = sizes.and_then(|sizes| Area::of_tensor(side, sizes, element));
            area.map_or(Outside::Bytes, Outside::Tensor)
        };
        let [has_source, has_destination] = Addresses::are_in(bits.register);
        // A side outside has an address.
        if is_outside(direction.from) && !is_fill && !has_source
            || is_outside(direction.to) && !has_destination
        {
            return None;
        }
        let reads = (is_outside(direction.from) && !is_fill)
            .then(|| outside(&sides.source, &sides.destination));
        let writes = is_outside(direction.to).then(|| outside(&sides.destination, &sides.source));
        (reads.is_some() || writes.is_some()).then_some(Self {
            is_fill,
            reads,
            reads_ddr: direction.from == Memory::Ddr,
            writes,
        })
    }
}

/// Forms by the number of the kind, each once one of its commands was met.
#[derive(Debug, Default)]
struct Forms(Vec<Option<Option<Form>>>);

impl Forms {
    fn of_command(&mut self, command: &TrackCommand<'_, '_>) -> Option<Form> {
        let number = command.kind_number()? as usize;
        if self.0.len() <= number {
            self.0.resize(number + 1, None);
        }
        *self.0.get_mut(number)?.get_or_insert_with(|| Form::of_kind(command))
    }
}

impl Transfer {
    /// Without its side in local memory. `launches`: of its core.
    fn of_command(
        command: &TrackCommand<'_, '_>,
        Form { is_fill, reads, reads_ddr, writes }: Form,
        Addresses { source, destination }: Addresses,
        launches: &[KernelSlice],
    ) -> Self {
        let reads = reads.map(|outside| outside.area(source, command));
        let writes = writes.map(|outside| outside.area(destination, command));
        Self {
            engine_id: command.all.track.engine_id,
            event: command.index,
            start: command.start(),
            end: command.end(),
            launch: launches.partition_point(|launch| launch.start <= command.start()),
            is_tensor: [reads, writes].iter().flatten().all(|(_, is_tensor)| *is_tensor),
            reads: reads.map(|(area, _)| area),
            reads_ddr,
            writes: writes.map(|(area, _)| area),
            is_fill,
            local: None,
        }
    }

    /// Writes outside and is no copy. Those that are no fill and have a side in local memory are stores.
    fn may_be_store(&self) -> bool {
        self.writes.is_some() && self.reads.is_none() && !self.is_fill
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
        self.may_be_store() && self.local.is_some()
    }
}
