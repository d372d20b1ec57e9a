// Lays out a graph in a worker, so that the page stays responsive.
import { layOut } from './layering.js';

onmessage = ({ data }) => postMessage({ ticket: data.ticket, ...layOut(data) });
