//! How far chips stay behind the ideal rates of each term: one table, fitted to public measurements.
//!
//! ```text
//! time      = sqrt(computing^2 + transfers^2) + commands + start
//! computing = sum of cycles x factor of term and width / clock x factor of chip and width / speed-up of cores
//! transfers = sum of bytes x factor of term / bandwidth x factor of chip
//! ```

use super::demand::{Term, Width};

/// What a number of the table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// Measured over ideal time of a term; of a width, where it is not the same for all.
    Factor(Term, Option<Width>),
    /// ns of a command.
    Command,
    /// ns of an execution of the model.
    Start,
    /// Time of transfers over that at the bandwidth, of all terms and chips.
    Transfers,
    /// Computing time of chips with small units over that of BM1684X.
    SmallUnits(Width),
    /// Time of transfers of chips with small units over that of BM1684X.
    SmallUnitsTransfers,
    /// How many times as fast two cores are as one.
    TwoCores(Width),
}

/// A number of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// What it is.
    pub name: Name,
    /// What it was taken to be before anything was fitted.
    pub guess: f64,
    /// How far the fit may go from it: the standard deviation of its logarithm.
    pub spread: f64,
    /// Where the guess comes from.
    pub source: &'static str,
}

const fn factor(
    term: Term,
    width: Width,
    guess: f64,
    spread: f64,
    source: &'static str,
) -> Parameter {
    Parameter { name: Name::Factor(term, Some(width)), guess, spread, source }
}

const fn plain(term: Term, guess: f64, spread: f64, source: &'static str) -> Parameter {
    Parameter { name: Name::Factor(term, None), guess, spread, source }
}

const ROOF: &str = "a part of the matrix unit's cycles goes to loading and storing";
const VECTOR: &str = "cycles of a pass: reads, writes, and what the function takes";
const TABLE: &str = "natural experiment: YOLOv3 and PP-YOLOv3 differ in their activation only";
const MEMORY: &str = "published utilization of the memory of BM1684X";
const PAIRS: &str = "networks that were measured on both";
const SMALL: &str = "small networks: SqueezeNet, LPRNet";

use Term::{
    Activations, Convolution, Depthwise, Function, Joins, Moves, Outside, Plain, Pool, Product,
    Scores, Spills, Statistic,
};
use Width::{Bits8, Bits16, Bits32};

/// All numbers, in the order of [`Coefficients::values`].
pub const PARAMETERS: [Parameter; 35] = [
    factor(Convolution, Bits32, 1.5, 0.4, ROOF),
    factor(Convolution, Bits16, 1.5, 0.4, ROOF),
    factor(Convolution, Bits8, 1.5, 0.4, ROOF),
    factor(Depthwise, Bits32, 1.5, 0.5, ROOF),
    factor(Depthwise, Bits16, 1.5, 0.5, ROOF),
    factor(Depthwise, Bits8, 1.5, 0.5, ROOF),
    factor(Product, Bits32, 2.5, 0.5, "BERT-base: a third of the peak"),
    factor(Product, Bits16, 1.5, 0.5, ROOF),
    factor(Product, Bits8, 1.5, 0.5, ROOF),
    factor(Scores, Bits32, 2.5, 0.6, "as products with weights"),
    factor(Scores, Bits16, 2.0, 0.6, "as products with weights, with operands in other orders"),
    factor(Scores, Bits8, 2.0, 0.6, "as products with weights, with operands in other orders"),
    factor(Function, Bits32, 80.0, 0.4, TABLE),
    factor(Function, Bits16, 80.0, 0.4, TABLE),
    factor(Function, Bits8, 1.8, 0.4, TABLE),
    factor(Statistic, Bits32, 20.0, 0.8, VECTOR),
    factor(Statistic, Bits16, 20.0, 0.8, VECTOR),
    factor(Statistic, Bits8, 20.0, 0.8, VECTOR),
    plain(Plain, 3.0, 0.7, VECTOR),
    plain(Pool, 2.0, 0.7, VECTOR),
    plain(Outside, 2.0, 0.5, "images have 3 channels, which lie on 3 lanes"),
    plain(Activations, 0.7, 0.3, MEMORY),
    plain(
        Spills,
        10.0,
        0.4,
        "published bytes of BERT and ViT in fp32: scores go 20 times through memory, 10 for each product",
    ),
    plain(Moves, 1.5, 0.6, "short runs of bytes"),
    plain(Joins, 0.1, 0.8, "what makes the parts writes them to their places"),
    Parameter { name: Name::Command, guess: 1000.0, spread: 0.5, source: SMALL },
    Parameter { name: Name::Start, guess: 30_000.0, spread: 0.7, source: SMALL },
    Parameter {
        name: Name::Transfers,
        guess: 1.4,
        spread: 0.15,
        source: "single transfers of the real dumps",
    },
    Parameter { name: Name::SmallUnits(Bits32), guess: 1.0, spread: 0.3, source: PAIRS },
    Parameter { name: Name::SmallUnits(Bits16), guess: 1.0, spread: 0.3, source: PAIRS },
    Parameter { name: Name::SmallUnits(Bits8), guess: 1.0, spread: 0.3, source: PAIRS },
    Parameter { name: Name::SmallUnitsTransfers, guess: 1.2, spread: 0.3, source: PAIRS },
    Parameter { name: Name::TwoCores(Bits32), guess: 1.6, spread: 0.2, source: PAIRS },
    Parameter { name: Name::TwoCores(Bits16), guess: 1.5, spread: 0.2, source: PAIRS },
    Parameter { name: Name::TwoCores(Bits8), guess: 1.4, spread: 0.2, source: PAIRS },
];

/// A value for each of [`PARAMETERS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// In the order of [`PARAMETERS`].
    pub values: [f64; PARAMETERS.len()],
}

impl Coefficients {
    /// Before anything was fitted.
    #[must_use]
    pub fn guessed() -> Self {
        Self { values: PARAMETERS.map(|parameter| parameter.guess) }
    }

    /// Fitted to all measured rows: written by `the_table_is_what_the_rows_give` with `BLESS=1`.
    #[must_use]
    pub fn fitted() -> Self {
        Self { values: super::fitted::VALUES }
    }

    /// The value of a number.
    #[must_use]
    pub fn get(&self, name: Name) -> f64 {
        let at = PARAMETERS.iter().position(|parameter| parameter.name == name);
        at.and_then(|at| self.values.get(at)).copied().unwrap_or(1.0)
    }

    /// The factor of a term for elements of a width.
    #[must_use]
    pub fn factor(&self, term: Term, width: Width) -> f64 {
        let has = |name: Name| PARAMETERS.iter().any(|parameter| parameter.name == name);
        let own = Name::Factor(term, Some(width));
        self.get(if has(own) { own } else { Name::Factor(term, None) })
    }
}
