//! Results as numpy and the definitions of ONNX give them.

use std::rc::Rc;

use super::super::proto::{Attribute, NodeProto};
use super::{Known, Numbers, Tensor, evaluate};

fn whole(shape: &[u64], numbers: &[i64]) -> Tensor {
    Tensor::whole(shape.to_vec(), numbers.to_vec()).unwrap()
}

fn real(shape: &[u64], numbers: &[f32]) -> Tensor {
    Tensor::real(shape.to_vec(), numbers.to_vec()).unwrap()
}

fn ints(name: &str, numbers: &[i64]) -> Attribute {
    Attribute { name: name.to_owned(), ints: numbers.to_vec(), ..Attribute::default() }
}

fn int(name: &str, number: i64) -> Attribute {
    Attribute { name: name.to_owned(), i: Some(number), ..Attribute::default() }
}

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

fn run(op_type: &str, attribute: Vec<Attribute>, operands: &[Tensor]) -> Vec<Tensor> {
    let names = &NAMES[..operands.len()];
    let known: Known<'_> =
        names.iter().zip(operands).map(|(name, one)| (*name, Rc::new(one.clone()))).collect();
    let shapes: Vec<_> = operands.iter().map(|tensor| Some(&tensor.shape)).collect();
    let node = NodeProto {
        op_type: op_type.to_owned(),
        input: names.iter().map(|name| (*name).to_owned()).collect(),
        output: vec!["y".to_owned(), "z".to_owned()],
        attribute,
        ..NodeProto::default()
    };
    evaluate(&node, &shapes, &known).unwrap_or_else(|| panic!("{op_type} is not known"))
}

fn first(op_type: &str, attribute: Vec<Attribute>, operands: &[Tensor]) -> Tensor {
    run(op_type, attribute, operands).remove(0)
}

fn two_by_three() -> Tensor {
    whole(&[2, 3], &[1, 2, 3, 4, 5, 6])
}

#[test]
fn slices_are_those_of_numpy() {
    let slice = |axis: i64, start: i64, end: i64, step: i64| {
        let row = |number| whole(&[1], &[number]);
        first("Slice", vec![], &[two_by_three(), row(start), row(end), row(axis), row(step)])
    };
    assert_eq!(slice(1, 1, i64::MAX, 1), whole(&[2, 2], &[2, 3, 5, 6]));
    assert_eq!(slice(0, -1, -i64::MAX, -1), whole(&[2, 3], &[4, 5, 6, 1, 2, 3]));
    assert_eq!(slice(1, 0, 3, 2), whole(&[2, 2], &[1, 3, 4, 6]));
    assert_eq!(slice(1, 2, 0, -1), whole(&[2, 2], &[3, 2, 6, 5]));
    assert_eq!(slice(1, 5, 9, 1), whole(&[2, 0], &[]));
    assert_eq!(slice(-1, -2, -1, 1).shape, [2, 1]);
}

#[test]
fn elements_are_moved() {
    let turned = first("Transpose", vec![ints("perm", &[1, 0])], &[two_by_three()]);
    assert_eq!(turned, whole(&[3, 2], &[1, 4, 2, 5, 3, 6]));
    let joined = first("Concat", vec![int("axis", 1)], &[two_by_three(), two_by_three()]);
    assert_eq!(joined, whole(&[2, 6], &[1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]));
    let picked = first("Gather", vec![int("axis", 1)], &[two_by_three(), whole(&[2], &[2, -3])]);
    assert_eq!(picked, whole(&[2, 2], &[3, 1, 6, 4]));
    let places = whole(&[2, 2], &[0, 1, 1, -1]);
    assert_eq!(first("GatherND", vec![], &[two_by_three(), places]), whole(&[2], &[2, 6]));
    let stretched = first("Expand", vec![], &[whole(&[2, 1], &[1, 2]), whole(&[3], &[2, 2, 3])]);
    assert_eq!(stretched, whole(&[2, 2, 3], &[1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2]));
    let written = [two_by_three(), whole(&[1, 1], &[1]), whole(&[1, 3], &[7, 8, 9])];
    assert_eq!(first("ScatterND", vec![], &written), whole(&[2, 3], &[1, 2, 3, 7, 8, 9]));
    let padded = first("Pad", vec![], &[whole(&[2], &[1, 2]), whole(&[2], &[1, 2])]);
    assert_eq!(padded, whole(&[5], &[0, 1, 2, 0, 0]));
    let pieces = run("Split", vec![int("axis", 1)], &[two_by_three(), whole(&[2], &[1, 2])]);
    assert_eq!(pieces, [whole(&[2, 1], &[1, 4]), whole(&[2, 2], &[2, 3, 5, 6])]);
    let lower = first("Trilu", vec![int("upper", 0)], &[two_by_three()]);
    assert_eq!(lower, whole(&[2, 3], &[1, 0, 0, 4, 5, 0]));
}

#[test]
fn elements_are_made() {
    let scalar = |number| whole(&[], &[number]);
    let range = |from, to, by| first("Range", vec![], &[scalar(from), scalar(to), scalar(by)]);
    assert_eq!(range(2, 9, 3), whole(&[3], &[2, 5, 8]));
    assert_eq!(range(3, 0, -1), whole(&[3], &[3, 2, 1]));
    assert_eq!(range(3, 0, 1), whole(&[0], &[]));
    let hot = [whole(&[2], &[2, -3]), scalar(3), whole(&[2], &[0, 1])];
    assert_eq!(first("OneHot", vec![], &hot), whole(&[2, 3], &[0, 0, 1, 1, 0, 0]));
    let places = first("NonZero", vec![], &[whole(&[2, 2], &[1, 0, 1, 1])]);
    assert_eq!(places, whole(&[2, 3], &[0, 1, 1, 0, 0, 1]));
}

#[test]
fn numbers_are_computed() {
    let pair = |a: &[i64], b: &[i64]| [whole(&[2], a), whole(&[2], b)];
    assert_eq!(first("Div", vec![], &pair(&[7, -7], &[2, 2])), whole(&[2], &[3, -3]));
    assert_eq!(first("Mod", vec![], &pair(&[7, -7], &[4, 4])), whole(&[2], &[3, 1]));
    assert_eq!(
        first("Add", vec![], &[two_by_three(), whole(&[], &[1])]).numbers.whole(),
        [2, 3, 4, 5, 6, 7]
    );
    let equal = first("Equal", vec![], &[whole(&[2, 1], &[1, 2]), whole(&[2], &[2, 1])]);
    assert_eq!(equal, whole(&[2, 2], &[0, 1, 1, 0]));
    let chosen = [whole(&[2], &[1, 0]), whole(&[2], &[5, 6]), whole(&[], &[9])];
    assert_eq!(first("Where", vec![], &chosen), whole(&[2], &[5, 9]));
    let cast = first("Cast", vec![int("to", 7)], &[real(&[2], &[2.9, -2.9])]);
    assert_eq!(cast, whole(&[2], &[2, -2]));
    assert_eq!(first("Ceil", vec![], &[real(&[1], &[2.1])]), real(&[1], &[3.0]));
    assert_eq!(first("Sqrt", vec![], &[real(&[1], &[64.0])]), real(&[1], &[8.0]));
    let sums = first("CumSum", vec![], &[two_by_three(), whole(&[], &[1])]);
    assert_eq!(sums, whole(&[2, 3], &[1, 3, 6, 4, 9, 15]));
    let product =
        first("ReduceProd", vec![ints("axes", &[1]), int("keepdims", 0)], &[two_by_three()]);
    assert_eq!(product, whole(&[2], &[6, 120]));
    let mean = first("ReduceMean", vec![], &[real(&[2], &[1.0, 2.0])]);
    assert_eq!(mean, real(&[1], &[1.5]));
    assert_eq!(first("ArgMax", vec![int("axis", 1)], &[two_by_three()]), whole(&[2, 1], &[2, 2]));
    let top = run("TopK", vec![], &[real(&[3], &[1.0, 3.0, 2.0]), whole(&[1], &[2])]);
    assert_eq!(top, [real(&[2], &[3.0, 2.0]), whole(&[2], &[1, 2])]);
    let matrices = [real(&[1, 2], &[1.0, 2.0]), real(&[2, 1], &[3.0, 4.0])];
    assert_eq!(first("MatMul", vec![], &matrices), real(&[1, 1], &[11.0]));
}

/// What is too long, or divides by zero, is not known.
#[test]
fn what_can_not_be_computed_is_not_known() {
    let known = |op_type: &str, operands: &[Tensor]| {
        let names = &NAMES[..operands.len()];
        let known: Known<'_> =
            names.iter().zip(operands).map(|(name, one)| (*name, Rc::new(one.clone()))).collect();
        let shapes: Vec<_> = operands.iter().map(|tensor| Some(&tensor.shape)).collect();
        let input = names.iter().map(|name| (*name).to_owned()).collect();
        let node = NodeProto { op_type: op_type.to_owned(), input, ..NodeProto::default() };
        evaluate(&node, &shapes, &known)
    };
    assert_eq!(known("Div", &[whole(&[1], &[1]), whole(&[1], &[0])]), None);
    assert_eq!(known("Add", &[whole(&[1], &[i64::MAX]), whole(&[1], &[1])]), None);
    assert_eq!(known("ConstantOfShape", &[whole(&[1], &[1 << 40])]), None);
    assert_eq!(known("Gather", &[whole(&[1], &[1]), whole(&[1], &[3])]), None);
    assert!(Tensor::new(vec![3], Numbers::Whole(vec![1])).is_none());
}
