//! Convolutions that multiply all channels with all, where those beside them work channel by channel.

use bigtpu_command_cost::{Filter, OperandLayout};
use bigtpu_measure::{CommandKind, MeasuredEvent};
use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::scaled::{time_share_without, tiu_tracks};
use super::{Advice, Evidence};
use crate::findings::Findings;

pub(super) const ID: &str = "dense-depthwise";

/// The bits of a command explain its time if they differ by no more than this share.
const EXPLAINED: f64 = 0.35;

/// Filter sizes of the run's depthwise commands.
fn depthwise_sizes(findings: &Findings<'_, '_>) -> Vec<[u32; 2]> {
    let kinds = findings.model.tracks.first().map_or(&[][..], |track| track.kinds);
    let size = |kind: &CommandKind| match kind.expected.as_ref()?.filter {
        Some(Filter::Depthwise(size)) => Some(size),
        _ => None,
    };
    kinds.iter().filter_map(size).collect()
}

/// A convolution that may be a depthwise one.
struct Found {
    event: usize,
    /// ns that it takes, and that it would save as a depthwise command.
    ns: i64,
    saved: f64,
    /// Channels, height and width of its filter.
    filter: [u32; 3],
}

/// Convolutions of as many channels as their result has, each followed by one of 1x1 that mixes the channels, in a run that has depthwise
/// commands of the same filter size: the two halves of a separable convolution.
fn find(findings: &Findings<'_, '_>) -> Vec<(u32, Vec<Found>)> {
    let sizes = depthwise_sizes(findings);
    if sizes.is_empty() {
        return Vec::new();
    }
    let model = findings.model;
    let clock = 1000.0 / model.tiu_mhz;
    let of_track = |track| {
        let mut found: Vec<Found> = Vec::new();
        let mut before: Option<Found> = None;
        for event in model.events(track) {
            let Some(cost) = event.kind.expected.as_ref() else { continue };
            let Some(Filter::Dense(filter)) = cost.filter else { continue };
            let [channels, height, width] = filter;
            let is_mixed = |one: &Found| (height, width) == (1, 1) && channels == one.filter[0];
            found.extend(before.take().filter(is_mixed));
            before = candidate(&event, clock, &sizes).filter(|one| one.filter == filter);
        }
        found
    };
    tiu_tracks(model).map(|track| (track.engine_id.index, of_track(track))).collect()
}

fn candidate(event: &MeasuredEvent<'_>, clock: f64, sizes: &[[u32; 2]]) -> Option<Found> {
    let cost = event.kind.expected.as_ref()?;
    let (Some(OperandLayout::Depthwise { cycles }), Some(Filter::Dense(filter))) =
        (cost.layout, cost.filter)
    else {
        return None;
    };
    let ns = event.ns();
    let explained = cost.total() as f64 * clock / 1000.0;
    let is_explained = ns > 0 && (ns as f64 / explained - 1.0).abs() <= EXPLAINED;
    let saved = ns as f64 * (1.0 - cycles as f64 / cost.total().max(1) as f64);
    let [_, height, width] = filter;
    (is_explained && sizes.contains(&[height, width])).then_some(Found {
        event: event.index,
        ns,
        saved,
        filter,
    })
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let found = find(findings);
    let all = || found.iter().flat_map(|(_, of_core)| of_core);
    let most = all().max_by(|a, b| a.saved.total_cmp(&b.saved))?;
    let [channels, height, width] = most.filter;
    let shape = format!("{channels}x{height}x{width}");
    let short_ns = (most.ns as f64 - most.saved) as i64;
    let count = all().count() as u64;
    let text = vec![
        message!(
            "advice-dense-depthwise",
            convolutions = count,
            shape = &*shape,
            short = Arg::TimeNs(short_ns),
            long = Arg::TimeNs(most.ns),
        ),
        Message::new("advice-dense-depthwise-bound"),
    ];
    let evidence = vec![
        Evidence::new("evidence-dense", count as f64, "", Message::verbatim("TIU")),
        Evidence::us("evidence-their-time", all().map(|one| one.ns).sum(), None),
        Evidence::us("evidence-longest-tiu", most.ns, Message::verbatim(shape.clone())),
        Evidence::us("evidence-tiu-by-rules", short_ns, Message::verbatim(shape)),
    ];
    let of_core = |(_, of_core): &(u32, Vec<Found>)| of_core.iter().map(|one| one.saved).sum();
    let gain = found.iter().map(of_core).fold(0.0, f64::max) as i64;
    let headline = message!("headline-dense-depthwise", convolutions = count);
    let advice = Advice::saving(findings, ID, gain, headline, LocalizedText::new(text), evidence);
    Some(Advice { is_bound: true, ..advice })
}

/// The convolutions as depthwise commands.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let (model, found) = (findings.model, find(findings));
    let mut relief = Relief::default();
    for (track, (_, of_core)) in tiu_tracks(model).zip(&found) {
        for one in of_core {
            if let Some(event) = model.event(track, one.event) {
                relief.scale(track.engine_id, one.event, time_share_without(one.saved, &event));
            }
        }
    }
    relief
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_chip::Engine;
    use bigtpu_command_cost::{CommandCost, Mark, TimePart};
    use bigtpu_measure::planted::{Planted, plain};

    fn command(planted: &mut Planted, start: i64, ns: u128, filter: Filter) {
        let layout = matches!(filter, Filter::Dense([24, 3, 3]))
            .then_some(OperandLayout::Depthwise { cycles: 20_000 });
        let cost = CommandCost { filter: Some(filter), layout, ..CommandCost::new(Mark::Exact) };
        let expected = Some(Box::new(cost.with(TimePart::Work, ns)));
        let kind = bigtpu_measure::CommandKind { expected, ..plain(Engine::Tiu) };
        planted.add(0, kind, (start, start + ns as i64), 0, 0);
    }

    #[test]
    fn a_dense_half_of_a_separable_convolution_in_a_run_with_depthwise_ones() {
        let all = |depthwise: [u32; 2], next: [u32; 3]| {
            let mut planted = Planted::default();
            command(&mut planted, 0, 100, Filter::Dense([24, 3, 3]));
            command(&mut planted, 100, 10, Filter::Dense(next));
            command(&mut planted, 110, 10, Filter::Depthwise(depthwise));
            run(&planted, check)
        };
        let advice = all([3, 3], [24, 1, 1]).unwrap();
        assert_eq!((advice.gain_ns, advice.is_bound), (Some(80), true));
        assert!(advice.text.text.contains("24x3x3"), "{}", advice.text.text);
        // Depthwise commands of another size, another convolution after it.
        assert_eq!(all([5, 5], [24, 1, 1]), None);
        assert_eq!(all([3, 3], [24, 3, 3]), None);
        assert_eq!(all([3, 3], [32, 1, 1]), None);
    }
}
