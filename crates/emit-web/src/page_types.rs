//! The TypeScript types of the page's data, made of the Rust types that are written into it.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use ts_rs::{Config, TS, TypeVisitor};

use crate::head::Head;
use crate::runs::RunsHead;

/// The types of the elements `head` and `runs`, and all that they contain, by name, with their comments.
///
/// # Panics
/// If two different types have the same name: rename one of them.
pub fn page_types() -> String {
    // Numbers of the page are doubles: what may exceed 2^53 is written as text.
    let config = Config::new().with_large_int("number");
    let mut types = Types { config: &config, seen: HashSet::new(), by_name: BTreeMap::new() };
    types.add::<Head<'static>>();
    types.add::<RunsHead<'static>>();
    types.by_name.into_values().collect::<Vec<_>>().join("\n")
}

struct Types<'a> {
    config: &'a Config,
    seen: HashSet<TypeId>,
    by_name: BTreeMap<String, String>,
}

impl Types<'_> {
    /// Declares a type, and all that it contains.
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Only types of this project have a file to be exported to.
        if T::output_path().is_some() {
            let comment = T::docs().unwrap_or_default();
            let text = format!("{comment}export {}\n", T::decl(self.config));
            let name = T::ident(self.config);
            let other = self.by_name.insert(name.clone(), text.clone());
            assert!(other.is_none_or(|other| other == text), "two types are named {name}");
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

impl TypeVisitor for Types<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}
