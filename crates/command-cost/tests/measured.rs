//! Every command of `measured.txt`: its cycles were measured on hardware, and the rules give the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_chip::{Chip, Engine, Slot};
use bigtpu_command_cost::{CommandCost, CostModel, Mark, Windows};

/// What a TIU command with these fields takes.
fn cost(chip: &str, head: (bool, u8, u8), fields: &[(&str, u64)]) -> CommandCost {
    let chip = Chip::find(chip).unwrap();
    let table = chip.ops(Engine::Tiu);
    let op = table.find(head.0, head.1, head.2).unwrap();
    let mut bits = table.blank(op, head.2).unwrap();
    let register = op.register.as_ref().unwrap();
    for (name, value) in fields {
        let known = Slot::ALL.iter().find(|slot| slot.name() == *name);
        match (known, register.field(name)) {
            (Some(slot), _) if register.has(*slot) => register.put(*slot, &mut bits, *value),
            (_, Some(field)) => field.put(&mut bits, *value),
            // BM1684X's registers call it so.
            _ => register.field(name.trim_start_matches("opt_")).unwrap().put(&mut bits, *value),
        }
    }
    let command = table.decode(&bits).unwrap();
    CostModel::compiled_in(chip).cost(Engine::Tiu, &command, &mut Windows::new())
}

struct Row<'a> {
    chip: &'a str,
    operation: &'a str,
    head: (bool, u8, u8),
    cycles: i64,
    fields: Vec<(&'a str, u64)>,
}

fn rows() -> Vec<Row<'static>> {
    let lines = include_str!("measured.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut words = line.split_ascii_whitespace();
        let mut next = || words.next().unwrap();
        let (chip, operation) = (next(), next());
        let head = (next() == "1", next().parse().unwrap(), next().parse().unwrap());
        let cycles = next().parse().unwrap();
        let field = |word: &'static str| {
            let (name, value) = word.split_once('=').unwrap();
            (name, value.parse().unwrap())
        };
        Row { chip, operation, head, cycles, fields: words.map(field).collect() }
    };
    lines.map(row).collect()
}

#[test]
fn every_measured_command_takes_its_cycles() {
    let rows = rows();
    assert!(rows.len() > 200, "{}", rows.len());
    let wrong = rows.iter().filter_map(|row| {
        let cost = cost(row.chip, row.head, &row.fields);
        let is_right = cost.total() == row.cycles * 1000 && cost.mark.is_validated();
        let text =
            || format!("{} {} {:?}: {} {cost:?}", row.chip, row.operation, row.fields, row.cycles);
        (!is_right).then(text)
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// A convolution of FP16 on AKS.
fn conv(c_in: u64, c_out: u64, out: u64, kernel: u64, stride: u64) -> i64 {
    let pad = kernel / 2;
    let fields = [
        ("res0_n", 1),
        ("res0_c", c_out),
        ("res0_h", out),
        ("res0_w", out),
        ("opd0_c", c_in),
        ("opd0_h", out * stride),
        ("opd0_w", out * stride),
        ("opd1_h", kernel),
        ("opd1_w", kernel),
        ("opt_opd0_prec", 1),
        ("res_op_x_str", stride),
        ("res_op_y_str", stride),
        ("opd0_up_pad", pad),
        ("opd0_lf_pad", pad),
    ];
    cost("AKS", (true, 0, 0), &fields).total()
}

#[test]
fn convolutions_of_the_documentation() {
    assert_eq!(conv(24, 24, 64, 1, 1), 1_070_000);
    assert_eq!(conv(64, 72, 16, 1, 1), 304_000);
    assert_eq!(conv(24, 24, 64, 3, 1), (9216 + 46 + 190) * 1000);
    assert_eq!(conv(3, 24, 64, 5, 2), 26_597_000);
}

#[test]
fn what_no_hardware_showed_has_a_lower_mark() {
    let fields = [("res0_n", 1), ("res0_c", 64), ("res0_h", 1), ("res0_w", 64)];
    let product = cost("AKS", (false, 2, 4), &fields);
    assert_eq!(product.mark, Mark::NotValidated);
    assert!(product.total() > 0);
    // AKSV was never measured: its rules are those of AKS.
    assert_eq!(cost("AKSV", (true, 3, 2), &fields).mark, Mark::Estimated);
    assert_eq!(cost("AKS", (true, 3, 3), &fields).mark, Mark::Estimated);
}
