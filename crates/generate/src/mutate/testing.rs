//! What the tests of all techniques share.

use super::{FormulaMutator, KindSet, MutateConfig, MutationKind, QuantifierUse};
use std::collections::BTreeSet;

/// All mutants of the first file that one technique gives for the first seed numbers; parts may be taken from the other
/// files.
pub(super) fn mutants(kind: MutationKind, files: &[&str]) -> BTreeSet<String> {
    const N: u64 = 600;
    let config = MutateConfig {
        kinds: KindSet::NONE.with(kind),
        max_mutations: 1,
        quantifiers: QuantifierUse::Always,
        ..MutateConfig::default()
    };
    let files = files.iter().map(|text| text.as_bytes().to_vec()).collect();
    let (mutator, skipped) = FormulaMutator::new(files, config);
    assert!(skipped.is_empty(), "{skipped:?}");
    let mut all = BTreeSet::new();
    for n in 0..N {
        let mut text = Vec::new();
        if mutator.write(n, &mut text).is_some_and(|mutant| mutant.file == 0) {
            all.insert(String::from_utf8(text).unwrap());
        }
    }
    all
}

/// Checks that these are among the mutants of one file. Returns all mutants.
pub(super) fn expect(kind: MutationKind, file: &str, wanted: &[&str]) -> BTreeSet<String> {
    let all = mutants(kind, &[file]);
    for text in wanted {
        assert!(all.contains(*text), "{text} is not among {all:#?}");
    }
    all
}
