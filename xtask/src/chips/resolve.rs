//! Operations and registers as decoding needs them: names made alike, repeated fields folded, lengths inferred.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::data::{OpData, RegisterData};
use crate::generated::Result;

/// How the chips of a family lay out their commands.
pub(super) struct Layout {
    /// Variant of `Family`.
    pub(super) family: &'static str,
    /// Constant of `Head` for DMA commands.
    pub(super) dma_head: &'static str,
    /// The DMA registers' high and low address words carry the same names in every register
    /// (`_h32` becomes `_l32`, `_l8` becomes `_h8`).
    rename: bool,
    /// A DMA function beyond the table repeats its type's name.
    pub(super) repeat_type: bool,
}

impl Layout {
    /// Whether the fields of an engine's registers are named as other chips name them.
    fn renames(&self, is_tiu: bool) -> bool {
        if is_tiu { self.family == "Bm1684x" } else { self.rename }
    }

    pub(super) fn read(family: &str) -> Result<Self> {
        Ok(match family {
            "AKS" => Self { family: "Aks", dma_head: "DMA", rename: true, repeat_type: true },
            "BM1688" => {
                Self { family: "Bm1688", dma_head: "DMA_BM1688", rename: true, repeat_type: false }
            }
            "BM1684X" => {
                Self { family: "Bm1684x", dma_head: "DMA_BM1688", rename: true, repeat_type: false }
            }
            "CV184X" => {
                Self { family: "Cv184x", dma_head: "DMA", rename: true, repeat_type: false }
            }
            "CV84X6" => {
                Self { family: "Cv84x6", dma_head: "DMA", rename: false, repeat_type: false }
            }
            _ => return Err(format!("no rules for chips of the family {family:?}").into()),
        })
    }
}

/// An operation.
pub(super) struct Op {
    pub(super) name: String,
    pub(super) variants: Vec<(usize, String)>,
    pub(super) register: Option<Register>,
    /// Length in bits, known even where the register is not.
    pub(super) bits: Option<u32>,
    pub(super) task: u8,
    pub(super) short: Option<bool>,
}

/// A register; of a name that occurs several times the first place and the last bits.
pub(super) struct Register {
    pub(super) bits: u32,
    pub(super) fields: Vec<(String, u16, u8)>,
}

impl Register {
    fn new(data: RegisterData, rename: bool) -> Self {
        let mut fields: Vec<(String, u16, u8)> = Vec::with_capacity(data.fields.len());
        for (name, bit, width) in data.fields {
            let name = if rename { renamed(name) } else { name };
            match fields.iter_mut().find(|field| field.0 == name) {
                Some(earlier) => (earlier.1, earlier.2) = (bit, width),
                None => fields.push((name, bit, width)),
            }
        }
        Self { bits: data.bits, fields }
    }

    /// Whether the register keeps a field of its own where others have the short bit: the operation must then be
    /// recognised with either value (AKS's LAR).
    fn uses_short_bit(&self, short_bit: Option<u16>) -> bool {
        let is_own = |name: &str| name != "cmd_short" && !name.starts_with("rsvd");
        short_bit.is_some_and(|bit| self.fields.iter().any(|f| f.1 == bit && is_own(&f.0)))
    }
}

fn renamed(name: String) -> String {
    match name.as_str() {
        "src_start_addr_h32" => "src_start_addr_l32".into(),
        "src_start_addr_l8" => "src_start_addr_h8".into(),
        "dst_start_addr_h32" => "dst_start_addr_l32".into(),
        "dst_start_addr_l8" => "dst_start_addr_h8".into(),
        // BM1684X's registers call these fields without the prefix.
        "opd0_prec" | "opd1_prec" | "opd2_prec" | "res0_prec" | "opd0_const" | "opd1_const"
        | "opd2_const" | "left_tran" => format!("opt_{name}"),
        _ => name,
    }
}

/// The operations of an engine, whose headers have the short bit at `short_bit`.
pub(super) fn ops(
    data: Vec<OpData>,
    registers: &Map<String, Value>,
    short_bit: Option<u16>,
    layout: &Layout,
    is_tiu: bool,
) -> Result<Vec<Op>> {
    let mut ops = Vec::new();
    for data in data {
        let register = registers.get(&data.name).map(RegisterData::deserialize).transpose()?;
        let register = register.map(|register| Register::new(register, layout.renames(is_tiu)));
        let mut variants = BTreeMap::new();
        for (code, name) in &data.variants {
            let name = name.as_str().ok_or_else(|| format!("{}: variant {code}", data.name))?;
            variants.insert(code.parse()?, name.to_owned());
        }
        let uses_short_bit = register.as_ref().is_some_and(|r| r.uses_short_bit(short_bit));
        ops.push(Op {
            bits: register.as_ref().map(|r| r.bits),
            register,
            variants: variants.into_iter().collect(),
            task: data.opcode,
            short: if uses_short_bit { None } else { data.short },
            name: data.name,
        });
    }
    infer_lengths(&mut ops);
    Ok(ops)
}

/// An operation without a register is as long as all others of its form, where enough of them are known and
/// agree: every long DMA command of a chip has the same length.
fn infer_lengths(ops: &mut [Op]) {
    /// One or two that agree prove nothing: AKSV's only known long TIU operation is a short one.
    const ENOUGH: usize = 4;
    for form in [Some(false), Some(true), None] {
        let known = ops.iter().filter(|op| op.short == form && op.register.is_some());
        let lengths: Vec<Option<u32>> = known.map(|op| op.bits).collect();
        let first = lengths.first().copied().flatten();
        let agree = lengths.len() >= ENOUGH && lengths.iter().all(|&length| length == first);
        for op in ops.iter_mut().filter(|op| op.short == form) {
            op.bits = op.bits.or(first.filter(|_| agree));
        }
    }
}

/// Which formulas count the work of a TIU operation: a variant of `TiuFamily`.
pub(super) fn tiu_family(name: &str) -> &'static str {
    match name {
        "CONV" | "sCONV" => "Conv",
        "MM" | "sMM" => "Mm",
        "MM2" | "sMM2" => "Mm2",
        "CMP" | "sCMP" => "Cmp",
        "SFU" | "sSFU" => "Sfu",
        "LIN" | "sLIN" => "Lin",
        "VC" | "sVC" => "Vc",
        "AR" | "sAR" => "Ar",
        "PorD" | "sPorD" => "PorD",
        "RQ&DQ" | "sRQ&sDQ" => "RqDq",
        "SG" | "sSG" => "Sg",
        "SGL" | "sSGL" => "Sgl",
        "CW&BC" | "sCW&sBC" | "TRANS&BC" | "sTRANS&sBC" => "CwBc",
        "SYS" | "SYSID" | "SYS_TR_ACC" | "SYS_TR_WR" => "Sys",
        _ => "Uncounted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_name_keeps_its_first_place_and_its_last_bits() {
        let field = |name: &str, bit, width| (name.to_owned(), bit, width);
        let fields = vec![field("reserved", 0, 4), field("b", 4, 4), field("reserved", 8, 8)];
        let register = Register::new(RegisterData { bits: 16, fields }, false);
        assert_eq!(register.fields, [field("reserved", 8, 8), field("b", 4, 4)]);
    }
}
