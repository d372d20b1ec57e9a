//! What must hold for every input, as functions that panic otherwise.
//!
//! The fuzz target in `fuzz/` and the tests call the same functions. An input that once failed is reduced and kept as a
//! numbered file in `tests/fuzz-failures/`.

use crate::{
    BadStateStep, BtorDialect, BtorFile, BtorLine, BtorModel, LineId, OperandKind, convert, print, to_smtlib,
    unroll,
};
use nub_text::{Severity, Span};

/// Reads `text` as both formats. Lines are in order and do not overlap, there is nothing but blanks and comments between them, parts
/// are within their lines, references go backwards; every fault has a span and a hint. A file without errors has a model, which
/// survives printing, reading and every translation.
///
/// # Panics
/// If that does not hold.
pub fn check(text: &[u8]) {
    let _ = BtorDialect::guess(text);
    for dialect in [BtorDialect::Btor, BtorDialect::Btor2] {
        let file = BtorFile::read(text, dialect);
        check_lines(&file);
        check_faults(&file);
        let has_errors = file.faults().iter().any(|fault| fault.kind.severity() == Severity::Error);
        let model = BtorModel::of(&file);
        assert!(!has_errors || model.is_err(), "a file with errors has no model");
        if let Ok(model) = model {
            check_model(&model);
        }
    }
}

fn check_lines(file: &BtorFile) {
    let mut printed: Vec<u8> = Vec::with_capacity(file.text().len());
    for id in file.line_ids() {
        let line = file.line(id);
        let gap = Span::new(printed.len(), line.span.start as usize);
        check_gap(gap.slice(file.text()));
        printed.extend_from_slice(gap.slice(file.text()));
        printed.extend_from_slice(line.span.slice(file.text()));
        check_line(file, id, line);
    }
    check_gap(&file.text()[printed.len()..]);
    printed.extend_from_slice(&file.text()[printed.len()..]);
    assert_eq!(printed, file.text(), "printing inverts reading");
}

/// Only blank lines and comments may be between lines.
fn check_gap(gap: &[u8]) {
    for line in gap.split(|&byte| byte == b'\n') {
        let start = line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        assert!(matches!(start, None | Some(b';')), "{} is in no line", line.escape_ascii());
    }
}

fn check_line(file: &BtorFile, id: LineId, line: &BtorLine) {
    let parts = [Some(line.id_span), Some(line.tag_span)];
    let operands = file.operands(line).iter().map(|operand| Some(operand.span));
    let mut end = line.span.start;
    for part in parts.into_iter().chain(operands).chain([line.symbol, line.comment]).flatten() {
        assert!(line.span.contains(part) && part.start >= end, "parts are in order and apart");
        end = part.end;
    }
    if line.id != 0 {
        let first = file.by_id(line.id).expect("an id has a line");
        assert!(first <= id && file.line(first).id == line.id);
    }
    for operand in file.operands(line) {
        let Some(target) = operand.line else { continue };
        assert!(target < id, "references go back, so there is no cycle");
        assert_eq!(file.line(target).id, operand.value);
        assert!(matches!(operand.kind, OperandKind::Node | OperandKind::State | OperandKind::Sort));
    }
}

fn check_faults(file: &BtorFile) {
    assert!(file.faults().is_sorted_by_key(|fault| fault.diagnostic.span.start));
    assert_eq!(file.faults().is_empty(), file.fault_kinds().is_empty());
    for fault in file.faults() {
        let diagnostic = &fault.diagnostic;
        assert!(diagnostic.span.end as usize <= file.text().len());
        assert!(diagnostic.hint.as_ref().is_some_and(|hint| !hint.is_empty()));
        assert!(!diagnostic.message.is_empty() && file.fault_kinds().contains(fault.kind));
    }
}

fn check_model(model: &BtorModel) {
    for node in model.node_ids() {
        assert!(model.node(node).args().iter().all(|arg| arg.node() < node), "operands come first");
    }
    let btor2 = convert(model, BtorDialect::Btor2).expect("BTOR2 can say everything");
    assert!(btor2 == check_printed(&btor2, BtorDialect::Btor2), "reading inverts printing");
    if let Ok(btor) = convert(model, BtorDialect::Btor) {
        check_printed(&btor, BtorDialect::Btor);
    }
    let _ = to_smtlib(model);
    if let Ok(steps) = unroll(model, 1, BadStateStep::UpTo) {
        assert!(steps.states().is_empty());
        check_printed(
            &convert(&steps, BtorDialect::Btor2).expect("BTOR2 can say everything"),
            BtorDialect::Btor2,
        );
        assert!(to_smtlib(&steps).is_ok(), "a formula can be written as SMT-LIB");
    }
}

/// The printed text has no faults, and printing it again gives the same text.
fn check_printed(model: &BtorModel, dialect: BtorDialect) -> BtorModel {
    let text = print(model, dialect);
    let file = BtorFile::read(&text, dialect);
    let shown = || String::from_utf8_lossy(&text).into_owned();
    assert!(file.faults().is_empty(), "{:?}\n{}", file.faults(), shown());
    let again = BtorModel::of(&file).expect("without errors there is a model");
    assert_eq!(print(&again, dialect), text, "{}", shown());
    again
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small inputs that reach every check.
    const SAMPLES: &[&[u8]] = &[
        b"",
        b"; head\n\n 1\tvar 8 x ;c\n2 add 8 1 -1;c\n3 array 8 3 a\n4 slice 3 1 2 0\n5 write 8 3 3 4 2\n6 root 8 2\n",
        b"1 var 8\r\n2 nego 1 1\n3 array 8\n4 read 8 3 1\n5 cond 8 2 3 3\n6 next 8 1 4\n7 root 1 2",
        b"1 sort bitvec 4\n2 sort bitvec 1\n3 sort array 1 1\n4 zero 1\n5 state 3 m\n6 init 3 5 4\n7 input 1 ;\n\
          8 read 1 5 7 r\n9 neq 2 8 -4\n10 bad 9 b\n11 write 3 5 7 8\n12 next 3 5 11\n13 constraint 9\n14 output 8\n",
        b"1 sort bitvec 2147483646\n2 constd 1 -7\n3 consth 1 ff\n4 sll 1 2 3\n5 rol 1 2 3\n6 sort bitvec 1\n7 redxor 6 4\n\
          8 bad 7\n9 concat 1 2 3\n10 justice 18446744073709551616 7\n",
        b"1 sort bitvec 3\n2 input 1\n3 input 1\n4 sra 1 2 3\n5 ror 1 4 3\n6 sort bitvec 1\n7 redand 6 5\n8 fair 7\n\
          1099511627776 justice 2 7 -7 j ; c\n",
        b"1 add 8 2 2\n2 add 8 1 1\n-1 var 1\n01 var 1\n3\n4 \0 1\nx\n\t;\n",
    ];

    #[test]
    fn samples_and_their_prefixes() {
        for sample in SAMPLES {
            for end in 0..=sample.len() {
                check(&sample[..end]);
            }
        }
    }

    #[test]
    fn samples_with_a_byte_changed() {
        for sample in SAMPLES {
            for at in 0..sample.len() {
                for byte in [b' ', b'-', b'0', b'9', b';', b'\n', 0] {
                    let mut text = sample.to_vec();
                    text[at] = byte;
                    check(&text);
                }
            }
        }
    }

    #[test]
    fn fuzz_failures() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz-failures");
        let Ok(entries) = folder.read_dir() else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            check(&std::fs::read(&path).unwrap());
        }
    }
}
