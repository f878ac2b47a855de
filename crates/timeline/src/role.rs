//! What a record is to the trimming of system records (section 7).

use bigtpu_chip::{Chip, Engine, Slot};

use crate::binding::Binding;
use crate::edges::Role;
use crate::monitor::Monitor;
use crate::wide_events::WideEvents;

/// Whether an event is a system command: labelled as one, or bound to one. Generator indices of RVT nodes are never
/// compared with hardware codes. `file`: the bytes that its command is in.
pub(crate) fn role(
    chip: &Chip,
    engine: Engine,
    file: &[u8],
    (monitor, events): (&Monitor<'_>, &WideEvents),
    i: usize,
) -> Role {
    let of_task = |task| if chip.is_system(engine, task) { Role::System } else { Role::Work };
    match events.binding[i] {
        Binding::Send | Binding::Wait => Role::System,
        Binding::Rvt | Binding::BadBits => Role::Work,
        Binding::None if monitor.shows_work(chip, events.record[i]) => Role::Work,
        Binding::None => Role::Unknown,
        Binding::Word | Binding::Wrap | Binding::WordAndBits | Binding::BadBitsOfWord => {
            of_task(events.word[i].task())
        }
        Binding::Bits => {
            let bits = usize::try_from(events.bits[i]).ok().and_then(|at| file.get(at..));
            let slot = if engine == Engine::Tiu { Slot::Task } else { Slot::DmaType };
            bits.and_then(|bits| chip.ops(engine).command(events.code[i], bits))
                .and_then(|c| u8::try_from(c.get(slot)).ok())
                .map_or(Role::Work, of_task)
        }
    }
}
