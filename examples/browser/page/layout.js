// Finds places for the graph's nodes, in a worker: the page draws meanwhile.
import cytoscape from "./vendor/cytoscape.js";

/** The room that a node takes with its label. */
const WIDTH = 136;
const HEIGHT = 74;

onmessage = ({ data: { run, nodes, edges, wide } }) => {
  const cy = cytoscape({
    headless: true,
    styleEnabled: true,
    style: [{ selector: "node", style: { width: WIDTH, height: HEIGHT } }],
    elements: {
      nodes: nodes.map(({ id, position }) => ({ data: { id }, position })),
      edges: edges.map((edge) => ({ data: edge })),
    },
  });
  const alone = cy.nodes().filter((node) => node.degree(false) === 0);
  const linked = cy.elements().difference(alone);
  const area = 22_000 * Math.max(linked.nodes().length, 4);
  const height = Math.sqrt(area / wide);
  linked.layout({
    name: "cose",
    animate: false,
    randomize: false,
    fit: false,
    boundingBox: { x1: 0, y1: 0, w: height * wide, h: height },
    nodeRepulsion: () => 130_000,
    idealEdgeLength: () => 64,
    edgeElasticity: () => 90,
    nodeOverlap: 24,
    gravity: 0.9,
    componentSpacing: 90,
    numIter: nodes.length > 150 ? 400 : 1_000,
  }).run();
  rows(alone, linked.nodes());
  const places = Object.fromEntries(cy.nodes().map((node) => [node.id(), { ...node.position() }]));
  cy.destroy();
  postMessage({ run, places });
};

/** What is linked to nothing stands in rows under the rest. */
function rows(alone, linked) {
  if (alone.empty()) return;
  const { x1, x2, y2 } = linked.empty() ? { x1: 0, x2: 0, y2: 0 } : linked.boundingBox();
  const wide = Math.max(Math.floor((x2 - x1) / WIDTH), Math.ceil(Math.sqrt(alone.length * 2)));
  const middle = (x1 + x2) / 2;
  alone.forEach((node, place) => {
    const row = Math.floor(place / wide);
    const inRow = Math.min(wide, alone.length - row * wide);
    node.position({ x: middle + ((place % wide) - (inRow - 1) / 2) * WIDTH, y: y2 + (row + 0.75) * HEIGHT });
  });
}
