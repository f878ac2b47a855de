//! The emitter.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use bigtpu_answers::Depth;
use bigtpu_compat::Edition;
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_messages::error_message;
use bigtpu_output::{OutputError, Written};
use rust_xlsxwriter::XlsxError;
use zip::result::ZipError;

use crate::book::Book;
use crate::companion;
use bigtpu_measure::layers::Layers;

/// The workbook's file, in the output directory.
pub const NAME: &str = "PerfDoc/PerfAI_output.xlsx";

/// What the workbook's file is named after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WorkbookName {
    /// [`NAME`] in every output directory.
    #[default]
    Fixed,
    /// `PerfDoc/DIR.xlsx` for an output directory `DIR`, with all events as a table beside it, `PerfDoc/DIR.csv`, as
    /// bigTpuProfile 0.3.7 does.
    Directory,
}

impl WorkbookName {
    /// The file of a workbook in this output directory. One without a name in UTF-8 has the fixed file.
    fn file(self, out: &Path) -> String {
        // `.` and `..` have the name of the directory that they are.
        let whole = || out.canonicalize().unwrap_or_else(|_| out.to_owned());
        let own = out.file_name().map(ToOwned::to_owned);
        let name = own.or_else(|| whole().file_name().map(ToOwned::to_owned));
        match (self, name.as_ref().and_then(|name| name.to_str())) {
            (Self::Directory, Some(name)) => format!("PerfDoc/{name}.xlsx"),
            _ => NAME.to_owned(),
        }
    }
}

/// Whether a file of this name, relative to an output directory, is a workbook or the table beside one.
#[must_use]
pub fn is_workbook(name: &Path) -> bool {
    let is_ours = name.extension().is_some_and(|end| end == "xlsx" || end == "csv");
    name.parent() == Some(Path::new("PerfDoc")) && is_ours
}

/// The workbook. Without any event none is written.
#[derive(Debug, Clone)]
pub struct Workbook {
    /// Layers of the model, if the dump describes any.
    pub layers: Option<Arc<Layers>>,
    /// Most rows of a sheet; an engine with more commands continues on a further one.
    pub most_rows: u32,
    /// What the file is named after.
    pub name: WorkbookName,
    /// Whose names columns have.
    pub edition: Edition,
}

impl Default for Workbook {
    /// No layers, and as many rows as a sheet can have.
    fn default() -> Self {
        Self {
            layers: None,
            most_rows: 1_048_576,
            name: WorkbookName::Fixed,
            edition: Edition::default(),
        }
    }
}

impl Emitter for Workbook {
    fn name(&self) -> &'static str {
        "workbook"
    }

    fn depth(&self) -> Depth {
        Depth::Answers
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> std::result::Result<Vec<Written>, OutputError> {
        let Some(mut book) = Book::new(input.profile, input.analysis, self.layers.as_deref())
        else {
            return Ok(Vec::new());
        };
        book.edition = self.edition;
        let name = self.name.file(input.out.path());
        let path = input.out.path().join(&name);
        let dir = input.out.is_on_disk().then(|| path.parent().unwrap_or(input.out.path()));
        let mut file = input.out.file(&name)?;
        let write = || book.write(input, dir, self.most_rows, file.for_library());
        // The library panics where it can't write a temporary file.
        let written = catch_unwind(AssertUnwindSafe(write)).unwrap_or_else(|_| Err(out_of_space()));
        written
            .map_err(|error| OutputError::File { path: path.clone(), source: io_error(error) })?;
        let mut all = vec![file.commit()?];
        if self.name == WorkbookName::Directory {
            let mut table = input.out.file(&table_file(&name))?;
            companion::write(&book, &mut table)?;
            all.push(table.commit()?);
        }
        Ok(all)
    }
}

/// The file of the table beside a workbook.
fn table_file(book: &str) -> String {
    format!("{}.csv", book.strip_suffix(".xlsx").unwrap_or(book))
}

fn out_of_space() -> XlsxError {
    XlsxError::IoError(io::Error::other(error_message!("problem-temporary")))
}

fn io_error(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) | XlsxError::ZipError(ZipError::Io(error)) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_named_as_0_3_7_names_it() {
        let file = |out: &str| WorkbookName::Directory.file(Path::new(out));
        assert_eq!(file("/tmp/results"), "PerfDoc/results.xlsx");
        assert_eq!(file("a/b.1/"), "PerfDoc/b.1.xlsx");
        let here = std::env::current_dir().unwrap();
        let name = here.file_name().and_then(|name| name.to_str()).unwrap();
        assert_eq!(file("."), format!("PerfDoc/{name}.xlsx"));
        assert_eq!(file("/"), NAME);
        assert_eq!(WorkbookName::Fixed.file(Path::new("a")), NAME);
        // The table has the whole name of the directory, too.
        assert_eq!(table_file(&file("a/b.xlsx")), "PerfDoc/b.xlsx.csv");
        for name in [NAME, "PerfDoc/b.1.xlsx", "PerfDoc/b.xlsx.csv"] {
            assert!(is_workbook(Path::new(name)), "{name}");
        }
        assert!(!is_workbook(Path::new("PerfDoc/a/b.csv")) && !is_workbook(Path::new("a.csv")));
    }
}
