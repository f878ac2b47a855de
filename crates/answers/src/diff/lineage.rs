//! Kernels and layers that do the same work under another name, or divided otherwise.
//!
//! Names are free: a compiler renames, splits and fuses kernels. What a kernel does is known: the commands, bytes and operations of each of its
//! engines. A kernel that is gone and one that is new are the same where all of it is known and equal; one is split into several, or several are fused
//! into one, where their operations add up. Fusing saves the bytes that were stored and loaded again between them, so there may be fewer.

use std::collections::{BTreeMap, BTreeSet};

use super::Run;

/// What a kernel does on an engine: commands, bytes, operations.
type Did = [f64; 3];
/// By engine.
type Works = BTreeMap<String, Did>;

/// Numbers this near are the same.
const SAME: f64 = 0.005;
/// Kernels that one is split into, or that are fused, at most.
const MOST_PARTS: usize = 4;
/// Kernels of which such sets are looked for, those that do most.
const MOST_CANDIDATES: usize = 16;
/// Of the bytes of several kernels, the one that they are fused into moves at least this part.
const LEAST_BYTES: f64 = 0.25;

/// How kernels of both sides belong together although their names do not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lineage {
    /// Name before, and name after.
    pub(super) renamed: Vec<(String, String)>,
    /// Names before, and names after: one of them is one.
    pub(super) divided: Vec<(Vec<String>, Vec<String>)>,
}

impl Lineage {
    pub(super) fn of(before: &[Run], after: &[Run]) -> Self {
        let (old, new) = (works(before), works(after));
        let only = |own: &BTreeMap<String, Works>, other: &BTreeMap<String, Works>| {
            let own = own.iter().filter(|(name, _)| !other.contains_key(*name));
            let mut own: Vec<(String, Works)> = own.map(|(n, w)| (n.clone(), w.clone())).collect();
            own.sort_by(|a, b| total(&b.1).total_cmp(&total(&a.1)).then_with(|| a.0.cmp(&b.0)));
            own
        };
        let (mut gone, mut fresh) = (only(&old, &new), only(&new, &old));
        let mut lineage = Self::default();
        // Of several that do the same, the one whose name is most alike.
        gone.retain(|(name, works)| {
            let alike = fresh.iter().enumerate().filter(|(_, (_, new))| is_same(works, new));
            let best =
                alike.max_by_key(|(at, (new, _))| (common_length(name, new), usize::MAX - at));
            let Some((at, _)) = best else { return true };
            let (new, _) = fresh.remove(at);
            lineage.renamed.push((name.clone(), new));
            false
        });
        lineage.find_divided(&mut gone, &mut fresh, |one, several| (vec![one], several));
        lineage.find_divided(&mut fresh, &mut gone, |one, several| (several, vec![one]));
        lineage
    }

    /// Kernels of one side that are several of the other.
    fn find_divided(
        &mut self,
        whole: &mut Vec<(String, Works)>,
        parts: &mut Vec<(String, Works)>,
        pair: impl Fn(String, Vec<String>) -> (Vec<String>, Vec<String>),
    ) {
        whole.retain(|(name, works)| {
            let Some(set) = parts_of(works, parts) else { return true };
            let names = set.iter().filter_map(|at| Some(parts.get(*at)?.0.clone()));
            let mut names: Vec<String> = names.collect();
            names.sort_unstable();
            let mut number = 0;
            parts.retain(|_| {
                number += 1;
                !set.contains(&(number - 1))
            });
            self.divided.push(pair(name.clone(), names));
            false
        });
    }

    /// The runs before with the names after, where there are any.
    pub(super) fn renamed_runs(&self, before: &[Run]) -> Option<Vec<Run>> {
        if self.renamed.is_empty() {
            return None;
        }
        let names: BTreeMap<&str, &str> =
            self.renamed.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        let mut runs = before.to_vec();
        runs.iter_mut().for_each(|run| run.report.rename(&names));
        Some(runs)
    }

    /// The name before of what has this name after.
    pub(super) fn old_name(&self, name: &str) -> Option<String> {
        let renamed = self.renamed.iter().find(|(_, new)| new == name);
        renamed.map(|(old, _)| old.clone())
    }

    /// The set that a kernel of a side belongs to, by its number.
    pub(super) fn set_of(&self, owner: &str) -> Option<usize> {
        let is_in = |names: &Vec<String>| names.iter().any(|name| name == owner);
        self.divided.iter().position(|(old, new)| is_in(old) || is_in(new))
    }
}

/// What each kernel or layer of a side does, of the first run that says it.
fn works(runs: &[Run]) -> BTreeMap<String, Works> {
    let Some(run) = runs.iter().find(|run| !run.report.work.is_empty()) else {
        return BTreeMap::new();
    };
    let mut owners: BTreeMap<String, Works> = BTreeMap::new();
    for work in run.report.work.iter().filter(|work| !work.owner().is_empty()) {
        let did = owners.entry(work.owner().to_owned()).or_default();
        let did = did.entry(work.engine.clone()).or_default();
        let own = [work.commands, work.bytes, work.ops];
        did.iter_mut().zip(own).for_each(|(sum, own)| *sum += own.unwrap_or(0.0));
    }
    // A kernel that does nothing is like any other that does nothing.
    owners.retain(|_, works| total(works) > 0.0);
    owners
}

/// Bytes and operations, to put those that do most first.
fn total(works: &Works) -> f64 {
    works.values().map(|[_, bytes, ops]| bytes + ops).sum()
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

fn is_same(a: &Works, b: &Works) -> bool {
    // Many kernels move as many bytes; commands, bytes and operations together tell one from another.
    let is_known = (0..3).all(|at| a.values().any(|did| did.get(at).is_some_and(|n| *n > 0.0)));
    let is_equal = |(a, b): (&Did, &Did)| a.iter().zip(b).all(|(a, b)| is_near(*a, *b));
    is_known && a.keys().eq(b.keys()) && a.values().zip(b.values()).all(is_equal)
}

/// Letters at the start and end that two names have in common.
fn common_length(a: &str, b: &str) -> usize {
    let start = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let end = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    start.max(end)
}

/// The fewest parts that are the whole together, by their places: their operations are its, and their bytes are, or were saved.
fn parts_of(whole: &Works, parts: &[(String, Works)]) -> Option<Vec<usize>> {
    let of = |works: &Works| {
        works.values().fold([0.0; 2], |[b, o], [_, bytes, ops]| [b + bytes, o + ops])
    };
    let [bytes, ops] = of(whole);
    let candidates: Vec<[f64; 2]> =
        parts.iter().take(MOST_CANDIDATES).map(|(_, w)| of(w)).collect();
    let fits = |set: &[usize]| {
        let sum = set.iter().filter_map(|at| candidates.get(*at));
        let [all_bytes, all_ops] = sum.fold([0.0; 2], |[b, o], [bytes, ops]| [b + bytes, o + ops]);
        let (less, more) = (bytes.min(all_bytes), bytes.max(all_bytes));
        // Without operations only equal bytes tell.
        match ops > 0.0 {
            true => is_near(ops, all_ops) && (more == 0.0 || less >= LEAST_BYTES * more),
            false => all_ops == 0.0 && is_near(bytes, all_bytes),
        }
    };
    let takes_part = |at: &usize| {
        candidates
            .get(*at)
            .is_some_and(|[b, o]| if ops > 0.0 { *o < ops && *o > 0.0 } else { *b < bytes })
    };
    let usable: Vec<usize> = (0..candidates.len()).filter(takes_part).collect();
    let mut sets: Vec<Vec<usize>> = usable.iter().map(|at| vec![*at]).collect();
    for _ in 1..MOST_PARTS {
        let longer = |set: &Vec<usize>| {
            let last = set.last().copied().unwrap_or(0);
            let further = usable.iter().filter(move |at| **at > last);
            further.map(|at| [set.as_slice(), &[*at]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(longer).collect();
        let found: BTreeSet<&Vec<usize>> = sets.iter().filter(|set| fits(set)).collect();
        // Two sets that fit say nothing.
        match found.len() {
            0 => {}
            1 => return found.first().map(|set| (*set).clone()),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::testing::planted_run;
    use crate::diff::{
        CauseKind, Gate, GateOptions, LimitResult, Presence, Subject, compare, diff,
    };

    /// A run of kernels, each with its ns, bytes and operations.
    fn run(kernels: &[(&str, i64, u64, i64)]) -> Run {
        planted_run(kernels)
    }

    const BEFORE: [(&str, i64, u64, i64); 3] = [
        ("embed", 500, 4_000, 70),
        ("matmul_gate_up", 2_000, 9_000, 4_000),
        ("norm", 300, 2_000, 90),
    ];

    #[test]
    fn a_renamed_kernel_is_compared_with_itself() {
        let mut after = BEFORE;
        (after[1].0, after[1].1) = ("mm_gate_up_v2", 2_600);
        let found = diff(&[run(&BEFORE)], &[run(&after)], false);
        let kernels: Vec<_> = found
            .rows
            .iter()
            .filter(|row| row.subject == Subject::Kernel)
            .map(|row| (row.name.as_str(), row.old_name.as_deref(), row.presence))
            .collect();
        assert_eq!(kernels[0], ("mm_gate_up_v2", Some("matmul_gate_up"), Presence::Both));
        assert!(kernels.iter().all(|(.., presence)| *presence == Presence::Both));
        let causes = found.verdict.unwrap().causes;
        assert_eq!(causes[0].kind, CauseKind::SameCommands, "{causes:#?}");
        let renamed = causes.iter().find(|cause| cause.kind == CauseKind::Renamed).unwrap();
        assert_eq!(renamed.text.text, "matmul_gate_up is now called mm_gate_up_v2: the same work");
        // A limit on the old name follows.
        let comparison = compare(vec![run(&BEFORE)], vec![run(&after)], false).unwrap();
        let limits = ["kernel:matmul_gate_up>+5%".parse().unwrap()];
        let gate = Gate::check(&limits, GateOptions::default(), &comparison);
        assert_eq!(gate.limits[0].result, LimitResult::Failed, "{gate:#?}");
        assert!(gate.limits[0].failures[0].text.contains("+30.00%"), "{gate:#?}");
    }

    #[test]
    fn split_and_fused_kernels_are_named_together() {
        let parts = [
            BEFORE[0],
            ("mm_gate", 1_200, 5_000, 2_000),
            ("mm_up", 1_100, 5_500, 2_000),
            BEFORE[2],
        ];
        let cause = |before: &[(&str, i64, u64, i64)], after: &[(&str, i64, u64, i64)]| {
            let found = diff(&[run(before)], &[run(after)], false).verdict.unwrap();
            assert_eq!(found.rest_ns, 0.0, "{found:#?}");
            found.causes[0].clone()
        };
        let split = cause(&BEFORE, &parts);
        assert_eq!((split.kind, split.ns), (CauseKind::Split, 300.0));
        assert_eq!(
            split.text.text,
            "matmul_gate_up is split into mm_gate, mm_up: +0.300 us of +0.300 us"
        );
        let fused = cause(&parts, &BEFORE);
        assert_eq!((fused.kind, fused.ns), (CauseKind::Fused, -300.0));
        assert!(
            fused.text.text.starts_with("mm_gate, mm_up are fused into matmul_gate_up: "),
            "{fused:?}"
        );
    }

    #[test]
    fn what_does_other_work_is_new_or_gone() {
        let mut after = BEFORE;
        after[1] = ("conv", 2_000, 9_000, 5_000);
        let lineage = Lineage::of(&[run(&BEFORE)], &[run(&after)]);
        assert_eq!(lineage, Lineage::default());
        // Two that do the same: the nearer name.
        let twins = [("up_a", 10, 100, 8), ("down_a", 10, 100, 8)];
        let renamed = [("x_down_a", 10, 100, 8), ("x_up_a", 10, 100, 8)];
        let found = Lineage::of(&[run(&twins)], &[run(&renamed)]).renamed;
        let expected = [("down_a", "x_down_a"), ("up_a", "x_up_a")];
        assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
