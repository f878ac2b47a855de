//! `commands.csv`: each command with its predicted and its measured cycles, and what the predicted ones consist of.

use std::collections::HashMap;

use bigtpu_chip::Engine;
use bigtpu_command_cost::{CommandCost, TimePart};
use bigtpu_output::{Csv, OutDir, OutputError, Text, Written, put};
use bigtpu_simulate::{RecordComparison, Simulation};
use bigtpu_timeline::Profile;

/// Name of the file.
const FILE: &str = "commands.csv";

const ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

pub(super) fn write(
    simulation: &Simulation<'_>,
    comparison: &RecordComparison,
    profile: Option<&Profile<'_>>,
    out: &OutDir,
) -> Result<Written, OutputError> {
    let measured: HashMap<(u32, usize, usize), usize> = comparison
        .pairs
        .iter()
        .map(|pair| ((pair.core, pair.engine, pair.simulated), pair.measured))
        .collect();
    let mut text = Text::literal(
        "core,engine,group,command,operation,start_ns,end_ns,cycles,mark,measured_start_ns,measured_end_ns,measured_cycles,bytes,pieces",
    );
    for part in TimePart::ALL {
        put!(text, ",{}", part.name().replace([' ', '-'], "_"));
    }
    text.own(",sharing\n");
    let mut file = out.file(FILE)?;
    for (index, core) in simulation.program.cores.iter().enumerate() {
        for (place, (queue, engine)) in core.queues.iter().zip(ENGINES).enumerate() {
            let mhz = simulation.program.clocks.mhz(engine);
            let times = simulation.times.get(index).and_then(|core| core.get(place));
            for (at, (queued, (start, end))) in
                queue.iter().zip(times.into_iter().flatten()).enumerate()
            {
                let command = simulation.program.command(core, engine, queued);
                let name = command.map_or("unknown", |command| command.variant_name());
                let Some(cost) = simulation.cost_of(index, place, at) else { continue };
                let cycles = (end - start) as f64 * mhz / 1e6;
                put!(
                    text,
                    "{},{},{},{},{},{},{},{:.2},{}",
                    index,
                    engine.name(),
                    queued.group,
                    queued.number,
                    name,
                    start / 1000,
                    end / 1000,
                    cycles,
                    cost.mark.name(),
                );
                let event = measured.get(&(index as u32, place, at));
                let track = profile.and_then(|profile| profile.cores.get(index)?.tracks.get(place));
                let cells = event.zip(track).and_then(|(&event, track)| {
                    let events = &track.events;
                    Some((events.start.get(event)?, events.end.get(event)?, events.cycles(event)?))
                });
                match cells {
                    Some((start, end, cycles)) => put!(text, ",{},{},{}", start, end, cycles),
                    None => _ = text.own(",,,"),
                }
                push_parts(&mut text, cost, cycles);
                if text.len() > 1 << 20 {
                    file.append(&text)?;
                    text.clear();
                }
            }
        }
    }
    file.append(&text)?;
    file.commit()
}

/// Bytes, pieces and the parts of a command's cycles. What is more than their sum is due to other cores' transfers.
fn push_parts(text: &mut Text<Csv>, cost: &CommandCost, cycles: f64) {
    match cost.transfer {
        Some(transfer) => put!(text, ",{},{}", transfer.bytes, transfer.pieces),
        None => _ = text.own(",,"),
    }
    for part in TimePart::ALL {
        match cost.parts.get(part) {
            0 => _ = text.own(","),
            time => put!(text, ",{:.2}", time as f64 / 1000.0),
        }
    }
    let sharing = cycles - cost.total() as f64 / 1000.0;
    match sharing {
        0.01.. => put!(text, ",{:.2}\n", sharing),
        _ => _ = text.own(",\n"),
    }
}
