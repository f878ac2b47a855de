//! Operators that move elements, repeat them, or choose some of them.

use super::Operands;
use crate::graph::node::Shape;
use crate::graph::onnx::operator::squeezed;
use crate::graph::onnx::tensor::{Numbers, Tensor, bounded, indexed, size};
use crate::graph::shapes;

pub(super) fn evaluate(operands: &Operands<'_>) -> Option<Tensor> {
    let node = operands.node;
    let from = operands.tensor(0)?;
    let rank = from.shape.len();
    let axis = |otherwise: i64| shapes::axis(node.int("axis").unwrap_or(otherwise), rank).ok();
    match node.op_type.as_str() {
        "Reshape" => {
            let wanted = operands.setting(1, "shape")??;
            let zero_copies = node.int("allowzero") != Some(1);
            let shape = shapes::reshape(&from.shape, &wanted, zero_copies).ok()?;
            from.clone().reshaped(shape)
        }
        "Flatten" => {
            let axis = bounded(node.int("axis").unwrap_or(1), rank);
            let (rows, columns) = from.shape.split_at_checked(axis)?;
            let shape = vec![shapes::count(rows).ok()?, shapes::count(columns).ok()?];
            from.clone().reshaped(shape)
        }
        "Unsqueeze" | "Squeeze" => {
            let axes = operands.setting(1, "axes")?;
            from.clone().reshaped(squeezed(node, &from.shape, axes).ok()?)
        }
        "Transpose" => {
            let reversed = (0..rank as i64).rev().collect();
            let order = node.ints("perm").map_or(reversed, <[i64]>::to_vec);
            let shape = shapes::permute(&from.shape, &order).ok()?;
            let order: Vec<usize> =
                order.iter().map(|&axis| shapes::axis(axis, rank).ok()).collect::<Option<_>>()?;
            let mut own = vec![0; rank];
            from.picked(shape, |index| {
                for (&axis, &at) in order.iter().zip(index) {
                    *own.get_mut(axis)? = at;
                }
                from.place(&own)
            })
        }
        "Concat" => concat(operands),
        "Gather" => {
            let places = operands.tensor(1)?;
            let axis = axis(0)?;
            let indices = places.numbers.whole();
            let (before, after) = from.shape.split_at_checked(axis)?;
            let shape = [before, &places.shape, after.get(1..)?].concat();
            let length = *after.first()?;
            let inner = places.shape.len();
            from.picked(shape, |index| {
                let number = *indices.get(places.place(index.get(axis..axis + inner)?)?)?;
                let at = indexed(number, length)?;
                let own = [index.get(..axis)?, &[at], index.get(axis + inner..)?].concat();
                from.place(&own)
            })
        }
        "GatherElements" => {
            let places = operands.tensor(1)?;
            let axis = axis(0)?;
            let indices = places.numbers.whole();
            let length = *from.shape.get(axis)?;
            from.picked(places.shape.clone(), |index| {
                let number = *indices.get(places.place(index)?)?;
                let mut own = index.to_vec();
                *own.get_mut(axis)? = indexed(number, length)?;
                from.place(&own)
            })
        }
        "GatherND" => {
            let places = operands.tensor(1)?;
            let batch = usize::try_from(node.int("batch_dims").unwrap_or(0)).ok()?;
            let shape = gathered(&from.shape, &places.shape, batch)?;
            let indices = places.numbers.whole();
            let (rows, depth) = (places.shape.len().checked_sub(1)?, *places.shape.last()?);
            let depth = usize::try_from(depth).ok()?;
            from.picked(shape, |index| {
                let mut at: Vec<usize> = index.get(..rows)?.to_vec();
                let mut own: Vec<usize> = index.get(..batch)?.to_vec();
                for part in 0..depth {
                    at.push(part);
                    let number = *indices.get(places.place(&at)?)?;
                    own.push(indexed(number, *from.shape.get(batch + part)?)?);
                    at.pop();
                }
                own.extend(index.get(rows..)?);
                from.place(&own)
            })
        }
        "Slice" => {
            let bounds = [
                operands.setting(1, "starts")?,
                operands.setting(2, "ends")?,
                operands.setting(3, "axes")?,
                operands.setting(4, "steps")?,
            ];
            sliced(from, bounds)
        }
        "Expand" => {
            let wanted = operands.setting(1, "shape")??;
            let wanted: Option<Shape> = wanted.into_iter().map(|n| u64::try_from(n).ok()).collect();
            from.stretched(&shapes::broadcast(&from.shape, &wanted?).ok()?)
        }
        "Tile" => {
            let times = operands.setting(1, "repeats")??;
            let sizes = from.shape.iter().zip(&times);
            let shape: Option<Shape> =
                sizes.map(|(&size, &n)| size.checked_mul(u64::try_from(n).ok()?)).collect();
            from.picked(shape?, |index| {
                let own = index.iter().zip(&from.shape);
                let own: Vec<usize> = own.map(|(&at, &size)| at % (size.max(1) as usize)).collect();
                from.place(&own)
            })
        }
        "ConstantOfShape" => {
            let sizes = from.numbers.whole();
            let shape: Shape =
                sizes.iter().map(|&size| u64::try_from(size).ok()).collect::<Option<_>>()?;
            let count = size(&shape)?;
            let value = match node.tensor("value") {
                Some(tensor) => tensor.known()?.numbers,
                None => Numbers::Real(vec![0.0]),
            };
            let numbers = match value {
                Numbers::Whole(numbers) => Numbers::Whole(vec![*numbers.first()?; count]),
                Numbers::Real(numbers) => Numbers::Real(vec![*numbers.first()?; count]),
            };
            Tensor::new(shape, numbers)
        }
        "Range" => range(operands),
        "Trilu" => {
            let offset = operands.number(1, "k", 0)?;
            let is_upper = node.int("upper") != Some(0);
            let mut numbers = from.numbers.clone();
            let (&columns, &rows) = (from.shape.last()?, from.shape.iter().rev().nth(1)?);
            let keeps = |at: usize| {
                let (row, column) =
                    (at as u64 / columns.max(1) % rows.max(1), at as u64 % columns.max(1));
                let off = i64::try_from(column).unwrap_or(0) - i64::try_from(row).unwrap_or(0);
                if is_upper { off >= offset } else { off <= offset }
            };
            match &mut numbers {
                Numbers::Whole(numbers) => {
                    numbers
                        .iter_mut()
                        .enumerate()
                        .filter(|(at, _)| !keeps(*at))
                        .for_each(|(_, n)| *n = 0);
                }
                Numbers::Real(numbers) => {
                    numbers
                        .iter_mut()
                        .enumerate()
                        .filter(|(at, _)| !keeps(*at))
                        .for_each(|(_, n)| *n = 0.0);
                }
            }
            Tensor::new(from.shape.clone(), numbers)
        }
        "Pad" => pad(operands),
        "NonZero" => {
            let numbers = from.numbers.real();
            let mut found: Vec<Vec<i64>> = vec![Vec::new(); rank];
            let mut index = vec![0; rank];
            for (at, number) in numbers.iter().enumerate() {
                if at > 0 {
                    crate::graph::onnx::tensor::step(&mut index, &from.shape);
                }
                if *number != 0.0 {
                    found.iter_mut().zip(&index).for_each(|(row, &at)| row.push(at as i64));
                }
            }
            let count = found.first().map_or(0, Vec::len) as u64;
            Tensor::whole(vec![rank as u64, count], found.concat())
        }
        "OneHot" => one_hot(operands),
        "ScatterND" => scatter(operands),
        "Compress" => {
            let wanted = operands.tensor(1)?.numbers.whole();
            let places = || wanted.iter().enumerate().filter(|(_, n)| **n != 0).map(|(at, _)| at);
            let (flat, axis) = match node.int("axis") {
                Some(axis) => (from.clone(), shapes::axis(axis, rank).ok()?),
                None => (from.clone().reshaped(vec![from.numbers.len() as u64])?, 0),
            };
            let kept: Vec<usize> = places()
                .filter(|&at| flat.shape.get(axis).is_some_and(|&n| (at as u64) < n))
                .collect();
            let mut shape = flat.shape.clone();
            *shape.get_mut(axis)? = kept.len() as u64;
            flat.picked(shape, |index| {
                let mut own = index.to_vec();
                let at = own.get_mut(axis)?;
                *at = *kept.get(*at)?;
                flat.place(&own)
            })
        }
        _ => None,
    }
}

/// Operators with several outputs.
pub(super) fn several(operands: &Operands<'_>) -> Option<Vec<Tensor>> {
    let node = operands.node;
    if node.op_type != "Split" {
        return None;
    }
    let from = operands.tensor(0)?;
    let axis = shapes::axis(node.int("axis").unwrap_or(0), from.shape.len()).ok()?;
    let total = usize::try_from(*from.shape.get(axis)?).ok()?;
    let count = node.output.len().max(1);
    let sizes: Vec<usize> = match operands.setting(1, "split")? {
        Some(sizes) => sizes.iter().map(|&n| usize::try_from(n).ok()).collect::<Option<_>>()?,
        None => {
            let size = total.div_ceil(count);
            (0..count).map(|at| size.min(total.saturating_sub(at * size))).collect()
        }
    };
    let mut first = 0;
    let pieces = sizes.iter().map(|&length| {
        let begin = first;
        first += length;
        let mut shape = from.shape.clone();
        *shape.get_mut(axis)? = length as u64;
        from.picked(shape, |index| {
            let mut own = index.to_vec();
            *own.get_mut(axis)? += begin;
            from.place(&own)
        })
    });
    pieces.collect()
}

fn concat(operands: &Operands<'_>) -> Option<Tensor> {
    let parts = operands.all()?;
    let all: Vec<Shape> = parts.iter().map(|part| part.shape.clone()).collect();
    let (shape, axis) = shapes::concat(&all, operands.node.int("axis").unwrap_or(0)).ok()?;
    size(&shape)?;
    let count = |sizes: &[u64]| usize::try_from(shapes::count(sizes).ok()?).ok();
    let rows = count(shape.get(..axis)?)?;
    let widths: Vec<usize> =
        parts.iter().map(|part| count(part.shape.get(axis..)?)).collect::<Option<_>>()?;
    let is_real = parts.iter().any(|part| part.is_real());
    let places = (0..rows).flat_map(|row| {
        let parts = parts.iter().zip(&widths);
        parts.map(move |(part, &width)| (*part, row * width..(row + 1) * width))
    });
    if is_real {
        let mut numbers = Vec::new();
        for (part, range) in places {
            numbers.extend_from_slice(part.numbers.real().get(range)?);
        }
        return Tensor::real(shape, numbers);
    }
    let mut numbers = Vec::new();
    for (part, range) in places {
        let Numbers::Whole(own) = &part.numbers else { return None };
        numbers.extend_from_slice(own.get(range)?);
    }
    Tensor::whole(shape, numbers)
}

/// What a slice takes of some axes, as numpy counts.
fn sliced(from: &Tensor, bounds: [Option<Vec<i64>>; 4]) -> Option<Tensor> {
    let [starts, ends, axes, steps] = bounds;
    let (starts, ends) = (starts?, ends?);
    let axes = axes.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = steps.unwrap_or_else(|| vec![1; starts.len()]);
    let mut shape = from.shape.clone();
    let mut ways: Vec<(i64, i64)> = vec![(0, 1); shape.len()];
    for ((&axis, &start), (&end, &step)) in axes.iter().zip(&starts).zip(ends.iter().zip(&steps)) {
        let axis = shapes::axis(axis, shape.len()).ok()?;
        let length = i64::try_from(*shape.get(axis)?).ok()?;
        let (first, covered) = covered(length, start, end, step)?;
        *shape.get_mut(axis)? = covered;
        *ways.get_mut(axis)? = (first, step);
    }
    from.picked(shape, |index| {
        let own = index.iter().zip(&ways).map(|(&at, &(first, step))| {
            usize::try_from(first.checked_add(i64::try_from(at).ok()?.checked_mul(step)?)?).ok()
        });
        from.place(&own.collect::<Option<Vec<usize>>>()?)
    })
}

/// First element and number of elements of a slice of one axis.
fn covered(length: i64, start: i64, end: i64, step: i64) -> Option<(i64, u64)> {
    let from_end = |number: i64| if number < 0 { number.saturating_add(length) } else { number };
    let (start, end) = (from_end(start), from_end(end));
    let (first, span) = if step > 0 {
        let first = start.clamp(0, length);
        (first, end.clamp(0, length) - first)
    } else if step < 0 {
        let first = start.clamp(-1, length - 1);
        (first, first - end.clamp(-1, length - 1))
    } else {
        return None;
    };
    Some((first, span.max(0).unsigned_abs().div_ceil(step.unsigned_abs())))
}

fn range(operands: &Operands<'_>) -> Option<Tensor> {
    let [start, limit, delta] = [operands.tensor(0)?, operands.tensor(1)?, operands.tensor(2)?];
    if start.is_real() || limit.is_real() || delta.is_real() {
        let of = |tensor: &Tensor| tensor.numbers.real().first().map(|&x| f64::from(x));
        let (start, limit, delta) = (of(start)?, of(limit)?, of(delta)?);
        let count = ((limit - start) / delta).ceil();
        let count = size(&[if count.is_finite() && count > 0.0 { count as u64 } else { 0 }])?;
        let numbers = (0..count).map(|at| (start + at as f64 * delta) as f32).collect();
        return Tensor::real(vec![count as u64], numbers);
    }
    let of = |tensor: &Tensor| tensor.numbers.whole().first().copied();
    let (start, limit, delta) = (of(start)?, of(limit)?, of(delta)?);
    let span = limit.checked_sub(start)?;
    let is_empty = delta == 0 || (span > 0) != (delta > 0) || span == 0;
    let count = if is_empty { 0 } else { span.unsigned_abs().div_ceil(delta.unsigned_abs()) };
    let count = size(&[count])?;
    let numbers = (0..count as i64).map(|at| start.wrapping_add(at.wrapping_mul(delta))).collect();
    Tensor::whole(vec![count as u64], numbers)
}

fn pad(operands: &Operands<'_>) -> Option<Tensor> {
    let node = operands.node;
    let from = operands.tensor(0)?;
    let rank = from.shape.len();
    if node.text("mode").is_some_and(|mode| !mode.is_empty() && mode != "constant") {
        return None;
    }
    let pads = operands.setting(1, "pads")??;
    let axes = operands.setting(3, "axes")?.unwrap_or_else(|| (0..rank as i64).collect());
    let value =
        if operands.has(2) { operands.tensor(2)?.numbers.real().first().copied()? } else { 0.0 };
    let mut shape = from.shape.clone();
    let mut before = vec![0_i64; rank];
    for (at, &axis) in axes.iter().enumerate() {
        let axis = shapes::axis(axis, rank).ok()?;
        let (low, high) = (*pads.get(at)?, *pads.get(at + axes.len())?);
        let size = i64::try_from(*shape.get(axis)?).ok()?.checked_add(low)?.checked_add(high)?;
        *shape.get_mut(axis)? = u64::try_from(size).ok()?;
        *before.get_mut(axis)? = low;
    }
    let count = size(&shape)?;
    let mut index = vec![0; rank];
    let real = from.numbers.real();
    let mut numbers = Vec::with_capacity(count);
    for number in 0..count {
        if number > 0 {
            crate::graph::onnx::tensor::step(&mut index, &shape);
        }
        let own = index
            .iter()
            .zip(&before)
            .map(|(&at, &low)| usize::try_from(i64::try_from(at).ok()?.checked_sub(low)?).ok());
        let place = own.collect::<Option<Vec<usize>>>().and_then(|own| from.place(&own));
        numbers.push(place.and_then(|at| real.get(at).copied()).unwrap_or(value));
    }
    let padded = Numbers::Real(numbers);
    Tensor::new(shape, if from.is_real() { padded } else { Numbers::Whole(padded.whole()) })
}

fn one_hot(operands: &Operands<'_>) -> Option<Tensor> {
    let from = operands.tensor(0)?;
    let depth = *operands.tensor(1)?.numbers.whole().first()?;
    let values = operands.tensor(2)?;
    let rank = from.shape.len();
    let axis = shapes::axis(operands.node.int("axis").unwrap_or(-1), rank + 1).ok()?;
    let mut shape = from.shape.clone();
    shape.insert(axis, u64::try_from(depth).ok()?);
    let indices = from.numbers.whole();
    values.picked(shape, |index| {
        let mut own = index.to_vec();
        let at = own.remove(axis);
        let number = *indices.get(from.place(&own)?)?;
        let hot = if number < 0 { number.checked_add(depth)? } else { number };
        Some(usize::from(i64::try_from(at).ok()? == hot))
    })
}

fn scatter(operands: &Operands<'_>) -> Option<Tensor> {
    let (from, places, updates) = (operands.tensor(0)?, operands.tensor(1)?, operands.tensor(2)?);
    if operands.node.text("reduction").is_some_and(|kind| !kind.is_empty() && kind != "none") {
        return None;
    }
    let depth = usize::try_from(*places.shape.last()?).ok()?;
    let rows = places.numbers.len().checked_div(depth)?;
    let width = updates.numbers.len().checked_div(rows)?;
    let indices = places.numbers.whole();
    let mut result = from.clone();
    for row in 0..rows {
        let mut index = Vec::with_capacity(from.shape.len());
        for part in 0..depth {
            index.push(indexed(*indices.get(row * depth + part)?, *from.shape.get(part)?)?);
        }
        index.resize(from.shape.len(), 0);
        let at = from.place(&index)?;
        let written = row * width..(row + 1) * width;
        match (&mut result.numbers, &updates.numbers) {
            (Numbers::Whole(numbers), Numbers::Whole(new)) => {
                numbers.get_mut(at..at + width)?.copy_from_slice(new.get(written)?);
            }
            (Numbers::Real(numbers), new) => {
                numbers.get_mut(at..at + width)?.copy_from_slice(new.real().get(written)?);
            }
            _ => return None,
        }
    }
    Some(result)
}

/// Shape of what `GatherND` takes.
pub(in crate::graph::onnx) fn gathered(
    from: &[u64],
    places: &[u64],
    batch: usize,
) -> Option<Shape> {
    let depth = usize::try_from(*places.last()?).ok()?;
    let rows = places.get(..places.len() - 1)?;
    Some([rows, from.get(batch + depth..)?].concat())
}
