//! A time of a unit, build by build.

use super::robust::middle;

/// Builds of which times that are not marked as simulated repeat exactly if they mostly equal their neighbours.
pub(super) const LEAST_EXACT: usize = 3;

/// A series while its builds are looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// Logarithms of ns by build of the unit; NaN where a build has none.
    pub(super) values: Vec<f64>,
    /// Its first build at the level of now.
    pub(super) start: usize,
    /// Its name now.
    pub(super) name: String,
    /// Its kernel is gone.
    pub(super) is_gone: bool,
}

impl Line {
    /// The value of a build; `None` where it has none.
    pub(super) fn value(&self, at: usize) -> Option<f64> {
        self.values.get(at).copied().filter(|value| value.is_finite())
    }

    /// The last build has it.
    pub(super) fn is_present(&self) -> bool {
        self.values.last().is_some_and(|value| value.is_finite())
    }

    /// Values since the start of its level, before a build.
    pub(super) fn known(&self, at: usize) -> Vec<f64> {
        let own = self.values.get(self.start.min(at)..at).unwrap_or_default();
        own.iter().copied().filter(|value| value.is_finite()).collect()
    }

    /// The median from a build on.
    pub(super) fn level_from(&self, at: usize) -> Option<f64> {
        let own = self.values.get(at..)?.iter().copied().filter(|value| value.is_finite());
        let own: Vec<f64> = own.collect();
        (!own.is_empty()).then(|| middle(own.into_iter()))
    }

    /// How much it changed at a build, as a difference of logarithms.
    pub(super) fn size(&self, at: usize) -> Option<f64> {
        let before = self.known(at);
        (!before.is_empty()).then_some(self.level_from(at)? - middle(before.into_iter()))
    }

    /// Its values before a build mostly equal that of the build before them; also where there are too few to tell.
    pub(super) fn is_exact(&self, at: usize) -> bool {
        let known = self.known(at);
        let equal = known.iter().zip(known.iter().skip(1)).filter(|(a, b)| a == b).count();
        known.len() < 2 || (known.len() >= LEAST_EXACT && equal * 3 >= (known.len() - 1) * 2)
    }

    /// Returns how much a build differs from the first one of the level, as a difference of logarithms.
    pub(super) fn exact_size(&self, at: usize) -> Option<f64> {
        let first = self.values.get(self.start..at)?.iter().find(|value| value.is_finite())?;
        Some(self.value(at)? - first)
    }
}
