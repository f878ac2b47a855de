//! The values of a gap that a query asks for.

use bigtpu_answers::GapRow;
use bigtpu_query::{Field, Record, Register};
use bigtpu_timeline::{EngineId, Track};

use super::command::SYSTEM;
use super::item::RunFacts;

/// A time in which an engine did no work.
pub(super) struct GapItem<'r, 'a> {
    pub(super) engine_id: EngineId,
    pub(super) track: &'a Track<'a>,
    pub(super) index: usize,
    pub(super) row: &'a GapRow,
    pub(super) run: &'r RunFacts<'a>,
}

/// `type` of gaps.
const TYPE: &str = "gap";

impl<'a> GapItem<'_, 'a> {
    /// The layer of the work after it.
    fn layer_index(&self) -> Option<usize> {
        self.run.layers?.index_of_event(self.track, self.row.after? as usize)
    }

    /// The kernel of the work after it.
    fn kernel(&self) -> Option<&'a str> {
        let profile = self.run.profile;
        let tag = profile.tag(self.track, self.row.after? as usize);
        profile.kernel(tag)
    }

    fn ended_by(&self) -> Option<EngineId> {
        self.row.ended_by(self.engine_id).map(|link| link.engine_id)
    }
}

impl<'a> Record<'a> for GapItem<'_, 'a> {
    fn number(&self, field: Field) -> Option<f64> {
        let ns = |ns: i64| Some(ns as f64);
        match field {
            Field::Core => Some(self.engine_id.index.into()),
            Field::Index => Some(self.index as f64),
            Field::Start => ns(self.row.start - self.run.start),
            Field::End => ns(self.row.end - self.run.start),
            Field::Duration => ns(self.row.ns()),
            Field::LayerId => self.layer_index().map(|index| (index + 1) as f64),
            Field::Saved => self.row.saved_ns.and_then(ns),
            _ => None,
        }
    }

    fn text(&self, field: Field) -> Option<&'a str> {
        match field {
            Field::Engine => Some(self.engine_id.engine.name()),
            Field::Name | Field::Gap => Some(self.row.cause.name()),
            Field::Type => Some(TYPE),
            Field::Role => Some(SYSTEM),
            Field::Kernel => self.kernel(),
            Field::Layer => self.run.layers?.label(self.layer_index()? + 1),
            Field::Block => self.run.block(self.layer_index()?),
            Field::EndedBy => self.run.engine_name(self.ended_by()?),
            _ => None,
        }
    }

    fn layer_operation(&self) -> Option<&'a str> {
        Some(self.run.layers?.layers.get(self.layer_index()?)?.name.as_str())
    }

    fn register(&self, _place: usize) -> Option<Register> {
        None
    }

    fn mhz(&self) -> f64 {
        self.run.mhz(self.engine_id)
    }
}
