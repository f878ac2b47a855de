//! Fields of registers as columns, under the names that tpu-mlir's profiler gives them.

use bigtpu_chip::Engine;
use bigtpu_compat::{Cell, Kinds, OwnValues, RecordLayout, RecordValue};

use crate::row::{Event, Row};

/// The columns of fields. Transfers have the sizes and strides of their destination as those of a result, those of their source as
/// those of the first operand.
pub(super) const REGISTERS: [&str; 43] = [
    "des_res0_n",
    "des_res0_c",
    "des_res0_h",
    "des_res0_w",
    "des_opd0_n",
    "des_opd0_c",
    "des_opd0_h",
    "des_opd0_w",
    "des_opd1_n",
    "des_opd1_c",
    "des_opd1_h",
    "des_opd1_w",
    "des_res0_n_str",
    "des_res0_c_str",
    "des_opd0_n_str",
    "des_opd0_c_str",
    "des_opd1_n_str",
    "des_opd1_c_str",
    "des_opd2_n_str",
    "des_opd2_c_str",
    "des_res0_addr",
    "des_opd0_addr",
    "des_opd1_addr",
    "des_opd2_addr",
    "des_res0_h_str",
    "des_res0_w_str",
    "des_opd0_h_str",
    "des_opd0_w_str",
    "des_opd1_h_str",
    "des_opd1_w_str",
    "des_opd2_h_str",
    "des_opd2_w_str",
    "des_res1_addr",
    "des_opd3_addr",
    "des_res_op_x_str",
    "des_res_op_y_str",
    "des_opd0_prec",
    "des_res0_prec",
    // Not columns of theirs, but what other columns are made of.
    "des_opd0_up_pad",
    "des_opd0_dn_pad",
    "des_opd0_lf_pad",
    "des_opd0_rt_pad",
    "des_cmd_id_dep",
];

/// Number of [`REGISTERS`], from the first one on, that are columns of `instruction.csv`.
pub(super) const COLUMNS: usize = 38;

/// The values of [`REGISTERS`] of a command; nothing where it has no such field.
pub(super) type Fields = [Option<i128>; REGISTERS.len()];

/// Reads the fields of commands. Of a kind of command, where its values are is found once.
#[derive(Default)]
pub(super) struct Registers<'a> {
    kinds: Kinds<Vec<Field<'a>>>,
}

/// Where a value is: the low bits, and the high ones of an address.
struct Field<'a> {
    low: Option<Cell<'a>>,
    high: Option<Cell<'a>>,
}

impl<'a> Registers<'a> {
    /// The values of a row's command.
    pub(super) fn read(&mut self, row: &Row<'a>) -> Fields {
        let Event::Command(command, _) = &row.event else { return [None; REGISTERS.len()] };
        let is_tiu = row.engine_id().engine == Engine::Tiu;
        let fields = self.kinds.get_or_make(command, |layout| {
            REGISTERS.iter().map(|name| Field::find(layout, name, is_tiu)).collect()
        });
        let mut values = OwnValues::new(command);
        let mut read = |cell: &Option<Cell<'_>>| match cell.as_ref()? {
            Cell::Shared(RecordValue::Int(value)) => Some(*value),
            Cell::Shared(_) => None,
            Cell::Varies(varying) => match values.get(*varying) {
                RecordValue::Int(value) => Some(value),
                _ => None,
            },
        };
        std::array::from_fn(|at| {
            let field = fields.get(at)?;
            let low = read(&field.low)?;
            Some(low + (read(&field.high).unwrap_or(0) << 32))
        })
    }
}

impl<'a> Field<'a> {
    fn find(layout: &RecordLayout<'a>, name: &str, is_tiu: bool) -> Self {
        let find = |wanted: &dyn Fn(&str) -> bool| {
            let mut all = layout.further_fields();
            all.find(|(_, (key, _))| wanted(key)).map(|(_, (_, cell))| cell.clone())
        };
        let own = name.trim_start_matches("des_");
        if is_tiu {
            return Self { low: find(&|key| key == own), high: None };
        }
        let side = if own.starts_with("res0_") { "dst" } else { "src" };
        let part = own.trim_start_matches("res0_").trim_start_matches("opd0_");
        if part == "addr" {
            let (low, high) = (format!("{side}_start_addr_l32"), format!("{side}_start_addr_h"));
            return Self {
                low: find(&|key| key == low),
                high: find(&|key| key.starts_with(&high)),
            };
        }
        let key = match part.split_once('_') {
            Some((axis, "str")) if axis.len() == 1 => format!("{side}_{axis}stride"),
            None if part.len() == 1 => format!("{side}_{part}size"),
            _ if part == "cmd_id_dep" => part.to_owned(),
            _ if own == "opd0_prec" => "src_data_format".to_owned(),
            _ => return Self { low: None, high: None },
        };
        Self { low: find(&|own| own == key), high: None }
    }
}
