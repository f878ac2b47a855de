//! The words of a rank's dump.

use bigtpu_chip::Engine;
use bigtpu_format::{Word, WordKind};

use super::dump::PortCommand;
use super::options::ClusterOptions;

/// DYN_DATA in the making.
pub(super) struct Words {
    pub(super) bytes: Vec<u8>,
    engines: [u8; 4],
    is_named: bool,
    has_resets: bool,
}

const TIU_PRODUCT: (u8, u8) = (2, 1);

impl Words {
    pub(super) fn new(options: &ClusterOptions, ports: &[u8]) -> Self {
        let number = |engine| options.chip.engine_number(engine).unwrap_or(0);
        let engines = [Engine::Tiu, Engine::Gdma, Engine::Sdma, Engine::Cdma].map(number);
        let mut words = Self {
            bytes: Vec::new(),
            engines,
            is_named: options.is_named,
            has_resets: options.has_resets,
        };
        let [tiu, gdma, sdma, cdma] = engines;
        for _ in 0..options.chip.preamble {
            words.command(tiu, (15, 9), 0);
            words.command(gdma, (6, 3), 0);
            words.command(sdma, (6, 3), 0);
        }
        for _ in ports {
            words.command(sdma, (6, 3), 0);
        }
        for engine in [tiu, gdma, sdma] {
            words.reset(engine, 0);
        }
        for &port in ports {
            let info = u16::from(port) << 8;
            words.command(cdma, (7, 4), info);
            words.command(cdma, (7, 1), info);
            words.reset(cdma, port);
        }
        words
    }

    fn push(&mut self, word: Word) {
        self.bytes.extend_from_slice(&word.0.to_le_bytes());
    }

    fn command(&mut self, engine: u8, (task, sub): (u8, u8), info: u16) {
        let kind = WordKind::NodeSet.number().unwrap_or(0);
        self.push(Word::new(kind, engine, task, sub, info));
    }

    fn reset(&mut self, engine: u8, port: u8) {
        let kind = WordKind::IdReset.number().unwrap_or(0);
        self.push(Word::new(kind, engine, 0, 0, u16::from(port) << 8));
    }

    /// A kernel of one product.
    pub(super) fn kernel(&mut self, name: &str) {
        self.func(name);
        let [tiu, ..] = self.engines;
        self.reset(tiu, 0);
        self.command(tiu, TIU_PRODUCT, 1);
        self.end();
    }

    fn func(&mut self, name: &str) {
        let number = WordKind::Func.number().unwrap_or(0);
        self.push(Word::with_payload(number, name.len() as u32));
        for part in name.as_bytes().chunks(4) {
            let mut padded = [0; 4];
            padded[..part.len()].copy_from_slice(part);
            self.push(Word(u32::from_le_bytes(padded)));
        }
    }

    fn end(&mut self) {
        self.push(Word::with_payload(WordKind::FuncEnd.number().unwrap_or(0), 0));
    }

    pub(super) fn open(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.func(name);
        }
    }

    pub(super) fn close(&mut self, operation: Option<u32>) {
        if operation.is_some() && self.is_named {
            self.end();
        }
    }

    pub(super) fn reset_ports(&mut self, commands: &[PortCommand<'_>], operation: u32) {
        if !self.has_resets {
            return;
        }
        let [.., cdma] = self.engines;
        let mut ports: Vec<u8> =
            commands.iter().filter(|c| c.operation == operation).map(|c| c.port).collect();
        ports.sort_unstable();
        ports.dedup();
        ports.into_iter().for_each(|port| self.reset(cdma, port));
    }

    pub(super) fn port_command(&mut self, command: &PortCommand<'_>) {
        let [.., cdma] = self.engines;
        let info = u16::from(command.port) << 8;
        let code = match command.data {
            None => (7, 1),
            Some((_, false)) => (0, 0),
            Some((_, true)) => (4, 0),
        };
        self.command(cdma, code, info);
    }
}
