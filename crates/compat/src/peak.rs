//! What the arrays could do at best, by kind of layer.

use bigtpu_chip::{Family, Precision, cube_ops_per_cycle};
use bigtpu_timeline::Profile;

/// Elements that the arrays work on in a cycle: of one byte, of two, of four.
type Units = [f64; 3];

/// The chip's greatest speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    cube: Units,
    vector: Units,
    lookup: f64,
    mhz: f64,
}

/// The arrays' shape as the chip's description shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaneArrays {
    /// Lanes of a core (NPUs).
    pub lanes: f64,
    /// Input channels that a lane of the cube takes at once, of one byte each.
    pub channels: f64,
    /// Output positions of the cube at once.
    pub cube_positions: f64,
    /// Output positions of the vector unit at once, of one byte each.
    pub vector_positions: f64,
    /// Cores.
    pub cores: f64,
}

impl LaneArrays {
    /// Arrays of the profile's chip; 0 where the description does not say.
    #[must_use]
    pub fn for_chip(profile: &Profile<'_>) -> Self {
        let number = |key: &str| profile.chip.arch_number(key).unwrap_or(0.0);
        Self {
            lanes: number("NPU Num"),
            channels: number("Cube IC Align(8bits)"),
            cube_positions: number("Cube OHOW Align(8bits)"),
            vector_positions: number("Vector OHOW Align(8bits)"),
            cores: number("Core Num"),
        }
    }
}

impl Peak {
    /// Peak of the profile's chip at its clock.
    #[must_use]
    pub fn for_chip(profile: &Profile<'_>) -> Self {
        let array = LaneArrays::for_chip(profile);
        let mhz = profile.clocks.tiu_mhz as f64;
        let (lanes, vector) = (array.lanes, array.lanes * array.vector_positions);
        // INT8, FP16, FP32; a multiply-add is one element.
        let cube = [0, 1, 2].map(|code| cube_ops_per_cycle(profile.chip, Precision(code)) / 2.0);
        // One core counts on BM1688.
        let cores = if profile.chip.family == Family::Bm1688 { 1.0 } else { array.cores };
        // Twice the width that the description shows is there on CV184X and CV84X6.
        let vector = match profile.chip.family {
            Family::Cv184x | Family::Cv84x6 => vector * 2.0,
            Family::Aks | Family::Bm1684x | Family::Bm1688 => vector,
        };
        let all_cores = |units: Units| units.map(|n| n * cores);
        Self {
            cube: all_cores(cube),
            vector: all_cores([vector, vector / 2.0, vector / 4.0]),
            lookup: lanes * cores,
            mhz,
        }
    }

    /// Tera-operations a second of a kind of layer in a data type, such as `f16`.
    #[must_use]
    pub fn tops(&self, kind: &str, data_type: &str) -> f64 {
        let width = match data_type {
            "f16" | "bf16" => 1,
            "f32" => 2,
            _ => 0,
        };
        let of = |units: &Units| units.get(width).copied().unwrap_or(0.0);
        let (units, operations) = match kind {
            "Conv" | "MatMul" | "Attention" => (of(&self.cube), 2.0),
            "LayerNorm" | "Pool" | "Reduce" | "FC" => (of(&self.vector), 2.0),
            "Lut" => (self.lookup, 1.0),
            _ => (of(&self.vector), 1.0),
        };
        units * operations * self.mhz / 1e6
    }
}

/// `x` with the decimals that are shown.
#[must_use]
pub fn rounded(x: f64, decimals: usize) -> f64 {
    format!("{x:.decimals$}").parse().unwrap_or(x)
}
