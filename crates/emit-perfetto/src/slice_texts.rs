//! Texts of slices that differ between slices of a kind, by what they are made from: each is made and interned once.

use std::hash::Hash;

use bigtpu_chip::Engine;
use bigtpu_replay::{Cause, DependenceKind};
use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::sequence::Sequence;

/// Interning ids of the texts of a sequence.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// By the awaited command.
    waits_for: Known<u32>,
    /// By engine, reason and command id.
    released_by: Known<(EngineId, DependenceKind, i64)>,
}

/// Interning ids of texts by what they are made from. Those that were asked for of late are found without a search.
#[derive(Debug)]
struct Known<K> {
    all: HashMap<K, u64>,
    /// Each at the place that its command id says.
    recent: Vec<Option<(K, u64)>>,
}

impl<K> Default for Known<K> {
    fn default() -> Self {
        Self { all: HashMap::default(), recent: Vec::new() }
    }
}

/// Texts that are found without a search; a power of two.
const RECENT: usize = 256;

impl<K: Copy + Eq + Hash> Known<K> {
    /// The id of what is made from `key`; `intern` makes it.
    #[inline]
    fn id(&mut self, key: K, command: u64, intern: impl FnOnce() -> u64) -> u64 {
        let place = command as usize % RECENT;
        match self.recent.get(place) {
            Some(Some((known, id))) if *known == key => *id,
            _ => self.search(key, place, intern),
        }
    }

    #[inline(never)]
    fn search(&mut self, key: K, place: usize, intern: impl FnOnce() -> u64) -> u64 {
        let id = *self.all.entry(key).or_insert_with(intern);
        self.recent.resize(RECENT, None);
        if let Some(recent) = self.recent.get_mut(place) {
            *recent = Some((key, id));
        }
        id
    }
}

impl Texts {
    /// The command of the core's other engine that a command of `engine` waits for by its id.
    #[inline]
    pub(crate) fn waits_for(&mut self, sequence: &mut Sequence, engine: Engine, id: u32) -> u64 {
        self.waits_for.id(id, id.into(), || {
            let other = if engine == Engine::Tiu { Engine::Gdma } else { Engine::Tiu };
            sequence.value(&format!("{} #{id}", other.name()))
        })
    }

    /// The command of another engine than `own` that kept a command waiting; `id`: its command id.
    #[inline]
    pub(crate) fn released_by(
        &mut self,
        sequence: &mut Sequence,
        own: EngineId,
        cause: Cause,
        id: i64,
    ) -> u64 {
        let Cause { engine_id, kind, .. } = cause;
        self.released_by.id((engine_id, kind, id), id.unsigned_abs(), || {
            let EngineId { index, engine } = engine_id;
            let name = match engine {
                Engine::Cdma => format!("CDMA port{index}"),
                _ if index == own.index && own.engine != Engine::Cdma => engine.name().to_owned(),
                _ => format!("Core {index} {}", engine.name()),
            };
            sequence.value(&format!("{name} #{id} ({})", kind.name()))
        })
    }
}
