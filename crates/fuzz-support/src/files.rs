//! A dump in memory, and its form as one string of bytes, which is what a fuzzer works on.

use std::path::Path;

/// The name of a host trace next to a dump.
pub(crate) const HOST_TRACE: &str = "host_trace.json";

/// The files of a dump directory, by name, in name order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DumpFiles(pub Vec<(String, Vec<u8>)>);

/// Bytes of an entry's head: what the file is, its number, and its length.
const HEAD: usize = 6;

impl DumpFiles {
    /// Reads a dump directory.
    ///
    /// # Panics
    /// When it can't be read.
    #[must_use]
    pub fn read(dump: &Path) -> Self {
        let entries = std::fs::read_dir(dump).expect("the dump is a directory");
        let mut files: Vec<(String, Vec<u8>)> = entries
            .map(|entry| entry.expect("the directory can be listed").path())
            .map(|path| (name_of(&path), std::fs::read(&path).expect("the file can be read")))
            .collect();
        files.sort();
        Self(files)
    }

    /// Writes the files into a directory.
    ///
    /// # Panics
    /// When that fails.
    pub fn write(&self, dir: &Path) {
        for (name, bytes) in &self.0 {
            std::fs::write(dir.join(name), bytes).expect("the file can be written");
        }
    }

    /// The files as one string of bytes. DumpFiles of other names than a dump has are left out.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut packed = Vec::new();
        for (name, bytes) in &self.0 {
            let Some((kind, number)) = kind_of(name) else { continue };
            packed.extend([kind, number]);
            packed.extend((bytes.len() as u32).to_le_bytes());
            packed.extend(bytes);
        }
        packed
    }

    /// The files that a string of bytes holds; any string holds some.
    #[must_use]
    pub fn unpack(mut packed: &[u8]) -> Self {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        while let Some((head, rest)) = packed.split_first_chunk::<HEAD>() {
            let [kind, number, length @ ..] = *head;
            let length = (u32::from_le_bytes(length) as usize).min(rest.len());
            let (bytes, rest) = rest.split_at(length);
            let name = name(kind, number);
            if files.iter().all(|(other, _)| *other != name) {
                files.push((name, bytes.to_vec()));
            }
            packed = rest;
        }
        files.sort();
        Self(files)
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Kinds of files, by number.
const SINGLE: [&str; 4] = ["global.profile", HOST_TRACE, "final.mlir", "tensor_location.json"];
const NUMBERED: [&str; 2] = ["cdmlib0", "cdma0"];

fn name(kind: u8, number: u8) -> String {
    let kind = usize::from(kind) % (SINGLE.len() + NUMBERED.len());
    match (SINGLE.get(kind), NUMBERED.get(kind.wrapping_sub(SINGLE.len()))) {
        (Some(name), _) => (*name).to_owned(),
        (None, Some(stem)) => format!("{stem}_{}.profile", number % 16),
        (None, None) => unreachable!("there is a name for each kind"),
    }
}

fn kind_of(name: &str) -> Option<(u8, u8)> {
    if let Some(kind) = SINGLE.iter().position(|&single| single == name) {
        return Some((kind as u8, 0));
    }
    let (stem, number) = name.strip_suffix(".profile")?.rsplit_once('_')?;
    let kind = NUMBERED.iter().position(|&numbered| numbered == stem)?;
    Some(((SINGLE.len() + kind) as u8, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_dump_comes_back() {
        let file = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
        let files = DumpFiles(vec![
            file("cdma0_3.profile", b"port"),
            file("cdmlib0_12.profile", b""),
            file("final.mlir", b"module"),
            file("global.profile", b"arch=5"),
        ]);
        assert_eq!(DumpFiles::unpack(&files.pack()), files);
        assert_eq!(DumpFiles::unpack(&[0xff; 5]), DumpFiles::default());
        // A length that passes the end takes what is there.
        assert_eq!(DumpFiles::unpack(&[0, 0, 9, 0, 0, 0, b'x']).0, [file("global.profile", b"x")]);
    }
}
