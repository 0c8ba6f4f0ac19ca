import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

/** The built page. */
export const DIST: string = join(import.meta.dirname, "../dist");

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
};
/** The same policy as the service's. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "worker-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'";

export interface ServedPage {
  readonly url: string;
  /** The folder of the page's files; a change takes effect with the next request. */
  folder: string;
  /** True to answer every request like a proxy whose server is gone. */
  isDown: boolean;
  close(): void;
}

/** Serves the built page like a static host, with a configuration in its folder, and a folder of files as `data/`. */
export async function serveBuiltPage(config: object, data?: string): Promise<ServedPage> {
  const server: Server = createServer((request, response) => {
    if (served.isDown) return void response.writeHead(502).end();
    const { pathname } = new URL(request.url ?? "/", "http://page/");
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream");
    if (name === "config.json") return void response.end(JSON.stringify(config));
    const [folder, inFolder] =
      data !== undefined && name.startsWith("data/") ? [data, name.slice(5)] : [served.folder, name];
    const path = join(folder, inFolder);
    if (!path.startsWith(folder) || !existsSync(path)) return void response.writeHead(404).end();
    response.end(readFileSync(path));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const served: ServedPage = {
    url: `http://127.0.0.1:${port}/`,
    folder: DIST,
    isDown: false,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return served;
}
