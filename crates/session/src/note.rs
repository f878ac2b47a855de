//! Notes that are said while the work goes on.

use bigtpu_output::{Lines, Text};

/// Takes a note as soon as it is known: the command line shows it.
pub type Say<'a> = &'a dyn Fn(&Text<Lines>);
