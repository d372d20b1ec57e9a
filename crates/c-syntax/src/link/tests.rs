use super::*;
use crate::parse;
use nub_text::Severity;

const LIMITS: LinkLimits = LinkLimits { functions: 16, bytes: 4096 };

/// Links everything that is missing in the first text.
fn linked(texts: &[&str], wanted: &[&str], limits: LinkLimits) -> LinkedText {
    let units: Vec<UnitExports> =
        texts.iter().map(|text| UnitExports::new(text.as_bytes()).expect("the text is C")).collect();
    let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
    let definer = |name: &str| {
        let mut others = units.iter().enumerate().skip(1);
        others.find(|(_, unit)| unit.functions().any(|found| found == name))
    };
    let found = Linker::new(&units[0], limits).link(&wanted, definer);
    let whole = format!("{}\n{}", texts[0], found.text);
    let errors = parse(whole.as_bytes()).1.into_iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 0, "{whole}");
    found
}

/// The lines that are not markers.
fn plain(found: &LinkedText) -> Vec<&str> {
    found.text.lines().filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn a_function_comes_with_what_it_needs() {
    let this = "typedef int num; num twice(num); int f(int a) { return twice(a); }";
    let other = "typedef int num;\nnum twice(num);\nstruct unused { int a; };\nenum { TWO = 2 };\n\
        static num times(num a, int n) { return a * n; }\nint other(void) { return 1; }\n\
        num twice(num a) { return times(a, TWO); }";
    let found = linked(&[this, other], &["twice"], LIMITS);
    assert_eq!(
        plain(&found),
        [
            "enum { TWO = 2 };",
            "static num times(num a, int n) { return a * n; }",
            "num twice(num a) { return times(a, TWO); }"
        ]
    );
    assert_eq!(
        (found.functions, found.units.into_iter().collect::<Vec<_>>()),
        (vec!["twice".to_owned()], vec![1])
    );
}

#[test]
fn static_names_that_are_taken_are_renamed() {
    let this = "int g(int); static int count; static int help(int a) { return a; } int f(int a) { count++; return help(g(a)); }";
    let other = "struct s { int count; };\nstatic int count = 3;\nstatic int help(int a) { return a + count; }\n\
        int g(int a) { struct s x = { .count = a }; struct s *p = &x; count += p->count; return help(x.count); }";
    let found = linked(&[this, other], &["g"], LIMITS);
    assert_eq!(
        plain(&found),
        [
            "struct s { int count; };",
            "static int nub_1_count = 3;",
            "static int nub_1_help(int a) { return a + nub_1_count; }",
            "int g(int a) { struct s x = { .count = a }; struct s *p = &x; nub_1_count += p->count; return nub_1_help(x.count); }"
        ]
    );
}

/// Two units that give a name different meanings are not linked.
#[test]
fn types_that_differ_are_not_mixed() {
    for (this, other) in [
        ("typedef int num; int g(int);", "typedef long num; int g(int a) { num b = a; return b > 3; }"),
        (
            "struct s { int a; }; int g(int);",
            "struct s { long a; }; int g(int a) { struct s x = { a }; return x.a; }",
        ),
        ("enum { N = 3 }; int g(int);", "enum { N = 4 }; int g(int a) { return a + N; }"),
        (
            "typedef int num; typedef num word; int g(int);",
            "typedef long num; typedef num word; int g(int a) { return (word)a; }",
        ),
        ("int g(int); static int t(void) { return 1; }", "int t(void); int g(int a) { return a + t(); }"),
        ("int g(int); static int x;", "extern int x; int g(int a) { return a + x; }"),
        ("int g(int);", "int g(a) int a; { return a; }"),
        (
            "int g(int); static int t[3];",
            "static int t[4]; struct s { int a[sizeof t]; }; int g(int a) { struct s x; x.a[0] = t[a]; return x.a[0]; }",
        ),
    ] {
        let found = linked(&[this, other], &["g"], LIMITS);
        assert_eq!(found, LinkedText::default(), "{this} {other}");
    }
}

/// A type that one file only declares is defined by the other.
#[test]
fn an_opaque_type_is_told() {
    let this = "struct s; int g(struct s *); int f(struct s *p) { return g(p); }";
    let other = "struct s; int g(struct s *);\nstruct s { int a; };\nint g(struct s *p) { return p->a; }";
    let found = linked(&[this, other], &["g"], LIMITS);
    assert_eq!(plain(&found), ["struct s { int a; };", "int g(struct s *p) { return p->a; }"]);
}

#[test]
fn constants_have_values_and_other_objects_are_declared() {
    let this = "int g(int); extern const int table[]; int f(int a) { return g(a) + table[1]; }";
    let other = "extern const int table[];\nextern int state;\nconst int table[] = { 1, 2 };\nint state = 7;\n\
        int g(int a) { return table[a & 1] + state; }";
    let found = linked(&[this, other], &["g"], LIMITS);
    assert_eq!(
        plain(&found),
        [
            "extern int state;",
            "const int table[] = { 1, 2 };",
            "int g(int a) { return table[a & 1] + state; }"
        ]
    );
}

/// What is called is linked too, from any unit; a function that is too large is omitted as a whole.
#[test]
fn calls_are_followed_up_to_a_limit() {
    let this = "int g(int); int f(int a) { return g(a); } int own(int a) { return a; }";
    let second = "int h(int); int own(int);\nint g(int a) { return h(a) + own(a); }";
    let third = "static int help(int a) { return a; }\nint h(int a) { return help(a); }";
    let found = linked(&[this, second, third], &["g"], LIMITS);
    assert_eq!((found.functions.clone(), found.units.len()), (vec!["g".to_owned(), "h".to_owned()], 2));
    let found = linked(&[this, second, third], &["g"], LinkLimits { functions: 2, ..LIMITS });
    assert_eq!(found.functions, ["g"], "`h` needs `help`, and there is room for one of them");
    assert!(plain(&found).contains(&"int h(int);"));
    assert!(linked(&[this, second, third], &["g"], LinkLimits { bytes: 10, ..LIMITS }).functions.is_empty());
}

#[test]
fn places_are_those_of_the_other_file() {
    let other = "# 1 \"lib.c\"\n\n\nint g(int a) {\n  return a;\n}\n";
    let found = linked(&["int g(int);", other], &["g"], LIMITS);
    let (unit, _) = parse(found.text.as_bytes());
    let (_, function) = unit.functions().next().expect("it is linked");
    let place = unit.source_map.place(function.span.start);
    assert_eq!((place.file, place.line), ("lib.c", 3));
}

/// The headers of gcc say which function frees what another one returns; clang reads this attribute without arguments only.
#[test]
fn attributes_that_only_gcc_has_are_left_out() {
    let this = "int g(void); int f(void) { return g(); }";
    let other = "int shut(void *p);\nextern void *get(int n) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (shut, 1)));\n\
        int g(void) { return get(1) != 0; }";
    let found = linked(&[this, other], &["g"], LIMITS);
    let wanted = "extern void *get(int n) __attribute__ ((__malloc__)) __attribute__ ((__malloc__));";
    assert!(plain(&found).contains(&wanted), "{}", found.text);
}
