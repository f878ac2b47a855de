//! A file's layout: where each of its parts starts.

use std::io::{self, SeekFrom};

use crate::output::{Count, Part, Region, Regions, Target};
use crate::session::block_of;
use crate::{Error, Options, Result, Writer};

/// A file's layout.
#[derive(Debug)]
pub(crate) struct FilePlan {
    pub(crate) name: String,
    /// Bytes of the whole file.
    pub(crate) bytes: u64,
    parts: Vec<PartPlan>,
}

#[derive(Debug)]
struct PartPlan {
    part: Part,
    /// Where the part starts, with its block's header if it has one.
    at: u64,
    /// Bytes of the part, with its block's header.
    bytes: u64,
    head: Option<[u8; 8]>,
    /// Items that are put, and those that are kept.
    items: u64,
    kept: u64,
    item_bytes: u64,
}

impl FilePlan {
    /// Lays out what was counted. Each of `rings` keeps only so many items, of so many bytes each.
    pub(crate) fn new(
        options: &Options,
        name: String,
        count: &Count,
        rings: &[(Part, u64, u64)],
    ) -> Result<Self> {
        let mut parts = Vec::new();
        let mut at = 0;
        let order = if options.writer == Writer::Plain { Part::ALL } else { Part::BY_RUNTIMES };
        for part in order {
            let (items, mut content) = (count.items[part as usize], count.bytes[part as usize]);
            if items == 0 {
                continue;
            }
            let ring = rings.iter().find(|ring| ring.0 == part);
            let (kept, item_bytes) = ring.map_or((items, 0), |ring| (ring.1, ring.2));
            if kept < items {
                content = kept * item_bytes;
            }
            let head = match block_of(part, options.has_groups()) {
                Some(kind) => {
                    let too_large = |_| Error::TooLarge { file: name.clone(), bytes: content };
                    Some(kind.head(u32::try_from(content).map_err(too_large)?))
                }
                None => None,
            };
            let bytes = content + head.map_or(0, |head| head.len() as u64);
            parts.push(PartPlan { part, at, bytes, head, items, kept, item_bytes });
            at += bytes;
        }
        Ok(Self { name, bytes: at, parts })
    }

    /// Records of a part that the file holds.
    pub(crate) fn records(&self, part: Part) -> u64 {
        self.parts.iter().find(|p| p.part == part).map_or(0, |p| p.kept)
    }

    /// Opens all parts: `open` gives a target for the bytes of each, in order, whose start is its place.
    pub(crate) fn regions<'o, T: Target + 'o>(
        &self,
        mut open: impl FnMut(u64, u64) -> io::Result<(T, u64)>,
    ) -> io::Result<Regions<'o>> {
        let mut regions = Regions::default();
        for part in &self.parts {
            let (mut target, start) = open(part.at, part.bytes)?;
            target.seek(SeekFrom::Start(start))?;
            if let Some(head) = part.head {
                target.write_all(&head)?;
            }
            let region = Region::new(Box::new(target));
            let region = region.with_ring(part.kept, part.items, part.item_bytes)?;
            if let Some(place) = regions.0.get_mut(part.part as usize) {
                *place = Some(region);
            }
        }
        Ok(regions)
    }
}
