// A small server of static files for trying the page, and for its tests: `node serve.mjs [port]`.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("site/", import.meta.url);
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/manifest+json",
  ".wasm": "application/wasm",
};

/** Serves `site/` on this machine alone; answers with the server and its address. */
export async function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = new URL(`.${pathname.endsWith("/") ? `${pathname}index.html` : pathname}`, ROOT);
    try {
      if (!file.href.startsWith(ROOT.href)) throw new Error("outside");
      const body = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file.pathname)] ?? "application/octet-stream", "cache-control": "no-cache" });
      response.end(body);
    } catch {
      response.writeHead(404).end("not found");
    }
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(Number(process.argv[2] ?? 8080));
  console.log(`The page is at ${address}`);
}
