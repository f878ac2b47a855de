//! Loads of the next tile could run while this one is computed, if they had a buffer of their own.

use bigtpu_chip::Engine;
use bigtpu_replay::Relief;

use super::{Advice, Evidence, at_least};
use crate::findings::Findings;
use crate::stretch::each_work;

pub(super) const ID: &str = "double-buffer";

/// Least gain, in percent of the wall time.
const LEAST_PERCENT: i64 = 3;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let found = &findings.buffering;
    let saved_on = |core: u32| -> i64 {
        let own = found.shorter.iter().filter(|shorter| shorter.core == core);
        own.map(|own| ((own.end - own.start) as f64 * (1.0 - own.factor)) as i64).sum()
    };
    let cores = 0..findings.model.cores as u32;
    let (gain, core) = cores.map(|core| (saved_on(core), core)).rev().max()?;
    if !at_least(gain, LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let (used, all) = found.lane_bytes;
    let needed = found.extra_bytes;
    let fits = used.saturating_add(needed) <= all;
    let place = format!("core {core}");
    let (results, buffers) = found.dependences;
    let evidence = vec![
        Evidence::us("time that computation would hide", gain, &place),
        Evidence::new(
            "commands that wait for a result",
            results as f64,
            "",
            "of the launches looked at",
        ),
        Evidence::new(
            "commands that wait for a buffer only",
            buffers as f64,
            "",
            "of the launches looked at",
        ),
        Evidence::new("local memory that second buffers take", needed as f64, "B", "each lane"),
        Evidence::new("local memory in use, to the highest address", used as f64, "B", "each lane"),
        Evidence::new("local memory", all as f64, "B", "each lane"),
    ];
    let kernel = found.most.map(|(kernel, factor)| {
        let percent = (1.0 - factor) * 100.0;
        match findings.model.kernel_name(kernel) {
            "" => String::new(),
            name => format!(", most of all in {name} ({percent:.0} % of its time)"),
        }
    });
    let memory = match (needed, fits) {
        (0, _) => "The buffers are there already: only the order of the commands has to change."
            .to_owned(),
        (_, true) => format!(
            "This takes {needed} bytes more of each lane; {used} of {all} are in use: it fits."
        ),
        (_, false) => format!(
            "This takes {needed} bytes more of each lane; {used} of {all} are in use: it does not fit without smaller tiles."
        ),
    };
    let text = format!(
        "Loads wait until the tile before is computed and stored, though they need nothing of it: dispatch the loads of the next \
         tile before the stores of this one, into a second buffer{}. {memory}",
        kernel.unwrap_or_default()
    );
    Some(Advice::saving(findings, ID, gain, text, evidence))
}

/// Launches that take what they take with loads ahead.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    each_work(findings.model, &findings.buffering.shorter, |engine_id, events, stretch| {
        if matches!(engine_id.engine, Engine::Tiu | Engine::Gdma) {
            relief.divide(engine_id, events, stretch.factor);
        }
    });
    relief
}
