//! What must hold for every file after reading, as a function that panics otherwise. The tests and the fuzz
//! target `dimacs_read` call it; an input that once failed is kept as a numbered file in `tests/fuzz-failures/`.

use crate::number::{Value, is_blank, number_at};
use crate::{ClauseId, DimacsFile, DimacsKind, FaultSet, LitId, Literal, guess};
use nub_text::Span;

/// Reads the bytes as every kind and checks that nothing is lost: tokens are disjoint and in order, with only blanks
/// between them; each literal has the value of its bytes; every literal belongs to exactly one clause or block; faults
/// have places, and the set of kinds agrees with the list of faults.
///
/// # Panics
/// If that does not hold.
pub fn check_read(text: &[u8]) {
    let _ = guess(text);
    for kind in DimacsKind::ALL {
        let file = DimacsFile::read(text.to_vec(), kind);
        assert!(file.text() == text && file.kind() == kind);
        check_tokens(&file);
        check_literals(&file);
        check_faults(&file);
    }
}

fn check_tokens(file: &DimacsFile) {
    let mut end = 0;
    for token in tokens(file) {
        assert!(!token.is_empty() && token.start >= end, "tokens are apart");
        check_gap(file, Span { start: end, end: token.start });
        end = token.end;
    }
    check_gap(file, Span { start: end, end: file.text().len() as u32 });
}

fn check_gap(file: &DimacsFile, gap: Span) {
    assert!(gap.slice(file.text()).iter().all(|&byte| is_blank(byte)), "{gap:?} is in no token");
}

/// All tokens, in the order of the text.
fn tokens(file: &DimacsFile) -> Vec<Span> {
    let mut tokens: Vec<Span> = file.literals().iter().map(|literal| literal.span).collect();
    for (index, clause) in file.clauses().iter().enumerate() {
        tokens.push(Span { start: clause.zero, end: clause.span.end });
        tokens.extend(file.weight(ClauseId(index as u32)).map(|weight| weight.span));
    }
    for block in file.blocks() {
        assert_eq!(file.text()[block.span.start as usize], block.quantifier.letter());
        tokens.push(Span { start: block.span.start, end: block.span.start + 1 });
        tokens.push(Span { start: block.zero, end: block.span.end });
    }
    tokens.extend(file.header().map(|header| header.span));
    tokens.extend(file.comments());
    tokens.extend(file.others());
    tokens.extend(file.end_marker());
    tokens.retain(|token| !token.is_empty());
    tokens.sort_unstable();
    tokens
}

fn check_literals(file: &DimacsFile) {
    for literal in file.literals() {
        check_literal(file, literal);
    }
    let groups = file.clauses().iter().map(|clause| (clause.span, file.literals_of(clause)));
    let blocks = file.blocks().iter().map(|block| (block.span, file.variables_of(block)));
    let mut n_literals = 0;
    for (span, literals) in groups.chain(blocks) {
        n_literals += literals.len();
        assert!(literals.iter().all(|literal| span.contains(literal.span)), "a literal lies in its clause");
    }
    assert_eq!(n_literals, file.literals().len(), "every literal is in one clause or block");
    for (index, clause) in file.clauses().iter().enumerate() {
        assert!(clause.literal_ids().all(|id| file.clause_of(id) == Some(ClauseId(index as u32))));
    }
    assert!(
        file.blocks().iter().flat_map(|block| block.literal_ids()).all(|id| file.clause_of(id).is_none())
    );
    assert_eq!(file.clause_of(LitId(file.literals().len() as u32)), None);
}

fn check_literal(file: &DimacsFile, literal: &Literal) {
    let (value, end) = number_at(file.text(), literal.span.start as usize);
    assert_eq!(end, literal.span.end as usize, "a literal is one token");
    let number = match value {
        Value::Plain(number) => i64::try_from(number).ok(),
        Value::Negative(number) => i64::try_from(number).ok().map(|number| -number),
        Value::Overflow | Value::Bad => None,
    };
    match literal.lit {
        Some(lit) => assert_eq!(number, Some(i64::from(lit.to_int()))),
        None => assert!(number.is_none_or(|number| number.unsigned_abs() > u64::from(crate::Var::MAX))),
    }
}

fn check_faults(file: &DimacsFile) {
    let mut kinds = FaultSet::default();
    for fault in file.faults() {
        assert!(fault.span.start <= fault.span.end && fault.span.end as usize <= file.text().len());
        assert!(fault.to_diagnostic().hint.is_some());
        kinds.insert(fault.kind);
    }
    assert_eq!(kinds, file.fault_kinds(), "every kind of fault has a place");
    let is_unreadable = |literal: &Literal| literal.lit.is_none();
    assert!(
        !file.literals().iter().any(is_unreadable) || !kinds.is_empty(),
        "what cannot be read is a fault"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuzz_failures() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz-failures");
        let Ok(entries) = folder.read_dir() else { return };
        for entry in entries {
            check_read(&std::fs::read(entry.unwrap().path()).unwrap());
        }
    }
}
