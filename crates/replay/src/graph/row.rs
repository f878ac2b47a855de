//! What is stored of an event: how it depends on others, and its times.

use bigtpu_sim::Time;

use crate::dependence::{DependenceKind, NONE, Node};

/// What an event waits for besides the event before it, and its times as they are stored: see [`super::Columns::times`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The other event that it waits for; [`NONE`] for nothing.
    pub(crate) other: Node,
    /// Lag to the event before it; 0 where it does not follow that one.
    pub(crate) order: i32,
    /// Lag to [`Row::other`]; 0 where there is nothing.
    pub(crate) lag: i32,
    /// How long it takes.
    pub(crate) duration: i32,
}

impl Row {
    pub(super) const NOTHING: Self = Self { other: NONE, order: 0, lag: 0, duration: 0 };

    /// Fills the row in; returns whether it holds such times: else see [`super::Lane::set_long`].
    #[inline(always)]
    pub(crate) fn set(&mut self, other: Node, times: EventTimes) -> bool {
        let EventTimes { order, lag, duration } = times;
        let (order_32, lag_32, duration_32) = (order as i32, lag as i32, duration as i32);
        *self = Self { other, order: order_32, lag: lag_32, duration: duration_32 };
        fits(order) & fits(lag) & fits(duration)
    }
}

/// The times of an event in ns, as in [`Row`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventTimes<T = Time> {
    pub(crate) order: T,
    pub(crate) lag: T,
    pub(crate) duration: T,
}

impl<T> EventTimes<T> {
    /// The times counted in another way.
    #[inline(always)]
    pub(crate) fn map<U>(self, count: impl Fn(T) -> U) -> EventTimes<U> {
        let Self { order, lag, duration } = self;
        EventTimes { order: count(order), lag: count(lag), duration: count(duration) }
    }
}

/// Which time of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Order,
    Lag,
    Duration,
}

/// Stands for a time that is in [`super::Rare::long`].
pub(super) const LONG: i32 = i32::MIN;

/// How an event depends on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link(pub(super) u8);

impl Link {
    /// An event that waits for the event before it only.
    pub(super) const ORDERED: Self = Self(DependenceKind::Gather as u8 | Self::FOLLOWS);
    /// Bit of an event that waits for the event before it on its engine.
    const FOLLOWS: u8 = 1 << 7;
    /// Bit of an event that waits for something in [`super::Rare::more`].
    pub(super) const MORE: u8 = 1 << 6;
    /// Bit of an event that waits for something in [`super::Rare::more`], or for a launch.
    pub(super) const RARE: u8 = 1 << 5;
    /// One of its times is in [`super::Rare::long`].
    pub(super) const LONG: u8 = 1 << 4;
    /// Number of the kind.
    const KIND: u8 = Self::LONG - 1;

    /// `kind`: that of [`Row::other`].
    #[inline]
    pub(crate) fn new(kind: DependenceKind, follows: bool) -> Self {
        let rare = if kind.is_launch() { Self::RARE } else { 0 };
        Self(kind as u8 | if follows { Self::FOLLOWS } else { 0 } | rare)
    }

    #[inline]
    pub(crate) fn follows(self) -> bool {
        self.0 & Self::FOLLOWS != 0
    }

    #[inline]
    pub(crate) fn has_more(self) -> bool {
        self.0 & Self::MORE != 0
    }

    /// Whether it waits for a launch, or for something in [`super::Rare::more`].
    #[inline]
    pub(crate) fn is_rare(self) -> bool {
        self.0 & Self::RARE != 0
    }

    /// Whether the kind is a pause: see [`DependenceKind::is_pause`].
    #[inline]
    pub(super) fn is_pause(self) -> bool {
        const PAUSES: u16 = {
            let (mut all, mut number) = (0, 0);
            while number < DependenceKind::NUMBERED.len() {
                all |= (DependenceKind::NUMBERED[number].is_pause() as u16) << number;
                number += 1;
            }
            all
        };
        PAUSES >> (self.0 & Self::KIND) & 1 != 0
    }

    #[inline]
    pub(super) fn has_long(self) -> bool {
        self.0 & Self::LONG != 0
    }

    /// Kind of [`Row::other`].
    #[inline]
    pub(crate) fn kind(self) -> DependenceKind {
        let number = self.0 & Self::KIND;
        DependenceKind::NUMBERED.get(usize::from(number)).copied().unwrap_or(DependenceKind::Gather)
    }
}

/// Whether a row holds such a time.
#[inline(always)]
pub(super) fn fits(time: Time) -> bool {
    // Both signs, without what stands for a long time.
    const MOST: Time = i32::MAX as Time;
    time.wrapping_add(MOST) as u64 <= 2 * MOST as u64
}
