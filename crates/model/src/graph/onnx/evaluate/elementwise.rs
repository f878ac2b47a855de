//! Operators of one element of each operand.

use super::{Operands, cast};
use crate::graph::onnx::tensor::{Numbers, Tensor, size};
use crate::graph::shapes;

pub(super) fn evaluate(operands: &Operands<'_>) -> Option<Tensor> {
    let node = operands.node;
    let first = operands.tensor(0)?;
    match node.op_type.as_str() {
        "Identity" | "Dropout" | "ReduceLogSum" if node.op_type != "ReduceLogSum" => {
            return Some(first.clone());
        }
        "Cast" => return Some(cast(first, node.int("to")?)),
        "CastLike" => {
            let like = operands.tensor(1)?;
            return Some(cast(first, if like.is_real() { 1 } else { 7 }));
        }
        "Where" => {
            let (yes, no) = (operands.tensor(1)?, operands.tensor(2)?);
            let shape = shapes::broadcast(&first.shape, &yes.shape).ok()?;
            let shape = shapes::broadcast(&shape, &no.shape).ok()?;
            size(&shape)?;
            let chosen = first.stretched(&shape)?.numbers.whole();
            let (yes, no) = (yes.stretched(&shape)?, no.stretched(&shape)?);
            let pick = |at: usize, is_yes: i64| if is_yes != 0 { (&yes, at) } else { (&no, at) };
            let numbers = if yes.is_real() || no.is_real() {
                let (yes, no) = (yes.numbers.real(), no.numbers.real());
                let all = chosen.iter().zip(yes.iter().zip(&no));
                Numbers::Real(all.map(|(&c, (&y, &n))| if c != 0 { y } else { n }).collect())
            } else {
                let picked = chosen.iter().enumerate().map(|(at, &is_yes)| {
                    let (from, at) = pick(at, is_yes);
                    match &from.numbers {
                        Numbers::Whole(numbers) => numbers.get(at).copied(),
                        Numbers::Real(_) => None,
                    }
                });
                Numbers::Whole(picked.collect::<Option<_>>()?)
            };
            return Tensor::new(shape, numbers);
        }
        "Clip" => {
            let bound = |index: usize, name: &str, otherwise: f32| {
                if operands.has(index) {
                    return operands.tensor(index)?.numbers.real().first().copied();
                }
                Some(node.float(name).unwrap_or(otherwise))
            };
            let (low, high) =
                (bound(1, "min", f32::NEG_INFINITY)?, bound(2, "max", f32::INFINITY)?);
            let real = first.numbers.real().into_iter().map(|x| x.max(low).min(high)).collect();
            let clipped = Numbers::Real(real);
            let numbers = if first.is_real() { clipped } else { Numbers::Whole(clipped.whole()) };
            return Tensor::new(first.shape.clone(), numbers);
        }
        _ => {}
    }
    unary(operands).or_else(|| many(operands))
}

fn unary(operands: &Operands<'_>) -> Option<Tensor> {
    let first = operands.tensor(0)?;
    let shape = first.shape.clone();
    let name = operands.node.op_type.as_str();
    if let Numbers::Whole(numbers) = &first.numbers {
        let of: fn(i64) -> i64 = match name {
            "Neg" => i64::wrapping_neg,
            "Abs" => i64::wrapping_abs,
            "Sign" => i64::signum,
            "Not" => |x| i64::from(x == 0),
            "BitwiseNot" => |x| !x,
            "Relu" => |x| x.max(0),
            "Floor" | "Ceil" | "Round" => |x| x,
            _ => return None,
        };
        return Tensor::whole(shape, numbers.iter().map(|&x| of(x)).collect());
    }
    let of: fn(f32) -> f32 = match name {
        "Neg" => |x| -x,
        "Abs" => f32::abs,
        "Sign" => |x| if x == 0.0 { 0.0 } else { x.signum() },
        "Sqrt" => f32::sqrt,
        "Exp" => f32::exp,
        "Log" => f32::ln,
        "Floor" => f32::floor,
        "Ceil" => f32::ceil,
        "Round" => f32::round_ties_even,
        "Reciprocal" => |x| 1.0 / x,
        "Sin" => f32::sin,
        "Cos" => f32::cos,
        "Tan" => f32::tan,
        "Atan" => f32::atan,
        "Tanh" => f32::tanh,
        "Sigmoid" => |x| 1.0 / (1.0 + (-x).exp()),
        "Softplus" => |x| x.exp().ln_1p(),
        "Relu" => |x| x.max(0.0),
        "IsNaN" => |x| f32::from(u8::from(x.is_nan())),
        "IsInf" => |x| f32::from(u8::from(x.is_infinite())),
        _ => return None,
    };
    let numbers = Numbers::Real(first.numbers.real().into_iter().map(of).collect());
    let is_truth = matches!(name, "IsNaN" | "IsInf");
    Tensor::new(shape, if is_truth { Numbers::Whole(numbers.whole()) } else { numbers })
}

/// Operators of two or more tensors that are stretched to a common shape.
fn many(operands: &Operands<'_>) -> Option<Tensor> {
    let name = operands.node.op_type.as_str();
    is_binary(name).then_some(())?;
    let all = operands.all()?;
    let (first, rest) = all.split_first()?;
    let mut result = (*first).clone();
    // With the sign of the dividend.
    let by_dividend = name == "Mod" && operands.node.int("fmod") == Some(1);
    for other in rest {
        result = two(if by_dividend { "Fmod" } else { name }, &result, other)?;
    }
    if name == "Mean" {
        let count = all.len() as f32;
        let mean = result.numbers.real().into_iter().map(|sum| sum / count).collect();
        return Tensor::real(result.shape, mean);
    }
    Some(result)
}

fn is_binary(name: &str) -> bool {
    const NAMES: [&str; 23] = [
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Pow",
        "Mod",
        "Min",
        "Max",
        "Sum",
        "Mean",
        "Equal",
        "Less",
        "LessOrEqual",
        "Greater",
        "GreaterOrEqual",
        "And",
        "Or",
        "Xor",
        "BitwiseAnd",
        "BitwiseOr",
        "BitwiseXor",
        "BitShift",
        "PRelu",
    ];
    NAMES.contains(&name)
}

fn two(name: &str, one: &Tensor, other: &Tensor) -> Option<Tensor> {
    let shape = shapes::broadcast(&one.shape, &other.shape).ok()?;
    size(&shape)?;
    let is_real = one.is_real() || other.is_real();
    let (one, other) = (one.stretched(&shape)?, other.stretched(&shape)?);
    if is_real {
        let (a, b) = (one.numbers.real(), other.numbers.real());
        let pairs = || a.iter().copied().zip(b.iter().copied());
        let truth = |of: fn(f32, f32) -> bool| {
            Numbers::Whole(pairs().map(|(a, b)| i64::from(of(a, b))).collect())
        };
        let number =
            |of: fn(f32, f32) -> f32| Numbers::Real(pairs().map(|(a, b)| of(a, b)).collect());
        let numbers = match name {
            "Add" | "Sum" | "Mean" => number(|a, b| a + b),
            "Sub" => number(|a, b| a - b),
            "Mul" => number(|a, b| a * b),
            "Div" => number(|a, b| a / b),
            "Pow" => number(f32::powf),
            "Mod" | "Fmod" => number(|a, b| a % b),
            "Min" => number(f32::min),
            "Max" => number(f32::max),
            "PRelu" => number(|x, slope| if x < 0.0 { slope * x } else { x }),
            "Equal" => truth(|a, b| a == b),
            "Less" => truth(|a, b| a < b),
            "LessOrEqual" => truth(|a, b| a <= b),
            "Greater" => truth(|a, b| a > b),
            "GreaterOrEqual" => truth(|a, b| a >= b),
            _ => return None,
        };
        return Tensor::new(shape, numbers);
    }
    let of: fn(i64, i64) -> Option<i64> = match name {
        "Add" | "Sum" | "Mean" => i64::checked_add,
        "Sub" => i64::checked_sub,
        "Mul" => i64::checked_mul,
        "Div" => i64::checked_div,
        "Pow" => |a, b| a.checked_pow(u32::try_from(b).ok()?),
        // The sign of the divisor.
        "Mod" => |a, b| {
            let rest = a.checked_rem(b)?;
            Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        },
        "Fmod" => i64::checked_rem,
        "Min" => |a, b| Some(a.min(b)),
        "Max" => |a, b| Some(a.max(b)),
        "Equal" => |a, b| Some(i64::from(a == b)),
        "Less" => |a, b| Some(i64::from(a < b)),
        "LessOrEqual" => |a, b| Some(i64::from(a <= b)),
        "Greater" => |a, b| Some(i64::from(a > b)),
        "GreaterOrEqual" => |a, b| Some(i64::from(a >= b)),
        "And" => |a, b| Some(i64::from(a != 0 && b != 0)),
        "Or" => |a, b| Some(i64::from(a != 0 || b != 0)),
        "Xor" => |a, b| Some(i64::from((a != 0) != (b != 0))),
        "BitwiseAnd" => |a, b| Some(a & b),
        "BitwiseOr" => |a, b| Some(a | b),
        "BitwiseXor" => |a, b| Some(a ^ b),
        _ => return None,
    };
    let (a, b) = (one.numbers.whole(), other.numbers.whole());
    let numbers = a.iter().zip(&b).map(|(&a, &b)| of(a, b)).collect::<Option<_>>()?;
    Tensor::whole(shape, numbers)
}
