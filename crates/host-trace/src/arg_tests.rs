//! Arguments come out of the arena as they went in.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::arg_value::ArgValue;
use crate::args::ArgsRef;
use proptest::prelude::*;
use serde_json::Value;

fn store(json: &str, args: &mut Args, strings: &mut Strings) -> ArgsRef {
    let mark = args.mark().unwrap();
    let mut text = serde_json::Deserializer::from_str(json);
    ArgSeed { args, strings, repaired: false }.deserialize(&mut text).unwrap();
    mark
}

fn tree(value: ArgValue<'_>, strings: &Strings) -> Value {
    match value {
        ArgValue::Null => Value::Null,
        ArgValue::Bool(v) => v.into(),
        ArgValue::Int(v) => v.into(),
        ArgValue::UInt(v) => v.into(),
        ArgValue::Double(v) => v.into(),
        ArgValue::Str(id) => strings.get(id).into(),
        ArgValue::List(list) => list.map(|v| tree(v, strings)).collect(),
        ArgValue::Map(map) => {
            map.map(|(k, v)| (strings.get(k).to_owned(), tree(v, strings))).collect()
        }
    }
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-20i64..20).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c\"\\\\]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("[a-d]{0,2}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn reads_back_what_was_written(values in proptest::collection::vec(json(), 1..4)) {
        let (mut args, mut strings) = (Args::default(), Strings::default());
        let refs: Vec<ArgsRef> =
            values.iter().map(|v| store(&v.to_string(), &mut args, &mut strings)).collect();
        for (value, at) in values.iter().zip(refs) {
            prop_assert_eq!(&tree(args.get(at).unwrap(), &strings), value);
        }
    }
}

#[test]
fn integers_stay_exact() {
    let (mut args, mut strings) = (Args::default(), Strings::default());
    let at = store(
        "[9223372036854775807,9223372036854775808,-9223372036854775808,14,15,-16]",
        &mut args,
        &mut strings,
    );
    let Some(ArgValue::List(list)) = args.get(at) else { unreachable!() };
    let text: Vec<String> = list.map(|v| format!("{v:?}")).collect();
    let expected = [
        "Int(9223372036854775807)",
        "UInt(9223372036854775808)",
        "Int(-9223372036854775808)",
        "Int(14)",
        "Int(15)",
        "Int(-16)",
    ];
    assert_eq!(text, expected);
}

#[test]
fn merges_maps() {
    let (mut args, mut strings) = (Args::default(), Strings::default());
    let begin = store(r#"{"a":1,"b":[2]}"#, &mut args, &mut strings);
    let end = store(r#"{"c":3}"#, &mut args, &mut strings);
    let both = args.merge(begin, end);
    assert_eq!(tree(args.get(both).unwrap(), &strings).to_string(), r#"{"a":1,"b":[2],"c":3}"#);
    assert_eq!(args.merge(begin, ArgsRef::NONE), begin);
    assert_eq!(args.merge(ArgsRef::NONE, end), end);
}
