//! How the work of a run of connected devices grows with their number, in what the budget counts.

use crate::budget::{CLUSTER_STAGES, Counted, RANKS};

/// Stages that compare each sender with each receiver, and those that they are a part of. Nothing but their times tells which threads are
/// partners, so that this grows with the square of the devices: 9 000 optimized instructions an event with 256 of them.
const COMPARES_ALL: [&str; 3] = ["pairing", "join", "all"];
/// An event of the most devices may take this many times what one of a quarter of them takes, in all other stages.
const MOST_GROWTH: f64 = 1.25;
/// Stages of a cluster whose work grows faster than the devices.
pub(crate) fn grown(counted: &Counted) -> Vec<String> {
    let [_, few, many] = RANKS.map(|ranks| format!("cluster {ranks}"));
    let linear = CLUSTER_STAGES.iter().filter(|(stage, _)| !COMPARES_ALL.contains(stage));
    let of = |dump: &String, stage| counted.get(&(dump.clone(), stage)).copied();
    let over = linear.filter_map(|(stage, _)| {
        let (few_each, each) = (of(&few, *stage)?, of(&many, *stage)?);
        let growth = each as f64 / few_each.max(1) as f64;
        println!("{many:10} {stage:14} {growth:.2} times as much an event as {few}");
        (growth > MOST_GROWTH).then(|| format!("growth of {stage} with devices"))
    });
    over.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_grows_faster_than_devices_is_told() {
        let counted = |many: u64| -> Counted {
            let of = |ranks: &str, stage, each| ((format!("cluster {ranks}"), stage), each);
            // Pairing compares all with all.
            let [few, more] = [of("64", "pairing", 1000), of("256", "pairing", 4000)];
            [of("64", "clocks", 1000), of("256", "clocks", many), few, more].into()
        };
        assert!(grown(&counted(1200)).is_empty());
        assert_eq!(grown(&counted(1300)), ["growth of clocks with devices"]);
    }
}
