//! Results in the bank of local memory that their operands are in.

use bigtpu_chip::Engine;
use bigtpu_command_cost::{Mark, Part};
use bigtpu_measure::{Event, Kind};
use bigtpu_replay::Relief;

use super::{Advice, Evidence, at_least};
use crate::findings::Findings;

pub(super) const ID: &str = "in-place";

/// Least loss, in percent of the TIU's time.
const LEAST_PERCENT: i64 = 2;

/// The share of a command's time that goes to reading and writing one bank.
fn share(kind: &Kind) -> Option<f64> {
    let cost = kind.expected.as_ref().filter(|_| kind.engine == Engine::Tiu)?;
    let lost = cost.parts.get(Part::InPlace);
    (lost > 0 && cost.total() > 0).then(|| lost as f64 / cost.total() as f64)
}

fn lost_ns(event: &Event<'_>) -> Option<f64> {
    Some(share(event.kind)? * event.ns() as f64)
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let model = findings.model;
    let (mut busy, mut commands, mut mark) = (0, 0u64, Mark::Estimated);
    let (mut all, mut most_on_core) = (0.0, 0.0f64);
    let mut worst: Option<(f64, &Kind)> = None;
    for track in model.tracks.iter().filter(|t| t.engine_id.engine == Engine::Tiu) {
        let mut on_core = 0.0;
        for event in model.events(track).filter(|event| event.kind.activity.is_work()) {
            busy += event.ns();
            let Some(lost) = lost_ns(&event) else { continue };
            commands += 1;
            on_core += lost;
            mark = mark.max(event.kind.expected.as_ref().map_or(mark, |cost| cost.mark));
            if worst.is_none_or(|(most, _)| lost > most) {
                worst = Some((lost, event.kind));
            }
        }
        all += on_core;
        most_on_core = most_on_core.max(on_core);
    }
    if !at_least(all as i64, LEAST_PERCENT, busy) {
        return None;
    }
    let (_, kind) = worst?;
    let cost = kind.expected.as_ref()?;
    let cycles = |milli: i64| (milli as f64 / 1000.0).round();
    let (now, lost) = (cost.total(), cost.parts.get(Part::InPlace));
    let name = &kind.function_name;
    let subject = match commands {
        1 => "1 command reads and writes".to_owned(),
        _ => format!("{commands} commands read and write"),
    };
    let text = format!(
        "`{name}` works in place: {} cycles, with the result in another bank about {}. {subject} one bank of local \
         memory, which takes two cycles instead of one: put results into another bank.",
        cycles(now),
        cycles(now - lost)
    );
    let place = format!("{name} {}", kind.shape);
    let evidence = vec![
        Evidence::new("commands in place", commands as f64, "", "TIU, all cores"),
        Evidence::us("time that they lose", all as i64, "TIU, all cores"),
        Evidence::new("cycles of one by its bits", cycles(now), "cycles", place.trim_end()),
        Evidence::new("with the result elsewhere", cycles(now - lost), "cycles", place.trim_end()),
    ];
    let advice = Advice::saving(findings, ID, most_on_core as i64, text, evidence);
    Some(Advice { mark: Some(mark.name().to_owned()), ..advice })
}

/// Commands whose results are in another bank.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let (model, mut relief) = (findings.model, Relief::default());
    for track in model.tracks.iter().filter(|t| t.engine_id.engine == Engine::Tiu) {
        for event in model.events(track) {
            if let Some(share) = share(event.kind) {
                relief.scale(track.engine_id, event.index, 1.0 - share);
            }
        }
    }
    relief
}
