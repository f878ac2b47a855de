//! Joins causes that are the same in several kernels, layers or engines into one.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_measure::round4;
use bigtpu_messages::{Language, Message, message};
use bigtpu_replay::Reason;

use super::amount::Side;
use super::leaf::Leaf;
use super::words::{Words, remedy};
use super::{CauseKind, ChangeCause};
use crate::diff::lineage::Lineage;

/// Changes by factors whose logarithms differ by at most this share are the same change.
const SAME_FACTOR: f64 = 0.25;
/// Factors this near to each other always are.
const NEAR_FACTOR: f64 = 0.02;

/// Leaves that are one cause.
#[derive(Debug)]
struct Group {
    kind: CauseKind,
    cores: Vec<u32>,
    ns: f64,
    sides: Option<[f64; 2]>,
    /// ns by owner.
    owners: BTreeMap<String, f64>,
    reasons: BTreeSet<Reason>,
    set: Option<usize>,
}

impl Group {
    fn factor(sides: Option<[f64; 2]>) -> Option<f64> {
        let [before, after] = sides?;
        (before > 0.0 && after > 0.0).then(|| (after / before).ln())
    }

    fn takes(&self, leaf: &Leaf) -> bool {
        if self.kind != leaf.kind || self.cores != leaf.cores {
            return false;
        }
        let (one, other) = (Self::factor(self.sides), Self::factor(leaf.sides));
        let is_alike = match (one, other) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                (a - b).abs() <= (SAME_FACTOR * a.abs().max(b.abs())).max(NEAR_FACTOR)
            }
            _ => false,
        };
        is_alike
            && match self.kind {
                CauseKind::SameCommands | CauseKind::Overlap => true,
                CauseKind::Launches | CauseKind::Cores => true,
                CauseKind::New | CauseKind::Gone => true,
                CauseKind::Renamed | CauseKind::Split | CauseKind::Fused => self.set == leaf.set,
                CauseKind::Unknown => {
                    self.owners.contains_key(&leaf.key.owner)
                        && self.reasons.contains(&leaf.key.reason)
                }
                CauseKind::Pauses
                | CauseKind::Commands
                | CauseKind::Bytes
                | CauseKind::Operations
                | CauseKind::Padding
                | CauseKind::Rate => self.reasons.contains(&leaf.key.reason),
            }
    }

    fn add(&mut self, leaf: &Leaf) {
        self.ns += leaf.ns;
        *self.owners.entry(leaf.key.owner.clone()).or_default() += leaf.ns;
        self.reasons.insert(leaf.key.reason);
        if let (Some(sum), Some(sides)) = (&mut self.sides, leaf.sides) {
            // Rates do not add up; the first one is that of the greatest change.
            if self.kind != CauseKind::Rate && self.kind != CauseKind::Padding {
                sum.iter_mut().zip(sides).for_each(|(sum, side)| *sum += side);
            }
        }
    }
}

/// Work that runs beside other work no longer leaves idle time, for which it is waited less: both are one cause.
fn one_after_the_other(groups: Vec<Group>) -> Vec<Group> {
    let is_idle = |group: &Group| {
        group.kind == CauseKind::Pauses && group.reasons.contains(&Reason::Unexplained)
    };
    let overlap: f64 =
        groups.iter().filter(|g| g.kind == CauseKind::Overlap).map(|group| group.ns).sum();
    let (idle, mut others): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| is_idle(group) && group.ns * overlap < 0.0);
    if let Some(sum) = others.iter_mut().find(|group| group.kind == CauseKind::Overlap) {
        for group in idle {
            sum.ns += group.ns;
            for (owner, ns) in group.owners {
                *sum.owners.entry(owner).or_default() += ns;
            }
        }
    }
    others
}

/// The causes, the greatest first. `wall_ns`: the change of the wall time.
pub(super) fn joined(
    mut leaves: Vec<Leaf>,
    sides: &[Side; 2],
    lineage: &Lineage,
    wall_ns: f64,
) -> Vec<ChangeCause> {
    leaves.sort_by(|a, b| b.ns.abs().total_cmp(&a.ns.abs()).then_with(|| a.key.cmp(&b.key)));
    let mut groups: Vec<Group> = Vec::new();
    for leaf in &leaves {
        match groups.iter_mut().find(|group| group.takes(leaf)) {
            Some(group) => group.add(leaf),
            None => groups.push(Group {
                kind: leaf.kind,
                cores: leaf.cores.clone(),
                ns: leaf.ns,
                sides: leaf.sides,
                owners: BTreeMap::from([(leaf.key.owner.clone(), leaf.ns)]),
                reasons: BTreeSet::from([leaf.key.reason]),
                set: leaf.set,
            }),
        }
    }
    let mut groups = one_after_the_other(groups);
    groups.retain(|group| group.ns != 0.0);
    groups.sort_by(|a, b| b.ns.abs().total_cmp(&a.ns.abs()).then(a.kind.cmp(&b.kind)));
    let all: BTreeSet<&String> = sides.iter().flat_map(|side| &side.owners).collect();
    let has_layers = sides.iter().any(|side| side.has_layers);
    groups
        .into_iter()
        .map(|Group { kind, cores, ns, sides: amounts, owners, reasons, set }| {
            let mut owners: Vec<(String, f64)> = owners.into_iter().collect();
            owners.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
            let owners: Vec<String> = owners
                .into_iter()
                .map(|(owner, _)| owner)
                .filter(|name| !name.is_empty())
                .collect();
            let reasons: Vec<Reason> = reasons.into_iter().collect();
            let divided = set.and_then(|set| lineage.divided.get(set));
            let owners = match divided {
                Some((old, new)) => old.iter().chain(new).cloned().collect(),
                None => owners,
            };
            let words = Words {
                kind,
                cores: &cores,
                owners: &owners,
                all_owners: all.len(),
                has_layers,
                reasons: &reasons,
                ns,
                sides: amounts,
                divided,
            };
            let text = words.sentence(wall_ns).into();
            let ratio = amounts.filter(|[before, _]| *before > 0.0).map(|[a, b]| round4(b / a));
            let remedy_id = remedy(kind, &reasons, cores.is_empty()).filter(|_| ns > 0.0);
            let remedy = remedy_id.map(Message::new);
            let [remedy, remedy_zh] = Language::ALL
                .map(|language| remedy.as_ref().map(|remedy| remedy.text(language)))
                .map(Option::unwrap_or_default);
            let ns = round4(ns);
            ChangeCause {
                kind,
                cores,
                owners,
                reasons,
                ns,
                ratio,
                text,
                remedy,
                remedy_zh,
                remedy_id,
            }
        })
        .collect()
}

/// Names that changed: they cost nothing.
pub(super) fn renamed(lineage: &Lineage) -> Vec<ChangeCause> {
    let cause = |(old, new): &(String, String)| ChangeCause {
        kind: CauseKind::Renamed,
        cores: Vec::new(),
        owners: vec![old.clone(), new.clone()],
        reasons: Vec::new(),
        ns: 0.0,
        ratio: None,
        text: message!("cause-renamed", old = old, new = new).into(),
        remedy: String::new(),
        remedy_zh: String::new(),
        remedy_id: None,
    };
    lineage.renamed.iter().map(cause).collect()
}
