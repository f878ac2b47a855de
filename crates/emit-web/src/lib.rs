//! The page `PerfWeb/result.html`: one self-contained file that shows a profile in a browser, offline.
//!
//! The script and style are bundled from `page/` and compiled in; the data is in the page as JSON (names,
//! totals) and as columns of varints, deflated and in base64, that the script decodes when it needs them.
//! Next to it is `PerfWeb/profile_data.js`, for scripts that read the totals of bigTpuProfile 0.3.0 there.
#![forbid(unsafe_code)]

mod build;
mod causes;
mod chunk;
mod column;
mod data_js;
mod engine;
mod fields;
mod flows;
mod gap_track;
mod head;
mod host;
mod html;
mod jobs;
mod lmem;
mod mip;
mod names;
mod notices;
mod page_tags;
#[cfg(feature = "page-types")]
mod page_types;
mod runs;
mod scene_track;
mod span;
mod strings;
mod summary;
mod track;
mod units;
mod what_if;

use std::sync::Arc;

use bigtpu_answers::Depth;
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_measure::layers::Layers;
use bigtpu_messages::Language;
use bigtpu_output::{OutputError, Written};

use build::Sources;

pub use data_js::DATA_FILE;
#[cfg(feature = "page-types")]
pub use page_types::page_types;
pub use runs::{PageRun, RunsKind, RunsPage};

/// The page.
#[derive(Debug, Clone, Default)]
pub struct WebPage {
    /// Name of the dump, shown as the page's title.
    pub source: String,
    /// Host trace to merge.
    pub host: Option<Arc<HostTrace>>,
    /// How to merge it.
    pub align: HostAlign,
    /// Layers of a static model.
    pub layers: Option<Arc<Layers>>,
    /// The page is in the output directory itself, without the data beside it.
    pub is_flat: bool,
    /// The language in which it opens; `None`: the one that was asked for of the process, else that of the browser.
    pub opens_in: Option<Language>,
}

/// Name of the file where the page is in the output directory itself.
pub const FLAT_PAGE_FILE: &str = "result.html";

/// Name of the file.
pub const PAGE_FILE: &str = "PerfWeb/result.html";

impl Emitter for WebPage {
    fn name(&self) -> &'static str {
        "page"
    }

    fn depth(&self) -> Depth {
        Depth::Answers
    }

    fn draws(&self) -> bool {
        true
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let page = || {
            let mut heads = [build::head(input, &Sources::new(self))];
            let mut file = input.out.file(if self.is_flat { FLAT_PAGE_FILE } else { PAGE_FILE })?;
            html::write(&mut heads, None, self.opens_in, &mut file)?;
            file.commit()
        };
        if self.is_flat {
            return Ok(vec![page()?]);
        }
        let (page, data) = rayon::join(page, || data_js::write(input));
        Ok(vec![page?, data?])
    }
}
