//! `cmd_id_dep`: a TIU command waits until the GDMA of its core has finished the command of that number in the present
//! id epoch, and the other way round.
//!
//! In some dumps the field means nothing. So each dependence is held against the measured times, and the whole kind
//! is left out when they contradict it.

use bigtpu_chip::Engine;
use bigtpu_measure::Dependence;

use crate::confidence::KindUse;
use crate::dependence::DependenceKind;
use crate::edges::EdgeList;
use crate::input::{Input, TrackInput};

/// The command dependences of a dump.
pub(crate) struct Commands {
    pub(crate) edges: EdgeList,
    pub(crate) kind_use: KindUse,
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
    pub(crate) fn of(input: &Input<'_>) -> Self {
        let mut edges = EdgeList::new(DependenceKind::Command);
        let mut kind_use = KindUse::new(DependenceKind::Command);
        for track in &input.tracks {
            let other = match track.engine_id.engine {
                Engine::Tiu => Engine::Gdma,
                Engine::Gdma => Engine::Tiu,
                Engine::Sdma | Engine::Cdma => continue,
            };
            let same_core = |t: &&TrackInput<'_>| {
                t.engine_id.index == track.engine_id.index && t.engine_id.engine == other
            };
            if let Some(other) = input.tracks.iter().find(same_core) {
                resolve(input, track, other, &mut edges, &mut kind_use);
            }
        }
        if !kind_use.decide() {
            edges.clear();
        }
        Self { edges, kind_use }
    }
}

fn resolve(
    input: &Input<'_>,
    track: &TrackInput<'_>,
    other: &TrackInput<'_>,
    edges: &mut EdgeList,
    kind_use: &mut KindUse,
) {
    // Commands of the other engine that started by now, and where their id epoch begins.
    let (mut started, mut epoch) = (0, 0);
    for i in 0..track.len() {
        let start = track.start[i] + input.tolerance;
        while started < other.len() && other.start[started] <= start {
            if started > 0 && other.id[started] <= other.id[started - 1] {
                epoch = started;
            }
            started += 1;
        }
        let field = track.dependence(i).map(Dependence::field);
        let Some(awaited) = field.and_then(|f| input.profile.chip.awaited_command(f)) else {
            continue;
        };
        // Ids of records count from 0, those of commands from 1.
        match find(other, epoch..started, i64::from(awaited) - 1, start) {
            Found::Done(at) => {
                kind_use.found += 1;
                edges.push(other.node(at), track.node(i));
            }
            Found::Late => kind_use.contradicted += 1,
            Found::Nothing => kind_use.unresolved += 1,
        }
    }
}

/// The command of that id among those of an epoch that have started; ids rise within it.
fn find(other: &TrackInput<'_>, epoch: std::ops::Range<usize>, id: i64, by: i64) -> Found {
    let ids = &other.id[epoch.clone()];
    match ids.binary_search(&id) {
        Ok(at) if other.end(epoch.start + at) <= by => Found::Done(epoch.start + at),
        Ok(_) => Found::Late,
        // A later command of the epoch: it has not even started.
        Err(_) => {
            let coming = other.id[epoch.end..]
                .iter()
                .take_while(|next| **next > ids.last().copied().unwrap_or(-1) && **next <= id)
                .any(|next| *next == id);
            if coming { Found::Late } else { Found::Nothing }
        }
    }
}
