//! Flows at the events of a track.

use bigtpu_perfetto_protos::field::track_event;

/// What a flow does at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FlowPoint {
    /// The flow starts at the event's slice.
    Start,
    /// The flow ends at the event's slice.
    End,
    /// The flow ends at the event's end: of a command at a mark there, of a host slice with the slice.
    EndBehind,
}

/// A flow at an event: its number, and what it does there in the highest two bits, so that flows are sorted by both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventFlow(u64);

impl EventFlow {
    const POINT: u32 = 62;

    pub(crate) fn new(point: FlowPoint, number: u64) -> Self {
        Self((point as u64) << Self::POINT | number)
    }

    /// What the flow does.
    #[inline]
    pub(crate) fn point(self) -> FlowPoint {
        match self.0 >> Self::POINT {
            0 => FlowPoint::Start,
            1 => FlowPoint::End,
            _ => FlowPoint::EndBehind,
        }
    }

    /// Its number.
    #[inline]
    pub(crate) fn number(self) -> u64 {
        self.0 & ((1 << Self::POINT) - 1)
    }
}

/// Bytes of a flow that starts or ends at a slice, as a field of its event.
pub(crate) const FLOW_BYTES: usize = 10;

/// The key of a flow's field in the event that begins a slice.
#[inline]
fn key(flow: EventFlow) -> [u8; 2] {
    /// A key of two bytes, of a field of eight bytes.
    const fn key(field: u32) -> [u8; 2] {
        let key = field << 3 | 1;
        assert!(key >= 1 << 7 && key < 1 << 14);
        [(key & 0x7f | 0x80) as u8, (key >> 7) as u8]
    }
    const STARTS: [u8; 2] = key(track_event::FLOW_IDS);
    const ENDS: [u8; 2] = key(track_event::TERMINATING_FLOW_IDS);
    if flow.point() == FlowPoint::Start { STARTS } else { ENDS }
}

/// A flow as such a field.
#[inline]
fn field(flow: EventFlow) -> [u8; FLOW_BYTES] {
    let mut field = [0; FLOW_BYTES];
    let (of_key, of_number) = field.split_at_mut(2);
    of_key.copy_from_slice(&key(flow));
    of_number.copy_from_slice(&flow.number().to_le_bytes());
    field
}

/// Appends flows to the event that begins a slice.
pub(crate) fn append_flows(out: &mut Vec<u8>, flows: &[EventFlow]) {
    flows.iter().for_each(|flow| out.extend(field(*flow)));
}

/// Writes flows into room for so many bytes, [`FLOW_BYTES`] a flow.
#[inline]
pub(crate) fn put_flows<const BYTES: usize>(room: &mut [u8; BYTES], flows: &[EventFlow]) {
    for (to, flow) in room.as_chunks_mut().0.iter_mut().zip(flows) {
        *to = field(*flow);
    }
}

/// Flows that touch a track's events.
#[derive(Debug, Default)]
pub(crate) struct TrackFlows {
    /// Where the flows of each event begin in `flows`; one more than there are events. Empty where no flow touches the
    /// track.
    first: Vec<u32>,
    /// Flows in the order of the events; those of an event by what they do there, then by number.
    flows: Vec<EventFlow>,
}

impl TrackFlows {
    /// Flows of a track that no flow touches.
    pub(crate) const NONE: Self = Self { first: Vec::new(), flows: Vec::new() };

    /// The flows of an event: those that start or end at its slice, and those that end at its end.
    #[inline]
    pub(crate) fn of_event(&self, event: usize) -> (&[EventFlow], &[EventFlow]) {
        let flows = match self.first.get(event..) {
            Some([from, until, ..]) => self.flows.get(*from as usize..*until as usize),
            _ => None,
        };
        match flows {
            Some(flows @ [.., last]) if last.point() == FlowPoint::EndBehind => {
                flows.split_at(flows.partition_point(|flow| flow.point() != FlowPoint::EndBehind))
            }
            flows => (flows.unwrap_or_default(), &[]),
        }
    }

    /// The flows of a track with so many events. Each is put to its place at once: there are about as many flows as events.
    pub(crate) fn collect(parts: &[Part<'_>], events: usize) -> Self {
        let count = parts.iter().map(|part| part.ends.len()).sum();
        if count == 0 {
            return Self::default();
        }
        // By event first where the flows of the next one begin; each flow that is placed moves it on to where they end.
        let mut first = vec![0_u32; events + 2];
        for part in parts {
            for (event, _) in part.ends {
                if let Some(count) = first.get_mut(*event as usize + 2) {
                    *count += 1;
                }
            }
        }
        let mut until = 0;
        for place in &mut first {
            until += *place;
            *place = until;
        }
        let mut flows = vec![EventFlow(0); count];
        for point in [FlowPoint::Start, FlowPoint::End, FlowPoint::EndBehind] {
            for part in parts.iter().filter(|part| part.point == point) {
                let base = EventFlow::new(point, part.first).0;
                for (event, number) in part.ends {
                    if let Some(place) = first.get_mut(*event as usize + 1)
                        && let Some(slot) = flows.get_mut(*place as usize)
                    {
                        *slot = EventFlow(base + u64::from(*number));
                        *place += 1;
                    }
                }
            }
        }
        first.pop();
        Self { first, flows }
    }
}

/// Ends of flows at a track's events: each an event and the flow's number, counted from the first of the list's flows.
pub(crate) type Ends = Vec<(u32, u32)>;

/// Ends of flows at a track's events that are the same point of their flows, by number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'e> {
    pub(crate) point: FlowPoint,
    /// Added to the numbers. Parts of the same point are in this order.
    pub(crate) first: u64,
    pub(crate) ends: &'e [(u32, u32)],
}

/// Ends of flows at a track's events, by what the flows do there.
#[derive(Debug, Default)]
pub(crate) struct EndsByPoint {
    pub(crate) starts: Ends,
    pub(crate) ends: Ends,
    behind: Ends,
}

impl EndsByPoint {
    /// Makes the ends of each track, with memory for so many flows that are about as many on each.
    pub(crate) fn of_tracks(tracks: usize, flows: usize) -> Vec<Self> {
        let each = flows / tracks.max(1);
        let of_track = || Self {
            starts: Vec::with_capacity(each),
            ends: Vec::with_capacity(each),
            behind: Vec::new(),
        };
        (0..tracks).map(|_| of_track()).collect()
    }

    #[inline]
    pub(crate) fn push(&mut self, point: FlowPoint, end: (u32, u32)) {
        match point {
            FlowPoint::Start => self.starts.push(end),
            FlowPoint::End => self.ends.push(end),
            FlowPoint::EndBehind => self.behind.push(end),
        }
    }

    pub(crate) fn parts(&self, first: u64) -> [Part<'_>; 3] {
        [
            Part { point: FlowPoint::Start, first, ends: &self.starts },
            Part { point: FlowPoint::End, first, ends: &self.ends },
            Part { point: FlowPoint::EndBehind, first, ends: &self.behind },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_sorted_as_by_comparison() {
        let mut random: u64 = 7;
        let points = [FlowPoint::Start, FlowPoint::End, FlowPoint::EndBehind];
        for events in [1, 3, 200] {
            let mut all = [0, 1000].map(|first| (first, EndsByPoint::default()));
            let mut theirs: Vec<(u32, EventFlow)> = Vec::new();
            for (first, ends) in &mut all {
                for number in 0..300 {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let point = points[(random >> 33) as usize % 3];
                    let event = (random >> 40) as u32 % events;
                    ends.push(point, (event, number));
                    theirs.push((event, EventFlow::new(point, *first + u64::from(number))));
                }
            }
            let parts: Vec<Part<'_>> =
                all.iter().flat_map(|(first, ends)| ends.parts(*first)).collect();
            let ours = TrackFlows::collect(&parts, events as usize);
            theirs.sort_unstable();
            let ours = (0..events).flat_map(|event| {
                let (begins, behind) = ours.of_event(event as usize);
                begins.iter().chain(behind).map(move |flow| (event, *flow))
            });
            assert_eq!(ours.collect::<Vec<_>>(), theirs);
        }
    }
}
