//! Preprocessed text as part of a C file: the text of system headers becomes `#include` again, so that other files can include them too, and
//! positions refer to the user's files.

use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// Where headers of the system are; longer ones first.
const FOLDERS: [&str; 4] =
    ["/usr/include/x86_64-linux-gnu/", "/usr/local/include/", "/usr/include/", "/usr/lib/"];

/// The text with `#include` for each header of the system, and `#line` for line markers.
pub(crate) fn embedded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // How deep inside system headers we are; what they include is part of them.
    let mut depth = 0_u32;
    for line in text.lines() {
        let Some((number, file, flags)) = marker(line) else {
            if depth == 0 {
                writeln!(out, "{line}").expect(NEVER_FAILS);
            }
            continue;
        };
        let (enters, leaves) = (flags.contains(&"1"), flags.contains(&"2"));
        match depth {
            0 if enters && is_system(file) => {
                writeln!(out, "#include <{}>", header(file)).expect(NEVER_FAILS);
                depth = 1;
            }
            0 if !file.starts_with('<') && number != "0" => {
                writeln!(out, "#line {number} \"{file}\"").expect(NEVER_FAILS)
            }
            0 => {}
            _ if enters => depth += 1,
            _ if leaves => {
                depth -= 1;
                if depth == 0 {
                    writeln!(out, "#line {number} \"{file}\"").expect(NEVER_FAILS);
                }
            }
            _ => {}
        }
    }
    out
}

/// `# 12 "file.h" 1 3`
fn marker(line: &str) -> Option<(&str, &str, Vec<&str>)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(" \"")?;
    let (file, flags) = rest.rsplit_once('"')?;
    number
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| (number, file, flags.split_whitespace().collect()))
}

fn is_system(file: &str) -> bool {
    FOLDERS.iter().any(|folder| file.starts_with(folder))
}

/// As a program includes it: `sys/types.h`. A compiler's own headers are in a folder `include`.
fn header(file: &str) -> &str {
    if let Some((_, name)) = file.rsplit_once("/include/").filter(|_| file.starts_with("/usr/lib/")) {
        return name;
    }
    FOLDERS.iter().find_map(|folder| file.strip_prefix(folder)).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_system_are_included_again() {
        let text = "# 0 \"f.c\"\n# 0 \"<built-in>\"\n# 1 \"f.c\"\n# 1 \"/usr/lib/gcc/x/12/include/stdint.h\" 1 3 4\n\
                    # 1 \"/usr/include/stdint.h\" 1 3 4\ntypedef int a;\n# 2 \"/usr/lib/gcc/x/12/include/stdint.h\" 2 3 4\n\
                    # 2 \"f.c\" 2\n# 1 \"own.h\" 1\nint b;\n# 3 \"f.c\" 2\n\"# 1 \";\n";
        let wanted = "#line 1 \"f.c\"\n#include <stdint.h>\n#line 2 \"f.c\"\n#line 1 \"own.h\"\nint b;\n\
                      #line 3 \"f.c\"\n\"# 1 \";\n";
        assert_eq!(embedded(text), wanted);
        assert_eq!(header("/usr/include/x86_64-linux-gnu/sys/types.h"), "sys/types.h");
    }
}
