//! Our texts of library functions against the C library: the same program, compiled and interpreted.
#![allow(clippy::unwrap_used)]

mod compiler;

use nub_c_ir::interp::{RunOutcome, RuntimeValue};
use nub_c_ir::{DataModel, InterpreterLimits, Recording, RunInputs, lower, run};
use std::fmt::Write;

const DECLARATIONS: &str = "\
typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t); size_t strlen(const char *);
size_t strnlen(const char *, size_t); char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *); char *strncat(char *, const char *, size_t); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); char *strchr(const char *, int); char *strrchr(const char *, int);
char *strstr(const char *, const char *); size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *); int abs(int); long labs(long); long long llabs(long long); int atoi(const char *);
int isdigit(int); int isupper(int); int islower(int); int isalpha(int); int isalnum(int); int isxdigit(int); int isspace(int);
int isblank(int); int iscntrl(int); int isprint(int); int isgraph(int); int ispunct(int); int toupper(int); int tolower(int);
const unsigned short **__ctype_b_loc(void); int ffs(int); int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t); void *memrchr(const void *, int, size_t); char *stpcpy(char *, const char *);
void *mempcpy(void *, const void *, size_t); char *strchrnul(const char *, int); long atol(const char *); long long atoll(const char *);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int); int *__errno_location(void);
unsigned short htons(unsigned short); unsigned htonl(unsigned); unsigned short ntohs(unsigned short); unsigned ntohl(unsigned);
static long parsed(const char *s, int base) { char *end; *__errno_location() = 0; long n = strtol(s, &end, base);
  return n % 1000003 * 64 + (end - s) * 2 + (*__errno_location() == 34); }
static long unsigned_parsed(const char *s, int base) { char *end; *__errno_location() = 0; unsigned long n = strtoul(s, &end, base);
  return (long)(n % 1000003) * 64 + (end - s) * 2 + (*__errno_location() == 34); }
static int sign(int x) { return (x > 0) - (x < 0); }
static char b[16], c[16];
static long at(const char *p) { return p ? p - b : -1; }
static void reset(void) { memset(b, 0, 16); memset(c, 0, 16); strcpy(b, \"hello, hello\"); strcpy(c, \"help\"); }
static long hash(void) { long h = 0; for (int i = 0; i < 16; i++) h = h * 31 % 1000003 + b[i]; return h; }
";

/// Each is a value of type `long` after a reset of the two buffers.
const VALUES: &[&str] = &[
    "strlen(b)",
    "strnlen(b, 5)",
    "strnlen(b, 50)",
    "sign(strcmp(b, c))",
    "sign(strcmp(c, b))",
    "strcmp(b, b)",
    "sign(strncmp(b, c, 3))",
    "sign(strncmp(b, c, 4))",
    "sign(memcmp(b, c, 4))",
    "memcmp(b, c, 3)",
    "at(memchr(b, 'l', 12))",
    "at(memchr(b, 'z', 12))",
    "at(strchr(b, 'o'))",
    "at(strchr(b, 0))",
    "at(strrchr(b, 'l'))",
    "at(strrchr(b, 'x'))",
    "at(strstr(b, \"lo, \"))",
    "at(strstr(b, \"\"))",
    "at(strstr(b, \"lox\"))",
    "strspn(b, \"leh\")",
    "strcspn(b, \",o\")",
    "at(strpbrk(b, \" ,\"))",
    "at(strpbrk(b, \"?\"))",
    "abs(-5)",
    "labs(-7l)",
    "llabs(9)",
    "atoi(\"  -42x\")",
    "atoi(\"+17\")",
    "atoi(\"-2147483648\")",
    "sign(strcasecmp(\"Hello\", \"hELLp\"))",
    "strcasecmp(\"HeLLo\", \"hEllO\")",
    "sign(strcasecmp(\"ab\", \"A\"))",
    "strncasecmp(\"HELp\", b, 3)",
    "sign(strncasecmp(\"HELp\", b, 4))",
    "strncasecmp(b, b, 50)",
    "at(memrchr(b, 'l', 12))",
    "at(memrchr(b, 'z', 12))",
    "at(stpcpy(b, c))",
    "at(mempcpy(b, c, 3))",
    "at(strchrnul(b, 'o'))",
    "at(strchrnul(b, 'z'))",
    "atol(\" -99999999999\")",
    "(long)atoll(\"123\")",
    "parsed(\" -42x\", 10)",
    "parsed(\"+0x1Fg\", 0)",
    "parsed(\"0xg\", 16)",
    "parsed(\"0778\", 0)",
    "parsed(\"zz9\", 36)",
    "parsed(\"9223372036854775807\", 10)",
    "parsed(\"9223372036854775808\", 10)",
    "parsed(\"-9223372036854775808\", 10)",
    "parsed(\"-92233720368547758090\", 10)",
    "parsed(\"  x\", 10)",
    "parsed(\"\", 10)",
    "unsigned_parsed(\"18446744073709551615\", 10)",
    "unsigned_parsed(\"18446744073709551616\", 10)",
    "unsigned_parsed(\"-3\", 10)",
    "unsigned_parsed(\"11012\", 2)",
    "htons(0x1234) + ntohs(0x4321)",
    "(long)htonl(0x12345678) + ntohl(7)",
    "ffs(0)",
    "ffs(40)",
    "__builtin_popcount(0xf0f1)",
    "__builtin_popcountll(-1ll)",
    "__builtin_clz(1)",
    "__builtin_clzll(255)",
    "__builtin_ctz(48)",
    "__builtin_parity(7)",
    "__builtin_bswap16(0x1234)",
    "__builtin_bswap32(0x12345678)",
    "(long)__builtin_bswap64(0x123456789abcdef0)",
    "__builtin_ffsll(1ll << 40)",
    "(strncpy(b, c, 8), hash())",
    "(strncpy(b, c, 3), hash())",
    "(b[4] = 0, strcat(b, c), hash())",
    "(b[4] = 0, strncat(b, c, 2), hash())",
    "(memmove(b + 2, b, 8), hash())",
    "(memmove(b, b + 2, 8), hash())",
    "(memcpy(b, c, 4), hash())",
    "(memset(b + 1, 300, 3), hash())",
    "__builtin_strlen(c)",
    "__builtin_expect(3, 1)",
];

/// Functions on every character.
const CHARACTERS: &[&str] = &[
    "!!isdigit(x)",
    "!!isupper(x)",
    "!!islower(x)",
    "!!isalpha(x)",
    "!!isalnum(x)",
    "!!isxdigit(x)",
    "!!isspace(x)",
    "!!isblank(x)",
    "!!iscntrl(x)",
    "!!isprint(x)",
    "!!isgraph(x)",
    "!!ispunct(x)",
    "toupper(x)",
    "tolower(x)",
    "(*__ctype_b_loc())[x]",
];

#[test]
fn models_agree_with_the_library() {
    let mut text = DECLARATIONS.to_owned();
    let mut n_functions = 0;
    for value in VALUES {
        writeln!(text, "long v{n_functions}(void) {{ reset(); return {value}; }}").unwrap();
        n_functions += 1;
    }
    for value in CHARACTERS {
        writeln!(text, "long v{n_functions}(void) {{ long h = 0; for (int x = -1; x < 256; x++) h = (h * 31 + ({value})) % 1000003; return h; }}").unwrap();
        n_functions += 1;
    }
    let (unit, _) = nub_c_syntax::parse(text.as_bytes());
    let (program, _) = lower(&unit, &DataModel::lp64());
    let mut source = text.clone();
    source.push_str("int printf(const char *, ...);\nint main(void) {\n");
    for at in 0..n_functions {
        writeln!(source, "printf(\"%ld\\n\", v{at}());").unwrap();
    }
    source.push_str("return 0; }\n");
    let Some(found) = compiler::compile_and_run(&source, &["-O0", "-fno-builtin"]) else { return };
    let limits = InterpreterLimits { recording: Recording::Nothing, ..InterpreterLimits::default() };
    for (at, line) in (0..n_functions).zip(found.lines()) {
        let start = program.function_by_name(&format!("v{at}")).unwrap();
        let what = VALUES.iter().chain(CHARACTERS).nth(at).unwrap();
        assert_eq!(program.refusals(start), [], "{what}");
        let run = run(&program, start, &RunInputs::default(), &limits);
        assert_eq!(run.outcome, RunOutcome::Returned, "{what}");
        let Some(RuntimeValue::Int(bits)) = run.returned else { panic!("{what}: {:?}", run.returned) };
        assert_eq!((bits as i64).to_string(), line, "{what}: ours before the library's");
    }
}
