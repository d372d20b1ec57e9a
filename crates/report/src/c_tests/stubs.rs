//! What a test file contains besides the tests.

/// What a program needs in order to be linked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stubs {
    /// Macros that rename system functions so that the program calls their stubs; placed before all headers.
    pub renamed: Vec<String>,
    /// Declarations that the program lacks.
    pub declarations: Vec<String>,
    /// Definitions, placed after the program.
    pub definitions: Vec<String>,
    /// Functions without a body.
    pub stubs: Vec<StubText>,
    /// Objects of static lifetime.
    pub world: TestObjects,
    /// Library functions that the test program replaces by its own: those that would be called with the dummy streams of tests, and those whose results C
    /// leaves open.
    pub replaced: Vec<String>,
    /// Macros that the program undefines: a library function with such a name cannot be replaced by a macro.
    pub undefined_macros: Vec<String>,
    /// Definitions of macros that say which functions the headers of the C library declare, as the program has them. They come before the headers of the tests.
    pub features: Vec<String>,
    /// Macros that the program defines with names of the C library. They end with the program.
    pub own_macros: Vec<String>,
    /// The function reads `errno`, which is 0 at the start of each test. Printing between two tests may set it.
    pub uses_errno: bool,
    /// The program may set the rounding mode; each test starts with rounding to nearest.
    pub sets_rounding: bool,
    /// What tests call instead of the function under test: only a function with variable arguments can make a `va_list`.
    pub entry: Option<TestEntry>,
    /// The program has a `main` function.
    pub has_main: bool,
    /// A copy of the program that reads volatile objects through hooks, used instead of the program.
    pub copy: Option<ProgramCopy>,
    /// Definitions from other files, placed directly after the program. A copy already contains them.
    pub linked: String,
    /// Why volatile objects cannot be replaced by inputs.
    pub obstacle: Option<String>,
}

/// A function of the tests that calls the function under test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestEntry {
    /// Its name.
    pub name: String,
    /// Its definition in C.
    pub definition: String,
}

/// A function without a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubText {
    /// Its name.
    pub name: String,
    /// Its definition in C.
    pub definition: String,
}

/// A copy of a program that reads volatile objects through hooks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramCopy {
    /// The text.
    pub text: String,
    /// The definitions of the hooks.
    pub hooks: String,
}

/// Global objects in the test file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestObjects {
    /// Definitions of types without a name, and of objects that the program declares `extern` and does not define.
    pub definitions: Vec<String>,
    /// Objects that a test may change, by name.
    pub changed: Vec<String>,
    /// A function has static local variables, which no test can reset.
    pub keeps_values: bool,
}
