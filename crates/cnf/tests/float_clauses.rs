//! Number of clauses of floating-point operations: one operation alone, rounded to nearest, its result equated with a variable.
//! `cargo test -p nub-cnf --test float_clauses -- --nocapture` prints the table.

#![allow(clippy::print_stdout)] // The table is for readers.

use nub_bitvec::float::{FloatFormat, FloatOp, FloatOperation, FloatTerms, RoundingMode, Signedness};
use nub_bitvec::{Op, Pool, Sort, TermId};
use nub_cnf::{Blaster, Cnf, LiteralUse, Sink, Tseitin};

fn n_clauses(op: FloatOp, format: FloatFormat) -> usize {
    let operation = FloatOperation { op, format };
    let (mut pool, mut terms) = (Pool::new(), FloatTerms::default());
    let widths = operation.operand_widths();
    let mode = operation.has_mode().then(|| pool.constant(RoundingMode::NearestEven.code()));
    let floats: Vec<TermId> =
        widths[mode.iter().count()..].iter().map(|width| pool.var(Sort::Bits(*width))).collect();
    let args: Vec<TermId> = mode.into_iter().chain(floats).collect();
    let result = terms.apply(&mut pool, operation, &args);
    let expected = pool.var(Sort::Bits(operation.result_width()));
    let root = pool.mk(Op::Eq, &[result, expected]);
    let mut blaster = Blaster::new();
    blaster.blast(&pool, &[root]).expect("small enough");
    let (mut cnf, mut tseitin) = (Cnf::new(), Tseitin::new());
    let edge = blaster.bits(&pool, root)[0];
    let lit = tseitin.lit_for(blaster.aig(), edge, LiteralUse::Positive, &mut cnf);
    cnf.add(&[lit]);
    cnf.clauses().count()
}

/// At most as many clauses as the better of CBMC 6.6 and STP's published circuits: 11,368 / 59,445 / 70,276 / 38,900.
#[test]
fn double_operations_are_small() {
    for (op, most) in
        [(FloatOp::Add, 11_368), (FloatOp::Mul, 59_445), (FloatOp::Div, 70_276), (FloatOp::Sqrt, 38_900)]
    {
        let found = n_clauses(op, FloatFormat::DOUBLE);
        println!("double {op:?}: {found} clauses, bound {most}");
        assert!(found <= most, "{op:?}: {found} clauses");
    }
}

#[test]
fn the_table() {
    let ops = [
        FloatOp::Less,
        FloatOp::Equal,
        FloatOp::Min,
        FloatOp::Fma,
        FloatOp::Rem,
        FloatOp::RoundToIntegral,
        FloatOp::ToInteger(Signedness::Signed, 32),
        FloatOp::FromInteger(Signedness::Signed, 32),
    ];
    for op in ops {
        let found =
            [FloatFormat::HALF, FloatFormat::SINGLE, FloatFormat::DOUBLE].map(|format| n_clauses(op, format));
        println!("{op:?}: half {}, single {}, double {}", found[0], found[1], found[2]);
        assert!(found[0] > 0);
    }
    let narrowing = n_clauses(FloatOp::FromFloat(FloatFormat::DOUBLE), FloatFormat::SINGLE);
    println!("double to single: {narrowing}");
    assert!(narrowing < 5_792, "CBMC needs 5,792");
}
