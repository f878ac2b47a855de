//! The files that describe a model's layers: which are there, whole, and used.

use std::io::ErrorKind;
use std::path::Path;

use bigtpu_format::{FileKind, Files};
use bigtpu_messages::{ForeignReason as _, Message, message};
use bigtpu_timeline::{Note, Severity};
use serde::de::{Deserializer as _, SeqAccess, Visitor};
use serde_json::Value;

use crate::layers::module::Module;
use crate::layers::{LOCATIONS, LOG, Layers, MODULE};

/// Bytes of a file beyond this many are not read: tensor_location.json has about 1 kB for a layer, the log 100 bytes for
/// a command.
const MOST_BYTES: u64 = 256 << 20;

/// Bytes of `final.mlir` beyond this many are not read: only its head is needed.
const MOST_HEAD_BYTES: u64 = 1 << 20;

/// What a dump's folder says of a model's layers.
#[derive(Debug, Clone, Default)]
pub struct LayerFiles {
    /// The layers; `None` where nothing describes any.
    pub layers: Option<Layers>,
    /// What is wrong with the files; a loss where layers are missing.
    pub notes: Vec<Note>,
    /// Whether a file was there and could not be read: another try may have more.
    pub has_unread: bool,
}

/// Reads the files, and keeps what is wrong with them.
struct Reading<'f> {
    files: &'f Files,
    notes: Vec<Note>,
    has_unread: bool,
}

impl LayerFiles {
    pub(crate) fn open(dump: &Path, files: &Files) -> Self {
        let (locations, module) = (dump.join(LOCATIONS), dump.join(MODULE));
        let mut reading = Reading { files, notes: Vec::new(), has_unread: false };
        let mut layers = match (reading.is_there(&locations), reading.is_there(&module)) {
            (Ok(false), Ok(false)) => of_log(dump, &mut reading),
            // The only one that may be there.
            (Err(error), Ok(false)) => {
                reading.add_unread(&locations, &error);
                of_log(dump, &mut reading)
            }
            (Ok(false), Err(error)) => {
                reading.add_unread(&module, &error);
                of_log(dump, &mut reading)
            }
            (Ok(has_locations), Ok(has_module)) if has_locations != has_module => {
                let (there, missing) = match has_locations {
                    true => (LOCATIONS, &module),
                    false => (MODULE, &locations),
                };
                let layers = of_log(dump, &mut reading);
                let instead = Message::new(match layers {
                    Some(_) => "note-layers-of-log",
                    None => "note-without-layers",
                });
                let message = message!("note-layer-file-missing", there = there, instead = instead);
                reading.notes.push(Note::about_file(Severity::Loss, missing, message));
                layers
            }
            // Reading tells why where the system told nothing.
            _ => Some(of_files(&locations, &module, dump, &mut reading)),
        };
        if let Some(layers) = &mut layers {
            reading.notes.append(&mut layers.notes);
            layers.show_names();
        }
        Self { layers, notes: reading.notes, has_unread: reading.has_unread }
    }
}

/// The layers of both files; where the list of layers is damaged, those of the compiler's log if it is whole, else
/// those before the damage.
fn of_files(locations: &Path, module: &Path, dump: &Path, reading: &mut Reading<'_>) -> Layers {
    let head = reading.read(module, MOST_HEAD_BYTES);
    let head = String::from_utf8_lossy(&head);
    if !Module::is_whole(&head) {
        reading.notes.push(Note::about_file(
            Severity::Loss,
            module,
            Message::new("note-no-module"),
        ));
    }
    let (entries, error) = entries(&reading.read(locations, MOST_BYTES));
    let mut layers = Layers::of_entries(&entries, Module::of_text(&head));
    if let Some(error) = error {
        let mut of_its_own = Reading { files: reading.files, notes: Vec::new(), has_unread: false };
        let logged = of_log(dump, &mut of_its_own).filter(|log| {
            log.layers.len() >= layers.layers.len()
                && log.notes.iter().all(|note| note.severity < Severity::Loss)
        });
        let instead = match (&logged, entries.len()) {
            (Some(_), _) => Message::new("note-layers-of-log"),
            (None, 0) => Message::new("note-without-layers"),
            (None, layers) => message!("note-layers-before", layers = layers),
        };
        let error = Message::displayed(&error);
        let message = message!("note-layers-damaged", error = error, instead = instead);
        reading.notes.push(Note::about_file(Severity::Loss, locations, message));
        if let Some(logged) = logged {
            layers = Layers { module: layers.module, ..logged };
        }
    }
    layers.notes.iter_mut().for_each(|note| note.file = Some(locations.to_owned()));
    layers
}

/// The layers of the compiler's log, if `global.profile` has one.
fn of_log(dump: &Path, reading: &mut Reading<'_>) -> Option<Layers> {
    let path = dump.join(LOG);
    if let Ok(false) = reading.is_there(&path) {
        return None;
    }
    let text = reading.read(&path, MOST_BYTES);
    let mut layers = Layers::of_log(&String::from_utf8_lossy(&text))?;
    layers.notes.iter_mut().for_each(|note| note.file = Some(path.clone()));
    Some(layers)
}

impl Reading<'_> {
    /// Whether a file is there; an error where the system does not tell: such a file is not missing.
    fn is_there(&self, path: &Path) -> std::io::Result<bool> {
        match self.files.kind(path) {
            Ok(kind) => Ok(matches!(kind, FileKind::File(_))),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(false),
                _ => Err(error),
            },
        }
    }

    /// Tells that a file was not read, and why.
    fn add_unread(&mut self, path: &Path, error: &std::io::Error) {
        let message = message!("note-layer-file-unreadable", error = error.reason());
        self.notes.push(Note::about_file(Severity::Loss, path, message));
        self.has_unread = true;
    }

    /// A file up to a number of bytes.
    fn read(&mut self, path: &Path, most: u64) -> Vec<u8> {
        self.files.read_part(path, 0, most).unwrap_or_else(|error| {
            self.add_unread(path, &error);
            Vec::new()
        })
    }
}

/// The entries of a list in JSON, as far as they are whole, and what is wrong behind them.
pub(crate) fn entries(text: &[u8]) -> (Vec<Value>, Option<serde_json::Error>) {
    struct Entries<'a>(&'a mut Vec<Value>);
    impl<'de> Visitor<'de> for Entries<'_> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list of layers")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
            while let Some(entry) = list.next_element()? {
                self.0.push(entry);
            }
            Ok(())
        }
    }
    let mut found = Vec::new();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = reader.deserialize_seq(Entries(&mut found)).and_then(|()| reader.end());
    (found, read.err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_before_a_cut_are_kept() {
        let text = br#"[{"opcode": "tpu.Add"}, {"opcode": "tpu.Mul"}, {"opco"#;
        let (found, error) = entries(text);
        assert_eq!(found.len(), 2);
        assert!(error.unwrap().is_eof());
        let (found, error) = entries(b"[1, 2]");
        assert_eq!((found.len(), error.is_none()), (2, true));
        assert!(entries(b"").1.is_some() && entries(b"{}").1.is_some());
        assert!(entries(b"[1] x").1.is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_looked_at_is_not_missing() {
        let dir = tempfile::tempdir().unwrap();
        let found = LayerFiles::open(dir.path(), &Files::default());
        assert!(found.notes.is_empty() && !found.has_unread, "{:?}", found.notes);
        // A link to itself: the system can't tell what it is.
        let locations = dir.path().join(LOCATIONS);
        std::os::unix::fs::symlink(&locations, &locations).unwrap();
        // Without the other file, and with it.
        for _ in 0..2 {
            let found = LayerFiles::open(dir.path(), &Files::default());
            assert!(found.has_unread);
            let told = found.notes.iter().map(|note| note.said().text);
            let told: Vec<String> = told.collect();
            assert!(told.iter().any(|text| text.contains("can't be read")), "{told:?}");
            assert!(!told.iter().any(|text| text.contains("missing")), "{told:?}");
            std::fs::write(dir.path().join(MODULE), "module @net {}").unwrap();
        }
    }

    /// A dump of real hardware with both files and the log, in which one of the files is damaged.
    #[test]
    fn a_damaged_list_is_replaced_by_the_log() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let real = root.join("../../fixtures/real/bmprofile_data-1_bm1688");
        let whole = LayerFiles::open(&real, &Files::default());
        assert!(whole.notes.is_empty(), "{:?}", whole.notes);
        let whole = whole.layers.unwrap();
        let copy = tempfile::tempdir().unwrap();
        for name in [LOCATIONS, MODULE, LOG] {
            std::fs::copy(real.join(name), copy.path().join(name)).unwrap();
        }
        let locations = std::fs::read(real.join(LOCATIONS)).unwrap();
        std::fs::write(copy.path().join(LOCATIONS), &locations[..locations.len() / 3]).unwrap();
        let cut = LayerFiles::open(copy.path(), &Files::default());
        assert_eq!(cut.notes.len(), 1, "{:?}", cut.notes);
        assert!(
            cut.notes[0].severity == Severity::Loss && cut.notes[0].said().text.contains("log")
        );
        assert_eq!(cut.layers.unwrap().module, whole.module);
        // Without the log the layers before the cut are left.
        std::fs::write(copy.path().join(LOG), "[bmprofile] arch=4\n").unwrap();
        let cut = LayerFiles::open(copy.path(), &Files::default());
        let left = cut.layers.unwrap();
        assert!(left.layers.len() > 10 && left.layers.len() < whole.layers.len());
        assert_eq!(left.layers[..], whole.layers[..left.layers.len()]);
        assert!(cut.notes[0].said().text.contains("layers before that are used"));
        // A file that is missing is no better.
        std::fs::remove_file(copy.path().join(LOCATIONS)).unwrap();
        let missing = LayerFiles::open(copy.path(), &Files::default());
        assert!(missing.layers.is_none() && missing.notes[0].severity == Severity::Loss);
    }
}
