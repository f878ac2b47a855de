//! The analyzer for a browser: what `bigtpuprofile DUMP out` does, with files in memory.
//!
//! The page gives files with [`Analyzer::add`], starts the analysis with [`Analyzer::run`] in a worker, and takes the results
//! out of [`Results`]. Here is only the boundary to JavaScript; the analysis is [`HeldInputs`], which the tests of the program use,
//! too. One thread: `wasm32-unknown-unknown` has no other.
#![deny(unsafe_code)]

mod progress;

use std::path::Path;

use bigtpu_messages::Language;
use bigtpu_session::{Choice, HeldInputs, HeldRequest, HeldResults, Settings};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::progress::ToPage;

/// Most records of all dumps that the page analyzes: what fits into 2 GiB.
pub const MOST_RECORDS: usize = 1_000_000;

/// Files that a page was given.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Analyzer {
    inputs: HeldInputs,
}

#[wasm_bindgen]
impl Analyzer {
    /// No file yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        progress::tell_panics();
        Self::default()
    }

    /// Adds a file of this path.
    ///
    /// # Errors
    /// A sentence.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.inputs.add(Path::new(path), bytes).map_err(|error| error.to_string())
    }

    /// Analyzes the files. `language`: `en` or `zh`.
    ///
    /// # Errors
    /// The sentence of the program.
    pub fn run(self, language: &str) -> Result<Results, String> {
        let language = if language == "zh" { Language::Chinese } else { Language::English };
        let request = HeldRequest {
            settings: Settings { language, page_language: Some(language), ..Settings::default() },
            choice: Choice::default(),
            relates: true,
            most_records: Some(MOST_RECORDS),
        };
        let results = self.inputs.analyze(request, &ToPage);
        results.map(Results).map_err(|error| error.to_string())
    }
}

/// What was made of the files.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Results(HeldResults);

#[wasm_bindgen]
impl Results {
    /// What the run is called.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.name.clone()
    }

    /// What is to be said of it.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// Whether data was lost.
    #[must_use]
    pub fn has_loss(&self) -> bool {
        self.0.has_loss
    }

    /// The directories of the dumps among the results; one without a name for a single dump.
    #[must_use]
    pub fn dumps(&self) -> Vec<String> {
        self.0.dumps.iter().map(|dump| dump.display().to_string()).collect()
    }

    /// The page that is shown first.
    #[must_use]
    pub fn first_page(&self) -> String {
        self.0.first_page.display().to_string()
    }

    /// The names of the files.
    #[must_use]
    pub fn files(&self) -> Vec<String> {
        self.0.files.keys().map(|name| name.display().to_string()).collect()
    }

    /// A file's bytes, which are not kept; none where there is no such file.
    #[must_use]
    pub fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        self.0.files.remove(Path::new(name))
    }
}
