//! One dump for a program that is not the command line: opened with the same options, and nothing is written or shown.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bigtpu_format::{FileAccess, Files};
use bigtpu_session::dumps::find;
use bigtpu_session::{Inputs, Run, Session, Settings};
use bigtpu_timeline::{Dump, OpenError};

use crate::args;

/// Why a dump is not read.
#[derive(Debug)]
pub struct ReadingError(String);

impl std::fmt::Display for ReadingError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ReadingError {}

/// A dump, and how it is read.
#[derive(Debug)]
pub struct Reading {
    session: Session,
    /// Holds the files of an archive as long as they are read.
    inputs: Inputs,
    root: PathBuf,
    iteration: Option<u32>,
}

impl Reading {
    /// `options` are those of an analysis, such as `--arch` and its value; `input` is a dump, an archive, or a directory
    /// that holds one. Files are read when the dump is opened, not mapped: whatever writes to them later, such as the
    /// next run of the profiled program, does not end this process.
    ///
    /// # Errors
    /// A sentence, when an option is wrong, or there is not one dump.
    pub fn new(options: Vec<OsString>, input: &Path) -> Result<Self, ReadingError> {
        let mut words: Vec<OsString> = vec!["bigtpuprofile".into()];
        words.extend(options);
        words.extend(["--".into(), input.into()]);
        let args = args::parsed(&words).map_err(|error| said(&error.render().to_string()))?;
        let args = args.analyze.options;
        let settings = args.settings().map_err(|error| said(&error.to_string()))?;
        let inputs = Inputs::open(&[input]).map_err(|error| said(&error.to_string()))?;
        let paths: Vec<&Path> = inputs.paths.iter().map(PathBuf::as_path).collect();
        let found = find(&settings.files, &paths, args.views.iteration).dumps;
        let [dump] = found.as_slice() else {
            let (path, count) = (input.display(), found.len());
            return Err(ReadingError(format!("{path}: holds {count} runs; read one of them")));
        };
        Ok(Self {
            root: dump.root.clone(),
            iteration: dump.iteration,
            session: Session::from(Settings { files: Files::Disk(FileAccess::Read), ..settings }),
            inputs,
        })
    }

    /// Opens the dump.
    ///
    /// # Errors
    /// What `bigtpuprofile` says of it.
    pub fn open(&self) -> Result<Dump, ReadingError> {
        let told = |error: OpenError| ReadingError(self.inputs.named(&error.to_string()));
        self.session.open(&self.root, self.iteration).map_err(told)
    }

    /// Analyzes it.
    #[must_use]
    pub fn analyze<'d>(&self, dump: &'d Dump) -> Run<'d> {
        self.session.analyze(dump)
    }

    /// How it is read.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// A message as a sentence, without what the console puts before it.
fn said(text: &str) -> ReadingError {
    let text = text.trim();
    ReadingError(text.strip_prefix("error: ").unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
    }

    #[test]
    fn a_dump_and_a_directory_that_holds_it_are_read_alike() {
        let events = |path: &Path| {
            let reading = Reading::new(Vec::new(), path).unwrap();
            let dump = reading.open().unwrap();
            reading.analyze(&dump).profile.event_count()
        };
        let parent = fixture("aksv-mode1");
        assert!(events(&parent) > 0);
        assert_eq!(events(&parent), events(&parent.join("dump")));
    }

    #[test]
    fn what_is_wrong_is_a_sentence() {
        let of = |options: &[&str], path: &Path| {
            let options = options.iter().map(OsString::from).collect();
            Reading::new(options, path).and_then(|reading| reading.open().map(|_| ()))
        };
        let dump = fixture("aksv-mode1/dump");
        let wrong = of(&["--tiu_freq", "0"], &dump).unwrap_err().to_string();
        assert!(wrong.contains("--tiu_freq") && !wrong.starts_with("error"), "{wrong}");
        let several = of(&[], &fixture("real")).unwrap_err().to_string();
        assert!(several.contains("read one of them"), "{several}");
        let missing = of(&[], Path::new("no-such-dump")).unwrap_err().to_string();
        assert!(missing.contains("no-such-dump"), "{missing}");
    }
}
