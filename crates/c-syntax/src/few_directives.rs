//! Simple preprocessing: macros without parameters, and groups that depend on whether a name is defined.
//!
//! Starting a compiler takes longer than covering a small function, and there may be none. Everything else is left to the compiler: headers, `#if`,
//! macros with parameters or inside macros, and names that compilers define. Lines keep their numbers. O(n).

use crate::lexer::byte_order_mark;
use rustc_hash::FxHashMap;

/// Names that compilers define although they do not start with two underscores.
const PREDEFINED: [&[u8]; 4] = [b"linux", b"unix", b"i386", b"_LP64"];
/// Names with two underscores that are not macros.
const NO_MACROS: [&[u8]; 6] =
    [b"__attribute__", b"__builtin_", b"__typeof__", b"__CPROVER_", b"__VERIFIER_", b"__extension__"];
/// Characters that may become one token with another of them.
const JOINING: &[u8] = b"+-<>=&|*/%^!.#:";

/// The text as the preprocessor leaves it; `defines` are the arguments of `-D`. `None` where a compiler is needed.
pub fn few_directives(text: &[u8], defines: &[String]) -> Option<Vec<u8>> {
    let mut pass = Pass {
        text,
        at: byte_order_mark(text),
        // The mark stays, so that columns stay the same.
        out: text[..byte_order_mark(text)].to_vec(),
        macros: FxHashMap::default(),
        groups: Vec::new(),
    };
    for define in defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        pass.define(name.as_bytes(), value.as_bytes())?;
    }
    pass.run()?;
    pass.groups.is_empty().then_some(pass.out)
}

/// A group of lines between `#ifdef` and `#endif`.
struct Group {
    /// The lines are compiled.
    is_on: bool,
    /// The lines around the group are compiled, so those after `#else` may be.
    is_outer_on: bool,
    has_else: bool,
}

struct Pass<'t> {
    text: &'t [u8],
    at: usize,
    out: Vec<u8>,
    macros: FxHashMap<Vec<u8>, Vec<u8>>,
    groups: Vec<Group>,
}

impl Pass<'_> {
    fn run(&mut self) -> Option<()> {
        let mut is_line_start = true;
        while let Some(byte) = self.text.get(self.at).copied() {
            let start = self.at;
            match byte {
                b'\n' => self.out.push(b'\n'),
                b'#' if is_line_start => {
                    self.directive()?;
                    continue;
                }
                b'\\' => return None,
                b'"' | b'\'' => self.quoted(byte)?,
                b'/' if self.text[start..].starts_with(b"/*") => {
                    self.comment()?;
                    continue;
                }
                b'/' if self.text[start..].starts_with(b"//") => {
                    self.at += self.rest_of_line().len();
                    continue;
                }
                b'0'..=b'9' => self.word(|byte| is_name_byte(byte) || byte == b'.'),
                _ if is_name_byte(byte) => {
                    self.name()?;
                    is_line_start = false;
                    continue;
                }
                _ => {}
            }
            is_line_start = byte == b'\n' || (is_line_start && byte.is_ascii_whitespace());
            self.at = self.at.max(start + 1);
            if byte != b'\n' {
                self.put(start);
            }
        }
        Some(())
    }

    fn is_on(&self) -> bool {
        self.groups.last().is_none_or(|group| group.is_on)
    }

    /// Copies from `start` to here, if the lines are compiled.
    fn put(&mut self, start: usize) {
        if self.is_on() {
            self.out.extend_from_slice(&self.text[start..self.at]);
        }
    }

    fn rest_of_line(&self) -> &[u8] {
        let rest = &self.text[self.at..];
        &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())]
    }

    fn word(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|byte| is_part(*byte)) {
            self.at += 1;
        }
    }

    /// To the closing quote, which must be on the same line.
    fn quoted(&mut self, quote: u8) -> Option<()> {
        self.at += 1;
        loop {
            match *self.text.get(self.at)? {
                b'\n' => return None,
                b'\\' => self.at += 1,
                byte if byte == quote => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        Some(())
    }

    /// A comment becomes a blank and its line breaks.
    fn comment(&mut self) -> Option<()> {
        let rest = &self.text[self.at + 2..];
        let length = rest.windows(2).position(|pair| pair == b"*/")?;
        let n_lines = rest[..length].iter().filter(|byte| **byte == b'\n').count();
        self.out.push(b' ');
        self.out.extend(std::iter::repeat_n(b'\n', n_lines));
        self.at += length + 4;
        Some(())
    }

    /// A name, or what it is defined as.
    fn name(&mut self) -> Option<()> {
        let start = self.at;
        self.word(is_name_byte);
        let name = &self.text[start..self.at];
        if !self.is_on() {
            return Some(());
        }
        if is_reserved(name) && !NO_MACROS.iter().any(|known| name.starts_with(known)) {
            return None;
        }
        let Some(value) = self.macros.get(name) else {
            self.out.extend_from_slice(name);
            return Some(());
        };
        let joins = |a: Option<&u8>, b: Option<&u8>| {
            a.zip(b).is_some_and(|(a, b)| JOINING.contains(a) && JOINING.contains(b))
        };
        let (is_joined_before, is_joined_after) =
            (joins(self.out.last(), value.first()), joins(value.last(), self.text.get(self.at)));
        self.out.extend(is_joined_before.then_some(b' '));
        self.out.extend_from_slice(value);
        self.out.extend(is_joined_after.then_some(b' '));
        Some(())
    }

    /// The line after `#`. `None` if it is not a simple directive.
    fn directive(&mut self) -> Option<()> {
        let line = self.rest_of_line().to_vec();
        self.at += line.len();
        let line = without_comments(&line[1..])?;
        let (word, rest) = first_word(line.trim_ascii());
        let (name, value) = first_word(rest);
        match word {
            b"ifdef" | b"ifndef" => {
                let outer = self.is_on();
                if outer
                    && (name.is_empty() || !value.is_empty() || is_reserved(name) || name.starts_with(b"_"))
                {
                    return None;
                }
                let is_on = outer && self.macros.contains_key(name) == (word == b"ifdef");
                self.groups.push(Group { is_on, is_outer_on: outer, has_else: false });
            }
            b"else" if rest.is_empty() => {
                let group = self.groups.last_mut().filter(|group| !group.has_else)?;
                (group.is_on, group.has_else) = (group.is_outer_on && !group.is_on, true);
            }
            b"endif" if rest.is_empty() => _ = self.groups.pop()?,
            b"define" if self.is_on() => {
                let is_apart = value.is_empty() || rest[name.len()].is_ascii_whitespace();
                self.define(name, is_apart.then_some(value)?)?;
            }
            b"undef" if self.is_on() && value.is_empty() => _ = self.macros.remove(name),
            b"define" | b"undef" if !self.is_on() => {}
            b"" => {}
            _ => return None,
        }
        Some(())
    }

    fn define(&mut self, name: &[u8], value: &[u8]) -> Option<()> {
        let is_name = name.first().is_some_and(|byte| !byte.is_ascii_digit())
            && name.iter().all(|byte| is_name_byte(*byte));
        let is_simple = !value.iter().any(|byte| b"\"'\\#\n/".contains(byte));
        // Macros inside macros are left to the compiler, which also complains about redefinitions.
        let mut words = value.split(|byte| !is_name_byte(*byte));
        let is_flat = words.all(|word| word != name && !is_reserved(word) && !self.macros.contains_key(word));
        let is_inside = self
            .macros
            .values()
            .any(|other| other.split(|byte| !is_name_byte(*byte)).any(|word| word == name));
        if !is_name
            || is_reserved(name)
            || !is_simple
            || !is_flat
            || is_inside
            || self.macros.contains_key(name)
        {
            return None;
        }
        self.macros.insert(name.to_vec(), value.to_vec());
        Some(())
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// Whether a compiler may define it.
fn is_reserved(name: &[u8]) -> bool {
    name.starts_with(b"__") || name == b"_Pragma" || name == b"defined" || PREDEFINED.contains(&name)
}

/// The first name and what follows it, both without blanks around.
fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    let length = text.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(text.len());
    (&text[..length], text[length..].trim_ascii())
}

/// A line without its comments; `None` if a comment continues on the next line, or if there is a quote, which may contain `/*`.
fn without_comments(line: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(byte) = rest.first() {
        if rest.starts_with(b"//") {
            break;
        }
        if rest.starts_with(b"/*") {
            let length = rest[2..].windows(2).position(|pair| pair == b"*/")?;
            out.push(b' ');
            rest = &rest[length + 4..];
            continue;
        }
        if b"\"'\\".contains(byte) {
            return None;
        }
        out.push(*byte);
        rest = &rest[1..];
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, defines: &[&str]) -> Option<String> {
        let defines: Vec<String> = defines.iter().map(|word| (*word).to_owned()).collect();
        few_directives(text.as_bytes(), &defines).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn defaults_of_types() {
        let text =
            "/* a\n b */\n#ifndef WORD\n#define WORD short /* 16 */\n#endif\nWORD f(WORD x) { return x; }\n";
        assert_eq!(expanded(text, &[]).unwrap(), " \n\n\n\n\nshort f(short x) { return x; }\n");
        assert_eq!(expanded(text, &["WORD=int"]).unwrap(), " \n\n\n\n\nint f(int x) { return x; }\n");
    }

    #[test]
    fn groups_and_lines() {
        let text = "#define A\n#ifdef A\nint a;\n# ifdef B\nint b;\n# else\nint c;\n# endif\n#else\n'x' \"#y\"\n#endif\nint d;";
        assert_eq!(expanded(text, &[]).unwrap(), "\n\nint a;\n\n\n\nint c;\n\n\n\n\nint d;");
        assert_eq!(expanded("int x = A;", &["A"]).unwrap(), "int x = 1;");
        assert_eq!(expanded("#define A 1\n#undef A\nA", &[]).unwrap(), "\n\nA");
    }

    #[test]
    fn a_byte_order_mark_hides_no_directive() {
        assert_eq!(expanded("\u{feff}#define A 1\nint x = A;", &[]).unwrap(), "\u{feff}\nint x = 1;");
    }

    #[test]
    fn tokens_do_not_join_and_strings_stay() {
        assert_eq!(
            expanded("int x = -N, y = 0xN, z = N-1; // N\n", &["N=-2"]).unwrap(),
            "int x = - -2, y = 0xN, z = -2-1; \n"
        );
        assert_eq!(
            expanded("char *s = \"N\\\"N\"; int c = 'N';", &["N=1"]).unwrap(),
            "char *s = \"N\\\"N\"; int c = 'N';"
        );
    }

    #[test]
    fn the_rest_is_left_to_a_compiler() {
        for text in [
            "#include <stdio.h>",
            "#if 1\n#endif",
            "#define F(x) x\n",
            "#define A 1\n#define B A\n",
            "#define B A\n#define A 1\n",
            "#ifdef __GNUC__\n#endif",
            "#ifdef A",
            "#endif",
            "#else",
            "#ifdef A\n#else\n#else\n#endif",
            "int x = __LINE__;",
            "int linux;",
            "#define A \\\n 1",
            "#ifdef A /* \n */\n#endif",
            "/* open",
            "\"open",
            "#define A 1\n#define A 2\n",
            "#define A(x)\n",
            "#error no",
            "#define \"a\"",
        ] {
            assert_eq!(expanded(text, &[]), None, "{text}");
        }
        assert_eq!(expanded("", &["F(x)=x"]), None);
    }
}
