//! Names of machines, which completions list; a file that describes one is taken as well.

use std::ffi::OsStr;
use std::sync::LazyLock;

use bigtpu_machine::{PresetSet, presets};
use clap::builder::{PossibleValue, TypedValueParser};

/// clap keeps them.
static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| presets(PresetSet::All).into_iter().map(|machine| machine.name).collect());

/// Takes any text.
#[derive(Debug, Clone)]
pub(super) struct MachineParser;

impl TypedValueParser for MachineParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(NAMES.iter().map(|name| PossibleValue::new(name.as_str()))))
    }
}
