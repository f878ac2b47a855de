//! Values of counters.

use super::Sequence;
use crate::room::Room;
use crate::spread::spread;

/// A time of counters' values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// Trace time.
    time: u64,
    /// As it is put into a template.
    word: u64,
}

impl Sequence {
    /// A counter's value.
    pub(crate) fn count(&mut self, room: &mut Room<'_>, time: i64, value: f64) {
        self.count_at(room, self.moment(time), value);
    }

    /// A time in ns, for counters that change together.
    #[inline]
    pub(crate) fn moment(&self, time: i64) -> Moment {
        let time = self.trace_time(time);
        Moment { time, word: spread(time) }
    }

    /// A counter's value.
    #[inline]
    pub(crate) fn count_at(&mut self, room: &mut Room<'_>, moment: Moment, value: f64) {
        if !self.is_open {
            room.append(|out| self.open(out));
        }
        let Moment { time, word } = moment;
        debug_assert!(time >= self.now, "time goes back from {} to {time}", self.now);
        self.now = self.now.max(time);
        // A value of 0 has no bits, whatever its sign.
        let (sample, value) = match value == 0.0 {
            true => (&mut self.constant.zero, None),
            false => (&mut self.constant.double, Some(value.to_bits())),
        };
        match sample.fits(time) {
            true => sample.copy(room, word, value),
            false => room.append(|out| sample.append_any(out, time, value)),
        }
    }

    /// A counter's value at a trace time as it is put into a template. The value: the bits of a double, none of one below 0.
    #[inline]
    pub(crate) fn count_word(&mut self, room: &mut Room<'_>, word: u64, value: u64) {
        if !self.is_open {
            room.append(|out| self.open(out));
        }
        let (sample, value) = match value {
            0 => (&mut self.constant.zero, None),
            _ => (&mut self.constant.double, Some(value)),
        };
        if sample.fits_word(word) {
            sample.copy(room, word, value);
        }
    }
}
