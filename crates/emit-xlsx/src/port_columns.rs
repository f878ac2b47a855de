//! Columns of a CDMA sheet that bigTpuProfile does not have: what the time of a data command is made of, and how often the
//! link repeated packets. They are behind all others, and only where the port has data commands.

use bigtpu_measure::TrackCommand;

use crate::rows::RowCells;

/// Names of the columns, in order.
pub(crate) const NAMES: [&str; 5] =
    ["Times", "Waiting For Peer(ns)", "Transfer(ns)", "Completion(ns)", "Link Retries"];

/// The cells of a command.
pub(crate) fn write<C: RowCells>(
    cells: &mut C,
    first: u16,
    command: &TrackCommand<'_, '_>,
) -> Result<(), C::Error> {
    let Some((own, times)) = command.port() else { return Ok(()) };
    match times {
        Some(times) => {
            cells.text(first, "data times")?;
            let parts = [times.waiting_ns, times.transfer_ns, times.completion_ns];
            for (col, ns) in (first + 1..).zip(parts) {
                cells.whole(col, ns.into())?;
            }
        }
        None => cells.text(first, "ends only")?,
    }
    cells.whole(first + 4, own.replays.into())
}
