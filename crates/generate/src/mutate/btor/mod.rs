//! Mutations of BTOR and BTOR2 files: `swap_operator`, `replace_operand`, `negate_operand`, `corner_constant`.

mod corner_constant;
mod negate_operand;
mod replace_operand;
mod swap_operator;

use super::splice::{Plan, Splice};
use super::{Made, MutateConfig, MutationKind};
use crate::error::SeedError;
use nub_btor::{BtorDialect, BtorFile, LineId, OperandKind, Sort, Tag};
use nub_random::Rng;
use nub_text::Severity;
use rustc_hash::FxHashMap;

/// A BTOR or BTOR2 file with the lists from which mutations draw.
pub(super) struct BtorSeed {
    file: BtorFile,
    /// Lines that other lines may refer to, by sort, in order.
    nodes: FxHashMap<Sort, Vec<LineId>>,
    /// Lines with an operator over nodes.
    operators: Vec<LineId>,
    /// Lines whose references to nodes may be changed.
    users: Vec<LineId>,
    /// Constants.
    constants: Vec<LineId>,
}

/// The techniques for these formats, with their weights.
const KINDS: &[(MutationKind, u32)] = &[
    (MutationKind::SwapOperator, 4),
    (MutationKind::ReplaceTerm, 3),
    (MutationKind::NegateOperand, 2),
    (MutationKind::CornerConstant, 2),
];

const TRIES_PER_MUTATION: u32 = 8;
const MAX_MUTATIONS: u32 = 1_000;

impl BtorSeed {
    /// Reads a file; the error says why it cannot be a seed. Linear.
    pub(super) fn read(text: &[u8], dialect: BtorDialect) -> Result<BtorSeed, SeedError> {
        let file = BtorFile::read(text, dialect);
        let error = file.faults().iter().find(|fault| fault.kind.severity() == Severity::Error);
        if let Some(error) = error {
            return Err(SeedError::Btor(dialect, error.diagnostic.message.clone()));
        }
        let mut seed = BtorSeed {
            nodes: FxHashMap::default(),
            operators: Vec::new(),
            users: Vec::new(),
            constants: Vec::new(),
            file,
        };
        for id in seed.file.line_ids() {
            seed.collect(id);
        }
        if seed.users.is_empty() && seed.constants.is_empty() {
            return Err(SeedError::NothingToMutate);
        }
        Ok(seed)
    }

    fn collect(&mut self, id: LineId) {
        let line = self.file.line(id);
        let Some(tag) = line.tag else { return };
        // A BTOR `root` is mainly a property: references to it are rare, and none should be added.
        if let Some(sort) = line.sort.filter(|_| tag.is_node() && tag != Tag::Root) {
            self.nodes.entry(sort).or_default().push(id);
        }
        let has_nodes = self.file.operands(line).iter().any(|operand| operand.kind == OperandKind::Node);
        // The value of `init` may depend only on some nodes.
        if has_nodes && tag != Tag::Init {
            self.users.push(id);
            if tag.is_node() && tag != Tag::Root {
                self.operators.push(id);
            }
        }
        if tag.is_constant() && line.sort.is_some() {
            self.constants.push(id);
        }
    }

    /// The format of the file.
    pub(super) fn dialect(&self) -> BtorDialect {
        self.file.dialect()
    }

    /// The sorts of the nodes to which a line refers; `None` if one is unknown.
    fn args(&self, id: LineId) -> Option<Vec<Sort>> {
        let operands = self.file.operands(self.file.line(id)).iter();
        operands
            .filter(|operand| operand.kind == OperandKind::Node)
            .map(|operand| operand.line.and_then(|line| self.file.line(line).sort))
            .collect()
    }
}

fn propose(seed: &BtorSeed, kind: MutationKind, rng: &mut Rng) -> Option<Vec<Splice>> {
    match kind {
        MutationKind::SwapOperator => swap_operator::propose(seed, rng),
        MutationKind::ReplaceTerm => replace_operand::propose(seed, rng),
        MutationKind::NegateOperand => negate_operand::propose(seed, rng),
        MutationKind::CornerConstant => corner_constant::propose(seed, rng),
        _ => None,
    }
}

/// One of these, or `None` if there is none.
fn pick<T: Copy>(rng: &mut Rng, choices: &[T]) -> Option<T> {
    (!choices.is_empty()).then(|| rng.pick(choices))
}

/// Appends a mutant of `seed`. Linear in it.
pub(super) fn write(
    config: &MutateConfig,
    seed: &BtorSeed,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) -> Option<Made> {
    let choices = config.choices(KINDS);
    let n_wanted = rng.between(1, config.max_mutations.clamp(1, MAX_MUTATIONS));
    let mut plan = Plan::default();
    let mut kinds = Vec::new();
    for _ in 0..n_wanted * TRIES_PER_MUTATION {
        if kinds.len() == n_wanted as usize {
            break;
        }
        let kind = pick(rng, &choices)?;
        if propose(seed, kind, rng).is_some_and(|splices| plan.add(splices)) {
            kinds.push(kind);
        }
    }
    if plan.is_empty() {
        return None;
    }
    let mut text = Vec::with_capacity(seed.file.text().len() + 64);
    plan.render(seed.file.text(), &mut text);
    let again = BtorFile::read(&text, seed.dialect());
    let is_good = text != seed.file.text() && again.fault_kinds().is_subset(seed.file.fault_kinds());
    is_good.then(|| {
        out.extend_from_slice(&text);
        Made { kinds, takes_other: false }
    })
}
