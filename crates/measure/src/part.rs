//! A part of a track, decoded: what one thread does at a time.

use std::ops::Range;

use bigtpu_chip::{Chip, Command, Direction, Engine, Family, Message, OpCode, OpTable, Pmu};
use bigtpu_command_cost::{Model, Windows};
use bigtpu_format::Word;
use bigtpu_timeline::{Binding, Monitor, Narrow, Profile, Track};

use crate::columns::Columns;
use crate::dependence::Dependence;
use crate::intern::Keys;
use crate::kind::Kind;
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
    model: &'t Model,
    track: &'t Track<'d>,
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

    /// An event's command if it is of the same kind as another command; `None` if that is not certain.
    #[inline]
    fn like(&self, i: usize, other: &Seen<'t, 'd>) -> Option<Seen<'t, 'd>> {
        let at = usize::try_from(self.track.events.bits(i)?).ok()?;
        let bits = self.file?.get(at..)?.get(..other.bits.len())?;
        let is_same = *self.track.events.code.get(i)? == other.code
            && other.pattern.is_same(bits, other.bits)
            && (!other.pattern.asks_head || self.head(other.code, bits) == Some(other.head));
        is_same.then_some(Seen { bits, ..*other })
    }

    /// The first word of the key of a command that starts at `bits`.
    fn head(&self, code: OpCode, bits: &[u8]) -> Option<u64> {
        let command = self.ops.command(code, bits)?;
        Some(head(self.model, self.track.engine_id.engine, &command))
    }
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

/// What decoding needs besides a track.
pub(crate) struct Decoder<'p, 'd> {
    profile: &'p Profile<'d>,
    chip: &'static Chip,
    /// TIU, DMA of the cores, CDMA.
    patterns: [Patterns; 3],
    /// What commands take by their bits.
    model: Model,
}

impl<'p, 'd> Decoder<'p, 'd> {
    pub(crate) fn new(profile: &'p Profile<'d>) -> Self {
        let chip = profile.chip;
        let patterns = [Engine::Tiu, Engine::Gdma, Engine::Cdma].map(|e| Patterns::new(chip, e));
        Self { profile, chip, patterns, model: Model::of(chip) }
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
    pub(crate) fn part(&self, track: &Track<'d>, range: Range<usize>) -> Part {
        let engine = track.engine_id.engine;
        let bits = self.bits(track);
        let n = range.len();
        let mut keys = Keys::default();
        let (mut kinds, mut dependences) = (vec![0; n], vec![Dependence::ABSENT; n]);
        let mut messages = Vec::new();
        // By number the last command of a kind whose full bits are known.
        let mut seen: Vec<Option<Seen<'_, 'd>>> = Vec::new();
        let rows = kinds.iter_mut().zip(&mut dependences);
        for (i, (kind, dependence)) in range.clone().zip(rows) {
            let likely = keys.likely();
            let last = likely.and_then(|number| seen.get(number as usize)?.as_ref());
            let same = likely.zip(last.and_then(|last| bits.like(i, last)));
            let (number, full) = match same {
                Some((number, command)) => (keys.came(number), Some(command)),
                None => self.kind_number(&bits, i, &mut keys, &mut seen),
            };
            *kind = number;
            let Some(Seen { code, pattern, bits: command_bits, .. }) = full else { continue };
            if let Some(raw) = pattern.dependence(command_bits) {
                *dependence = raw;
            }
            if pattern.mask.is_system
                && let Some(command) = bits.ops.command(code, command_bits)
                && let Some(message) = Message::of(self.chip, engine, &command)
            {
                messages.push((i as u32, message));
            }
        }
        let is_full = |kind: &u32| seen.get(*kind as usize).is_some_and(Option::is_some);
        let rows = range.zip(kinds.iter().map(is_full));
        let (bytes, stalls) = self.counts(track, n, rows);
        let columns = Columns { kind: kinds, bytes, stalls, dependence: dependences, messages };
        Part { keys, columns }
    }

    /// The number of an event's kind, and its command where its full bits are known.
    fn kind_number<'t>(
        &self,
        bits: &TrackBits<'t, 'd>,
        i: usize,
        keys: &mut Keys,
        seen: &mut Vec<Option<Seen<'t, 'd>>>,
    ) -> (u32, Option<Seen<'t, 'd>>) {
        let engine = bits.track.engine_id.engine;
        let Some((command, pattern)) = bits.full(i) else {
            let (binding, word) = self.word(bits.track, i);
            let head = u64::from(engine as u8) << 8 | binding as u64;
            return (keys.number(&[head, word.0.into()], i), None);
        };
        let head = head(&self.model, engine, &command);
        let number = keys.of_bits(head, &pattern.mask.words, command.bits, i);
        let place = number as usize;
        if seen.len() <= place {
            seen.resize_with(place + 1, || None);
        }
        let command = Some(Seen { code: command.code, head, pattern, bits: command.bits });
        seen.get_mut(place).into_iter().for_each(|last| *last = command);
        (number, command)
    }

    /// The kind of an event. `windows` keeps what was counted for other kinds.
    pub(crate) fn kind(&self, track: &Track<'d>, i: usize, windows: &mut Windows) -> Kind {
        let engine = track.engine_id.engine;
        match self.bits(track).full(i) {
            Some((command, _)) => {
                let mut kind = Kind::of_command(self.chip, engine, &command);
                if kind.activity.is_work() {
                    kind.expected = Some(Box::new(self.model.cost(engine, &command, windows)));
                }
                kind
            }
            None => {
                let (binding, word) = self.word(track, i);
                Kind::of_word(self.chip, engine, binding, word)
            }
        }
    }

    fn bits<'t>(&'t self, track: &'t Track<'d>) -> TrackBits<'t, 'd> {
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

    fn word(&self, track: &Track<'d>, i: usize) -> (Binding, Word) {
        let binding = track.events.binding.get(i).copied().unwrap_or(Binding::None);
        (binding, track.events.word(i).unwrap_or_default())
    }

    /// Bytes and stalls of `n` events. `rows`: their numbers, each with whether the full bits of its command are known.
    fn counts(
        &self,
        track: &Track<'d>,
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
    track: &Track<'d>,
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
