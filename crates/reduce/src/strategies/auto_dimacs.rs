//! `auto` for DIMACS: clauses, then variables, then literals, then everything else; numbers at the end.
//!
//! A round starts with the edits that save most per ask. Rounds repeat until nothing changes; a last one asks
//! again the edits that failed on a larger file.

use super::rounds::{all, to_fixpoint};
use crate::dimacs::Dimacs;
use crate::{Engine, ReductionStop};
use nub_edits::Pass;
use nub_edits::dimacs::{
    DimacsView, clauses::Clauses, comments::Comments, flip::Flip, header::HeaderCounts,
    join_clauses::JoinClauses, literals::DimacsLiterals, merge_variables::MergeVariables, others::Others,
    quantified::Quantified, quantifiers::DimacsQuantifiers, renumber::DimacsRenumber,
    replace_literals::ReplaceLiterals, same_variables::SameVariables, signs::Signs, sort::DimacsSort,
    tidy::DimacsTidy, top_weight::TopWeight, variables::Variables, weights::DimacsWeights,
};

type Auto<'e> = Engine<'e, Dimacs>;

/// Reduces to a fixpoint of all passes, at which every edit has been asked on the final file.
pub fn auto_dimacs(engine: &mut Auto<'_>) -> Result<(), ReductionStop> {
    all(engine, &[&DimacsTidy, &HeaderCounts])?;
    while all(engine, COARSE)? {}
    to_fixpoint(engine, round)
}

fn round(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = all(engine, COARSE)?;
    changed |= all(engine, FINE)?;
    changed |= all(engine, ENDGAME)?;
    Ok(changed)
}

/// Passes that remove many bytes at a time.
const COARSE: &[&dyn Pass<DimacsView>] =
    &[&Others, &Clauses, &Variables::True, &Variables::False, &Variables::Drop];

/// Passes that remove few bytes.
const FINE: &[&dyn Pass<DimacsView>] = &[
    &DimacsLiterals,
    &JoinClauses,
    &Comments,
    &Quantified,
    &DimacsQuantifiers,
    &DimacsWeights::One,
    &DimacsWeights::Fewer,
    &TopWeight,
    &HeaderCounts,
    &SameVariables,
    &MergeVariables::Neighbours,
    &MergeVariables::Pairs,
    &Signs,
    &ReplaceLiterals,
];

/// Passes that polish the result.
const ENDGAME: &[&dyn Pass<DimacsView>] = &[
    &Flip,
    &DimacsRenumber::All,
    &DimacsRenumber::Single,
    &DimacsSort::Literals,
    &DimacsSort::Clauses,
    &DimacsTidy,
];
