//! Memory that a trace needs.

use crate::counters::CounterSample;
use crate::model::HostTrace;

impl HostTrace {
    /// Bytes held on the heap by the records, arguments and strings.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        fn list<T>(list: &Vec<T>) -> usize {
            list.capacity() * size_of::<T>()
        }
        let samples: usize =
            self.counters.iter().map(|c| c.samples.capacity() * size_of::<CounterSample>()).sum();
        self.strings.heap_bytes()
            + self.args.heap_bytes()
            + list(&self.processes)
            + list(&self.threads)
            + list(&self.slices)
            + list(&self.instants)
            + list(&self.counters)
            + samples
            + list(&self.flows)
            + list(&self.arrows)
            + list(&self.async_tracks)
            + list(&self.async_slices)
            + list(&self.async_instants)
    }

    /// Gives back memory reserved for growth.
    pub(crate) fn shrink(&mut self) {
        self.strings.shrink();
        self.args.shrink();
        self.slices.shrink_to_fit();
        self.instants.shrink_to_fit();
        self.flows.shrink_to_fit();
        self.arrows.shrink_to_fit();
        self.async_slices.shrink_to_fit();
        self.async_instants.shrink_to_fit();
        for counter in &mut self.counters {
            counter.samples.shrink_to_fit();
        }
    }
}
