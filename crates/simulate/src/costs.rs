//! The costs of a program's commands: equal commands are computed once.

use bigtpu_chip::{Command, Direction, Engine, Masks, push_masked};
use bigtpu_command_cost::{CommandCost, CostModel, Windows};
use foldhash::{HashMap, HashMapExt};

/// The costs of a program's commands.
#[derive(Debug)]
pub struct CostTable<'m> {
    model: &'m CostModel,
    windows: Windows,
    masks: [Masks; 4],
    known: HashMap<Box<[u64]>, u32>,
    /// What of the command at hand its cost depends on.
    key: Vec<u64>,
    costs: Vec<CommandCost>,
}

impl<'m> CostTable<'m> {
    /// No costs yet.
    #[must_use]
    pub fn new(model: &'m CostModel) -> Self {
        Self {
            model,
            windows: Windows::new(),
            masks: Engine::ALL.map(|engine| Masks::new(model.chip, engine)),
            known: HashMap::new(),
            key: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// Number of a command's cost. `None`: the bits do not decode.
    pub fn number(&mut self, engine: Engine, command: Option<&Command<'_>>) -> u32 {
        self.key.clear();
        self.key.push(engine as u64);
        if let Some(command) = command {
            let Self { model, masks, key, .. } = self;
            let code = u64::from(command.code.op) << 8 | u64::from(command.code.variant);
            let class = u64::from(model.address_class(engine, command));
            let Direction { from, to } = Direction::of_command(model.chip, command);
            key.push(1 << 63 | class << 48 | (from as u64) << 40 | (to as u64) << 32 | code);
            let mask = masks.get(engine as usize);
            match mask.and_then(|masks| masks.get(model.chip, engine, command.code)) {
                Some(mask) => push_masked(key, &mask.words, command.bits),
                None => key.extend(command.bits.iter().map(|byte| u64::from(*byte))),
            }
        }
        if let Some(number) = self.known.get(self.key.as_slice()) {
            return *number;
        }
        let cost = match command {
            Some(command) => self.model.cost(engine, command, &mut self.windows),
            None => self.model.unknown_cost(engine),
        };
        let number = self.add(cost);
        self.known.insert(self.key.as_slice().into(), number);
        number
    }

    /// Adds a cost that no other command has.
    pub fn add(&mut self, cost: CommandCost) -> u32 {
        self.costs.push(cost);
        (self.costs.len() - 1) as u32
    }

    /// A cost by its number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&CommandCost> {
        self.costs.get(number as usize)
    }

    /// All costs.
    #[must_use]
    pub fn into_costs(self) -> Vec<CommandCost> {
        self.costs
    }
}
