//! A page that leads the browser to the file's address.
//!
//! The address holds the secret, and the arguments of a process can be read by every user of the machine. The browser gets
//! the path of this page instead, which only its user can read.

use std::io;
use std::path::PathBuf;

use bigtpu_output::{Markup, Scratch, Text, text};

/// Name of the page.
const FILE: &str = "open.html";

/// The page, which goes with this.
#[derive(Debug)]
pub struct Redirect {
    path: PathBuf,
    _scratch: Scratch,
}

impl Redirect {
    /// A page that leads to an address.
    pub(super) fn to(address: &str) -> io::Result<Self> {
        let scratch = Scratch::create()?;
        let page: Text<Markup> = text!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta http-equiv=\"refresh\" content=\"0;url={}\">\n\
             <title>bigtpuprofile</title>\n</head>\n<body>\n<p><a href=\"{}\">Open it by hand</a> if nothing happens.</p>\n\
             </body>\n</html>\n",
            address,
            address
        );
        let path = scratch.write(FILE, &page)?;
        Ok(Self { path, _scratch: scratch })
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> String {
        format!("file://{}", self.path.display())
    }
}
