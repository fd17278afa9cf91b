// Keeps the page usable without a network. `build.mjs` puts VERSION and FILES above: what is in the files names the
// cache, so that a page never runs with files of two versions.
const CACHE = `ebbtrace-inspector-${VERSION}`;

self.addEventListener("install", (event) => {
  // All or nothing; past the browser's own cache, which may hold files of the version before.
  const files = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const clear = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("ebbtrace-inspector-") && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
  };
  event.respondWith(answer());
});

// The page asks for the newer version once its reader has agreed to reload.
self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});
