//! A part of a track, decoded: what one thread does at a time.

use std::ops::Range;

use bigtpu_chip::{Chip, Command, Direction, Engine, Family, OpCode, OpTable, Pmu, SyncMessage};
use bigtpu_command_cost::{CostModel, Windows};
use bigtpu_format::Word;
use bigtpu_timeline::{Binding, EngineEvents, Monitor, Narrow, Profile};

use crate::columns::Columns;
use crate::dependence::Dependence;
use crate::intern::Keys;
use crate::kind::CommandKind;
use crate::pattern::{Pattern, Patterns, head};

/// Columns of a part of a track; kinds are numbered within the part.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) keys: Keys,
    pub(crate) columns: Columns,
}

/// Where the full bits of a track's commands are.
struct TrackBits<'t, 'd> {
    profile: &'t Profile<'d>,
    model: &'t CostModel,
    track: &'t EngineEvents<'d>,
    /// `None` of a port: its commands are in the files of several cores.
    file: Option<&'d [u8]>,
    ops: &'static OpTable,
    patterns: &'t Patterns,
}

impl<'t, 'd> TrackBits<'t, 'd> {
    /// An event's command and what of it makes its kind; `None` where its full bits are not known.
    fn full(&self, i: usize) -> Option<(Command<'d>, &'t Pattern)> {
        let Self { profile, track, .. } = *self;
        let command = match self.file {
            None => profile.command(track, i)?,
            Some(file) => {
                let at = usize::try_from(track.events.bits(i)?).ok()?;
                self.ops.command(*track.events.code.get(i)?, file.get(at..)?)?
            }
        };
        Some((command, self.patterns.get(self.model, command.code)?))
    }

    /// Shows the events of a range one after another: index, and where the full bits of its command are.
    #[inline(always)]
    fn each_row(&self, range: Range<usize>, mut show: impl FnMut(usize, Row<'d>)) {
        let events = &self.track.events;
        let file = self.file.unwrap_or_default();
        let mut places = [0; ROWS];
        for first in range.clone().step_by(ROWS) {
            let rows = first..range.end.min(first + ROWS);
            events.command.read_bits(first, &mut places);
            let codes = events.code.get(rows.clone()).unwrap_or_default();
            let bindings = events.binding.get(rows.clone()).unwrap_or_default();
            let known = places.iter().zip(codes.iter().zip(bindings));
            for (i, (place, (code, binding))) in rows.zip(known) {
                let bits = usize::try_from(*place).ok().and_then(|place| file.get(place..));
                let bits = bits.filter(|_| binding.has_bits());
                show(i, Row { code: *code, bits: bits.unwrap_or_default() });
            }
        }
    }

    /// An event's full bits if they are of the same kind as another command; `None` if that is not certain.
    #[inline(always)]
    fn like(&self, row: Row<'d>, other: &Seen<'t, 'd>) -> Option<&'d [u8]> {
        let bits = row.bits.get(..other.bits.len())?;
        let is_same = row.code == other.code
            && other.pattern.is_same(bits, other.bits)
            && (!other.pattern.asks_head || self.head(other.code, bits) == Some(other.head));
        is_same.then_some(bits)
    }

    /// Where a kind of commands like this is kept; `None` where its full bits are not known.
    fn place(&self, row: Row<'d>) -> Option<usize> {
        let pattern = self.patterns.get(self.model, row.code)?;
        let bits = row.bits.get(..pattern.register.bytes())?;
        Some(pattern.hash(bits, AllSeen::PLACE_BITS))
    }

    /// The first word of the key of a command that starts at `bits`.
    fn head(&self, code: OpCode, bits: &[u8]) -> Option<u64> {
        let command = self.ops.command(code, bits)?;
        Some(head(self.model, self.track.engine_id.engine, &command))
    }
}

/// Events whose places are read at a time.
const ROWS: usize = 128;

/// Where the full bits of an event's command are.
#[derive(Clone, Copy)]
struct Row<'d> {
    /// The command's operation; has no meaning without bits.
    code: OpCode,
    /// The core's file from the bits on; nothing where they are not known, and of ports.
    bits: &'d [u8],
}

/// A command whose full bits are known.
#[derive(Clone, Copy)]
struct Seen<'t, 'd> {
    code: OpCode,
    /// The first word of its key.
    head: u64,
    pattern: &'t Pattern,
    bits: &'d [u8],
}

/// The commands that were seen, by kind.
#[derive(Default)]
struct AllSeen<'t, 'd> {
    /// Last command of each kind whose full bits are known, by number of the kind.
    last: Vec<Option<Seen<'t, 'd>>>,
    /// Number of a kind, counted from 1, by hash of a command: kinds that come unexpectedly have mostly been there
    /// before.
    places: Vec<u32>,
}

impl<'t, 'd> AllSeen<'t, 'd> {
    const PLACE_BITS: u32 = 10;

    #[inline]
    fn last(&self, number: u32) -> Option<&Seen<'t, 'd>> {
        self.last.get(number as usize)?.as_ref()
    }

    /// A kind whose commands have this hash, and one of these.
    fn at_place(&self, place: usize) -> Option<(u32, &Seen<'t, 'd>)> {
        let number = self.places.get(place)?.checked_sub(1)?;
        Some((number, self.last(number)?))
    }

    fn add(&mut self, number: u32, place: Option<usize>, command: Seen<'t, 'd>) {
        let at = number as usize;
        if self.last.len() <= at {
            self.last.resize_with(at + 1, || None);
        }
        self.places.resize(1 << Self::PLACE_BITS, 0);
        self.last.get_mut(at).into_iter().for_each(|last| *last = Some(command));
        let place = place.and_then(|place| self.places.get_mut(place));
        place.into_iter().for_each(|place| *place = number + 1);
    }
}

/// What decoding needs besides a track.
pub(crate) struct Decoder<'p, 'd> {
    profile: &'p Profile<'d>,
    chip: &'static Chip,
    /// TIU, DMA of the cores, CDMA.
    patterns: [Patterns; 3],
    /// What commands take by their bits.
    model: CostModel,
}

impl<'p, 'd> Decoder<'p, 'd> {
    pub(crate) fn new(profile: &'p Profile<'d>) -> Self {
        let chip = profile.chip;
        let patterns = [Engine::Tiu, Engine::Gdma, Engine::Cdma].map(|e| Patterns::new(chip, e));
        Self { profile, chip, patterns, model: CostModel::compiled_in(chip) }
    }

    fn patterns(&self, engine: Engine) -> &Patterns {
        let [tiu, dma, cdma] = &self.patterns;
        match engine {
            Engine::Tiu => tiu,
            Engine::Gdma | Engine::Sdma => dma,
            Engine::Cdma => cdma,
        }
    }

    /// Decodes a part of a track.
    pub(crate) fn part(&self, track: &EngineEvents<'d>, range: Range<usize>) -> Part {
        let engine = track.engine_id.engine;
        let bits = self.bits(track);
        let n = range.len();
        let mut keys = Keys::default();
        let (mut kinds, mut dependences) = (vec![0; n], vec![Dependence::ABSENT; n]);
        let mut messages = Vec::new();
        let mut seen = AllSeen::default();
        let mut columns = kinds.iter_mut().zip(&mut dependences);
        bits.each_row(range.clone(), |i, row| {
            let Some((kind, dependence)) = columns.next() else { return };
            let likely = keys.likely().and_then(|number| {
                let last = seen.last(number)?;
                Some((number, Seen { bits: bits.like(row, last)?, ..*last }))
            });
            let (number, full) = match likely {
                Some((number, command)) => (keys.came_as_likely(number), Some(command)),
                None => self.kind_number(&bits, (i, row), &mut keys, &mut seen),
            };
            *kind = number;
            let Some(Seen { code, pattern, bits: command_bits, .. }) = full else { return };
            if let Some(raw) = pattern.dependence(command_bits) {
                *dependence = raw;
            }
            if pattern.mask.is_system
                && let Some(command) = bits.ops.command(code, command_bits)
                && let Some(message) = SyncMessage::decode(self.chip, engine, &command)
            {
                messages.push((i as u32, message));
            }
        });
        let is_full = |kind: &u32| seen.last(*kind).is_some();
        let rows = range.zip(kinds.iter().map(is_full));
        let (bytes, stalls) = self.counts(track, n, rows);
        let columns = Columns { kind: kinds, bytes, stalls, dependence: dependences, messages };
        Part { keys, columns }
    }

    /// The number of an event's kind, and its command where its full bits are known.
    #[inline(never)]
    fn kind_number<'t>(
        &self,
        bits: &TrackBits<'t, 'd>,
        (i, row): (usize, Row<'d>),
        keys: &mut Keys,
        seen: &mut AllSeen<'t, 'd>,
    ) -> (u32, Option<Seen<'t, 'd>>) {
        let known = bits.place(row);
        if let Some((number, other)) = known.and_then(|place| seen.at_place(place))
            && let Some(own) = bits.like(row, other)
        {
            return (keys.came(number), Some(Seen { bits: own, ..*other }));
        }
        let engine = bits.track.engine_id.engine;
        let Some((command, pattern)) = bits.full(i) else {
            let (binding, word) = self.word(bits.track, i);
            let head = u64::from(engine as u8) << 8 | binding as u64;
            return (keys.number(&[head, word.0.into()], i), None);
        };
        let head = head(&self.model, engine, &command);
        let number = keys.of_bits(head, &pattern.mask.words, command.bits, i);
        let command = Seen { code: command.code, head, pattern, bits: command.bits };
        seen.add(number, known, command);
        (number, Some(command))
    }

    /// The kind of an event. `windows` keeps what was counted for other kinds.
    pub(crate) fn kind(
        &self,
        track: &EngineEvents<'d>,
        i: usize,
        windows: &mut Windows,
    ) -> CommandKind {
        let engine = track.engine_id.engine;
        match self.bits(track).full(i) {
            Some((command, _)) => {
                let mut kind = CommandKind::of_command(self.chip, engine, &command);
                if kind.activity.is_work() {
                    kind.expected = Some(Box::new(self.model.cost(engine, &command, windows)));
                }
                kind
            }
            None => {
                let (binding, word) = self.word(track, i);
                CommandKind::of_word(self.chip, engine, binding, word)
            }
        }
    }

    fn bits<'t>(&'t self, track: &'t EngineEvents<'d>) -> TrackBits<'t, 'd> {
        let engine = track.engine_id.engine;
        TrackBits {
            profile: self.profile,
            model: &self.model,
            track,
            file: self.profile.command_file(track),
            ops: self.chip.ops(engine),
            patterns: self.patterns(engine),
        }
    }

    fn word(&self, track: &EngineEvents<'d>, i: usize) -> (Binding, Word) {
        let binding = track.events.binding.get(i).copied().unwrap_or(Binding::None);
        (binding, track.events.word(i).unwrap_or_default())
    }

    /// Bytes and stalls of `n` events. `rows`: their numbers, each with whether the full bits of its command are known.
    fn counts(
        &self,
        track: &EngineEvents<'d>,
        n: usize,
        rows: impl Iterator<Item = (usize, bool)>,
    ) -> (Narrow<u64, u32>, Narrow<u64, u32>) {
        let mut stalls = Narrow::default();
        if track.engine_id.engine != Engine::Tiu {
            return match &track.monitor {
                // As below, with what the records are decided once.
                Monitor::Dma(records) if self.chip.family == Family::Aks => {
                    let pmu = |record: u32| records.get(record as usize).map(Pmu::Aks);
                    transfers(track, n, rows, pmu)
                }
                monitor => transfers(track, n, rows, |record| monitor.pmu(self.chip, record)),
            };
        }
        if self.chip.counts_bank_conflicts() {
            for (i, _) in rows {
                let record = track.events.record.get(i);
                let flags = record.and_then(|r| track.monitor.tiu_flags(r)).unwrap_or(0);
                stalls.push((flags >> 1).into());
            }
        }
        (Narrow::default(), stalls)
    }
}

/// Bytes and stalls of transfers, by their records. Rows as above.
#[inline]
fn transfers<'d>(
    track: &EngineEvents<'d>,
    n: usize,
    rows: impl Iterator<Item = (usize, bool)>,
    pmu: impl Fn(u32) -> Option<Pmu<'d>>,
) -> (Narrow<u64, u32>, Narrow<u64, u32>) {
    let (mut all_bytes, mut stalls) = (Narrow::default(), Narrow::default());
    all_bytes.reserve_exact(n);
    stalls.reserve_exact(n);
    for (i, is_full) in rows {
        // Bytes and stalls of all do not depend on the direction.
        let direction = Direction::DDR_TO_DDR;
        let pmu = track.events.record.get(i).and_then(&pmu);
        let traffic = pmu.map_or_else(Default::default, |p| p.traffic(is_full, direction));
        all_bytes.push(track.simulated_bytes.get(i).copied().unwrap_or(traffic.bytes));
        stalls.push(traffic.stall_cycles);
    }
    (all_bytes, stalls)
}
