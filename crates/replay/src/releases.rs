//! What ended a wait, and where that is not known.
//!
//! The graph gives every wait the last of its sends, with the measured time between them as a lag: so the replay gives the measured times
//! whatever the wait waited for. A send that ended much longer before the wait's end than a hand-over takes did not end it, though:
//! something did that no record shows. As a cause such a send would be wrong; the cause is not known.

use crate::dependence::{DependenceKind, NONE, Node};
use crate::input::{Input, Task};

/// Takes away the causes of waits that ended longer after them than `longest_ns`, the longest time of a release in ns.
pub(crate) fn forget_early_causes(
    input: &Input<'_>,
    longest_ns: i64,
    cause: &mut [Node],
    kind: &mut [DependenceKind],
) {
    let most_ns = longest_ns + 2 * input.tolerance;
    for (track, syncs) in input.tracks.iter().zip(&input.syncs) {
        for i in syncs.iter().map(|i| *i as usize) {
            let node = track.node(i);
            if !input.class_of(node).is_some_and(|class| class.task == Task::Wait) {
                continue;
            }
            let own = (cause.get_mut(node as usize), kind.get_mut(node as usize));
            let (Some(cause), Some(kind)) = own else { continue };
            // Of a wait that no message ended it is what let it begin.
            let since = match kind.ends_wait() {
                true => input.event(*cause).map(|(track, i)| track.end(i)),
                false => Some(track.start(i)),
            };
            if since.is_some_and(|since| track.end(i) - since > most_ns) {
                (*cause, *kind) = (NONE, DependenceKind::Origin);
            }
        }
    }
}
