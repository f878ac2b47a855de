//! Loads of the next tile could run while this one is computed, if they had a buffer of their own.

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::{Advice, Evidence, at_least, core_place};
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
    // A bound alone, however large, is no reason to say something.
    if !at_least(found.reached_ns, LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let (used, all) = found.lane_bytes;
    let needed = found.extra_bytes;
    let fits = found.fits();
    let (results, buffers) = found.dependences;
    let launches = || Message::new("place-launches-looked-at");
    let lane = || Message::new("place-each-lane");
    let evidence = vec![
        Evidence::us("evidence-time-to-hide", gain, core_place(core)),
        Evidence::new("evidence-waits-for-result", results as f64, "", launches()),
        Evidence::new("evidence-waits-for-buffer", buffers as f64, "", launches()),
        Evidence::new("evidence-second-buffers", needed as f64, "B", lane()),
        Evidence::new("evidence-memory-highest", used as f64, "B", lane()),
        Evidence::new("evidence-local-memory", all as f64, "B", lane()),
    ];
    let most = found.most.map(|(kernel, factor)| (findings.model.kernel_name(kernel), factor));
    // Of a single kernel all of it is.
    let most = most.filter(|(kernel, _)| !kernel.is_empty() && findings.kernels.len() > 1);
    let cause = match most {
        Some((kernel, factor)) => {
            let share = Arg::Share(1.0 - factor);
            message!("advice-double-buffer-most", kernel = kernel, share = share)
        }
        None => Message::new("advice-double-buffer"),
    };
    let [needed, used, all] = [needed, used, all].map(Arg::Bytes);
    let memory = match (found.extra_bytes, fits) {
        (0, _) => Message::new("advice-double-buffer-there"),
        (_, true) => {
            message!("advice-double-buffer-fits", needed = needed, used = used, all = all)
        }
        (_, false) => {
            message!("advice-double-buffer-too-large", needed = needed, used = used, all = all)
        }
    };
    let text = LocalizedText::new(vec![cause, memory]);
    let headline = match most {
        Some((kernel, _)) => message!("headline-double-buffer-most", kernel = kernel),
        None => Message::new("headline-double-buffer"),
    };
    let advice = Advice::saving(findings, ID, gain, headline, text, evidence);
    // What smaller tiles would take is not known.
    Some(Advice { is_bound: !fits, ..advice })
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
