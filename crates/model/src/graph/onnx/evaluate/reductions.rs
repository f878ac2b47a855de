//! Operators that sum up, count or order elements, and products of small matrices.

use super::Operands;
use crate::graph::onnx::tensor::{Numbers, Tensor, step};
use crate::graph::shapes;

pub(super) fn evaluate(operands: &Operands<'_>) -> Option<Vec<Tensor>> {
    let node = operands.node;
    let from = operands.tensor(0)?;
    let rank = from.shape.len();
    let name = node.op_type.as_str();
    let one = |tensor: Option<Tensor>| tensor.map(|tensor| vec![tensor]);
    match name {
        "ArgMax" | "ArgMin" => {
            let axis = shapes::axis(node.int("axis").unwrap_or(0), rank).ok()?;
            let keeps = node.int("keepdims") != Some(0);
            let is_last = node.int("select_last_index") == Some(1);
            let sign = if name == "ArgMax" { 1.0 } else { -1.0 };
            one(folded(from, &[axis], keeps, false, &|values| {
                let mut best = 0;
                for (at, &value) in values.iter().enumerate() {
                    let known = values.get(best).copied().unwrap_or(value);
                    let (value, known) = (value * sign, known * sign);
                    if value > known || is_last && value == known {
                        best = at;
                    }
                }
                best as f64
            }))
        }
        "CumSum" => {
            let axis = shapes::axis(operands.number(1, "axis", 0)?, rank).ok()?;
            let is_exclusive = node.int("exclusive") == Some(1);
            let is_reverse = node.int("reverse") == Some(1);
            one(cumulated(from, axis, is_exclusive, is_reverse))
        }
        "TopK" => top(operands),
        "MatMul" => one(product(from, operands.tensor(1)?)),
        _ => {
            let of: &dyn Fn(&[f64]) -> f64 = match name {
                "ReduceSum" => &|values| values.iter().sum(),
                "ReduceMean" => &|values| values.iter().sum::<f64>() / values.len() as f64,
                "ReduceMax" => &|values| values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                "ReduceMin" => &|values| values.iter().copied().fold(f64::INFINITY, f64::min),
                "ReduceProd" => &|values| values.iter().product(),
                "ReduceL1" => &|values| values.iter().map(|x| x.abs()).sum(),
                "ReduceL2" => &|values| values.iter().map(|x| x * x).sum::<f64>().sqrt(),
                "ReduceSumSquare" => &|values| values.iter().map(|x| x * x).sum(),
                _ => return None,
            };
            let axes = operands.setting(1, "axes")?.filter(|axes| !axes.is_empty());
            if axes.is_none() && node.int("noop_with_empty_axes") == Some(1) {
                return Some(vec![from.clone()]);
            }
            let axes = axes.unwrap_or_else(|| (0..rank as i64).collect());
            let axes: Vec<usize> =
                axes.iter().map(|&axis| shapes::axis(axis, rank).ok()).collect::<Option<_>>()?;
            one(folded(from, &axes, node.int("keepdims") != Some(0), from.is_real(), of))
        }
    }
}

/// All elements along some axes as one.
fn folded(
    from: &Tensor,
    axes: &[usize],
    keeps: bool,
    is_real: bool,
    of: &dyn Fn(&[f64]) -> f64,
) -> Option<Tensor> {
    let dims: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
    let kept = shapes::reduce(&from.shape, &dims, true).ok()?;
    let shape = shapes::reduce(&from.shape, &dims, keeps).ok()?;
    let count = crate::graph::onnx::tensor::size(&kept)?;
    let mut groups: Vec<Vec<f64>> = vec![Vec::new(); count];
    let mut index = vec![0; from.shape.len()];
    let places = Tensor { shape: kept, numbers: Numbers::Whole(Vec::new()) };
    let mut add = |at: usize, value: f64| {
        if at > 0 {
            step(&mut index, &from.shape);
        }
        let own = index.iter().enumerate();
        let own: Vec<usize> = own.map(|(d, &at)| if axes.contains(&d) { 0 } else { at }).collect();
        groups.get_mut(places.place(&own)?)?.push(value);
        Some(())
    };
    match &from.numbers {
        Numbers::Whole(numbers) => {
            for (at, &number) in numbers.iter().enumerate() {
                add(at, number as f64)?;
            }
        }
        Numbers::Real(numbers) => {
            for (at, &number) in numbers.iter().enumerate() {
                add(at, f64::from(number))?;
            }
        }
    }
    let results = groups.iter().map(|values| of(values));
    if is_real {
        return Tensor::real(shape, results.map(|value| value as f32).collect());
    }
    Tensor::whole(shape, results.map(|value| value as i64).collect())
}

fn cumulated(from: &Tensor, axis: usize, is_exclusive: bool, is_reverse: bool) -> Option<Tensor> {
    let length = usize::try_from(*from.shape.get(axis)?).ok()?;
    let inner = from.shape.get(axis + 1..)?.iter().product::<u64>();
    let inner = usize::try_from(inner).ok()?;
    let mut sums: Vec<f64> = match &from.numbers {
        Numbers::Whole(numbers) => numbers.iter().map(|&number| number as f64).collect(),
        Numbers::Real(numbers) => numbers.iter().map(|&number| f64::from(number)).collect(),
    };
    let outer = sums.len().checked_div(length.checked_mul(inner)?).unwrap_or(0);
    for row in 0..outer {
        for column in 0..inner {
            let mut sum = 0.0;
            for number in 0..length {
                let along = if is_reverse { length - 1 - number } else { number };
                let value = sums.get_mut((row * length + along) * inner + column)?;
                let own = *value;
                *value = if is_exclusive { sum } else { sum + own };
                sum += own;
            }
        }
    }
    let numbers = if from.is_real() {
        Numbers::Real(sums.into_iter().map(|sum| sum as f32).collect())
    } else {
        Numbers::Whole(sums.into_iter().map(|sum| sum as i64).collect())
    };
    Tensor::new(from.shape.clone(), numbers)
}

/// The greatest or least elements of one dimension, and their places.
fn top(operands: &Operands<'_>) -> Option<Vec<Tensor>> {
    let from = operands.tensor(0)?;
    let [length] = *from.shape.as_slice() else { return None };
    let count = usize::try_from(operands.number(1, "k", 1)?).ok()?;
    let is_greatest = operands.node.int("largest") != Some(0);
    let values = from.numbers.real();
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|&a, &b| {
        let (a, b) = (values.get(a).copied(), values.get(b).copied());
        let order = a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal);
        if is_greatest { order.reverse() } else { order }
    });
    places.truncate(count);
    (places.len() == count && count as u64 <= length).then_some(())?;
    let shape = vec![count as u64];
    let picked = from.picked(shape.clone(), |index| places.get(*index.first()?).copied())?;
    let places = places.into_iter().map(|at| at as i64).collect();
    Some(vec![picked, Tensor::whole(shape, places)?])
}

fn product(one: &Tensor, other: &Tensor) -> Option<Tensor> {
    let (&[rows, inner], &[_, columns]) = (one.shape.as_slice(), other.shape.as_slice()) else {
        return None;
    };
    let shape = shapes::matmul(&one.shape, &other.shape).ok()?;
    crate::graph::onnx::tensor::size(&[rows.checked_mul(inner)?, columns])?;
    let (a, b) = (one.numbers.real(), other.numbers.real());
    let (rows, inner, columns) = (rows as usize, inner as usize, columns as usize);
    let mut numbers = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let terms =
                (0..inner).map(|k| Some(a.get(row * inner + k)? * b.get(k * columns + column)?));
            numbers.push(terms.collect::<Option<Vec<f32>>>()?.into_iter().sum());
        }
    }
    let product = Numbers::Real(numbers);
    let is_real = one.is_real() || other.is_real();
    Tensor::new(shape, if is_real { product } else { Numbers::Whole(product.whole()) })
}
