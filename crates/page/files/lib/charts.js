// Lines over time, with uPlot: live, several runs at once.
import { h, fill, number } from './dom.js';

const COLOURS = ['#4f46e5', '#d9480f', '#0b7285', '#9c36b5', '#2b8a3e', '#c2255c', '#846200', '#1971c2'];
const DARK = ['#a5b4fc', '#fdba74', '#67e8f9', '#f0abfc', '#86efac', '#fda4af', '#fde047', '#93c5fd'];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** Colours of a series: drawn alike in the legend and in the chart. */
export const colour = (index) => (document.documentElement.dataset.theme === 'dark' ? DARK : COLOURS)[index % COLOURS.length];

export class LineChart {
  constructor({ label, xLabel, yLabel }) {
    this.options = { xLabel, yLabel };
    this.box = h('div', { class: 'chart-box' });
    this.summary = h('p', { class: 'visually-hidden' });
    this.element = h('figure', { class: 'chart', role: 'figure', 'aria-label': label }, h('figcaption', {}, label), this.box, this.summary);
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.box);
  }

  /** Draws series: `{ name, points: [[x, y], …] }`, as steps. */
  setSeries(series) {
    this.series = series;
    const tables = series.map(({ points }) => [points.map(([x]) => x), points.map(([, y]) => y)]);
    const data = tables.length === 0 ? [[0], [null]] : uPlot.join(tables);
    this.summary.textContent = series.map(({ name, points }) => `${name}: from ${number(points[0]?.[1])} to ${number(points.at(-1)?.[1])} in ${points.length} steps`).join('. ');
    const key = series.map(({ name }) => name).join('\n') + document.documentElement.dataset.theme;
    if (this.plot && this.key === key) this.plot.setData(data);
    else this.make(data, key);
  }

  make(data, key) {
    this.key = key;
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const axis = (label) => ({ label, labelSize: 16, size: 28, font: '11px system-ui', labelFont: '12px system-ui', stroke: style.getPropertyValue('--soft'), grid: { stroke: style.getPropertyValue('--line'), width: 1 }, ticks: { show: false } });
    const line = ({ name }, index) => ({ label: name, stroke: colour(index), width: 2, dash: DASHES[Math.floor(index / 2) % DASHES.length], paths: uPlot.paths.stepped({ align: 1 }), spanGaps: true, points: { show: false } });
    const series = [{ label: this.options.xLabel }, ...(this.series.length ? this.series.map(line) : [{ show: false }])];
    const { width, height } = this.extent();
    this.plot = new uPlot({ width, height, series, axes: [axis(this.options.xLabel), { ...axis(this.options.yLabel), size: 48 }], scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(1, high * 1.05)] } }, legend: { show: this.series.length > 1 }, cursor: { points: { size: 6 } } }, data, fill(this.box));
  }

  extent() {
    const legend = this.series?.length > 1 ? 32 : 0;
    return { width: Math.max(200, this.box.clientWidth), height: Math.max(120, this.box.clientHeight - legend) };
  }

  fit() {
    if (this.plot && this.box.clientWidth > 0) this.plot.setSize(this.extent());
  }
}
