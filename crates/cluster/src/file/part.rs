//! A part from its columns.

use super::reader::Reader;
use super::{MOST_NS, PartError};
use crate::alike::{Alike, Likeness};
use crate::column::Column;
use crate::commands::DataCommands;
use crate::host_side::{HostSide, HostSpan};
use crate::launches::LaunchList;
use crate::part::{DumpPart, Identity, OneSided, ThreadCommands};
use crate::runs::Runs;
use crate::runs::{CoreState, CoreStretch};
use bigtpu_messages::error_message;

impl Reader<'_> {
    /// The whole part.
    pub(super) fn part(mut self) -> Result<DumpPart, PartError> {
        // The dump's is a path, by which it is found again.
        let [host, dump, chip, version] = [self.name()?, self.text()?, self.name()?, self.name()?];
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
        let kernels = (0..self.count()?).map(|_| self.name()).collect::<Result<Vec<_>, _>>()?;
        let threads = (0..self.count()?).map(|_| self.thread()).collect::<Result<Vec<_>, _>>()?;
        let one_sided =
            (0..self.count()?).map(|_| self.one_sided()).collect::<Result<Vec<_>, _>>()?;
        let count = self.count()?;
        let states = self.plain(count)?;
        let mut total = 0u64;
        let mut run = |state: &i64| {
            let state = usize::try_from(*state).ok().and_then(|at| CoreState::ALL.get(at));
            let state = *state.ok_or_else(|| self.damaged(error_message!("problem-part-state")))?;
            let ns: u64 = self.unsigned()?;
            total = total.saturating_add(ns);
            if total > MOST_NS {
                return Err(self.damaged(error_message!("problem-part-long")));
            }
            Ok(CoreStretch { state, ns })
        };
        let runs = states.iter().map(&mut run).collect::<Result<Runs, _>>()?;
        let alike = (0..self.count()?).map(|_| self.alike()).collect::<Result<Vec<_>, _>>()?;
        let count = self.count()?;
        let start = Column::compress(self.column(count)?.into_iter());
        let length = Column::compress(self.plain(count)?.into_iter());
        let kernel = self.column(count)?.into_iter().map(|k| u32::try_from(k).unwrap_or(u32::MAX));
        let kernel = Column::compress(kernel.map(i64::from));
        let count = self.count()?;
        let step_starts = self.column(count)?;
        let steps = step_starts.into_iter().zip(self.plain(count)?);
        let steps = steps.map(|(start, ns)| (start, start.saturating_add(ns.max(0)))).collect();
        let (tail_offset_ns, latest_end) = (self.optional()?, self.number()?);
        let host = if self.number()? != 0 { Some(self.host()?) } else { None };
        if window.1 < window.0 || total != window.1.abs_diff(window.0) {
            return Err(self.damaged(error_message!("problem-part-sum")));
        }
        Ok(DumpPart {
            identity,
            window,
            events,
            lost_records,
            has_loss: flags & 1 != 0,
            has_commands: flags & 2 != 0,
            kernels,
            threads,
            one_sided,
            alike,
            launches: LaunchList { kernel, start, length },
            steps,
            tail_offset_ns,
            latest_end,
            host,
            runs,
        })
    }

    fn thread(&mut self) -> Result<ThreadCommands, PartError> {
        let port = self.unsigned()?;
        let flags = self.number()?;
        let (left_out, other_bytes) = (self.unsigned()?, self.unsigned()?);
        let n = self.count()?;
        let natural =
            |values: Vec<i64>| Column::compress(values.into_iter().map(|value| value.max(0)));
        let start = Column::compress(self.column(n)?.into_iter());
        let start_up = natural(self.plain(n)?);
        let transfer = natural(self.column(n)?);
        let completion = natural(self.plain(n)?);
        let bytes = natural(self.column(n)?);
        let mut rest: [Column; 6] = Default::default();
        for column in &mut rest {
            let narrow = |value| u32::try_from(value).unwrap_or(0).into();
            *column = Column::compress(self.column(n)?.into_iter().map(narrow));
        }
        let commands = DataCommands { start, start_up, transfer, completion, bytes, rest };
        Ok(ThreadCommands {
            port,
            receives: flags & 1 != 0,
            is_anchored: flags & 2 != 0,
            has_moments: flags & 4 != 0,
            has_shapes: flags & 8 != 0,
            is_whole: flags & 16 != 0,
            commands,
            left_out,
            other_bytes,
        })
    }

    fn host(&mut self) -> Result<HostSide, PartError> {
        let offset_ns = self.optional()?;
        Ok(HostSide { offset_ns, calls: self.spans()?, steps: self.spans()? })
    }

    fn spans(&mut self) -> Result<Vec<HostSpan>, PartError> {
        let names = (0..self.count()?).map(|_| self.name()).collect::<Result<Vec<_>, _>>()?;
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

    fn alike(&mut self) -> Result<Alike, PartError> {
        let (kind, amount, cycles) = (self.unsigned()?, self.unsigned()?, self.unsigned()?);
        let what = Likeness { kind, amount, cycles };
        Ok(Alike { what, count: self.unsigned()?, ns: self.unsigned()? })
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
