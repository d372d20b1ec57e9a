//! Laws for everything that is generated, over many options and seeds.

#![allow(clippy::unwrap_used)] // tests

use nub_btor::{BtorDialect, BtorFile, BtorModel, Sort, Tag, WidthRule};
use nub_generate::{
    ExpectedStatus, Files, FormulaDag, FormulaFormat, FormulaStats, GenerateConfig, Generator, Ratio,
    to_model,
};

/// Options that reach every part of the generator.
fn configs() -> Vec<GenerateConfig> {
    let base = GenerateConfig::default;
    let mut configs = vec![
        base(),
        GenerateConfig { nodes: 1, vars: 0, arrays: 0, ..base() },
        GenerateConfig { nodes: 400, all: true, more_ops: true, ..base() },
        GenerateConfig { nodes: 60, noarrays: true, maxwidth: 1, ..base() },
        GenerateConfig { nodes: 80, minwidth: 3, maxwidth: 3, ..base() },
        GenerateConfig { nodes: 80, minwidth: 5, maxwidth: 8, arrmaxwidth: 1, ..base() },
        GenerateConfig { nodes: 120, maxwidth: 70, arrmaxwidth: 64, more_ops: true, all: true, ..base() },
        GenerateConfig { nodes: 100, vars: 0, ..base() },
        GenerateConfig { nodes: 100, arrays: 40, writes: 60, maxwidth: 9, ..base() },
        GenerateConfig { nodes: 90, depth: 5, ..base() },
        GenerateConfig { dag: 0, ..base() },
        GenerateConfig { dag: 100, ..base() },
        GenerateConfig { cnf: true, clauses: Ratio::thousandths(1_700), ..base() },
        GenerateConfig { cnf: true, clauses: Ratio::whole(0), vars: 1, arrays: 0, nodes: 1, ..base() },
        GenerateConfig { cnfonly: true, vars: 30, ..base() },
        GenerateConfig { cnfonly: true, vars: 2, ..base() },
        GenerateConfig { per_layer: vec![7], all: true, ..base() },
        GenerateConfig { per_layer: vec![30, 10, 3, 1], nodes: 150, maxwidth: 9, ..base() },
    ];
    for status in [ExpectedStatus::Sat, ExpectedStatus::Unsat] {
        for config in configs.clone() {
            configs.push(GenerateConfig { status: Some(status), ..config });
        }
    }
    configs.push(GenerateConfig { status: Some(ExpectedStatus::Sat), pins: 30, ..base() });
    configs
}

/// Systems with states, which only some formats support.
fn systems() -> Vec<GenerateConfig> {
    let base = GenerateConfig::default;
    vec![
        GenerateConfig { states: 3, ..base() },
        GenerateConfig { states: 20, constraints: 4, nodes: 50, arrays: 10, ..base() },
        GenerateConfig { states: 1, constraints: 30, nodes: 5, vars: 0, noarrays: true, ..base() },
        GenerateConfig { states: 4, per_layer: vec![5], nodes: 60, ..base() },
    ]
}

fn text(config: &GenerateConfig, format: FormulaFormat, seed: u64) -> Vec<u8> {
    let mut text = Vec::new();
    Files::new(config.clone(), format).unwrap().write(seed, &mut text).unwrap();
    text
}

#[test]
fn files_are_free_of_faults_and_mean_the_graph() {
    for config in configs() {
        let mut generator = Generator::new(config.clone()).unwrap();
        for seed in 0..12 {
            let (expected, _) = to_model(generator.formula(seed).unwrap()).unwrap();
            for (format, dialect) in
                [(FormulaFormat::Btor, BtorDialect::Btor), (FormulaFormat::Btor2, BtorDialect::Btor2)]
            {
                let text = text(&config, format, seed);
                let file = BtorFile::read(&text, dialect);
                assert!(file.faults().is_empty(), "{config:?}, seed {seed}: {:?}", file.faults());
                let model = BtorModel::of(&file).unwrap();
                if dialect == BtorDialect::Btor {
                    assert_eq!(model, expected, "{config:?}, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn systems_are_free_of_faults() {
    for config in systems() {
        for seed in 0..12 {
            let text = text(&config, FormulaFormat::Btor2, seed);
            let file = BtorFile::read(&text, BtorDialect::Btor2);
            assert!(file.faults().is_empty(), "{config:?}, seed {seed}: {:?}", file.faults());
            let model = BtorModel::of(&file).unwrap();
            assert_eq!(model.states().len(), config.states as usize);
            assert!(
                model.states().iter().all(|state| state.next.is_some_and(|next| next.node() != state.node))
            );
            let count = |tag| model.properties().iter().filter(|property| property.tag == tag).count();
            assert_eq!((count(Tag::Bad), count(Tag::Constraint)), (1, config.constraints as usize));
        }
        // The system of a BTOR file has no initial values and no constraints.
        let config = GenerateConfig { constraints: 0, ..config };
        let text = text(&config, FormulaFormat::Btor, 1);
        let file = BtorFile::read(&text, BtorDialect::Btor);
        assert!(file.faults().is_empty(), "{:?}", file.faults());
        assert_eq!(BtorModel::of(&file).unwrap().states().len(), config.states as usize);
    }
}

#[test]
fn the_old_format_has_its_own_operators() {
    let config = GenerateConfig { oldformat: true, all: true, nodes: 200, ..GenerateConfig::default() };
    let text = String::from_utf8(text(&config, FormulaFormat::Btor, 3)).unwrap();
    assert!(text.contains(" nego 1 ") && !text.contains("acond"), "{text}");
    assert!(Files::new(config, FormulaFormat::Btor2).is_err());
}

#[test]
fn everything_is_below_the_root() {
    for config in configs() {
        let mut generator = Generator::new(config.clone()).unwrap();
        let dag = generator.formula(5).unwrap();
        let mut is_used = vec![false; dag.len()];
        is_used[dag.root.unwrap().node().index()] = true;
        for node in dag.nodes.iter().rev() {
            // Operands come first, so one pass from the end sees users before their operands.
            node.edges().iter().for_each(|edge| is_used[edge.node().index()] = true);
        }
        // Parts that a rewritten copy does not use are not below the root.
        let n_unused = is_used.iter().filter(|is_used| !**is_used).count();
        assert!(n_unused == 0 || config.status == Some(ExpectedStatus::Unsat), "{config:?}: {n_unused}");
        assert_eq!(dag.node(dag.root.unwrap().node()).sort, Sort::BIT);
    }
}

#[test]
fn same_seed_same_bytes_and_another_seed_another_file() {
    for format in FormulaFormat::ALL {
        let config = GenerateConfig { nodes: 50, ..GenerateConfig::default() };
        let mut files = Files::new(config.clone(), format).unwrap();
        let (mut second, mut first) = (Vec::new(), Vec::new());
        files.write(2, &mut second).unwrap();
        files.write(1, &mut first).unwrap();
        // A generator that was used before and a new one agree.
        assert_eq!(first, text(&config, format, 1));
        assert_eq!(second, text(&config, format, 2));
        assert_ne!(first[20..], second[20..]);
    }
}

fn stats(config: GenerateConfig) -> FormulaStats {
    let mut generator = Generator::new(config).unwrap();
    let mut stats = FormulaStats::default();
    for seed in 0..30 {
        stats.add(generator.formula(seed).unwrap());
    }
    stats
}

#[test]
fn options_do_what_they_say() {
    let base = GenerateConfig { nodes: 200, ..GenerateConfig::default() };
    let n_nodes = stats(base.clone()).n_nodes / 30;
    assert!((200..300).contains(&n_nodes), "{n_nodes}");
    // With few leaves nodes must be shared, whatever the DAG tendency.
    let [tree, dag] =
        [0, 100].map(|dag| stats(GenerateConfig { dag, vars: 200, nodes: 300, ..base.clone() }));
    assert!(tree.n_shared * 2 < dag.n_shared, "{} {}", tree.n_shared, dag.n_shared);
    let shallow = stats(GenerateConfig { depth: 4, cnfonly: false, ..base.clone() });
    assert!(shallow.n_nodes < 30 * 150);
    let wide = stats(GenerateConfig { minwidth: 6, maxwidth: 9, noarrays: true, ..base.clone() });
    let widths: Vec<u32> = wide.widths.keys().copied().collect();
    // Shifts of 8 bits take amounts of 3.
    assert_eq!(widths, [1, 3, 6, 7, 8, 9]);
    assert_eq!(wide.n_arrays, 0);
    assert!(stats(GenerateConfig { writes: 50, ..base.clone() }).tags[&Tag::Write] >= 30 * 50);
}

#[test]
fn all_means_every_operator_in_every_file() {
    let config = GenerateConfig { all: true, more_ops: true, nodes: 100, ..GenerateConfig::default() };
    let mut generator = Generator::new(config).unwrap();
    for seed in 0..10 {
        let mut stats = FormulaStats::default();
        stats.add(generator.formula(seed).unwrap());
        let missing: Vec<&str> = nub_btor::ops::OPS
            .iter()
            .filter(|op| !op.btor.is_empty() && op.rule != WidthRule::None && op.tag != Tag::Nego)
            .filter(|op| !stats.tags.contains_key(&op.tag))
            .map(|op| op.btor)
            .collect();
        assert!(missing.is_empty(), "seed {seed}: {missing:?}");
    }
}

/// By node: its depth.
fn depths(dag: &FormulaDag) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::new();
    for node in &dag.nodes {
        let below = node.edges().iter().map(|edge| depths[edge.node().index()] + 1);
        depths.push(below.max().unwrap_or(0));
    }
    depths
}

#[test]
fn layers_have_the_size_that_is_asked_for() {
    let per_layer = vec![12, 3, 8];
    let config =
        GenerateConfig { per_layer, nodes: 300, writes: 2, maxwidth: 9, ..GenerateConfig::default() };
    let mut generator = Generator::new(config).unwrap();
    for seed in 0..10 {
        let dag = generator.formula(seed).unwrap();
        let depths = depths(dag);
        // The layers for reads, reductions and logic come after 300 nodes and increase the counts.
        let in_layer = |layer| depths[..280].iter().filter(|depth| **depth == layer).count();
        let counts: Vec<usize> = (1..10).map(in_layer).collect();
        assert_eq!(counts, [12, 3, 8, 8, 8, 8, 8, 8, 8], "seed {seed}");
    }
}

#[test]
fn a_cnf_covers_its_variables_and_has_the_ratio() {
    let config =
        GenerateConfig { cnfonly: true, vars: 31, clauses: Ratio::whole(3), ..GenerateConfig::default() };
    let mut generator = Generator::new(config).unwrap();
    let dag = generator.formula(1).unwrap();
    assert_eq!((dag.n_cnf_vars, dag.n_clauses), (31, 93));
    let mut uses = [[0u32; 2]; 31];
    for edge in dag.nodes.iter().flat_map(|node| node.edges()).filter(|edge| edge.node().index() < 31) {
        uses[edge.node().index()][usize::from(edge.negated())] += 1;
    }
    assert!(uses.iter().all(|[plain, negated]| plain + negated > 0));
    assert_eq!(uses.iter().flatten().sum::<u32>(), 3 * 93);
    let n_negated: u32 = uses.iter().map(|[_, negated]| negated).sum();
    assert!((100..180).contains(&n_negated), "about half of 279: {n_negated}");
    // Even if there are too few clauses per variable to cover all variables, all are covered.
    let config =
        GenerateConfig { cnfonly: true, vars: 31, clauses: Ratio::whole(0), ..GenerateConfig::default() };
    assert_eq!(Generator::new(config).unwrap().formula(1).unwrap().n_clauses, 11);
}

#[test]
fn a_child_is_negated_in_a_quarter_of_the_cases() {
    let stats = stats(GenerateConfig { nodes: 1_000, noarrays: true, ..GenerateConfig::default() });
    let permille = 1_000 * stats.n_negated / stats.n_edges;
    assert!((235..265).contains(&permille), "{permille}");
}

/// Nodes of a file, and how many of them have more than one parent.
fn sharing(config: &GenerateConfig, seed: u64) -> (usize, usize) {
    let file = BtorFile::read(&text(config, FormulaFormat::Btor, seed), BtorDialect::Btor);
    let mut parents = vec![Vec::new(); file.lines().len()];
    for line in file.line_ids() {
        for child in file.operands(file.line(line)).iter().filter_map(|operand| operand.line) {
            parents[child.index()].push(line);
            parents[child.index()].dedup();
        }
    }
    (parents.len(), parents.iter().filter(|parents| parents.len() > 1).count())
}

/// "The probability of a node having more than one parent node; for lower values more tree like structures" (section 2.3.1): sharing
/// grows with the tendency, and a tendency of 0 gives none.
#[test]
fn sharing_grows_with_the_dag_tendency() {
    let n_seeds = if std::env::var_os("NUB_FULL").is_some() { 300 } else { 30 };
    for nodes in [100, 1000] {
        let mut last = -1.0;
        for dag in [0, 10, 25, 50, 75, 90, 100] {
            let config = GenerateConfig { nodes, dag, ..GenerateConfig::default() };
            let counts: Vec<(usize, usize)> = (0..n_seeds).map(|seed| sharing(&config, seed)).collect();
            let n_nodes: usize = counts.iter().map(|count| count.0).sum();
            let n_shared: usize = counts.iter().map(|count| count.1).sum();
            let share = n_shared as f64 / n_nodes as f64;
            assert!(share > last, "{nodes} nodes: {share} at {dag}, {last} before");
            assert!(dag > 0 || n_shared == 0, "{nodes} nodes: {n_shared} shared in trees");
            last = share;
        }
        assert!(last > 0.35, "{nodes} nodes: {last} at most");
    }
}

/// The same for formulas built in layers, and for formulas on bits only.
#[test]
fn trees_of_other_kinds() {
    for config in [
        GenerateConfig { dag: 0, noarrays: true, ..GenerateConfig::default() },
        GenerateConfig {
            dag: 0,
            nodes: 300,
            all: true,
            more_ops: true,
            maxwidth: 40,
            ..GenerateConfig::default()
        },
        GenerateConfig { dag: 0, nodes: 200, arrays: 5, writes: 30, ..GenerateConfig::default() },
        GenerateConfig { dag: 0, nodes: 200, status: Some(ExpectedStatus::Sat), ..GenerateConfig::default() },
    ] {
        for seed in 0..20 {
            assert_eq!(sharing(&config, seed).1, 0, "{config:?}, seed {seed}");
        }
    }
}
