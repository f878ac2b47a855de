//! A model as a file: constants that a user measured, each with where it is from.

use bigtpu_chip::{Checked, Chip, Constant, ConstantSource, Grade, Memory, TransferTiming};
use bigtpu_messages::{ForeignReason as _, Message, error_message};
use serde_json::{Map, Value, json};

use crate::model::{CostModel, TransferConstants};

/// Version of the file's layout.
const SCHEMA_VERSION: u64 = 1;

/// Constants above this are refused: none is near it, and sums of products stay in range.
const GREATEST: u64 = 1 << 32;

/// Why a file is no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-no-model", value = .0))]
pub struct NoModel(Message);

/// A constant's value in JSON.
trait InFile: Copy {
    fn to_json(self) -> Value;
    fn of_json(value: &Value) -> Option<Self>;
}

impl InFile for u64 {
    fn to_json(self) -> Value {
        self.into()
    }

    fn of_json(value: &Value) -> Option<Self> {
        value.as_u64().filter(|number| *number <= GREATEST)
    }
}

impl InFile for i64 {
    fn to_json(self) -> Value {
        self.into()
    }

    fn of_json(value: &Value) -> Option<Self> {
        value.as_i64().filter(|number| number.unsigned_abs() <= GREATEST)
    }
}

impl InFile for bool {
    fn to_json(self) -> Value {
        self.into()
    }

    fn of_json(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl InFile for (i64, i64) {
    fn to_json(self) -> Value {
        json!([self.0, self.1])
    }

    fn of_json(value: &Value) -> Option<Self> {
        let [slope, more] = value.as_array()?.as_slice() else { return None };
        Some((i64::of_json(slope)?, i64::of_json(more)?))
    }
}

fn source_name(source: ConstantSource) -> &'static str {
    match source {
        ConstantSource::Measured => "measured",
        ConstantSource::ChipFile => "chip file",
        ConstantSource::OtherChip => "other chip",
    }
}

fn write<T: InFile>(constant: Constant<T>) -> Value {
    json!([constant.value.to_json(), source_name(constant.source)])
}

fn read<T: InFile>(value: &Value, key: &str) -> Result<Constant<T>, NoModel> {
    let parts = value.as_array().map(Vec::as_slice);
    let constant = match parts {
        Some([value, source]) => {
            let source = match source.as_str() {
                Some("measured") => Some(ConstantSource::Measured),
                Some("chip file") => Some(ConstantSource::ChipFile),
                Some("other chip") => Some(ConstantSource::OtherChip),
                _ => None,
            };
            T::of_json(value).zip(source).map(|(value, source)| Constant { value, source })
        }
        _ => None,
    };
    constant.ok_or_else(|| NoModel(error_message!("problem-constants-value", key)))
}

/// Calls a macro with the fields of each part of a model.
macro_rules! fields {
    (tiu, $call:ident, $($more:tt)*) => {
        $call!($($more)*; lanes line_bytes input_channels_8bit positions_8bit positions_16bit pool_read_bytes conv_read_bytes
            keeps_last_read pool_keeps_by_column conv_start conv_start_per_round depthwise_start depthwise_log2_up
            float_cast_start broadcast_start broadcast_in_place distribute)
    };
    (dma, $call:ident, $($more:tt)*) => {
        $call!($($more)*; bus_bytes system_cycles first_from_ddr_milli sharing_milli)
    };
    (pauses, $call:ident, $($more:tt)*) => {
        $call!($($more)*; tiu_after_tiu tiu_after_dma dma_after_dma dma_after_tiu)
    };
    (transfer, $call:ident, $($more:tt)*) => {
        $call!($($more)*; start rate_milli run_milli least_run_milli)
    };
}

macro_rules! to_object {
    ($of:expr; $($field:ident)*) => {{
        let mut object = Map::new();
        $(object.insert(stringify!($field).to_owned(), write($of.$field));)*
        object
    }};
}

macro_rules! of_object {
    ($to:expr, $object:expr; $($field:ident)*) => {
        for (key, value) in $object {
            match key.as_str() {
                $(stringify!($field) => $to.$field = read(value, key)?,)*
                _ => return Err(NoModel(error_message!("problem-constants-key", key))),
            }
        }
    };
}

const MEMORIES: [Memory; 4] = [Memory::Ddr, Memory::L2m, Memory::Lmem, Memory::L2];

fn memory(value: &Value) -> Result<Memory, NoModel> {
    let found = MEMORIES.into_iter().find(|memory| value.as_str() == Some(memory.name()));
    found.ok_or_else(|| NoModel(error_message!("problem-constants-memory", value)))
}

fn part<'v>(file: &'v Value, key: &str) -> Result<&'v Map<String, Value>, NoModel> {
    file[key].as_object().ok_or_else(|| NoModel(error_message!("problem-constants-missing", key)))
}

fn list<'v>(file: &'v Value, key: &str) -> Result<&'v [Value], NoModel> {
    let list = file[key].as_array().map(Vec::as_slice);
    list.ok_or_else(|| NoModel(error_message!("problem-constants-missing", key)))
}

impl CostModel {
    /// The model as a file.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let transfer = |of: &TransferTiming| {
            let mut object = fields!(transfer, to_object, of);
            object.insert("from".to_owned(), of.from.map_or("fill", Memory::name).into());
            object.insert("to".to_owned(), of.to.name().into());
            Value::Object(object)
        };
        let checked = |of: &Checked| {
            let grade = if of.grade == Grade::Exact { "exact" } else { "fitted" };
            json!({"task": of.task, "variant": of.variant, "data_type": of.data_type, "grade": grade})
        };
        json!({
            "schema_version": SCHEMA_VERSION,
            "chip": self.chip.name,
            "tiu": fields!(tiu, to_object, self.tiu),
            "dma": fields!(dma, to_object, self.dma),
            "pauses_ps": fields!(pauses, to_object, self.pauses),
            "transfers": self.transfers.0.iter().map(transfer).collect::<Vec<_>>(),
            "checked": self.checked.iter().map(checked).collect::<Vec<_>>(),
        })
    }

    /// Reads what [`CostModel::to_json`] wrote.
    ///
    /// # Errors
    /// [`NoModel`] where the text is none.
    pub fn of_json(text: &str) -> Result<Self, NoModel> {
        let file: Value = serde_json::from_str(text).map_err(|error| NoModel(error.reason()))?;
        if file["schema_version"].as_u64() != Some(SCHEMA_VERSION) {
            return Err(NoModel(error_message!(
                "problem-constants-version",
                version = SCHEMA_VERSION
            )));
        }
        let chip = file["chip"].as_str().unwrap_or_default();
        let chip = Chip::find(chip).map_err(|error| NoModel(Message::displayed(&error)))?;
        let mut model = Self::compiled_in(chip);
        fields!(tiu, of_object, model.tiu, part(&file, "tiu")?);
        fields!(dma, of_object, model.dma, part(&file, "dma")?);
        fields!(pauses, of_object, model.pauses, part(&file, "pauses_ps")?);
        let sizes = [
            model.tiu.lanes.value,
            model.tiu.line_bytes.value,
            model.tiu.input_channels_8bit.value,
            model.tiu.positions_8bit.value,
            model.tiu.positions_16bit.value,
            model.dma.bus_bytes.value,
        ];
        // The greatest bus: tables are as long as it is wide.
        if sizes.contains(&0) || model.dma.bus_bytes.value > 1 << 12 {
            return Err(NoModel(error_message!("problem-constants-size")));
        }
        model.transfers = TransferConstants(Vec::new());
        for object in list(&file, "transfers")? {
            let own = object.as_object();
            let mut own =
                own.ok_or_else(|| NoModel(error_message!("problem-constants-transfer")))?.clone();
            let from = own.remove("from").unwrap_or_default();
            let to = memory(&own.remove("to").unwrap_or_default())?;
            let from = if from == "fill" { None } else { Some(memory(&from)?) };
            let none = Constant { value: 0, source: ConstantSource::Measured };
            let mut timing = TransferTiming {
                from,
                to,
                start: none,
                rate_milli: none,
                run_milli: none,
                least_run_milli: none,
            };
            fields!(transfer, of_object, timing, &own);
            if timing.rate_milli.value == 0 {
                return Err(NoModel(error_message!("problem-constants-rate")));
            }
            model.transfers.0.push(timing);
        }
        let checked = |object: &Value| {
            let code = |key: &str| u8::try_from(object[key].as_u64()?).ok();
            let grade = match object["grade"].as_str()? {
                "exact" => Grade::Exact,
                "fitted" => Grade::Fitted,
                _ => return None,
            };
            let data_type = if object["data_type"].is_null() { None } else { code("data_type") };
            Some(Checked { task: code("task")?, variant: code("variant")?, data_type, grade })
        };
        let all: Option<Vec<Checked>> = list(&file, "checked")?.iter().map(checked).collect();
        model.checked = all.ok_or_else(|| NoModel(error_message!("problem-constants-checked")))?;
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::chips;

    use super::*;

    #[test]
    fn a_model_is_read_as_it_was_written() {
        for chip in chips() {
            let written = CostModel::compiled_in(chip).to_json();
            let read = CostModel::of_json(&written.to_string()).unwrap();
            assert_eq!(read.to_json(), written, "{}", chip.name);
        }
    }

    #[test]
    fn damaged_files_end_with_a_sentence() {
        let whole = CostModel::compiled_in(chips().first().unwrap()).to_json();
        let mut broken = whole.clone();
        broken["transfers"][0]["rate_milli"] = json!([0, "measured"]);
        let mut unknown = whole.clone();
        unknown["tiu"]["wings"] = json!([2, "measured"]);
        let mut flat = whole.clone();
        flat["tiu"]["lanes"] = json!([0, "measured"]);
        let mut other = whole;
        other["chip"] = json!("Z80");
        for (file, says) in
            [(broken, "rate is 0"), (unknown, "wings"), (flat, "a size is 0"), (other, "Z80")]
        {
            let error = CostModel::of_json(&file.to_string()).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        for text in ["", "[]", "{}", "{\"schema_version\": 1, \"chip\": \"AKS\"}"] {
            CostModel::of_json(text).unwrap_err();
        }
    }
}
