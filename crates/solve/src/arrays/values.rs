//! Builds arrays from accesses that do not conflict.

use super::graph::Graph;
use super::travel::Travel;
use nub_bitvec::{ArrayValue, Assignment, Datum, Op, Pool, Sort, Value};

/// A value for every array variable: its accesses, and one element for all other indices, the same for all arrays that are linked.
/// If there is a constant array among them, it is the element of that array; because the constant array has an access at an unused index,
/// its element has been compared with the others.
pub(super) fn array_values(pool: &Pool, graph: &Graph, travel: &Travel<'_>) -> Assignment {
    let component = components(graph);
    let mut defaults: Vec<Option<Value>> = vec![None; graph.arrays.len()];
    for (array, element) in travel.constant_elements() {
        defaults[component[array]].get_or_insert(element);
    }
    let mut arrays: Vec<ArrayValue> = Vec::new();
    for (number, array) in graph.arrays.iter().enumerate() {
        let Sort::Array { index, element } = array.sort else { unreachable!("an array") };
        let default = defaults[component[number]].clone().unwrap_or_else(|| Value::zero(element));
        arrays.push(ArrayValue::constant(index, default));
    }
    for (array, index, element) in travel.accesses_at() {
        arrays[array].write(index.clone(), element.clone());
    }
    let mut assignment = Assignment::new();
    let vars = graph.arrays.iter().zip(arrays).filter(|(array, _)| pool.op(array.id) == Op::Var);
    for (array, value) in vars {
        assignment.set(array.id, Datum::Array(value));
    }
    assignment
}

/// By array: the smallest number among all arrays to which it is linked, directly or indirectly.
fn components(graph: &Graph) -> Vec<usize> {
    let mut component = vec![usize::MAX; graph.arrays.len()];
    for first in 0..graph.arrays.len() {
        let mut todo = vec![first];
        while let Some(array) = todo.pop() {
            if component[array] == usize::MAX {
                component[array] = first;
                todo.extend(graph.arrays[array].links.iter().map(|(next, _)| *next));
            }
        }
    }
    component
}
