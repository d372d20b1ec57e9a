// Layered layout of a graph.
import { Graph, layout } from '../vendor/dagre.esm.js';

/** Graphs of up to this many nodes are laid out with the slower, better method. */
const FEW = 600;

/** Lays out nodes (`index`, `width`, `height`) and edges (`from`, `to`, `name`). */
export function layOut({ nodes, edges }) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 34, marginx: 20, marginy: 20, ranker: nodes.length > FEW ? 'longest-path' : 'network-simplex' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(String(node.index), { width: node.width, height: node.height });
  for (const edge of edges) graph.setEdge(String(edge.from), String(edge.to), {}, edge.name);
  layout(graph);
  const places = nodes.map((node) => {
    const { x, y } = graph.node(String(node.index));
    return { index: node.index, x, y };
  });
  const lines = edges.map((edge) => ({ ...edge, points: graph.edge(String(edge.from), String(edge.to), edge.name).points }));
  const { width, height } = graph.graph();
  return { places, lines, width, height };
}
