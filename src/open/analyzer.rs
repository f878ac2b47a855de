//! The analyzer in one HTML file, which a program of a release has inside.

use std::path::Path;

use crate::exit::failed;
use anyhow::Result;
use bigtpu_messages::message;
use bigtpu_output::ByLibrary;
use bigtpu_session::{file_or_in_directory, write_file};

/// The page: the feature `analyzer-page` puts the file into the program that BIGTPUPROFILE_PAGE names while it is compiled.
#[cfg(feature = "analyzer-page")]
const PAGE: Option<&[u8]> = Some(include_bytes!(env!(
    "BIGTPUPROFILE_PAGE",
    "the feature analyzer-page needs the absolute path of bigtpuprofile.html"
)));
#[cfg(not(feature = "analyzer-page"))]
const PAGE: Option<&[u8]> = None;

/// Writes the page.
pub(super) fn write(file: &Path) -> Result<()> {
    let Some(page) = PAGE else {
        return Err(failed(message!("error-no-analyzer", path = file.display().to_string())));
    };
    let file = file_or_in_directory(file, "bigtpuprofile.html");
    let written = write_file(&file, &ByLibrary(page))?;
    super::say(&format!("{} ({})", written.path.display(), bigtpu_session::size(written.bytes)))
}
