// Layers a graph, away from the page.
import { Graph, layout } from '/assets/vendor/dagre.esm.js';

onmessage = ({ data }) => {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 34, marginx: 20, marginy: 20, ranker: data.nodes.length > 600 ? 'longest-path' : 'network-simplex' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of data.nodes) graph.setNode(String(node.index), { width: node.width, height: node.height });
  for (const edge of data.edges) graph.setEdge(String(edge.from), String(edge.to), {}, edge.name);
  layout(graph);
  const places = data.nodes.map((node) => {
    const { x, y } = graph.node(String(node.index));
    return { index: node.index, x, y };
  });
  const lines = data.edges.map((edge) => ({ ...edge, points: graph.edge(String(edge.from), String(edge.to), edge.name).points }));
  const { width, height } = graph.graph();
  postMessage({ ticket: data.ticket, places, lines, width, height });
};
