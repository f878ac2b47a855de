//! Data and assumptions of a prediction.

use bigtpu_messages::{Language, Message, Notes, message};
use serde::{Deserialize, Serialize};

use crate::dependence::{Certainty, DependenceKind};

/// How often a kind of dependence was found, and whether it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindUse {
    /// The kind.
    pub kind: DependenceKind,
    /// How well such dependences are known.
    pub certainty: Certainty,
    /// Dependences that the measured times allow.
    pub found: u64,
    /// Dependences that the measured times contradict; not used.
    pub contradicted: u64,
    /// Dependences that name a command which is not there; not used.
    pub unresolved: u64,
    /// Whether the kind is used at all.
    pub used: bool,
    /// Why not; empty if it is.
    pub reason: String,
}

/// More contradictions than 1 of 100 make a kind useless for the dump.
const MOST_CONTRADICTED: u64 = 100;

impl KindUse {
    pub(crate) fn new(kind: DependenceKind) -> Self {
        Self {
            kind,
            certainty: kind.certainty(),
            found: 0,
            contradicted: 0,
            unresolved: 0,
            used: true,
            reason: String::new(),
        }
    }

    /// Whether the kind may be used, after all of the dump's dependences were looked at.
    pub(crate) fn decide(&mut self) -> bool {
        let doubt = self.doubt();
        self.used = doubt.is_none();
        self.reason = doubt.map(|doubt| doubt.text(Language::English)).unwrap_or_default();
        self.used
    }

    /// Why the kind is not used.
    pub(crate) fn doubt(&self) -> Option<Message> {
        let resolved = self.found + self.contradicted;
        if self.contradicted * MOST_CONTRADICTED > resolved {
            let count = self.contradicted;
            Some(message!("whatif-contradicted", count = count, all = resolved))
        } else if self.unresolved > self.found {
            let all = self.unresolved + resolved;
            Some(message!("whatif-unresolved", count = self.unresolved, all = all))
        } else {
            None
        }
    }
}

/// Data and assumptions of a prediction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// Share of the dependences that are certain, 0 to 1.
    pub certain: f64,
    /// Share read from commands and checked against the times.
    pub checked: f64,
    /// Share concluded from times alone.
    pub inferred: f64,
    /// Median relative error of the fit of transfers' times to their bytes; absent if none could be fitted.
    pub dma_fit_error: Option<f64>,
    /// Share of the transfers that a line was fitted to; all others scale with bandwidth as a whole.
    pub dma_fitted: f64,
    /// Share by which the part of the transfers' time that depends on a bandwidth may be greater or smaller.
    #[serde(default)]
    pub dma_share_error: f64,
    /// Share of the wall time that is idle time on the critical path which no dependence explains.
    pub unexplained: f64,
    /// Kinds of dependences.
    pub kinds: Vec<KindUse>,
    /// What to know about the prediction.
    #[serde(flatten)]
    pub notes: Notes,
}
