// A layered graph: zoom, pan, search, and for large ones the neighbourhood of a node.
import { h, s, fill, download, count } from './dom.js';
import { report } from './api.js';

/** Graphs of up to this many nodes are drawn completely; of larger ones only a neighbourhood. */
const WHOLE = 400;
/** Graphs of up to this many nodes are drawn completely on request. */
const MOST = 3000;
/** Nodes of a neighbourhood. */
const NEAR = 48;
/** Maximum number of users of a node in a neighbourhood: a variable may have thousands, which would hide everything else. */
const NEAR_USERS = 4;
const CENTER_USERS = 30;
const HEIGHT = 30;
/** Nodes that are drawn smaller than this cannot be read. */
const READABLE = 0.4;

const worker = report ? undefined : new Worker('/assets/lib/graph_worker.js', { type: 'module' });
const waiting = new Map();
let tickets = 0;
if (worker) {
  worker.onmessage = ({ data }) => {
    waiting.get(data.ticket)?.(data);
    waiting.delete(data.ticket);
  };
}

/** Lays out nodes (`index`, `width`, `height`) and edges (`from`, `to`, `name`). A report has small graphs, laid out without a worker. */
export async function layered(nodes, edges) {
  if (!worker) return (await import('./layering.js')).layOut({ nodes, edges });
  const ticket = (tickets += 1);
  return new Promise((resolve) => {
    waiting.set(ticket, resolve);
    worker.postMessage({ ticket, nodes, edges });
  });
}

export class GraphView {
  /** `onNode(node)` is called when a node is selected. */
  constructor({ label, onNode, fileName } = {}) {
    this.onNode = onNode;
    this.fileName = fileName ?? 'graph';
    this.layer = s('g');
    this.svg = s('svg', { class: 'graph', tabindex: 0, role: 'application', 'aria-roledescription': 'graph', 'aria-label': label ?? 'Graph' }, arrows(), this.layer);
    this.search = h('input', { type: 'search', placeholder: 'Node id or name', 'aria-label': 'Find a node by id or name', size: 16, onkeydown: (event) => event.key === 'Enter' && this.find(this.search.value.trim()) });
    this.status = h('span', { class: 'soft', role: 'status' });
    this.all = h('button', { class: 'small', onclick: () => this.drawAll(true) }, 'Draw all');
    const tool = (text, title, call) => h('button', { class: 'small', title, 'aria-label': title, onclick: call }, text);
    this.bar = h('div', { class: 'pane-bar' }, this.search, tool('+', 'Zoom in', () => this.zoom(1.25)), tool('−', 'Zoom out', () => this.zoom(0.8)), tool('Fit', 'Fit the graph into the pane', () => this.fit()), this.all,
      this.status, h('span', { class: 'right' }), tool('SVG', 'Save as SVG', () => this.saveSvg()), tool('DOT', 'Save as DOT', () => download(`${this.fileName}.dot`, this.dot(), 'text/vnd.graphviz')));
    this.element = h('div', { class: 'graph-pane' }, this.bar, this.svg);
    this.view = { x: 0, y: 0, scale: 1 };
    this.listen();
  }

  /** Shows a graph: `nodes` with `id`, `label`, `sort`, `kind`, `line`, `edges` of `{ to, negated }`. */
  async setGraph(graph) {
    this.graph = graph;
    this.users = graph.nodes.map(() => []);
    graph.nodes.forEach((node, from) => node.edges.forEach((edge) => this.users[edge.to].push(from)));
    this.chosen = undefined;
    await this.drawAll(false);
  }

  async drawAll(isAsked) {
    const n = this.graph.nodes.length;
    if (n <= (isAsked ? MOST : WHOLE)) await this.draw([...this.graph.nodes.keys()]);
    else await this.near(this.chosen ?? Math.max(0, this.graph.nodes.findLastIndex((node) => node.kind === 'root')));
  }

  /** The nodes around one node, nearest first. */
  async near(center) {
    const seen = new Set([center]);
    for (const index of seen) {
      if (seen.size >= NEAR) break;
      const users = this.users[index].slice(0, index === center ? CENTER_USERS : NEAR_USERS);
      for (const next of [...this.graph.nodes[index].edges.map((edge) => edge.to), ...users]) if (seen.size < NEAR) seen.add(next);
    }
    await this.draw([...seen].sort((a, b) => a - b));
    if (!this.fits() && this.users[center].length > 0) this.center(center);
    else if (!this.fits()) this.fromTop(center);
  }

  async draw(shown) {
    const { nodes } = this.graph;
    const set = new Set(shown);
    this.shown = set;
    const boxes = shown.map((index) => ({ index, width: Math.max(48, caption(nodes[index]).length * 7.3 + 20), height: HEIGHT }));
    const edges = shown.flatMap((from) => nodes[from].edges.map((edge, at) => ({ from, to: edge.to, name: String(at), negated: edge.negated, flag: edge.flag }))).filter((edge) => set.has(edge.to));
    this.status.textContent = 'Drawing…';
    const made = await layered(boxes, edges);
    this.size = made;
    const widths = new Map(boxes.map((box) => [box.index, box.width]));
    fill(this.layer, made.lines.map((line) => drawEdge(line, nodes)), made.places.map((place) => this.drawNode(place, widths.get(place.index))));
    this.all.hidden = shown.length === nodes.length || nodes.length > MOST;
    this.status.textContent = this.statusText(shown.length, nodes.length);
    this.status.title = shown.length < nodes.length ? 'Click a node to see those around it.' : '';
    this.places = new Map(made.places.map((place) => [place.index, place]));
    this.fit();
    if (this.view.scale < READABLE) this.fromTop(shown[0]);
    this.mark();
  }

  /** A graph that does not fit is shown from its first node on, large enough to read. */
  fromTop(index) {
    const place = this.places.get(index);
    if (!place) return;
    const scale = 0.8;
    this.view = { scale, x: this.svg.clientWidth / 2 - place.x * scale, y: Math.max(16, this.svg.clientHeight / 4) - place.y * scale };
    this.apply();
  }

  statusText(shown, all) {
    if (all === 0) return 'This file has no terms to draw.';
    return shown === all ? count(all, 'node') : `${shown} of ${count(all, 'node')}`;
  }

  drawNode({ index, x, y }, width) {
    const node = this.graph.nodes[index];
    const hidden = node.edges.filter((edge) => !this.shown.has(edge.to)).length + this.users[index].filter((user) => !this.shown.has(user)).length;
    const box = s('rect', { x: -width / 2, y: -HEIGHT / 2, width, height: HEIGHT, rx: node.kind === 'input' ? HEIGHT / 2 : 5 });
    const title = s('title', {}, `${node.id} ${caption(node)}${node.line ? `, line ${node.line}` : ''}${hidden ? `, ${hidden} more edges` : ''}`);
    const text = s('text', { 'text-anchor': 'middle', y: 4 }, caption(node));
    const id = s('text', { class: 'node-id', x: -width / 2 + 3, y: -HEIGHT / 2 - 3 }, node.id);
    return s('g', { class: ['node', node.kind, node.mark, hidden && 'open'].filter(Boolean).join(' '), 'data-index': index, 'data-id': node.id, transform: `translate(${x},${y})`, onclick: () => this.choose(index) }, title, box, text, id);
  }

  choose(index) {
    this.chosen = index;
    this.mark();
    this.onNode?.(this.graph.nodes[index]);
    const hasMore = this.graph.nodes[index].edges.some((edge) => !this.shown.has(edge.to)) || this.users[index].some((user) => !this.shown.has(user));
    if (hasMore) this.near(index).then(() => this.center(index));
  }

  /** Shows the node of a line, if there is one. Does not call `onNode`. */
  async goToLine(line) {
    const index = this.graph?.nodes.findIndex((node) => node.line === line) ?? -1;
    if (index >= 0) await this.show(index);
  }

  async show(index) {
    this.chosen = index;
    if (!this.shown.has(index)) await this.near(index);
    this.mark();
    this.center(index);
  }

  async find(text) {
    const { nodes } = this.graph;
    let index = nodes.findIndex((node) => node.id === text);
    if (index < 0) index = nodes.findIndex((node) => node.label.includes(text));
    if (text === '' || index < 0) {
      this.status.textContent = `There is no node “${text}”.`;
      return;
    }
    await this.show(index);
    this.onNode?.(nodes[index]);
  }

  mark() {
    const edges = new Set();
    if (this.chosen !== undefined) this.graph.nodes[this.chosen].edges.forEach((edge) => edges.add(edge.to));
    for (const element of this.layer.children) {
      const index = Number(element.dataset.index);
      element.classList.toggle('chosen', index === this.chosen);
      element.classList.toggle('operand', edges.has(index));
    }
  }

  listen() {
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = this.svg.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    let from;
    this.svg.addEventListener('pointerdown', (event) => { from = { x: event.clientX - this.view.x, y: event.clientY - this.view.y }; });
    this.svg.addEventListener('pointermove', (event) => {
      if (!from || event.buttons === 0) return;
      this.move(event.clientX - from.x - this.view.x, event.clientY - from.y - this.view.y);
    });
    this.svg.addEventListener('pointerup', () => { from = undefined; });
    this.svg.addEventListener('keydown', (event) => {
      const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (moves[event.key]) this.move(...moves[event.key]);
      else if (event.key === '+' || event.key === '=') this.zoom(1.25);
      else if (event.key === '-') this.zoom(0.8);
      else if (event.key === '0') this.fit();
      else if (event.key === 'n' || event.key === 'p') this.step(event.key === 'n' ? 1 : -1);
      else return;
      event.preventDefault();
    });
  }

  /** The next node in the order of the file, for keyboard users. */
  step(by) {
    const order = [...this.shown];
    const at = order.indexOf(this.chosen);
    this.choose(order[(at + by + order.length) % order.length]);
    this.center(this.chosen);
  }

  move(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.apply();
  }

  zoom(by, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const scale = Math.min(4, Math.max(0.03, this.view.scale * by));
    const ratio = scale / this.view.scale;
    this.view = { scale, x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * ratio };
    this.apply();
  }

  fit() {
    if (!(this.size?.width > 0)) return;
    const { clientWidth: width, clientHeight: height } = this.svg;
    const scale = Math.min(width > 1600 ? 2 : 1.2, Math.max(0.03, Math.min(width / this.size.width, height / this.size.height)));
    this.view = { scale, x: (width - this.size.width * scale) / 2, y: Math.max(4, (height - this.size.height * scale) / 2) };
    this.apply();
  }

  fits() {
    return this.size.width * this.view.scale <= this.svg.clientWidth + 1 && this.size.height * this.view.scale <= this.svg.clientHeight + 1;
  }

  center(index) {
    const place = this.places.get(index);
    if (!place) return;
    this.view.scale = Math.max(this.view.scale, 0.6);
    this.view.x = this.svg.clientWidth / 2 - place.x * this.view.scale;
    this.view.y = this.svg.clientHeight / 2 - place.y * this.view.scale;
    this.apply();
  }

  apply() {
    this.layer.setAttribute('transform', `translate(${this.view.x},${this.view.y}) scale(${this.view.scale})`);
  }

  /** A drawing that needs no style sheet. */
  svgText() {
    const copy = this.svg.cloneNode(true);
    copy.setAttribute('viewBox', `0 0 ${this.size.width} ${this.size.height}`);
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.querySelector('g').removeAttribute('transform');
    copy.prepend(s('style', {}, 'text{font:12px monospace;fill:#111}.node-id{font-size:9px;fill:#666}rect{fill:#fff;stroke:#444}.root rect{fill:#e8e8fd}.input rect{fill:#dcf3e4}.constant rect{fill:#fdeccd}path.edge{fill:none;stroke:#666}path.negated{stroke-dasharray:5 3}.dot{fill:#fff;stroke:#b42318}marker path{fill:#666}'));
    return new XMLSerializer().serializeToString(copy);
  }

  saveSvg() {
    download(`${this.fileName}.svg`, this.svgText(), 'image/svg+xml');
  }

  dot() {
    const quote = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const shapes = { root: 'house', input: 'ellipse', constant: 'plaintext' };
    const nodes = this.graph.nodes.map((node, index) => `  n${index} [label=${quote(`${node.id}: ${caption(node)}`)}, shape=${shapes[node.kind] ?? 'box'}];`);
    const edges = this.graph.nodes.flatMap((node, index) => node.edges.map((edge) => `  n${index} -> n${edge.to}${edge.negated ? ' [style=dashed, arrowhead=odot]' : ''};`));
    return `digraph {\n${nodes.join('\n')}\n${edges.join('\n')}\n}\n`;
  }
}

function caption(node) {
  const label = node.label.length > 40 ? `${node.label.slice(0, 39)}…` : node.label;
  return node.sort ? `${label} : ${node.sort}` : label;
}

function arrows() {
  return s('defs', {}, s('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, s('path', { d: 'M0 0L8 4L0 8z' })));
}

function drawEdge(line, nodes) {
  const [first, ...rest] = line.points;
  const d = `M${first.x},${first.y}${rest.map((point) => `L${point.x},${point.y}`).join('')}`;
  const end = line.points.at(-1);
  const label = line.flag ? s('text', { class: 'edge-label', x: line.points[1]?.x ?? end.x, y: (line.points[1]?.y ?? end.y) - 4 }, line.flag) : undefined;
  const title = s('title', {}, `${nodes[line.from].id} uses ${line.negated ? 'the complement of ' : ''}${nodes[line.to].id}`);
  return s('g', { class: ['link', line.mark].filter(Boolean).join(' ') }, title, s('path', { class: line.negated ? 'edge negated' : 'edge', d, 'marker-end': 'url(#arrow)' }), line.negated && s('circle', { class: 'dot', cx: end.x, cy: end.y - 4, r: 4 }), label);
}
