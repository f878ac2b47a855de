//! Descriptions of machines in YAML or JSON.
//!
//! The keys of the UPMEM LLM framework keep their names, so that its files load unchanged; the
//! others are optional. `docs/prediction/estimate.md` lists them all.

use bigtpu_messages::{Message, error_message};
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::data_type::DataType;
use crate::keys::{self, Key};
use crate::machine::Machine;

/// Why a text describes no machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Neither YAML nor JSON.
    #[error("{0}")]
    Yaml(#[from] crate::yaml::YamlError),
    /// Not the shape of the file.
    #[error("{0}")]
    Shape(Message),
    /// A key that no machine has.
    #[error("{}", error_message!("error-machine-file-unknown-key", machine, key, nearest))]
    UnknownKey {
        /// Machine.
        machine: String,
        /// Key as written.
        key: String,
        /// Known key that looks most like it.
        nearest: &'static str,
    },
    /// A required key is absent.
    #[error("{}", error_message!("error-machine-file-missing", machine, key))]
    Missing {
        /// Machine.
        machine: String,
        /// Key.
        key: &'static str,
    },
    /// A key's value is of no use.
    #[error("{}", error_message!("error-machine-file-bad-value", machine, key, value, wanted = Message::new(wanted)))]
    BadValue {
        /// Machine.
        machine: String,
        /// Key.
        key: String,
        /// Value as written.
        value: String,
        /// What it must be: an id of the catalogue.
        wanted: &'static str,
    },
}

impl Machine {
    /// The machines of a file: a map from name to description, or one description whose name is
    /// `file_name`.
    ///
    /// # Errors
    ///
    /// The text is no YAML, a key is unknown or missing, or a value is out of range.
    pub fn parse(text: &str, file_name: &str) -> Result<Vec<Self>, FileError> {
        Self::from_value(&crate::yaml::parse(text)?, file_name)
    }

    /// As [`Machine::parse`], of a text that was read already.
    ///
    /// # Errors
    ///
    /// A key is unknown or missing, or a value is out of range.
    pub fn from_value(value: &Value, file_name: &str) -> Result<Vec<Self>, FileError> {
        let no_map = || FileError::Shape(error_message!("problem-machine-map"));
        let map = value.as_object().ok_or_else(no_map)?;
        if map.is_empty() {
            return Err(FileError::Shape(error_message!("problem-machine-nothing")));
        }
        if map.values().all(Value::is_object) && !map.keys().any(|key| keys::is_known(key)) {
            let described = map.iter().filter_map(|(name, keys)| Some((name, keys.as_object()?)));
            return described.map(|(name, keys)| Self::from_keys(name, keys)).collect();
        }
        Ok(vec![Self::from_keys(file_name, map)?])
    }

    /// A machine from its keys.
    fn from_keys(name: &str, map: &Map<String, Value>) -> Result<Self, FileError> {
        let mut machine =
            Self { name: Self::mapping_name(name), cores: 1, chips: 1, ..Self::default() };
        for (key, value) in map {
            let place = Place { machine: name, key, value };
            match keys::find(key) {
                Some(Key::Number { set, .. }) => {
                    if let Some(number) = place.number()? {
                        set(&mut machine, number);
                    }
                }
                Some(Key::Count(set)) => set(&mut machine, place.count()?),
                Some(Key::Peak(data_type)) => {
                    if let Some(number) = place.number()? {
                        machine.peaks.insert(data_type, number);
                    }
                }
                Some(Key::Sources) => machine.sources = place.sources()?,
                None => return Err(place.unknown()),
            }
        }
        let missing = keys::required().find(|key| !map.contains_key(*key));
        if let Some(key) = missing {
            return Err(FileError::Missing { machine: name.to_owned(), key });
        }
        if let Some(&peak) = machine.peaks.get(&DataType::Fp16) {
            machine.tflops = peak;
        }
        if machine.tflops <= 0.0 || machine.memory.gbps.is_none() {
            let key = if machine.tflops <= 0.0 { "tflops" } else { "mem_bw_GBs" };
            let value = map.get(key).unwrap_or(&Value::Null);
            let wanted = "problem-wanted-peak";
            return Err(Place { machine: name, key, value }.bad(wanted));
        }
        Ok(machine)
    }
}

/// A key of a machine, for errors that name it.
struct Place<'a> {
    machine: &'a str,
    key: &'a str,
    value: &'a Value,
}

impl Place<'_> {
    fn bad(&self, wanted: &'static str) -> FileError {
        let (machine, key) = (self.machine.to_owned(), self.key.to_owned());
        FileError::BadValue { machine, key, value: self.value.to_string(), wanted }
    }

    fn unknown(&self) -> FileError {
        let (machine, key) = (self.machine.to_owned(), self.key.to_owned());
        let nearest = keys::nearest(&key);
        FileError::UnknownKey { machine, key, nearest }
    }

    /// `None` for null. Rates of 0 would make times infinite.
    fn number(&self) -> Result<Option<f64>, FileError> {
        let may_be_zero = keys::may_be_zero(self.key);
        let in_range =
            |number: &f64| number.is_finite() && (*number > 0.0 || (may_be_zero && *number == 0.0));
        match self.value {
            Value::Null => Ok(None),
            value => match value.as_f64().filter(in_range) {
                Some(number) => Ok(Some(number)),
                None if may_be_zero => Err(self.bad("problem-wanted-rate-or-zero")),
                None => Err(self.bad("problem-wanted-rate")),
            },
        }
    }

    fn count(&self) -> Result<u32, FileError> {
        let count = self.value.as_u64().and_then(|count| u32::try_from(count).ok());
        count.filter(|&count| count > 0).ok_or_else(|| self.bad("problem-wanted-whole"))
    }

    /// One text for all numbers, or a text for each key.
    fn sources(&self) -> Result<BTreeMap<String, Message>, FileError> {
        if let Some(text) = self.value.as_str() {
            return Ok(BTreeMap::from([("*".to_owned(), Message::source(text))]));
        }
        let texts = || -> Option<BTreeMap<String, Message>> {
            let map = self.value.as_object()?.iter();
            map.map(|(key, text)| Some((key.clone(), Message::source(text.as_str()?)))).collect()
        };
        texts().ok_or_else(|| self.bad("problem-wanted-sources"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UPMEM: &str = "
PIM_AI_4chip:
  host_to_device_bw_GBs: 12.8
  host_to_device_pj_per_bit: 80
  device_to_host_bw_GBs: 51.2
  device_to_host_pj_per_bit: 20
  mem_bw_GBs: 409.6
  mem_pj_per_bit: 0.95
  tflops: 20
  tflops_int4: 128
  pj_per_tflop: 0.4e12
  softmax_ns_per_element: 0.1
";

    #[test]
    fn a_file_of_upmem_loads_unchanged() {
        let machines = Machine::parse(UPMEM, "file").unwrap();
        let [machine] = machines.as_slice() else { panic!("one machine") };
        assert_eq!(machine.name, "PIM-AI-4chip");
        assert_eq!(machine.tflops, 20.0);
        assert_eq!(machine.peak(DataType::Int4).0, 128.0);
        assert_eq!(machine.memory.pj_per_bit, Some(0.95));
        assert_eq!(machine.element_ns.softmax, Some(0.1));
        assert_eq!(machine.element_ns.silu, None);
    }

    #[test]
    fn one_description_takes_the_name_of_the_file() {
        let keys: String = UPMEM.lines().skip(2).map(|line| format!("{}\n", line.trim())).collect();
        let more = "cores: 4\nl2_bw_GBs: 1000\nmem_latency_ns: 0\nidle_w: 3\nmem_bytes: 8589934592\nsources: a sheet\n";
        let machines = Machine::parse(&format!("{keys}{more}"), "my_pim").unwrap();
        let [machine] = machines.as_slice() else { panic!("one machine") };
        assert_eq!((machine.name.as_str(), machine.cores), ("my-pim", 4));
        assert_eq!((machine.l2.gbps, machine.idle_w), (Some(1000.0), Some(3.0)));
        assert_eq!(machine.memory_bytes, Some(1 << 33));
    }

    #[test]
    fn errors_name_machine_and_key() {
        let error = |from: &str, to: &str| {
            assert!(UPMEM.contains(from));
            Machine::parse(&UPMEM.replace(from, to), "file").unwrap_err().to_string()
        };
        assert_eq!(
            error("tflops_int4", "tflop_int4"),
            "machine `PIM_AI_4chip`: unknown key `tflop_int4`; the nearest known one is `tflops_int4`"
        );
        assert!(error("  mem_bw_GBs: 409.6\n", "").contains("`mem_bw_GBs` is missing"));
        assert!(error("409.6", "-1").contains("`mem_bw_GBs` is -1; it must be a number above 0"));
        assert!(error("409.6", "fast").contains("`mem_bw_GBs` is \"fast\""));
        assert!(error("409.6", "null").contains("because times depend on it"));
        assert!(Machine::parse("{}", "file").unwrap_err().to_string().contains("no machine"));
        assert!(Machine::parse("[1]", "file").is_err());
        // An unknown value is written as null.
        let unknown = UPMEM.replace("0.95", "null");
        assert_eq!(Machine::parse(&unknown, "file").unwrap()[0].memory.pj_per_bit, None);
    }
}
