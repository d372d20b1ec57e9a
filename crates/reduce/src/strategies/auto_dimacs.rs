//! `auto` for DIMACS: clauses, then variables, then literals, then everything else; numbers at the end.
//!
//! A round goes from what saves most per ask to what saves least. Rounds repeat until nothing changes; a last one
//! asks again what failed on a larger file.

use super::rounds::{all, to_fixpoint};
use crate::dimacs::Dimacs;
use crate::{Engine, Stop};
use nub_edits::Pass;
use nub_edits::dimacs::{
    View, clauses::Clauses, comments::Comments, flip::Flip, header::HeaderCounts, join_clauses::JoinClauses,
    literals::Literals, merge_variables::MergeVariables, others::Others, quantified::Quantified,
    quantifiers::Quantifiers, renumber::Renumber, replace_literals::ReplaceLiterals,
    same_variables::SameVariables, signs::Signs, sort::Sort, tidy::Tidy, top_weight::TopWeight,
    variables::Variables, weights::Weights,
};

type Auto<'e> = Engine<'e, Dimacs>;

/// Reduces to a fixpoint of all passes, at which every edit has been asked on the final file.
pub fn auto_dimacs(engine: &mut Auto<'_>) -> Result<(), Stop> {
    all(engine, &[&Tidy, &HeaderCounts])?;
    while all(engine, COARSE)? {}
    to_fixpoint(engine, round)
}

fn round(engine: &mut Auto<'_>) -> Result<bool, Stop> {
    let mut changed = all(engine, COARSE)?;
    changed |= all(engine, FINE)?;
    changed |= all(engine, ENDGAME)?;
    Ok(changed)
}

/// What takes many bytes at a time.
const COARSE: &[&dyn Pass<View>] =
    &[&Others, &Clauses, &Variables::True, &Variables::False, &Variables::Drop];

/// What takes few.
const FINE: &[&dyn Pass<View>] = &[
    &Literals,
    &JoinClauses,
    &Comments,
    &Quantified,
    &Quantifiers,
    &Weights::One,
    &Weights::Fewer,
    &TopWeight,
    &HeaderCounts,
    &SameVariables,
    &MergeVariables::Neighbours,
    &MergeVariables::Pairs,
    &Signs,
    &ReplaceLiterals,
];

/// What polishes.
const ENDGAME: &[&dyn Pass<View>] =
    &[&Flip, &Renumber::All, &Renumber::Single, &Sort::Literals, &Sort::Clauses, &Tidy];
