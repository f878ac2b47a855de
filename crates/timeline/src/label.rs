//! System records without a command (section 6): are they sends or waits?

use crate::binding::Binding;
use crate::wide_events::WideEvents;

/// A retired send takes about ten ns; anything longer than this is a wait.
const LONGEST_SEND_NS: i64 = 1000;

/// Labels all unbound system records. They alternate send and wait: of the two parities, the one
/// with more total time is `wait`, the even one on a tie.
pub(crate) fn label(events: &mut WideEvents, is_system: impl Fn(u32) -> bool) {
    let all = events.binding.iter().zip(&events.record).enumerate();
    let system: Vec<usize> = all
        .filter(|(_, (binding, record))| !binding.is_bound() && is_system(**record))
        .map(|(i, _)| i)
        .collect();
    let mut totals = [0i64; 2];
    for (nth, &i) in system.iter().enumerate() {
        totals[nth & 1] += events.duration(i);
    }
    let wait_parity = usize::from(totals[1] > totals[0]);
    for (nth, &i) in system.iter().enumerate() {
        let is_wait = events.duration(i) > LONGEST_SEND_NS || nth & 1 == wait_parity;
        events.binding[i] = if is_wait { Binding::Wait } else { Binding::Send };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(durations: &[i64]) -> WideEvents {
        let n = durations.len();
        let start = vec![0; n];
        WideEvents::new(start, durations.to_vec(), vec![0; n], (0..n as u32).collect())
    }

    #[test]
    fn the_longer_parity_is_the_waits() {
        let mut e = events(&[10, 500, 11, 5, 12, 400]);
        label(&mut e, |_| true);
        use Binding::{Send, Wait};
        assert_eq!(e.binding, [Send, Wait, Send, Wait, Send, Wait]);
    }

    #[test]
    fn a_tie_makes_even_places_wait_and_long_ones_always_do() {
        let mut e = events(&[10, 10, 10, 5000]);
        label(&mut e, |record| record != 3);
        assert_eq!(&e.binding[..3], [Binding::Wait, Binding::Send, Binding::Wait]);
        let mut e = events(&[2000, 2000]);
        label(&mut e, |_| true);
        assert_eq!(e.binding, [Binding::Wait, Binding::Wait]);
    }
}
