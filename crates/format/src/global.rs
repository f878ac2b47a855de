//! `global.profile` (section 1): what the runtime says of the whole dump.

use std::path::Path;

use crate::{Error, MAX_CORES, Result};

/// How many records the runtime says it wrote for one engine: a line `core0_tiu_record=18`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordCount {
    /// The key without `_record`: `core0_tiu`, `cdma_port1`.
    pub engine: String,
    /// Records written. 0 means idle; `max_record_num` or more means that the ring was full.
    pub count: u64,
}

impl RecordCount {
    /// The core (`core{N}_{engine}`), and the engine's name in lower case.
    #[must_use]
    pub fn core(&self) -> Option<(u32, &str)> {
        let (core, engine) = self.engine.strip_prefix("core")?.split_once('_')?;
        Some((core.parse().ok()?, engine))
    }

    /// The CDMA port (`cdma_port{N}`).
    #[must_use]
    pub fn port(&self) -> Option<u32> {
        self.engine.strip_prefix("cdma_port")?.parse().ok()
    }
}

/// The lines of `global.profile` that mean something to us.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Global {
    /// Value of `arch`: a number of `arch_values`, or a chip's name or alias.
    pub arch: String,
    /// Some line mentions `bmodel`: a static model was run.
    pub is_static: bool,
    /// TIU clock in MHz, if given.
    pub tpu_freq: Option<u64>,
    /// Cores that took part, if given; at most [`MAX_CORES`].
    pub core_num: Option<u32>,
    /// Slots of each PMU ring, if given.
    pub max_record_num: Option<u64>,
    /// Host time from the PMU's pause to the end of `disable_profile`, in ns.
    pub tail_offset_ns: Option<i64>,
    /// The record counts, in file order.
    pub records: Vec<RecordCount>,
    /// Lines that were not understood, each with its number and what was expected.
    pub warnings: Vec<String>,
}

impl Global {
    /// Reads the file.
    ///
    /// # Errors
    /// [`Error::Io`] when it can't be read, [`Error::NoArch`] when it names no chip.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes =
            std::fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        let global = Self::parse(&String::from_utf8_lossy(&bytes));
        if global.arch.is_empty() {
            return Err(Error::NoArch { path: path.to_owned() });
        }
        Ok(global)
    }

    /// Parses the text. Unknown keys are ignored, the last of several lines of a key wins, and a
    /// value that is no number is a warning.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut global = Self::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if line.contains("bmodel") {
                global.is_static = true;
            } else if let Some((key, value)) = line.split_once('=') {
                global.line(index + 1, key.trim(), value.trim());
            }
        }
        global
    }

    fn line(&mut self, number: usize, key: &str, value: &str) {
        let mut bad = |what: &str| {
            self.warnings
                .push(format!("line {number}: {key}={value} is not {what}; the line is ignored"));
        };
        match key {
            "arch" => self.arch = value.to_owned(),
            "tpu_freq" => match value.parse() {
                Ok(mhz) if mhz > 0 => self.tpu_freq = Some(mhz),
                _ => bad("a clock in MHz"),
            },
            "core_num" => match value.parse::<u32>() {
                Ok(n) if n <= MAX_CORES => self.core_num = Some(n),
                _ => bad(&format!("a number of cores up to {MAX_CORES}")),
            },
            "max_record_num" => match value.parse() {
                Ok(n) => self.max_record_num = Some(n),
                Err(_) => bad("a count"),
            },
            "tail_offset_ns" => match value.parse() {
                Ok(ns) => self.tail_offset_ns = Some(ns),
                Err(_) => bad("a time in ns"),
            },
            _ => {
                if let Some(engine) = key.strip_suffix("_record") {
                    match value.parse() {
                        Ok(count) => {
                            self.records.retain(|r| r.engine != engine);
                            self.records.push(RecordCount { engine: engine.to_owned(), count });
                        }
                        Err(_) => bad("a count"),
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_key_through_bom_crlf_and_blanks() {
        let text = "\u{feff}arch = 8800\r\ntpu_freq=950\r\n\r\ncore_num=2\nmax_record_num=4096\n\
                    core0_tiu_record=18\ncdma_port3_record=6\ntail_offset_ns=-5\njunk\nx=y\n";
        let global = Global::parse(text);
        assert_eq!(global.arch, "8800");
        assert_eq!((global.tpu_freq, global.core_num), (Some(950), Some(2)));
        assert_eq!((global.max_record_num, global.tail_offset_ns), (Some(4096), Some(-5)));
        assert_eq!(global.records[0].core(), Some((0, "tiu")));
        assert_eq!(global.records[1].port(), Some(3));
        assert!(!global.is_static && global.warnings.is_empty());
    }

    #[test]
    fn a_line_with_bmodel_is_a_flag_and_no_key() {
        let global = Global::parse("bmodel\narch=bmodel_chip\n");
        assert!(global.is_static);
        assert_eq!(global.arch, "");
    }

    #[test]
    fn bad_values_are_warnings_with_their_line() {
        let global = Global::parse("arch=5\ncore_num=many\ntpu_freq=0\ncore0_tiu_record=-1\n");
        assert_eq!((global.core_num, global.tpu_freq), (None, None));
        assert_eq!(global.warnings.len(), 3);
        assert!(global.warnings[0].starts_with("line 2: core_num=many"));
    }
}
