//! Work and time of TIU commands (section 4.2): requested operations, operations after padding to
//! the array, and cycles of an ideal run. Strides, addresses, layouts and padding never enter.

use crate::ops::{Command, Op};
use crate::peak::{CUBE_POSITIONS, cube_ops_per_cycle};
use crate::precision::Precision;
use crate::register::Slot;
use crate::{Chip, Family};

/// Formula families. The short and the long form of an operation share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TiuFamily {
    /// Convolution.
    Conv,
    /// Matrix multiply.
    Mm,
    /// Matrix multiply 2.
    Mm2,
    /// Fused compare.
    Cmp,
    /// Special functions.
    Sfu,
    /// Linear (multiply-add, squares).
    Lin,
    /// Vector correlation.
    Vc,
    /// Elementwise arithmetic.
    Ar,
    /// Pooling or depthwise convolution.
    PorD,
    /// Requantize and dequantize.
    RqDq,
    /// Gather and scatter.
    Sg,
    /// Gather and scatter of lines.
    Sgl,
    /// Transpose and broadcast.
    CwBc,
    /// System commands: one operation, no time.
    Sys,
    /// Operations that nothing is counted for.
    Uncounted,
}

/// The work of a TIU command. Counts are exact: for shapes of 16-bit sizes they can exceed 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TiuCost {
    /// Operations of the algorithm. Negative where a kernel has a size of 0.
    pub alg_ops: i128,
    /// Operations after padding to the array.
    pub uarch_ops: i128,
    /// Cycles of an ideal run as bigTpuProfile counts them; 0 on BM1684X, for which it has no formula.
    pub alg_cycles: i128,
    /// Cycles at the peak of the unit and data type ([`cube_ops_per_cycle`]), on every chip: the roof. `None` where the
    /// operations are not known.
    pub roof_cycles: Option<i128>,
    /// Cycles before the first result (shown on BM1688 and CV84X6).
    pub initial_cycles: u32,
    /// Cycles lost to bank conflicts, as BM1688 estimates them from addresses.
    pub bank_conflict_cycles: u32,
}

impl TiuCost {
    /// A command known by type only, and every system command.
    pub const UNIT: Self = Self {
        alg_ops: 1,
        uarch_ops: 1,
        alg_cycles: 0,
        roof_cycles: None,
        initial_cycles: 0,
        bank_conflict_cycles: 0,
    };

    /// Cost of a command with full bits.
    #[must_use]
    pub fn compute(chip: &Chip, command: &Command<'_>) -> Self {
        let shape = Shape::read(chip, command);
        let cost = shape.cost();
        let cost = Self { roof_cycles: shape.roof_cycles(&cost), ..cost };
        // bigTpuProfile has no cycles for BM1684X; its padding and its peaks are known.
        if chip.family == Family::Bm1684x {
            return Self { alg_cycles: 0, initial_cycles: 0, ..cost };
        }
        cost
    }
}

impl TiuCost {
    /// Cycles lost to bank conflicts: the only part of the cost that depends on addresses.
    #[must_use]
    #[inline]
    pub fn bank_conflicts(chip: &Chip, command: &Command<'_>) -> u32 {
        if !Self::may_conflict(chip, command.op) {
            return 0;
        }
        let same = 2 * command.get(Slot::Res0Addr) == command.get(Slot::Opd0Addr);
        if same { 2 } else { 1 }
    }

    /// What of an operation's addresses [`TiuCost::bank_conflicts`] looks at: bits of fields, by the fields' own numbering.
    #[must_use]
    pub fn address_bits(chip: &Chip, op: &Op) -> Vec<(Slot, u64)> {
        let slots: &[Slot] =
            if Self::may_conflict(chip, op) { &[Slot::Res0Addr, Slot::Opd0Addr] } else { &[] };
        slots.iter().map(|slot| (*slot, u64::MAX)).collect()
    }

    #[inline]
    fn may_conflict(chip: &Chip, op: &Op) -> bool {
        matches!(chip.family, Family::Bm1688 | Family::Cv184x) && op.family == TiuFamily::RqDq
    }
}

/// `a * ceil(x / a)` for `x >= 0`.
#[must_use]
pub fn round_up(x: i128, a: i128) -> i128 {
    ceil_div(x, a) * a
}

/// `floor((x + a - 1) / a)`, the ceiling also for negative `x`.
#[must_use]
pub fn ceil_div(x: i128, a: i128) -> i128 {
    (x + a - 1).div_euclid(a)
}

/// A command's sizes and types, and the array's.
struct Shape<'a> {
    chip: &'a Chip,
    command: &'a Command<'a>,
    n: i128,
    c: i128,
    h: i128,
    w: i128,
    o0: Precision,
    o1: Precision,
    o2: Precision,
    r: Precision,
    lanes: i128,
}

/// Bytes of a lane's simple unit.
const UNIT_BYTES: i128 = 16;

impl<'a> Shape<'a> {
    fn read(chip: &'a Chip, command: &'a Command<'a>) -> Self {
        let size = |slot| i128::from(command.get(slot));
        let precision = |slot| Precision(command.get(slot) as u8);
        Self {
            chip,
            command,
            n: size(Slot::Res0N),
            c: size(Slot::Res0C),
            h: size(Slot::Res0H),
            w: size(Slot::Res0W),
            o0: precision(Slot::Opd0Prec),
            o1: precision(Slot::Opd1Prec),
            o2: precision(Slot::Opd2Prec),
            r: precision(Slot::Res0Prec),
            lanes: i128::from(chip.array.lanes),
        }
    }

    fn size(&self, slot: Slot) -> i128 {
        i128::from(self.command.get(slot))
    }

    /// Elements of type `p` that a lane's vector unit takes a cycle.
    fn eu(&self, p: Precision) -> i128 {
        i128::from(p.elements(self.chip.array.vector_base))
    }

    /// Input channels of type `p` that a lane's cube takes a cycle.
    fn cube(&self, p: Precision) -> i128 {
        if p.is_32_bit() { 1 } else { i128::from(p.elements(self.chip.array.cube_base)) }
    }

    fn volume(&self) -> i128 {
        self.n * self.c * self.h * self.w
    }

    /// n, padded c, and padded h*w: the usual walk of the vector unit.
    fn padded_plane(&self, unit: i128) -> i128 {
        self.n * round_up(self.c, self.lanes) * round_up(self.h * self.w, unit)
    }

    /// n, padded c, h, and padded w: a walk row by row.
    fn padded_rows(&self, unit: i128) -> i128 {
        self.n * round_up(self.c, self.lanes) * self.h * round_up(self.w, unit)
    }

    /// Elements of type `p` in a lane's simple unit.
    fn unit(p: Precision) -> i128 {
        UNIT_BYTES / i128::from(p.whole_bytes())
    }

    fn cost(&self) -> TiuCost {
        let v = self.command.variant;
        match self.command.op.family {
            TiuFamily::Conv => self.conv(),
            TiuFamily::Mm => self.mm(),
            TiuFamily::Mm2 => self.mm2(v),
            TiuFamily::Cmp => self.cmp(v),
            TiuFamily::Sfu => self.sfu(v),
            TiuFamily::Lin => self.lin(),
            TiuFamily::Vc => self.vc(),
            TiuFamily::Ar => {
                let f = if v == 12 { 5 } else { 1 };
                self.elementwise(f, self.eu(self.o0) * self.lanes * f, 11)
            }
            TiuFamily::PorD => self.pool_or_depthwise(v),
            TiuFamily::RqDq => {
                let mut cost = self.elementwise(3, 3 * self.eu(self.o0) * self.lanes, 11);
                cost.bank_conflict_cycles = TiuCost::bank_conflicts(self.chip, self.command);
                cost
            }
            TiuFamily::Sg => {
                let uarch = self.padded_rows(self.eu(self.o0));
                counted(self.volume(), uarch, self.lanes, 11)
            }
            TiuFamily::Sgl => {
                let uarch = self.padded_rows(self.eu(self.r));
                counted(self.volume(), uarch, self.lanes * self.lanes, 24)
            }
            TiuFamily::CwBc => self.transpose_or_broadcast(v),
            TiuFamily::Sys => TiuCost::UNIT,
            TiuFamily::Uncounted => TiuCost::default(),
        }
    }

    /// Cycles of the operations at the peak of what computes them. Half precision of BM1688 and CV184X is slower than
    /// bigTpuProfile's cycles say.
    fn roof_cycles(&self, cost: &TiuCost) -> Option<i128> {
        match self.command.op.family {
            TiuFamily::Uncounted => None,
            TiuFamily::Conv | TiuFamily::Mm2 => {
                let at_peak =
                    ceil_div(cost.alg_ops, cube_ops_per_cycle(self.chip, self.o0) as i128);
                Some(cost.alg_cycles.max(at_peak).max(0))
            }
            // Maxima count as multiply-adds do, and are found as fast: hardware takes down to two thirds of the cycles of
            // bigTpuProfile.
            TiuFamily::PorD if matches!(self.command.variant, 1 | 4) => {
                let a_cycle = 2 * self.eu(self.o0) * self.lanes;
                Some(ceil_div(cost.alg_ops, a_cycle).max(0))
            }
            _ => Some(cost.alg_cycles.max(0)),
        }
    }

    /// `f` operations an element on the vector unit.
    fn elementwise(&self, f: i128, a_cycle: i128, initial: u32) -> TiuCost {
        counted(self.volume() * f, self.padded_plane(self.eu(self.o0)) * f, a_cycle, initial)
    }

    fn conv(&self) -> TiuCost {
        let (ic, kh, kw) = (self.size(Slot::Opd0C), self.size(Slot::Opd1H), self.size(Slot::Opd1W));
        let kernel = |ic: i128| 2 * ic * kh * kw - 1 + self.size(Slot::Opd2Const);
        let is_fp32 = self.o0 == Precision::FP32;
        let (positions, padded_ic, a_cycle) = if is_fp32 {
            let eu = self.eu(Precision::FP32);
            (eu, ic, 2 * self.lanes * eu)
        } else {
            let cube = self.cube(self.o0);
            (CUBE_POSITIONS, round_up(ic, cube), 8 * self.lanes * cube)
        };
        let uarch = self.padded_plane(positions) * kernel(padded_ic);
        counted(self.volume() * kernel(ic), uarch, a_cycle, 23)
    }

    fn mm(&self) -> TiuCost {
        let (mut m, mut k) =
            (self.size(Slot::Opd0N), self.size(Slot::Opd0C) * self.size(Slot::Opd0W));
        if self.size(Slot::LeftTran) == 1 {
            std::mem::swap(&mut m, &mut k);
        }
        let eu = self.eu(self.o0);
        let ops = m * self.c * self.w * 2 * k;
        let uarch = m * round_up(self.c, self.lanes) * round_up(self.w, eu) * 2 * k;
        counted(ops, uarch, 2 * self.lanes * eu, 32)
    }

    fn mm2(&self, v: u8) -> TiuCost {
        let cv = self.chip.family == Family::Cv84x6;
        let nt = v == 5 || cv && matches!(v, 8 | 11 | 13);
        let tt = v == 6 || cv && matches!(v, 9 | 12);
        let (m, k, n) = if tt {
            let side = self.size(Slot::Opd1W);
            (side, self.c, side)
        } else if nt {
            (self.c, self.size(Slot::Opd1C), self.size(Slot::Opd1W))
        } else {
            (self.c, self.size(Slot::Opd1W), self.size(Slot::Opd1C))
        };
        let align = match self.chip.family {
            Family::Bm1688 | Family::Cv184x => self.cube(self.r),
            Family::Aks | Family::Bm1684x | Family::Cv84x6 => self.eu(self.r),
        };
        let uarch = 2 * round_up(m, self.lanes) * round_up(n, align) * round_up(k, CUBE_POSITIONS);
        let initial = match v {
            4 | 7 => 81,
            5 | 8 | 11 | 13 => 56,
            6 | 9 | 12 => 37,
            _ => 0,
        };
        counted(2 * m * n * k, uarch, 8 * self.lanes * self.cube(self.o0), initial)
    }

    fn cmp(&self, v: u8) -> TiuCost {
        let by_third = self.chip.family != Family::Cv84x6 && matches!(v, 23 | 24 | 26);
        let t = if by_third { self.o2 } else { self.o0 };
        self.elementwise(2, 2 * self.lanes * Self::unit(t), 9)
    }

    fn sfu(&self, v: u8) -> TiuCost {
        let table = self.size(Slot::Opd1N);
        let (f, d) = match (self.chip.family, v) {
            (_, 17) => (30, 1),
            (Family::Aks, 12 | 13) => (table, 1),
            (Family::Bm1684x | Family::Bm1688 | Family::Cv184x, 12 | 13) | (Family::Cv84x6, 12) => {
                (2 * table - 1, 2)
            }
            _ => (1, 1),
        };
        let initial = if v == 17 { 14 } else { 0 };
        self.elementwise(f, self.lanes * self.eu(self.o0) * d, initial)
    }

    fn lin(&self) -> TiuCost {
        let q = if self.chip.family == Family::Cv84x6 { self.o0 } else { self.r };
        let uarch = 2 * self.padded_rows(self.eu(q));
        counted(2 * self.volume(), uarch, 2 * self.lanes * Self::unit(self.r), 12)
    }

    fn vc(&self) -> TiuCost {
        let n = if self.chip.family == Family::Cv84x6 {
            1
        } else {
            (self.size(Slot::Opd0C) - 1) * self.size(Slot::Opd0W) + self.size(Slot::Opd1W)
        };
        let widest = self.o0.whole_bytes().max(self.o1.whole_bytes()).max(self.r.whole_bytes());
        let a = UNIT_BYTES / i128::from(widest);
        let uarch = n * round_up(self.c, self.lanes) * round_up(self.w, a);
        counted(n * self.c * self.w, uarch, a * self.lanes, 0)
    }

    fn pool_or_depthwise(&self, v: u8) -> TiuCost {
        let g = if matches!(v, 0 | 1 | 4) {
            2 * self.size(Slot::Opd1H) * self.size(Slot::Opd1W) - 1
        } else {
            6
        };
        let speed = match v {
            0 => 2,
            1 | 4 => 1,
            _ => 7,
        };
        self.elementwise(g, speed * self.eu(self.o0) * self.lanes, 10)
    }

    fn transpose_or_broadcast(&self, v: u8) -> TiuCost {
        let one = |size| if self.chip.family == Family::Cv84x6 { size } else { 1 };
        let (n, h, w) = match v {
            4 => (one(self.n), one(self.h), self.w),
            5 => (one(self.n), one(self.h), one(self.w)),
            _ => (self.n, self.h, self.w),
        };
        let eu = self.eu(self.r);
        let plane = if v <= 1 { h * round_up(w, eu) } else { round_up(h * w, eu) };
        let uarch = n * round_up(self.c, self.lanes) * plane;
        let lanes = if matches!(v, 3 | 4) { self.lanes } else { 1 };
        let initial = match v {
            0 => 30,
            2 | 3 => 27,
            4 | 5 => 3,
            _ => 0,
        };
        counted(n * self.c * h * w, uarch, Self::unit(self.r) * lanes, initial)
    }
}

/// Puts a cost together: `a_cycle` operations of the algorithm are done a cycle.
fn counted(alg_ops: i128, uarch_ops: i128, a_cycle: i128, initial_cycles: u32) -> TiuCost {
    TiuCost {
        alg_ops,
        uarch_ops,
        alg_cycles: ceil_div(alg_ops, a_cycle),
        roof_cycles: None,
        initial_cycles,
        bank_conflict_cycles: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_hold_below_zero() {
        assert_eq!(
            (ceil_div(9, 4), ceil_div(8, 4), ceil_div(-1, 4), ceil_div(-4, 4)),
            (3, 2, 0, -1)
        );
        assert_eq!((round_up(9, 4), round_up(0, 4)), (12, 0));
    }
}
