//! Transfers of many short pieces.

use bigtpu_command_cost::{Mark, Part};
use bigtpu_measure::{Event, Kind};
use bigtpu_replay::Relief;

use super::{Advice, Evidence, at_least};
use crate::findings::Findings;

pub(super) const ID: &str = "short-pieces";

/// Pieces take at least this percentage of a transfer's time.
const LEAST_OF_TRANSFER: i64 = 50;
/// Least loss, in percent of all transfers' time.
const LEAST_PERCENT: i64 = 2;

/// The share of a transfer's time that its pieces take, however short they are.
fn share(kind: &Kind) -> Option<f64> {
    let cost = kind.expected.as_ref().filter(|cost| cost.transfer.is_some())?;
    let (pieces, all) = (cost.parts.get(Part::Runs), cost.total());
    (cost.mark != Mark::NotValidated && at_least(pieces, LEAST_OF_TRANSFER, all))
        .then(|| pieces as f64 / all as f64)
}

fn lost_ns(event: &Event<'_>) -> Option<f64> {
    Some(share(event.kind)? * event.ns() as f64)
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let model = findings.model;
    let (mut all_ns, mut transfers, mut mark) = (0, 0u64, Mark::Exact);
    let (mut all, mut most_on_core) = (0.0, 0.0f64);
    let mut worst: Option<(f64, Event<'_>)> = None;
    for core in 0..model.cores as u32 {
        let mut on_core = 0.0;
        for event in model.core(core).flat_map(|track| model.events(track)) {
            if event.kind.direction().is_none() {
                continue;
            }
            all_ns += event.ns();
            let Some(lost) = lost_ns(&event) else { continue };
            transfers += 1;
            on_core += lost;
            mark = mark.max(event.kind.expected.as_ref().map_or(mark, |cost| cost.mark));
            if worst.as_ref().is_none_or(|(most, _)| lost > *most) {
                worst = Some((lost, event));
            }
        }
        all += on_core;
        most_on_core = most_on_core.max(on_core);
    }
    if !at_least(all as i64, LEAST_PERCENT, all_ns) {
        return None;
    }
    let (lost, event) = worst?;
    let moved = event.kind.expected.as_ref()?.transfer?;
    let bytes = moved.bytes as f64 / moved.pieces.max(1) as f64;
    let subject = match transfers {
        1 => "1 transfer consists".to_owned(),
        _ => format!("{transfers} transfers consist"),
    };
    let text = format!(
        "{} pieces of {} bytes ({}): {:.1} us of {:.1} are per-piece time. {subject} of such pieces: choose a layout in which what is moved \
         is contiguous, or move whole rows and pick from them in local memory.",
        moved.pieces,
        bytes.round(),
        event.kind.direction().map_or("", |d| d.text()),
        lost / 1000.0,
        event.ns() as f64 / 1000.0
    );
    let evidence = vec![
        Evidence::new("transfers of short pieces", transfers as f64, "", "all cores"),
        Evidence::us("per-piece time", all as i64, "all cores"),
    ];
    let advice = Advice::saving(findings, ID, most_on_core as i64, text, evidence);
    Some(Advice { mark: Some(mark.name().to_owned()), ..advice })
}

/// Transfers without the time of their pieces.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let (model, mut relief) = (findings.model, Relief::default());
    for track in (0..model.cores as u32).flat_map(|core| model.core(core)) {
        for event in model.events(track) {
            if let Some(share) = share(event.kind) {
                relief.scale(track.engine_id, event.index, 1.0 - share);
            }
        }
    }
    relief
}
