import { fileURLToPath } from "node:url";
import type { Problem } from "@groundrule/contract";
import type { Engine } from "@groundrule/engine";
import { hostInProcess } from "@groundrule/service";
import { createKey } from "../src/admin/api-keys.ts";
import { createOrganization } from "../src/admin/organizations.ts";
import { createCharging } from "../src/charging/charging.ts";
import { type AppOptions, createApp } from "../src/http/app.ts";
import { StoreKeyRing } from "../src/http/gates/store-key-ring.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";
import { makeLiteralEngine } from "./literal-engine.ts";

const pepper = { version: 1, secret: new Uint8Array(32).fill(7) };
const store = await openSqlite(":memory:");
const ports = { store, pepper };
await createOrganization(ports, { name: "test", liveQuota: 0, testQuota: 1_000_000 });

/** A key of an organization with quota for everything. */
export const KEY: string = (await createKey(ports, { organization: "test", mode: "test", name: "test" })).key;

export const PLOT: object = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};

export interface LiteralApp {
  /** Errors reported as our own. */
  readonly reported: unknown[];
  /** Every path that has a route. */
  readonly paths: ReadonlySet<string>;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Posts JSON with the key; `headers` come on top. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Posts and expects a problem. */
  problem(path: string, body: unknown, headers?: Record<string, string>): Promise<Problem>;
}

/** The app around an engine, with a fixed clock, counted request ids and a store in memory. */
export function makeLiteralApp(
  engine: Engine = makeLiteralEngine(),
  options: Partial<AppOptions> = {},
): LiteralApp {
  const reported: unknown[] = [];
  let minted = 0;
  const app = createApp({
    engine: hostInProcess(() => engine),
    store,
    charging: createCharging({
      store,
      mintDecisionId: () => `dec_${crypto.randomUUID()}`,
      sleep: () => new Promise(() => {}),
    }),
    keys: new StoreKeyRing(store, [pepper]),
    now: () => new Date("2026-11-20T10:00:00Z"),
    steadyMs: () => performance.now(),
    mintId: () => `req_${++minted}`,
    engineVersion: "0.2.0",
    burst: { perSecond: 1_000_000, burst: 1_000_000 },
    guides: fileURLToPath(new URL("../../../docs/guides/", import.meta.url)),
    report: (error) => reported.push(error),
    ...options,
  });
  const request = async (path: string, init?: RequestInit) => app.request(path, init);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json", ...headers },
    });
  const problem = async (path: string, body: unknown, headers?: Record<string, string>) => {
    const response = await post(path, body, headers);
    if (response.headers.get("Content-Type") !== "application/problem+json") {
      throw new Error(`expected a problem, got ${response.status} ${await response.text()}`);
    }
    const sent = (await response.json()) as Problem;
    if (sent.status !== response.status) throw new Error(`status ${sent.status} in a ${response.status}`);
    return sent;
  };
  const paths = new Set(app.routes.map(({ path }) => path).filter((path) => path !== "/*"));
  return { reported, paths, request, post, problem };
}
