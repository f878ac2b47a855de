//! The file of a part: a head, then its columns as differences, deflated.
//!
//! ```text
//!  0         8          12        20        24
//!  +---------+----------+---------+---------+------------------+
//!  | BTPUPART| version  | length  | crc32   | deflated columns |   integers little-endian; length and crc32
//!  +---------+----------+---------+---------+------------------+   are of the columns before deflation
//! ```
//!
//! A column is its length, then the differences of its values as zigzag varints.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::Crc;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::column::Column;
use crate::commands::Commands;
use crate::host::{HostSide, HostSpan};
use crate::launches::LaunchList;
use crate::part::{CoreState, Identity, OneSided, Part, Run, Thread};
use crate::runs::Runs;

const MAGIC: &[u8; 8] = b"BTPUPART";
const VERSION: u32 = 2;
const HEAD: usize = 24;
/// A part is never larger than this, whatever its head says.
const MOST_BYTES: u64 = 1 << 32;
/// ns; no capture is longer (13 days), whatever a part says.
const MOST_NS: u64 = 1 << 50;

/// Why bytes are no part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// It does not begin like one.
    #[error("it is no part: make one with `cluster part DUMP -o FILE`")]
    NoPart,
    /// Another version of the program wrote it.
    #[error("its version is {found} and this program reads {VERSION}: make the part again")]
    Version {
        /// Its version.
        found: u32,
    },
    /// It is damaged.
    #[error("it is damaged at byte {offset}: {what}; make the part again")]
    Damaged {
        /// Where, in bytes of its columns.
        offset: u64,
        /// What was found.
        what: &'static str,
    },
}

impl Part {
    /// The bytes of a part's file.
    ///
    /// # Errors
    /// When the compressor refuses, which it does not in memory.
    pub fn encode(&self) -> std::io::Result<Vec<u8>> {
        let body = self.columns();
        let mut crc = Crc::new();
        crc.update(&body);
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&crc.sum().to_le_bytes());
        let mut encoder = ZlibEncoder::new(bytes, Compression::default());
        encoder.write_all(&body)?;
        encoder.finish()
    }

    /// A part from the bytes of its file.
    ///
    /// # Errors
    /// [`PartError`] when they are no part, of another version, or damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, PartError> {
        let damaged = |what| PartError::Damaged { offset: 0, what };
        let (head, rest) = bytes.split_at_checked(HEAD).ok_or(PartError::NoPart)?;
        if !head.starts_with(MAGIC) {
            return Err(PartError::NoPart);
        }
        let word = |at: usize| {
            head.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
        };
        let version = word(8);
        if version != VERSION {
            return Err(PartError::Version { found: version });
        }
        let length = u64::from(word(12)) | u64::from(word(16)) << 32;
        if length > MOST_BYTES {
            return Err(damaged("its length is not possible"));
        }
        let mut body = Vec::new();
        // One byte more than said shows that there is more.
        let mut decoder = ZlibDecoder::new(rest).take(length + 1);
        decoder.read_to_end(&mut body).map_err(|_| damaged("it cannot be inflated"))?;
        let mut crc = Crc::new();
        crc.update(&body);
        if body.len() as u64 != length || crc.sum() != word(20) {
            return Err(damaged("its checksum is wrong"));
        }
        Reader { body: &body, at: 0 }.part()
    }

    fn columns(&self) -> Vec<u8> {
        let mut w = Writer(Vec::new());
        let Identity { host, device, call, dump, chip, version } = &self.identity;
        [host, dump, chip, version].into_iter().for_each(|text| w.text(text));
        [i64::from(*device), i64::from(*call), self.window.0, self.window.1]
            .into_iter()
            .for_each(|n| w.number(n));
        w.number(self.events as i64);
        w.number(self.lost_records as i64);
        w.number(i64::from(self.has_loss) | i64::from(self.has_commands) << 1);
        w.number(self.kernels.len() as i64);
        self.kernels.iter().for_each(|name| w.text(name));
        w.number(self.threads.len() as i64);
        for thread in &self.threads {
            w.number(thread.port.into());
            let flags =
                [thread.receives, thread.is_anchored, thread.has_moments, thread.has_shapes];
            w.number(flags.iter().rev().fold(0, |all, &flag| all << 1 | i64::from(flag)));
            w.number(thread.left_out as i64);
            w.number(thread.other_bytes as i64);
            let all = &thread.commands;
            w.number(all.len() as i64);
            w.column(all.start.iter());
            w.plain(all.start_up.iter());
            w.column(all.transfer.iter());
            w.plain(all.completion.iter());
            w.column(all.bytes.iter());
            all.rest.iter().for_each(|column| w.column(column.iter()));
        }
        w.number(self.one_sided.len() as i64);
        for OneSided { port, peer, commands, bytes, ns } in &self.one_sided {
            w.number((*port).into());
            w.number(peer.map_or(-1, i64::from));
            [*commands, *bytes, *ns].into_iter().for_each(|n| w.number(n as i64));
        }
        w.number(self.runs.len() as i64);
        w.plain(self.runs.iter().map(|run| run.state as i64));
        w.plain(self.runs.iter().map(|run| run.ns as i64));
        w.number(self.launches.len() as i64);
        w.column(self.launches.start.iter());
        w.plain(self.launches.length.iter());
        w.column(self.launches.kernel.iter());
        w.number(self.steps.len() as i64);
        w.column(self.steps.iter().map(|(start, _)| *start));
        w.plain(self.steps.iter().map(|(start, end)| end.saturating_sub(*start)));
        w.optional(self.tail_offset_ns);
        w.number(self.latest_end);
        w.number(self.host.is_some().into());
        if let Some(HostSide { offset_ns, calls, steps }) = &self.host {
            w.optional(*offset_ns);
            [calls, steps].into_iter().for_each(|spans| w.spans(spans));
        }
        w.0
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, n: i64) {
        let mut rest = (n << 1 ^ n >> 63) as u64;
        while rest > 0x7f {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn optional(&mut self, n: Option<i64>) {
        self.number(n.is_some().into());
        self.number(n.unwrap_or(0));
    }

    fn spans(&mut self, spans: &[HostSpan]) {
        self.number(spans.len() as i64);
        spans.iter().for_each(|span| self.text(&span.name));
        self.column(spans.iter().map(|span| span.start));
        self.plain(spans.iter().map(|span| span.end.saturating_sub(span.start)));
    }

    fn plain(&mut self, values: impl Iterator<Item = i64>) {
        values.for_each(|value| self.number(value));
    }

    fn column(&mut self, values: impl Iterator<Item = i64>) {
        let mut last = 0i64;
        for value in values {
            self.number(value.wrapping_sub(last));
            last = value;
        }
    }
}

struct Reader<'b> {
    body: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn damaged(&self, what: &'static str) -> PartError {
        PartError::Damaged { offset: self.at as u64, what }
    }

    fn number(&mut self) -> Result<i64, PartError> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let Some(&byte) = self.body.get(self.at) else {
                return Err(self.damaged("it ends too early"));
            };
            self.at += 1;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok((n >> 1) as i64 ^ -((n & 1) as i64));
            }
        }
        Err(self.damaged("a number is too long"))
    }

    fn unsigned<T: TryFrom<i64>>(&mut self) -> Result<T, PartError> {
        let number = self.number()?;
        T::try_from(number).map_err(|_| self.damaged("a number is out of range"))
    }

    /// A count of things that take at least one byte each.
    fn count(&mut self) -> Result<usize, PartError> {
        let count: usize = self.unsigned()?;
        if count > self.body.len() {
            return Err(self.damaged("a count is not possible"));
        }
        Ok(count)
    }

    fn text(&mut self) -> Result<String, PartError> {
        let length = self.count()?;
        let text = self.body.get(self.at..self.at.saturating_add(length));
        let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let text = text.ok_or_else(|| self.damaged("a text is no text"))?;
        self.at += length;
        Ok(text.to_owned())
    }

    fn plain(&mut self, count: usize) -> Result<Vec<i64>, PartError> {
        (0..count).map(|_| self.number()).collect()
    }

    fn column(&mut self, count: usize) -> Result<Vec<i64>, PartError> {
        let mut last = 0i64;
        let mut next = || {
            last = last.wrapping_add(self.number()?);
            Ok(last)
        };
        (0..count).map(|_| next()).collect()
    }

    fn part(mut self) -> Result<Part, PartError> {
        let [host, dump, chip, version] = [self.text()?, self.text()?, self.text()?, self.text()?];
        let identity = Identity {
            host,
            dump,
            chip,
            version,
            device: self.unsigned()?,
            call: self.unsigned()?,
        };
        let window = (self.number()?, self.number()?);
        let (events, lost_records) = (self.unsigned()?, self.unsigned()?);
        let flags = self.number()?;
        let kernels = (0..self.count()?).map(|_| self.text()).collect::<Result<Vec<_>, _>>()?;
        let threads = (0..self.count()?).map(|_| self.thread()).collect::<Result<Vec<_>, _>>()?;
        let one_sided =
            (0..self.count()?).map(|_| self.one_sided()).collect::<Result<Vec<_>, _>>()?;
        let count = self.count()?;
        let states = self.plain(count)?;
        let mut total = 0u64;
        let mut run = |state: &i64| {
            let state = usize::try_from(*state).ok().and_then(|at| CoreState::ALL.get(at));
            let state = *state.ok_or_else(|| self.damaged("a state is unknown"))?;
            let ns: u64 = self.unsigned()?;
            total = total.saturating_add(ns);
            if total > MOST_NS {
                return Err(self.damaged("its states are longer than a capture"));
            }
            Ok(Run { state, ns })
        };
        let runs = states.iter().map(&mut run).collect::<Result<Runs, _>>()?;
        let count = self.count()?;
        let start = Column::of(self.column(count)?.into_iter());
        let length = Column::of(self.plain(count)?.into_iter());
        let kernel = self.column(count)?.into_iter().map(|k| u32::try_from(k).unwrap_or(u32::MAX));
        let kernel = Column::of(kernel.map(i64::from));
        let count = self.count()?;
        let step_starts = self.column(count)?;
        let steps = step_starts.into_iter().zip(self.plain(count)?);
        let steps = steps.map(|(start, ns)| (start, start.saturating_add(ns.max(0)))).collect();
        let (tail_offset_ns, latest_end) = (self.optional()?, self.number()?);
        let host = if self.number()? != 0 { Some(self.host()?) } else { None };
        if window.1 < window.0 || total != window.1.abs_diff(window.0) {
            return Err(self.damaged("the states do not add up to the window"));
        }
        Ok(Part {
            identity,
            window,
            events,
            lost_records,
            has_loss: flags & 1 != 0,
            has_commands: flags & 2 != 0,
            kernels,
            threads,
            one_sided,
            launches: LaunchList { kernel, start, length },
            steps,
            tail_offset_ns,
            latest_end,
            host,
            runs,
        })
    }

    fn thread(&mut self) -> Result<Thread, PartError> {
        let port = self.unsigned()?;
        let flags = self.number()?;
        let (left_out, other_bytes) = (self.unsigned()?, self.unsigned()?);
        let n = self.count()?;
        let natural = |values: Vec<i64>| Column::of(values.into_iter().map(|value| value.max(0)));
        let start = Column::of(self.column(n)?.into_iter());
        let start_up = natural(self.plain(n)?);
        let transfer = natural(self.column(n)?);
        let completion = natural(self.plain(n)?);
        let bytes = natural(self.column(n)?);
        let mut rest: [Column; 6] = Default::default();
        for column in &mut rest {
            let narrow = |value| u32::try_from(value).unwrap_or(0).into();
            *column = Column::of(self.column(n)?.into_iter().map(narrow));
        }
        let commands = Commands { start, start_up, transfer, completion, bytes, rest };
        Ok(Thread {
            port,
            receives: flags & 1 != 0,
            is_anchored: flags & 2 != 0,
            has_moments: flags & 4 != 0,
            has_shapes: flags & 8 != 0,
            commands,
            left_out,
            other_bytes,
        })
    }

    fn optional(&mut self) -> Result<Option<i64>, PartError> {
        let is_known = self.number()? != 0;
        Ok(Some(self.number()?).filter(|_| is_known))
    }

    fn host(&mut self) -> Result<HostSide, PartError> {
        let offset_ns = self.optional()?;
        Ok(HostSide { offset_ns, calls: self.spans()?, steps: self.spans()? })
    }

    fn spans(&mut self) -> Result<Vec<HostSpan>, PartError> {
        let names = (0..self.count()?).map(|_| self.text()).collect::<Result<Vec<_>, _>>()?;
        let starts = self.column(names.len())?;
        let lengths = self.plain(names.len())?;
        let times = starts.into_iter().zip(lengths);
        let span = |(name, (start, ns)): (String, (i64, i64))| HostSpan {
            name,
            start,
            end: start.saturating_add(ns.max(0)),
        };
        Ok(names.into_iter().zip(times).map(span).collect())
    }

    fn one_sided(&mut self) -> Result<OneSided, PartError> {
        Ok(OneSided {
            port: self.unsigned()?,
            peer: u8::try_from(self.number()?).ok(),
            commands: self.unsigned()?,
            bytes: self.unsigned()?,
            ns: self.unsigned()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Command, Launch};

    fn part() -> Part {
        let command =
            Command { start: 5, first: 7, last: 90, end: 95, bytes: 4096, ..Command::default() };
        let next = Command { start: 100, first: 101, last: 180, end: 186, section: 1, ..command };
        Part {
            identity: Identity { host: "a".into(), device: 3, ..Identity::default() },
            window: (0, 200),
            kernels: vec!["matmul".into()],
            threads: vec![Thread {
                port: 2,
                commands: [command, next].into_iter().collect(),
                ..Thread::default()
            }],
            one_sided: vec![OneSided { port: 2, peer: Some(3), commands: 4, bytes: 256, ns: 90 }],
            runs: [
                Run { state: CoreState::Compute, ns: 150 },
                Run { state: CoreState::Idle, ns: 50 },
            ]
            .into_iter()
            .collect(),
            launches: [Launch { kernel: 0, start: 0, end: 150 }].into_iter().collect(),
            steps: vec![(0, 90), (90, 150)],
            tail_offset_ns: Some(-3),
            latest_end: 170,
            host: Some(HostSide {
                offset_ns: Some(1 << 50),
                calls: vec![HostSpan { name: "c10d::allreduce_".into(), start: -4, end: 9 }],
                steps: Vec::new(),
            }),
            ..Part::default()
        }
    }

    #[test]
    fn a_part_comes_back_from_its_file() {
        let bytes = part().encode().unwrap();
        assert_eq!(Part::decode(&bytes).unwrap(), part());
    }

    #[test]
    fn damage_is_refused_and_never_a_panic() {
        let bytes = part().encode().unwrap();
        assert_eq!(Part::decode(b"hello"), Err(PartError::NoPart));
        let mut other = bytes.clone();
        other[8] = 9;
        assert_eq!(Part::decode(&other), Err(PartError::Version { found: 9 }));
        for at in 0..bytes.len() {
            let mut mutant = bytes.clone();
            mutant[at] ^= 0x41;
            assert!(Part::decode(&mutant).is_err() || at >= 24, "byte {at}");
            assert!(Part::decode(&bytes[..at]).is_err());
        }
    }
}
