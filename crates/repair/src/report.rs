//! From the results to a ranking: scores, the order, one entry per line.

use super::RepairSettings;
use super::edits::{Broken, NOWHERE, Tried, with_math_names, with_names};
use super::places::Places;
use super::search::{Candidate, Searched};
use super::try_site::Repair;
use super::words::{lines_after, quote};
use super::worth::{Certainty, Right, Specification, worth};
use nub_c_ir::ProgramSource;
use nub_c_ir::{Position, TypeId, Types};
use nub_report::ranking::{EditText, Evidence, Part, RankedLine, RepairProof, Tier};

/// At most this many other edits of one line are named.
const MAX_ALTERNATIVES: usize = 3;

/// A repair that needs one more variable scores less than one that does not.
const EXTRA_WEIGHT: f64 = 0.6;

/// A candidate with its score.
pub(super) struct Scored {
    /// A position in [`Searched::candidates`].
    pub candidate: usize,
    pub tier: Tier,
    pub score: f64,
    pub damage: f64,
    /// The score of point repair alone.
    pub points: f64,
    /// The edit that makes the program right, if one is known.
    pub right: Option<Right>,
    /// The score that decides first.
    pub worth: f64,
    pub evidence: Option<Repair>,
    /// Whether every counterexample that was tried has a point repair of this tier.
    pub is_full: bool,
}

/// A bit pattern as a number of its type.
pub(super) fn number(types: &Types, ty: TypeId, bits: u128) -> String {
    if let Some(float) = types.shown_float(ty, bits) {
        return float;
    }
    match types.int_format(ty) {
        Some(format) if format.is_signed && format.width > 1 => {
            nub_c_ir::ints::to_signed(bits, format.width).to_string()
        }
        Some(format) => nub_c_ir::ints::truncate(bits, format.width).to_string(),
        None => bits.to_string(),
    }
}

/// The share of `n`: unknown ones count half.
fn share(n_found: usize, n_unknown: usize, n: usize) -> f64 {
    if n == 0 { 0.0 } else { ((n_found as f64 + 0.5 * n_unknown as f64) / n as f64).min(1.0) }
}

/// How far point repair goes at a candidate: the tier, the share of counterexamples that it repairs, and the repairs.
fn repaired<'s>(
    candidate: &'s Candidate,
    n_runs: usize,
    settings: &RepairSettings,
) -> (Tier, f64, &'s [Repair]) {
    let found = &candidate.found;
    let (n_own, n_extra) = (n_runs.min(settings.n_own), n_runs.min(settings.n_extra));
    let own = share(found.own.len(), found.n_own_unknown, n_own);
    let extra = EXTRA_WEIGHT * share(found.extra.len(), found.n_extra_unknown.min(n_extra), n_extra);
    if own > 0.0 && own >= extra && !found.own.is_empty() {
        (Tier::OwnOperands, own, &found.own)
    } else if let Some(first) = found.extra.first() {
        let variable = first.change.extra.and_then(|(number, _)| candidate.visible.get(number));
        let variable = variable.map(|variable| variable.name.clone()).unwrap_or_default();
        (Tier::OneMoreVariable { variable }, extra, &found.extra)
    } else if found.n_repairable > 0 {
        (Tier::OneRunOnly, own.max(extra), &found.single)
    } else {
        (Tier::Nothing, 0.0, &[])
    }
}

/// Scores all candidates, best first.
pub(super) fn scored(searched: &Searched<'_>, settings: &RepairSettings) -> Vec<Scored> {
    let n_runs = searched.witnesses.len();
    let specification = Specification::of(searched);
    let mut list: Vec<Scored> = Vec::with_capacity(searched.candidates.len());
    for (index, candidate) in searched.candidates.iter().enumerate() {
        let (tier, score, repairs) = repaired(candidate, n_runs, settings);
        // What repairs one run only was not tried on others.
        let counted = if tier == Tier::OneRunOnly { &[] } else { repairs };
        let damage =
            counted.iter().fold(0.0, |sum, repair| sum + repair.damage) / counted.len().max(1) as f64;
        let points = score * (1.0 - damage);
        let right = right(searched, candidate);
        let n_tried = if tier == Tier::OwnOperands { settings.n_own } else { settings.n_extra };
        list.push(Scored {
            worth: worth(points, right, specification),
            right,
            candidate: index,
            is_full: repairs.len() == n_tried.min(n_runs),
            tier,
            score,
            damage,
            points,
            evidence: repairs.first().cloned(),
        });
    }
    let order = |scored: &Scored| order(searched, scored);
    list.sort_by(|a, b| {
        let (a, b) = (order(a), order(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3))
    });
    list
}

/// The edit that makes the program right, if one is known.
fn right(searched: &Searched<'_>, candidate: &Candidate) -> Option<Right> {
    let edit = candidate.edit.map(|at| &searched.edits[at]);
    edit.filter(|edit| edit.is_enough() || edit.is_likely).map(right_of)
}

fn right_of(edit: &Tried) -> Right {
    Right {
        kind: edit.edit.kind,
        damage: edit.damage,
        is_large: edit.is_large(),
        altered: edit.altered,
        wakes: edit.wakes,
        certainty: if edit.is_enough() { Certainty::Proved } else { Certainty::Likely },
    }
}

/// What decides the order. First the score. Then, for lines without a score, how many counterexamples they can repair; then, for lines that need only
/// their own operands, the fewest operands; then the order of execution.
fn order(searched: &Searched<'_>, scored: &Scored) -> (f64, f64, usize, (usize, usize)) {
    let candidate = &searched.candidates[scored.candidate];
    let worth = scored.worth;
    let rest = if worth > 0.0 { 0.0 } else { candidate.found.n_repairable as f64 };
    let n_operands = if scored.tier == Tier::OwnOperands { candidate.site.n_reads } else { usize::MAX };
    (worth, rest, n_operands, candidate.first)
}

/// The score of the best edit that prevents the violation; 0 if there is none.
fn rule_worth(searched: &Searched<'_>) -> f64 {
    let best = searched.rule_edits.first().map(|at| &searched.edits[*at]);
    worth(0.0, best.map(right_of), Specification::of(searched))
}

/// Groups sites into lines. Each line is represented by its best site, given by its position in the list.
pub(super) fn lines(
    source: ProgramSource<'_>,
    searched: &Searched<'_>,
    list: &[Scored],
    places: &Places<'_>,
) -> Vec<(RankedLine, Option<usize>)> {
    let mut found: Vec<(RankedLine, Option<usize>)> = Vec::new();
    let entries =
        list.iter().enumerate().map(|(at, scored)| (line(source, searched, scored, places), Some(at)));
    let mut entries: Vec<(RankedLine, Option<usize>)> = entries.collect();
    // An edit that prevents the violation is ranked among the others. Where no value helps, the place of the violation is the best known.
    let own = rule_worth(searched);
    let is_below = |(line, at): &(RankedLine, Option<usize>)| {
        let is_nothing = line.tier == Tier::Nothing && !matches!(line.proof, RepairProof::Edited { .. });
        is_nothing || at.is_some_and(|at| list[at].worth < own)
    };
    let place = entries.iter().position(is_below).unwrap_or(entries.len());
    entries.splice(place..place, undefined_line(source, searched, places).map(|line| (line, None)));
    for (mut line, at) in entries {
        let is_same = |(other, _): &(RankedLine, Option<usize>)| {
            other.file == line.file && other.function == line.function && other.line == line.line
        };
        match found.iter_mut().find(|other| is_same(other)) {
            Some((other, _)) => other.end_line = other.end_line.max(line.end_line),
            None => {
                line.rank = found.len() + 1;
                found.push((line, at));
            }
        }
    }
    for (line, _) in &mut found {
        line.macros = places.macros.on_lines(&line.file, line.line, line.end_line);
    }
    found
}

fn line(
    source: ProgramSource<'_>,
    searched: &Searched<'_>,
    scored: &Scored,
    places: &Places<'_>,
) -> RankedLine {
    let program = source.program;
    let candidate = &searched.candidates[scored.candidate];
    let site = &candidate.site;
    let function = if site.part == Part::Initialiser {
        String::new()
    } else {
        program.function(site.function).name.clone()
    };
    let found = &candidate.found;
    let (n_point_repairs, n_unknown) = match scored.tier {
        Tier::OneMoreVariable { .. } => (found.extra.len(), found.n_extra_unknown),
        _ => (found.own.len(), found.n_own_unknown),
    };
    RankedLine {
        rank: 0,
        file: file_name(source, site.position),
        line: site.position.line,
        end_line: site.position.line + lines_after(source.text, site.span),
        function,
        text: quote(source.text, site.span),
        part: site.part,
        tier: scored.tier.clone(),
        score: scored.score,
        damage: scored.damage,
        n_repaired: found.n_repairable,
        n_point_repairs,
        n_unknown,
        evidence: scored.evidence.as_ref().map(|repair| evidence(source, candidate, repair)),
        proof: match candidate.edit.map(|at| &searched.edits[at]) {
            Some(edit) if edit.is_enough() => edit.proof(),
            _ => RepairProof::NotTried,
        },
        edit: candidate.edit.map(|at| edit_text(source, searched, places, at)),
        alternatives: alternatives(source, searched, places, candidate),
        macros: Vec::new(),
    }
}

/// Other edits of the same statement that make the program right.
fn alternatives(
    source: ProgramSource<'_>,
    searched: &Searched<'_>,
    places: &Places<'_>,
    candidate: &Candidate,
) -> Vec<EditText> {
    let Some(best) = candidate.edit else { return Vec::new() };
    let statement = searched.edits[best].edit.statement;
    if statement == NOWHERE {
        return Vec::new();
    }
    let is_other = |at: &usize| {
        let edit = &searched.edits[*at];
        *at != best && edit.edit.statement == statement && edit.is_enough() && !edit.is_large()
    };
    let others = (0..searched.edits.len()).filter(is_other).take(MAX_ALTERNATIVES);
    others.map(|at| edit_text(source, searched, places, at)).collect()
}

/// The edits that repair the program together, each with file and line.
pub(super) fn pair_texts(
    source: ProgramSource<'_>,
    searched: &Searched<'_>,
    places: &Places<'_>,
) -> Vec<((String, u32), EditText)> {
    let mut found: Vec<((String, u32), EditText)> = Vec::new();
    for candidate in &searched.candidates {
        let Some(at) = candidate.edit.filter(|at| searched.edits[*at].partner.is_some()) else { continue };
        let place = (file_name(source, candidate.site.position), candidate.site.position.line);
        if !found.iter().any(|(other, _)| *other == place) {
            found.push((place, edit_text(source, searched, places, at)));
        }
    }
    found
}

fn edit_text(source: ProgramSource<'_>, searched: &Searched<'_>, places: &Places<'_>, at: usize) -> EditText {
    let tried = &searched.edits[at];
    let partner = tried.partner.and_then(|other| {
        let statement = searched.edits[other].edit.span;
        let is_around = |candidate: &&Candidate| {
            let span = candidate.site.span;
            span.start <= statement.start && statement.end <= span.end
        };
        searched.candidates.iter().find(is_around).map(|candidate| candidate.site.position.line)
    });
    let mut new = tried.edit.new.trim_end().to_owned();
    for (header, with_names) in [("limits.h", with_names as fn(&str) -> String), ("math.h", with_math_names)]
    {
        if places.macros.includes(header) {
            new = with_names(&new);
        }
    }
    EditText {
        kind: tried.edit.kind,
        old: quote(source.text, tried.edit.span),
        new,
        place: places.of(tried.edit.span),
        n_repaired: tried.repaired.iter().filter(|is_repaired| **is_repaired).count(),
        damage: tried.damage,
        altered: tried.altered,
        is_proved: tried.is_proved(),
        is_vacuous: tried.is_vacuous,
        partner,
    }
}

/// The line where behaviour is undefined, if that is what fails and it is program code.
fn undefined_line(
    source: ProgramSource<'_>,
    searched: &Searched<'_>,
    places: &Places<'_>,
) -> Option<RankedLine> {
    let Broken { function, origin, .. } = searched.undefined_at?;
    searched.problem.is_program.get(function.index()).filter(|is_program| **is_program)?;
    let program = source.program;
    let statement = program.statements.get(origin.statement.index());
    let (span, position) =
        statement.map_or((origin.span, origin.position), |found| (found.span, found.position));
    let mut edits = searched.rule_edits.iter().map(|at| edit_text(source, searched, places, *at));
    Some(RankedLine {
        rank: 0,
        file: file_name(source, position),
        line: position.line,
        end_line: position.line + lines_after(source.text, span),
        function: program.function(function).name.clone(),
        text: quote(source.text, span),
        part: Part::Undefined,
        tier: Tier::Nothing,
        score: 0.0,
        damage: 0.0,
        n_repaired: 0,
        n_point_repairs: 0,
        n_unknown: 0,
        evidence: None,
        proof: searched.rule_edits.first().map_or(RepairProof::NotTried, |at| searched.edits[*at].proof()),
        edit: edits.next(),
        alternatives: edits.take(MAX_ALTERNATIVES).collect(),
        macros: Vec::new(),
    })
}

fn file_name(source: ProgramSource<'_>, position: Position) -> String {
    let file = source.program.files.get(position.file.index()).filter(|name| !name.is_empty());
    file.map_or(source.file, String::as_str).to_owned()
}

fn evidence(source: ProgramSource<'_>, candidate: &Candidate, repair: &Repair) -> Evidence {
    let site = &candidate.site;
    let shown = |ty: TypeId, bits: u128| number(&source.program.types, ty, bits);
    let pairs = site.operands.iter().zip(&repair.change.keys);
    let mut operands: Vec<(String, String)> =
        pairs.map(|(operand, bits)| (operand.name.clone(), shown(operand.ty, *bits))).collect();
    if let Some((number, bits)) = repair.change.extra
        && let Some(variable) = candidate.visible.get(number)
    {
        operands.push((variable.name.clone(), shown(variable.place.ty, bits)));
    }
    let repaired = if site.is_truth { repair.change.value & 1 } else { repair.change.value };
    Evidence {
        counterexample: repair.witness,
        operands,
        now: shown(site.ty, repair.now),
        repaired: shown(site.ty, repaired),
        is_replayed: repair.is_replayed,
    }
}

/// Of lines with the same score, those that are proved to repair come first, and those that are refuted last. An edit no longer counts if its proof
/// turned out to be wrong.
pub(super) fn sort_by_proof(
    lines: &mut [(RankedLine, Option<usize>)],
    list: &[Scored],
    searched: &Searched<'_>,
) {
    let (rule, specification) = (rule_worth(searched), Specification::of(searched));
    let worth = |(line, at): &(RankedLine, Option<usize>)| {
        let scored = at.map(|at| &list[at]);
        let is_edited = matches!(line.proof, RepairProof::Edited { .. });
        if at.is_none() && is_edited {
            return rule;
        }
        let is_open = line.proof != RepairProof::Refuted;
        let counts = |right: &Right| match right.certainty {
            Certainty::Proved => is_edited,
            Certainty::Likely => is_open,
        };
        let edit = scored.and_then(|scored| scored.right).filter(counts);
        worth(scored.map_or(0.0, |scored| scored.points), edit, specification)
    };
    let class = |line: &RankedLine| match line.proof {
        RepairProof::Edited { .. } => 0,
        RepairProof::Repairs { n_entries, .. } => n_entries,
        RepairProof::Open { .. } | RepairProof::NotTried => usize::MAX - 1,
        RepairProof::Refuted => usize::MAX,
    };
    lines.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(class(&a.0).cmp(&class(&b.0))));
    lines.iter_mut().zip(1..).for_each(|((line, _), rank)| line.rank = rank);
}
