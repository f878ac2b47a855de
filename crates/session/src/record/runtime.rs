//! The runtimes that write dumps: the variables that make them, and how a process is known to use one.
//!
//! Source: `docs/capture.md`, "How, by runtime".

use bigtpu_messages::Message;

/// How a run is captured; what is not given is left to the variables that are set already, and to the runtime.
#[derive(Debug, Clone, Copy, Default)]
pub struct CaptureSetting {
    /// 0 records, 1 also the commands by type, 2 also their full bits. Without it, a runtime whose variable is not set captures in
    /// mode 2, which all advice needs.
    pub mode: Option<u8>,
    /// Records of each ring of the PMU.
    pub records: Option<u64>,
}

/// Variables that switch the capture on: tpudnn, model-runtime and libsophon on CV84X6, libsophon, vLLM.
const SWITCHES: [&str; 4] = [
    "BMLIB_ENABLE_ALL_PROFILE",
    "ENABLE_ALL_PROFILE",
    "BMRUNTIME_ENABLE_PROFILE",
    "ENABLE_PROFILE",
];
/// Variables with the mode: model-runtime and libsophon on CV84X6, TileLang and vLLM.
const MODES: [&str; 2] = ["PROFILE_MODE", "PROFILE_BOOK_KEEPING"];
/// All that advice needs.
const DEFAULT_MODE: u8 = 2;
/// Variables with the number of records: model-runtime, libsophon on CV84X6 and TileLang; libsophon on other chips, by engine.
const RECORDS: [&str; 3] =
    ["PROFILE_RECORD_SIZE", "BMRUNTIME_GDMA_RECORD_SIZE", "BMRUNTIME_BDC_RECORD_SIZE"];

impl CaptureSetting {
    /// The variables of all known runtimes that ask for this capture, where `is_set` tells those that the user has set.
    #[must_use]
    pub fn variables(self, is_set: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
        let all = |names: &'static [&'static str], value: String| {
            names.iter().map(move |name| (*name, value.clone()))
        };
        let mode = all(&MODES, self.mode.unwrap_or(DEFAULT_MODE).to_string())
            .filter(|(name, _)| self.mode.is_some() || !is_set(name));
        let records = self.records.map(|records| all(&RECORDS, records.to_string()));
        let switches = all(&SWITCHES, "1".to_owned());
        switches.chain(mode).chain(records.into_iter().flatten()).collect()
    }
}

/// A runtime that writes dumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    /// torch-tpu and tpudnn: the program itself enables and disables the capture.
    Tpudnn,
    /// model-runtime: static models on AKS, AKSV.
    ModelRuntime,
    /// libsophon.
    Libsophon,
}

/// What a process has mapped into its memory, or is called, where it uses a runtime; the more special ones first.
const MARKS: [(&str, Runtime); 8] = [
    ("libtpudnn", Runtime::Tpudnn),
    ("libtorch_tpu", Runtime::Tpudnn),
    ("libtpuv7_modelrt", Runtime::ModelRuntime),
    ("libbmrt", Runtime::Libsophon),
    ("tpu-model-rt", Runtime::ModelRuntime),
    ("bmrt_test", Runtime::Libsophon),
    ("torchrun", Runtime::Tpudnn),
    ("python", Runtime::Tpudnn),
];

impl Runtime {
    /// The runtime whose library or program one of the file names is.
    pub(super) fn of_files<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<Self> {
        let found = MARKS.iter().find(|(mark, _)| names.clone().any(|name| name.starts_with(mark)));
        found.map(|(_, runtime)| *runtime)
    }

    /// Why it may have written no dump.
    pub(super) fn pitfall(self) -> Message {
        Message::new(match self {
            Self::Tpudnn => "record-pitfall-tpudnn",
            Self::ModelRuntime => "record-pitfall-model-runtime",
            Self::Libsophon => "record-pitfall-libsophon",
        })
    }

    /// How the number of records is changed where the program gives it itself.
    pub(super) fn sets_records(self) -> bool {
        matches!(self, Self::Tpudnn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_sets_the_variables_of_all_runtimes() {
        let given = CaptureSetting { mode: Some(1), records: Some(4096) }.variables(|_| true);
        let of = |name: &str| given.iter().find(|(own, _)| *own == name).map(|(_, v)| v.as_str());
        assert_eq!(of("BMLIB_ENABLE_ALL_PROFILE"), Some("1"));
        assert_eq!(of("ENABLE_PROFILE"), Some("1"));
        assert_eq!(of("PROFILE_BOOK_KEEPING"), Some("1"));
        assert_eq!(of("BMRUNTIME_BDC_RECORD_SIZE"), Some("4096"));
    }

    #[test]
    fn what_was_not_asked_for_is_the_users_or_mode_2() {
        let given = CaptureSetting::default().variables(|name| name == "PROFILE_BOOK_KEEPING");
        assert_eq!(given[SWITCHES.len()..], [("PROFILE_MODE", "2".to_owned())]);
    }

    #[test]
    fn a_runtime_is_known_by_its_library_before_the_name_of_the_program() {
        let of = |names: &[&'static str]| Runtime::of_files(names.iter().copied());
        assert_eq!(of(&["python3.11", "libbmrt.so.1.0"]), Some(Runtime::Libsophon));
        assert_eq!(of(&["python3.11", "libc.so.6"]), Some(Runtime::Tpudnn));
        assert_eq!(of(&["tpu-model-rt"]), Some(Runtime::ModelRuntime));
        assert_eq!(of(&["make"]), None);
    }
}
