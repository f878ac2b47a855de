//! The values of a gap that a query asks for.

use bigtpu_answers::GapRow;
use bigtpu_query::{QueryField, QueryRecord, RegisterValue};
use bigtpu_timeline::{EngineEvents, EngineId};

use super::command::SYSTEM;
use super::item::RunFacts;

/// A time in which an engine did no work.
pub(super) struct GapItem<'r, 'a> {
    pub(super) engine_id: EngineId,
    pub(super) track: &'a EngineEvents<'a>,
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

impl<'a> QueryRecord<'a> for GapItem<'_, 'a> {
    fn number(&self, field: QueryField) -> Option<f64> {
        let ns = |ns: i64| Some(ns as f64);
        match field {
            QueryField::Core => Some(self.engine_id.index.into()),
            QueryField::Index => Some(self.index as f64),
            QueryField::Start => ns(self.row.start - self.run.start),
            QueryField::End => ns(self.row.end - self.run.start),
            QueryField::Duration => ns(self.row.ns()),
            QueryField::LayerId => self.layer_index().map(|index| (index + 1) as f64),
            QueryField::Saved => self.row.saved_ns.and_then(ns),
            QueryField::Step => self.run.step(self.row.start).map(|number| number as f64),
            _ => None,
        }
    }

    fn text(&self, field: QueryField) -> Option<&'a str> {
        match field {
            QueryField::Engine => Some(self.engine_id.engine.name()),
            QueryField::Name | QueryField::Gap => Some(self.row.cause.name()),
            QueryField::Type => Some(TYPE),
            QueryField::Role => Some(SYSTEM),
            QueryField::Kernel => self.kernel(),
            QueryField::Layer => self.run.layers?.label(self.layer_index()? + 1),
            QueryField::Block => self.run.layers?.block(self.layer_index()? + 1),
            QueryField::EndedBy => self.run.engine_name(self.ended_by()?),
            _ => None,
        }
    }

    fn layer_operation(&self) -> Option<&'a str> {
        Some(self.run.layers?.layers.get(self.layer_index()?)?.name.as_str())
    }

    fn register(&self, _place: usize) -> Option<RegisterValue> {
        None
    }

    fn mhz(&self) -> f64 {
        self.run.mhz(self.engine_id)
    }
}
