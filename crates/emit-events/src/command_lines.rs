//! `profile_data.js` with a line for each command: what PPL reads of the results of `bmprofile`.
//!
//! PPL takes a line with `gdma_id=` and `speed` for a transfer and one with `bd_id=` and `cycle` for a computation. Of the
//! items between the first brackets, which commas divide, it reads the start and the end in us (1 and 2) and the
//! number between `=` and `G` of item 10. So no item holds a comma or a bracket.

use bigtpu_answers::Depth;
use bigtpu_chip::Engine;
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_measure::{gbps, round4};
use bigtpu_output::{Literal, OutputError, Text, Written};

use crate::row::Row;
use crate::runtime::RuntimeKinds;
use crate::{Context, source, write_lines};

/// Name of the file.
pub const COMMAND_LINES_FILE: &str = "profile_data.js";

/// The lines.
#[derive(Debug, Clone, Default)]
pub struct CommandLines {
    /// The dump.
    pub context: Context,
}

impl Emitter for CommandLines {
    fn name(&self) -> &'static str {
        "command-lines"
    }

    fn depth(&self) -> Depth {
        Depth::Causes
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let runtime = RuntimeKinds::collect(input.profile);
        let source = source(&self.context, input.profile, input.analysis, &runtime);
        let file = input.out.file(COMMAND_LINES_FILE)?;
        let mut text = Text::<Literal>::literal("let time_header = ");
        text.own("['category', 'begin_usec', 'end_usec', 'function', 'id', 'cycles', ");
        text.own("'layer_id', 'core', 'size', 'direction', 'info']\nlet time_data = [\n");
        Ok(vec![write_lines(source, file, (text, "]\n"), line)?])
    }
}

fn line(text: &mut Text<Literal>, row: &Row<'_>) {
    let engine = row.engine_id().engine;
    let us = |ns: i64| ns as f64 / 1000.0;
    text.own("[").int(u8::from(engine != Engine::Tiu)).own(", ");
    text.float(us(row.start())).own(", ").float(us(row.end())).own(", '");
    text.show(&plain(&row.kind.function_name)).own("', '");
    text.own(if engine == Engine::Tiu { "bd_id=" } else { "gdma_id=" }).int(row.command_id());
    text.own("', 'cycle=").int(row.cycles()).own("', 'layer_id=");
    if let Some((layer, _)) = row.layer() {
        text.int(layer);
    }
    text.own("', 'core=");
    if let Some(core) = row.core() {
        text.int(core);
    }
    let is_transfer = engine != Engine::Tiu && row.kind.activity.is_work();
    text.own("', 'size=");
    if is_transfer {
        text.int(row.bytes());
    }
    text.own("', 'direction=");
    if let Some(direction) = row.kind.direction().filter(|_| is_transfer) {
        text.show(&direction.text());
    }
    text.own("', '");
    if is_transfer {
        let speed = round4(gbps(row.bytes(), row.end() - row.start()));
        text.own("speed=").float(speed).own("GB/s");
    }
    text.own("'],\n");
}

/// A name without the marks at which PPL divides a line.
fn plain(name: &str) -> String {
    name.replace([',', '[', ']', '='], " ")
}
