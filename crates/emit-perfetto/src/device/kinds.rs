//! What slices of a kind have in common, found once: a run has far fewer kinds than slices.

use bigtpu_chip::{Engine, Family};
use bigtpu_measure::{ByteCounts, CommandKind};
use bigtpu_scene::tiu_rate;
use bigtpu_timeline::Profile;

/// What slices of a kind show.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shows {
    /// Addresses; 0 is shown where not.
    pub(super) addresses: bool,
    /// How busy the TIU is, in percent; 0 of other engines.
    pub(super) rate: f64,
}

impl Shows {
    pub(super) fn new(profile: &Profile<'_>, kind: &CommandKind) -> Self {
        let chip = profile.chip;
        let lacks_addresses = matches!(chip.family, Family::Bm1684x | Family::Bm1688)
            && chip.is_system(kind.engine, kind.task);
        Self {
            addresses: !lacks_addresses,
            rate: if kind.engine == Engine::Tiu { tiu_rate(kind, chip.family) } else { 0.0 },
        }
    }

    /// What bytes and bandwidths of a kind's slices are of.
    pub(super) fn counts(profile: &Profile<'_>, kind: &CommandKind) -> ByteCounts {
        if kind.is_named_system() { ByteCounts::Nothing } else { ByteCounts::read(profile, kind) }
    }
}
