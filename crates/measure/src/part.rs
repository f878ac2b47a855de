//! A part of a track, decoded: what one thread does at a time.

use std::ops::Range;

use bigtpu_chip::{Chip, Command, Direction, Engine, Mask, Masks, Message, OpTable, Slot, TiuCost};
use bigtpu_command_cost::{Model, Windows};
use bigtpu_format::Word;
use bigtpu_timeline::{Binding, Profile, Track};

use crate::columns::Columns;
use crate::dependence::Dependence;
use crate::intern::Keys;
use crate::kind::Kind;

/// Columns of a part of a track; kinds are numbered within the part.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) keys: Keys,
    pub(crate) columns: Columns,
}

/// Where the full bits of a track's commands are.
struct TrackBits<'t, 'd> {
    profile: &'t Profile<'d>,
    track: &'t Track<'d>,
    engine: Engine,
    /// `None` of a port: its commands are in the files of several cores.
    file: Option<&'d [u8]>,
    ops: &'static OpTable,
    masks: &'t Masks,
}

impl<'t, 'd> TrackBits<'t, 'd> {
    /// An event's command and what of it makes its kind; `None` where its full bits are not known.
    #[inline]
    fn full(&self, i: usize) -> Option<(Command<'d>, &'t Mask)> {
        let Self { profile, track, engine, .. } = *self;
        let command = match self.file {
            None => profile.command(track, i)?,
            Some(file) => {
                let at = usize::try_from(track.events.bits(i)?).ok()?;
                self.ops.command(*track.events.code.get(i)?, file.get(at..)?)?
            }
        };
        Some((command, self.masks.get(profile.chip, engine, command.code)?))
    }
}

/// What decoding needs besides a track.
pub(crate) struct Decoder<'p, 'd> {
    profile: &'p Profile<'d>,
    chip: &'static Chip,
    /// TIU, DMA of the cores, CDMA.
    masks: [Masks; 3],
    /// What commands take by their bits.
    model: Model,
}

impl<'p, 'd> Decoder<'p, 'd> {
    pub(crate) fn new(profile: &'p Profile<'d>) -> Self {
        let chip = profile.chip;
        let masks = [Engine::Tiu, Engine::Gdma, Engine::Cdma].map(|e| Masks::new(chip, e));
        Self { profile, chip, masks, model: Model::of(chip) }
    }

    fn masks(&self, engine: Engine) -> &Masks {
        let [tiu, dma, cdma] = &self.masks;
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
        let mut columns = Columns { kind: Vec::with_capacity(n), ..Columns::default() };
        if engine != Engine::Tiu {
            columns.bytes.reserve_exact(n);
            columns.stalls.reserve_exact(n);
        }
        columns.dependence.reserve_exact(n);
        for i in range {
            let mut dependence = Dependence::ABSENT;
            let mut is_full = false;
            let kind = match bits.full(i) {
                Some((command, mask)) => {
                    is_full = true;
                    if mask.has_dependence {
                        dependence = command.get(Slot::IdDep) as u32;
                    }
                    if mask.is_system
                        && let Some(message) = Message::of(self.chip, engine, &command)
                    {
                        columns.messages.push((i as u32, message));
                    }
                    keys.of_bits(self.head(engine, &command), &mask.words, command.bits, i)
                }
                None => {
                    let (binding, word) = self.word(track, i);
                    let head = u64::from(engine as u8) << 8 | binding as u64;
                    keys.number(&[head, word.0.into()], i)
                }
            };
            columns.kind.push(kind);
            columns.dependence.push(dependence);
            self.counts(track, i, is_full, &mut columns);
        }
        Part { keys, columns }
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
            track,
            engine,
            file: self.profile.command_file(track),
            ops: self.chip.ops(engine),
            masks: self.masks(engine),
        }
    }

    fn word(&self, track: &Track<'d>, i: usize) -> (Binding, Word) {
        let binding = track.events.binding.get(i).copied().unwrap_or(Binding::None);
        (binding, track.events.word(i).unwrap_or_default())
    }

    /// The first word of a command's key: all that its masked bits do not show. Keys of commands that are known by
    /// their words have bit 63 clear.
    fn head(&self, engine: Engine, command: &Command<'_>) -> u64 {
        let (differs, class) = if engine == Engine::Tiu {
            let conflicts = TiuCost::bank_conflicts(self.chip, command);
            (conflicts.into(), self.model.address_class(engine, command))
        } else {
            let direction = Direction::of_command(self.chip, command);
            let Direction { from, to } = direction;
            let class = self.model.transfer_class(command, direction);
            ((from as u64) << 8 | to as u64, class)
        };
        let code = u64::from(command.code.op) << 8 | u64::from(command.code.variant);
        1 << 63 | u64::from(class) << 48 | differs << 32 | (engine as u64) << 16 | code
    }

    fn counts(&self, track: &Track<'d>, i: usize, is_full: bool, columns: &mut Columns) {
        if track.engine_id.engine != Engine::Tiu {
            // Bytes and stalls of all do not depend on the direction.
            let direction = Direction::DDR_TO_DDR;
            let pmu = self.profile.pmu(track, i);
            let traffic = pmu.map_or_else(Default::default, |p| p.traffic(is_full, direction));
            let bytes = track.simulated_bytes.get(i).copied().unwrap_or(traffic.bytes);
            columns.push_counts(bytes, traffic.stall_cycles);
        } else if self.chip.counts_bank_conflicts() {
            let record = track.events.record.get(i);
            let flags = record.and_then(|r| track.monitor.tiu_flags(r)).unwrap_or(0);
            columns.stalls.push((flags >> 1).into());
        }
    }
}
