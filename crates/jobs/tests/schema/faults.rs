//! Finds where a document violates its JSON Schema. Knows only the keywords of draft 2020-12 that our schemas use.

use serde_json::{Map, Value};

/// Keywords that do not constrain a document.
const REMARKS: [&str; 6] = ["$schema", "$defs", "title", "description", "default", "format"];

/// A schema that documents are checked against.
pub struct Schema<'s> {
    root: &'s Value,
}

/// A keyword of a schema, and the value that it is about.
#[derive(Clone, Copy)]
struct Check<'a> {
    keyword: &'a str,
    rule: &'a Value,
    /// All keywords of the schema, this one included.
    keywords: &'a Map<String, Value>,
    value: &'a Value,
    /// Where the value is in the document.
    place: &'a str,
}

impl<'s> Schema<'s> {
    pub fn new(root: &'s Value) -> Schema<'s> {
        Schema { root }
    }

    /// All faults, each with its place.
    pub fn faults(&self, document: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.check(self.root, document, "$", &mut found);
        found
    }

    fn check(&self, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
        let Value::Object(keywords) = schema else {
            if schema == &Value::Bool(false) {
                found.push(format!("{place}: not allowed"));
            }
            return;
        };
        for (keyword, rule) in keywords {
            self.check_keyword(Check { keyword, rule, keywords, value, place }, found);
        }
    }

    fn check_keyword(&self, check: Check<'_>, found: &mut Vec<String>) {
        let Check { keyword, rule, value, place, .. } = check;
        let n_right = |schemas: &Value| {
            let is_right = |schema: &&Value| {
                let mut faults = Vec::new();
                self.check(schema, value, place, &mut faults);
                faults.is_empty()
            };
            schemas.as_array().unwrap().iter().filter(is_right).count()
        };
        let is_right = match keyword {
            "$ref" => {
                let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                self.check(self.root.pointer(pointer).unwrap(), value, place, found);
                true
            }
            "type" => rule.as_array().map_or_else(
                || is_of_type(rule, value),
                |types| types.iter().any(|name| is_of_type(name, value)),
            ),
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "anyOf" => n_right(rule) > 0,
            "oneOf" => n_right(rule) == 1,
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap()),
            "required" => value.as_object().is_none_or(|object| {
                rule.as_array().unwrap().iter().all(|name| object.contains_key(name.as_str().unwrap()))
            }),
            "properties" | "additionalProperties" | "items" | "prefixItems" => {
                self.check_parts(check, found);
                true
            }
            remark => {
                assert!(REMARKS.contains(&remark), "this test does not know the keyword `{remark}`");
                true
            }
        };
        if !is_right {
            found.push(format!("{place}: `{keyword}` is {rule}"));
        }
    }

    /// Keywords about the parts of objects and lists.
    fn check_parts(&self, check: Check<'_>, found: &mut Vec<String>) {
        let Check { keyword, rule, keywords, value, place } = check;
        let own = |name: &str| keywords.get("properties").and_then(|own| own.get(name));
        let n_first = keywords.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
        match (keyword, value) {
            ("properties", Value::Object(object)) => {
                for (name, part) in object.iter().filter(|(name, _)| rule.get(name).is_some()) {
                    self.check(&rule[name], part, &format!("{place}.{name}"), found);
                }
            }
            ("additionalProperties", Value::Object(object)) => {
                for (name, part) in object.iter().filter(|(name, _)| own(name).is_none()) {
                    self.check(rule, part, &format!("{place}.{name}"), found);
                }
            }
            ("prefixItems", Value::Array(list)) => {
                for (index, (rule, part)) in rule.as_array().unwrap().iter().zip(list).enumerate() {
                    self.check(rule, part, &format!("{place}[{index}]"), found);
                }
            }
            ("items", Value::Array(list)) => {
                for (index, part) in list.iter().enumerate().skip(n_first) {
                    self.check(rule, part, &format!("{place}[{index}]"), found);
                }
            }
            _ => {}
        }
    }
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("`{other}` is not a type"),
    }
}

#[test]
fn faults_are_found() {
    let schema = serde_json::json!({
        "$defs": { "small": { "type": "integer", "minimum": 0, "maximum": 9 } },
        "type": "object",
        "properties": {
            "n": { "$ref": "#/$defs/small" },
            "list": { "type": "array", "items": { "enum": ["a", "b"] } },
            "pair": { "type": "array", "prefixItems": [{ "type": "string" }, true], "minItems": 2, "maxItems": 2 },
            "either": { "oneOf": [{ "const": 1 }, { "type": "null" }] },
        },
        "additionalProperties": { "type": ["boolean", "null"] },
        "required": ["n"],
    });
    let n_faults = |document: Value| Schema::new(&schema).faults(&document).len();
    let right = serde_json::json!({ "n": 3, "list": ["a"], "pair": ["x", 1], "either": null, "other": true });
    assert_eq!(n_faults(right), 0);
    for (wrong, n) in [
        (serde_json::json!({}), 1),
        (serde_json::json!([]), 1),
        (serde_json::json!({ "n": 10 }), 1),
        (serde_json::json!({ "n": 0.5, "list": ["c", "a", 1] }), 3),
        (serde_json::json!({ "n": 0, "pair": [1] }), 2),
        (serde_json::json!({ "n": 0, "either": 2, "other": "x" }), 2),
    ] {
        assert_eq!(n_faults(wrong.clone()), n, "{wrong}");
    }
}
