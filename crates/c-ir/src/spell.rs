//! Types as C text, for messages and dumps.

use crate::ids::{RecordId, TypeId};
use crate::types::{FloatKind, IntKind, Type, Types};

/// Deeper types are cut off with `...`.
const MAX_DEPTH: usize = 32;
/// The same for functions as parameters of functions.
const MAX_NESTED: usize = 4;

/// Who reads a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Person,
    /// A file that includes the program: structures that it cannot name have another name there.
    TestFile,
}

impl Types {
    /// The type as in a cast: `int *[3]`.
    pub fn spell(&self, id: TypeId) -> String {
        self.spell_within(id, MAX_NESTED, Reader::Person)
    }

    /// The same for a file that includes the program, and defines the structures that have no name there: see [`Types::has_name`].
    pub fn spell_in_test(&self, id: TypeId) -> String {
        self.spell_within(id, MAX_NESTED, Reader::TestFile)
    }

    /// Can code outside of functions name the structure or union?
    pub fn has_name(&self, id: RecordId) -> bool {
        let record = self.record(id);
        !(record.is_local || record.tag.is_empty() && record.alias.is_empty())
    }

    /// A structure or union as a test file names it.
    pub fn spell_record_in_test(&self, id: RecordId) -> String {
        if self.has_name(id) {
            self.spell_record(id)
        } else {
            format!("{} nub_record{}", keyword(self.record(id).is_union), id.0)
        }
    }

    fn spell_within(&self, id: TypeId, n_nested: usize, reader: Reader) -> String {
        let mut before = String::new();
        // From the name outwards, as a declarator is read.
        let mut declarator = String::new();
        let mut id = id;
        for _ in 0..MAX_DEPTH {
            match self.get(id) {
                Type::Pointer(to) if *self.get(*to) == Type::VaList => {
                    before = "va_list".to_owned();
                    break;
                }
                Type::Pointer(to) => {
                    declarator.insert(0, '*');
                    if matches!(self.get(*to), Type::Array(..) | Type::VariableArray(..) | Type::Function(_))
                    {
                        declarator = format!("({declarator})");
                    }
                    id = *to;
                }
                Type::Array(element, length) => {
                    let length = length.map(|length| length.to_string()).unwrap_or_default();
                    declarator.push_str(&format!("[{length}]"));
                    id = *element;
                }
                Type::VariableArray(element, _) => {
                    declarator.push_str("[*]");
                    id = *element;
                }
                Type::Function(function) => {
                    let param = |param: &TypeId| match n_nested {
                        0 => "...".to_owned(),
                        _ => self.spell_within(*param, n_nested - 1, reader),
                    };
                    let mut params: Vec<String> = function.params.iter().map(param).collect();
                    if function.is_variadic {
                        params.push("...".into());
                    } else if params.is_empty() && function.has_prototype {
                        params.push("void".into());
                    }
                    declarator.push_str(&format!("({})", params.join(", ")));
                    id = function.result;
                }
                _ => {
                    before = self.spell_short(id, reader);
                    break;
                }
            }
        }
        if before.is_empty() {
            before = "...".into();
        }
        if declarator.is_empty() { before } else { format!("{before} {declarator}") }
    }

    /// A structure or union by its tag, or by the typedef name that it has instead.
    pub fn spell_record(&self, id: RecordId) -> String {
        let record = self.record(id);
        let keyword = keyword(record.is_union);
        match (record.tag.as_str(), record.alias.as_str()) {
            ("", "") => format!("{keyword} <unnamed {}>", id.0),
            ("", alias) => alias.to_owned(),
            (tag, _) => format!("{keyword} {tag}"),
        }
    }

    /// Only the base type and the stars of its pointers; arrays and functions are not spelled out.
    fn spell_short(&self, id: TypeId, reader: Reader) -> String {
        let mut stars = String::new();
        let mut id = id;
        while let Type::Pointer(to) = self.get(id) {
            id = *to;
            // A `va_list` is a pointer, but is not written as one.
            if *self.get(id) != Type::VaList {
                stars.push('*');
            }
        }
        let base = match self.get(id) {
            Type::Void => "void".to_owned(),
            Type::Int(kind) => kind.spelling().to_owned(),
            Type::Float(FloatKind::Float) => "float".to_owned(),
            Type::Float(FloatKind::Double) => "double".to_owned(),
            Type::Float(FloatKind::LongDouble) => "long double".to_owned(),
            Type::Float(_) => "extended floating type".to_owned(),
            Type::Record(id) if reader == Reader::TestFile => self.spell_record_in_test(*id),
            Type::Record(id) => self.spell_record(*id),
            Type::VaList => "va_list".to_owned(),
            Type::Array(..) | Type::VariableArray(..) => "array".to_owned(),
            Type::Function(_) => "function".to_owned(),
            Type::Pointer(_) => String::new(),
        };
        let base = if self.is_volatile(id) { format!("volatile {base}") } else { base };
        let base = if self.is_atomic(id) { format!("_Atomic {base}") } else { base };
        if stars.is_empty() { base } else { format!("{base} {stars}") }
    }
}

fn keyword(is_union: bool) -> &'static str {
    if is_union { "union" } else { "struct" }
}

impl IntKind {
    /// The name in C.
    pub fn spelling(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}
