//! Chip facts as source text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::data::ChipData;
use super::names;
use super::resolve::{self, Layout, Op};
use super::timing;
use crate::generated::Result;

const USES: &str = "
use crate::chip::*;
use crate::data::*;
use crate::memory::*;
use crate::names::*;
use crate::ops::*;
use crate::register::*;
use crate::timing::*;
use crate::tiu_cost::TiuFamily;
";

/// Longest line of generated text.
const WIDTH: usize = 110;

/// Names of the fields of all registers, in the order in which they first occur, so that a new one moves none of the others.
#[derive(Default)]
pub(super) struct FieldNames {
    pub(super) names: Vec<String>,
    places: BTreeMap<String, u32>,
}

impl FieldNames {
    fn place(&mut self, name: &str) -> u32 {
        let Self { names, places } = self;
        *places.entry(name.to_owned()).or_insert_with(|| {
            names.push(name.to_owned());
            names.len() as u32 - 1
        })
    }

    /// A field as a word: its name, first bit and width, as `Field::unpacked` reads them.
    fn word(&mut self, (name, bit, width): &(String, u16, u8)) -> Result<u32> {
        let place = self.place(name);
        if place >= 1 << 10 || *bit >= 1 << 15 || *width >= 1 << 7 {
            return Err(
                format!("no room in a word: field {name:?}, name {place}, bit {bit}").into()
            );
        }
        Ok(place | u32::from(*bit) << 10 | u32::from(*width) << 25)
    }
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// Items, as many a line as fit.
pub(super) fn list(items: &[String], indent: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    for item in items {
        if !line.is_empty() && indent.len() + line.len() + item.len() + 2 > WIDTH {
            let _ = writeln!(out, "{indent}{}", line.trim_end());
            line.clear();
        }
        line.push_str(item);
        line.push_str(", ");
    }
    if !line.is_empty() {
        let _ = writeln!(out, "{indent}{}", line.trim_end());
    }
    out
}

/// The source of a chip's facts: a constant `CHIP`. The names of its registers' fields are added to `field_names`.
pub(super) fn chip(data: ChipData, field_names: &mut FieldNames) -> Result<String> {
    let layout = Layout::read(&data.family)?;
    let timing = timing::timing(&data)?;
    let mut out = String::from(USES);
    let engines = [
        ("TIU", data.tiu_ops, "TIU", Some(0), true),
        ("DMA", data.dma_ops, layout.dma_head, Some(3), false),
        ("CDMA", data.cdma_ops, "CDMA", None, false),
    ];
    for (name, ops, head, short_bit, is_tiu) in engines {
        let ops = resolve::ops(ops, &data.registers, short_bit, &layout, is_tiu)?;
        op_table(&mut out, (name, head), &ops, is_tiu, field_names)?;
    }
    names::dma(&mut out, &data.dma_names)?;
    names::pairs(&mut out, "CDMA_NAMES", &data.cdma_names)?;
    names::rvt(&mut out, data.rvt_names)?;
    let arch = data.arch.iter().map(|(key, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("ArchEntry {{ key: {key:?}, value: {value:?} }}")
    });
    let arch = list(&arch.collect::<Vec<_>>(), "        ");
    let wrap = match (data.command_id_wrap_max, data.tiu_wrap_command, data.dma_wrap_command) {
        (Some(at), Some(tiu), Some(dma)) => {
            format!("Some(WrapCommands {{ at: {at}, tiu: {tiu:?}, dma: {dma:?} }})")
        }
        (None, None, None) => "None".to_owned(),
        _ => return Err(format!("{}: half of a pair of wrap commands", data.chip).into()),
    };
    let data_types: Vec<&String> = data.data_types.keys().collect();
    let (codes, array, bytes) = (data.sys_code, data.array, data.pmu_record_bytes);
    let _ = write!(
        out,
        "
pub(super) const CHIP: Chip = Chip {{
    name: {:?},
    family: Family::{},
    aliases: &{:?},
    arch_values: &{:?},
    core_num: {},
    cdma_ports: {},
    preamble: {},
    system: SystemCodes {{ tiu: {}, dma: {}, cdma: {} }},
    align_on_second: {},
    edge_trim: {},
    pair_by_id: {},
    wrap: {wrap},
    array: ArrayShape {{ lanes: {}, vector_base: {}, cube_base: {} }},
    record_bytes: ({}, {}),
    engines: {},
    data_types: &{data_types:?},
    timing: {timing},
    arch: &[
{arch}    ],
    names: Names {{
        tiu: super::tiu_names::TIU_NAMES,
        dma: DMA_NAMES,
        cdma: CDMA_NAMES,
        repeat_type: {},
        rvt: RVT,
    }},
    tiu: TIU,
    dma: DMA,
    cdma: CDMA,
}};
",
        data.chip,
        layout.family,
        data.aliases,
        data.arch_values,
        data.core_num,
        data.cdma_ports,
        data.profile_init_cmd_num,
        codes.tiu,
        codes.dma,
        codes.cdma,
        data.align_on_leading_sys_wait,
        data.tiu_pmu_edge_trim,
        data.des_pair_by_id_fallback,
        array.lanes,
        array.vector_base,
        array.cube_base,
        bytes.tiu,
        bytes.dma,
        engine_numbers(&data.engines),
        layout.repeat_type,
    );
    Ok(out)
}

/// `const NAME: OpTable`.
fn op_table(
    out: &mut String,
    (name, head): (&str, &str),
    ops: &[Op],
    is_tiu: bool,
    field_names: &mut FieldNames,
) -> Result<()> {
    let _ = writeln!(
        out,
        "\nconst {name}: OpTable = OpTable::new(Head::{head}, {name}_OPS, {name}_INDEX);"
    );
    let _ = writeln!(out, "const {name}_INDEX: &OpIndex = &op_index({name}_OPS);");
    let _ = writeln!(out, "const {name}_OPS: &[Op] = &[");
    for op in ops {
        let family = if is_tiu { resolve::tiu_family(&op.name) } else { "Uncounted" };
        let _ = writeln!(
            out,
            "    Op {{
        name: {:?}, task: {}, short: {:?}, bits: {:?}, family: TiuFamily::{family},
        variants: &{:?},",
            op.name, op.task, op.short, op.bits, op.variants,
        );
        match &op.register {
            None => out.push_str("        register: None,\n"),
            Some(register) => {
                let words = register.fields.iter().map(|field| field_names.word(field));
                let fields: Result<Vec<String>> = words.map(|word| Ok(word?.to_string())).collect();
                let fields = fields?;
                let _ = writeln!(
                    out,
                    "        register: Some(Register::new({}, &fields([\n{}        ]))),",
                    register.bits,
                    list(&fields, "            "),
                );
            }
        }
        out.push_str("    },\n");
    }
    out.push_str("];\n");
    Ok(())
}

/// The engines by their numbers in DYN_DATA words. VSDMA is a second queue of the SDMA; HAU records nothing.
fn engine_numbers(engines: &Map<String, Value>) -> String {
    let mut numbers = ["None"; 8];
    for (name, number) in engines {
        let engine = match name.as_str() {
            "BD" => "Some(Engine::Tiu)",
            "GDMA" => "Some(Engine::Gdma)",
            "SDMA" | "VSDMA" => "Some(Engine::Sdma)",
            "CDMA" => "Some(Engine::Cdma)",
            _ => continue,
        };
        let number = number.as_u64().and_then(|number| usize::try_from(number).ok());
        if let Some(known) = number.and_then(|number| numbers.get_mut(number)) {
            *known = engine;
        }
    }
    format!("[{}]", numbers.join(", "))
}
