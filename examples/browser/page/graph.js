// The graph on its canvas: nodes coloured and shaped by tier, sized by importance; lines by relation and weight.
import cytoscape from "./vendor/cytoscape.js";
import { at, breath } from "./dom.js";
import { brief } from "./words.js";

/** With more memories than this only what matters at the moment is labelled. */
const LABELLED = 70;
/** How many are drawn at once. */
const SLICE = 20;
const SHAPES = { hot: "ellipse", warm: "ellipse", cold: "round-diamond", frozen: "hexagon", superseded: "ellipse" };

export function graphView(page) {
  const arranging = new Worker(new URL("./layout.js", import.meta.url), { type: "module" });
  const cy = cytoscape({
    container: at("graph"),
    minZoom: 0.15,
    maxZoom: 3,
    boxSelectionEnabled: false,
    autounselectify: true,
  });
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let arranged = 0;
  let showing = Promise.resolve();
  let fitted = false;

  cy.on("tap", "node", ({ target }) => void page.select(target.id()));
  cy.on("tap", (event) => {
    if (event.target !== cy) return;
    cy.elements().removeClass("aside");
    page.deselect();
  });
  cy.on("mouseover", "node", ({ target }) => target.addClass("over"));
  cy.on("mouseout", "node", ({ target }) => target.removeClass("over"));
  at("fit").addEventListener("click", () => fit(true));
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    cy.resize();
    // The details take room from the graph: what was in sight stays in sight.
    if (fitted && contentRect.width !== width) fit(true);
    width = contentRect.width;
  }).observe(at("graph"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint());

  arranging.onmessage = ({ data: { run, places } }) => {
    if (run !== arranged) return;
    const moved = cy.nodes().filter((node) => places[node.id()] !== undefined);
    const first = !fitted;
    fitted = true;
    moved.layout({
      name: "preset",
      positions: (node) => places[node.id()],
      fit: first,
      padding: 40,
      animate: !first && !still.matches,
      animationDuration: 500,
      stop: () => !first && fit(false),
    }).run();
    at("graph").dataset.arranged = "yes";
    at("graph").classList.add("placed");
  };

  function paint() {
    cy.style(styles());
  }

  /** Shows a graph: what is in it already keeps its place. One is shown after the other. */
  function show(graph) {
    showing = showing.catch(() => undefined).then(() => update(graph));
    return showing;
  }

  async function update({ nodes, edges }) {
    const ids = new Set(nodes.map(({ id }) => id));
    const keys = new Set(edges.map(keyOf));
    let changed = false;
    cy.batch(() => {
      cy.nodes().forEach((node) => {
        if (ids.has(node.id())) return;
        changed = true;
        node.remove();
      });
      cy.edges().forEach((edge) => {
        if (!keys.has(edge.id())) edge.remove();
      });
    });
    const few = nodes.length <= LABELLED;
    let place = 0;
    await inSlices(nodes, (some) => {
      for (const node of some) {
        place += 1;
        const shown = node.state === "superseded" ? "superseded" : node.tier;
        const data = { id: node.id, label: brief(node.content, 34), importance: node.importance, shape: SHAPES[shown] };
        let drawn = cy.getElementById(node.id);
        if (drawn.empty()) {
          changed = true;
          drawn = cy.add({ group: "nodes", data, position: spiral(place) });
        } else drawn.data(data);
        const kept = ["found", "chosen", "over", "aside"].filter((name) => drawn.hasClass(name));
        const classes = [shown, ...kept, ...(node.pinned ? ["pinned"] : []), ...(few || node.pinned ? ["labelled"] : []), ...(few ? [] : ["many"])];
        // Setting what is set already would have its style worked out anew.
        if (classes.some((name) => !drawn.hasClass(name)) || drawn.classes().length !== classes.length) drawn.classes(classes);
      }
    });
    await inSlices(edges, (some) => {
      for (const edge of some) {
        const id = keyOf(edge);
        const data = { id, source: edge.from, target: edge.to, relation: edge.relation, faded: Math.min(edge.faded, 2), kind: ["supersedes", "follows", "semantic"].includes(edge.relation) ? edge.relation : "told" };
        const drawn = cy.getElementById(id);
        if (drawn.empty()) {
          changed = true;
          cy.add({ group: "edges", data });
        } else drawn.data(data);
      }
    });
    if (changed) arrange();
  }

  function arrange() {
    arranged += 1;
    const nodes = cy.nodes().map((node) => ({ id: node.id(), position: { ...node.position() } }));
    const edges = cy.edges().map((edge) => ({ source: edge.data("source"), target: edge.data("target") }));
    const { width, height } = at("graph").getBoundingClientRect();
    delete at("graph").dataset.arranged;
    arranging.postMessage({ run: arranged, nodes, edges, anew: !fitted, wide: Math.max(0.4, width / Math.max(height, 1)) });
  }

  function fit(animated) {
    if (cy.nodes().empty()) return;
    if (!animated || still.matches) cy.fit(undefined, 40);
    else cy.animate({ fit: { eles: cy.elements(), padding: 40 }, duration: 300 });
  }

  /** Rings what was found, and marks the ways by which it was. */
  function found(hits) {
    cy.batch(() => {
      cy.elements().removeClass("found way");
      for (const { memory, path } of hits) {
        cy.getElementById(memory.id).addClass("found");
        [...path, memory.id].reduce((from, to) => {
          cy.getElementById(from).edgesWith(cy.getElementById(to)).addClass("way");
          return to;
        });
      }
      cy.elements().toggleClass("aside", hits.length > 0);
      cy.$(".found, .way").removeClass("aside");
    });
  }

  function choose(id) {
    cy.batch(() => {
      cy.elements().removeClass("chosen near");
      if (id === undefined) return;
      const node = cy.getElementById(id);
      node.addClass("chosen");
      node.connectedEdges().addClass("near");
    });
  }

  /** Draws a few at a time, so that the page answers between. */
  async function inSlices(all, draw) {
    for (let from = 0; from < all.length; from += SLICE) {
      const some = all.slice(from, from + SLICE);
      cy.batch(() => draw(some));
      // Asked for, a style is worked out now: the next frame would work out all that are waiting.
      for (const one of some) cy.getElementById(one.id ?? keyOf(one)).numericStyle("width");
      await breath();
    }
  }

  paint();
  return { show, found, choose, paint, fit, cy };
}

/** Where a new memory starts: no two at one place, and the same at every load. */
function spiral(place) {
  const angle = place * 2.39996;
  const radius = 34 * Math.sqrt(place + 0.5);
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

function keyOf({ from, to, relation }) {
  return JSON.stringify([from, to, relation]);
}

/** The colours of the page as they are now: a canvas knows no custom properties. */
function colours(names) {
  const probe = document.createElement("i");
  document.body.append(probe);
  const found = {};
  for (const name of names) {
    probe.style.setProperty("color", `var(--${name})`);
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

function styles() {
  const c = colours(["hot", "warm", "cold", "frozen", "frozen-line", "superseded", "ink", "soft", "line", "accent", "ground", "pin"]);
  const tier = (name, line = c[name]) => ({ selector: `node.${name}`, style: { "background-color": c[name], "border-color": line } });
  return [
    {
      selector: "node",
      style: {
        width: "mapData(importance, 0, 1, 13, 40)",
        height: "mapData(importance, 0, 1, 13, 40)",
        shape: "data(shape)",
        "border-width": 1,
        "transition-property": "background-color, border-color, opacity, background-opacity",
        "transition-duration": "0.35s",
        "font-family": "system-ui, sans-serif",
        "font-size": 11,
        color: c.ink,
        "text-outline-color": c.ground,
        "text-outline-width": 2.5,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-max-width": 132,
        "text-wrap": "wrap",
        "min-zoomed-font-size": 7,
      },
    },
    tier("hot"),
    tier("warm"),
    tier("cold"),
    tier("frozen", c["frozen-line"]),
    { selector: "node.cold", style: { "text-opacity": 0.75 } },
    { selector: "node.frozen", style: { "background-opacity": 0.65, "border-style": "dashed", "border-width": 1.5, "text-opacity": 0.6 } },
    { selector: "node.superseded", style: { "background-color": c.superseded, "background-opacity": 0.25, "border-color": c.superseded, "border-style": "dotted", "border-width": 1.5, opacity: 0.6, "text-opacity": 0.7 } },
    { selector: "node.labelled, node.over, node.found, node.chosen", style: { label: "data(label)" } },
    { selector: "node.pinned", style: { "border-width": 4, "border-color": c.pin, "border-style": "double" } },
    {
      selector: "edge",
      style: {
        width: "mapData(faded, 0, 2, 0.8, 5)",
        opacity: "mapData(faded, 0, 0.8, 0.16, 0.75)",
        "line-color": c.soft,
        "curve-style": "bezier",
        "transition-property": "opacity, width",
        "transition-duration": "0.35s",
        "font-size": 9,
        "font-family": "system-ui, sans-serif",
        color: c.soft,
        "text-outline-color": c.ground,
        "text-outline-width": 2,
        "text-rotation": "autorotate",
        "min-zoomed-font-size": 7,
      },
    },
    { selector: "edge[kind = 'told']", style: { "line-color": c.accent, "target-arrow-color": c.accent, "target-arrow-shape": "triangle", "arrow-scale": 0.7 } },
    { selector: "edge[kind = 'follows']", style: { "line-style": "dashed", "target-arrow-color": c.soft, "target-arrow-shape": "vee", "arrow-scale": 0.7 } },
    { selector: "edge[kind = 'supersedes']", style: { "line-style": "dotted", "line-color": c.superseded, "target-arrow-color": c.superseded, "target-arrow-shape": "tee", opacity: 0.6, width: 1.5 } },
    // Fading from colour to colour would draw all of them at each frame.
    { selector: "node.many", style: { "transition-duration": "0s" } },
    { selector: ".aside", style: { opacity: 0.4 } },
    { selector: "edge.near, edge.way", style: { label: "data(relation)", opacity: 0.95 } },
    { selector: "edge.way", style: { "line-color": c.ink, "target-arrow-color": c.ink } },
    { selector: "node.found", style: { "underlay-color": c.accent, "underlay-opacity": 0.3, "underlay-padding": 7, "underlay-shape": "ellipse", opacity: 1 } },
    { selector: "node.chosen", style: { "underlay-color": c.ink, "underlay-opacity": 0.28, "underlay-padding": 9, "underlay-shape": "ellipse", opacity: 1, "z-index": 10 } },
    { selector: "node.over", style: { opacity: 1, "z-index": 11, "font-weight": "bold" } },
  ];
}
