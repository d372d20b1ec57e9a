//! Our models of library functions against the C library: the same program, compiled and interpreted.
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
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);
long strtoimax(const char *, char **, int); unsigned long strtoumax(const char *, char **, int);
char *strsep(char **, const char *); char *strtok_r(char *, const char *, char **); void bzero(void *, size_t);
static long long_parsed(const char *s) { char *end; *__errno_location() = 0; long long n = strtoll(s, &end, 10); unsigned long long m = strtoull(s, 0, 0);
  n = n % 1000003 * 64 + (long long)(m % 1000003) + (end - s) * 2 + (*__errno_location() == 34); return n * 7 + strtoimax(s, 0, 16) % 1009 + (long)(strtoumax(s, &end, 8) % 1013) + (end - s); }
static long split(char *s, const char *set) { long sum = 0; char *next = s, *part; while ((part = strsep(&next, set))) sum = sum * 7 % 1000003 + strlen(part) + 1; return sum * 16 + (next != 0); }
static long tokens(char *s, const char *set) { long sum = 0; char *rest, *part; for (part = strtok_r(s, set, &rest); part; part = strtok_r(0, set, &rest)) sum = sum * 7 % 1000003 + (part - s) * 3 + strlen(part); return sum; }
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
static long grown(size_t n, size_t m) { int *p = malloc(n * sizeof *p); long sum = 0; for (size_t i = 0; i < n; i++) p[i] = (int)(i * i + 1);
  p = realloc(p, m * sizeof *p); for (size_t i = n; i < m; i++) p[i] = 7; for (size_t i = 0; i < m; i++) sum = sum * 5 + p[i]; free(p); return sum; }
static long cleared(size_t n) { char *p = calloc(n, 3), *q = realloc(0, n); long sum = p[3 * n - 1]; q[n - 1] = 5; sum += q[n - 1]; free(p); free(q); return sum; }
static long rows(int n, int m) { short a[n][m]; long sum = sizeof a + sizeof a[0] + (&a[1] - a); for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = (short)(i * 3 + j);
  for (int i = 0; i < n; i++) for (int *p = 0, j = 0; j < m; j++, p = 0) sum = sum * 3 + a[i][m - 1 - j] + (p == 0); short (*row)[m] = a + n - 1; return sum + (*row)[0] + **a; }
static long lengths(int n) { int k = n; typedef char text[++k]; text t; char *u = __builtin_alloca(n); t[k - 1] = 3; u[n - 1] = 4; k = 50; return sizeof t * 100 + sizeof(int[n]) + sizeof(text) + t[n] + u[n - 1]; }
static long atomics(int n) { int x = n, y = 5; long old = __atomic_fetch_add(&x, 3, 5); old = old * 10 + __sync_add_and_fetch(&x, 2); old = old * 10 + __atomic_exchange_n(&x, 9, 5);
  old = old * 2 + __atomic_compare_exchange_n(&x, &y, 1, 0, 5, 5); old = old * 10 + y; old = old * 2 + __atomic_compare_exchange_n(&x, &y, 4, 0, 5, 5);
  old = old * 10 + x; old = old * 10 + __sync_val_compare_and_swap(&x, 4, 6); return old * 10 + __atomic_load_n(&x, 5) + __sync_bool_compare_and_swap(&x, 1, 2) + __atomic_nand_fetch(&x, 3, 5); }
static long generic_atomics(int n) { long x = n, v = 5, r = 0, sum; char flag = 0; volatile long z = n; __atomic_load(&x, &r, 5); sum = r; __atomic_store(&x, &v, 5); sum = sum * 10 + x;
  v = 8; __atomic_exchange(&x, &v, &r, 5); sum = sum * 10 + x * 3 + r; r = 8; v = 2; sum = sum * 2 + __atomic_compare_exchange(&x, &r, &v, 0, 5, 5); sum = sum * 2 + __atomic_compare_exchange(&x, &r, &v, 0, 5, 5);
  sum = sum * 10 + x + r; sum = sum * 2 + __atomic_test_and_set(&flag, 5); sum = sum * 2 + __atomic_test_and_set(&flag, 5); __atomic_clear(&flag, 5); int w = 3; __sync_lock_release(&w); return sum * 8 + flag * 2 + w + __atomic_sub_fetch(&x, 1, 5) + __atomic_add_fetch(&z, 2, 5) * __atomic_load_n(&z, 5); }
void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); int snprintf(char *, size_t, const char *, ...); int sprintf(char *, const char *, ...);
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *)); int vsnprintf(char *, size_t, const char *, __builtin_va_list);
struct pair { char c; long n; };
static long total(int n, ...) { __builtin_va_list list, other; __builtin_va_start(list, n); long sum = 0; __builtin_va_copy(other, list);
  for (int i = 0; i < n; i++) sum = sum * 7 + __builtin_va_arg(list, int); sum += __builtin_va_arg(other, int); __builtin_va_end(list); __builtin_va_end(other); return sum; }
static long mixed(const char *kinds, ...) { __builtin_va_list list; __builtin_va_start(list, kinds); long sum = 0;
  for (; *kinds; kinds++) if (*kinds == 'i') sum = sum * 3 + __builtin_va_arg(list, int); else if (*kinds == 'l') sum = sum * 5 + __builtin_va_arg(list, long);
    else if (*kinds == 's') sum += __builtin_va_arg(list, char *)[0]; else { struct pair p = __builtin_va_arg(list, struct pair); sum += p.c * 10 + p.n; } return sum; }
static int by_value(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }
static long sorted(void) { short a[6] = {5, -3, 9, 0, 5, 2}, key = 9, none = 4; qsort(a, 6, sizeof *a, by_value); long sum = 0; for (int i = 0; i < 6; i++) sum = sum * 13 + a[i];
  return sum * 8 + ((short *)bsearch(&key, a, 6, sizeof *a, by_value) - a) + !bsearch(&none, a, 6, sizeof *a, by_value); }
static int sign(int x) { return (x > 0) - (x < 0); }
static char b[16], c[16];
static int written(const char *format, ...) { __builtin_va_list list; __builtin_va_start(list, format); int n = vsnprintf(b, sizeof b, format, list); __builtin_va_end(list); return n; }
static long at(const char *p) { return p ? p - b : -1; }
static void reset(void) { memset(b, 0, 16); memset(c, 0, 16); strcpy(b, \"hello, hello\"); strcpy(c, \"help\"); }
static long hash(void) { long h = 0; for (int i = 0; i < 16; i++) h = h * 31 % 1000003 + b[i]; return h; }
";

/// Each is a value of type `long` after a reset of the two buffers.
const VALUES: &[&str] = &[
    "grown(3, 5)",
    "grown(5, 2)",
    "grown(1, 1)",
    "cleared(4)",
    "rows(2, 3)",
    "rows(1, 1)",
    "lengths(4)",
    "atomics(7)",
    "generic_atomics(7)",
    "total(3, 1, 2, 3)",
    "total(1, -5)",
    "mixed(\"isl\", 4, \"x\", 5l)",
    "mixed(\"psi\", (struct pair){3, 40}, \"y\", -1)",
    "sorted()",
    "written(\"%d|%5u\", -12, 34u) * 1000000l + hash()",
    "written(\"%-4x|%04X\", 171u, 2748u) * 1000000l + hash()",
    "written(\"%+.3d|%s\", 7, \"abc\") * 1000000l + hash()",
    "written(\"%.2s%c%%%5s\", \"abc\", 'z', \"de\") * 1000000l + hash()",
    "written(\"%ld%llu%zu\", -1l, 2ull, (size_t)3) * 1000000l + hash()",
    "written(\"%*d|%-*d|\", 4, 5, 3, 6) * 1000000l + hash()",
    "written(\"a long text %d that does not fit\", 1) * 1000000l + hash()",
    "written(\"%hhd %hu %o %.0d\", 300, 70000, 8u, 0) * 1000000l + hash()",
    "snprintf(b, 3, \"%d\", 12345) * 1000000l + hash()",
    "snprintf(0, 0, \"%05d\", -42)",
    "sprintf(b, \"%i\", 0) * 1000000l + hash()",
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
    "long_parsed(\"-77x\")",
    "long_parsed(\"0x1fz\")",
    "long_parsed(\"18446744073709551616\")",
    "long_parsed(\"-9223372036854775809\")",
    "split(b, \", \")",
    "split(b, \"?\")",
    "tokens(b, \", \")",
    "tokens(b, \"he\")",
    "tokens(b, \"helo, \")",
    "(bzero(b + 2, 3), hash())",
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
