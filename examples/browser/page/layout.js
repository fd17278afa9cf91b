// Finds places for the graph's nodes, in a worker: the page draws meanwhile.
import cytoscape from "./vendor/cytoscape.js";

/** The room that a node takes with its label. */
const WIDTH = 128;
const HEIGHT = 66;
/** How many ways of starting are tried where no node has a place yet, for a small graph and for a large one. */
const TRIES = [14, 2];
const SMALL = 80;

onmessage = ({ data: { run, nodes, edges, anew, wide } }) => {
  const cy = cytoscape({
    headless: true,
    styleEnabled: true,
    style: [{ selector: "node", style: { width: 64, height: 50 } }],
    elements: {
      nodes: nodes.map(({ id, position }) => ({ data: { id }, position })),
      edges: edges.map((edge) => ({ data: edge })),
    },
  });
  const alone = cy.nodes().filter((node) => node.degree(false) === 0);
  const linked = cy.elements().difference(alone);
  const tries = anew ? TRIES[linked.nodes().length <= SMALL ? 0 : 1] : 1;
  let best;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (anew) linked.nodes().forEach((node, place) => node.position(start(place, attempt)));
    arrange(linked, wide);
    const cost = clutter(linked);
    if (!best || cost < best.cost) best = { cost, places: placesOf(linked) };
  }
  linked.nodes().forEach((node) => node.position(best.places[node.id()]));
  rows(alone, linked.nodes());
  const places = placesOf(cy);
  cy.destroy();
  postMessage({ run, places });
};

function arrange(linked, wide) {
  const area = 17_000 * Math.max(linked.nodes().length, 4);
  const height = Math.sqrt(area / wide);
  linked.layout({
    name: "cose",
    animate: false,
    randomize: false,
    fit: false,
    boundingBox: { x1: 0, y1: 0, w: height * wide, h: height },
    nodeRepulsion: () => 80_000,
    idealEdgeLength: () => 58,
    edgeElasticity: () => 80,
    nodeOverlap: 20,
    gravity: 0.9,
    componentSpacing: 90,
    numIter: linked.nodes().length > SMALL ? 400 : 900,
  }).run();
}

/** Another order of the same spiral each time: the same places for the same graph. */
function start(place, attempt) {
  const angle = place * (2.39996 + attempt * 0.71);
  const radius = 40 * Math.sqrt(((place * (2 * attempt + 1)) % 97) + 1);
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

/** How hard it is to read: lines that cross, and labels that lie on each other. */
function clutter(linked) {
  const nodes = linked.nodes().map((node) => node.position());
  const lines = linked.edges().map((edge) => [edge.source().position(), edge.target().position()]);
  let cost = 0;
  for (let i = 0; i < lines.length; i += 1) {
    const [a, b] = lines[i];
    cost += Math.hypot(a.x - b.x, a.y - b.y) / 2_000;
    for (let j = i + 1; j < lines.length; j += 1) if (cross(a, b, ...lines[j])) cost += 2;
  }
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) {
      const over = Math.min(WIDTH - Math.abs(nodes[i].x - nodes[j].x), 2 * (HEIGHT - Math.abs(nodes[i].y - nodes[j].y)));
      if (over > 0) cost += 1 + over / 40;
    }
  }
  return cost;
}

function cross(a, b, c, d) {
  // Lines from one node do not cross there.
  if (a === c || a === d || b === c || b === d) return false;
  const side = (p, q, r) => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}

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

function placesOf(elements) {
  return Object.fromEntries(elements.nodes().map((node) => [node.id(), { ...node.position() }]));
}
