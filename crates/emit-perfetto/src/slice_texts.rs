//! Texts of slices that differ between slices of a kind, by what they are made from: each is made and interned once.

use bigtpu_chip::Engine;
use bigtpu_replay::DependenceKind;
use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::sequence::Sequence;
use crate::spread::NARROW_BITS;

/// Interning ids of the texts of a sequence.
#[derive(Debug)]
pub(crate) struct Texts {
    /// The engine whose slices they are of.
    own: EngineId,
    /// What is before and behind the command's id in the texts of a phrase.
    phrases: HashMap<Phrase, [String; 2]>,
    all: HashMap<Key, u64>,
    /// Texts that were asked for of late, each at its place: the key as it is [`packed`], and the id, 0 where there is
    /// none.
    recent: Vec<(u64, u64)>,
}

/// What a text says, without the command's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Phrase {
    /// That the command of the core's other engine is waited for by its id.
    Awaited,
    /// Which engine kept a command waiting, and why.
    Released(EngineId, DependenceKind),
}

impl Phrase {
    /// What is before and behind the command's id, in texts of an engine's slices.
    fn words(self, own: EngineId) -> [String; 2] {
        let (EngineId { index, engine }, kind) = match self {
            Self::Awaited => {
                let other = if own.engine == Engine::Tiu { Engine::Gdma } else { Engine::Tiu };
                return [[other.name(), " #"].concat(), String::new()];
            }
            Self::Released(engine_id, kind) => (engine_id, kind),
        };
        let name = match engine {
            Engine::Cdma => format!("CDMA port{index}"),
            _ if index == own.index && own.engine != Engine::Cdma => engine.name().to_owned(),
            _ => format!("Core {index} {}", engine.name()),
        };
        [[&name, " #"].concat(), [" (", kind.name(), ")"].concat()]
    }
}

/// A phrase, and the command's id.
pub(crate) type Key = (Phrase, i64);

/// Texts that are found without a search, as a power of two.
const RECENT_BITS: u32 = 12;

/// A key as a number other than 0; `None` where its numbers are too great.
#[inline]
fn packed((phrase, command): Key) -> Option<u64> {
    let number = match phrase {
        Phrase::Awaited => 1,
        Phrase::Released(EngineId { index, engine }, kind) => {
            2 + ((u64::from(index) * 4 + engine as u64) * 16 + kind as u64)
        }
    };
    let command = command.cast_unsigned();
    ((command | number) >> 32 == 0).then_some(number << 32 | command)
}

/// Where a text is among those that were asked for of late.
#[inline]
fn place(packed: u64) -> usize {
    (packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - RECENT_BITS)) as usize
}

impl Texts {
    /// Starts without any text of an engine's slices.
    pub(crate) fn new(own: EngineId) -> Self {
        Self {
            own,
            phrases: HashMap::default(),
            all: HashMap::default(),
            recent: vec![(0, 0); 1 << RECENT_BITS],
        }
    }

    /// The id of a text that was asked for of late, if it is below 2^28.
    #[inline]
    pub(crate) fn recent(&self, key: Key) -> Option<u32> {
        let packed = packed(key)?;
        let (known, id) = *self.recent.get(place(packed))?;
        (known == packed).then_some(id as u32)
    }

    /// The id of a text, which is interned where it has none.
    #[cold]
    #[inline(never)]
    pub(crate) fn id(&mut self, sequence: &mut Sequence, key: Key) -> u64 {
        let Self { own, phrases, all, recent } = self;
        let id = *all.entry(key).or_insert_with(|| {
            let [before, after] = phrases.entry(key.0).or_insert_with(|| key.0.words(*own));
            sequence.new_value(before, key.1, after)
        });
        if let Some(packed) = packed(key).filter(|_| id >> NARROW_BITS == 0)
            && let Some(slot) = recent.get_mut(place(packed))
        {
            *slot = (packed, id);
        }
        id
    }
}
