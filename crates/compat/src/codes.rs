//! Codes of system commands whose meaning bigTpuProfile takes as they are, generator indices included.

/// Wait among the TIU's system commands.
pub(crate) const TIU_WAIT: u8 = 9;
/// Send among the TIU's system commands.
pub(crate) const TIU_SEND: u8 = 8;
/// Wait among the DMA engines' system commands.
pub(crate) const DMA_WAIT: u8 = 4;
/// A CDMA function that waits, next to [`DMA_WAIT`].
pub(crate) const CDMA_TCP_WAIT: u8 = 6;
