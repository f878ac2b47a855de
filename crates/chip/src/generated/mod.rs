// @generated from data/*.json. Do not edit; regenerate with
//     cargo run -p xtask -- chips
//! Chip facts as constants.

#[rustfmt::skip]
mod aks;
#[rustfmt::skip]
mod aksv;
#[rustfmt::skip]
mod bm1684x;
#[rustfmt::skip]
mod bm1688;
#[rustfmt::skip]
mod cv184x;
#[rustfmt::skip]
mod cv84x6;
#[rustfmt::skip]
mod field_names;
#[rustfmt::skip]
mod tiu_names;

use crate::chip::Chip;
pub(crate) use field_names::FIELD_NAMES;

/// All chips.
pub(crate) static CHIPS: [Chip; 6] =
    [aks::CHIP, aksv::CHIP, bm1684x::CHIP, bm1688::CHIP, cv184x::CHIP, cv84x6::CHIP];
