//! Shapes that fill the arrays badly.

use bigtpu_chip::{Chip, Engine};
use bigtpu_replay::Relief;

use super::scaled::{scaled, tiu_tracks, without};
use super::{Advice, Evidence, at_least};
use crate::findings::Findings;
use bigtpu_measure::{Event, Group, Key, Kind, groups_of};

pub(super) const ID: &str = "unaligned-shapes";

/// Commands below this uArch rate count.
const LOW_RATE: f64 = 0.5;
/// Least loss, in percent of the TIU's time.
const LEAST_PERCENT: i64 = 2;
const SHOWN: usize = 3;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let all = groups_of(findings.model, &findings.cells, &[Key::Opcode, Key::DataType, Key::Shape]);
    let tiu: Vec<&Group> = all.iter().filter(|g| g.engine_ns[Engine::Tiu as usize] > 0).collect();
    let busy: i64 = tiu.iter().map(|g| g.total_ns).sum();
    let lost = |g: &Group| (g.total_ns as f64 * (1.0 - g.uarch_rate)) as i64;
    let mut low: Vec<&Group> =
        tiu.into_iter().filter(|g| g.uarch_ops > 0 && g.uarch_rate < LOW_RATE).collect();
    low.sort_by_key(|g| std::cmp::Reverse(lost(g)));
    let lost_ns: i64 = low.iter().map(|g| lost(g)).sum();
    if !at_least(lost_ns, LEAST_PERCENT, busy) {
        return None;
    }
    let evidence = low.iter().take(SHOWN).flat_map(|g| {
        let place = g.values.join(" ");
        let lanes = lanes(findings, g)
            .map(|(working, _)| Evidence::new("lanes that work", working, "", place.trim_end()));
        [
            Evidence::new("uArch rate", g.uarch_rate, "", place.trim_end()),
            Evidence::us("TIU time", g.total_ns, place.trim_end()),
        ]
        .into_iter()
        .chain(lanes)
    });
    let idle = low.first().and_then(|g| lanes(findings, g));
    let why = idle.map_or(String::new(), |(working, all)| {
        format!(" In the kind that loses most, {working:.0} of {all} lanes work.")
    });
    let kinds = low.len();
    let text = format!(
        "{kinds} kinds of TIU commands fill less than half of the arrays: pad or tile so that channels are a multiple of the \
         lanes and rows of the vector width.{why}"
    );
    let tracks = findings.model.tracks.iter().filter(|t| t.engine_id.engine == Engine::Tiu);
    let on_core = tracks.map(|track| {
        let events = findings.model.events(track);
        events.filter_map(|event| padding_ns(&event, findings.model.tiu_mhz)).sum::<f64>()
    });
    let gain = on_core.fold(0.0, f64::max) as i64;
    Some(Advice::saving(findings, ID, gain, text, evidence.collect()))
}

/// Lanes that work in commands of a group, on average over their rounds, and all; `None` where all work, or it is not
/// known.
fn lanes(findings: &Findings<'_, '_>, group: &Group) -> Option<(f64, u32)> {
    let [opcode, data_type, shape] = group.values.as_slice() else { return None };
    let kinds = findings.model.tracks.first()?.kinds;
    let is_of_group = |kind: &&Kind| {
        let name = format!("{} {}", kind.function_type, kind.function_name);
        kind.engine == Engine::Tiu
            && (*opcode == name || *opcode == kind.function_name)
            && kind.data_type == *data_type
            && kind.shape == *shape
    };
    let (channels, rounds) = kinds.iter().find(is_of_group)?.expected.as_ref()?.channels?;
    let all = Chip::find(&findings.hardware.chip).ok()?.array.lanes;
    let working = f64::from(channels) / f64::from(rounds.max(1));
    (channels > 0 && working < f64::from(all)).then_some((working, all))
}

/// ns that a command of a bad shape takes for padding: its time x (1 - rate), but no more than the ideal time of the
/// padding, because its start takes as long for a good shape.
fn padding_ns(event: &Event<'_>, tiu_mhz: f64) -> Option<f64> {
    let cost = &event.kind.cost;
    if !event.kind.activity.is_work() || cost.uarch_ops <= 0 {
        return None;
    }
    let rate = cost.alg_ops as f64 / cost.uarch_ops as f64;
    let of_time = event.ns() as f64 * (1.0 - rate);
    let of_cycles = cost.alg_cycles as f64 * (1.0 / rate - 1.0) * 1000.0 / tiu_mhz;
    // Without ideal cycles (BM1684X) only the rate is known.
    let is_known = cost.alg_cycles > 0 && of_cycles.is_finite();
    (rate < LOW_RATE).then(|| if is_known { of_time.min(of_cycles) } else { of_time })
}

/// Commands without the time of their padding.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let model = findings.model;
    scaled(model, tiu_tracks(model), |event| {
        Some(without(padding_ns(event, model.tiu_mhz)?, event))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::planted::Planted;

    #[test]
    fn low_rates_that_cost_time() {
        let mut planted = Planted::default();
        planted.compute(0, (0, 100), (25, 100, 25));
        planted.compute(0, (100, 200), (90, 100, 80));
        let advice = run(&planted, check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(75), Some(0.375)));
        assert_eq!(advice.evidence[0].value, 0.25);
        assert_eq!(advice.evidence[0].place, "AR arith.add INT8 25x100");
    }

    #[test]
    fn no_more_is_won_than_the_padding_takes() {
        let mut planted = Planted::default();
        // 20 cycles of work and 60 of padding; the rest is the start.
        planted.compute(0, (0, 200), (25, 100, 20));
        assert_eq!(run(&planted, check).unwrap().gain_ns, Some(60));
        planted.compute(0, (200, 250), (25, 100, 0));
        assert_eq!(run(&planted, check).unwrap().gain_ns, Some(60 + 37));
    }

    #[test]
    fn good_rates_and_unknown_work_give_no_advice() {
        let mut planted = Planted::default();
        planted.compute(0, (0, 100), (60, 100, 10));
        planted.work(0, Engine::Tiu, 100, 200);
        planted.compute(0, (200, 201), (1, 100, 1));
        assert_eq!(run(&planted, check), None);
    }
}
