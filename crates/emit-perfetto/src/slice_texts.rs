//! Texts of slices that differ between slices of a kind, by what they are made from: each is made and interned once.

use bigtpu_chip::Engine;
use bigtpu_replay::DependenceKind;
use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::sequence::Sequence;

/// Interning ids of the texts of a sequence.
#[derive(Debug)]
pub(crate) struct Texts {
    /// The engine whose slices they are of.
    own: EngineId,
    /// What is before and behind the command's id in the texts of a phrase.
    phrases: HashMap<Phrase, [String; 2]>,
    all: HashMap<Key, u64>,
    /// Those that were asked for of late, each at its [`place`].
    recent: Box<[(Key, u64); RECENT]>,
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
                return [format!("{} #", other.name()), String::new()];
            }
            Self::Released(engine_id, kind) => (engine_id, kind),
        };
        let name = match engine {
            Engine::Cdma => format!("CDMA port{index}"),
            _ if index == own.index && own.engine != Engine::Cdma => engine.name().to_owned(),
            _ => format!("Core {index} {}", engine.name()),
        };
        [format!("{name} #"), format!(" ({})", kind.name())]
    }
}

/// A phrase, and the command's id.
pub(crate) type Key = (Phrase, i64);

/// Texts that are found without a search; a power of two.
const RECENT: usize = 1024;

/// No text has this key: ids of awaited commands are never below 0.
const NO_KEY: Key = (Phrase::Awaited, -1);

/// How far the places of two phrases are apart: a slice's texts are often of commands with the same id.
const APART: usize = 297;

/// Where a text is among those that were asked for of late.
#[inline]
fn place((phrase, command): Key) -> usize {
    let number = match phrase {
        Phrase::Awaited => 0,
        Phrase::Released(EngineId { index, engine }, kind) => {
            1 + ((index as usize * 4 + engine as usize) * 16 + kind as usize)
        }
    };
    (command as usize ^ (number * APART)) % RECENT
}

impl Texts {
    /// Of the slices of an engine.
    pub(crate) fn new(own: EngineId) -> Self {
        Self {
            own,
            phrases: HashMap::default(),
            all: HashMap::default(),
            recent: Box::new([(NO_KEY, 0); RECENT]),
        }
    }

    /// The id of a text that was asked for of late.
    #[inline]
    pub(crate) fn recent(&self, key: Key) -> Option<u64> {
        let (known, id) = self.recent[place(key)];
        (known == key).then_some(id)
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
        recent[place(key)] = (key, id);
        id
    }
}
