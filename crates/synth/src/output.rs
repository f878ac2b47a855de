//! Where the parts of a file go: counted first, then written side by side, each at its own place.

use std::io::{self, Seek, SeekFrom, Write};

/// The parts of a core's or port's file, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Tiu,
    Gdma,
    Sdma,
    Cdma,
    DesTiu,
    DesGdma,
    DesSdma,
    DesKv,
    Extra,
    Data,
}

impl Part {
    /// The parts in the order of a runtime's file: words before their bits, cached streams last.
    pub(crate) const BY_RUNTIMES: [Self; 10] = [
        Self::Tiu,
        Self::Gdma,
        Self::Sdma,
        Self::Cdma,
        Self::DesTiu,
        Self::DesGdma,
        Self::DesSdma,
        Self::Data,
        Self::Extra,
        Self::DesKv,
    ];

    pub(crate) const ALL: [Self; 10] = [
        Self::Tiu,
        Self::Gdma,
        Self::Sdma,
        Self::Cdma,
        Self::DesTiu,
        Self::DesGdma,
        Self::DesSdma,
        Self::DesKv,
        Self::Extra,
        Self::Data,
    ];
}

/// Takes what a file is made of.
pub(crate) trait Sink {
    /// Appends one item of `length` bytes to a part; `fill` appends exactly those.
    fn put(&mut self, part: Part, length: usize, fill: impl FnOnce(&mut Vec<u8>));
}

/// Bytes and items of each part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) bytes: [u64; Part::ALL.len()],
    pub(crate) items: [u64; Part::ALL.len()],
}

impl Sink for Count {
    fn put(&mut self, part: Part, length: usize, _: impl FnOnce(&mut Vec<u8>)) {
        self.bytes[part as usize] += length as u64;
        self.items[part as usize] += 1;
    }
}

/// Something to write into, at any place.
pub(crate) trait Target: Write + Seek + Send {}
impl<T: Write + Seek + Send> Target for T {}

/// One part, written through a buffer.
pub(crate) struct Region<'o> {
    target: Box<dyn Target + 'o>,
    buffer: Vec<u8>,
    ring: Option<Ring>,
    failed: Option<io::Error>,
}

/// A PMU ring: the newest `slots` of `items` items, each in the slot of its number modulo `slots`.
struct Ring {
    slots: u64,
    skip: u64,
    next: u64,
    start: u64,
}

const BUFFER_BYTES: usize = 1 << 18;

impl<'o> Region<'o> {
    /// A part that starts at the target's position.
    pub(crate) fn new(target: Box<dyn Target + 'o>) -> Self {
        Self { target, buffer: Vec::with_capacity(BUFFER_BYTES + 4096), ring: None, failed: None }
    }

    /// Makes the part a ring of `slots` items, into which `items` of `item_bytes` are going to be put.
    pub(crate) fn with_ring(mut self, slots: u64, items: u64, item_bytes: u64) -> io::Result<Self> {
        if items > slots && slots > 0 {
            let start = self.target.stream_position()?;
            let skip = items - slots;
            let first = skip % slots;
            self.target.seek(SeekFrom::Start(start + first * item_bytes))?;
            self.ring = Some(Ring { slots, skip, next: first, start });
        }
        Ok(self)
    }

    fn put(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        if let Some(ring) = &mut self.ring {
            if ring.skip > 0 {
                ring.skip -= 1;
                return;
            }
            if ring.next == ring.slots {
                ring.next = 0;
                let start = ring.start;
                self.flush();
                self.keep(|region| region.target.seek(SeekFrom::Start(start)).map(drop));
            }
            if let Some(ring) = &mut self.ring {
                ring.next += 1;
            }
        }
        fill(&mut self.buffer);
        if self.buffer.len() >= BUFFER_BYTES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.keep(|region| region.target.write_all(&region.buffer));
        self.buffer.clear();
    }

    /// Keeps the first failure for the end.
    fn keep(&mut self, work: impl FnOnce(&mut Self) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = work(self).err();
        }
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.keep(|region| region.target.flush());
        self.failed.map_or(Ok(()), Err)
    }
}

/// Writes the parts.
#[derive(Default)]
pub(crate) struct Regions<'o>(pub(crate) [Option<Region<'o>>; Part::ALL.len()]);

impl Sink for Regions<'_> {
    fn put(&mut self, part: Part, _: usize, fill: impl FnOnce(&mut Vec<u8>)) {
        if let Some(Some(region)) = self.0.get_mut(part as usize) {
            region.put(fill);
        }
    }
}

impl Regions<'_> {
    /// Writes what is left.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.0.into_iter().flatten().try_for_each(Region::finish)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_ring_keeps_the_newest_in_their_slots() {
        for items in 0..20u8 {
            let mut bytes = [0xff; 7];
            let region = Region::new(Box::new(Cursor::new(&mut bytes[..])));
            let mut region = region.with_ring(7, items.into(), 1).unwrap();
            for item in 0..items {
                region.put(|to| to.push(item));
            }
            region.finish().unwrap();
            let mut expected = [0xff; 7];
            (0..items).for_each(|item| expected[usize::from(item) % 7] = item);
            assert_eq!(bytes, expected, "{items}");
        }
    }
}
