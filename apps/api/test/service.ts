import { randomUUID } from "node:crypto";
import type { Engine } from "@groundrule/engine";
import { type EngineHost, hostInProcess } from "@groundrule/service";
import { createKey } from "../src/admin/api-keys.ts";
import { createOrganization } from "../src/admin/organizations.ts";
import { type RunningServer, type ServeOptions, startServer } from "../src/http/serve.ts";
import type { Pepper } from "../src/keys/api-key-digest.ts";
import type { KeyScope } from "../src/keys/key-scopes.ts";
import type { KeyMode } from "../src/ledger/scope.ts";
import type { Store } from "../src/store/port/port.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";

export const PEPPER: Pepper = { version: 1, secret: new Uint8Array(32).fill(7) };

/** A running service with one organization in its store. */
export interface TestService extends RunningServer {
  readonly store: Store;
  readonly organization: string;
  /** A key of the organization, in test mode. */
  readonly key: string;
}

export interface TestServiceOptions extends Partial<ServeOptions> {
  readonly quota?: number;
}

/** Serves an engine on a free port; the state is in memory, and goes with the service, unless a store is given. */
export async function startService(
  engine: Engine | EngineHost,
  { quota = 1_000_000, ...options }: TestServiceOptions = {},
): Promise<TestService> {
  const store = options.store ?? (await openSqlite(":memory:"));
  const { organization, key } = await createTestOrganization(store, { quota });
  const server = await startServerWithStore(engine, { ...options, store });
  const stop = async (): Promise<void> => {
    await server.stop();
    if (options.store === undefined) await store.close();
  };
  return { ...server, stop, store, organization, key };
}

/** Serves an engine on a free port, on a store with its organizations. */
export function startServerWithStore(
  engine: Engine | EngineHost,
  options: Partial<ServeOptions> & Pick<ServeOptions, "store">,
): Promise<RunningServer> {
  return startServer({
    engine: "answer" in engine ? engine : hostInProcess(() => engine),
    engineVersion: "0.2.0",
    port: 0,
    print: () => {},
    stopOnSignals: false,
    burst: { perSecond: 1_000_000, burst: 1_000_000 },
    peppers: [PEPPER],
    ...options,
  });
}

export async function createTestOrganization(
  store: Store,
  more: {
    readonly quota?: number;
    readonly sources?: readonly string[];
    readonly mode?: KeyMode;
    readonly scopes?: readonly KeyScope[];
    readonly anchorMs?: number;
  } = {},
): Promise<{ readonly organization: string; readonly key: string; readonly keyId: string }> {
  const { quota = 1_000_000, mode = "test", sources, scopes, anchorMs } = more;
  const ports = { store, pepper: PEPPER };
  const { id } = await createOrganization(ports, {
    name: randomUUID(),
    liveQuota: quota,
    testQuota: quota,
    ...(sources !== undefined && { sources }),
    ...(anchorMs !== undefined && { anchorMs }),
  });
  const issued = await createKey(ports, {
    organization: id,
    mode,
    name: "test",
    ...(scopes !== undefined && { scopes }),
  });
  return { organization: id, key: issued.key, keyId: issued.stored.id };
}
