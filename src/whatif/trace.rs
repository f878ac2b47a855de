//! `whatif.pftrace`: the measured and the predicted run side by side on one time line.

use anyhow::Result;
use bigtpu_answers::Analysis;
use bigtpu_emit::{OutDir, Quiet, Written};
use bigtpu_emit_perfetto::{Device, MergedTrace};
use bigtpu_host_trace::{HostAlign, HostTrace, ReadOptions};
use bigtpu_layers::Layers;
use bigtpu_replay::Prediction;
use bigtpu_timeline::{Dump, Options, Profile, Track};

use crate::args::whatif::Args;

const FILE: &str = "whatif.pftrace";
const TIME_LINE: &str = "Measured and predicted run start together.";

pub(super) fn write(
    args: &Args,
    dump: &Dump,
    measured: &Profile<'_>,
    analysis: &Analysis,
    prediction: &Prediction,
    out: &OutDir,
) -> Result<Written> {
    let open = |file: &std::path::PathBuf| HostTrace::open(file, &ReadOptions::default());
    let host = args.trace_file.as_ref().map(open).transpose()?;
    let start_ns = host.as_ref().map_or(0, |host| {
        HostAlign::Anchors.device_offset(host, measured.tail_offset_ns, measured.latest_end)
    });
    let layers = Layers::open(&dump.root);
    let mut trace = MergedTrace::create_named(out, FILE, TIME_LINE, false)?;
    let predicted = retimed(dump, prediction);
    let after = Analysis::of(&predicted);
    let runs = [("Measured", measured, analysis), ("Predicted", &predicted, &after)];
    for (name, profile, analysis) in runs {
        let layers = layers.as_ref();
        let scene = bigtpu_scene::measured(profile, analysis, layers);
        let device = Device { name, profile, analysis, scene: &scene, layers, start_ns };
        trace.device(device, &Quiet)?;
    }
    if let Some(host) = &host {
        trace.host(host, &Quiet)?;
    }
    Ok(trace.finish()?)
}

/// The dump with the predicted times.
pub(crate) fn retimed<'d>(dump: &'d Dump, prediction: &Prediction) -> Profile<'d> {
    let mut profile = Profile::build(dump, &Options::default());
    let clocks = profile.clocks;
    let origin = profile.tracks().flat_map(|t| &t.events.start).min().copied().unwrap_or(0);
    let cores = profile.cores.iter_mut().flat_map(|c| &mut c.tracks);
    for (number, track) in cores.chain(&mut profile.ports).enumerate() {
        let mhz = clocks.mhz(track.place.engine);
        retime(track, origin, mhz, prediction.times(number));
    }
    profile
}

fn retime(track: &mut Track<'_>, origin: i64, mhz: f64, times: impl Iterator<Item = (i64, i64)>) {
    let events = &mut track.events;
    let columns = events.start.iter_mut().zip(&mut events.end).zip(&mut events.cycles);
    for (((start, end), cycles), (from, to)) in columns.zip(times) {
        (*start, *end) = (origin + from, origin + to);
        *cycles = ((to - from) as f64 * mhz / 1000.0).round() as i64 + 1;
    }
}
