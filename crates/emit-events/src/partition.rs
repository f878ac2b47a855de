//! Where the events of a dump are in a data set of many dumps (`docs/fleet.md`).

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Stands for null in the name of a partition, as in Hive and all that read its layout.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The place of a dump's events in a data set that is partitioned by device and call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Folder of the data set.
    pub data_set: PathBuf,
    /// Device of the dump; null where it is not known.
    pub device: Option<u32>,
    /// Call of the dump; null where it is not known.
    pub call: Option<u32>,
    /// The dump, relative to a root that all dumps of the data set share.
    pub dump: PathBuf,
}

impl Partition {
    /// The file below [`Partition::data_set`], such as `device=3/call=12/host1~dump.parquet`.
    #[must_use]
    pub fn file(&self) -> String {
        let value = |n: Option<u32>| n.map_or_else(|| NULL.to_owned(), |n| n.to_string());
        let (device, call) = (value(self.device), value(self.call));
        let names = self.dump.components().map(|part| plain(part.as_os_str().as_encoded_bytes()));
        let names: Vec<String> = names.collect();
        let name = names.join("~");
        format!("device={device}/call={call}/{name}.parquet")
    }
}

/// Whether a partition's file has this name, below the data set.
#[must_use]
pub fn is_partition(name: &Path) -> bool {
    let parts: Option<Vec<&str>> =
        name.components().map(|part| part.as_os_str().to_str()).collect();
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-+._@~".contains(c);
    match parts.as_deref() {
        Some([device, call, file]) => {
            device.starts_with("device=")
                && call.starts_with("call=")
                && [&device["device=".len()..], &call["call=".len()..]]
                    .iter()
                    .all(|value| value.chars().all(is_word))
                && file.ends_with(".parquet")
                && file.chars().all(is_word)
        }
        _ => false,
    }
}

/// A name as one that no reader of the data set takes for more than a name: what globs, addresses or partitions
/// give a meaning becomes `@` and two hexadecimal digits a byte. Files that begin with `.` or `_` are hidden to
/// Spark. Different names stay different.
fn plain(name: &[u8]) -> String {
    let mut plain = String::new();
    for (at, &byte) in name.iter().enumerate() {
        match byte {
            b'-' | b'+' => plain.push(char::from(byte)),
            b'.' | b'_' if at > 0 => plain.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => plain.push(char::from(byte)),
            // Writing to a text never fails.
            _ => _ = write!(plain, "@{byte:02X}"),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn device_and_call_are_folders() {
        let at = |device, call| {
            let dump = "host1/cdm_profile_data_dev3-12".into();
            Partition { data_set: PathBuf::new(), device, call, dump }.file()
        };
        let name = "host1~cdm_profile_data_dev3-12.parquet";
        assert_eq!(at(Some(3), Some(12)), format!("device=3/call=12/{name}"));
        assert_eq!(at(Some(3), None), format!("device=3/call=__HIVE_DEFAULT_PARTITION__/{name}"));
    }

    #[test]
    fn names_are_plain_and_different() {
        let names = ["a/b", "a~b", "a@7Eb", "_a", "a_", ".a", "a=b", "a*b", "a b", "a%20b", "日"];
        let of = |name: &str| {
            let dump = name.into();
            let place = Partition { data_set: PathBuf::new(), device: None, call: None, dump };
            let file = place.file();
            file.rsplit_once('/').unwrap().1.strip_suffix(".parquet").unwrap().to_owned()
        };
        let plains = names.map(of);
        assert_eq!(plains[..5], ["a~b", "a@7Eb", "a@407Eb", "@5Fa", "a_"]);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "~@-+._".contains(c);
        assert!(plains.iter().all(|p| p.chars().all(is_plain) && !p.starts_with(['.', '_'])));
        assert_eq!(plains.iter().collect::<HashSet<_>>().len(), names.len());
    }
}
