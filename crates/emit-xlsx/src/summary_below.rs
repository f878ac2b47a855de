//! Below the summary's table: what its columns mean, the CDMA ports, where everything is.

use bigtpu_chip::Engine;

use crate::sheet::{Result, Sheet};
use crate::summary_sheet::{Contents, DMA_COLUMNS, Units, port_texts};

const URATE_NOTE: &str = "totalAlgOps / totalUArchOps, since the shape of tensor needs to be aligned in micro-architecture, the actual ops will be greater than the algorithm value. It's better to closer to 100%.";

/// What the columns mean. Returns the next row.
pub(crate) fn notes(sheet: &mut Sheet<'_>, mut row: u32, several: bool) -> Result<u32> {
    let parallelism = if several {
        "(totalTiuCycle + totalGdmaCycle + totalSdmaCycle) / totalTime, presents the parallelism among all engines."
    } else {
        "(totalTiuCycle + totalGdmaCycle) / totalTime, presents the parallelism among all engines."
    };
    let styles = sheet.styles;
    sheet.headers(row, 0, ["Field", "Description"], styles.head)?;
    for (field, description) in [
        (
            "Tiu Working Ratio",
            "totalTiuCycle / totalTime, indicates the percentage of time tiu execution takes.",
        ),
        ("Parallelism(%)", parallelism),
        (
            "Concurrency(%)",
            "(totalTiuCycle + totalGdmaCycle - totalTime) / min(totalTiuCycle, totalGdmaCycle), indicates the concurrency between tiu and gdma.",
        ),
        ("Total Alg Cycle", "The time required to execute tiu instructions theoretically."),
        ("Total Alg Ops", "The theoretical OPs required to execute tiu instructions."),
        ("Total uArch Ops", "The actual number of OPs accounting for microarchitecture."),
        ("uArch Urate", URATE_NOTE),
    ] {
        row += 1;
        sheet.text(row, 0, field)?;
        sheet.text(row, 1, description)?;
    }
    Ok(row + 1)
}

/// Totals of every CDMA port. Returns the next row.
pub(crate) fn ports(
    sheet: &mut Sheet<'_>,
    mut row: u32,
    contents: &Contents<'_, '_, '_, '_>,
) -> Result<u32> {
    if contents.summary.ports.is_empty() {
        return Ok(row);
    }
    let head = sheet.styles.head_of(Engine::Cdma);
    sheet.headers(row, 0, ["CDMA port", "totalcdmaCycle"], head)?;
    sheet.headers(row, 2, DMA_COLUMNS, head)?;
    sheet.headers(row, 6, ["waitMsgTotalTime"], head)?;
    for (port, totals) in &contents.summary.ports {
        row += 1;
        sheet.link(row, 0, &port.to_string(), &format!("CDMA_{port}"))?;
        let texts = port_texts(contents.summary, totals, &Units::PLAIN);
        sheet.values(row, 1, texts.iter().map(String::as_str))?;
        sheet.value(row, 6, &totals.wait_cycles.to_string())?;
    }
    Ok(row + 2)
}

/// Where everything is.
pub(crate) fn index(
    sheet: &mut Sheet<'_>,
    mut row: u32,
    contents: &Contents<'_, '_, '_, '_>,
) -> Result {
    let styles = sheet.styles;
    sheet.headers(row, 0, ["Sheet", "Commands", "Content"], styles.head)?;
    for (name, content) in contents.others {
        row += 1;
        sheet.link(row, 0, name, name)?;
        sheet.styled(row, 2, content, styles.beside)?;
    }
    for part in contents.parts {
        row += 1;
        sheet.link(row, 0, &part.name, &part.name)?;
        sheet.value(row, 1, &part.events.len().to_string())?;
        let place = part.book.commands.track.engine_id;
        let from = match part.events.start {
            0 => String::new(),
            from => format!(", from global index {from} on"),
        };
        let content = format!("Commands of {place}{from}");
        sheet.styled(row, 2, &content, styles.beside)?;
    }
    Ok(())
}
