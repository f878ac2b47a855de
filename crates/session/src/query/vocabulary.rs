//! What there is to ask for in a run.

use std::cell::OnceCell;

use bigtpu_compat::Kinds;
use bigtpu_measure::CommandTable;
use bigtpu_measure::layers::Layers;
use bigtpu_query::Vocabulary;
use bigtpu_timeline::Profile;

/// Names and texts of a run.
pub(super) struct Names<'a> {
    profile: &'a Profile<'a>,
    table: &'a CommandTable,
    layers: Option<&'a Layers>,
    registers: OnceCell<Vec<String>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(
        profile: &'a Profile<'a>,
        table: &'a CommandTable,
        layers: Option<&'a Layers>,
    ) -> Self {
        Self { profile, table, layers, registers: OnceCell::new() }
    }

    /// Names of the register fields, in the order in which commands have them: one command of each kind says its own.
    fn read_registers(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut seen = vec![false; self.table.kinds.len()];
        let mut kinds = Kinds::default();
        for commands in self.table.all_commands(self.profile) {
            for command in commands.iter() {
                let number = command.kind_number().and_then(|n| seen.get_mut(n as usize));
                if number.is_none_or(|seen| std::mem::replace(seen, true)) {
                    continue;
                }
                kinds.get_or_make(&command, |layout| {
                    for (prefix, (key, _)) in layout.further_fields() {
                        let name = format!("{prefix}{key}");
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                });
            }
        }
        names
    }
}

impl Vocabulary for Names<'_> {
    fn registers(&self) -> &[String] {
        self.registers.get_or_init(|| self.read_registers())
    }

    fn has_text(&self, text: &str) -> bool {
        let holds = |own: &str| own.to_lowercase().contains(text);
        let of_kind = self.table.kinds.iter().any(|kind| {
            let direction = kind.direction().map_or("", |direction| direction.text());
            let own = [kind.function_type, &*kind.function_name, &kind.data_type, direction];
            own.into_iter().any(holds)
        });
        let of_layers = self.layers.is_some_and(|layers| {
            let mut labels = (1..=layers.layers.len()).filter_map(|id| layers.label(id));
            labels.any(holds)
        });
        of_kind || of_layers || self.profile.kernels.iter().any(|kernel| holds(kernel))
    }
}
