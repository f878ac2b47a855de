//! Devices whose calls get slower or faster.
//!
//! The slope is the median of the slopes between all pairs of calls (Theil 1950, Sen 1968), which a few odd calls do not
//! move. Whether there is one is told by the test of Mann (1945) and Kendall: of all pairs, how many more rise than fall.

use std::collections::BTreeMap;

use super::{FleetDevice, FleetDump, median};

/// Standard deviations that the test of Mann and Kendall asks for: one fleet has many devices, so one in a hundred would
/// be found somewhere by chance.
const CERTAIN: f64 = 2.58;
/// Smallest change from the first call to the last that counts, over the median.
const CHANGE: f64 = 0.03;
/// Calls from which on the test can be certain.
pub(super) const LEAST_CALLS: usize = 6;
/// Calls that are compared each with each; of more, as many that are spread over all.
const MOST_CALLS: usize = 512;

/// A device whose calls get slower or faster.
#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    /// Which.
    pub device: FleetDevice,
    /// Run, where there are several.
    pub run: Option<String>,
    /// Its calls, in order, with their ns from the first record to the last.
    pub calls: Vec<(u32, i64)>,
    /// The slope from the first call to the last, over the median: 0.1 is 10 % slower.
    pub change: f64,
    /// Its last dump, by its place in the list.
    pub last: usize,
}

/// A device in a run.
type DeviceRun<'a> = (FleetDevice, Option<&'a str>);

/// ns of each call, and its dump, by number of the call.
type Calls = BTreeMap<u32, (i64, usize)>;

/// Trends of all devices, the greatest first.
pub(super) fn trends(dumps: &[FleetDump<'_>]) -> Vec<Trend> {
    let mut of: BTreeMap<DeviceRun<'_>, Calls> = BTreeMap::new();
    for (at, dump) in dumps.iter().enumerate() {
        if let Some(call) = dump.call {
            let calls = of.entry((FleetDevice::from_dump(dump), dump.run)).or_default();
            calls.insert(call, (dump.facts.wall_ns, at));
        }
    }
    let trend = |((device, run), calls): (DeviceRun<'_>, Calls)| {
        let last = calls.values().next_back()?.1;
        let calls: Vec<(u32, i64)> = calls.into_iter().map(|(call, (ns, _))| (call, ns)).collect();
        let change = change(&calls)?;
        Some(Trend { device, run: run.map(str::to_owned), calls, change, last })
    };
    let mut trends: Vec<Trend> = of.into_iter().filter_map(trend).collect();
    trends.sort_by(|a, b| {
        b.change.abs().total_cmp(&a.change.abs()).then_with(|| a.device.cmp(&b.device))
    });
    trends
}

/// The change from the first call to the last over the median; `None` without a certain trend.
fn change(calls: &[(u32, i64)]) -> Option<f64> {
    let step = calls.len().div_ceil(MOST_CALLS).max(1);
    let calls: Vec<(f64, f64)> =
        calls.iter().step_by(step).map(|&(call, ns)| (f64::from(call), ns as f64)).collect();
    let (first, last) = (calls.first()?.0, calls.last()?.0);
    let pairs = calls
        .iter()
        .enumerate()
        .flat_map(|(at, a)| calls.iter().skip(at + 1).map(move |b| (b.1 - a.1) / (b.0 - a.0)));
    let slopes: Vec<f64> = pairs.collect();
    let sign = |slope: &f64| if *slope == 0.0 { 0.0 } else { slope.signum() };
    let score: f64 = slopes.iter().map(sign).sum();
    let n = calls.len() as f64;
    let deviation = (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt();
    let usual = median(calls.iter().map(|(_, ns)| *ns));
    let change = median(slopes) * (last - first) / usual;
    let is_certain = (score.abs() - 1.0) / deviation >= CERTAIN;
    (usual > 0.0 && is_certain && change.abs() >= CHANGE).then_some(change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_found_and_noise_is_none() {
        let noise = [3, -2, 5, -4, 1, 0, -3, 2, 4, -1];
        let calls = |slope: i64| -> Vec<(u32, i64)> {
            (0..).zip(noise).map(|(n, e)| (n, 1000 + slope * i64::from(n) + e)).collect()
        };
        assert!(change(&calls(0)).is_none());
        let found = change(&calls(20)).unwrap();
        assert!((found - 180.0 / 1090.0).abs() < 0.02, "{found}");
        assert!(change(&calls(-20)).unwrap() < -0.15);
        assert!(change(&calls(20)[..4]).is_none() && change(&[]).is_none());
    }
}
