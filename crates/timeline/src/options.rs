//! What the caller of the parser says.

use crate::core_set::CoreSet;

/// What the caller may override.
#[derive(Debug, Clone, Default)]
pub struct BuildOptions {
    /// TIU clock in MHz; else that of `global.profile`, else the chip's own.
    pub tiu_mhz: Option<u64>,
    /// Show these cores only.
    pub cores: Option<CoreSet>,
}
