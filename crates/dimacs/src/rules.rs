//! Rules about the whole file: counts, and which variables may be quantified.

use crate::var_set::VarSet;
use crate::{DimacsFile, FaultKind, Quantifier};
use nub_text::Span;

pub(crate) fn check(file: &mut DimacsFile) {
    check_header(file);
    if !file.blocks.is_empty() {
        check_prefix(file);
        check_variables(file);
    }
}

fn check_header(file: &mut DimacsFile) {
    let Some(header) = file.header else {
        if file.kind.header_word().is_some() {
            let start = file.clauses.first().map_or(file.text.len(), |clause| clause.span.start as usize);
            file.fault(FaultKind::MissingHeader, Span::new(start, start));
        }
        return;
    };
    if let Some(number) = header.n_clauses
        && file.kind.has_counts()
        && number.value != file.clauses.len() as u64
    {
        file.fault(FaultKind::ClauseCount, number.span);
    }
}

/// Blocks must alternate, must not be empty, and must end with an existential one.
fn check_prefix(file: &mut DimacsFile) {
    let mut last: Option<Quantifier> = None;
    for index in 0..file.blocks.len() {
        let block = file.blocks[index];
        if block.n_literals == 0 {
            file.fault(FaultKind::EmptyBlock, block.span);
        }
        if last == Some(block.quantifier) {
            file.fault(FaultKind::SameQuantifier, block.span);
        }
        last = Some(block.quantifier);
    }
    if let Some(block) = file.blocks.last().copied()
        && block.quantifier == Quantifier::ForAll
    {
        file.fault(FaultKind::InnermostUniversal, block.span);
    }
}

/// Every variable of the matrix must be quantified, and none twice. Linear.
fn check_variables(file: &mut DimacsFile) {
    let mut quantified = VarSet::new(file.text.len());
    let mut found = Vec::new();
    let mut next = 0;
    for (index, literal) in file.literals.iter().enumerate() {
        while file.blocks.get(next).is_some_and(|block| index >= (block.first + block.n_literals) as usize) {
            next += 1;
        }
        let Some(lit) = literal.lit else { continue };
        let is_in_block = file.blocks.get(next).is_some_and(|block| index >= block.first as usize);
        if !is_in_block {
            if !quantified.contains(lit.var()) {
                found.push((FaultKind::FreeVariable, literal.span));
            }
            continue;
        }
        if lit.is_negative() {
            found.push((FaultKind::NegativeQuantified, literal.span));
        }
        if !quantified.insert(lit.var()) {
            found.push((FaultKind::QuantifiedTwice, literal.span));
        }
    }
    for (kind, span) in found {
        file.fault(kind, span);
    }
}
