//! Texts of slices that differ between slices of a kind, by what they are made from: each is made and interned once.

use bigtpu_chip::Engine;
use bigtpu_replay::DependenceKind;
use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::sequence::Sequence;

/// Interning ids of the texts of a sequence.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// What is before and behind the command's id in a text.
    phrases: Vec<Phrase>,
    /// The phrase of the commands that are waited for by their ids.
    awaited: Option<u32>,
    /// The phrases of commands of other engines that were waited for of late, each at the place that engine and reason say.
    released: Vec<Option<(EngineId, DependenceKind, u32)>>,
    /// By phrase and command id.
    all: HashMap<(u32, i64), u64>,
    /// Those that were asked for of late, each at its [`place`].
    recent: Vec<((u32, i64), u64)>,
}

#[derive(Debug)]
struct Phrase {
    of: Of,
    before: String,
    after: String,
}

/// What a phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The command of the core's other engine that is waited for by its id.
    Awaited,
    /// The command of another engine that was waited for.
    Released(EngineId, DependenceKind),
}

/// Texts that are found without a search; a power of two.
const RECENT: usize = 1024;

/// Phrases that are; a power of two.
const RECENT_PHRASES: usize = 128;

/// No text is of this phrase.
const NO_PHRASE: u32 = u32::MAX;

/// Where a text is among those that were asked for of late. Phrases are apart: a slice's own texts are often of commands
/// with the same id.
#[inline]
fn place((phrase, command): (u32, i64)) -> usize {
    (command as usize ^ phrase as usize * APART) % RECENT
}

/// How far the places of two phrases are apart.
const APART: usize = 297;

impl Texts {
    /// The command of the core's other engine that a command of `engine` waits for by its id.
    #[inline]
    pub(crate) fn waits_for(&mut self, sequence: &mut Sequence, engine: Engine, id: u32) -> u64 {
        let phrase = self.awaited.unwrap_or_else(|| {
            let phrase = self.phrase(Of::Awaited, || {
                let other = if engine == Engine::Tiu { Engine::Gdma } else { Engine::Tiu };
                [format!("{} #", other.name()), String::new()]
            });
            self.awaited = Some(phrase);
            phrase
        });
        self.id(sequence, phrase, id.into())
    }

    /// The command of another engine than `own` that kept a command waiting; `id`: its command id.
    #[inline]
    pub(crate) fn released_by(
        &mut self,
        sequence: &mut Sequence,
        own: EngineId,
        engine_id: EngineId,
        kind: DependenceKind,
        id: i64,
    ) -> u64 {
        let EngineId { index, engine } = engine_id;
        let place = (index as usize * 4 + engine as usize) * 8 + kind as usize;
        let phrase = match self.released.get(place % RECENT_PHRASES) {
            Some(Some((known, reason, phrase))) if *known == engine_id && *reason == kind => {
                *phrase
            }
            _ => self.released_phrase(own, engine_id, kind, place),
        };
        self.id(sequence, phrase, id)
    }

    #[inline(never)]
    fn released_phrase(
        &mut self,
        own: EngineId,
        engine_id: EngineId,
        kind: DependenceKind,
        place: usize,
    ) -> u32 {
        let phrase = self.phrase(Of::Released(engine_id, kind), || {
            let EngineId { index, engine } = engine_id;
            let name = match engine {
                Engine::Cdma => format!("CDMA port{index}"),
                _ if index == own.index && own.engine != Engine::Cdma => engine.name().to_owned(),
                _ => format!("Core {index} {}", engine.name()),
            };
            [format!("{name} #"), format!(" ({})", kind.name())]
        });
        self.released.resize(RECENT_PHRASES, None);
        if let Some(recent) = self.released.get_mut(place % RECENT_PHRASES) {
            *recent = Some((engine_id, kind, phrase));
        }
        phrase
    }

    /// The number of a phrase; `words` are what is before and behind the id.
    #[inline(never)]
    fn phrase(&mut self, of: Of, words: impl FnOnce() -> [String; 2]) -> u32 {
        let known = self.phrases.iter().position(|phrase| phrase.of == of);
        known.unwrap_or_else(|| {
            let [before, after] = words();
            self.phrases.push(Phrase { of, before, after });
            self.phrases.len() - 1
        }) as u32
    }

    #[inline]
    fn id(&mut self, sequence: &mut Sequence, phrase: u32, command: i64) -> u64 {
        let key = (phrase, command);
        match self.recent.get(place(key)) {
            Some((known, id)) if *known == key => *id,
            _ => self.search(sequence, key),
        }
    }

    #[inline(never)]
    fn search(&mut self, sequence: &mut Sequence, key: (u32, i64)) -> u64 {
        let Self { phrases, all, recent, .. } = self;
        let id = *all.entry(key).or_insert_with(|| {
            let (phrase, command) = key;
            phrases.get(phrase as usize).map_or(0, |Phrase { before, after, .. }| {
                sequence.new_value(before, command, after)
            })
        });
        recent.resize(RECENT, ((NO_PHRASE, 0), 0));
        if let Some(recent) = recent.get_mut(place(key)) {
            *recent = (key, id);
        }
        id
    }
}
