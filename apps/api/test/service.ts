import { randomUUID } from "node:crypto";
import type { KeyMode } from "../src/api-key.ts";
import type { EngineHost } from "../src/engine-host.ts";
import { issueKey } from "../src/keys/issue-key.ts";
import { type Pepper, pepperOf } from "../src/keys/pepper.ts";
import { type RunningServer, type ServeOptions, startServer } from "../src/serve.ts";
import type { Store } from "../src/store/port.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";

export const PEPPER: Pepper = pepperOf(new Uint8Array(32).fill(7));

/** A running service with one organization in its store. */
export interface TestService extends RunningServer {
  readonly store: Store;
  readonly organization: string;
  /** Of the organization, in test mode. */
  readonly key: string;
}

export interface TestServiceOptions extends Partial<ServeOptions> {
  readonly quota?: number;
}

/** Serves an engine on a free port; the state is in memory unless a store is given. */
export async function startService(
  engine: EngineHost,
  { quota = 1_000_000, ...options }: TestServiceOptions = {},
): Promise<TestService> {
  const store = options.store ?? (await openSqlite(":memory:"));
  const { organization, key } = await newOrganization(store, { quota });
  const server = await startServer({
    engine,
    engineVersion: "0.1.0",
    port: 0,
    print: () => {},
    stopOnSignals: false,
    burst: { perSecond: 1_000_000, burst: 1_000_000 },
    pepper: PEPPER,
    ...options,
    store,
  });
  return { ...server, store, organization, key };
}

export async function newOrganization(
  store: Store,
  more: {
    readonly quota?: number;
    readonly sources?: readonly string[];
    readonly mode?: KeyMode;
    readonly scopes?: readonly string[];
    readonly anchorMs?: number;
  } = {},
): Promise<{ readonly organization: string; readonly key: string; readonly keyId: string }> {
  const { quota = 1_000_000, sources = ["*"], mode = "test", scopes, anchorMs } = more;
  const id = `org_${randomUUID()}`;
  await store.createOrganization({
    id,
    name: id,
    quota: { live: quota, test: quota },
    sources,
    ...(anchorMs === undefined ? {} : { anchorMs }),
  });
  const { key, stored } = await issueKey(store, PEPPER, {
    organization: id,
    mode,
    ...(scopes === undefined ? {} : { scopes }),
  });
  return { organization: id, key, keyId: stored.id };
}
