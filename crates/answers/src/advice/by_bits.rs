//! Time that commands lose by what their bits say: a share of each command's time.

use bigtpu_chip::Engine;
use bigtpu_command_cost::Mark;
use bigtpu_measure::{CommandKind, MeasuredEvent};

use super::at_least;
use crate::by_kind::ByKind;
use crate::findings::Findings;

/// What the commands of all cores lose.
pub(super) struct Loss<'a> {
    /// Commands that lose time.
    pub(super) commands: u64,
    /// What they lose, in ns.
    pub(super) ns: f64,
    /// What those of a core lose at most, in ns.
    pub(super) most_on_core: f64,
    /// How well the rules of these commands are known: the worst mark.
    pub(super) mark: Mark,
    /// The command that loses most, and what it loses in ns.
    pub(super) worst: Option<(f64, MeasuredEvent<'a>)>,
}

impl<'a> Loss<'a> {
    /// `None` where commands lose less than `least_percent` percent of the time of all that are looked at. `best`: the mark of the rule
    /// itself; `counts`: commands to look at; `share`: what a kind of command loses of its time.
    pub(super) fn find(
        findings: &Findings<'_, 'a>,
        least_percent: i64,
        best: Mark,
        counts: impl Fn(&CommandKind) -> bool,
        share: impl Fn(&CommandKind) -> Option<f64>,
    ) -> Option<Self> {
        let model = findings.model;
        // By kind its share; of those that are looked at.
        let shares = ByKind::compute(model, |kind| if counts(kind) { share(kind) } else { None });
        let of_kind = |kind: usize| shares.of_number(kind).copied().flatten();
        let (mut busy_ns, mut about_ns) = (0, 0.0);
        let of_cores = |engine| engine != Engine::Cdma;
        for cell in findings.cells.iter().filter(|cell| of_cores(cell.engine_id.engine)) {
            if counts(cell.kind) {
                busy_ns += cell.total_ns;
                about_ns += of_kind(cell.kind_number()).unwrap_or(0.0) * cell.total_ns as f64;
            }
        }
        // Added command by command it differs in the last digits only.
        if !at_least(about_ns as i64 + 1, least_percent, busy_ns) {
            return None;
        }
        let mut found = Self { commands: 0, ns: 0.0, most_on_core: 0.0, mark: best, worst: None };
        for core in 0..model.cores as u32 {
            let mut on_core = 0.0;
            for event in model.core(core).flat_map(|track| model.events(track)) {
                let Some(share) = of_kind(event.kind_number()) else { continue };
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
        at_least(found.ns as i64, least_percent, busy_ns).then_some(found)
    }
}
