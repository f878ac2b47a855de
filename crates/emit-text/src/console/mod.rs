//! The console as a view: standard output and standard error that take no raw text from outside, their colours, and tables
//! that fit a terminal. What a command shows there is the command line's.

mod colour;
mod layout;
mod screen;
pub mod standard;

pub use layout::{bare, wrapped};
pub use screen::Screen;
pub use standard::Plain;

/// Columns that every terminal has.
pub const COLUMNS: usize = 80;
