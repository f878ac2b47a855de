//! How far measured times lay from expected ones, by chip, width and kind of network.
//!
//! Each network was predicted by coefficients that were fitted without its family. The range holds the middle four fifths
//! of measured over expected times.

use bigtpu_machine::{Array, DataType, Machine};
use serde::Serialize;

use super::demand::Width;
use super::fitted::RESIDUALS;
use super::pace::DemandTimes;

/// Chips that were measured, and all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measured {
    /// BM1684X.
    Bm1684x,
    /// One core of BM1688, and CV186X, which is one.
    Bm1688OneCore,
    /// Both cores of BM1688.
    Bm1688,
    /// A chip with such units that was not measured.
    Other,
}

impl Measured {
    /// All, in the order of [`Residuals`].
    pub const ALL: [Self; 4] = [Self::Bm1684x, Self::Bm1688OneCore, Self::Bm1688, Self::Other];

    /// Which of the measured chips `cores` cores of a chip are.
    #[must_use]
    pub fn from_chip(array: &Array, cores: u32) -> Self {
        match (array.chip, cores) {
            ("BM1684X", 1) => Self::Bm1684x,
            ("BM1688", 1) => Self::Bm1688OneCore,
            ("BM1688", 2) => Self::Bm1688,
            _ => Self::Other,
        }
    }

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bm1684x => "BM1684X",
            Self::Bm1688OneCore => "one core of BM1688",
            Self::Bm1688 => "two cores of BM1688",
            Self::Other => "other chips",
        }
    }
}

/// What a network mostly computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mostly {
    /// Convolutions.
    Convolutions,
    /// Products of matrices, as transformers do.
    Products,
}

impl Mostly {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Convolutions, Self::Products];

    /// What a network mostly computes, from the times of its terms.
    #[must_use]
    pub fn from_parts(parts: &DemandTimes) -> Self {
        if parts.products > parts.computing / 2.0 { Self::Products } else { Self::Convolutions }
    }

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Convolutions => "convolutions",
            Self::Products => "products",
        }
    }
}

/// Measured over expected times of one group of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residuals {
    /// Chip.
    pub chip: Measured,
    /// Width of the elements.
    pub width: Width,
    /// Kind of network.
    pub mostly: Mostly,
    /// Rows of the group.
    pub rows: u32,
    /// Families of networks that they are of.
    pub families: u32,
    /// Measured over expected time that one in ten stays below, and one in ten exceeds.
    pub range: [f64; 2],
    /// Median of the distance of expected from measured time, over the measured time; `None` without rows.
    pub median_error: Option<f64>,
}

/// Where a model runs, as far as the range of its time depends on it.
#[derive(Debug, Clone, Copy)]
pub struct RunSetting {
    /// Units of a core.
    pub array: Array,
    /// Cores.
    pub cores: u32,
    /// Width of the elements.
    pub width: Width,
}

impl RunSetting {
    /// Scene of a machine; `None` where its units are not known.
    #[must_use]
    pub fn from_machine(machine: &Machine, data_type: DataType) -> Option<Self> {
        let cores = machine.cores.saturating_mul(machine.chips.max(1));
        Some(Self { array: machine.array?, cores, width: Width::from_type(data_type) })
    }
}

/// Measured times that stand behind an expected one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredEvidence {
    /// Measured rows of this chip, width and kind of network.
    pub rows: u32,
    /// Families of networks that they are of.
    pub families: u32,
    /// What they are of, in words.
    pub of: String,
    /// Median distance of expected from measured time, over the measured time, of networks whose family was left out.
    pub median_error: Option<f64>,
    /// Measured over expected time: the range.
    #[serde(skip)]
    pub ratios: Option<[f64; 2]>,
    /// Where the numbers are.
    pub source: String,
    /// Whether the rows are those that the user gave.
    #[serde(skip)]
    pub is_own: bool,
}

const SOURCE: &str = "docs/prediction/measured.md";
const ACROSS: &str = "docs/prediction/across.md";

impl MeasuredEvidence {
    /// Evidence from the public measurements.
    #[must_use]
    pub fn find(scene: &RunSetting, parts: &DemandTimes) -> Self {
        let chip = Measured::from_chip(&scene.array, scene.cores);
        let mostly = Mostly::from_parts(parts);
        let is_it =
            |own: &&Residuals| (own.chip, own.width, own.mostly) == (chip, scene.width, mostly);
        let Some(found) = RESIDUALS.iter().find(is_it) else { return Self::none() };
        let bits = match scene.width {
            Width::Bits32 => "32 bits",
            Width::Bits16 => "16 bits",
            Width::Bits8 => "8 bits",
        };
        let of = match chip {
            Measured::Other => format!(
                "no measurement of this chip; the range is that of chips that were left out, {bits}, mostly {}",
                mostly.name()
            ),
            _ => format!("{}, {bits}, mostly {}", chip.name(), mostly.name()),
        };
        Self {
            rows: if chip == Measured::Other { 0 } else { found.rows },
            families: if chip == Measured::Other { 0 } else { found.families },
            of,
            median_error: found.median_error,
            ratios: Some(found.range),
            source: SOURCE.to_owned(),
            is_own: false,
        }
    }

    /// Evidence of a run that was measured itself.
    #[must_use]
    pub fn of_run() -> Self {
        Self { of: "the run was measured".to_owned(), source: ACROSS.to_owned(), ..Self::none() }
    }

    /// Evidence of a measured run on another machine: `count` predictions between machines.
    #[must_use]
    pub fn of_predictions(count: u32) -> Self {
        let of = "predictions of one network between four chips".to_owned();
        Self { rows: count, families: 1, of, source: ACROSS.to_owned(), ..Self::none() }
    }

    /// Evidence of a machine for which there is no measurement.
    #[must_use]
    pub fn none() -> Self {
        Self {
            rows: 0,
            families: 0,
            of: "no measurement: each operator is taken to reach the roofs of the machine"
                .to_owned(),
            median_error: None,
            ratios: None,
            source: SOURCE.to_owned(),
            is_own: false,
        }
    }

    /// Range around an expected time, in ns; nothing is faster than the bound. `None` without measurements.
    #[must_use]
    pub fn range(&self, expected_ns: f64, bound_ns: f64) -> Option<[f64; 2]> {
        self.ratios.map(|ratios| ratios.map(|ratio| (ratio * expected_ns).max(bound_ns)))
    }
}
