//! The groups of a campaign.

use crate::examine::ReproducedFinding;
use crate::finding::Finding;
use crate::groups::Groups;
use crate::options::OptionSet;
use crate::{GroupKey, Language, refine};
use std::collections::{BTreeMap, BTreeSet};

/// How many findings with the same unspecific key are reduced: wrong answers and silent crashes may be several bugs, and
/// only their reduced files can tell.
const MAX_REDUCTIONS: usize = 8;
/// The same for findings such as hangs, where each ask takes as long as the time limit allows.
const MAX_SLOW_REDUCTIONS: usize = 2;

/// A group: its first member, and how many there are.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its key. If only its reduced file can distinguish it from others, this is a provisional name until that
    /// file exists.
    pub key: GroupKey,
    /// Its key when it was found.
    pub found_as: GroupKey,
    /// Its first member.
    pub finding: Finding,
    /// The unit of the first member.
    pub unit: u64,
    /// The seed of the first member.
    pub seed: u64,
    /// Members.
    pub count: u64,
    /// Language of the input.
    pub language: Language,
    /// Options under which it was found.
    pub options: OptionSet,
    /// What each solver answered.
    pub said: Vec<(String, String)>,
    /// The reduced input, or why it was not reduced.
    pub small: Option<Small>,
}

impl Entry {
    /// Whether it could not be reproduced later.
    pub fn is_withdrawn(&self) -> bool {
        self.small.as_ref().is_some_and(|small| small.is_withdrawn)
    }
}

/// The result of a reduction.
#[derive(Clone, Debug, Default)]
pub struct Small {
    /// Size before.
    pub n_bytes_before: u64,
    /// Size after.
    pub n_bytes_after: u64,
    /// Asks.
    pub n_asks: u64,
    /// Options that are needed.
    pub options: OptionSet,
    /// Operators in the reduced file.
    pub operators: BTreeSet<String>,
    /// Why the reduction is incomplete; empty if it is complete.
    pub note: String,
    /// The finding on the reduced file, if there is one: more may be known about it than about the input.
    pub finding: Option<Finding>,
    /// It could not be reproduced when it was to be reduced, or with its reduced file: it is no longer a
    /// finding.
    pub is_withdrawn: bool,
    /// The slug of another group whose reduced file has the same operators: one bug, found twice. Empty if there is
    /// none.
    pub twin: String,
}

/// Where a finding belongs in the campaign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placed {
    /// A new group, by its number.
    New(usize),
    /// Another member of a group.
    Again(usize),
    /// Already counted: the unit is run a second time.
    Counted,
}

/// All groups.
#[derive(Default)]
pub struct Book {
    entries: Vec<Entry>,
    groups: Groups,
    /// Group and seed of everything counted.
    seen: BTreeSet<(String, u64)>,
    /// Entries by the key before refinement.
    by_coarse: BTreeMap<String, Vec<usize>>,
}

impl Book {
    /// The groups, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of the group with this id or slug, now or when it was found.
    pub fn find(&self, name: &str) -> Option<usize> {
        let is_name = |key: &GroupKey| key.id() == name || key.slug() == name;
        let now = self.entries.iter().position(|entry| is_name(&entry.key));
        now.or_else(|| self.entries.iter().position(|entry| is_name(&entry.found_as)))
    }

    /// Assigns a finding to a group. A few unspecific findings become groups of their own, to be distinguished by
    /// their reduced files.
    pub fn place(&mut self, unit: u64, found: &ReproducedFinding) -> Placed {
        let coarse = self.groups.classify(&found.finding, found.input.language);
        if self.seen.contains(&(coarse.id().to_owned(), found.input.seed)) {
            return Placed::Counted;
        }
        self.seen.insert((coarse.id().to_owned(), found.input.seed));
        let members = self.by_coarse.get(coarse.id()).map_or(&[][..], |members| members);
        let most = if found.finding.kind.is_slow() { MAX_SLOW_REDUCTIONS } else { MAX_REDUCTIONS };
        let is_open = members.is_empty() || found.finding.is_coarse() && members.len() < most;
        if !is_open {
            let first = self.representative(members[0]);
            self.entries[first].count += 1;
            return Placed::Again(first);
        }
        let key = if found.finding.is_coarse() {
            refine(&coarse, &BTreeSet::from([format!("seed {}", found.input.seed)]))
        } else {
            coarse.clone()
        };
        let entry = Entry {
            key: key.clone(),
            found_as: key,
            finding: found.finding.clone(),
            unit,
            seed: found.input.seed,
            count: 1,
            language: found.input.language,
            options: found.options.clone(),
            said: found.said.clone(),
            small: None,
        };
        Placed::New(self.add(coarse, entry))
    }

    fn add(&mut self, coarse: GroupKey, entry: Entry) -> usize {
        let number = self.entries.len();
        self.groups.insert_as(&coarse, &entry.finding);
        self.by_coarse.entry(coarse.id().to_owned()).or_default().push(number);
        self.entries.push(entry);
        number
    }

    /// Takes over a finding from a journal.
    pub fn restore(&mut self, entry: Entry, seed: u64) {
        let coarse = self.groups.classify(&entry.finding, entry.language);
        self.seen.insert((coarse.id().to_owned(), seed));
        match self.find(entry.key.id()) {
            Some(number) => {
                let counted = self.representative(number);
                self.entries[counted].count += 1;
            }
            None => {
                self.add(coarse, entry);
            }
        }
    }

    /// The final name of a group, once its reduced file exists: the same in every campaign, in whatever order
    /// reductions end. A finding that could not be reduced cannot be distinguished from others of its kind.
    pub fn settled_key(&self, number: usize, small: &Small) -> GroupKey {
        let entry = &self.entries[number];
        if !entry.finding.is_coarse() {
            return entry.key.clone();
        }
        let coarse = GroupKey::of(&entry.finding, entry.language);
        if small.operators.is_empty() { coarse } else { refine(&coarse, &small.operators) }
    }

    /// Records the result of a reduction. If another group already has the name, that group represents both.
    pub fn set_small(&mut self, number: usize, mut small: Small) -> &Entry {
        if small.is_withdrawn {
            self.entries[number].small = Some(small);
            return &self.entries[number];
        }
        if let Some(finding) = &small.finding {
            self.entries[number].finding.kind = finding.kind.clone();
        }
        let key = self.settled_key(number, &small);
        let namesake =
            self.entries.iter().position(|entry| entry.key == key).filter(|&other| other != number);
        match namesake {
            Some(other) => small.twin = self.entries[other].key.slug().to_owned(),
            None => self.entries[number].key = key,
        }
        self.keep_small(number, small);
        &self.entries[number]
    }

    /// The group that a group counts with.
    fn representative(&self, number: usize) -> usize {
        let small = self.entries[number].small.as_ref();
        small.and_then(|small| self.find(&small.twin)).unwrap_or(number)
    }

    /// A twin's members count towards the group that represents it.
    fn keep_small(&mut self, number: usize, small: Small) {
        let was_twin = self.entries[number].small.as_ref().is_some_and(|old| !old.twin.is_empty());
        if let Some(twin) = self.find(&small.twin).filter(|_| !was_twin) {
            self.entries[twin].count += self.entries[number].count;
        }
        self.entries[number].small = Some(small);
    }

    /// Takes over the end of a reduction from a journal.
    pub fn restore_small(&mut self, group: &str, small: Small) {
        if let Some(number) = self.find(group) {
            self.set_small(number, small);
        }
    }

    /// The number of groups that are certainly distinct, without those that may turn out to be duplicates.
    pub fn n_settled(&self) -> usize {
        let is_settled = |entry: &&&Entry| entry.small.is_some() || !entry.finding.is_coarse();
        self.by_severity().iter().filter(is_settled).count()
    }

    /// Groups whose findings could not be reproduced.
    pub fn n_withdrawn(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_withdrawn()).count()
    }

    /// Groups that are neither twins of others nor withdrawn, worst first.
    pub fn by_severity(&self) -> Vec<&Entry> {
        let is_twin = |entry: &&Entry| entry.small.as_ref().is_some_and(|small| !small.twin.is_empty());
        let is_own = |entry: &&Entry| !is_twin(entry) && !entry.is_withdrawn();
        let mut entries: Vec<&Entry> = self.entries.iter().filter(is_own).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.finding.severity()));
        entries
    }

    /// Groups that wait for their reduction.
    pub fn pending(&self) -> Vec<usize> {
        (0..self.entries.len()).filter(|&number| self.entries[number].small.is_none()).collect()
    }
}
