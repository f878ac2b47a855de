//! The runtime's own copies and barriers around a static model, as kinds of rows.

use std::borrow::Cow;

use bigtpu_chip::{Direction, Engine, TiuCost};
use bigtpu_measure::{Activity, CommandKind, TransferKind};
use bigtpu_timeline::{Binding, Profile, RuntimeEvent};

/// `function_type` of such rows.
const FUNCTION_TYPE: &str = "runtime";

/// What the runtime did that is no event of an engine, each with its kind.
pub(crate) struct RuntimeKinds<'a>(Vec<(&'a RuntimeEvent, CommandKind)>);

impl<'a> RuntimeKinds<'a> {
    /// Collects what the runtime did in a profile. What words name is among the events already.
    pub(crate) fn collect(profile: &'a Profile<'_>) -> Self {
        let apart = profile.runtime.iter().filter(|event| event.event.is_none());
        Self(apart.map(|event| (event, kind(event))).collect())
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&RuntimeEvent, &CommandKind)> {
        self.0.iter().map(|(event, kind)| (*event, kind))
    }
}

fn kind(event: &RuntimeEvent) -> CommandKind {
    let engine = event.engine_id.engine;
    let transfer = TransferKind {
        direction: Direction::DDR_TO_DDR,
        sides: Direction::DDR_TO_DDR,
        data_format: None,
        data_type: "",
        counts: 1,
    };
    let is_copy = event.kind.is_copy() && engine != Engine::Tiu;
    CommandKind {
        engine,
        binding: Binding::None,
        code: None,
        // Of no meaning: no command was dispatched.
        word: Default::default(),
        activity: if event.kind.is_copy() { Activity::Work } else { Activity::Control },
        function_type: FUNCTION_TYPE,
        function_name: Cow::Borrowed(event.kind.name()),
        task: 0,
        function: 0,
        data_type: String::new(),
        shape: String::new(),
        cost: TiuCost::UNIT,
        transfer: is_copy.then_some(transfer),
        has_dependence: false,
        expected: None,
    }
}
