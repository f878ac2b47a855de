//! `global.profile` (section 1): what the runtime says of the whole dump.

use std::borrow::Cow;
use std::path::Path;

use bigtpu_messages::{Arg, Message, message};

use crate::files::{FileKind, Files};
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

    /// Whether the key is a record count of an existing engine or port.
    fn is_believable(&self) -> bool {
        let core = self.core().filter(|(_, engine)| ["tiu", "gdma", "sdma"].contains(engine));
        core.map(|(core, _)| core).or(self.port()).is_some_and(|index| index < MAX_CORES)
    }
}

/// Bytes of `global.profile` beyond this many are not read.
const MOST_BYTES: u64 = 1 << 20;

/// Bytes of the file's end that are read as well, where the file has a compiler's log.
const MOST_END_BYTES: u64 = 1 << 16;

/// What is before each key in libsophon's `global.profile`.
const LINE_PREFIX: &str = "[bmprofile]";

/// Warnings beyond this many are counted only.
const MOST_WARNINGS: usize = 50;

/// The start of a value that may be of any length.
fn short(value: &str) -> Cow<'_, str> {
    match value.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", value.get(..end).unwrap_or_default()).into(),
        None => value.into(),
    }
}

/// The lines of `global.profile` that mean something to us.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Global {
    /// Value of `arch`: a number of `arch_values`, or a chip's name or alias; empty where there is none.
    pub arch: String,
    /// Some line mentions `bmodel`: a static model was run.
    pub is_static: bool,
    /// TIU clock in MHz, if given.
    pub tpu_freq: Option<u64>,
    /// There is a line with the clock, whatever it says.
    pub has_clock: bool,
    /// Cores that took part, if given; at most [`MAX_CORES`].
    pub core_num: Option<u32>,
    /// Slots of each PMU ring, if given.
    pub max_record_num: Option<u64>,
    /// Host time from the PMU's pause to the end of `disable_profile`, in ns.
    pub tail_offset_ns: Option<i64>,
    /// The record counts, in file order.
    pub records: Vec<RecordCount>,
    /// Cores that libsophon's runtime used (`core_list`), in its order.
    pub core_list: Vec<u32>,
    /// The keys have libsophon's prefix: a compiler's log may be among them.
    pub has_log: bool,
    /// The text ends without the end of its last line, which runtimes always write.
    pub ends_in_line: bool,
    /// Lines that were not understood, each with its number and what was expected.
    pub warnings: Vec<Message>,
}

impl Global {
    /// Reads the file.
    ///
    /// # Errors
    /// [`Error::Io`] when it can't be read.
    pub fn read(path: &Path, files: &Files) -> Result<Self> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        let mut bytes = files.read_part(path, 0, MOST_BYTES + 1).map_err(io)?;
        let is_cut = bytes.len() as u64 > MOST_BYTES;
        bytes.truncate(MOST_BYTES as usize);
        let mut global = Self::parse(&String::from_utf8_lossy(&bytes));
        // libsophon writes the compiler's log into it, behind most keys, and the list of cores behind the log.
        if is_cut && global.has_log {
            let length = match files.kind(path).map_err(io)? {
                FileKind::File(bytes) => bytes,
                FileKind::Directory | FileKind::Other => 0,
            };
            let end = length.saturating_sub(MOST_END_BYTES).max(MOST_BYTES);
            bytes = files.read_part(path, end, MOST_END_BYTES).map_err(io)?;
            global.core_list = Self::parse(&String::from_utf8_lossy(&bytes)).core_list;
        }
        global.ends_in_line = bytes.last().is_some_and(|&last| last != b'\n');
        if is_cut && !global.has_log {
            let text = message!("note-global-long", bytes = Arg::Bytes(MOST_BYTES));
            global.warnings.insert(0, text);
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
            // libsophon's container prefixes its keys.
            let key_line = line.strip_prefix(LINE_PREFIX);
            global.has_log |= key_line.is_some();
            let line = key_line.map_or(line, str::trim_start);
            if line.contains("bmodel") {
                global.is_static = true;
            } else if let Some((key, value)) = line.split_once('=') {
                global.line(index + 1, key.trim(), value.trim());
            }
        }
        let more = global.warnings.len().saturating_sub(MOST_WARNINGS);
        if more > 0 {
            global.warnings.truncate(MOST_WARNINGS);
            global.warnings.push(message!("note-more-lines", more = more));
        }
        global
    }

    fn line(&mut self, number: usize, key: &str, value: &str) {
        let mut bad = |what: Message| {
            self.warnings.push(message!(
                "note-bad-line",
                line = Arg::Number(number as i64),
                key = key,
                value = short(value),
                what = what,
            ));
        };
        self.has_clock |= key == "tpu_freq";
        match key {
            "arch" => self.arch = value.to_owned(),
            "tpu_freq" => match value.parse() {
                // The runtime writes 0 where it does not know: the chip's own clock holds.
                Ok(mhz) => self.tpu_freq = Some(mhz).filter(|&mhz| mhz > 0),
                _ => bad(Message::new("note-a-clock")),
            },
            "core_num" => match value.parse::<u32>() {
                Ok(n) if n <= MAX_CORES => self.core_num = Some(n),
                _ => bad(message!("note-a-core-number", most = u64::from(MAX_CORES))),
            },
            "core_list" => {
                let numbers = value.split(',').filter_map(|n| n.trim().parse().ok());
                self.core_list = numbers.filter(|&n| n < MAX_CORES).collect();
            }
            "max_record_num" => match value.parse() {
                Ok(n) => self.max_record_num = Some(n),
                Err(_) => bad(Message::new("note-a-count")),
            },
            "tail_offset_ns" => match value.parse() {
                Ok(ns) => self.tail_offset_ns = Some(ns),
                Err(_) => bad(Message::new("note-a-time")),
            },
            _ => {
                if let Some(engine) = key.strip_suffix("_record") {
                    match value.parse() {
                        Ok(count) => {
                            let record = RecordCount { engine: engine.to_owned(), count };
                            // Keys of no core or port are unknown keys.
                            if record.is_believable() {
                                let known = self.records.iter().position(|r| r.engine == engine);
                                known.map(|at| self.records.remove(at));
                                self.records.push(record);
                            }
                        }
                        Err(_) => bad(Message::new("note-a-count")),
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Language;

    use super::*;

    fn text(warning: &Message) -> String {
        warning.text(Language::English)
    }

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
    fn a_clock_of_zero_is_not_known_and_no_fault() {
        let global = Global::parse(
            "[bmprofile] arch=BM1688\n[bmprofile] tpu_freq=0\n[bmprofile] core_list=0,1,\n",
        );
        assert_eq!((global.arch.as_str(), global.tpu_freq), ("BM1688", None));
        assert_eq!((global.core_list, global.has_log), (vec![0, 1], true));
        assert!(global.warnings.is_empty(), "{:?}", global.warnings);
    }

    #[test]
    fn the_list_of_cores_behind_a_long_log_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("global.profile");
        let line = "[bmprofile] gdma cmd_id bd_id=0 gdma_id=1 gdma_dir=0 gdma_func=0\n";
        let log = line.repeat(MOST_BYTES as usize / line.len() + 1000);
        let text =
            format!("[bmprofile] arch=4\n{log}[bmprofile] core_list=1,\n[bmprofile] mtype=1\n");
        std::fs::write(&path, &text).unwrap();
        let global = Global::read(&path, &Files::default()).unwrap();
        assert_eq!((global.core_list, global.ends_in_line), (vec![1], false));
        std::fs::write(&path, text.trim_end()).unwrap();
        assert!(Global::read(&path, &Files::default()).unwrap().ends_in_line);
        assert!(global.warnings.is_empty(), "{:?}", global.warnings);
    }

    #[test]
    fn bad_values_are_warnings_with_their_line() {
        let global = Global::parse("arch=5\ncore_num=many\ntpu_freq=fast\ncore0_tiu_record=-1\n");
        assert_eq!((global.core_num, global.tpu_freq), (None, None));
        assert_eq!(global.warnings.len(), 3);
        assert!(text(&global.warnings[0]).starts_with("line 2: core_num=many"));
    }

    #[test]
    fn warnings_are_few_and_short() {
        let line = format!("core_num={}\n", "é".repeat(1000));
        let warnings = Global::parse(&line.repeat(1000)).warnings;
        assert_eq!(warnings.len(), MOST_WARNINGS + 1);
        assert!(warnings.iter().all(|warning| text(warning).len() < 250), "{:?}", warnings[0]);
        assert!(text(&warnings[MOST_WARNINGS]).starts_with("950 more lines"));
    }

    #[test]
    fn counts_of_impossible_engines_are_ignored() {
        let text =
            "arch=5\ncore999_tiu_record=1\nx_record=2\ncore1_hau_record=3\ncdma_port256_record=4\n";
        let global = Global::parse(text);
        assert!(global.records.is_empty() && global.warnings.is_empty());
    }

    #[test]
    fn a_file_of_any_size_is_read_within_bounds() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("global.profile");
        std::fs::write(&path, "arch=5\n").unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        let global = Global::read(&path, &Files::default()).unwrap();
        assert_eq!(global.arch, "5");
        assert!(text(&global.warnings[0]).starts_with("only the first"), "{:?}", global.warnings);
    }
}
