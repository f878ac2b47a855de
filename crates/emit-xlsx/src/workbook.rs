//! The emitter.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use bigtpu_emit::{Emitter, Input};
use bigtpu_output::{OutputError, Written};
use rust_xlsxwriter::XlsxError;

use crate::book::Book;
use bigtpu_measure::layers::Layers;

/// The workbook's file, in the output directory.
pub const NAME: &str = "PerfDoc/PerfAI_output.xlsx";

/// The workbook. Without any event none is written.
#[derive(Debug, Clone)]
pub struct Workbook {
    /// Layers of the model, if the dump describes any.
    pub layers: Option<Arc<Layers>>,
    /// Most rows of a sheet; an engine with more commands continues on a further one.
    pub most_rows: u32,
}

impl Default for Workbook {
    /// No layers, and as many rows as a sheet can have.
    fn default() -> Self {
        Self { layers: None, most_rows: 1_048_576 }
    }
}

impl Emitter for Workbook {
    fn name(&self) -> &'static str {
        "workbook"
    }

    fn emit(&self, input: &Input<'_, '_>) -> std::result::Result<Vec<Written>, OutputError> {
        let Some(book) = Book::new(input.profile, input.analysis, self.layers.as_deref()) else {
            return Ok(Vec::new());
        };
        let path = input.out.path().join(NAME);
        let dir = path.parent().map_or_else(|| input.out.path().to_owned(), PathBuf::from);
        let mut file = input.out.file(NAME)?;
        // A temporary file that can't be written makes the library panic.
        let write = || book.write(input, &dir, self.most_rows, file.for_library());
        let written = catch_unwind(AssertUnwindSafe(write)).unwrap_or_else(|_| Err(out_of_space()));
        written.map_err(|error| OutputError::File { path, source: io_error(error) })?;
        Ok(vec![file.commit()?])
    }
}

fn out_of_space() -> XlsxError {
    let text = "a temporary file beside it, which needs several times its space, can't be written";
    XlsxError::IoError(io::Error::other(text))
}

fn io_error(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
