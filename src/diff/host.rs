//! The host of a run, from the directories that it lies in.
//!
//! Directories above a dump are hosts (`node17/cdm_profile_data_dev0-0`) or repetitions (`3/cdm_profile_data_dev0-0`,
//! `run-3/…`). A name without letters, or of a word for a repetition and a number, is a repetition; any other is part
//! of the host's name.

use bigtpu_answers::Unit;

/// Words before the number of a repetition.
const REPETITIONS: [&str; 11] = [
    "run",
    "rep",
    "repeat",
    "repetition",
    "iter",
    "iteration",
    "sample",
    "trial",
    "try",
    "attempt",
    "pass",
];

/// The host that the directories name, outermost first; `None` if they name none.
pub(super) fn of(directories: &[String]) -> Option<String> {
    let named: Vec<&str> =
        directories.iter().map(String::as_str).filter(|name| !is_repetition(name)).collect();
    (!named.is_empty()).then(|| named.join("/"))
}

fn is_repetition(name: &str) -> bool {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = word.len() < name.len();
    let word = word.trim_end_matches(['-', '_', '.', '=']).to_ascii_lowercase();
    has_number && (!word.contains(char::is_alphabetic) || REPETITIONS.contains(&word.as_str()))
}

/// Where each side has one host, or none, hosts tell nothing apart: their names may differ from side to side.
pub(super) fn drop_single(sides: [&mut [&mut Unit]; 2]) {
    let is_single = |side: &[&mut Unit]| {
        let first = side.first().and_then(|unit| unit.host.as_ref());
        side.iter().all(|unit| unit.host.as_ref() == first)
    };
    if sides.iter().all(|side| is_single(side)) {
        sides.into_iter().flatten().for_each(|unit| unit.host = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(directories: &[&str]) -> Option<String> {
        of(&directories.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn repetitions_are_no_hosts() {
        for name in ["1", "007", "run3", "Run-3", "rep_2", "iter.4", "run=5", "2026-11-23"] {
            assert_eq!(host(&[name]), None, "{name}");
        }
        for name in ["node17", "hostA", "run", "tpu-3", "runner2"] {
            assert_eq!(host(&[name]).as_deref(), Some(name));
        }
        assert_eq!(host(&["rack1", "3", "node2"]).as_deref(), Some("rack1/node2"));
    }

    #[test]
    fn hosts_count_where_a_side_has_several() {
        let dropped = |before: &[&str], after: &[&str]| {
            let side = |hosts: &[&str]| -> Vec<Unit> {
                let unit = |host: &&str| Unit { host: Some((*host).into()), ..Unit::default() };
                hosts.iter().map(unit).collect()
            };
            let (mut before, mut after) = (side(before), side(after));
            let mut sides =
                [&mut before, &mut after].map(|side| side.iter_mut().collect::<Vec<_>>());
            let [old, new] = &mut sides;
            drop_single([old, new]);
            before.iter().chain(&after).all(|unit| unit.host.is_none())
        };
        assert!(dropped(&["results", "results"], &["new"]));
        assert!(!dropped(&["a", "b"], &["a", "b"]));
        assert!(!dropped(&["a", "b"], &["a"]), "b is missing after the change");
    }
}
