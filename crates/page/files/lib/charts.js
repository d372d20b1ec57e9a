// Lines over time, with uPlot: live, several runs at once.
import { h, s, fill, number } from './dom.js';

const COLOURS = ['#4f46e5', '#d9480f', '#0b7285', '#9c36b5', '#2b8a3e', '#c2255c', '#846200', '#1971c2'];
const DARK = ['#a5b4fc', '#fdba74', '#67e8f9', '#f0abfc', '#86efac', '#fda4af', '#fde047', '#93c5fd'];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** Colour and dashes of a series: the same in the legend and the chart, and different for each of the first 32. */
export const colour = (index) => (document.documentElement.dataset.theme === 'dark' ? DARK : COLOURS)[index % COLOURS.length];
const dashes = (index) => DASHES[(index + Math.floor(index / COLOURS.length)) % DASHES.length];

/** A sample of the line of a series. */
export const swatch = (index) => s('svg', { class: 'swatch', viewBox: '0 0 28 10', 'aria-hidden': 'true' }, s('line', { x1: 0, x2: 28, y1: 5, y2: 5, stroke: colour(index), 'stroke-width': 2.5, 'stroke-dasharray': dashes(index).join(' ') || undefined }));

/** A number that fits next to an axis: 400k. */
const inShort = (value) => (value >= 1e6 ? `${+(value / 1e6).toFixed(2)}M` : value >= 1e4 ? `${+(value / 1e3).toFixed(1)}k` : number(value));

export class LineChart {
  /** `legend: false`: the legend is elsewhere. */
  constructor({ label, xLabel, yLabel, legend = true }) {
    this.options = { xLabel, yLabel, legend };
    this.box = h('div', { class: 'chart-box' });
    this.summary = h('p', { class: 'visually-hidden' });
    this.element = h('figure', { class: 'chart', role: 'figure', 'aria-label': label }, h('figcaption', {}, label), this.box, this.summary);
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.box);
  }

  /** Draws series: `{ name, points: [[x, y], …], at }`, as steps; `at` is the number of its colour. */
  setSeries(series, { isLogarithmic = false } = {}) {
    this.series = series;
    this.isLogarithmic = isLogarithmic;
    const tables = series.map(({ points }) => [points.map(([x]) => x), points.map(([, y]) => y)]);
    const data = tables.length === 0 ? [[0], [null]] : uPlot.join(tables);
    this.summary.textContent = series.map(({ name, points }) => `${name}: from ${number(points[0]?.[1])} to ${number(points.at(-1)?.[1])} in ${points.length} steps`).join('. ');
    const key = series.map(({ name }) => name).join('\n') + isLogarithmic + document.documentElement.dataset.theme;
    if (this.plot && this.key === key) this.plot.setData(data);
    else this.make(data, key);
  }

  make(data, key) {
    this.key = key;
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const axis = (label) => ({ label, labelSize: 16, size: 28, font: '11px system-ui', labelFont: '12px system-ui', stroke: style.getPropertyValue('--soft'), grid: { stroke: style.getPropertyValue('--line'), width: 1 }, ticks: { show: false } });
    const line = ({ name, at }, index) => ({ label: name, stroke: colour(at ?? index), width: 2, dash: dashes(at ?? index), paths: uPlot.paths.stepped({ align: 1 }), spanGaps: true, points: { show: false } });
    const series = [{ label: this.options.xLabel }, ...(this.series.length ? this.series.map(line) : [{ show: false }])];
    const { width, height } = this.extent();
    this.plot = new uPlot({ width, height, series, axes: [axis(this.options.xLabel), { ...axis(this.options.yLabel), size: 48, values: (_, values) => values.map(inShort) }], scales: { x: { time: false, ...(this.isLogarithmic ? { distr: 3 } : {}) }, y: { range: (_, low, high) => [0, Math.max(1, high * 1.05)] } }, legend: { show: this.hasLegend() }, focus: { alpha: 0.25 }, cursor: { points: { size: 6 } } }, data, fill(this.box));
  }

  hasLegend() {
    return this.options.legend && this.series?.length > 1;
  }

  /** Fades all series except one; none if it does not exist. */
  focus(name) {
    const index = this.series?.findIndex((series) => series.name === name) ?? -1;
    this.plot?.setSeries(index < 0 ? null : index + 1, { focus: true });
  }

  extent() {
    const legend = this.hasLegend() ? 32 : 0;
    return { width: Math.max(200, this.box.clientWidth), height: Math.max(120, this.box.clientHeight - legend) };
  }

  fit() {
    if (this.plot && this.box.clientWidth > 0) this.plot.setSize(this.extent());
  }
}
