//! Programs that define macros with names of the C library, such as `#define printf printf_` for a small `printf` of their own.
//!
//! The test program comes after the program in one file: it would call what the macro names, and headers that it includes would not compile. So such
//! macros end where the program ends.

use nub_c_ir::Program;
use std::fmt::Write;

/// Names of the headers that test programs include, as far as programs may have macros for them.
const NAMES: &str = "\
FILE abort abs atexit atof atoi atol bsearch calloc clearerr exit fclose feof ferror fflush fgetc fgets fileno fopen fprintf fputc fputs fread free \
fscanf fseek ftell fwrite getc getchar getenv getline labs malloc memchr memcmp memcpy memmove memset perror printf putc putchar puts qsort rand \
realloc remove rename rewind scanf setbuf setvbuf snprintf sprintf srand sscanf stderr stdin stdout strcat strchr strcmp strcpy strcspn strdup \
strerror strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtok strtol strtoul system tmpfile ungetc vfprintf vprintf vsnprintf vsprintf";

/// Those that a file of the program defines.
pub(crate) fn own_macros(program: &Program) -> Vec<String> {
    let Some(written) = &program.written else { return Vec::new() };
    NAMES.split(' ').filter(|name| written.defines(name)).map(str::to_owned).collect()
}

/// Macros that say what the headers of the C library declare.
const FEATURES: [&str; 9] = [
    "_GNU_SOURCE",
    "_DEFAULT_SOURCE",
    "_BSD_SOURCE",
    "_POSIX_SOURCE",
    "_POSIX_C_SOURCE",
    "_XOPEN_SOURCE",
    "_LARGEFILE64_SOURCE",
    "_FILE_OFFSET_BITS",
    "_ALL_SOURCE",
];

/// Those that a file of the program defines, such as a `config.h`: where headers come before the program, they would be defined too late.
pub(crate) fn features(program: &Program) -> Vec<String> {
    let Some(written) = &program.written else { return Vec::new() };
    let is_plain = |value: &str| value.chars().all(|c| c.is_ascii_alphanumeric());
    let definition = |name: &&str| {
        let value =
            written.definition(name)?.split("/*").next().map(str::trim).filter(|value| is_plain(value))?;
        Some(format!("#ifndef {name}\n#define {name} {value}\n#endif\n").replace(" \n", "\n"))
    };
    FEATURES.iter().filter_map(definition).collect()
}

/// The end of these macros.
pub(crate) fn ended(names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        writeln!(text, "#undef {name}").expect("writing to a string cannot fail");
    }
    text
}

/// Comes after the headers: those that the program included may have declared other functions in place of what the tests use.
pub(crate) fn declared(names: &[String]) -> String {
    let lines = [("printf", "int printf(const char *, ...);\n"), ("fflush", "int fflush(FILE *);\n")];
    let is_own = |(name, _): &(&str, &str)| names.iter().any(|own| own == name);
    lines.into_iter().filter(is_own).map(|(_, line)| line).collect()
}
