//! Convolutions of few input channels, mostly the first of a network: the matrix unit takes many input channels at once, and a kernel of
//! several rows passes once for each of its positions. With the rows as input channels it passes once for each column.

use bigtpu_command_cost::{OperandLayout, PackedConvolution};
use bigtpu_measure::MeasuredEvent;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

use super::scaled::{scaled, time_share_without, tiu_tracks};
use super::{Advice, Evidence};
use crate::findings::Findings;

pub(super) const ID: &str = "input-channels";

/// The bits of a command explain its time if they differ by no more than this share.
const EXPLAINED: f64 = 0.1;

/// A convolution that takes less with its kernel rows as input channels, and the ns that this saves.
fn packed<'e>(
    findings: &Findings<'_, '_>,
    event: &'e MeasuredEvent<'_>,
) -> Option<(&'e PackedConvolution, f64)> {
    let cost = event.kind.expected.as_ref()?;
    let Some(OperandLayout::RowsToChannels(packed)) = &cost.layout else { return None };
    let ns = event.ns() as f64;
    let clock = 1000.0 / findings.model.tiu_mhz;
    let explained = cost.total() as f64 * clock / 1000.0;
    if ns <= 0.0 || (ns / explained - 1.0).abs() > EXPLAINED {
        return None;
    }
    // The larger input is loaded before it.
    let more_ns = packed.more_bytes as f64 / findings.ddr_gbps()?;
    let then = packed.cycles as f64 * clock / 1000.0 * (ns / explained) + more_ns;
    (then < ns).then_some((packed, ns - then))
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let model = findings.model;
    let mut of_core: Vec<f64> = Vec::new();
    // The command that loses most, with its time, and what all of them take.
    let mut most: Option<(PackedConvolution, f64, i64)> = None;
    let mut count = 0;
    for track in tiu_tracks(model) {
        let mut saved = 0.0;
        for event in model.events(track) {
            let Some((packed, ns)) = packed(findings, &event) else { continue };
            saved += ns;
            count += 1;
            if most.as_ref().is_none_or(|(_, known, _)| *known < ns) {
                most = Some((*packed, ns, event.ns()));
            }
        }
        of_core.push(saved);
    }
    let (packed, saved, ns) = most?;
    let shape = |[channels, height, width]: [u32; 3]| format!("{channels}x{height}x{width}");
    let (now, then) = (shape(packed.now), shape(packed.then()));
    let short_ns = (ns as f64 - saved) as i64;
    let text = message!(
        "advice-input-channels",
        channels = u64::from(packed.now[0]),
        at_once = u64::from(packed.at_once),
        then = &*then,
        now = &*now,
        short = Arg::TimeNs(short_ns),
        long = Arg::TimeNs(ns),
    );
    let evidence = vec![
        Evidence::new("evidence-few-channels", f64::from(count), "", Message::verbatim("TIU")),
        Evidence::us("evidence-longest-tiu", ns, Message::verbatim(now)),
        Evidence::us("evidence-tiu-by-rules", short_ns, Message::verbatim(then)),
    ];
    let gain = of_core.into_iter().fold(0.0, f64::max) as i64;
    let headline = message!("headline-input-channels", channels = u64::from(packed.now[0]));
    Some(Advice::saving(findings, ID, gain, headline, text, evidence))
}

/// The convolutions in the shorter form.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let model = findings.model;
    scaled(model, tiu_tracks(model), |event| {
        let (_, saved) = packed(findings, event)?;
        Some(time_share_without(saved, event))
    })
}
