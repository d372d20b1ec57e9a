//! Volatile objects in the compiled tests.
//!
//! Tests run without the hardware that writes these objects. So the compiled text is a copy of the program in which each read of such an object goes
//! through a function of the tests, which supplies the next value for that place in the text, and each access to a register goes to memory of the
//! tests. The copy is part of the test file.

use crate::embed::embedded;
use nub_c_ir::{Access, AccessId, AccessKind, FunctionId, Program};
use nub_report::c_tests::{ProgramCopy, Read, ReadKind};
use std::fmt::{self, Write};

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// The largest size of a register.
const CELL: u64 = 64;

/// What the tests need; `@N@` is the number of accesses.
const HOOKS: &str = "\
#define NUB_UNUSED __attribute__((unused))
struct nub_site { const long long *next, *end; };
static struct nub_site nub_sites[@N@];
static union { long long number; unsigned char bytes[64]; } nub_cells[@N@];
NUB_UNUSED static long long nub_volatile_supply(unsigned site) {
    struct nub_site *values = &nub_sites[site];
    return values->next == values->end ? 0 : *values->next++;
}
NUB_UNUSED static volatile void *nub_volatile_fill(volatile void *object, unsigned size, long long value) {
    switch (size) {
    case sizeof(char): *(volatile char *)object = (char)value; break;
    case sizeof(short): *(volatile short *)object = (short)value; break;
    case sizeof(int): *(volatile int *)object = (int)value; break;
    default: *(volatile long long *)object = value;
    }
    return object;
}
NUB_UNUSED static volatile void *nub_volatile_read(unsigned site, unsigned size, const volatile void *object) {
    (void)object;
    return nub_volatile_fill(&nub_cells[site], size, nub_volatile_supply(site));
}
NUB_UNUSED static volatile void *nub_volatile_update(unsigned site, unsigned size, const volatile void *object) {
    return nub_volatile_fill((volatile void *)object, size, nub_volatile_supply(site));
}
NUB_UNUSED static volatile void *nub_volatile_register(unsigned site, const volatile void *object) {
    (void)object;
    return &nub_cells[site];
}
";

/// Why there is no copy of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CopyObstacle {
    /// The text is not UTF-8.
    NotUtf8,
    /// The spans of the program do not match its text.
    SpansDiffer,
    /// A bit-field of a volatile object is read in an expression that cannot be evaluated twice.
    BitFieldInEffect,
    /// No value of this type can be supplied.
    Type(String),
}

impl fmt::Display for CopyObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CopyObstacle::NotUtf8 => f.write_str("the program is not UTF-8"),
            CopyObstacle::SpansDiffer => f.write_str("the spans of the program do not match its text"),
            CopyObstacle::BitFieldInEffect => {
                f.write_str("a bit-field of a volatile object is read in an expression with side effects")
            }
            CopyObstacle::Type(ty) => {
                write!(f, "values for a volatile object of type `{ty}` cannot be supplied")
            }
        }
    }
}

/// The copy of a program for tests of one function; `None` if none of them can access a volatile object. `text` is what the spans of the program
/// refer to, `reads` are the values that the tests supply.
pub fn copy<'r>(
    program: &Program,
    function: FunctionId,
    text: &[u8],
    reads: impl IntoIterator<Item = &'r Read>,
) -> Result<Option<ProgramCopy>, CopyObstacle> {
    let reachable: Vec<_> =
        program.reachable(function).into_iter().map(|id| program.function(id).span).collect();
    let is_reached = |access: &Access| {
        reachable.iter().any(|span| span.start <= access.span.start && access.span.end <= span.end)
    };
    // A test supplies a value for each read that it executes; only a register may also be written. No test executes the accesses of functions that are not called.
    let is_read = reads.into_iter().any(|read| matches!(read.kind, ReadKind::Volatile(_)));
    let may_matter = |access: &Access| access.ordinary.is_none() && (is_read || access.is_register);
    if !program.accesses.iter().any(|access| may_matter(access) && is_reached(access)) {
        return Ok(None);
    }
    let text = std::str::from_utf8(text).map_err(|_| CopyObstacle::NotUtf8)?;
    let mut edits = Vec::new();
    for (number, access) in program.accesses.iter().enumerate() {
        let is_first = site(program, AccessId(number as u32)) == number;
        if access.ordinary.is_some() || !is_first {
            continue;
        }
        match around(program, number, access) {
            Ok((open, close)) => {
                let length = access.span.end - access.span.start;
                // At one place closing comes first; the outer one opens first and closes last.
                edits.push((access.span.start as usize, 1, u32::MAX - length, open));
                edits.push((access.span.end as usize, 0, length, close));
            }
            Err(reason) if is_reached(access) => return Err(reason),
            Err(_) => {}
        }
    }
    edits.sort();
    let mut copy = String::with_capacity(text.len() + 64 * edits.len());
    let mut at = 0;
    for (place, _, _, new) in edits {
        copy.push_str(text.get(at..place).ok_or(CopyObstacle::SpansDiffer)?);
        copy.push_str(&new);
        at = place;
    }
    copy.push_str(text.get(at..).unwrap_or_default());
    let hooks = HOOKS.replace("@N@", &program.accesses.len().to_string());
    Ok(Some(ProgramCopy { text: embedded(&copy), hooks }))
}

/// The number under which the values of an access are supplied: accesses of the same text share it.
pub fn site(program: &Program, id: AccessId) -> usize {
    let span = program.accesses[id.index()].span;
    program.accesses.iter().position(|access| access.span == span).unwrap_or(id.index())
}

/// The text to insert before and after the expression.
fn around(program: &Program, number: usize, access: &Access) -> Result<(String, String), CopyObstacle> {
    let ty = program.types.spell(access.ty);
    let size = program.types.size_of(access.ty).unwrap_or(u64::MAX);
    let is_number = program.types.number_format(access.ty).is_some();
    match (access.kind, access.bits) {
        (AccessKind::Read, Some(bits)) if access.is_pure => {
            let int = program.types.model.int_bits;
            let is_signed = program.types.int_format(access.ty).is_some_and(|format| format.is_signed);
            let promoted = if bits < int || is_signed && bits == int { "int".to_owned() } else { ty };
            Ok((format!("(1 ? ({promoted})nub_volatile_supply({number}) : ("), "))".to_owned()))
        }
        (_, Some(_)) => Err(CopyObstacle::BitFieldInEffect),
        (AccessKind::Write, None) if size <= CELL && !ty.contains('<') => {
            Ok((format!("(*(__typeof__({ty}) *)nub_volatile_register({number}, &("), ")))".to_owned()))
        }
        (AccessKind::Read | AccessKind::Update, None) if is_number && size <= 8 => {
            let hook = match access.kind {
                AccessKind::Update if !access.is_register => "nub_volatile_update",
                _ => "nub_volatile_read",
            };
            Ok((format!("(*(volatile {ty} *){hook}({number}, sizeof({ty}), &("), ")))".to_owned()))
        }
        _ => Err(CopyObstacle::Type(ty)),
    }
}

/// The values of a test for some accesses, as statements.
pub(crate) fn values<'v>(reads: impl Iterator<Item = (usize, &'v str)>) -> String {
    let mut sites: Vec<(usize, Vec<&str>)> = Vec::new();
    for (site, value) in reads {
        match sites.iter_mut().find(|(found, _)| *found == site) {
            Some((_, values)) => values.push(value),
            None => sites.push((site, vec![value])),
        }
    }
    let mut text = String::new();
    for (site, values) in sites {
        writeln!(
            text,
            "    static const long long values{site}[] = {{ {} }};\n    nub_sites[{site}].next = values{site};\n    \
             nub_sites[{site}].end = values{site} + {};",
            values.join(", "),
            values.len()
        )
        .expect(NEVER_FAILS);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(text: &str) -> Result<Option<ProgramCopy>, CopyObstacle> {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        let read = Read { kind: ReadKind::Volatile(0), ..Read::default() };
        copy(&program, program.function_by_name("f").unwrap(), text.as_bytes(), [&read])
    }

    #[test]
    fn tests_that_read_nothing_volatile_need_no_copy() {
        let copied = |text: &str| {
            let (unit, _) = nub_c_syntax::parse(text.as_bytes());
            let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
            copy(&program, program.function_by_name("f").unwrap(), text.as_bytes(), [&Read::default()])
        };
        assert_eq!(copied("volatile int v; int f(int a) { return a > 0 ? v : 0; }"), Ok(None));
        let register = copied("int f(int a) { if (a) *(volatile char *)64 = 1; return 0; }");
        assert!(register.unwrap().is_some());
    }

    #[test]
    fn hooks_are_not_called_like_stubs() {
        let found = copied("volatile int v; int read(int); int f(int a) { return read(a) + v; }").unwrap();
        assert!(!format!("{found:?}").contains("nub_read"), "{found:?}");
    }

    #[test]
    fn each_access_is_wrapped() {
        let found =
            copied("volatile int a, t[3]; int f(void) { t[a] |= 1; return t[a]++; }").unwrap().unwrap();
        let wrapped = |hook: &str, number: u32, inner: &str| {
            format!("(*(volatile int *){hook}({number}, sizeof(int), &({inner})))")
        };
        let first =
            wrapped("nub_volatile_update", 1, &format!("t[{}]", wrapped("nub_volatile_read", 0, "a")));
        assert!(found.text.contains(&format!("{{ {first} |= 1;")), "{}", found.text);
    }

    #[test]
    fn what_is_ordinary_stays() {
        assert_eq!(
            copied("int f(int a) { volatile int i; for (i = 0; i < 3; i++) a++; return a; }"),
            Ok(None)
        );
        assert_eq!(copied("volatile int v; int f(int a) { v = a; return sizeof v; }"), Ok(None));
    }

    #[test]
    fn registers_are_written_elsewhere() {
        let found = copied("int f(void) { *(volatile char *)64 = 1; return 0; }").unwrap().unwrap();
        let wanted = "(*(__typeof__(char) *)nub_volatile_register(0, &(*(volatile char *)64))) = 1;";
        assert!(found.text.contains(wanted), "{}", found.text);
    }

    #[test]
    fn a_bit_field_that_is_changed_is_refused_where_it_counts() {
        let text = "volatile struct { unsigned a : 3; } v; void g(void) { v.a++; }";
        assert!(copied(&format!("{text} int f(void) {{ return v.a; }}")).unwrap().is_some());
        let found = copied(&format!("{text} int f(void) {{ g(); return v.a; }}"));
        assert_eq!(found, Err(CopyObstacle::BitFieldInEffect));
    }
}
