// Has the page's files kept by the browser, so that it opens without a network.
import { at, say } from "./dom.js";

export async function offline() {
  const state = at("offline");
  const workers = navigator.serviceWorker;
  if (!workers) {
    state.textContent = "Needs the network at each load: this browser, or this address, allows no service worker.";
    return;
  }
  try {
    const registration = await workers.register(new URL("./sw.js", import.meta.url), { type: "classic", updateViaCache: "none" });
    await workers.ready;
    state.textContent = "Works offline. Memories stay in this browser.";
    document.body.dataset.offline = "yes";
    const waiting = () => registration.waiting && workers.controller && propose(registration.waiting, workers);
    waiting();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", waiting));
  } catch (error) {
    state.textContent = `Needs the network at each load: ${error.message}`;
  }
}

/** A newer version is there: when to reload is the reader's to say. */
function propose(worker, workers) {
  const button = at("update");
  button.hidden = false;
  button.onclick = () => {
    workers.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage("take over");
    say("Loading the new version…");
  };
}
