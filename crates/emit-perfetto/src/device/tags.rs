//! What the tags of commands say, as interned texts.

use bigtpu_timeline::{Mode, Profile, Tag};

use crate::interned::{TextKind, Vocabulary};

/// Interning ids of what tags say, which all tracks share.
#[derive(Debug)]
pub(super) struct TagTexts {
    /// Ids of the kernels' names, by number of the kernel.
    kernels: Vec<u32>,
    /// Ids of the modes' names, by mode.
    modes: [u32; 3],
}

impl TagTexts {
    pub(super) fn new(profile: &Profile<'_>, vocabulary: &Vocabulary) -> Self {
        let id = |text: &str| vocabulary.id(TextKind::Value, text).unwrap_or(0) as u32;
        Self {
            kernels: profile.kernels.iter().map(|kernel| id(kernel)).collect(),
            modes: [Mode::Rvt, Mode::Tdi, Mode::Des].map(|mode| id(mode.name())),
        }
    }

    /// What a tag says.
    pub(super) fn of_tag(&self, tag: Tag) -> OfTag {
        let Self { kernels, modes } = self;
        OfTag {
            kernel: tag.kernel.and_then(|kernel| kernels.get(kernel as usize).copied()),
            mode: tag.mode.and_then(|mode| modes.get(mode as usize).copied()),
            batch: tag.batch,
        }
    }
}

/// What a tag says.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OfTag {
    pub(super) kernel: Option<u32>,
    pub(super) mode: Option<u32>,
    pub(super) batch: Option<u32>,
}
