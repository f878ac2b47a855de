//! Time that commands lose by what their bits say: a share of each command's time.

use bigtpu_chip::Engine;
use bigtpu_command_cost::Mark;
use bigtpu_measure::{Event, Kind, Model};

use crate::by_kind::ByKind;

/// What the commands of all cores lose.
pub(super) struct Loss<'a> {
    /// Time of all commands that were looked at, in ns.
    pub(super) busy_ns: i64,
    /// Commands that lose time.
    pub(super) commands: u64,
    /// What they lose, in ns.
    pub(super) ns: f64,
    /// What those of a core lose at most, in ns.
    pub(super) most_on_core: f64,
    /// How well the rules of these commands are known: the worst mark.
    pub(super) mark: Mark,
    /// The command that loses most, and what it loses in ns.
    pub(super) worst: Option<(f64, Event<'a>)>,
}

impl<'a> Loss<'a> {
    /// Nothing, not even [`Loss::busy_ns`], where no kind of command loses any time. `best`: the mark of the rule itself; `counts`: commands to look at; `share`: what a kind of command loses of its
    /// time.
    pub(super) fn of(
        model: &Model<'a>,
        best: Mark,
        counts: impl Fn(&Kind) -> bool,
        share: impl Fn(&Kind) -> Option<f64>,
    ) -> Self {
        // By kind whether it counts, and its share.
        let shares = ByKind::of(model, |kind| counts(kind).then(|| share(kind)));
        let mut found =
            Self { busy_ns: 0, commands: 0, ns: 0.0, most_on_core: 0.0, mark: best, worst: None };
        let kinds = || model.tracks.first().map_or(&[][..], |track| track.kinds).iter();
        // Engines whose commands count; where none loses any time, nothing is to be told.
        if !kinds().any(|kind| counts(kind) && share(kind).is_some()) {
            return found;
        }
        let mut engines: Vec<Engine> = kinds().filter(|k| counts(k)).map(|k| k.engine).collect();
        engines.sort_unstable();
        engines.dedup();
        for core in 0..model.cores as u32 {
            let mut on_core = 0.0;
            let tracks = model.core(core).filter(|t| engines.contains(&t.engine_id.engine));
            for event in tracks.flat_map(|track| model.events(track)) {
                let Some(share) = shares.get(&event).copied().flatten() else { continue };
                found.busy_ns += event.ns();
                let Some(share) = share else { continue };
                let lost = share * event.ns() as f64;
                found.commands += 1;
                on_core += lost;
                let mark = event.kind.expected.as_ref().map_or(best, |cost| cost.mark);
                found.mark = found.mark.max(mark);
                if found.worst.as_ref().is_none_or(|(most, _)| lost > *most) {
                    found.worst = Some((lost, event));
                }
            }
            found.ns += on_core;
            found.most_on_core = found.most_on_core.max(on_core);
        }
        found
    }
}
