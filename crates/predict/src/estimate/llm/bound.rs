//! What an operator's time is that of.

use bigtpu_messages::{Message, message};

use crate::estimate::cost::Cost;

/// What takes the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LlmBound {
    /// Arithmetic.
    Compute,
    /// Main memory.
    Memory,
    /// Links between devices, and to the host.
    Communication,
}

impl LlmBound {
    /// All, in the order of [`TimeByBound`].
    pub const ALL: [Self; 3] = [Self::Compute, Self::Memory, Self::Communication];

    /// As files have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
            Self::Communication => "communication",
        }
    }

    /// As a person reads it.
    #[must_use]
    pub fn word(self) -> Message {
        match self {
            Self::Compute => message!("llm-bound-compute"),
            Self::Memory => message!("llm-bound-memory"),
            Self::Communication => message!("llm-bound-communication"),
        }
    }

    /// What bounds an operator: the longest of the parts that run at the same time.
    pub(super) fn from_cost(cost: &Cost) -> Self {
        let part = |ns: Option<f64>| ns.unwrap_or(0.0);
        let memory = part(cost.time.mem_transfer) + part(cost.time.kv_load);
        if cost.time.link.or(cost.time.host_to_device).is_some() {
            Self::Communication
        } else if part(cost.time.compute) > memory {
            Self::Compute
        } else {
            Self::Memory
        }
    }
}

/// Time of operators by what they are bound by, in ns: the parts sum to the whole.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TimeByBound {
    /// Arithmetic.
    pub compute: f64,
    /// Main memory.
    pub memory: f64,
    /// Links between devices, and to the host.
    pub communication: f64,
}

impl TimeByBound {
    pub(super) fn add(&mut self, cost: &Cost) {
        let part = match LlmBound::from_cost(cost) {
            LlmBound::Compute => &mut self.compute,
            LlmBound::Memory => &mut self.memory,
            LlmBound::Communication => &mut self.communication,
        };
        *part += cost.time_ns;
    }

    /// What takes most of the time; `None` without any.
    #[must_use]
    pub fn most(&self) -> Option<LlmBound> {
        let parts = [self.compute, self.memory, self.communication];
        let most = LlmBound::ALL.into_iter().zip(parts).max_by(|(_, a), (_, b)| a.total_cmp(b));
        most.filter(|(_, ns)| *ns > 0.0).map(|(bound, _)| bound)
    }

    /// Share of the time of a bound, 0 to 1.
    #[must_use]
    pub fn share(&self, bound: LlmBound) -> f64 {
        let sum = self.compute + self.memory + self.communication;
        let part = match bound {
            LlmBound::Compute => self.compute,
            LlmBound::Memory => self.memory,
            LlmBound::Communication => self.communication,
        };
        if sum > 0.0 { part / sum } else { 0.0 }
    }
}
