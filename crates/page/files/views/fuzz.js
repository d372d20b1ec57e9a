// A campaign: what was tried, what was found, which solvers disagree.
import { h, fill, number, count, copy } from '../lib/dom.js';
import { attempt, getSession, paste, report } from '../lib/api.js';
import { split, tabs } from '../lib/panes.js';
import { CommandLine, JobBar, failureOf, getJob, isLive, startJob, watchJob } from '../lib/job.js';
import { addCommands } from '../lib/palette.js';
import { TextView } from '../lib/text.js';
import { LineChart } from '../lib/charts.js';
import { go, remember } from '../main.js';

const FIELDS = [['generate', 'What to generate', 'text', 'smt2:bv,arrays or btor or dimacs'], ['nodes', 'Nodes of each input', 'number', 'any'], ['vars', 'Variables', 'number', 'any'], ['maxwidth', 'Largest width', 'number', 'any'], ['seed', 'First seed', 'number', '1'], ['timeout', 'Time limit per run (s)', 'number', '5'], ['max_time', 'Total time limit (s)', 'number', 'until stopped'], ['max_inputs', 'Maximum number of inputs', 'number', 'no limit'], ['max_groups', 'Stop after this many bugs', 'number', 'no limit']];
/** Points of a curve. */
const MOST_POINTS = 400;
const SEVERITY = (value) => (value >= 8 ? ['bad', 'unsound'] : value >= 5 ? ['warn', 'crash'] : ['', 'minor']);

class FuzzView {
  constructor(main, params) {
    this.main = main;
    this.params = params;
    this.leave = [];
    this.bar = new JobBar();
    this.text = new TextView({ label: 'Reduced file' });
    this.rate = new LineChart({ label: 'Inputs against time', xLabel: 'seconds', yLabel: 'inputs' });
  }

  async show() {
    this.makeForm();
    this.notice = h('div', {});
    this.facts = h('dl', { class: 'facts' });
    this.groups = h('tbody');
    this.solvers = h('div', { class: 'stack' });
    this.operators = h('div', { class: 'stack' });
    this.detail = h('div', { class: 'stack detail' }, h('p', { class: 'empty' }, 'Select a bug to see its reduced file and the answer of each solver.'));
    this.tabs = tabs([
      { id: 'run', title: 'Run', panel: this.form },
      { id: 'campaign', title: 'Campaign', panel: h('div', { class: 'stack' }, this.facts, this.rate.element, this.solvers) },
      { id: 'operators', title: 'Operators', panel: this.operators },
    ], { label: 'Fuzz', first: this.params.tab ?? (this.params.job || this.params.start ? 'campaign' : 'run'), onChange: (tab) => remember({ tab }) });
    const table = this.table = h('div', { class: 'scroll grow', tabindex: 0, role: 'region', 'aria-label': 'Bugs' }, h('table', {}, h('caption', { class: 'visually-hidden' }, 'Bugs, the worst first'), h('thead', {}, h('tr', {}, ['Severity', 'What', 'Solver', 'Findings', 'Size'].map((title) => h('th', { scope: 'col' }, title)))), this.groups));
    this.empty = h('p', { class: 'empty' }, 'No bug yet.');
    table.hidden = true;
    const found = h('div', { class: 'views' }, h('div', { class: 'pane-bar' }, h('h2', {}, 'Bugs'), this.count = h('span', { class: 'soft', role: 'status' })), this.empty, table);
    const side = h('div', { class: 'side' }, h('div', { class: 'side-head' }, h('h1', {}, 'Fuzz'), this.bar.element), this.notice, this.tabs);
    fill(this.main, split(split(found, this.detail, { direction: 'column', share: 38, name: 'fuzz-left' }), side, { share: 58, name: 'fuzz' }));
    this.leave.push(addCommands(() => report ? [] : [{ title: 'Fuzz: start', run: () => this.start(this.value()) }, { title: 'Fuzz: stop', run: () => this.bar.stop.click() }]));
    if (this.params.job) await this.openJob(this.params.job);
    else if (this.params.start) await this.start(this.value());
    return () => this.leave.forEach((call) => call());
  }

  makeForm() {
    const chosen = new Set((this.params.solvers ?? '').split(','));
    this.checks = getSession().programs.map(({ name, command }) => [name, h('input', { type: 'checkbox', value: name, ...(chosen.has(name) ? { checked: true } : {}) }), command]);
    this.inputs = FIELDS.map(([name, title, type, hint]) => [name, title, type, h('input', { type, name, min: 0, value: this.params[name] ?? '', placeholder: hint })]);
    this.command = new CommandLine();
    this.startButton = h('button', { class: 'primary', type: 'submit' }, 'Start campaign');
    this.form = h('form', { class: 'stack', onsubmit: (event) => { event.preventDefault(); this.start(this.value()); } },
      h('fieldset', { class: 'stack', disabled: report !== undefined }, h('legend', {}, 'Solvers: they check each other, and the built-in solver checks them all'), h('div', { class: 'strategies' }, this.checks.map(([name, input, command]) => h('label', { class: 'strategy', title: command }, input, h('strong', {}, name))))),
      h('fieldset', { class: 'grid2', disabled: report !== undefined }, h('legend', { class: 'visually-hidden' }, 'Inputs and limits'), this.inputs.map(([, title, , input]) => h('label', { class: 'field' }, title, input))),
      h('p', { class: 'soft' }, 'Bugs are crashes (“assertion”, “segmentation fault”), hangs, wrong answers and invalid models. Each one is reduced automatically.'),
      this.command.element, h('div', { class: 'row actions live-only' }, this.startButton));
    this.form.addEventListener('change', () => this.command.changed(this.value()));
    this.command.update(this.value());
  }

  value() {
    const value = { kind: 'fuzz', solvers: this.checks.filter(([, input]) => input.checked).map(([name]) => name) };
    for (const [name, , type, input] of this.inputs) if (input.value !== '') value[name] = type === 'number' ? Number(input.value) : input.value;
    return value;
  }

  async start(form) {
    const job = await startJob(form);
    if (!job) return;
    this.bar.clear();
    remember({ job: job.id, start: undefined });
    this.params.job = job.id;
    this.tabs.show('campaign');
    await this.openJob(job.id);
  }

  async openJob(id) {
    const job = await attempt(getJob(id));
    if (!job) return;
    this.stopWatching?.();
    const { form } = job;
    for (const [name, input] of this.checks) input.checked = form.solvers.includes(name);
    for (const [name, , , input] of this.inputs) input.value = form[name] ?? '';
    this.command.typed(job.folder ? job.command : '');
    this.command.update(this.value());
    this.curve = [[0, 0]];
    this.stopWatching = watchJob(id, (state) => { if (this.params.job === id) this.update(state); });
    this.leave.push(() => this.stopWatching());
  }

  update({ summary, lines, progress }) {
    this.bar.set(summary);
    const live = isLive(summary.phase);
    this.startButton.disabled = live;
    fill(this.notice, failureOf(lines));
    const groups = new Map();
    for (const line of lines) {
      if (line.type === 'found' || line.type === 'reduced') groups.set(line.id, line);
      for (const group of line.groups ?? []) groups.set(group.id, { ...groups.get(group.id), ...group });
    }
    this.isLive = live;
    this.showGroups([...groups.values()].sort((a, b) => b.severity - a.severity));
    const campaign = lines.findLast((line) => line.type === 'campaign');
    const now = live && progress ? { ...progress, seconds: Date.now() / 1000 - summary.started } : campaign;
    this.addPoint(now);
    this.showFacts(now, groups.size, live);
    if (campaign) this.showCampaign(campaign, [...groups.values()]);
  }

  /** The curve, with at most a few hundred points, however long the campaign runs. */
  addPoint(state) {
    if (!state || state.seconds <= this.curve.at(-1)[0]) return;
    this.curve.push([state.seconds, state.inputs]);
    if (this.curve.length > MOST_POINTS) this.curve = this.curve.filter((_, index) => index % 2 === 0 || index === this.curve.length - 1);
    this.rate.setSeries([{ name: 'inputs', points: this.curve }]);
  }

  showFacts(state, nGroups, live) {
    const fact = (name, value, kind) => h('div', { class: kind }, h('dt', {}, name), h('dd', {}, value));
    const { inputs, seconds } = state ?? {};
    fill(this.facts, fact('Inputs', number(inputs ?? 0)), fact(live ? 'Time' : 'Search time', seconds === undefined ? '–' : `${seconds.toFixed(1)} s`), fact('Rate', inputs && seconds ? `${(inputs / seconds).toFixed(1)} per second` : '–'), fact('Bugs', number(nGroups)), state?.reducing !== undefined && fact('Being reduced', number(state.reducing)), state?.flaky !== undefined && fact('Not reproduced', number(state.flaky)), live && fact('State', 'Running; bugs appear on the left as they are found.', 'wide'));
    this.count.textContent = count(nGroups, 'bug');
    this.empty.hidden = nGroups > 0;
    this.table.hidden = nGroups === 0;
  }

  showGroups(groups) {
    const row = (group) => h('tr', { class: ['clickable', group.id === this.chosen && 'chosen'], onclick: () => this.choose(group) }, h('td', {}, h('span', { class: ['badge', SEVERITY(group.severity)[0]] }, group.kind)), h('td', {}, h('button', { class: 'small quiet left', onclick: () => this.choose(group) }, group.title)), h('td', {}, group.solver), h('td', { class: 'number' }, group.members), h('td', { class: 'number' }, group.bytes_after ? `${number(group.bytes_before)} → ${number(group.bytes_after)}` : this.isLive ? 'being reduced' : 'not reduced yet'));
    fill(this.groups, groups.map(row));
    const chosen = groups.find((group) => group.id === (this.chosen ?? this.params.bug));
    if (chosen && contentOf(chosen) !== this.shown) this.choose(chosen);
    else if (!this.chosen && groups[0]?.text) this.choose(groups[0]);
  }

  choose(group) {
    this.chosen = group.id;
    this.shown = contentOf(group);
    remember({ bug: group.id });
    for (const row of this.groups.children) row.classList.toggle('chosen', row.textContent.includes(group.title));
    this.text.setText(group.text ?? '', 'smt2');
    const open = async (view) => {
      const saved = await attempt(paste(`${group.name}.smt2`, group.text));
      const program = getSession().programs.some(({ name }) => name === group.solver) ? group.solver : undefined;
      if (saved) go(view, { file: saved.path, panes: 'graph text', program, replay: program && '1', tab: 'console' });
    };
    const issue = issueText(group);
    fill(this.detail, h('div', { class: 'pane-bar' }, h('h2', { class: 'grow' }, group.title), h('button', { class: 'small live-only', title: 'Opens the reduced file in Reduce, draws its graph and runs the solver on it', disabled: !group.text, onclick: () => open('/reduce') }, 'Graph and replay'), h('button', { class: 'small', onclick: () => copy(issue) }, 'Copy report')),
      h('div', { class: 'bug' }, group.text ? this.text.element : h('p', { class: 'empty grow' }, this.isLive ? 'Its input is being reduced; the result will appear here.' : 'Its input was not reduced before the campaign ended. “Continue” reduces it.'), h('div', { class: 'said', tabindex: 0, role: 'region', 'aria-label': 'Answers of the solvers' }, h('h3', {}, 'Answers of the solvers'), h('table', { class: 'answers' }, h('tbody', {}, (group.said ?? []).map(([who, what]) => h('tr', {}, h('td', { class: 'mono' }, who), h('td', { class: 'mono' }, what))))), h('p', { class: 'soft' }, `Unit ${group.unit}, seed ${group.seed}. `, group.note || ''), h('details', {}, h('summary', {}, 'Report for an issue tracker'), h('pre', { class: 'mono issue' }, issue)))));
  }

  showCampaign(campaign, groups) {
    const columns = ['sat', 'unsat', 'unknown', 'timeouts', 'other'];
    const row = (solver) => h('tr', {}, h('td', {}, solver.name), columns.map((name) => h('td', { class: 'number' }, number(solver[name]))), h('td', { class: 'number' }, `${solver.seconds.toFixed(1)} s`));
    fill(this.solvers, h('h2', {}, 'Solvers'), h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Solver'), [...columns, 'time'].map((name) => h('th', { scope: 'col', class: 'number' }, name)))), h('tbody', {}, campaign.solvers.map(row))), this.disagreement(campaign, groups));
    this.showOperators(campaign);
  }

  /** The operators that occurred, by solver: how many inputs had the operator (darker for more), and how many of those the solver decided. */
  showOperators(campaign) {
    const names = [...new Set(campaign.solvers.flatMap((solver) => Object.keys(solver.operators ?? {})))].sort();
    const most = Math.max(1, ...campaign.solvers.flatMap((solver) => Object.values(solver.operators ?? {}).map(([given]) => given)));
    const cell = (solver, name) => {
      const [given, decided] = solver.operators?.[name] ?? [0, 0];
      const share = given === 0 ? 0 : 0.15 + 0.85 * (Math.log1p(given) / Math.log1p(most));
      return h('td', { class: ['number', 'heat-cell', given > 0 && decided === 0 && 'undecided'], style: { '--heat': `${Math.round(60 * share)}%` }, title: `${solver.name} decided ${decided} of ${given} inputs with ${name}` }, given === 0 ? '–' : `${number(decided)} / ${number(given)}`);
    };
    const missing = campaign.operators_missing;
    fill(this.operators, h('p', {}, `${campaign.operators} of ${campaign.operators_of} operators occurred in the inputs. A cell shows how many of the inputs with the operator the solver decided.`),
      names.length > 0 && h('table', { class: 'heat-map' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Operator'), campaign.solvers.map((solver) => h('th', { scope: 'col', class: 'number' }, solver.name)))), h('tbody', {}, names.map((name) => h('tr', {}, h('th', { scope: 'row', class: 'mono' }, name), campaign.solvers.map((solver) => cell(solver, name)))))),
      missing.length > 0 && [h('h2', {}, 'Not tried yet'), h('div', { class: 'heat' }, missing.map((name) => h('span', { class: 'cell cold mono' }, name)))]);
  }

  /** Which solvers disagree, by their answers to the inputs of the bugs. */
  disagreement(campaign, groups) {
    const names = campaign.solvers.map(({ name }) => name);
    const nameOf = (text) => names.find((name) => text === name || text.startsWith(`${name} `)) ?? text;
    const pairs = new Map();
    for (const group of groups) for (const [a, x] of group.said ?? []) for (const [b, y] of group.said ?? []) if (['sat', 'unsat'].includes(x) && ['sat', 'unsat'].includes(y) && x !== y) pairs.set(`${nameOf(a)}\n${nameOf(b)}`, (pairs.get(`${nameOf(a)}\n${nameOf(b)}`) ?? 0) + 1);
    const most = Math.max(1, ...pairs.values());
    const cell = (a, b) => {
      const n = pairs.get(`${a}\n${b}`) ?? 0;
      return h('td', { class: ['number', n > 0 && 'hot-cell'], style: { opacity: n > 0 ? 0.5 + (0.5 * n) / most : 1 } }, a === b ? '·' : n);
    };
    return [h('h2', {}, 'Which solvers disagree'), h('table', {}, h('thead', {}, h('tr', {}, h('td', {}), names.map((name) => h('th', { scope: 'col', class: 'number' }, name)))), h('tbody', {}, names.map((a) => h('tr', {}, h('th', { scope: 'row' }, a), names.map((b) => cell(a, b))))))];
  }
}

/** What is shown of a bug; it is redrawn if this changes. */
const contentOf = (group) => [group.text, group.command, group.bytes_after].join('\n');

/** The command that fails on the reduced file. While a campaign runs, only the name of the solver is known. */
function commandOf(group) {
  if (/reduced\.\w+/.test(group.command)) return group.command.replace(/'?[^\s']*reduced(\.\w+)'?/, 'reduced$1');
  return `${getSession().programs.find(({ name }) => name === group.solver)?.command ?? group.solver} reduced.smt2`;
}

/** A report for an issue tracker, in Markdown. */
function issueText(group) {
  const said = (group.said ?? []).map(([who, what]) => `- ${who}: ${what}`).join('\n');
  return `# ${group.title}\n\n## To reproduce\n\n    ${commandOf(group)}\n\nwith \`reduced.smt2\`:\n\n\`\`\`\n${(group.text ?? '').trimEnd()}\n\`\`\`\n\n## What the solvers answered on the original input\n\n${said}\n\nFound by nub in unit ${group.unit}, seed ${group.seed}; reduced from ${group.bytes_before} to ${group.bytes_after} bytes with ${group.asks} test runs.\n`;
}

export const show = (main, params) => new FuzzView(main, params).show();
