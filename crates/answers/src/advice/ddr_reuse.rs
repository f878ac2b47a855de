//! The same data read from DDR again and again.

use super::{Advice, Evidence, at_least};
use crate::findings::Findings;

pub(super) const ID: &str = "ddr-reuse";

/// Least bytes read again, in percent of all bytes loaded.
const LEAST_PERCENT: i64 = 10;
/// Least time of the repeated loads, in percent of the wall time of the active cores.
const LEAST_TIME_PERCENT: i64 = 1;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let reuse = findings.model.reuse;
    let hardware = &findings.hardware;
    let has_l2m = hardware.l2m_gbps > 0.0;
    let fits = hardware.l2m_bytes.is_none_or(|size| reuse.distinct_bytes <= size);
    let whole = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    let core_time = findings.overall.wall_ns.saturating_mul(findings.active_cores());
    let is_much = at_least(whole(reuse.again_bytes), LEAST_PERCENT, whole(reuse.bytes))
        && at_least(reuse.again_ns, LEAST_TIME_PERCENT, core_time);
    if !has_l2m || !fits || !is_much {
        return None;
    }
    let place = "loads from DDR, all cores";
    let evidence = vec![
        Evidence::new("bytes loaded", reuse.bytes as f64, "B", place),
        Evidence::new("of these loaded again", reuse.again_bytes as f64, "B", place),
        Evidence::new("places read again", reuse.places as f64, "", place),
        Evidence::new("size of the data", reuse.distinct_bytes as f64, "B", place),
        Evidence::us("time of the repeated loads", reuse.again_ns, place),
    ];
    let room = match hardware.l2m_bytes {
        Some(size) => format!("they fit into the L2M of {size} bytes"),
        None => "check that they fit into the L2M (the chip facts do not have its size; give it with --hw)".into(),
    };
    let text = format!(
        "{} bytes at {} addresses are loaded from DDR more than once: load them once into L2M; {room}.",
        reuse.distinct_bytes, reuse.places
    );
    // L2M still has to be read.
    let saved = 1.0 - (hardware.ddr_gbps / hardware.l2m_gbps).min(1.0);
    let gain = (reuse.again_ns as f64 * saved) as i64 / findings.active_cores();
    Some(Advice::saving(findings, ID, gain, text, evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::{check as run, check_on, hardware};
    use bigtpu_measure::Reuse;
    use bigtpu_measure::planted::Planted;

    fn planted(again_ns: i64) -> Planted {
        let mut planted = Planted::default();
        planted.load(0, 0, 1000, 4000);
        planted.reuse = Reuse {
            loads: 4,
            bytes: 4000,
            places: 1,
            distinct_bytes: 1000,
            again_bytes: 3000,
            again_ns,
        };
        planted
    }

    #[test]
    fn data_read_again() {
        let advice = run(&planted(600), check).unwrap();
        assert_eq!(advice.gain_ns, Some(300));
        assert_eq!(advice.evidence[1].value, 3000.0);
        assert!(advice.text.contains("--hw"), "{}", advice.text);
    }

    #[test]
    fn little_time_no_l2m_or_too_much_data_give_no_advice() {
        assert_eq!(run(&planted(9), check), None);
        let without = bigtpu_hardware::Hardware { l2m_gbps: 0.0, ..hardware() };
        assert_eq!(check_on(&planted(600), check, without), None);
        let small = bigtpu_hardware::Hardware { l2m_bytes: Some(999), ..hardware() };
        assert_eq!(check_on(&planted(600), check, small), None);
        let enough = bigtpu_hardware::Hardware { l2m_bytes: Some(1000), ..hardware() };
        assert!(check_on(&planted(600), check, enough).unwrap().text.contains("they fit"));
    }
}
