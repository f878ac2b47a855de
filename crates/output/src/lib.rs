//! What every output has in common, whatever is written: a directory whose files are whole or absent, text from outside
//! with an encoder for each sink, plain tables, and [`lanes`] for slices that overlap.
#![forbid(unsafe_code)]

mod commit;
mod component;
mod directory;
mod document;
mod encode;
mod error;
mod four_places;
mod held;
mod href;
mod html;
pub mod lanes;
mod manifest;
mod out_dir;
mod out_file;
mod page_start;
mod phrase;
mod root;
mod scratch;
mod show;
mod sink;
mod table;
mod text;
mod unfinished;
mod untrusted;

pub use bigtpu_messages::amount;
pub use component::{PanelDefinition, explained, legend, panel};
pub use document::{ByLibrary, Document, Json};
pub use encode::{plain_json, plain_line, plain_lines, plain_paragraph};
pub use error::OutputError;
pub use href::{href, href_and_back};
pub use html::{PAGE_STYLE, page};
pub use manifest::MANIFEST_FILE;
pub use out_dir::{OutDir, Written};
pub use out_file::{OutFile, Parts};
pub use page_start::{NO_SCRIPT, asked_page_language, open_pages_in, page_start};
pub use phrase::{both, in_two_languages, page_in_two_languages, phrase, phrase_in_picture};
pub use scratch::Scratch;
pub use show::Show;
pub use sink::{Csv, Dot, Lines, Literal, Markdown, Markup, Sink};
pub use table::Table;
pub use text::{Pieces, Text, TextPiece};
pub use unfinished::abandon;
pub use untrusted::Untrusted;
