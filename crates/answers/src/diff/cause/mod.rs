//! Why the wall time changed: the changes of the critical path, each attributed to cores, a kernel or layer, an engine, and to
//! what changed there: the number of commands, their bytes or operations, or the rate at which the same ones run.

mod amount;
mod joined;
mod leaf;
mod number;
mod words;

use serde::Serialize;

use bigtpu_messages::LocalizedText;
use bigtpu_replay::Reason;

use super::SourcedRun;
use super::design::Design;
use super::lineage::Lineage;
use super::{Diff, Subject};

/// What changed where a run took longer or shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// Commands that have the same bytes and operations take another time.
    SameCommands,
    /// As many bytes or operations are divided among another number of commands, or there are more or fewer commands.
    Commands,
    /// More or fewer bytes are moved.
    Bytes,
    /// More or fewer operations are requested.
    Operations,
    /// As many operations are padded to more or fewer.
    Padding,
    /// Bytes or operations, of which there are as many or others, are done at another rate.
    Rate,
    /// The work takes the same time, and more or less of it is waited for.
    Overlap,
    /// Between commands, launches or messages passes another time.
    Pauses,
    /// A kernel or layer that does the same work has another name.
    Renamed,
    /// The work of one kernel or layer is done by several.
    Split,
    /// The work of several is done by one.
    Fused,
    /// A kernel or layer is on the side after only.
    New,
    /// A kernel or layer is on the side before only.
    Gone,
    /// A kernel is launched more or less often.
    Launches,
    /// More or fewer cores have work.
    Cores,
    /// A report of an older version does not tell.
    Unknown,
}

/// A reason why the wall time changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct ChangeCause {
    /// What changed.
    pub kind: CauseKind,
    /// The cores on which it changed; empty where it is all that take part.
    pub cores: Vec<u32>,
    /// Kernels, or layers of a static model, the greatest change first; empty for what is outside of them.
    pub owners: Vec<String>,
    /// What is on the critical path there.
    pub reasons: Vec<Reason>,
    /// ns that the run takes longer because of it; below 0 where it takes less.
    pub ns: f64,
    /// After / before of the time, or of what the kind names; absent where there is none.
    pub ratio: Option<f64>,
    /// The cause in a sentence, with the change of the wall time.
    #[serde(flatten)]
    pub text: LocalizedText,
    /// What to look at; empty where the run takes less time because of it.
    pub remedy: String,
    /// The remedy in Chinese.
    pub remedy_zh: String,
    /// The remedy as an id of the catalogue.
    #[serde(skip)]
    remedy_id: Option<&'static str>,
}

/// How the wall time changed, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct DiffVerdict {
    /// The change with its greatest cause, in a sentence or two.
    #[serde(flatten)]
    pub text: LocalizedText,
    /// ns: how much longer the run takes; below 0 where it takes less.
    pub ns: f64,
    /// The causes, the greatest first; those below a thousandth of the change are left out.
    pub causes: Vec<ChangeCause>,
    /// ns of the change that no cause explains.
    pub rest_ns: f64,
    /// Share of the time of both sides that is in the same kernels or layers, where it is so little that they are different programs:
    /// then no cause is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub shared: Option<f64>,
}

/// Causes below this share of the greatest one are left out.
const LEAST_SHARE: f64 = 0.001;

impl DiffVerdict {
    /// Compares the runs of both sides and names the causes of the change; `None` where a side has no wall time. Sides that are
    /// unrelated, with so little of their time in common, have no causes.
    pub(super) fn compare(
        runs: [&[SourcedRun]; 2],
        design: &Design,
        diff: &Diff,
        (lineage, unrelated): (&Lineage, Option<f64>),
    ) -> Option<Self> {
        let total = diff.rows.iter().find(|row| row.subject == Subject::Total)?.first()?;
        if let Some(share) = unrelated {
            let (text, ns) = (words::unrelated(total, share)?, total.absolute);
            let (causes, shared) = (Vec::new(), Some(bigtpu_measure::round4(share)));
            return Some(Self { text, ns, causes, rest_ns: ns, shared });
        }
        let sides = runs.map(amount::Side::from_runs);
        let leaves = leaf::leaves(&sides, design, lineage);
        let mut causes = joined::joined(leaves, &sides, lineage, total.absolute);
        let most = causes.iter().map(|cause| cause.ns.abs()).fold(0.0, f64::max);
        causes.retain(|cause| cause.ns.abs() >= most * LEAST_SHARE);
        let explained: f64 = causes.iter().map(|cause| cause.ns).sum();
        let text = words::verdict(total, &causes)?;
        // What the run does not wait for is to be known, too.
        causes.extend(joined::renamed(lineage));
        let rest_ns = bigtpu_measure::round4(total.absolute - explained);
        Some(Self { text, ns: total.absolute, causes, rest_ns, shared: None })
    }
}

#[cfg(test)]
mod tests;
