//! The order in which the blocks of a function are executed: a weak topological order (Bourdoncle 1993).
//!
//! Blocks form a sequence. Loops are nested intervals of it, each starting with its head. An edge leads forwards, or back to the head of a loop that
//! contains its block. So when it is a block's turn, all paths that lead to it in this iteration have arrived and are merged at once. Loops that are
//! entered in the middle by `goto` are not a special case: in the first iteration no path reaches their head.
//!
//! Loops are found as strongly connected components, then again inside each without the edges to its head: O(edges × nesting).

use nub_c_ir::{BasicBlock, BlockId, DecisionId, DecisionKind, Function, LoopId, Program, TerminatorKind};

/// An entry of the sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    /// A block.
    Block(BlockId),
    /// A loop begins: its number in [`Plan::loops`].
    Open(usize),
    /// It ends.
    Close(usize),
}

/// A loop of the graph.
#[derive(Clone, Debug)]
pub(crate) struct PlannedLoop {
    pub head: BlockId,
    /// The position of [`Item::Open`].
    pub open: usize,
    /// The position of [`Item::Close`].
    pub close: usize,
    /// The loop of the source with this head.
    pub source: Option<LoopId>,
    /// The decision whether there is another iteration.
    pub decision: Option<DecisionId>,
    /// For `while` and `for`: the blocks that evaluate the condition, sorted. Empty if the condition comes last or there is none.
    pub condition: Vec<BlockId>,
}

/// The order of execution of a function.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub items: Vec<Item>,
    pub loops: Vec<PlannedLoop>,
    /// The position of each block in `items`.
    pub positions: Vec<usize>,
}

impl Plan {
    pub(crate) fn new(program: &Program, function: &Function) -> Plan {
        let graph = Graph::new(function);
        let mut plan =
            Plan { items: Vec::new(), loops: Vec::new(), positions: vec![0; function.blocks.len()] };
        enum Task {
            Region(Vec<BlockId>),
            Item(Item),
        }
        let mut tasks = vec![Task::Region(graph.order.clone())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Item(item) => plan.push(item),
                Task::Region(blocks) => {
                    let first = tasks.len();
                    for component in graph.components(&blocks) {
                        if !graph.is_loop(&component) {
                            tasks.extend(component.iter().map(|block| Task::Item(Item::Block(*block))));
                            continue;
                        }
                        let number = plan.loops.len();
                        // The components are sorted in the order of the graph: the first is where control enters.
                        plan.loops.push(planned(program, function, &graph, &component));
                        tasks.push(Task::Item(Item::Open(number)));
                        tasks.push(Task::Item(Item::Block(component[0])));
                        tasks.push(Task::Region(component[1..].to_vec()));
                        tasks.push(Task::Item(Item::Close(number)));
                    }
                    tasks[first..].reverse();
                }
            }
        }
        plan
    }

    fn push(&mut self, item: Item) {
        match item {
            Item::Block(block) => self.positions[block.index()] = self.items.len(),
            Item::Open(number) => self.loops[number].open = self.items.len(),
            Item::Close(number) => self.loops[number].close = self.items.len(),
        }
        self.items.push(item);
    }

    /// Whether the block is in the loop.
    pub(crate) fn contains(&self, number: usize, block: BlockId) -> bool {
        let found = &self.loops[number];
        (found.open..found.close).contains(&self.positions[block.index()])
    }
}

fn planned(program: &Program, function: &Function, graph: &Graph, component: &[BlockId]) -> PlannedLoop {
    let head = component[0];
    let source = function.loops.iter().position(|found| found.header == head);
    let decision = source.and_then(|source| {
        let statement = function.loops[source].statement;
        let is_loop =
            |kind: DecisionKind| matches!(kind, DecisionKind::While | DecisionKind::Do | DecisionKind::For);
        let mut found = component.iter().filter_map(|block| tested(&function.blocks[block.index()]));
        found.find(|id| {
            let decision = &program.decisions[id.index()];
            decision.statement == statement && is_loop(decision.kind)
        })
    });
    let comes_first = decision.is_some_and(|id| program.decisions[id.index()].kind != DecisionKind::Do);
    let condition = match decision {
        Some(decision) if comes_first => graph.condition(function, component, decision),
        _ => Vec::new(),
    };
    let source = source.and_then(|source| u32::try_from(source).ok()).map(LoopId);
    PlannedLoop { head, open: 0, close: 0, source, decision, condition }
}

/// The decision that is tested at the end of a block.
fn tested(block: &BasicBlock) -> Option<DecisionId> {
    match &block.terminator.kind {
        TerminatorKind::Branch { test, .. } => test.map(|test| test.decision),
        _ => None,
    }
}

struct Graph {
    successors: Vec<Vec<BlockId>>,
    /// Reachable blocks in reverse postorder; the first branch target comes before the second.
    order: Vec<BlockId>,
    /// The place of each block in `order`.
    rank: Vec<usize>,
}

impl Graph {
    fn new(function: &Function) -> Graph {
        let successors: Vec<Vec<BlockId>> =
            function.blocks.iter().map(|block| block.terminator.kind.successors()).collect();
        let mut graph = Graph { rank: vec![usize::MAX; successors.len()], successors, order: Vec::new() };
        graph.order = graph.reverse_postorder();
        for (rank, block) in graph.order.iter().enumerate() {
            graph.rank[block.index()] = rank;
        }
        graph
    }

    fn reverse_postorder(&self) -> Vec<BlockId> {
        let mut seen = vec![false; self.successors.len()];
        let mut order = Vec::new();
        let mut stack = Vec::new();
        if let Some(first) = seen.first_mut() {
            *first = true;
            stack.push((BlockId(0), self.successors[0].len()));
        }
        // Successors are visited last to first, so that the reversed order starts with the first one.
        while let Some((block, left)) = stack.last_mut() {
            if *left == 0 {
                order.push(*block);
                stack.pop();
                continue;
            }
            *left -= 1;
            let next = self.successors[block.index()][*left];
            if !std::mem::replace(&mut seen[next.index()], true) {
                stack.push((next, self.successors[next.index()].len()));
            }
        }
        order.reverse();
        order
    }

    fn is_loop(&self, component: &[BlockId]) -> bool {
        component.len() > 1 || self.successors[component[0].index()].contains(&component[0])
    }

    /// Strongly connected components of the graph on these blocks alone, in topological order, each sorted by rank. Tarjan's
    /// algorithm with an explicit stack. It finds sinks first; everything is visited from last to first, so that reversing gives the order of the source.
    fn components(&self, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
        let mut search = Search::new(self.successors.len(), blocks);
        for root in blocks.iter().rev() {
            search.run(self, *root);
        }
        let mut found = search.found;
        for component in &mut found {
            component.sort_unstable_by_key(|block| self.rank[block.index()]);
        }
        found.reverse();
        found
    }

    /// Blocks of the loop from which the test of its condition is reached without passing the head again.
    fn condition(&self, function: &Function, component: &[BlockId], decision: DecisionId) -> Vec<BlockId> {
        let head = component[0];
        let mut before = vec![Vec::new(); self.successors.len()];
        for from in component {
            for to in self.successors[from.index()].iter().filter(|to| **to != head) {
                before[to.index()].push(*from);
            }
        }
        let mut is_inside = vec![false; self.successors.len()];
        component.iter().for_each(|block| is_inside[block.index()] = true);
        let mut found = Vec::new();
        let mut todo: Vec<BlockId> = component.to_vec();
        todo.retain(|block| tested(&function.blocks[block.index()]) == Some(decision));
        while let Some(block) = todo.pop() {
            if std::mem::replace(&mut is_inside[block.index()], false) {
                found.push(block);
                todo.extend_from_slice(&before[block.index()]);
            }
        }
        found.sort_unstable();
        found
    }
}

/// A search for components.
struct Search {
    is_member: Vec<bool>,
    /// The time of the first visit, from 1.
    visited: Vec<u32>,
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<BlockId>,
    time: u32,
    found: Vec<Vec<BlockId>>,
}

impl Search {
    fn new(n_blocks: usize, blocks: &[BlockId]) -> Search {
        let mut is_member = vec![false; n_blocks];
        blocks.iter().for_each(|block| is_member[block.index()] = true);
        Search {
            is_member,
            visited: vec![0; n_blocks],
            low: vec![0; n_blocks],
            is_open: vec![false; n_blocks],
            open: Vec::new(),
            time: 0,
            found: Vec::new(),
        }
    }

    fn enter(&mut self, block: BlockId) {
        self.time += 1;
        self.visited[block.index()] = self.time;
        self.low[block.index()] = self.time;
        self.is_open[block.index()] = true;
        self.open.push(block);
    }

    fn run(&mut self, graph: &Graph, root: BlockId) {
        if self.visited[root.index()] != 0 {
            return;
        }
        let mut stack = vec![(root, graph.successors[root.index()].len())];
        self.enter(root);
        while let Some((block, left)) = stack.last_mut() {
            let block = *block;
            if *left > 0 {
                *left -= 1;
                let next = graph.successors[block.index()][*left];
                if !self.is_member[next.index()] {
                    continue;
                }
                if self.visited[next.index()] == 0 {
                    self.enter(next);
                    stack.push((next, graph.successors[next.index()].len()));
                } else if self.is_open[next.index()] {
                    self.low[block.index()] = self.low[block.index()].min(self.visited[next.index()]);
                }
                continue;
            }
            stack.pop();
            if let Some((parent, _)) = stack.last() {
                self.low[parent.index()] = self.low[parent.index()].min(self.low[block.index()]);
            }
            self.close(block);
        }
    }

    /// The block is done; if it is the first of its component, the component is found.
    fn close(&mut self, block: BlockId) {
        if self.low[block.index()] != self.visited[block.index()] {
            return;
        }
        let mut component = Vec::new();
        while let Some(last) = self.open.pop() {
            self.is_open[last.index()] = false;
            component.push(last);
            if last == block {
                break;
            }
        }
        self.found.push(component);
    }
}
