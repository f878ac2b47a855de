//! The partner of each paired command.

use crate::pairing::{Link, ThreadId};
use crate::rank::Rank;

/// The link of each thread of each rank. A thread is an end of one link at most.
#[derive(Debug, Clone, Default)]
pub(crate) struct Partners(Vec<Vec<Option<u32>>>);

impl Partners {
    /// Collects the link of each thread of the ranks.
    pub(crate) fn collect(ranks: &[Rank], links: &[Link]) -> Self {
        let mut partners: Vec<Vec<Option<u32>>> =
            ranks.iter().map(|rank| vec![None; rank.part.threads.len()]).collect();
        for (number, link) in (0..).zip(links) {
            for id in [link.from, link.to] {
                let place = partners.get_mut(id.rank).and_then(|of| of.get_mut(id.thread));
                if let Some(place) = place {
                    *place = Some(number);
                }
            }
        }
        Self(partners)
    }

    /// The link of a thread.
    pub(crate) fn link(&self, id: ThreadId) -> Option<usize> {
        self.0.get(id.rank)?.get(id.thread).copied().flatten().map(|link| link as usize)
    }

    /// The link of a thread's command, and the place of its partner in the other thread.
    pub(crate) fn find(
        &self,
        links: &[Link],
        id: ThreadId,
        place: usize,
    ) -> Option<(usize, usize)> {
        let number = self.link(id)?;
        let link = links.get(number)?;
        let is_receive = link.to == id;
        Some((number, link.alignment.partner(place, is_receive)?))
    }
}
