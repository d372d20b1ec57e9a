//! C source text to a syntax tree with places.
//!
//! The input is preprocessed text: what `cc -E` prints, line markers included, so that every place can be shown in
//! terms of the original files; [`few_directives`] makes such text where no header is included. The language is ISO C17 and the GNU extensions that programs and system headers use:
//! statement expressions, `typeof`, case ranges, `a ?: b`, labels as values, attributes, `asm`. K&R definitions and
//! declarations without a type are read with a warning. What is not supported is refused, with a message at its place.
//!
//! [`parse`] gives a [`TranslationUnit`]: arenas of expressions, statements and declarations (module [`ast`]). The
//! parser knows which names are types and nothing else; scopes, types and constants are left to `nub-c-ir`.
//!
//! ```
//! let text = b"# 3 \"max.c\"\nint max(int a, int b) { return a > b ? a : b; }";
//! let (unit, diagnostics) = nub_c_syntax::parse(text);
//! assert!(diagnostics.is_empty());
//! let (_, function) = unit.functions().next().unwrap();
//! let place = unit.source_map.place(function.span.start);
//! assert_eq!((place.file, place.line, place.column), ("max.c", 3, 1));
//! assert_eq!(nub_c_syntax::print::print(&unit), "int max(int a, int b) { return ((a > b) ? a : b); }\n");
//! ```

pub mod ast;
pub mod check;
mod few_directives;
mod lexer;
pub mod link;
mod names;
mod near;
mod parser;
pub mod print;
mod raw_tokens;
mod source_map;
mod splice;
mod token;
mod unit;
mod written;

pub use few_directives::few_directives;
pub use near::near_functions;
pub use parser::{KNOWN_TYPES, MAX_DEPTH, MAX_ERRORS, parse};
pub use raw_tokens::raw_tokens;
pub use source_map::{SourceMap, SourcePlace};
pub use unit::TranslationUnit;
pub use written::WrittenSource;
