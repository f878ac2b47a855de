//! One event's fields to the record of its phase.

use crate::arg_value::ArgValue;
use crate::build::{Args, Builder};
use crate::counters::{CounterSample, CounterValue};
use crate::decimal::ExactNs;
use crate::decimal_parse::DecimalError;
use crate::error::EventError;
use crate::fields::{Fields, text, time};
use crate::metadata;
use crate::model::{ArrowPoint, AsyncInstant, FlowPhase, HostSlice, Instant, InstantKind, Scope};
use crate::pairs::Mark;
use crate::places::Places;
use crate::strings::StrId;
use crate::tally::Hidden;

/// What an asynchronous event is, in the newer form (`b`, `n`, `e`) or the older one (`S`, `T` and `p`, `F`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum AsyncPhase {
    Begin,
    Instant,
    End,
}

impl Builder {
    /// Adds the record of `event`.
    pub(crate) fn record(&mut self, event: &Fields<'_>) -> Result<Args, EventError> {
        let phase = text(event.ph);
        let mut letters = phase.chars();
        let (letter, None) = (letters.next().ok_or(EventError::Missing("ph"))?, letters.next())
        else {
            return Err(EventError::Phase);
        };
        match letter {
            'X' => self.complete(event),
            'B' | 'E' => self.mark(event, letter == 'B'),
            'C' => self.counter(event),
            's' => self.flow(event, FlowPhase::Start),
            't' => self.flow(event, FlowPhase::Step),
            'f' => self.flow(event, FlowPhase::End),
            'M' => {
                let is_known = metadata::apply(event, &mut self.trace, &mut self.places)?;
                if is_known {
                    self.file().tally.metadata += 1;
                } else {
                    self.hide(Hidden::Metadata);
                }
                Ok(Args::Forget)
            }
            'b' | 'S' => self.asynchronous(event, AsyncPhase::Begin),
            'e' | 'F' => self.asynchronous(event, AsyncPhase::End),
            'n' | 'T' | 'p' => self.asynchronous(event, AsyncPhase::Instant),
            other => match InstantKind::of_phase(other) {
                Some(kind) => self.instant(event, kind),
                None => {
                    self.hide(Hidden::Phase(other));
                    Ok(Args::Forget)
                }
            },
        }
    }

    fn complete(&mut self, event: &Fields<'_>) -> Result<Args, EventError> {
        let start = start(event)?;
        let dur = time(event.dur, "dur")?;
        if dur.as_ref().is_some_and(ExactNs::is_negative) {
            return Err(EventError::NegativeDuration);
        }
        self.file().stats.without_duration += u64::from(dur.is_none());
        let end = start
            .checked_add(&dur.unwrap_or_default())
            .ok_or(EventError::Time { field: "dur", why: DecimalError::OutOfRange })?;
        let (name, cat) = (text(event.name), text(event.cat));
        let slice = HostSlice {
            thread: self.places.thread(&mut self.trace, event)?,
            name: self.trace.strings.name(&name),
            cat: self.trace.strings.name(&cat),
            args: event.args,
            start_ns: start.trunc_ns(),
            end_ns: end.trunc_ns(),
        };
        self.anchors.see(&name, &cat, &end);
        self.trace.slices.push(slice);
        Ok(Args::Keep)
    }

    fn mark(&mut self, event: &Fields<'_>, begin: bool) -> Result<Args, EventError> {
        self.marks.push(Mark {
            at_ns: start(event)?.trunc_ns(),
            track: self.places.thread(&mut self.trace, event)?,
            name: self.trace.strings.name(&text(event.name)),
            cat: self.trace.strings.name(&text(event.cat)),
            args: event.args,
            begin,
        });
        Ok(Args::Keep)
    }

    fn instant(&mut self, event: &Fields<'_>, kind: InstantKind) -> Result<Args, EventError> {
        let instant = Instant {
            kind,
            id: Places::id(&mut self.trace, event),
            at_ns: start(event)?.trunc_ns(),
            thread: self.places.thread(&mut self.trace, event)?,
            name: self.trace.strings.name(&text(event.name)),
            cat: self.trace.strings.name(&text(event.cat)),
            args: event.args,
            scope: match text(event.s).as_ref() {
                "g" => Scope::Global,
                "p" => Scope::Process,
                _ => Scope::Thread,
            },
        };
        self.trace.instants.push(instant);
        Ok(Args::Keep)
    }

    fn counter(&mut self, event: &Fields<'_>) -> Result<Args, EventError> {
        let at_ns = start(event)?.trunc_ns();
        let process = self.places.process(&mut self.trace, event)?;
        let name = self.trace.strings.name(&text(event.name));
        let id = Places::id(&mut self.trace, event);
        let Some(ArgValue::Map(series)) = self.trace.args.get(event.args) else {
            return Err(EventError::Missing("args"));
        };
        let (mut shown, mut hidden) = (0, 0);
        for (key, value) in series {
            match CounterValue::read(value, &self.trace.strings) {
                Some(value) => {
                    let place = (process, name, id, key);
                    self.counters.add(
                        place,
                        CounterSample { at_ns, value },
                        &mut self.trace.counters,
                    );
                    shown += 1;
                }
                None => hidden += 1,
            }
        }
        let file = self.file();
        file.stats.skipped_counter_values += hidden;
        if shown > 0 {
            file.tally.counters += 1;
        } else {
            file.tally.hide(Hidden::CounterWithoutNumber);
        }
        Ok(Args::Forget)
    }

    fn flow(&mut self, event: &Fields<'_>, phase: FlowPhase) -> Result<Args, EventError> {
        let flow = ArrowPoint {
            at_ns: start(event)?.trunc_ns(),
            id: Places::id(&mut self.trace, event).ok_or(EventError::Missing("id"))?,
            thread: self.places.thread(&mut self.trace, event)?,
            name: self.trace.strings.name(&text(event.name)),
            cat: self.trace.strings.name(&text(event.cat)),
            args: event.args,
            phase,
            binds_enclosing: text(event.bp) == "e",
            slice: None,
            has_arrow: false,
        };
        self.trace.flows.push(flow);
        Ok(Args::Keep)
    }

    fn asynchronous(&mut self, event: &Fields<'_>, phase: AsyncPhase) -> Result<Args, EventError> {
        let at_ns = start(event)?.trunc_ns();
        let track = self.places.async_track(&mut self.trace, event)?;
        let name = self.trace.strings.name(&text(event.name));
        let args = event.args;
        if phase == AsyncPhase::Instant {
            self.trace.async_instants.push(AsyncInstant { track, name, args, at_ns });
        } else {
            let (cat, begin) = (StrId::EMPTY, phase == AsyncPhase::Begin);
            self.async_marks.push(Mark { track, name, cat, args, at_ns, begin });
        }
        Ok(Args::Keep)
    }
}

fn start(event: &Fields<'_>) -> Result<ExactNs, EventError> {
    time(event.ts, "ts")?.ok_or(EventError::Missing("ts"))
}
