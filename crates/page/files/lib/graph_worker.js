// Layers a graph, away from the page.
import { layOut } from './layering.js';

onmessage = ({ data }) => postMessage({ ticket: data.ticket, ...layOut(data) });
