//! The costs of a program's commands: equal commands are computed once.

use bigtpu_chip::{Command, Engine, Slot};
use bigtpu_command_cost::{Cost, Model, Windows};
use foldhash::{HashMap, HashMapExt};

/// The costs of a program's commands.
#[derive(Debug)]
pub struct CostTable<'m> {
    model: &'m Model,
    windows: Windows,
    known: HashMap<(Engine, Vec<u8>), u32>,
    /// The bits of a command without its order, to look it up.
    key: (Engine, Vec<u8>),
    costs: Vec<Cost>,
}

impl<'m> CostTable<'m> {
    /// No costs yet.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        Self {
            model,
            windows: Windows::new(),
            known: HashMap::new(),
            key: (Engine::Tiu, Vec::new()),
            costs: Vec::new(),
        }
    }

    /// Number of a command's cost. `None`: the bits do not decode.
    pub fn number(&mut self, engine: Engine, command: Option<&Command<'_>>) -> u32 {
        self.key.0 = engine;
        self.key.1.clear();
        if let Some(command) = command {
            self.key.1.extend_from_slice(command.bits);
            // The order of commands does not change what they take.
            command.register.put(Slot::IdDep, &mut self.key.1, 0);
            command.register.put(Slot::CommandId, &mut self.key.1, 0);
        }
        if let Some(number) = self.known.get(&self.key) {
            return *number;
        }
        let cost = match command {
            Some(command) => self.model.cost(engine, command, &mut self.windows),
            None => self.model.unknown_cost(engine),
        };
        let number = self.add(cost);
        self.known.insert(self.key.clone(), number);
        number
    }

    /// Adds a cost that no other command has.
    pub fn add(&mut self, cost: Cost) -> u32 {
        self.costs.push(cost);
        (self.costs.len() - 1) as u32
    }

    /// A cost by its number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Cost> {
        self.costs.get(number as usize)
    }

    /// All costs.
    #[must_use]
    pub fn into_costs(self) -> Vec<Cost> {
        self.costs
    }
}
