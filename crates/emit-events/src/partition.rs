//! Where the events of a dump are in a data set of many dumps (`docs/fleet.md`).

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Stands for null in the name of a partition, as in Hive and all that read its layout.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// Names of the folders, from the outermost.
const KEYS: [&str; 4] = ["host", "run", "device", "call"];

/// The place of a dump's events in a data set that is partitioned by host, run, device and call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Folder of the data set.
    pub data_set: PathBuf,
    /// Host that the dump is of; null where it is not known.
    pub host: Option<String>,
    /// Run, of several of the same device and call; null where it is not known.
    pub run: Option<String>,
    /// Device of the dump; null where it is not known.
    pub device: Option<u32>,
    /// Call of the dump; null where it is not known.
    pub call: Option<u32>,
    /// The dump, relative to a root that all dumps of the data set share.
    pub dump: PathBuf,
}

impl Partition {
    /// The file below [`Partition::data_set`], such as `host=node1/run=2/device=3/call=12/node1~2~dump.parquet`.
    #[must_use]
    pub fn file(&self) -> String {
        let null = || NULL.to_owned();
        let text = |text: &Option<String>| text.as_deref().map_or_else(null, value);
        let number = |n: Option<u32>| n.map_or_else(null, |n| n.to_string());
        let (host, run) = (text(&self.host), text(&self.run));
        let (device, call) = (number(self.device), number(self.call));
        let names = self.dump.components().map(|part| plain(part.as_os_str().as_encoded_bytes()));
        let names: Vec<String> = names.collect();
        let name = names.join("~");
        format!("host={host}/run={run}/device={device}/call={call}/{name}.parquet")
    }
}

/// Whether a partition's file has this name, below the data set.
#[must_use]
pub fn is_partition(name: &Path) -> bool {
    let parts: Option<Vec<&str>> =
        name.components().map(|part| part.as_os_str().to_str()).collect();
    let is_word =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-+._@~%".contains(c));
    match parts.as_deref() {
        Some([folders @ .., file]) => {
            let is_folder = |(folder, key): (&&str, &&str)| {
                folder.strip_prefix(*key).and_then(|f| f.strip_prefix('=')).is_some_and(is_word)
            };
            folders.len() == KEYS.len()
                && folders.iter().zip(&KEYS).all(is_folder)
                && file.ends_with(".parquet")
                && is_word(file)
        }
        _ => false,
    }
}

/// A text as the value of a partition: readers decode `%` and two hexadecimal digits to a byte.
fn value(text: &str) -> String {
    escaped(text.as_bytes(), '%')
}

/// A name as one that no reader of the data set takes for more than a name: what globs, addresses or partitions
/// give a meaning becomes `@` and two hexadecimal digits a byte. Different names stay different.
fn plain(name: &[u8]) -> String {
    escaped(name, '@')
}

/// Letters, digits and `- + . _` as they are, every other byte as `mark` and two hexadecimal digits; so is a leading `.`
/// or `_`, because files that begin with them are hidden to Spark.
fn escaped(bytes: &[u8], mark: char) -> String {
    let mut text = String::new();
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'-' | b'+' => text.push(char::from(byte)),
            b'.' | b'_' if at > 0 => text.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            // Writing to a text never fails.
            _ => _ = write!(text, "{mark}{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn host_run_device_and_call_are_folders() {
        let at = |host: Option<&str>, run: Option<&str>, device, call| {
            let (host, run) = (host.map(str::to_owned), run.map(str::to_owned));
            let dump = "host1/cdm_profile_data_dev3-12".into();
            Partition { data_set: PathBuf::new(), host, run, device, call, dump }.file()
        };
        let name = "host1~cdm_profile_data_dev3-12.parquet";
        let null = NULL;
        for (found, folders) in [
            (
                at(Some("host1"), None, Some(3), Some(12)),
                format!("host=host1/run={null}/device=3/call=12"),
            ),
            (
                at(Some("a/b=c%"), Some("2/1"), Some(3), None),
                format!("host=a%2Fb%3Dc%25/run=2%2F1/device=3/call={null}"),
            ),
            (
                at(None, Some("."), None, None),
                format!("host={null}/run=%2E/device={null}/call={null}"),
            ),
        ] {
            assert_eq!(found, format!("{folders}/{name}"));
            assert!(is_partition(Path::new(&found)), "{found}");
        }
        for name in [
            "device=0/call=0/a.parquet",
            "host=a/run=1/call=0/device=0/a.parquet",
            "host=a/run=1/device=0/call=0/..",
        ] {
            assert!(!is_partition(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn names_are_plain_and_different() {
        let names = ["a/b", "a~b", "a@7Eb", "_a", "a_", ".a", "a=b", "a*b", "a b", "a%20b", "日"];
        let of = |name: &str| {
            let dump = name.into();
            let place = Partition {
                data_set: PathBuf::new(),
                host: None,
                run: None,
                device: None,
                call: None,
                dump,
            };
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
