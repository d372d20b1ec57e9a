//! Groups findings that are one bug.
//!
//! Two steps, before reduction:
//!
//! 1. the same solver, the same family of kinds, the same normalised message: one group;
//! 2. otherwise, if both have stacks: one group if the stacks have a common origin (`stack/common.rs`).
//!
//! A message without a place, such as `killed by SIGSEGV`, does not group two findings whose stacks differ. Findings with
//! neither (wrong answers, silent crashes) make one coarse group per solver, which
//! [`refine`] splits once their inputs are reduced: by the operators left in the minimal file.

mod key;
mod known;

use std::collections::BTreeMap;

use crate::answers::Language;
use crate::finding::Finding;
use crate::stack::have_common_origin;

pub use key::{GroupKey, normalise_message, refine};
pub use known::{KnownError, KnownFault, KnownList, KnownState};

/// How many distinct messages and stacks of one group are kept for comparison.
const MAX_FACES: usize = 16;

/// One bug, as far as nub can tell.
#[derive(Clone, Debug)]
pub struct FindingGroup {
    /// Its key.
    pub key: GroupKey,
    /// Its first finding.
    pub first: Finding,
    /// Findings so far.
    pub n_members: u64,
    /// What is known of it.
    pub state: GroupState,
    /// The distinct messages and stacks of its members.
    faces: Vec<(String, Vec<String>)>,
}

/// What is known of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupState {
    /// Nothing.
    New,
    /// It is on the list of known bugs.
    Known,
    /// It is on the list of fixed bugs and has occurred again.
    Regression,
}

/// The groups of a campaign. The group of a finding depends only on earlier findings.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    groups: Vec<FindingGroup>,
    /// Group by id. Ids of refined keys are here too.
    by_id: BTreeMap<String, usize>,
    /// Group by solver, family and specific message.
    by_message: BTreeMap<(String, &'static str, String), usize>,
}

impl Groups {
    /// No groups.
    #[must_use]
    pub fn new() -> Groups {
        Groups::default()
    }

    /// The key of a finding: that of a group it matches, or otherwise a new one. Linear in the number of groups of the
    /// solver, and only if the message is new.
    #[must_use]
    pub fn classify(&self, finding: &Finding, language: Language) -> GroupKey {
        self.matching(finding)
            .map_or_else(|| GroupKey::of(finding, language), |idx| self.groups[idx].key.clone())
    }

    /// The group of a key.
    #[must_use]
    pub fn find(&self, key: &GroupKey) -> Option<&FindingGroup> {
        self.by_id.get(key.id()).map(|idx| &self.groups[*idx])
    }

    /// Puts a finding into the group it belongs to. Returns the key, and whether the group is new.
    pub fn insert(&mut self, finding: &Finding, language: Language) -> (GroupKey, bool) {
        let key = self.classify(finding, language);
        let is_new = self.insert_as(&key, finding);
        (key, is_new)
    }

    /// Puts a finding into the group of a key, such as a refined one. Returns whether the group is new.
    pub fn insert_as(&mut self, key: &GroupKey, finding: &Finding) -> bool {
        let known = self.by_id.get(key.id()).copied();
        let idx = known.unwrap_or(self.groups.len());
        if known.is_none() {
            self.by_id.insert(key.id().to_owned(), idx);
            self.groups.push(FindingGroup {
                key: key.clone(),
                first: finding.clone(),
                n_members: 0,
                state: GroupState::New,
                faces: Vec::new(),
            });
        }
        let group = &mut self.groups[idx];
        group.n_members += 1;
        let face = (finding.message.clone(), finding.stack.clone());
        if !key.is_refined() && group.faces.len() < MAX_FACES && !group.faces.contains(&face) {
            group.faces.push(face);
            if key::is_specific(&finding.message) {
                self.by_message.entry(message_key(finding)).or_insert(idx);
            }
        }
        known.is_none()
    }

    /// Sets the state of a group from the list of known bugs; returns it.
    pub fn apply(&mut self, known: &KnownList, key: &GroupKey) -> GroupState {
        let Some(group) = self.by_id.get(key.id()).map(|idx| &mut self.groups[*idx]) else {
            return GroupState::New;
        };
        group.state = match known.state(&group.key, &group.first.title()) {
            None => GroupState::New,
            Some(KnownState::Known) => GroupState::Known,
            Some(KnownState::Fixed) => GroupState::Regression,
        };
        group.state
    }

    /// The groups, in the order of their first finding.
    pub fn iter(&self) -> impl Iterator<Item = &FindingGroup> {
        self.groups.iter()
    }

    /// Number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Index of the group a finding matches by message or by stack.
    fn matching(&self, finding: &Finding) -> Option<usize> {
        if key::is_specific(&finding.message)
            && let Some(idx) = self.by_message.get(&message_key(finding))
        {
            return Some(*idx);
        }
        if finding.stack.is_empty() {
            return None;
        }
        let family = key::family(&finding.kind);
        self.groups.iter().position(|group| {
            group.first.solver == finding.solver
                && key::family(&group.first.kind) == family
                && group.faces.iter().any(|(_, stack)| have_common_origin(stack, &finding.stack))
        })
    }
}

fn message_key(finding: &Finding) -> (String, &'static str, String) {
    (finding.solver.clone(), key::family(&finding.kind), finding.message.clone())
}
