//! Turns functions whose bodies are elsewhere into stubs.

use crate::ids::*;
use crate::ir::*;

/// System headers: what they declare exists when a program is linked.
const SYSTEM: &str = "/usr/";

/// Headers of the C library, as C and POSIX name them, and folders of its own. Others in the folders of the system belong to other libraries.
const LIBC: &str = "aio alloca arpa/inet asm/ asm-generic/ assert bits/ byteswap complex cpio ctype dirent dlfcn endian err errno error \
    execinfo fcntl features fenv float fmtmsg fnmatch ftw getopt glob gnu/ grp iconv ifaddrs inttypes iso646 langinfo libgen limits linux/ \
    locale malloc math memory monetary mqueue net/ netdb netinet/ nl_types nss obstack paths poll printf pthread pty pwd regex resolv sched search \
    semaphore setjmp shadow signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings sys/ syscall \
    syslog tar termios tgmath threads time uchar ucontext ulimit unistd utime utmp utmpx values wait wchar wctype wordexp";

/// Prefixes of functions of the system that a test program needs for itself: to run each test in its own process, to notice how it ends, and to
/// report it.
const NEEDED: &[&str] = &[
    "fork", "vfork", "wait", "exit", "_exit", "_Exit", "abort", "alarm", "signal", "writev", "readv",
    "memcpy", "memset", "memcmp", "memmove", "strlen", "strcmp", "print", "fprint", "fflush", "puts",
    "fputs", "setjmp", "longjmp", "__",
];

/// Functions of the system that the libraries of a test program call before its `main`. Sanitizers are such libraries.
const STARTING: &[&str] = &[
    "close",
    "confstr",
    "dlsym",
    "dl_iterate_phdr",
    "fstat",
    "get_nprocs",
    "getauxval",
    "getcwd",
    "getenv",
    "getpagesize",
    "getpid",
    "getrlimit",
    "getrusage",
    "ioctl",
    "isatty",
    "lstat",
    "mmap",
    "munmap",
    "open",
    "read",
    "readlink",
    "realpath",
    "sched_getaffinity",
    "sched_yield",
    "setrlimit",
    "sigaction",
    "sigaltstack",
    "stat",
    "syscall",
    "sysconf",
    "write",
];

/// Functions of the library whose calls compilers may compute themselves, whatever the program defines under these names: those of `math.h`, which
/// also exist with the suffixes `f` and `l`, and others. Tests do not call them for themselves.
const COMPUTED: (&str, &str) = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod frexp \
     hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder remquo \
     rint round scalbln scalbn sin sincos sinh sqrt tan tanh tgamma trunc",
    "abs labs llabs imaxabs ffs ffsl ffsll isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper \
     isxdigit toascii tolower toupper index memchr mempcpy rindex stpcpy stpncpy strcasecmp strcat strchr strcpy strcspn strdup strncasecmp \
     strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr",
);

/// Prefixes of functions that a compiler or a verifier knows and nobody defines: they have a meaning, so a stub would be wrong.
const COMPILER: &[&str] = &["__builtin_", "__atomic_", "__sync_", "__CPROVER_", "__VERIFIER_"];

impl Program {
    /// Whether a place is in a header of the system.
    pub fn is_of_system(&self, position: Position) -> bool {
        self.files.get(position.file.index()).is_some_and(|file| file.starts_with(SYSTEM))
    }

    /// Whether a place is in a header of the C library. Test programs are linked with no other library.
    pub fn is_of_libc(&self, position: Position) -> bool {
        let Some(file) = self.files.get(position.file.index()).filter(|_| self.is_of_system(position)) else {
            return false;
        };
        // Such as `/usr/include/x86_64-linux-gnu/sys/stat.h` and `/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h`.
        let name = file.rsplit_once("/include/").map_or(file.as_str(), |(_, name)| name);
        let name = name.split_once("-linux-gnu/").map_or(name, |(_, name)| name);
        let stem = name.strip_suffix(".h").unwrap_or(name);
        LIBC.split(' ').any(|own| stem == own || own.ends_with('/') && name.starts_with(own))
    }

    /// Turns the functions without a body that a run from `start` can reach into stubs ([`crate::stub_body`]): each call is recorded, returns any
    /// value, and may write what its pointer parameters point to. Functions whose result cannot be generated stay as they are, and so do those of the
    /// system that test programs need for themselves: a run that calls one of these ends there. [`Program::supplied`] names the stubs. Linear in the
    /// program.
    pub fn supply_missing(&mut self, start: FunctionId) {
        let is_open = |function: &Function| {
            let is_needed = || NEEDED.iter().any(|prefix| function.name.starts_with(prefix));
            let is_builtin = COMPILER.iter().any(|prefix| function.name.starts_with(prefix));
            let is_kept = is_builtin || (self.is_of_system(function.position) && is_needed());
            matches!(function.body, Body::Missing) && !is_kept
        };
        let mut open: Vec<FunctionId> = self.reachable(start);
        open.retain(|id| is_open(self.function(*id)));
        open.sort_unstable();
        for (id, ty) in self.results_as_used(start) {
            // Otherwise nothing could be done with the object.
            let can_be_made = self.stub_result(ty).is_some_and(|result| result.is_filled());
            self.functions[id.index()].returned_as = Some(ty).filter(|_| can_be_made);
        }
        open.retain(|id| self.add_stub_body(*id));
        self.supplied = open;
        for id in self.reachable(start).into_iter().filter(|id| *id != start) {
            if matches!(self.function(id).body, Body::Missing) {
                let refusal = self.no_body(id, self.function(id).span);
                self.functions[id.index()].body = Body::Refused(vec![refusal]);
                self.unsupplied.push(id);
            }
        }
    }

    /// Functions of the program that share their names with functions of the system. The libraries of a test program, such as sanitizers, call the
    /// system's functions by these names, and must reach neither a stub nor a definition of the program, which may itself be a C library. A compiler
    /// must not mistake the program's definitions for those of the system either.
    pub fn shared_names(&self) -> impl Iterator<Item = &str> {
        let stubs = self.supplied.iter().map(|id| self.function(*id));
        let stubs = stubs.filter(|function| self.is_of_system(function.position));
        let is_defined = |function: &&Function| {
            !matches!(function.body, Body::Missing)
                && !function.is_model
                && (STARTING.contains(&function.name.as_str())
                    || function.name.starts_with("pthread_")
                    || is_computed(&function.name))
        };
        stubs.chain(self.functions.iter().filter(is_defined)).map(|function| function.name.as_str())
    }
}

/// Whether a compiler may compute calls of a function of this name.
fn is_computed(name: &str) -> bool {
    let (math, others) = COMPUTED;
    let is_math = |name: &str| math.split_whitespace().any(|known| known == name);
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    is_math(name) || is_math(base) || others.split_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use crate::{DataModel, FunctionId, Program};

    fn supplied(text: &str) -> (Program, FunctionId) {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, _) = crate::lower(&unit, &DataModel::lp64());
        let f = program.function_by_name("f").unwrap();
        assert!(!program.refusals(f).is_empty());
        program.supply_missing(f);
        (program, f)
    }

    #[test]
    fn numbers_and_nothing_can_come_back() {
        let (program, f) = supplied(
            "int g(int); void log_it(const char *); unsigned char unused(void);\n\
             int h(int a) { log_it(\"\"); return g(a); }\n\
             int f(int a) { if (h(a)) return 1; return g(a) + 1; } int other(void) { return unused(); }",
        );
        assert!(program.refusals(f).is_empty());
        let names = program.supplied.iter().map(|id| program.function(*id).name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["g", "log_it"]);
    }

    #[test]
    fn what_nobody_uses_comes_back_too() {
        let (program, f) = supplied("int g(int); int f(int a) { g(a); return 1; }");
        let g = program.function_by_name("g").unwrap();
        let functions = [program.function(g), program.function(f)];
        let mut instrs =
            functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instrs);
        assert!(instrs.any(|instr| matches!(instr.kind, crate::InstrKind::Input { .. })));
    }

    #[test]
    fn functions_of_the_system_that_tests_do_not_need_are_stubs() {
        for declared in ["long read(int, void *, unsigned long);", "double strtod(const char *, char **);"] {
            let name = if declared.contains("read") { "read(0, p, 1)" } else { "strtod(p, 0) > 1.0" };
            let text = format!(
                "# 1 \"/usr/include/x.h\"\n{declared}\n# 1 \"f.c\"\nint f(char *p) {{ return {name} ? 1 : 2; }}"
            );
            let (program, f) = supplied(&text);
            assert!(program.refusals(f).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_tests_need_themselves_is_left() {
        for text in [
            "int f(int *p) { return __atomic_strange(p); }",
            "long double g(void); int f(void) { return g() > 1; }",
            "# 1 \"/usr/include/x.h\"\nint fork(void);\n# 1 \"f.c\"\nint f(void) { return fork(); }",
        ] {
            let (program, f) = supplied(text);
            assert!(!program.refusals(f).is_empty(), "{text}");
            assert!(program.supplied.is_empty(), "{text}");
            // Runs that do not reach it are followed.
            assert!(program.whole_refusals(f).is_empty() && program.unmodelled(f).len() == 1, "{text}");
        }
    }

    #[test]
    fn what_libraries_need_is_a_stub_by_another_name() {
        let (program, f) = supplied(
            "# 1 \"/usr/include/x.h\"\nint pthread_mutex_lock(int *); int sysconf(int);\n# 1 \"f.c\"\n\
             int own(int); int f(int *p) { return pthread_mutex_lock(p) + sysconf(3) + own(3); }",
        );
        assert!(program.refusals(f).is_empty());
        assert_eq!(program.shared_names().collect::<Vec<_>>(), ["pthread_mutex_lock", "sysconf"]);
    }
}
