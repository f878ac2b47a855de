//! A dump as it would have been measured with the predicted times.

use bigtpu_timeline::{Cycles, Dump, EngineEvents};

use crate::run::Run;
use crate::settings::Session;

/// The dump, analyzed with the predicted start and end of each event, by track.
pub(crate) fn predicted<'d>(
    session: &Session,
    dump: &'d Dump,
    times: Vec<Vec<(i64, i64)>>,
) -> Run<'d> {
    let mut profile = session.profile(dump);
    let clocks = profile.clocks;
    // A port that nothing binds to the cores takes no part in the run, and has no predicted times.
    let placed = profile.tracks().filter(|track| track.is_placed);
    let origin = placed.flat_map(|track| &track.events.start).min().copied().unwrap_or(0);
    let cores = profile.cores.iter_mut().flat_map(|c| &mut c.tracks);
    let placed = cores.chain(&mut profile.ports).filter(|track| track.is_placed);
    for (track, times) in placed.zip(times) {
        let mhz = clocks.mhz(track.engine_id.engine);
        retime(track, origin, mhz, times);
    }
    session.analyze_profile(dump, profile)
}

fn retime(track: &mut EngineEvents<'_>, origin: i64, mhz: f64, times: Vec<(i64, i64)>) {
    let events = &mut track.events;
    let cycles = |(from, to): &(i64, i64)| ((to - from) as f64 * mhz / 1000.0).round() as i64 + 1;
    for ((start, end), (from, to)) in events.start.iter_mut().zip(&mut events.end).zip(&times) {
        (*start, *end) = (origin + from, origin + to);
    }
    let cycles: Vec<i64> = times.iter().map(cycles).collect();
    events.cycles = Cycles::count(mhz, &events.start, &events.end, &cycles);
}
