//! Chooses options by a seed, and finds out which ones an installed solver accepts.

use nub_random::Rng;

use super::{Choice, OptionSet, Probe, Table, Values};
use crate::answers::Language;

/// Share of runs without options: most users have none.
const PERCENT_EMPTY: u32 = 40;
/// Maximum number of options in one set, counting those required by others.
const MAX_OPTIONS: usize = 4;
/// Makes this stream of random numbers different from that of the generator, which uses the same seed.
const SALT: u64 = 0x6f70_7469_6f6e_7321;

impl Choice {
    fn applies(&self, language: Language, logic: Option<&str>) -> bool {
        let fits_language = self.languages.is_empty() || self.languages.contains(&language);
        let fits_logic = self.logics.is_empty()
            || logic.is_some_and(|logic| self.logics.iter().any(|other| other == logic));
        fits_language && fits_logic
    }

    fn value(&self, rng: &mut Rng) -> Option<String> {
        match &self.values {
            Values::Flag => None,
            Values::Words(words) => words.get(rng.below(words.len() as u32) as usize).cloned(),
            // The width is below 2^32: checked when the table was read.
            Values::Range(low, high) => {
                Some((low + i64::from(rng.below((high - low + 1) as u32))).to_string())
            }
        }
    }

    fn written(&self, value: Option<&str>) -> Vec<String> {
        self.args.iter().map(|arg| arg.replace("{}", value.unwrap_or_default())).collect()
    }

    fn is_compatible(&self, other: &Choice) -> bool {
        self.name != other.name
            && !self.conflicts.contains(&other.name)
            && !other.conflicts.contains(&self.name)
    }

    /// Representative values: every word, the ends of a range.
    fn samples(&self) -> Vec<Option<String>> {
        match &self.values {
            Values::Flag => vec![None],
            Values::Words(words) => words.iter().cloned().map(Some).collect(),
            Values::Range(low, high) if low == high => vec![Some(low.to_string())],
            Values::Range(low, high) => vec![Some(low.to_string()), Some(high.to_string())],
        }
    }
}

impl Table {
    /// Options for a run: often none, otherwise one to four. A function of table, seed and language. Options for certain
    /// logics are excluded.
    #[must_use]
    pub fn choose(&self, seed: u64, language: Language) -> OptionSet {
        self.choose_for(seed, language, None)
    }

    /// As [`Table::choose`], for an input whose logic is known.
    #[must_use]
    pub fn choose_for(&self, seed: u64, language: Language, logic: Option<&str>) -> OptionSet {
        let mut rng = Rng::new(seed ^ SALT);
        let mut fitting: Vec<&Choice> =
            self.options.iter().filter(|choice| choice.applies(language, logic)).collect();
        if fitting.is_empty() || rng.percent(PERCENT_EMPTY) {
            return OptionSet::default();
        }
        rng.shuffle(&mut fitting);
        // Small sets are more likely: with one option the cause is clearer.
        let n_wanted = rng.between(1, MAX_OPTIONS as u32).min(rng.between(1, MAX_OPTIONS as u32)) as usize;
        let mut chosen: Vec<&Choice> = Vec::new();
        for choice in fitting {
            if chosen.len() >= n_wanted {
                break;
            }
            if let Some(more) = self.with_required(choice, &chosen, language, logic) {
                chosen.extend(more);
            }
        }
        OptionSet {
            args: chosen.iter().map(|choice| choice.written(choice.value(&mut rng).as_deref())).collect(),
        }
    }

    /// What must be added to `chosen` together with `choice`: required options first. `None` if that conflicts or
    /// exceeds the limit.
    fn with_required<'a>(
        &'a self,
        choice: &'a Choice,
        chosen: &[&'a Choice],
        language: Language,
        logic: Option<&str>,
    ) -> Option<Vec<&'a Choice>> {
        let mut added: Vec<&Choice> = vec![choice];
        let mut next = 0;
        // Each round handles one option, and each is added once, so this terminates.
        while let Some(one) = added.get(next).copied() {
            next += 1;
            for name in &one.requires {
                if chosen.iter().chain(&added).any(|other| other.name == *name) {
                    continue;
                }
                added.push(self.options.iter().find(|other| other.name == *name)?);
            }
        }
        let fits = |one: &&Choice, before: &[&Choice]| {
            one.applies(language, logic) && before.iter().all(|other| one.is_compatible(other))
        };
        let all_fit = (0..added.len()).all(|idx| {
            fits(&added[idx], &added[..idx]) && chosen.iter().all(|other| added[idx].is_compatible(other))
        });
        added.reverse();
        (all_fit && chosen.len() + added.len() <= MAX_OPTIONS).then_some(added)
    }

    /// Each option alone (with what it requires), with each of its words or the ends of its range. A solver that rejects
    /// one is either too old or too new for it.
    #[must_use]
    pub fn probes(&self, language: Language) -> Vec<Probe> {
        let mut probes = Vec::new();
        for choice in &self.options {
            if !choice.languages.is_empty() && !choice.languages.contains(&language) {
                continue;
            }
            let logic = choice.logics.first().map(String::as_str);
            let Some(all) = self.with_required(choice, &[], language, logic) else { continue };
            for value in choice.samples() {
                let written = |one: &&Choice| {
                    let sample = one.samples().into_iter().next().flatten();
                    one.written(if one.name == choice.name { value.as_deref() } else { sample.as_deref() })
                };
                let set = OptionSet { args: all.iter().map(written).collect() };
                probes.push(Probe { option: choice.name.clone(), value, set, language });
            }
        }
        probes
    }

    /// The table without what was rejected: removes single words, and every option that has no value left, whose range
    /// was rejected at one end, or that requires a removed option.
    #[must_use]
    pub fn without(&self, refused: &[Probe]) -> Table {
        let mut table = self.clone();
        for probe in refused {
            let is_it = |choice: &Choice| choice.name == probe.option;
            if let Some(choice) = table.options.iter_mut().find(|choice| is_it(choice)) {
                match (&mut choice.values, &probe.value) {
                    (Values::Words(words), Some(value)) => words.retain(|word| word != value),
                    (values, _) => *values = Values::Words(Vec::new()),
                }
            }
        }
        table.options.retain(|choice| choice.values != Values::Words(Vec::new()));
        // Each round drops at least one option, so this terminates.
        loop {
            let names: Vec<String> = table.options.iter().map(|choice| choice.name.clone()).collect();
            table.options.retain(|choice| choice.requires.iter().all(|name| names.contains(name)));
            if table.options.len() == names.len() {
                return table;
            }
        }
    }
}
