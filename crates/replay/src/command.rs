//! `cmd_id_dep`: a TIU command waits until the GDMA of its core has finished the command of that number in the present
//! id epoch, and the other way round.
//!
//! In some dumps the field means nothing. So each dependence is held against the measured times, and the whole kind
//! is left out when they contradict it.

use bigtpu_chip::Engine;
use bigtpu_measure::Dependence;

use crate::dependence::{NONE, Node};
use crate::input::{Input, TrackInput};

/// The command dependences of an engine.
#[derive(Default)]
pub(crate) struct Commands {
    /// By event the command that it waits for, or [`NONE`]. Empty if no event waits for a command.
    pub(crate) awaited: Vec<Node>,
    /// Dependences that the times allow.
    pub(crate) found: u64,
    /// Dependences that the times contradict.
    pub(crate) contradicted: u64,
    /// Dependences on commands that are not there.
    pub(crate) unresolved: u64,
    /// Smallest time in ns from the end of a command to the start of one that waits for it.
    pub(crate) least: Option<i64>,
}

/// What the number of a dependence leads to.
enum Found {
    /// A command that ended in time.
    Done(usize),
    /// A command that had not ended.
    Late,
    /// No such command.
    Nothing,
}

impl Commands {
    /// The dependences of a TIU or GDMA; none for other engines.
    pub(crate) fn of(input: &Input<'_>, track: &TrackInput<'_>) -> Self {
        let other = match track.engine_id.engine {
            Engine::Tiu => Engine::Gdma,
            Engine::Gdma => Engine::Tiu,
            Engine::Sdma | Engine::Cdma => return Self::default(),
        };
        let same_core = |t: &&TrackInput<'_>| {
            t.engine_id.index == track.engine_id.index && t.engine_id.engine == other
        };
        let mut commands = Self::default();
        if let Some(other) = input.tracks.iter().find(same_core) {
            commands.resolve(input, track, other);
        }
        commands
    }

    fn resolve(&mut self, input: &Input<'_>, track: &TrackInput<'_>, other: &TrackInput<'_>) {
        // Commands of the other engine that started by now, and where their id epoch begins.
        let (mut started, mut epoch, mut last) = (0, 0, None);
        let mut first_id = None;
        let start_of = |i: usize| if i < other.len() { other.start(i) } else { i64::MAX };
        let mut next_start = start_of(0);
        for i in 0..track.len() {
            let start = track.start(i);
            let by = start + input.tolerance;
            while next_start <= by {
                let id = other.id.get(started);
                if last.is_none() || id <= last {
                    (epoch, first_id) = (started, id);
                }
                last = id;
                started += 1;
                next_start = start_of(started);
            }
            let field = track.dependence(i).map(Dependence::field);
            let Some(number) = field.and_then(|f| input.profile.chip.awaited_command(f)) else {
                continue;
            };
            // Ids of records count from 0, those of commands from 1.
            match find(other, (epoch..started, first_id), i64::from(number) - 1, by) {
                Found::Done(at) => {
                    self.found += 1;
                    let distance = start - other.end(at);
                    self.least = Some(self.least.map_or(distance, |l| l.min(distance)));
                    if self.awaited.is_empty() {
                        self.awaited = vec![NONE; track.len()];
                    }
                    self.awaited[i] = other.node(at);
                }
                Found::Late => self.contradicted += 1,
                Found::Nothing => self.unresolved += 1,
            }
        }
    }
}

/// The command of that id among those of an epoch that have started, the first of which has `first_id`; ids rise within it.
fn find(
    other: &TrackInput<'_>,
    (epoch, first_id): (std::ops::Range<usize>, Option<i64>),
    id: i64,
    by: i64,
) -> Found {
    let ids = other.id;
    // Where no record is missing, the ids of an epoch are consecutive.
    let expected = first_id.and_then(|first| usize::try_from(id - first).ok());
    let expected = expected.and_then(|distance| distance.checked_add(epoch.start));
    let at = match expected.filter(|at| epoch.contains(at) && ids.at(*at) == id) {
        Some(at) => Ok(at),
        None => ids.search(epoch.clone(), id),
    };
    match at {
        Ok(at) if other.end(at) <= by => Found::Done(at),
        Ok(_) => Found::Late,
        // A later command of the epoch: it has not even started.
        Err(_) => {
            let last = epoch.clone().next_back().map_or(-1, |last| ids.at(last));
            let coming = (epoch.end..ids.len())
                .map(|at| ids.at(at))
                .take_while(|next| *next > last && *next <= id)
                .any(|next| next == id);
            if coming { Found::Late } else { Found::Nothing }
        }
    }
}
