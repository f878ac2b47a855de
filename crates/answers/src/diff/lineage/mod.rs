//! Kernels and layers that do the same work under another name, or divided otherwise.
//!
//! Names are free: a compiler renames, splits and fuses kernels. What a kernel does is known: the commands, bytes, operations and padding of
//! each of its engines, and its place in the order of first launches. So the kernels of both sides are aligned like two texts ([`order`]): what
//! has the same name is the same, and between such kernels one that is gone and one that is new are the same where their work is
//! equal, and one is split into those of the other side that follow each other where their operations add up. Several kernels often do
//! equal work; their order tells them apart. What is left, because it moved, is looked for anywhere, and only named if there is one answer.

mod order;
mod owner;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use owner::Owner;

use super::SourcedRun;
use order::Step;
use parts::parts_of;

/// How kernels of both sides belong together although their names do not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lineage {
    /// Name before, and name after.
    pub(super) renamed: Vec<(String, String)>,
    /// Names before, and names after: one of them is one.
    pub(super) divided: Vec<(Vec<String>, Vec<String>)>,
}

impl Lineage {
    pub(super) fn trace(before: &[SourcedRun], after: &[SourcedRun]) -> Self {
        Self::of_owners(&Owner::of_side(before), &Owner::of_side(after))
    }

    /// Compares the kernels or layers of both sides, each side in the order of their first launches.
    pub(super) fn of_owners(old: &[Owner], new: &[Owner]) -> Self {
        let mut lineage = Self::default();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let names = |owners: &[&Owner]| owners.iter().map(|owner| owner.name.clone()).collect();
        for Step { old, new } in order::steps(old, new) {
            known.extend(old.iter().chain(&new).map(|owner| owner.name.as_str()));
            match (old.as_slice(), new.as_slice()) {
                ([one], [other]) if one.name == other.name => {}
                ([one], [other]) => lineage.renamed.push((one.name.clone(), other.name.clone())),
                (old, new) => lineage.divided.push((names(old), names(new))),
            }
        }
        let only = |own: &[Owner], other: &[Owner]| {
            let others: BTreeSet<&str> = other.iter().map(|owner| owner.name.as_str()).collect();
            let is_left = |owner: &&Owner| {
                !known.contains(owner.name.as_str()) && !others.contains(owner.name.as_str())
            };
            let mut own: Vec<Owner> = own.iter().filter(is_left).cloned().collect();
            own.sort_by(|a, b| b.total().cmp(&a.total()).then_with(|| a.name.cmp(&b.name)));
            own
        };
        let (mut gone, mut fresh) = (only(old, new), only(new, old));
        // Of several that do the same, the one whose name is most alike.
        gone.retain(|owner| {
            let alike = fresh
                .iter()
                .enumerate()
                .filter(|(_, other)| owner.is_known() && owner.does_the_same(other));
            let best =
                alike.max_by_key(|(at, other)| (owner.letters_in_common(other), usize::MAX - at));
            let Some((at, _)) = best else { return true };
            let new = fresh.remove(at);
            lineage.renamed.push((owner.name.clone(), new.name));
            false
        });
        lineage.find_divided(&mut gone, &mut fresh, |one, several| (vec![one], several));
        lineage.find_divided(&mut fresh, &mut gone, |one, several| (several, vec![one]));
        lineage
    }

    /// Kernels of one side that are several of the other, wherever they are.
    fn find_divided(
        &mut self,
        whole: &mut Vec<Owner>,
        parts: &mut Vec<Owner>,
        pair: impl Fn(String, Vec<String>) -> (Vec<String>, Vec<String>),
    ) {
        whole.retain(|owner| {
            let Some(set) = parts_of(owner, parts) else { return true };
            let names = set.iter().filter_map(|at| Some(parts.get(*at)?.name.clone()));
            let mut names: Vec<String> = names.collect();
            names.sort_unstable();
            let mut number = 0;
            parts.retain(|_| {
                number += 1;
                !set.contains(&(number - 1))
            });
            self.divided.push(pair(owner.name.clone(), names));
            false
        });
    }

    /// The runs before with the names after, where there are any.
    pub(super) fn renamed_runs(&self, before: &[SourcedRun]) -> Option<Vec<SourcedRun>> {
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
