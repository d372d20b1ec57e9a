//! What a test file supplies beside the tests.

/// What a program needs in order to be linked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stubs {
    /// Functions of the system that the program calls by another name, which their stubs have. For before any header.
    pub renamed: Vec<String>,
    /// Declarations that the program lacks.
    pub declarations: Vec<String>,
    /// Definitions, for after the program.
    pub definitions: Vec<String>,
    /// Functions that nobody has written.
    pub stubs: Vec<StubText>,
    /// Objects of static lifetime.
    pub world: TestObjects,
    /// Functions of the library that must not see what the tests pass as streams.
    pub stream_writers: Vec<String>,
    /// Macros that the program undefines: a function of the library with such a name cannot be replaced by one.
    pub undefined_macros: Vec<String>,
    /// The function looks at `errno`, which is 0 at the start of each test. Whoever prints between two tests may set it.
    pub uses_errno: bool,
    /// The program may set the rounding mode, which each test starts to nearest.
    pub sets_rounding: bool,
    /// What tests call instead of the function under test: a list of arguments is made by a function that takes some.
    pub entry: Option<TestEntry>,
    /// There is a `main`.
    pub has_main: bool,
    /// The program with its volatile objects supplied, instead of the program.
    pub copy: Option<ProgramCopy>,
    /// Definitions of other files, for right behind the program. A copy has them.
    pub linked: String,
    /// Why volatile objects cannot be supplied.
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

/// A function that nobody has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubText {
    /// Its name.
    pub name: String,
    /// Its definition in C.
    pub definition: String,
}

/// A copy of a program whose volatile objects are supplied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramCopy {
    /// The text.
    pub text: String,
    /// What it calls.
    pub hooks: String,
}

/// What the test file says about objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestObjects {
    /// Definitions of types without a name, and of objects that the program declares `extern` and does not define.
    pub definitions: Vec<String>,
    /// Objects that a test may change, by name.
    pub changed: Vec<String>,
    /// A function keeps values in objects of its own, which no test can reset.
    pub keeps_values: bool,
}
