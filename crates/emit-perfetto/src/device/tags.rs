//! What the tags of commands say, and what the blocks of their layers are called, as interned texts.

use bigtpu_measure::layers::Layers;
use bigtpu_timeline::{Mode, Profile, Tag};

use crate::interned::{TextKind, Vocabulary};

/// Interning ids of what tags say and of the names of blocks, which all tracks share.
#[derive(Debug)]
pub(super) struct TagTexts {
    /// Ids of the kernels' names, by number of the kernel.
    kernels: Vec<u32>,
    /// Ids of the modes' names, by mode.
    modes: [u32; 3],
    /// Ids of the blocks' names, by layer; 0 where the block of a layer is not known.
    blocks: Vec<u32>,
}

impl TagTexts {
    pub(super) fn new(
        profile: &Profile<'_>,
        layers: Option<&Layers>,
        vocabulary: &Vocabulary,
    ) -> Self {
        let id = |text: &str| vocabulary.id(TextKind::Value, text).unwrap_or(0) as u32;
        Self {
            kernels: profile.kernels.iter().map(|kernel| id(kernel)).collect(),
            modes: [Mode::Rvt, Mode::Tdi, Mode::Des].map(|mode| id(mode.name())),
            blocks: layers.map_or(&[][..], Layers::blocks).iter().map(|block| id(block)).collect(),
        }
    }

    /// What a tag says.
    pub(super) fn of_tag(&self, tag: Tag) -> OfTag {
        let Self { kernels, modes, .. } = self;
        OfTag {
            kernel: tag.kernel.and_then(|kernel| kernels.get(kernel as usize).copied()),
            mode: tag.mode.and_then(|mode| modes.get(mode as usize).copied()),
            batch: tag.batch,
        }
    }

    /// The name of the block of the layer with an id; `None` where it is not known.
    pub(super) fn block(&self, layer_id: usize) -> Option<u32> {
        let block = *self.blocks.get(layer_id.checked_sub(1)?)?;
        (block != 0).then_some(block)
    }
}

/// What a tag says.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OfTag {
    pub(super) kernel: Option<u32>,
    pub(super) mode: Option<u32>,
    pub(super) batch: Option<u32>,
}
