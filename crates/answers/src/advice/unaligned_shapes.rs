//! Shapes that fill the arrays badly.

use std::collections::BTreeMap;

use bigtpu_chip::{Chip, Engine};
use bigtpu_command_cost::{Mark, OperandLayout, TimePart};
use bigtpu_replay::Relief;

use super::scaled::{scaled, time_share_without, tiu_tracks};
use super::{Advice, Evidence, at_least, unknown_shapes};
use crate::findings::Findings;
use crate::like_rows::like_rows;
use bigtpu_measure::{AlikeCommands, CommandKind, DumpModel, Key, MeasuredEvent, groups_of};
use bigtpu_messages::{Arg, LocalizedText, Message, message};

pub(super) const ID: &str = "unaligned-shapes";

/// Commands below this uArch rate count.
const LOW_RATE: f64 = 0.5;
/// Commands from this uArch rate on fill the arrays.
const GOOD_RATE: f64 = 0.95;
/// Least loss, in percent of the TIU's time.
const LEAST_PERCENT: i64 = 2;
const SHOWN: usize = 3;
/// The bits of a command explain its time if they differ by no more than this share.
const EXPLAINED: f64 = 0.1;
/// What the sum of the shares of a whole may be off by.
const ROUNDING: f64 = 1e-6;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    if unknown_shapes::is_meant(findings) {
        return unknown_shapes::check(findings);
    }
    // Where each kind fills half of the arrays, all groups do.
    let is_low = |kind: &CommandKind| kind.cost.alg_ops * 2 < kind.cost.uarch_ops;
    if !findings.cells.iter().any(|cell| is_low(cell.kind)) {
        return None;
    }
    let all = groups_of(findings.model, &findings.cells, &[Key::Opcode, Key::DataType, Key::Shape]);
    let tiu: Vec<&AlikeCommands> =
        all.iter().filter(|g| g.engine_ns[Engine::Tiu as usize] > 0).collect();
    let busy: i64 = tiu.iter().map(|g| g.total_ns).sum();
    let lost = |g: &AlikeCommands| (g.total_ns as f64 * (1.0 - g.uarch_rate)) as i64;
    let mut low: Vec<&AlikeCommands> =
        tiu.into_iter().filter(|g| g.uarch_ops > 0 && g.uarch_rate < LOW_RATE).collect();
    low.sort_by_key(|g| std::cmp::Reverse(lost(g)));
    let lost_ns: i64 = low.iter().map(|g| lost(g)).sum();
    if !at_least(lost_ns, LEAST_PERCENT, busy) {
        return None;
    }
    let evidence = low.iter().take(SHOWN).flat_map(|g| {
        let place = || Message::verbatim(g.values.join(" ").trim_end());
        let lanes = lanes(findings, g)
            .map(|(working, _)| Evidence::new("evidence-lanes", working, "", place()));
        [
            Evidence::new("evidence-uarch-rate", g.uarch_rate, "", place()),
            Evidence::us("evidence-tiu-time", g.total_ns, place()),
        ]
        .into_iter()
        .chain(lanes)
    });
    let idle = low.first().and_then(|g| lanes(findings, g));
    let mut text = vec![message!("advice-unaligned-shapes", kinds = low.len())];
    text.extend(idle.map(|(working, lanes)| {
        let lanes = Arg::Number(lanes.into());
        message!("advice-unaligned-lanes", working = Arg::Value(working, 0), lanes = lanes)
    }));
    let evidence = evidence.collect();
    let is_bound = is_bound(findings);
    let gain = lost_ns_of(findings, |event, padding| padding.lost_ns(event, is_bound));
    // Another mapping of the tensor may fit, or none.
    text.extend(is_bound.then(|| Message::new("advice-unaligned-bound")));
    let headline = Message::new("headline-unaligned-shapes");
    let advice = Advice::saving(findings, ID, gain, headline, LocalizedText::new(text), evidence);
    Some(Advice { is_bound, ..advice })
}

/// ns of the core that loses most.
fn lost_ns_of(
    findings: &Findings<'_, '_>,
    lost_ns: impl Fn(&MeasuredEvent<'_>, &Padding) -> Option<f64>,
) -> i64 {
    let padding = padding(findings);
    let on_core = tiu_tracks(findings.model).map(|track| {
        let events = findings.model.events(track);
        events.filter_map(|event| lost_ns(&event, padding)).sum::<f64>()
    });
    on_core.fold(0.0, f64::max) as i64
}

/// Whether another layout of a command's operands is known that needs no padding. Where its bits are not known it counts as so.
fn can_be_won(event: &MeasuredEvent<'_>) -> bool {
    let cost = event.kind.expected.as_ref();
    cost.is_none_or(|cost| cost.layout == Some(OperandLayout::RowsToLanes))
}

/// Whether a layout is known for less than this part of what padding takes: then all of it is a bound.
const LEAST_KNOWN: i64 = 5;

fn is_bound(findings: &Findings<'_, '_>) -> bool {
    let known = lost_ns_of(findings, |event, padding| padding.lost_ns(event, false));
    known * LEAST_KNOWN < lost_ns_of(findings, |event, padding| padding.ns(event))
}

/// Lanes that work in commands of a group, on average over their rounds, and all; `None` where all work, or it is not
/// known.
fn lanes(findings: &Findings<'_, '_>, group: &AlikeCommands) -> Option<(f64, u32)> {
    let [opcode, data_type, shape] = group.values.as_slice() else { return None };
    let kinds = findings.model.tracks.first()?.kinds;
    let is_of_group = |kind: &&CommandKind| {
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

/// What padding costs in this run: computed once, where it is needed.
fn padding<'f>(findings: &'f Findings<'_, '_>) -> &'f Padding {
    findings.padding.get_or_init(|| Padding::measure(findings.model))
}

/// What padding costs in a run.
#[derive(Debug, Clone)]
pub(crate) struct Padding {
    /// Least ns that an operation takes, by number of the kind: in those commands of the run that have the kind's
    /// operation and data type and fill the arrays. `None` where the run has no such command.
    ns_of_operation: Vec<Option<f64>>,
    /// ns that a cycle of padding takes.
    ns_of_padding: f64,
    /// ns of a cycle of the clock.
    ns_of_clock: f64,
}

/// The commands of a kind that fills the arrays.
#[derive(Debug, Clone, Copy, Default)]
struct Filled {
    commands: f64,
    ns: f64,
    /// Ideal cycles of all of them.
    cycles: f64,
}

impl Padding {
    /// A cycle takes the ns by which commands with more ideal cycles that fill the arrays take longer: the start of a
    /// command, which all have, is no part of it. Without two such kinds it takes its ideal time.
    fn measure(model: &DumpModel<'_>) -> Self {
        let kinds = model.tracks.first().map_or(&[][..], |track| track.kinds);
        let mut filled = vec![Filled::default(); kinds.len()];
        for event in tiu_tracks(model).flat_map(|track| model.events(track)) {
            let Some(rate) = rate(&event).filter(|rate| *rate >= GOOD_RATE) else { continue };
            if let Some(of) = filled.get_mut(event.kind_number()) {
                of.commands += 1.0;
                of.ns += event.ns() as f64;
                of.cycles += event.kind.cost.alg_cycles as f64 / rate;
            }
        }
        let a_command = filled.iter().filter(|of| of.cycles > 0.0);
        let a_command: Vec<(f64, f64)> =
            a_command.map(|of| (of.cycles / of.commands, of.ns / of.commands)).collect();
        let by_cycles = |a: &&(f64, f64), b: &&(f64, f64)| a.0.total_cmp(&b.0);
        let (shortest, longest) =
            (a_command.iter().min_by(by_cycles), a_command.iter().max_by(by_cycles));
        let ideal = 1000.0 / model.tiu_mhz;
        let slope = shortest.zip(longest).and_then(|(few, many)| {
            (many.0 > few.0).then(|| ((many.1 - few.1) / (many.0 - few.0)).min(many.1 / many.0))
        });
        Self {
            ns_of_operation: ns_of_operations(kinds, &filled),
            ns_of_padding: slope.unwrap_or(ideal).max(ideal),
            ns_of_clock: ideal,
        }
    }

    /// ns that a command of a bad shape takes for padding, as its bits say; where they do not explain its time, its time
    /// x (1 - rate), but no more than the padding's cycles take, because its start takes as long for a good shape.
    fn ns(&self, event: &MeasuredEvent<'_>) -> Option<f64> {
        let rate = rate(event).filter(|rate| *rate < LOW_RATE)?;
        if let Some(share) = self.share_by_bits(event) {
            return Some(event.ns() as f64 * share);
        }
        let cycles = event.kind.cost.alg_cycles;
        let of_time = event.ns() as f64 * (1.0 - rate);
        let of_cycles = cycles as f64 * (1.0 / rate - 1.0) * self.ns_of_padding;
        // Without ideal cycles (BM1684X) only the rate is known.
        let is_known = cycles > 0 && of_cycles.is_finite();
        Some(if is_known { of_time.min(of_cycles) } else { of_time })
    }

    /// ns that a command loses: what another layout of its operands wins, or, as a bound, what it takes longer than its part of a command
    /// that fills the arrays.
    fn lost_ns(&self, event: &MeasuredEvent<'_>, is_bound: bool) -> Option<f64> {
        match is_bound {
            false => self.ns(event).filter(|_| can_be_won(event)),
            true if self.share_by_bits(event).is_some() => self.ns(event),
            true => {
                let rate = rate(event).filter(|rate| *rate < LOW_RATE)?;
                let ns = event.ns() as f64;
                let filled = self.filled_ns(event).unwrap_or(ns);
                Some(ns - filled.clamp(0.0, ns * rate))
            }
        }
    }

    /// Whether nothing says what a command of a bad shape would take in a good one: its bits do not explain its time, and the run has no
    /// such command that fills the arrays.
    fn is_unexplained(&self, event: &MeasuredEvent<'_>) -> bool {
        rate(event).is_some_and(|rate| rate < LOW_RATE)
            && self.share_by_bits(event).is_none()
            && self.ns_of_operation.get(event.kind_number()).copied().flatten().is_none()
    }

    /// ns of a command's operations in commands that fill the arrays: as the run's take, else the ideal time. `None` where neither is known.
    fn filled_ns(&self, event: &MeasuredEvent<'_>) -> Option<f64> {
        let cost = &event.kind.cost;
        let measured = self.ns_of_operation.get(event.kind_number()).copied().flatten();
        let ideal = (cost.alg_cycles > 0).then_some(cost.alg_cycles as f64 * self.ns_of_clock);
        measured.map(|ns| ns * cost.alg_ops as f64).or(ideal)
    }

    /// The share of a command's time that goes to channels and positions which nothing uses, where its bits explain its
    /// time.
    fn share_by_bits(&self, event: &MeasuredEvent<'_>) -> Option<f64> {
        let cost = event.kind.expected.as_ref().filter(|cost| cost.mark <= Mark::Fitted)?;
        let explained = cost.total() as f64;
        let ratio = event.ns() as f64 * 1000.0 / (explained * self.ns_of_clock);
        let lost = cost.parts.get(TimePart::Channels) + cost.parts.get(TimePart::Positions);
        ((ratio - 1.0).abs() <= EXPLAINED).then(|| lost as f64 / explained)
    }
}

/// Returns the least ns that an operation takes, by number of the kind: in the commands that have the kind's operation
/// and data type and fill the arrays.
fn ns_of_operations(kinds: &[CommandKind], filled: &[Filled]) -> Vec<Option<f64>> {
    let mut least: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for (kind, of) in kinds.iter().zip(filled).filter(|(_, of)| of.ns > 0.0) {
        let ns = of.ns / (of.commands * kind.cost.alg_ops.max(1) as f64);
        let known = least.entry(operation(kind)).or_insert(ns);
        *known = known.min(ns);
    }
    kinds.iter().map(|kind| least.get(&operation(kind)).copied()).collect()
}

/// Operation and data type.
fn operation(kind: &CommandKind) -> (&str, &str) {
    (&kind.function_name, &kind.data_type)
}

/// How well a computing command fills the arrays.
fn rate(event: &MeasuredEvent<'_>) -> Option<f64> {
    let cost = &event.kind.cost;
    let is_known = event.kind.activity.is_work() && cost.uarch_ops > 0;
    is_known.then(|| cost.alg_ops as f64 / cost.uarch_ops as f64)
}

/// Commands without the time of their padding. As a bound, as many of a kind in a row as fit into one that fills the arrays are one
/// command, with no pause in it. Where neither bits nor commands of good shapes explain the times, the arrays' peak does not bound them
/// either: all of a row may be one command, which takes no less than one of them.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    if unknown_shapes::is_meant(findings) {
        return unknown_shapes::relief(findings);
    }
    let (model, padding) = (findings.model, padding(findings));
    if !is_bound(findings) {
        let factor = |event: &MeasuredEvent<'_>| {
            Some(time_share_without(padding.lost_ns(event, false)?, event))
        };
        return scaled(model, tiu_tracks(model), factor);
    }
    let mut relief = Relief::default();
    for track in tiu_tracks(model) {
        let may_be_one = |event: &MeasuredEvent<'_>| padding.is_unexplained(event);
        let rows = like_rows(model, track, may_be_one);
        let mut rows = rows.into_iter().peekable();
        let (mut kind, mut count) = (None, 0.0);
        for event in model.events(track) {
            while rows.next_if(|row| row.end <= event.index).is_some() {}
            if let Some(row) = rows.peek().filter(|row| row.contains(&event.index)) {
                if event.index > row.start {
                    relief.merge(track.engine_id, event.index, 0.0);
                }
                (kind, count) = (None, 0.0);
                continue;
            }
            let lost_ns = padding.lost_ns(&event, true);
            if kind != Some(event.kind_number()) {
                (kind, count) = (Some(event.kind_number()), 0.0);
            }
            let Some(factor) = lost_ns.map(|lost| time_share_without(lost, &event)) else {
                continue;
            };
            count += factor;
            // The first of those that one command replaces, whose shares are 1 in all, starts as commands do.
            if count <= factor || count > 1.0 + ROUNDING {
                relief.scale(track.engine_id, event.index, factor);
                count = factor;
            } else {
                relief.merge(track.engine_id, event.index, factor);
            }
        }
    }
    relief
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_chip::TiuCost;
    use bigtpu_command_cost::CommandCost;
    use bigtpu_measure::planted::{Planted, plain};

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
    fn a_cycle_of_padding_takes_as_long_as_a_cycle_of_work() {
        let mut planted = Planted::default();
        // 10 ns to start, 2 ns a cycle.
        planted.compute(0, (0, 110), (100, 100, 50));
        planted.compute(0, (110, 320), (200, 200, 100));
        planted.compute(0, (320, 520), (25, 100, 20));
        assert_eq!(run(&planted, check).unwrap().gain_ns, Some(120));
    }

    #[test]
    fn bits_that_explain_the_time_say_what_padding_takes() {
        let cost =
            CommandCost::new(Mark::Exact).with(TimePart::Work, 60).with(TimePart::Channels, 40);
        let of = |ns: i64| {
            let counts =
                TiuCost { alg_ops: 25, uarch_ops: 100, alg_cycles: 10, ..TiuCost::default() };
            let expected = Some(Box::new(cost));
            let mut planted = Planted::default();
            let kind = CommandKind { cost: counts, expected, ..plain(Engine::Tiu) };
            planted.add(0, kind, (0, ns), 0, 0);
            run(&planted, check).unwrap().gain_ns
        };
        assert_eq!(of(105), Some(42));
        // Twice the time that its bits explain: as a bound its operations take their ideal 10 cycles.
        assert_eq!(of(200), Some(190));
    }

    /// As a bound, operations take what they take in the run's commands of good shapes, which may do more of them than fill the arrays once.
    #[test]
    fn the_run_shows_what_operations_take_in_good_shapes() {
        let cost = CommandCost::new(Mark::NotValidated).with(TimePart::Work, 10);
        let command = |alg_ops, uarch_ops, alg_cycles| {
            let counts = TiuCost { alg_ops, uarch_ops, alg_cycles, ..TiuCost::default() };
            let shape = format!("{alg_ops}x{uarch_ops}");
            let expected = Some(Box::new(cost));
            CommandKind { cost: counts, shape, expected, ..plain(Engine::Tiu) }
        };
        let mut planted = Planted::default();
        planted.add(0, command(10, 100, 4), (0, 200), 0, 0);
        assert_eq!(run(&planted, check).unwrap().gain_ns, Some(196));
        // 200 operations, of which 100 fill the arrays once, in 180 ns: 10 take 9 ns.
        planted.add(0, command(200, 200, 80), (200, 380), 0, 0);
        assert_eq!(run(&planted, check).unwrap().gain_ns, Some(191));
    }

    /// Four of a quarter each are one command: without the three pauses between them.
    #[test]
    fn commands_that_fit_into_one_have_no_pauses() {
        let cost =
            CommandCost::new(Mark::Exact).with(TimePart::Work, 25).with(TimePart::Channels, 75);
        let counts = TiuCost { alg_ops: 25, uarch_ops: 100, alg_cycles: 25, ..TiuCost::default() };
        let kind =
            CommandKind { cost: counts, expected: Some(Box::new(cost)), ..plain(Engine::Tiu) };
        let mut planted = Planted::default();
        for n in 0..8 {
            planted.add(0, kind.clone(), (n * 110, n * 110 + 100), 0, 0);
        }
        let model = planted.model();
        let relief = relief(&Findings::of_planted(&model, crate::advice::testing::hardware()));
        let engine_id =
            model.tracks.iter().find(|t| t.engine_id.engine == Engine::Tiu).unwrap().engine_id;
        let mut expected = Relief::default();
        for n in 0..8 {
            if n % 4 == 0 {
                expected.scale(engine_id, n, 0.25);
            } else {
                expected.merge(engine_id, n, 0.25);
            }
        }
        assert_eq!(relief, expected);
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
