//! The tags that the page's slices have.

use bigtpu_timeline::{Profile, Tag};

use crate::chunk::Chunk;
use crate::column::Column;

/// The page's tags: those of the cores, then those of the ports.
pub(crate) struct Tags {
    pub(crate) tags: Vec<Tag>,
    /// First of the page's tags of each core.
    pub(crate) bases: Vec<u32>,
}

impl Tags {
    pub(crate) fn find(profile: &Profile<'_>) -> Self {
        let mut all = Self { tags: Vec::new(), bases: Vec::new() };
        for core in &profile.cores {
            all.bases.push(all.tags.len() as u32);
            let own = profile.tags.get(core.tags.start as usize..core.tags.end as usize);
            // A core without a file has the empty tag all the same.
            all.tags.extend(own.filter(|own| !own.is_empty()).unwrap_or(&[Tag::default()]));
        }
        if all.tags.is_empty() {
            all.tags.push(Tag::default());
        }
        all
    }

    pub(crate) fn chunk(&self) -> Chunk {
        let mut columns = vec![
            Column::signed("kernel"),
            Column::differences("scope"),
            Column::differences("batch"),
            Column::text("mode"),
        ];
        if let [kernel, scope, batch, mode] = columns.as_mut_slice() {
            let number = |n: Option<u32>| n.map_or(-1, i64::from);
            for tag in &self.tags {
                kernel.push(number(tag.kernel));
                scope.push(number(tag.scope));
                batch.push(number(tag.batch));
                mode.push_text(tag.mode.map_or("", |m| m.name()));
            }
        }
        Chunk::pack(columns)
    }
}
