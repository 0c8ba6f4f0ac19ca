import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { JSON_TYPE } from "@groundrule/contract";
import { Refusal } from "@groundrule/service";
import type { Context, Handler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import { buildAnswer } from "../exchange/respond.ts";
import { SharedDocument } from "../exchange/shared-document.ts";

/** The web page that the service serves under `/console/`. */
export interface ConsoleOptions {
  /** The folder of its files, as `apps/console/build.ts` writes it. */
  readonly folder: string;
  /** Map tiles of others, drawn under the areas; absent: the page asks nobody but this service. */
  readonly tiles?: ConsoleTiles;
  /** A style of others in their place, with the vector tiles, glyphs and signs that it names. */
  readonly style?: ConsoleStyle;
}

/** Where a base map of vector tiles comes from. */
export interface ConsoleStyle {
  /** URL of a style of MapLibre. All that it names has to lie on this URL's origin: the page may ask no other. */
  readonly url: string;
  /** Whose map it is, beside what its sources tell; shown on the map. */
  readonly attribution: string;
}

/** Where map tiles come from. */
export interface ConsoleTiles {
  /** URL of a raster tile, with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Whose map it is, as its licence asks; shown on the map. */
  readonly attribution: string;
}

/** The configuration that the page loads: `/console/config.json`. */
export interface ConsoleConfig {
  /** The base URL of the service that answers, relative to the page; null where the page answers by itself. */
  readonly service: string | null;
  readonly tiles: ConsoleTiles | null;
  readonly style: ConsoleStyle | null;
  /** URLs of snapshot files that the page opens by itself, relative to it. */
  readonly snapshots: readonly string[];
  /** URLs of rulesets beside them. */
  readonly rulesets: readonly string[];
}

const CONFIG_FILE = "config.json";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".gz": "application/gzip",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": JSON_TYPE,
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/** Files whose names change with their content. */
const HASHED = /^assets\//;
const FOR_GOOD = "public, max-age=31536000, immutable";

/**
 * `GET /console/{file}`: the files of the page, each read once, when it is first asked for. Only files that were in
 * the folder at the start are served: a path is a name in a list, and never a way through the disk.
 */
export function createConsoleHandler(options: ConsoleOptions): Handler<ApiEnv> {
  const { tiles, style } = options;
  const config: ConsoleConfig = {
    service: "../",
    tiles: tiles ?? null,
    style: style ?? null,
    snapshots: [],
    rulesets: [],
  };
  const headers = { "Content-Security-Policy": buildContentSecurityPolicy(style ?? tiles) };
  const files = indexFilesByPath(options.folder);
  const documents = new Map<string, SharedDocument>([
    [CONFIG_FILE, new SharedDocument(JSON.stringify(config), { ...headers, "Content-Type": JSON_TYPE })],
  ]);
  return (c) => {
    const name = getRequestedFileName(c);
    let document = documents.get(name);
    if (document === undefined) {
      const file = files.get(name);
      if (file === undefined) throw fileNotFoundRefusal(name, options.folder);
      document = new SharedDocument(
        readConsoleFile(file, name, options.folder),
        { ...headers, "Content-Type": MEDIA_TYPES[extname(name)] ?? "application/octet-stream" },
        HASHED.test(name) ? FOR_GOOD : "no-cache",
      );
      documents.set(name, document);
    }
    return document.respond(c);
  };
}

/** `GET /console`: leads to the page's folder, which its relative URLs start from. */
export const consoleRedirect: Handler<ApiEnv> = (c) =>
  buildAnswer(c.get("common"), null, 308, { Location: "/console/" });

function getRequestedFileName(c: Context<ApiEnv>): string {
  const name = c.req.param("file") ?? "";
  return name === "" ? "index.html" : name;
}

function indexFilesByPath(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file).replaceAll(sep, "/"), file]),
  );
}

/** The file's bytes. Fails: as one that is not there where it is gone, as when the page is built anew. */
function readConsoleFile(file: string, name: string, folder: string): Uint8Array<ArrayBuffer> {
  try {
    return readFileSync(file);
  } catch {
    throw fileNotFoundRefusal(name, folder);
  }
}

/** True if the folder of the page has it. */
export function isBuilt({ folder }: ConsoleOptions): boolean {
  return existsSync(join(folder, "index.html"));
}

function fileNotFoundRefusal(name: string, folder: string): Refusal {
  if (!isBuilt({ folder })) {
    return new Refusal("NOT_FOUND", "The console is not built here; `npm run setup` builds it.");
  }
  return new Refusal("NOT_FOUND", `The console has no file "${name}".`);
}

/** The page runs its own files alone, and asks this service and, where one is configured, the base map's origin. */
function buildContentSecurityPolicy(base: { readonly url: string } | undefined): string {
  const host = base === undefined ? "" : ` ${new URL(base.url).origin}`;
  return [
    "default-src 'none'",
    "base-uri 'none'",
    `connect-src 'self'${host}`,
    "font-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `img-src 'self' blob: data:${host}`,
    // WebAssembly reads GeoPackages; no text is run as code.
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "worker-src 'self'",
  ].join("; ");
}
