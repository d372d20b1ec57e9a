//! Volatile objects in the compiled tests.
//!
//! Tests run without the hardware that writes these objects. So the compiled text is a copy of the program in which each read of such an object goes
//! through a function of the tests, which supplies the next value for that place in the text, and each access to a register goes to memory of the
//! tests. The copy is part of the test file.

use crate::case::TestSuite;
use crate::embed::embedded;
use nub_c_ir::{Access, AccessId, AccessKind, AccessTarget, FunctionId, Program};
use nub_report::c_tests::{ProgramCopy, Read, ReadKind, TestCase};
use std::fmt::{self, Write};

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// The largest size of a register, or of the structure that a bit-field of a register is in.
const CELL: u64 = 256;

/// What the tests need; `@N@` is the number of accesses, `@CELL@` the size of a register.
const HOOKS: &str = "\
#define NUB_UNUSED __attribute__((unused))
struct nub_site { const long long *next, *end; };
static struct nub_site nub_sites[@N@];
static union { long long number; unsigned char bytes[@CELL@]; } nub_cells[@N@];
NUB_UNUSED static const __UINTPTR_TYPE__ *nub_registers;
NUB_UNUSED static unsigned nub_n_registers;
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
NUB_UNUSED static volatile void *nub_volatile_place(unsigned site, const volatile void *object) {
    unsigned k;
    for (k = 0; k < nub_n_registers; k++)
        if (nub_registers[k] == (__UINTPTR_TYPE__)object) return &nub_cells[site];
    return (volatile void *)object;
}
";

/// What the tests do with volatile objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VolatileUse {
    /// Some test supplies a value for a read.
    pub is_read: bool,
    /// Some test writes a register that a pointer leads to.
    pub writes_registers: bool,
}

/// Whether a test supplies a value for a read of a volatile object.
pub fn is_volatile_read(read: &Read) -> bool {
    matches!(read.kind, ReadKind::Volatile(_))
}

/// Why there is no copy of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CopyObstacle {
    /// The text is not UTF-8.
    NotUtf8,
    /// The spans of the program do not match its text.
    SpansDiffer,
    /// A bit-field of a volatile object is not designated by its name as a member.
    BitField,
    /// No value of this type can be supplied.
    Type(String),
}

impl fmt::Display for CopyObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CopyObstacle::NotUtf8 => f.write_str("the program is not UTF-8"),
            CopyObstacle::SpansDiffer => f.write_str("the spans of the program do not match its text"),
            CopyObstacle::BitField => {
                f.write_str("no value can be supplied for this bit-field of a volatile object")
            }
            CopyObstacle::Type(ty) => {
                write!(f, "values for a volatile object of type `{ty}` cannot be supplied")
            }
        }
    }
}

/// The copy of a program for tests of one function; `None` if none of them can access a volatile object. `text` is what the spans of the program
/// refer to.
pub fn copy(
    program: &Program,
    function: FunctionId,
    text: &[u8],
    tests: VolatileUse,
) -> Result<Option<ProgramCopy>, CopyObstacle> {
    let reachable: Vec<_> =
        program.reachable(function).into_iter().map(|id| program.function(id).span).collect();
    let is_reached = |access: &Access| {
        reachable.iter().any(|span| span.start <= access.span.start && access.span.end <= span.end)
    };
    // Tests do not execute the accesses of functions that are not called.
    let matters = |access: &Access| tests.replaces(access);
    if !program.accesses.iter().any(|access| matters(access) && is_reached(access)) {
        return Ok(None);
    }
    let text = std::str::from_utf8(text).map_err(|_| CopyObstacle::NotUtf8)?;
    let mut edits = Vec::new();
    for (number, access) in program.accesses.iter().enumerate() {
        let is_first = site(program, AccessId(number as u32)) == number;
        if !matters(access) || !is_first {
            continue;
        }
        let (start, end) = (access.span.start as usize, access.span.end as usize);
        let written = text.get(start..end).ok_or(CopyObstacle::SpansDiffer)?;
        match (AccessSite { program, number, access, tests, written }).wrapping() {
            Ok(wrapping) => {
                let length = access.span.end - access.span.start;
                // At one place closing comes first; the outer one opens first and closes last.
                edits.push((start + wrapping.from, 1, u32::MAX - length, wrapping.open));
                edits.push((start + wrapping.to, 0, length, wrapping.close));
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
    let hooks = hooks.replace("@CELL@", &CELL.to_string());
    Ok(Some(ProgramCopy { text: embedded(&copy), hooks }))
}

impl VolatileUse {
    /// Whether the copy must do something else than the program there.
    fn replaces(self, access: &Access) -> bool {
        let is_any = self.is_read || self.writes_registers;
        access.ordinary.is_none()
            && match (access.kind, access.target) {
                (AccessKind::Write, AccessTarget::Object) => false,
                (AccessKind::Write, AccessTarget::Either) => self.writes_registers,
                (_, AccessTarget::Register) => true,
                (AccessKind::Read | AccessKind::Update, AccessTarget::Object | AccessTarget::Either) => {
                    is_any
                }
            }
    }
}

/// The number under which the values of an access are supplied: accesses of the same text share it.
pub fn site(program: &Program, id: AccessId) -> usize {
    let span = program.accesses[id.index()].span;
    program.accesses.iter().position(|access| access.span == span).unwrap_or(id.index())
}

/// What to insert into an expression, and where: positions are bytes from its start.
struct Wrapping {
    from: usize,
    open: String,
    to: usize,
    close: String,
}

/// An expression that designates a volatile object.
struct AccessSite<'p> {
    program: &'p Program,
    number: usize,
    access: &'p Access,
    tests: VolatileUse,
    written: &'p str,
}

impl AccessSite<'_> {
    fn wrapping(&self) -> Result<Wrapping, CopyObstacle> {
        let (program, number, access) = (self.program, self.number, self.access);
        let ty = program.types.spell(access.ty);
        if let Some(bits) = access.bits {
            return self.bit_field(bits, ty);
        }
        let is_number = program.types.number_format(access.ty).is_some();
        let whole = |open: String, close: &str| {
            Ok(Wrapping { from: 0, open, to: self.written.len(), close: close.to_owned() })
        };
        match access.kind {
            AccessKind::Write if access.size <= CELL && !ty.contains('<') => {
                let place = self.place();
                whole(format!("(*(volatile __typeof__({ty}) *){place}({number}, &("), ")))")
            }
            AccessKind::Update
                if is_number && access.size <= 8 && access.target != AccessTarget::Register =>
            {
                let (place, close) = if self.tests.writes_registers {
                    (format!("{}({number}, ", self.place()), "))))")
                } else {
                    (String::new(), ")))")
                };
                whole(
                    format!("(*(volatile {ty} *)nub_volatile_update({number}, sizeof({ty}), {place}&("),
                    close,
                )
            }
            AccessKind::Read | AccessKind::Update if is_number && access.size <= 8 => {
                whole(format!("(*(volatile {ty} *)nub_volatile_read({number}, sizeof({ty}), &("), ")))")
            }
            _ => Err(CopyObstacle::Type(ty)),
        }
    }

    /// The function that says where something is written.
    fn place(&self) -> &'static str {
        match self.access.target {
            AccessTarget::Register => "nub_volatile_register",
            AccessTarget::Either | AccessTarget::Object => "nub_volatile_place",
        }
    }

    /// A bit-field has no address, but what it is a member of has one.
    fn bit_field(&self, bits: u32, ty: String) -> Result<Wrapping, CopyObstacle> {
        let (number, access) = (self.number, self.access);
        if access.kind == AccessKind::Read && access.is_pure {
            let types = &self.program.types;
            let int = types.model.int_bits;
            let is_signed = types.int_format(access.ty).is_some_and(|format| format.is_signed);
            let promoted = if bits < int || is_signed && bits == int { "int".to_owned() } else { ty };
            let open = format!("(1 ? ({promoted})nub_volatile_supply({number}) : (");
            return Ok(Wrapping { from: 0, open, to: self.written.len(), close: "))".to_owned() });
        }
        let member = split_member(self.written).ok_or(CopyObstacle::BitField)?;
        if access.size > CELL {
            return Err(CopyObstacle::Type(ty));
        }
        let whole = &self.written[member.from..member.to];
        let (start, star) = if member.is_behind_pointer { ("&*", "") } else { ("&", "*") };
        let place = if access.kind == AccessKind::Read { "nub_volatile_register" } else { self.place() };
        let open =
            format!("({star}({{ __typeof__({start}({whole})) nub_whole = (void *){place}({number}, {start}(");
        let supply = match access.kind {
            AccessKind::Write => String::new(),
            _ => format!("nub_whole->{} = ({ty})nub_volatile_supply({number}); ", member.name),
        };
        Ok(Wrapping { from: member.from, open, to: member.to, close: format!(")); {supply}nub_whole; }}))") })
    }
}

/// An expression whose value is a member.
#[derive(Debug, PartialEq)]
struct Member<'t> {
    /// Where the structure, or the pointer to it, begins and ends.
    from: usize,
    to: usize,
    is_behind_pointer: bool,
    name: &'t str,
}

/// The parts of `whole.name` and `whole->name`, perhaps in parentheses; `None` for anything else.
fn split_member(written: &str) -> Option<Member<'_>> {
    let (mut from, mut inner) = (0, written);
    while let Some(shorter) = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        (from, inner) = (from + 1, shorter);
    }
    let is_in_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let before = inner.trim_end_matches(is_in_name);
    let name = &inner[before.len()..];
    let operator = before.trim_end();
    let (whole, is_behind_pointer) = match operator.strip_suffix("->") {
        Some(pointer) => (pointer, true),
        None => (operator.strip_suffix('.')?, false),
    };
    let to = from + whole.trim_end().len();
    (!name.is_empty() && to > from).then_some(Member { from, to, is_behind_pointer, name })
}

/// The registers that a test writes through pointers, as statements.
pub(crate) fn registers(suite: &TestSuite, case: &TestCase) -> String {
    if suite.cases.iter().all(|case| case.registers.is_empty()) {
        return String::new();
    }
    if case.registers.is_empty() {
        return "    nub_n_registers = 0;\n".to_owned();
    }
    let addresses: Vec<String> = case.registers.iter().map(|address| format!("{address:#x}")).collect();
    format!(
        "    static const __UINTPTR_TYPE__ registers[] = {{ {} }};\n    nub_registers = registers;\n    nub_n_registers = {};\n",
        addresses.join(", "),
        addresses.len()
    )
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

    const READS: VolatileUse = VolatileUse { is_read: true, writes_registers: false };
    const WRITES: VolatileUse = VolatileUse { is_read: false, writes_registers: true };

    fn copied_for(text: &str, tests: VolatileUse) -> Result<Option<ProgramCopy>, CopyObstacle> {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        copy(&program, program.function_by_name("f").unwrap(), text.as_bytes(), tests)
    }

    fn copied(text: &str) -> Result<Option<ProgramCopy>, CopyObstacle> {
        copied_for(text, READS)
    }

    #[test]
    fn tests_that_read_nothing_volatile_need_no_copy() {
        let copied = |text: &str| copied_for(text, VolatileUse::default());
        assert_eq!(copied("volatile int v; int f(int a) { return a > 0 ? v : 0; }"), Ok(None));
        assert_eq!(copied("int f(volatile int *a) { *a = 1; return 0; }"), Ok(None));
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
        let wanted = "(*(volatile __typeof__(char) *)nub_volatile_register(0, &(*(volatile char *)64))) = 1;";
        assert!(found.text.contains(wanted), "{}", found.text);
    }

    #[test]
    fn what_a_pointer_leads_to_is_written_elsewhere_if_it_is_a_register() {
        let text = "int f(volatile char *p) { *p = 1; return 0; }";
        let found = copied_for(text, WRITES).unwrap().unwrap();
        let wanted = "(*(volatile __typeof__(char) *)nub_volatile_place(0, &(*p))) = 1;";
        assert!(found.text.contains(wanted), "{}", found.text);
        assert_eq!(copied_for(text, READS), Ok(None));
    }

    #[test]
    fn bit_fields_are_found_by_their_structures() {
        let found = copied("volatile struct { unsigned a : 3; } v; int f(void) { v.a++; return 0; }");
        let wanted = "(*({ __typeof__(&(v)) nub_whole = (void *)nub_volatile_place(0, &(v)); nub_whole->a = (unsigned int)nub_volatile_supply(0); nub_whole; })).a++;";
        let found = found.unwrap().unwrap();
        assert!(found.text.contains(wanted), "{}", found.text);
    }

    #[test]
    fn a_bit_field_without_a_name_is_refused_where_it_counts() {
        let text = "volatile struct { unsigned a : 3; } v; void g(void) { (v.a)++; v./* */a++; }";
        assert!(copied(&format!("{text} int f(void) {{ return v.a; }}")).unwrap().is_some());
        let found = copied(&format!("{text} int f(void) {{ g(); return v.a; }}"));
        assert_eq!(found, Err(CopyObstacle::BitField));
    }

    #[test]
    fn the_structure_is_split_from_its_member() {
        let split = |text: &'static str| {
            split_member(text).map(|found| (&text[found.from..found.to], found.is_behind_pointer, found.name))
        };
        assert_eq!(split("p->on"), Some(("p", true, "on")));
        assert_eq!(split("((t[i] . bits).on)"), Some(("(t[i] . bits)", false, "on")));
        assert_eq!(split("f(a)->b -> on_2"), Some(("f(a)->b", true, "on_2")));
        assert_eq!(split("on"), None);
        assert_eq!(split("x ? a.b : (c.d)"), None);
    }
}
